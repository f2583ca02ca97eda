import { createHmac, randomBytes } from 'node:crypto'
import { retryDelaysMs, type RequirementId } from '../../../spec/index.js'
import { dataMember, defaultPolicy, idMember, timestampMember, typeMember, type Policy } from '../../server/index.js'
import type { ServerMutant } from '../mutant.js'

const { createdWebhook, isSuccess, listedWebhook, shownDelivery, snippet } = defaultPolicy

/** A mutant of one replaced entry. */
function mutant(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  policy: Partial<Policy>,
): ServerMutant {
  return { id: `server/${id}`, title, breaks, policy }
}

/** The schedule with the delay before one attempt replaced. */
function delay(attempt: number, ms: number): Partial<Policy> {
  return { retryDelaysMs: retryDelaysMs.map((each, index) => (index === attempt - 1 ? ms : each)) }
}

const webhookMutants: readonly ServerMutant[] = [
  mutant('creates-with-200', 'a create answers 200', ['WHK-001'], { webhookCreatedStatus: 200 }),
  mutant('creates-without-inbox-id', 'the create response has no inbox_id', ['WHK-002', 'WHK-010'], {
    createdWebhook: (webhook) => ({ ...createdWebhook(webhook), inbox_id: undefined }),
  }),
  mutant('names-webhooks-otherwise', 'webhook ids have another prefix', ['WHK-003'], {
    webhookId: (random) => `wh_${random}`,
  }),
  mutant('makes-secrets-without-prefix', 'secrets have no whsec_', ['WHK-004'], {
    newSecret: () => defaultPolicy.newSecret().slice(6),
  }),
  mutant('makes-hexadecimal-secrets', 'secrets are hexadecimal and signed as such', ['WHK-004', 'SIG-004'], {
    newSecret: () => `secret_${Buffer.from(defaultPolicy.newSecret().slice(6), 'base64').toString('hex')}`,
  }),
  mutant('shares-one-secret', 'every webhook has the same secret', ['WHK-018'], {
    newSecret: () => `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  }),
  mutant('gives-back-another-url', 'the create response normalises the url away', ['WHK-005'], {
    createdWebhook: (webhook) => ({ ...createdWebhook(webhook), url: new URL(webhook.url).origin }),
  }),
  mutant('lists-secrets', 'the list shows secrets', ['WHK-012', 'WHK-013'], {
    listedWebhook: (webhook) => ({ ...listedWebhook(webhook), secret: webhook.secret }),
  }),
  mutant('shows-the-secret-on-delete', 'the answer to a delete shows the secret', ['WHK-013'], {
    deleteAnswer: (webhook) => ({ status: 200, body: { id: webhook.id, secret: webhook.secret } }),
  }),
  mutant('lists-nothing', 'the list of webhooks is always empty', ['WHK-011'], {
    webhookListEnvelope: () => ({ data: [] }),
  }),
  mutant('lists-deleted-webhooks', 'deleted webhooks are still listed', ['WHK-017'], { listsDeleted: true }),
  mutant('delete-answers-500', 'a delete works and answers 500', ['WHK-017'], {
    deleteAnswer: () => ({ status: 500, body: { code: 'x', message: 'x', fix: 'x' } }),
  }),
  mutant('missing-filter-means-nothing', 'a missing or empty filter selects nothing', ['WHK-006', 'WHK-007'], {
    matchesTypes: (filter, type) => filter.includes('*') || filter.includes(type),
  }),
  mutant('star-is-a-name', '["*"] is taken for the name of a type', ['WHK-008'], {
    matchesTypes: (filter, type) => filter.length === 0 || filter.includes(type),
  }),
  mutant('filter-is-ignored', 'the filter is stored and not used', ['WHK-009'], { matchesTypes: () => true }),
  mutant('filter-is-a-prefix', 'a type is selected by its first word', ['WHK-009'], {
    matchesTypes: (filter, type) =>
      defaultPolicy.matchesTypes(filter, type) || filter.some((each) => each.split('.')[0] === type.split('.')[0]),
  }),
  mutant('filter-knows-one-type', 'only the first type of a filter is used', ['WHK-009'], {
    matchesTypes: (filter, type) => filter.length === 0 || filter[0] === '*' || filter[0] === type,
  }),
  mutant('list-selects-nothing', 'the list of types is compared with the type as a whole', ['WHK-009'], {
    matchesTypes: (filter, type) => filter.length === 0 || filter.includes('*') || JSON.stringify(filter) === type,
  }),
  mutant('makes-url-safe-secrets', 'secrets are base64url, and signed as such', ['WHK-004'], {
    newSecret: () => `whsec_${randomBytes(33).toString('base64url')}`,
  }),
  mutant('sends-to-the-first-match', 'only one of several matching webhooks gets the event', ['WHK-021', 'DLV-023'], {
    fanOut: (matching) => matching.slice(0, 1),
  }),
  mutant('sends-once-to-a-url', 'of several webhooks on one url only the first gets an event', ['DLV-023'], {
    fanOut: (matching) => matching.filter((each, index) => matching.findIndex(({ url }) => url === each.url) === index),
  }),
  mutant('sends-once-for-each-name', 'a type that is listed twice makes two deliveries', ['DLV-023'], {
    fanOut: (matching) =>
      matching.flatMap((each) => (new Set(each.eventTypes).size < each.eventTypes.length ? [each, each] : [each])),
  }),
  mutant('filter-knows-five-types', 'only the first five types of a filter are used', ['WHK-009'], {
    matchesTypes: (filter, type) => defaultPolicy.matchesTypes(filter.slice(0, 5), type),
  }),
  mutant('lists-webhooks-of-the-org-alone', 'webhooks of one inbox are not listed', ['WHK-011'], {
    webhookListEnvelope: (items) => ({
      data: items.filter((each) => (each as { inbox_id: unknown }).inbox_id === null),
    }),
  }),
  mutant('sends-after-the-delete', 'a deleted webhook still gets new events', ['WHK-014'], {
    deleteStopsEvents: false,
  }),
  mutant('retries-after-the-delete', 'pending retries go on after the delete', ['WHK-015'], {
    deleteStopsRetries: false,
  }),
  mutant('retries-what-was-in-flight', 'an attempt in flight at the delete schedules another', ['WHK-015'], {
    deleteStopsInFlight: false,
  }),
  mutant('forgets-what-was-pending', 'of a deleted webhook only what has ended is listed', ['WHK-016'], {
    deliveryListEnvelope: (items) => ({
      data: items.filter((each) => {
        const { status, attempt, next_attempt_at: next } = each as Record<string, unknown>
        return status !== 'pending' || next !== null || attempt === 0
      }),
    }),
  }),
  mutant('forgets-the-history', 'the deliveries go with the webhook', ['WHK-016'], { deleteKeepsHistory: false }),
  mutant('ignores-wrong-types', 'fields of the wrong type are taken as missing', ['WHK-020'], { wrongTypes: 'ignore' }),
]

const deliveryMutants: readonly ServerMutant[] = [
  mutant('delivers-by-put', 'a delivery is a PUT', ['DLV-001'], { deliveryMethod: 'PUT' }),
  mutant('drops-the-query', 'the query of the url is not sent', ['DLV-001'], {
    deliveryUrl: (url) => url.replace(/\?.*$/, ''),
  }),
  mutant(
    'sends-another-id-in-the-body',
    'the id of the body is that of a record of its own',
    ['DLV-002', 'SIG-001', 'EVT-014'],
    {
      bodyMembers: [
        { name: 'id', json: ({ id }) => JSON.stringify(`${id}0`) },
        typeMember,
        timestampMember,
        dataMember,
      ],
    },
  ),
  mutant('shows-another-word-while-under-way', 'a delivery under way is processing', ['DLV-004', 'DLV-016'], {
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      status: delivery.attempt === 0 ? 'processing' : delivery.status,
    }),
  }),
  mutant('lists-a-delivery-once-it-was-answered', 'a delivery is listed once an attempt has ended', ['DLV-004'], {
    deliveryListEnvelope: (items) => ({
      data: items.filter((each) => {
        const { response_code: code, error } = each as { response_code: unknown; error: unknown }
        return code !== null || error !== null
      }),
    }),
  }),
  mutant('disables-a-webhook-after-a-failure', 'a webhook gets nothing more once a delivery has failed', ['DLV-004'], {
    failureDisables: true,
  }),
  mutant('sends-no-timestamp', 'the body has no timestamp', ['DLV-002'], {
    bodyMembers: [idMember, typeMember, dataMember],
  }),
  mutant('sends-no-id', 'the body has no id', ['DLV-002', 'SIG-001'], {
    bodyMembers: [typeMember, timestampMember, dataMember],
  }),
  mutant('sends-timestamps-in-seconds', 'timestamps have no milliseconds', ['EVT-002', 'DLV-002'], {
    formatTime: (at) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
  }),
  mutant('sends-local-time-as-utc', 'timestamps are local time with a Z', ['EVT-002', 'POL-009'], {
    formatTime: (at) => new Date(at + 3_600_000).toISOString(),
  }),
  mutant('sends-local-time', 'timestamps have an offset', ['EVT-002', 'DLV-002'], {
    formatTime: (at) => `${new Date(at + 7_200_000).toISOString().slice(0, -1)}+02:00`,
  }),
  mutant('sends-no-signature', 'webhook-signature is not sent', ['DLV-003'], { sentHeaders: ['id', 'timestamp'] }),
  mutant('sends-no-webhook-id', 'webhook-id is not sent', ['DLV-003'], { sentHeaders: ['timestamp', 'signature'] }),
  mutant('names-headers-otherwise', 'the headers have the names of a vendor', ['DLV-003'], {
    headerNames: { id: 'svix-id', timestamp: 'svix-timestamp', signature: 'svix-signature' },
  }),
  mutant('delivers-twice', 'each match makes two deliveries', ['DLV-023', 'EVT-016', 'DLV-006', 'WHK-021'], {
    deliveriesPerMatch: 2,
  }),
  mutant('takes-only-200', 'only 200 is success', ['DLV-005', 'DLV-006'], { isSuccess: (status) => status === 200 }),
  mutant('takes-200-to-204', '2xx beyond 204 is no success', ['DLV-005', 'DLV-006'], {
    isSuccess: (status) => status >= 200 && status <= 204,
  }),
  mutant('reads-success-from-the-body', 'a 2xx whose body speaks of an error is no success', ['DLV-005', 'DLV-006'], {
    isSuccess: (status, attempt, body) => isSuccess(status, attempt, body) && !/error/i.test(body ?? ''),
  }),
  mutant('takes-3xx-for-success', 'a redirect counts as success', ['DLV-010', 'DLV-011', 'RTY-012'], {
    isSuccess: (status) => status >= 200 && status < 400,
  }),
  mutant('takes-4xx-for-success', 'whatever answers counts as success', ['DLV-011', 'RTY-012'], {
    isSuccess: (status) => status < 500,
  }),
  mutant('takes-410-for-the-end', 'a 410 is not retried', ['RTY-012', 'DLV-011'], {
    isRetried: (outcome) => outcome.kind !== 'blocked' && !(outcome.kind === 'answer' && outcome.status === 410),
  }),
  mutant('does-not-retry-4xx', 'a 4xx is not retried', ['RTY-012', 'DLV-011'], {
    isRetried: (outcome) =>
      outcome.kind !== 'blocked' && !(outcome.kind === 'answer' && outcome.status >= 400 && outcome.status < 500),
  }),
  mutant('does-not-retry-time-outs', 'a time-out is not retried', ['RTY-012', 'DLV-008'], {
    isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'timeout',
  }),
  mutant('does-not-retry-resets', 'a broken connection is not retried', ['DLV-022', 'RTY-012'], {
    isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'connection',
  }),
  mutant(
    'gives-up-on-names-without-address',
    'a name that has no address now ends the delivery',
    ['RTY-012', 'DLV-022'],
    {
      isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'unresolved',
    },
  ),
  mutant('retries-only-what-was-not-answered', 'any answer ends the delivery', ['RTY-012', 'DLV-011', 'DLV-010'], {
    isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'answer',
  }),
  mutant('obeys-retry-after', 'a Retry-After of the consumer takes the place of the schedule', ['RTY-012'], {
    obeysRetryAfter: true,
  }),
  mutant('follows-redirects', 'redirects are followed', ['DLV-009', 'DLV-010'], { redirects: 'follow' }),
  mutant('waits-five-seconds', 'the consumer has 5 seconds', ['DLV-007'], { answerTimeMs: 5_000 }),
  mutant('waits-thirty-seconds', 'the consumer has 30 seconds', ['DLV-008'], { answerTimeMs: 30_000 }),
  mutant('lists-oldest-first', 'the deliveries are listed oldest first', ['DLV-012'], {
    deliveryOrder: 'oldest-first',
  }),
  mutant('lists-pending-last', 'deliveries that wait for a retry are listed last', ['DLV-012'], {
    deliveryOrder: 'pending-last',
  }),
  mutant('keeps-the-end', 'the snippet is the end of the answer', ['DLV-019'], { snippet: (body) => body.slice(-500) }),
  mutant('lists-twenty', 'the default page has 20', ['DLV-013'], { deliveryDefaultLimit: 20 }),
  mutant('lists-a-hundred', 'the default page has 100', ['DLV-013'], { deliveryDefaultLimit: 100 }),
  mutant('ignores-the-limit', 'limit is ignored', ['DLV-014', 'DLV-015', 'POL-005', 'POL-006'], { pageSize: () => 50 }),
  mutant('lists-one-too-few', 'limit is off by one', ['DLV-014', 'POL-005', 'POL-006', 'DLV-015'], {
    pageSize: (asked) => Math.max(1, asked - 1),
  }),
  mutant('lists-at-most-fifty', 'the maximum is 50', ['DLV-014', 'DLV-015'], { deliveryMaxLimit: 50 }),
  mutant('lists-any-number', 'there is no maximum', ['DLV-015', 'POL-006'], { limitAboveMaximum: 'allow' }),
  mutant('shows-delivered', 'the status has other words', ['DLV-016', 'DLV-005', 'DLV-011'], {
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      status: delivery.status === 'succeeded' ? 'delivered' : delivery.status,
    }),
  }),
  mutant('counts-attempts-from-zero', 'attempt counts from 0', ['DLV-017'], {
    shownDelivery: (delivery) => ({ ...shownDelivery(delivery), attempt: Math.max(0, delivery.attempt - 1) }),
  }),
  mutant('shows-no-response-code', 'response_code is always 200', ['DLV-018'], {
    shownDelivery: (delivery) => ({ ...shownDelivery(delivery), response_code: 200 }),
  }),
  mutant('shows-no-next-attempt', 'next_attempt_at is never set', ['RTY-010', 'DLV-020'], {
    shownDelivery: (delivery) => ({ ...shownDelivery(delivery), next_attempt_at: null }),
  }),
  mutant('shows-the-wrong-next-attempt', 'next_attempt_at is an hour off', ['RTY-010', 'DLV-020'], {
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      next_attempt_at:
        delivery.nextAttemptAt === null ? null : new Date(delivery.nextAttemptAt + 3_600_000).toISOString(),
    }),
  }),
  mutant('tells-a-next-attempt-of-what-has-ended', 'next_attempt_at is set whatever the answer was', ['DLV-020'], {
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      next_attempt_at: new Date(
        retryDelaysMs.slice(0, delivery.attempt + 1).reduce((sum, delayMs) => sum + delayMs, delivery.createdAt),
      ).toISOString(),
    }),
  }),
  mutant('keeps-the-first-snippet', 'the body of a later answer is not kept', ['DLV-019'], {
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      response_body_snippet: delivery.attempt > 1 ? 'busy' : delivery.snippet,
    }),
  }),
  mutant('lowers-the-path', 'the path is sent in lower case', ['DLV-001'], { deliveryUrl: (url) => url.toLowerCase() }),
  mutant('decodes-the-path', 'an escaped slash is sent as a slash', ['DLV-001'], {
    deliveryUrl: (url) => url.replaceAll('%2F', '/'),
  }),
  mutant('joins-slashes', 'slashes side by side are sent as one', ['DLV-001'], {
    deliveryUrl: (url) => url.replace(/([^:])\/{2,}/g, '$1/'),
  }),
  mutant('sorts-the-query', 'the query is sent in another order', ['DLV-001'], {
    deliveryUrl: (url) => {
      const sorted = new URL(url)
      sorted.searchParams.sort()
      return sorted.href
    },
  }),
  mutant('sends-json-as-text', 'the body is sent as plain text', ['DLV-001'], { deliveryContentType: 'text/plain' }),
  mutant('shows-no-id', 'listed deliveries have no id', ['DLV-021'], {
    shownDelivery: (delivery) => ({ ...shownDelivery(delivery), id: undefined }),
  }),
  mutant('keeps-no-snippet', 'the answer of the consumer is not kept', ['DLV-019'], { snippet: () => '' }),
  mutant('keeps-255-characters', 'the snippet has 255 characters', ['DLV-019'], {
    snippet: (body) => body.slice(0, 255),
  }),
  mutant('keeps-500-bytes', 'the snippet has 500 bytes', ['DLV-019'], {
    snippet: (body) => Buffer.from(body).subarray(0, 500).toString('utf8'),
  }),
  mutant('trims-the-snippet', 'blanks around the body are cut off', ['DLV-019'], {
    snippet: (body) => snippet(body.trim(), 0),
  }),
  mutant('keeps-snippets-of-failures', 'only the body of a failure is kept', ['DLV-019'], {
    snippet: (body, status) => (status < 300 ? '' : snippet(body, status)),
  }),
  mutant('keeps-snippets-of-successes', 'only the body of a success is kept', ['DLV-019'], {
    snippet: (body, status) => (status < 300 ? snippet(body, status) : ''),
  }),
  mutant('keeps-the-whole-body', 'the whole answer is kept', ['DLV-019'], {
    snippet: (body) => body,
    snippetReadBytes: 100_000,
  }),
  mutant('pending-is-failed', 'a delivery is failed after its first failure, and retried', ['DLV-011', 'RTY-010'], {
    retryingStatus: 'failed',
  }),
]

const retryMutants: readonly ServerMutant[] = [
  mutant('first-attempt-late', 'the first attempt waits a minute', ['RTY-001'], delay(1, 60_000)),
  mutant('first-retry-after-ten-seconds', 'the first retry waits 10 seconds', ['RTY-002'], delay(2, 10_000)),
  mutant('first-retry-at-once', 'the first retry does not wait', ['RTY-002'], delay(2, 0)),
  mutant('first-retry-after-three-seconds', 'the first retry is two seconds early', ['RTY-002'], delay(2, 3_000)),
  mutant(
    'retries-a-tenth-early',
    'every delay is a tenth shorter',
    ['RTY-003', 'RTY-004', 'RTY-005', 'RTY-006', 'RTY-007'],
    { retryDelaysMs: retryDelaysMs.map((each) => each * 0.9) },
  ),
  mutant('fails-at-the-last-attempt', 'the last attempt is failed whatever it was answered', ['RTY-011'], {
    isSuccess: (status, attempt, body) => isSuccess(status, attempt, body) && attempt < retryDelaysMs.length,
  }),
  mutant('sends-one-after-the-other', 'an event waits until those before it are through', ['RTY-001', 'RTY-012'], {
    deliveryQueue: 'one-after-the-other',
  }),
  mutant('second-retry-after-five-seconds', 'the second retry waits 5 seconds', ['RTY-003'], delay(3, 5_000)),
  mutant('second-retry-after-six-minutes', 'the second retry waits 6 minutes', ['RTY-003'], delay(3, 360_000)),
  mutant('third-retry-after-fifteen-minutes', 'the third retry waits 15 minutes', ['RTY-004'], delay(4, 900_000)),
  mutant('fourth-retry-after-one-hour', 'the fourth retry waits an hour', ['RTY-005'], delay(5, 3_600_000)),
  mutant('fifth-retry-after-two-hours', 'the fifth retry waits 2 hours', ['RTY-006'], delay(6, 7_200_000)),
  mutant('sixth-retry-after-five-hours', 'the sixth retry waits 5 hours', ['RTY-007'], delay(7, 18_000_000)),
  mutant('sixth-retry-after-fourteen-hours', 'the sixth retry waits 14 hours', ['RTY-007'], delay(7, 50_400_000)),
  mutant('six-attempts', 'the last attempt is not made', ['RTY-007', 'RTY-008'], {
    retryDelaysMs: retryDelaysMs.slice(0, 6),
  }),
  mutant('eight-attempts', 'an eighth attempt is made', ['RTY-008', 'RTY-009'], {
    retryDelaysMs: [...retryDelaysMs, 50_400_000],
  }),
  mutant(
    'delays-count-from-the-event',
    'delays count from the event',
    ['RTY-003', 'RTY-004', 'RTY-005', 'RTY-006', 'RTY-007'],
    { delayOrigin: 'event' },
  ),
  mutant('stays-pending-for-ever', 'after the last attempt the delivery stays pending', ['RTY-009'], {
    exhaustedStatus: 'pending',
  }),
  mutant('retries-a-success', 'a delivery that succeeded is attempted again', ['RTY-011', 'DLV-006'], {
    successEnds: false,
  }),
  mutant('changes-the-body', 'the body of a retry tells its attempt in place of the type', ['RTY-014'], {
    attemptBody: (body, { attempt }) =>
      attempt === 1 ? body : body.replace(/"timestamp":"[^"]*"/, '"timestamp":"2020-01-01T00:00:00.000Z"'),
  }),
  mutant('has-an-id-for-each-attempt', 'webhook-id is new at each attempt', ['RTY-013', 'SIG-001'], {
    messageId: (eventId, { attempt }) => (attempt === 1 ? eventId : `${eventId}_${attempt}`),
  }),
]

const replayMutants: readonly ServerMutant[] = [
  mutant('replays-with-200', 'a replay answers 200', ['RPL-001'], {
    replayAnswer: (shown) => ({ status: 200, body: shown }),
  }),
  mutant('replays-for-any-webhook', 'a replay takes the delivery of any webhook', ['WHK-009'], {
    replaysDeliveriesOf: 'any',
  }),
  mutant('replays-nothing', 'a replay answers 202 and sends nothing', ['RPL-002', 'RPL-003'], {
    replayMakes: 'nothing',
  }),
  mutant('replays-the-original', 'a replay starts the original delivery anew', ['RPL-003', 'RPL-004', 'RPL-006'], {
    replayMakes: 'original-again',
  }),
  mutant('replays-without-a-name', 'replay_of is not set', ['RPL-004'], { replayOf: () => null }),
  mutant('replays-only-failures', 'only a failed delivery can be replayed', ['RPL-005', 'RPL-001'], {
    replayable: (status) => status === 'failed',
  }),
  mutant('replays-only-what-ended', 'a pending delivery cannot be replayed', ['RPL-005'], {
    replayable: (status) => status !== 'pending',
  }),
  mutant('replays-the-latest-event', 'a replay sends the newest event', ['RPL-002'], { replayEvent: 'latest' }),
  mutant('replays-later', 'a replay waits for an hour', ['RPL-002'], { replayDelayMs: 3_600_000 }),
  mutant('replays-once', 'a replay that fails is not retried', ['RPL-008'], { replayRetries: false }),
  mutant('replays-with-a-new-id', 'a replay has a webhook-id of its own', ['RPL-007', 'SIG-001'], {
    messageId: (eventId, { isReplay, deliveryId }) => (isReplay ? deliveryId : eventId),
  }),
  mutant('replays-with-a-new-event-time', 'the timestamp of a replayed event is that of the replay', ['RPL-002'], {
    attemptBody: (body, { isReplay, attemptAt }) =>
      isReplay ? body.replace(/"timestamp":"[^"]*"/, `"timestamp":"${new Date(attemptAt + 1).toISOString()}"`) : body,
  }),
  mutant('replays-with-the-old-timestamp', 'a replay is signed with the time of the event', ['RPL-007'], {
    signedTimestamp: ({ attemptAt, firstAttemptAt, isReplay }) =>
      String(Math.floor((isReplay ? firstAttemptAt - 7_200_000 : attemptAt) / 1000)),
  }),
]

const signingMutants: readonly ServerMutant[] = [
  mutant('sends-the-delivery-id', 'webhook-id is the id of the delivery', ['SIG-001'], {
    messageId: (_eventId, { deliveryId }) => deliveryId,
  }),
  mutant('signs-in-milliseconds', 'webhook-timestamp is in milliseconds', ['SIG-002'], {
    signedTimestamp: ({ attemptAt }) => String(attemptAt),
  }),
  mutant('signs-in-iso-8601', 'webhook-timestamp is ISO 8601', ['SIG-002'], {
    signedTimestamp: ({ attemptAt }) => new Date(attemptAt).toISOString(),
  }),
  mutant(
    'keeps-the-first-timestamp',
    'a retry carries the timestamp of the first attempt',
    ['SIG-005', 'SIG-002', 'RTY-002'],
    { signedTimestamp: ({ firstAttemptAt }) => String(Math.floor(firstAttemptAt / 1000)) },
  ),
  mutant('signs-at-a-fixed-time', 'webhook-timestamp is that of the machine, a week off', ['SIG-002'], {
    signedTimestamp: ({ attemptAt }) => String(Math.floor(attemptAt / 1000) - 604_800),
  }),
  mutant('writes-no-version', 'the signature has no v1', ['SIG-003', 'SIG-004', 'SIG-008'], {
    encodeSignature: (mac) => mac.toString('base64'),
  }),
  mutant('writes-hexadecimal', 'the signature is hexadecimal', ['SIG-004', 'SIG-003'], {
    encodeSignature: (mac) => `v1,${mac.toString('hex')}`,
  }),
  mutant('writes-base64url', 'the signature is base64url', ['SIG-004', 'SIG-003'], {
    encodeSignature: (mac) => `v1,${mac.toString('base64url')}`,
  }),
  mutant('writes-no-padding', 'the base64 of the signature is not padded', ['SIG-004', 'SIG-003'], {
    encodeSignature: (mac) => `v1,${mac.toString('base64').replace(/=+$/, '')}`,
  }),
  mutant('signs-with-fractions', 'webhook-timestamp has a fraction', ['SIG-002'], {
    signedTimestamp: ({ attemptAt }) => (attemptAt / 1000).toFixed(3),
  }),
  mutant('writes-v2', 'the signature is of version v2', ['SIG-008', 'SIG-004'], {
    encodeSignature: (mac) => `v2,${mac.toString('base64')}`,
  }),
  mutant('writes-an-equals-sign', 'the entry is v1=', ['SIG-003', 'SIG-004'], {
    encodeSignature: (mac) => `v1=${mac.toString('base64')}`,
  }),
  mutant('separates-entries-by-commas', 'several entries are joined by commas', ['SIG-003', 'SIG-004'], {
    signatureHeader: (entry) => `v1,${createHmac('sha256', 'old').digest('base64')},${entry}`,
  }),
  mutant('signs-the-body-alone', 'only the body is signed', ['SIG-004'], {
    signedContent: (_id, _timestamp, body) => body,
  }),
  mutant('does-not-sign-the-id', 'the id is not signed', ['SIG-004'], {
    signedContent: (_id, timestamp, body) => `${timestamp}.${body}`,
  }),
  mutant('signs-in-another-order', 'timestamp and id are swapped', ['SIG-004'], {
    signedContent: (id, timestamp, body) => `${timestamp}.${id}.${body}`,
  }),
  mutant('signs-with-colons', 'the parts are joined by colons', ['SIG-004'], {
    signedContent: (id, timestamp, body) => `${id}:${timestamp}:${body}`,
  }),
  mutant('signs-with-the-undecoded-secret', 'the text of the secret is the key', ['SIG-004'], {
    signatureKey: (secret) => Buffer.from(secret),
  }),
  mutant('signs-with-the-base64-text', 'the text after the prefix is the key', ['SIG-004'], {
    signatureKey: (secret) => Buffer.from(secret.slice(6)),
  }),
  mutant('signs-with-sha-1', 'the hash is SHA-1', ['SIG-004'], { signatureHash: 'sha1' }),
  mutant('signs-with-sha-512', 'the hash is SHA-512', ['SIG-004'], { signatureHash: 'sha512' }),
  mutant(
    'signs-with-another-secret',
    'deliveries are signed with the secret of the oldest webhook',
    ['SIG-006', 'SIG-004'],
    { signingSecret: 'oldest-of-org' },
  ),
  mutant('reserializes-after-signing', 'the body is written anew after it was signed', ['SIG-007', 'SIG-004'], {
    sentBody: (body) => JSON.stringify(JSON.parse(body), null, 1),
  }),
  mutant('signs-latin-1', 'the signed text is read as Latin-1', ['SIG-007', 'SIG-004'], {
    signedContent: (id, timestamp, body) => Buffer.from(`${id}.${timestamp}.${body}`, 'latin1'),
  }),
  mutant('escapes-after-signing', 'characters beyond ASCII are escaped after signing', ['SIG-007', 'SIG-004'], {
    sentBody: (body) =>
      body.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }),
]

/** Deviations in deliveries, retries, replay, signing and the webhook resource. */
export const deliveringMutants: readonly ServerMutant[] = [
  ...webhookMutants,
  ...deliveryMutants,
  ...retryMutants,
  ...replayMutants,
  ...signingMutants,
]
