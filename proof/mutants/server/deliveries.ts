import { retryDelaysMs } from '../../../spec/index.js'
import { dataMember, defaultPolicy, idMember, timestampMember, typeMember } from '../../../reference/server/index.js'
import { defineMutant, type Mutant, type Patch } from '../define.js'

const { isSuccess, shownDelivery, snippet } = defaultPolicy

/** Redirects that are followed where `condition` holds. */
export function following(condition: string): readonly [Patch, Patch] {
  return [
    {
      file: 'server/egress/egress.ts',
      find: 'status: answer.statusCode,',
      replace: 'status: answer.statusCode, location: answer.headers.location,',
    },
    {
      file: 'server/engine/attempt.ts',
      find: 'const { status, body: answered } = await egress.post(',
      replace: `const follow = async (request, hop = 0) => {
  const answer = await egress.post(request)
  const isRedirect = answer.status >= 300 && answer.status <= 399 && answer.location !== undefined
  if (!isRedirect || hop === 5) return answer
  const next = targetOf(new URL(answer.location, request.target.url).href, policy)
  if (!(${condition})) return answer
  const { addresses = [] } = await egress.check(next)
  return follow({ ...request, target: next, addresses }, hop + 1)
}
const { status, body: answered } = await follow(`,
    },
  ]
}

/** Sends a webhook no more events after `enough` consecutive failures of those that `counts` selects. */
function endsWebhooks(counts: string, enough: number): readonly [Patch, Patch] {
  return [
    {
      file: 'server/engine/attempt.ts',
      find: "return { kind: 'answer', status, snippet: policy.snippet(answered, status) }",
      replace: `const row = (ownState.failuresInARow ??= {})
row[options.due.webhookId] = ${counts} ? (row[options.due.webhookId] ?? 0) + 1 : 0
return { kind: 'answer', status, snippet: policy.snippet(answered, status) }`,
    },
    {
      file: 'server/recorder.ts',
      find: 'for (const { id: webhookId, workspaceId } of matching)',
      replace: `for (const { id: webhookId, workspaceId } of matching.filter(({ id }) => !((ownState.failuresInARow ?? {})[id] >= ${enough})))`,
    },
  ]
}

/** Deviations in deliveries and their records. */
export const deliveriesMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/sends-once-to-a-url',
    title: 'of several webhooks on one url only the first gets an event',
    breaks: ['DLV-023'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'for (const { id: webhookId, workspaceId } of matching)',
        replace:
          'for (const { id: webhookId, workspaceId } of new Map(matching.toReversed().map((each) => [each.url, each])).values())',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-once-to-a-path',
    title: 'of webhooks whose urls differ only in the query, just the first gets events',
    breaks: ['DLV-004', 'DLV-023'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'for (const { id: webhookId, workspaceId } of matching)',
        replace:
          "for (const { id: webhookId, workspaceId } of new Map(matching.toReversed().map((each) => [each.url.includes('?') ? each.url.split('?')[0] : each.id, each])).values())",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-once-for-each-name',
    title: 'a type that is listed twice makes two deliveries',
    breaks: ['DLV-023'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'for (const { id: webhookId, workspaceId } of matching)',
        replace:
          'for (const { id: webhookId, workspaceId } of matching.flatMap((each) => (new Set(each.eventTypes).size < each.eventTypes.length ? [each, each] : [each])))',
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-gone-for-the-end-of-a-webhook',
    title: 'sends nothing more to a webhook that answered 410',
    breaks: ['DLV-004'],
    patch: endsWebhooks('status === 410', 1),
  }),
  defineMutant({
    id: 'server/switches-off-what-fails-in-a-row',
    title: 'sends nothing more to a webhook after twenty failures in a row',
    breaks: ['DLV-004'],
    patch: endsWebhooks('status > 299', 20),
  }),
  defineMutant({
    id: 'server/delivers-by-put',
    title: 'a delivery is a PUT',
    breaks: ['DLV-001'],
    patch: [{ file: 'server/egress/egress.ts', find: "method: 'POST'", replace: "method: 'PUT'" }],
  }),
  defineMutant({
    id: 'server/drops-the-query',
    title: 'the query of the url is not sent',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: 'targetOf(options.url, policy)',
        replace: "targetOf(options.url.replace(/\\?.*$/, ''), policy)",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-another-id-in-the-body',
    title: 'the id in the body is the id of the delivery record',
    breaks: ['DLV-002', 'SIG-001', 'EVT-014'],
    policy: {
      bodyMembers: [
        { name: 'id', json: ({ id }) => JSON.stringify(`${id}0`) },
        typeMember,
        timestampMember,
        dataMember,
      ],
    },
  }),
  defineMutant({
    id: 'server/shows-another-word-while-under-way',
    title: 'a delivery under way is processing',
    breaks: ['DLV-004', 'DLV-016'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        status: delivery.attempt === 0 ? 'processing' : delivery.status,
      }),
    },
  }),
  defineMutant({
    id: 'server/lists-a-delivery-once-it-was-answered',
    title: 'a delivery is listed once an attempt has ended',
    breaks: ['DLV-004'],
    policy: {
      deliveryListEnvelope: (items) => ({
        data: items.filter((delivery) => {
          const { response_code: code, error } = delivery as { response_code: unknown; error: unknown }
          return code !== null || error !== null
        }),
      }),
    },
  }),
  defineMutant({
    id: 'server/disables-a-webhook-after-a-failure',
    title: 'a webhook gets nothing more once a delivery has failed',
    breaks: ['DLV-004'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'deliveries.record({',
        replace: `if (status === 'failed') (webhooks.disabled ??= new Set()).add(due.webhookId)
deliveries.record({`,
      },
      {
        file: 'server/recorder.ts',
        find: '!webhook.isDeleted &&',
        replace: '!webhook.isDeleted && webhooks.disabled?.has(webhook.id) !== true &&',
      },
    ],
  }),
  defineMutant({
    id: 'server/begins-with-a-mark',
    title: 'sends and signs a byte order mark before the JSON of a delivery',
    breaks: ['DLV-002'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const body = bodyOf(event)',
        replace: "const body = '\\uFEFF' + bodyOf(event)",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-no-timestamp',
    title: 'the body has no timestamp',
    breaks: ['DLV-002'],
    policy: {
      bodyMembers: [idMember, typeMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/sends-no-id',
    title: 'the body has no id',
    breaks: ['DLV-002', 'SIG-001'],
    policy: {
      bodyMembers: [typeMember, timestampMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/sends-no-signature',
    title: 'webhook-signature is not sent',
    breaks: ['DLV-003'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: '[policy.headerNames.signature]: policy.signatureHeader(policy.encodeSignature(mac))',
        replace: '...{}',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-no-webhook-id',
    title: 'webhook-id is not sent',
    breaks: ['DLV-003'],
    patch: [{ file: 'server/engine/attempt.ts', find: '[policy.headerNames.id]: id,', replace: '' }],
  }),
  defineMutant({
    id: 'server/names-headers-otherwise',
    title: 'the headers have the names of a vendor',
    breaks: ['DLV-003'],
    policy: {
      headerNames: { id: 'svix-id', timestamp: 'svix-timestamp', signature: 'svix-signature' },
    },
  }),
  defineMutant({
    id: 'server/delivers-twice',
    title: 'each match makes two deliveries',
    breaks: ['DLV-023', 'EVT-016', 'DLV-006', 'WHK-021'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'for (const { id: webhookId, workspaceId } of matching)',
        replace: 'for (const { id: webhookId, workspaceId } of [...matching, ...matching])',
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-only-200',
    title: 'only 200 is success',
    breaks: ['DLV-005', 'DLV-006'],
    policy: { isSuccess: (status) => status === 200 },
  }),
  defineMutant({
    id: 'server/takes-200-to-204',
    title: 'treats every 2xx above 204 as a failure',
    breaks: ['DLV-005', 'DLV-006'],
    policy: {
      isSuccess: (status) => status >= 200 && status <= 204,
    },
  }),
  defineMutant({
    id: 'server/reads-success-from-the-body',
    title: 'treats a 2xx as a failure if its body mentions an error',
    breaks: ['DLV-005', 'DLV-006'],
    policy: {
      isSuccess: (status, attempt, body) => isSuccess(status, attempt, body) && !/error/i.test(body ?? ''),
    },
  }),
  defineMutant({
    id: 'server/takes-3xx-for-success',
    title: 'a redirect counts as success',
    breaks: ['DLV-010', 'DLV-011', 'RTY-012'],
    policy: {
      isSuccess: (status) => status >= 200 && status < 400,
    },
  }),
  defineMutant({
    id: 'server/takes-4xx-for-success',
    title: 'any answer counts as success',
    breaks: ['DLV-011', 'RTY-012'],
    policy: {
      isSuccess: (status) => status < 500,
    },
  }),
  defineMutant({
    id: 'server/does-not-retry-resets',
    title: 'a broken connection is not retried',
    breaks: ['DLV-022', 'RTY-012'],
    policy: {
      isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'connection',
    },
  }),
  defineMutant({
    id: 'server/follows-redirects',
    title: 'redirects are followed',
    breaks: ['DLV-009', 'DLV-010'],
    patch: following('true'),
  }),
  defineMutant({
    id: 'server/follows-redirects-to-another-host',
    title: 'redirects within a host are not followed, those to another are',
    breaks: ['DLV-009'],
    patch: following('request.target.url.hostname !== next.url.hostname'),
  }),
  defineMutant({
    id: 'server/follows-multiple-choices',
    title: 'only a 300 is followed, to its preferred location',
    breaks: ['DLV-009', 'DLV-010'],
    patch: following('answer.status === 300'),
  }),
  defineMutant({
    id: 'server/follows-a-slash',
    title: 'a permanent redirect to the url with a slash is followed',
    breaks: ['DLV-009', 'DLV-010'],
    patch: following("[301, 308].includes(answer.status) && next.url.pathname === request.target.url.pathname + '/'"),
  }),
  defineMutant({
    id: 'server/waits-five-seconds',
    title: 'the consumer has 5 seconds',
    breaks: ['DLV-007'],
    policy: { answerTimeMs: 5_000 },
  }),
  defineMutant({
    id: 'server/waits-thirty-seconds',
    title: 'the consumer has 30 seconds',
    breaks: ['DLV-008'],
    policy: { answerTimeMs: 30_000 },
  }),
  defineMutant({
    id: 'server/lists-oldest-first',
    title: 'the deliveries are listed oldest first',
    breaks: ['DLV-012'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const list = store.prepare',
        replace: `const ordered = (sql) => store.prepare(sql.replace('seq desc', 'seq asc'))
const list = ordered`,
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-what-was-retried-first',
    title: 'deliveries that wait for a third or later attempt are listed first',
    breaks: ['DLV-012'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const list = store.prepare',
        replace: `const ordered = (sql) => store.prepare(sql.replace('seq desc', "(status = 'pending' and attempt > 1) desc, seq desc"))
const list = ordered`,
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-the-newest-that-ended',
    title: 'with limit=1 lists the newest delivery that has ended',
    breaks: ['DLV-012'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const list = store.prepare',
        replace: `const ordered = (sql) => store.prepare(sql.replace('seq desc', "(?2 = 1 and status = 'pending'), seq desc").replace('webhook_id = ?', 'webhook_id = ?1').replace('limit ?', 'limit ?2'))
const list = ordered`,
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-pending-last',
    title: 'deliveries that wait for a retry are listed last',
    breaks: ['DLV-012'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const list = store.prepare',
        replace: `const ordered = (sql) => store.prepare(sql.replace('seq desc', "status = 'pending', seq desc"))
const list = ordered`,
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-the-end',
    title: 'the snippet is the end of the answer',
    breaks: ['DLV-019'],
    policy: { snippet: (body) => body.slice(-500) },
  }),
  defineMutant({
    id: 'server/lists-twenty',
    title: 'the default page of deliveries has 20',
    breaks: ['DLV-013'],
    policy: { deliveryDefaultLimit: 20 },
  }),
  defineMutant({
    id: 'server/lists-a-hundred',
    title: 'the default page of deliveries has 100',
    breaks: ['DLV-013'],
    policy: { deliveryDefaultLimit: 100 },
  }),
  defineMutant({
    id: 'server/ignores-the-limit',
    title: 'limit of the deliveries list is ignored',
    breaks: ['DLV-014', 'DLV-015', 'POL-005', 'POL-006'],
    patch: [{ file: 'server/api/http.ts', find: 'Math.min(asked, maxLimit)', replace: '50' }],
  }),
  defineMutant({
    id: 'server/lists-one-too-few',
    title: 'limit of the deliveries list is off by one',
    breaks: ['DLV-014', 'POL-005', 'POL-006', 'DLV-015'],
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'Math.min(asked, maxLimit)',
        replace: 'Math.max(1, Math.min(asked, maxLimit + 1) - 1)',
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-at-most-fifty',
    title: 'limit of the deliveries list is at most 50',
    breaks: ['DLV-014', 'DLV-015'],
    policy: { deliveryMaxLimit: 50 },
  }),
  defineMutant({
    id: 'server/lists-any-number',
    title: 'limit of the deliveries list has no maximum',
    breaks: ['DLV-015', 'POL-006'],
    patch: [{ file: 'server/api/http.ts', find: 'Math.min(asked, maxLimit)', replace: 'asked' }],
  }),
  defineMutant({
    id: 'server/shows-delivered',
    title: 'status has other values',
    breaks: ['DLV-016', 'DLV-005', 'DLV-011'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        status: delivery.status === 'succeeded' ? 'delivered' : delivery.status,
      }),
    },
  }),
  defineMutant({
    id: 'server/counts-attempts-from-zero',
    title: 'attempt counts from 0',
    breaks: ['DLV-017'],
    policy: {
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), attempt: Math.max(0, delivery.attempt - 1) }),
    },
  }),
  defineMutant({
    id: 'server/shows-no-response-code',
    title: 'response_code is always 200',
    breaks: ['DLV-018'],
    policy: {
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), response_code: 200 }),
    },
  }),
  defineMutant({
    id: 'server/tells-a-next-attempt-of-what-has-ended',
    title: 'next_attempt_at is set whatever the answer was',
    breaks: ['DLV-020'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        next_attempt_at: new Date(
          retryDelaysMs.slice(0, delivery.attempt + 1).reduce((sum, delayMs) => sum + delayMs, delivery.createdAt),
        ).toISOString(),
      }),
    },
  }),
  defineMutant({
    id: 'server/keeps-the-first-snippet',
    title: 'the body of a later answer is not kept',
    breaks: ['DLV-019'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        response_body_snippet: delivery.attempt > 1 ? 'busy' : delivery.snippet,
      }),
    },
  }),
  defineMutant({
    id: 'server/keeps-the-snippet-before-a-refused-connection',
    title: 'an attempt whose connection is refused leaves the body of the answer before it',
    breaks: ['DLV-019'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const record = store.prepare',
        replace: `const kept = (sql) => store.prepare(sql.replace('snippet_json = ?', 'snippet_json = coalesce(?, snippet_json)'))
const record = kept`,
      },
      {
        file: 'server/engine/attempts.ts',
        find: "snippet: outcome.kind === 'answer' ? outcome.snippet : null",
        replace:
          "snippet: outcome.kind === 'answer' ? outcome.snippet : policy.attemptError(outcome) === 'ECONNREFUSED' ? null : ''",
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-the-code-before-an-unresolved-name',
    title: 'an attempt on a name without address keeps the code of the answer before',
    breaks: ['DLV-018'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const record = store.prepare',
        replace: `const kept = (sql) => store.prepare(sql.replace('response_code = ?', 'response_code = coalesce(?, response_code)'))
const record = kept`,
      },
      {
        file: 'server/engine/attempts.ts',
        find: "responseCode: outcome.kind === 'answer' ? outcome.status : null",
        replace: "responseCode: outcome.kind === 'answer' ? outcome.status : outcome.kind === 'unresolved' ? null : 0",
      },
    ],
  }),
  defineMutant({
    id: 'server/lowers-the-path',
    title: 'the path is sent in lower case',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: 'targetOf(options.url, policy)',
        replace: 'targetOf(options.url.toLowerCase(), policy)',
      },
    ],
  }),
  defineMutant({
    id: 'server/decodes-the-path',
    title: 'an escaped slash is sent as a slash',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: 'targetOf(options.url, policy)',
        replace: "targetOf(options.url.replaceAll('%2F', '/'), policy)",
      },
    ],
  }),
  defineMutant({
    id: 'server/joins-slashes',
    title: 'repeated slashes of a url are sent as one',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: 'targetOf(options.url, policy)',
        replace: "targetOf(options.url.replace(/([^:])\\/{2,}/g, '$1/'), policy)",
      },
    ],
  }),
  defineMutant({
    id: 'server/sorts-the-query',
    title: 'the query is sent in another order',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: 'const target = targetOf(options.url, policy)',
        replace: `const sorted = new URL(options.url)
sorted.searchParams.sort()
const target = targetOf(sorted.href, policy)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-json-as-text',
    title: 'the body is sent as plain text',
    breaks: ['DLV-001'],
    policy: { deliveryContentType: 'text/plain' },
  }),
  defineMutant({
    id: 'server/shows-no-id',
    title: 'listed deliveries have no id',
    breaks: ['DLV-021'],
    policy: {
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), id: undefined }),
    },
  }),
  defineMutant({
    id: 'server/keeps-no-snippet',
    title: 'the answer of the consumer is not kept',
    breaks: ['DLV-019'],
    policy: { snippet: () => '' },
  }),
  defineMutant({
    id: 'server/keeps-255-characters',
    title: 'the snippet has 255 characters',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => body.slice(0, 255),
    },
  }),
  defineMutant({
    id: 'server/keeps-500-bytes',
    title: 'the snippet has 500 bytes',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => Buffer.from(body).subarray(0, 500).toString('utf8'),
    },
  }),
  defineMutant({
    id: 'server/ends-the-snippet-at-a-nul',
    title: 'ends the snippet at a NUL of the body',
    breaks: ['DLV-019'],
    policy: { snippet: (body, status) => snippet(body.split('\0')[0] ?? '', status) },
  }),
  defineMutant({
    id: 'server/trims-the-snippet',
    title: 'blanks around the body are cut off',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => snippet(body.trim(), 0),
    },
  }),
  defineMutant({
    id: 'server/keeps-snippets-of-failures',
    title: 'only the body of a failure is kept',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body, status) => (status < 300 ? '' : snippet(body, status)),
    },
  }),
  defineMutant({
    id: 'server/keeps-snippets-of-successes',
    title: 'only the body of a success is kept',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body, status) => (status < 300 ? snippet(body, status) : ''),
    },
  }),
  defineMutant({
    id: 'server/keeps-the-whole-body',
    title: 'the whole answer is kept',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body) => body,
      snippetReadBytes: 100_000,
    },
  }),
  defineMutant({
    id: 'server/pending-is-failed',
    title: 'a delivery is failed after its first failure, and retried',
    breaks: ['DLV-011', 'RTY-010'],
    policy: {
      retryingStatus: 'failed',
    },
  }),
  defineMutant({
    id: 'server/lists-the-oldest-where-limited',
    title: 'a limit leaves the oldest deliveries, newest first among themselves',
    breaks: ['DLV-012'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'deliveries.list(webhook.id, limit).map(',
        replace: 'deliveries.list(webhook.id, 1000).slice(-limit).map(',
      },
    ],
  }),
]
