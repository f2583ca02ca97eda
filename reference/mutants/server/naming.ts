import type { RequirementId } from '../../../spec/index.js'
import { defaultPolicy, type Policy } from '../../server/index.js'
import type { ServerMutant } from '../mutant.js'

const { isRefusedAddress, judgedHost, errorBody, shownDelivery } = defaultPolicy

/** A mutant of one replaced entry. */
function mutant(
  id: string,
  title: string,
  breaks: readonly [RequirementId, ...RequirementId[]],
  policy: Partial<Policy>,
): ServerMutant {
  return { id: `server/${id}`, title, breaks, policy }
}

/** The table of addresses with a hole. */
function allowing(pattern: RegExp): Partial<Policy> {
  return { isRefusedAddress: (address) => !pattern.test(address) && isRefusedAddress(address) }
}

/** The host as a careless pattern reads it, without parsing the url. */
function hostByPattern(url: string): string | null {
  return (
    /^https:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(url)?.[1] ?? (URL.canParse(url) ? new URL(url).hostname : null)
  )
}

/** Deviations in which addresses and names a webhook may have. */
const addressMutants: readonly ServerMutant[] = [
  mutant(
    'checks-no-literal-address',
    'an address that stands in the url is accepted when the webhook is created',
    ['NET-001', 'NET-002', 'NET-003', 'NET-004', 'NET-005'],
    { checksAtCreation: false },
  ),
  mutant('allows-private-10', '10.0.0.0/8 is missing from the table', ['NET-001'], allowing(/^10\./)),
  mutant(
    'allows-172-above-16',
    'only 172.16.0.0/16 is refused of 172.16.0.0/12',
    ['NET-001'],
    allowing(/^172\.(1[7-9]|2\d|3[01])\./),
  ),
  mutant('allows-private-192', '192.168.0.0/16 is missing from the table', ['NET-001'], allowing(/^192\.168\./)),
  mutant(
    'refuses-only-127-0-0-1',
    'of loopback only 127.0.0.1 is refused',
    ['NET-002'],
    allowing(/^127\.(?!0\.0\.1$)/),
  ),
  mutant(
    'allows-link-local',
    'the metadata address is reachable: link-local is missing',
    ['NET-003'],
    allowing(/^169\.254\./),
  ),
  mutant('allows-shared-space', 'shared address space is missing', ['NET-003'], allowing(/^100\./)),
  mutant('allows-unspecified', '0.0.0.0/8 is missing', ['NET-003'], allowing(/^0\./)),
  mutant('allows-multicast', 'multicast and reserved space are missing', ['NET-003'], allowing(/^2[2-5]\d\./)),
  mutant(
    'allows-documentation',
    'documentation and benchmarking blocks are missing',
    ['NET-003'],
    allowing(/^(192\.0\.2|198\.51\.100|203\.0\.113|198\.1[89])\./),
  ),
  mutant('knows-no-ipv6', 'only IPv4 addresses are checked', ['NET-005'], allowing(/:/)),
  mutant('knows-no-unique-local', 'unique-local IPv6 is missing', ['NET-005'], allowing(/^f[cd]/i)),
  mutant(
    'checks-link-local-as-64',
    'fe80::/10 is taken for fe80::/64',
    ['NET-005'],
    allowing(/^fe[89ab](?!0::|0:0:0:0)/i),
  ),
  mutant('does-not-unwrap-mapped', 'IPv4-mapped addresses are not looked into', ['NET-005'], allowing(/^::ffff:/i)),
  mutant('does-not-unwrap-nat64', 'the NAT64 prefix is not looked into', ['NET-005'], allowing(/^64:ff9b::/i)),
  mutant('does-not-unwrap-6to4', '6to4 addresses are not looked into', ['NET-005'], allowing(/^2002:/i)),
  mutant('reads-the-host-by-pattern', 'the host is cut out of the url by a pattern, not by a parser', ['NET-004'], {
    judgedHost: hostByPattern,
    isLocalName: () => false,
  }),
  mutant('misses-decimal-hosts', 'hosts that are one number are taken for names', ['NET-004'], {
    judgedHost: (url) =>
      /^https:\/\/(0x[0-9a-f]+|\d+)[/:?#]?/i.test(url) && !/^https:\/\/\d+\./.test(url)
        ? 'name.example'
        : judgedHost(url),
  }),
  mutant('refuses-all-of-172', '172.0.0.0/8 is refused in place of 172.16.0.0/12', ['NET-006'], {
    isRefusedAddress: (address) => address.startsWith('172.') || isRefusedAddress(address),
  }),
  mutant('refuses-all-of-192', '192.0.0.0/8 is refused', ['NET-006'], {
    isRefusedAddress: (address) => address.startsWith('192.') || isRefusedAddress(address),
  }),
  mutant('refuses-all-ipv6', 'every IPv6 address is refused', ['NET-006'], {
    isRefusedAddress: (address) => address.includes(':') || isRefusedAddress(address),
  }),
  mutant('accepts-http', 'http:// urls are accepted', ['WHK-019'], { urlSchemes: ['https:', 'http:'] }),
  mutant('accepts-any-scheme', 'any scheme is accepted', ['WHK-019'], {
    urlSchemes: [
      'https:',
      'http:',
      'ftp:',
      'ws:',
      'wss:',
      'file:',
      'gopher:',
      'data:',
      'javascript:',
      'mailto:',
      'blob:',
    ],
  }),
  mutant('accepts-localhost', 'localhost and its like are accepted as names', ['NET-014'], {
    isLocalName: () => false,
  }),
  mutant(
    'checks-at-creation-only',
    'names are not checked when an event is delivered',
    ['NET-007', 'NET-008', 'NET-009', 'NET-010', 'NET-013'],
    { checksAttempt: () => false, resolvesAtCreation: true },
  ),
  mutant('checks-the-first-attempt-only', 'a retry goes out unchecked', ['NET-013'], {
    checksAttempt: (attempt) => attempt === 1,
  }),
  mutant('resolves-again-to-connect', 'the name is resolved once to check it and again to connect', ['NET-011'], {
    connection: 'second-lookup',
  }),
  mutant('checks-twice-and-resolves-again', 'the name is checked twice, and resolved again to connect', ['NET-011'], {
    connection: 'third-lookup',
  }),
  mutant(
    'checks-the-first-answer-only',
    'of several answers only the first is checked, and the others are fallen back on',
    ['NET-012'],
    {
      judgeAnswers: (addresses, isRefused) => {
        const [first = ''] = addresses
        return isRefused(first)
          ? { kind: 'blocked', address: first }
          : { kind: 'connect', addresses: addresses.toReversed() }
      },
    },
  ),
  mutant(
    'checks-the-first-answer-and-falls-back-in-order',
    'of several answers only the first is checked, and the next is tried where it does not answer',
    ['NET-012'],
    {
      judgeAnswers: (addresses, isRefused) => {
        const [first = ''] = addresses
        return isRefused(first) ? { kind: 'blocked', address: first } : { kind: 'connect', addresses }
      },
    },
  ),
  mutant(
    'blocks-only-if-all-are-private',
    'a set is connected to as it stands unless every address is private',
    ['NET-012'],
    {
      judgeAnswers: (addresses, isRefused) =>
        addresses.every(isRefused) ? { kind: 'blocked', address: addresses[0] ?? '' } : { kind: 'connect', addresses },
    },
  ),
  mutant('retries-a-blocked-delivery', 'a blocked delivery stays pending and is tried again', ['NET-008', 'NET-009'], {
    blockedStatus: 'pending',
  }),
  mutant('remembers-blocked-names', 'a name that was blocked once is blocked for ever', ['NET-015'], {
    blockedNames: 'remembered',
  }),
  mutant('does-not-say-why-it-blocked', 'a blocked delivery fails without a reason', ['NET-008'], {
    shownDelivery: (...shown) => ({ ...shownDelivery(...shown), error: 'delivery_failed' }),
  }),
]

/** Deviations in authentication and errors. */
const refusalMutants: readonly ServerMutant[] = [
  mutant('lets-in-without-a-key', 'a request without a key is let in', ['AUTH-002'], { withoutKey: 'first-org' }),
  mutant('lets-in-any-key', 'a key that does not exist is let in', ['AUTH-003'], { unknownKey: 'first-org' }),
  mutant('forgets-to-guard-the-list', 'listing webhooks needs no key', ['AUTH-002', 'AUTH-003'], {
    isOpenPath: (method, path) => method === 'GET' && path === '/webhooks',
  }),
  mutant('forgets-to-guard-emails', 'the sending endpoints need no key', ['AUTH-002', 'AUTH-003'], {
    isOpenPath: (_method, path) => path.startsWith('/emails'),
  }),
  mutant('takes-any-scheme', 'the credential is taken under any scheme', ['AUTH-001', 'AUTH-003'], {
    credentialOf: (authorization) => authorization?.split(' ').at(-1),
  }),
  mutant('forgets-to-guard-reads', 'only requests that change something need a key', ['AUTH-002', 'AUTH-003'], {
    isOpenPath: (method) => method === 'GET',
  }),
  mutant('wants-another-scheme', 'the key is taken under the scheme Token alone', ['AUTH-001'], {
    credentialOf: (authorization) => /^token (\S+)$/i.exec(authorization ?? '')?.[1],
  }),
  mutant('looks-at-the-start-of-a-key', 'what follows a key is not looked at', ['AUTH-003'], {
    credentialOf: (authorization) => /^bearer +(\S{1,36})/i.exec(authorization ?? '')?.[1],
  }),
  mutant('refuses-with-200', 'a missing key is answered with 200 and an error body', ['AUTH-002'], { authStatus: 200 }),
  mutant('answers-a-missing-key-with-500', 'a missing key is a server error', ['AUTH-002', 'ERR-003'], {
    authStatus: 500,
  }),
  mutant('answers-below-v2', 'the API answers below /v2', ['VER-001'], { pathPrefix: '/v2' }),
  mutant('errors-without-fix', 'errors have no fix', ['ERR-001', 'ERR-005'], {
    errorBody: ({ code, message, errors }) => ({ code, message, ...(errors && { errors }) }),
  }),
  mutant('errors-without-code', 'errors have a message alone', ['ERR-001', 'ERR-005'], {
    errorBody: ({ message, fix }) => ({ message, fix }),
  }),
  mutant('errors-as-text', 'an error is a bare string', ['ERR-001', 'ERR-005'], {
    errorBody: ({ message }) => message,
  }),
  mutant(
    'tells-validation-errors-as-its-framework-does',
    'an invalid request gets the body of the framework',
    ['ERR-001'],
    {
      errorBody: (error) =>
        error.status === 400
          ? { detail: [{ loc: ['body'], msg: error.message, type: 'value_error' }] }
          : errorBody(error),
    },
  ),
  mutant('tells-unknown-ids-as-its-framework-does', 'an unknown id gets the body of the framework', ['ERR-001'], {
    errorBody: (error) =>
      error.status === 404 ? { statusCode: 404, message: 'Not Found', error: 'Not Found' } : errorBody(error),
  }),
  mutant('tells-auth-errors-without-fix', 'only the refusal of a credential has no fix', ['ERR-005'], {
    errorBody: (error) => (error.status === 401 ? { code: error.code, message: error.message } : errorBody(error)),
  }),
  mutant('refusals-have-status-200', 'errors of the request are answered with 200', ['ERR-002'], {
    errorStatus: (error) => (error.status === 401 || error.status === 403 ? error.status : 200),
  }),
  mutant('bad-requests-are-500', 'an invalid request is a server error', ['ERR-002', 'ERR-003'], {
    errorStatus: (error) => (error.status === 400 ? 500 : error.status),
  }),
  mutant('oversize-bodies-are-500', 'a body that is too large is a server error', ['ERR-003'], {
    errorStatus: (error) => (error.status === 413 ? 500 : error.status),
  }),
  mutant('unknown-ids-are-500', 'an unknown id is a server error', ['ERR-003', 'ERR-004'], { foreignIdStatus: 500 }),
  mutant('unknown-ids-are-200', 'an unknown id is answered with 200', ['ERR-004'], { foreignIdStatus: 200 }),
]

/** Deviations in sending and idempotency. */
const emailMutants: readonly ServerMutant[] = [
  mutant('answers-a-send-without-id', 'a send is answered with a message and no id', ['SND-001'], {
    sendAnswer: () => ({ status: 200, body: { message: 'queued' } }),
  }),
  mutant('refuses-display-names', 'from must be a bare address', ['SND-002'], {
    parseSender: (from) => (from.includes('<') ? undefined : defaultPolicy.parseSender(from)),
  }),
  mutant('refuses-one-address-as-text', 'to must be a list', ['SND-003'], {
    recipientList: (to) => (Array.isArray(to) ? defaultPolicy.recipientList(to) : undefined),
  }),
  mutant('answers-a-batch-with-a-list', 'a batch is answered with a bare list', ['SND-004'], {
    batchAnswer: (ids) => ({ status: 200, body: ids.map((id) => ({ id })) }),
  }),
  mutant('limits-batches-to-fifty', 'a batch has at most 50 emails', ['SND-005'], { maxBatchSize: 50 }),
  mutant('limits-batches-to-99', 'the limit of a batch is off by one', ['SND-005'], { maxBatchSize: 99 }),
  mutant('takes-batches-of-101', 'a batch may have more than 100 emails', ['SND-005'], { maxBatchSize: 1_000 }),
  mutant('tells-the-first-bad-item-only', 'errors of invalid_batch has the first bad item only', ['SND-006'], {
    batchErrors: (errors) => errors.slice(0, 1),
  }),
  mutant('takes-bad-items-by-default', 'validation of a batch is permissive unless asked otherwise', ['SND-006'], {
    batchMode: () => 'permissive',
  }),
  mutant('sends-the-good-items-of-a-refused-batch', 'a refused batch sends its good items', ['SND-006'], {
    refusedBatchSends: 'valid-items',
  }),
  mutant('shows-no-recipients', 'an email is shown without recipients', ['SND-007'], {
    shownEmail: (email) => ({ ...defaultPolicy.shownEmail(email), recipients: undefined }),
  }),
  mutant('shows-no-status', 'an email is shown without a status', ['SND-007'], {
    shownEmail: (email) => ({ ...defaultPolicy.shownEmail(email), status: undefined }),
  }),
  mutant('lists-emails-without-a-cursor', 'the list of emails has no next_cursor', ['SND-008', 'SND-009'], {
    emailListEnvelope: (items) => ({ data: items }),
  }),
  mutant('repeats-an-email-between-pages', 'the last email of a page is the first of the next', ['SND-009'], {
    emailComparison: '<=',
  }),
  mutant('ends-the-list-early', 'next_cursor is null after the first page', ['SND-009'], { nextCursor: () => null }),
  mutant('reschedules-without-object', 'a reschedule answers the id alone', ['SND-010'], {
    rescheduleAnswer: (id) => ({ status: 200, body: { id } }),
  }),
  mutant('does-not-move-a-rescheduled-email', 'a rescheduled email is sent at its first time', ['SND-010', 'SND-013'], {
    rescheduleMoves: false,
  }),
  mutant('cancels-without-an-answer', 'a cancel answers 204 and nothing', ['SND-011'], {
    cancelAnswer: () => ({ status: 200, body: {} }),
  }),
  mutant('sends-cancelled-emails', 'a cancelled email is sent all the same', ['SND-014'], { cancelStops: false }),
  mutant('sends-scheduled-emails-at-once', 'scheduled_at is not obeyed', ['SND-013'], {
    sendTime: (_scheduled, now) => now,
  }),
  mutant('lets-anyone-send', 'any domain may send', ['SND-012'], { senderAllowed: () => true }),
  mutant('checks-the-end-of-the-domain', 'a domain that ends like a verified one may send', ['SND-012'], {
    senderAllowed: (domain, verified) => verified.some((each) => domain.endsWith(each)),
  }),
  mutant('checks-that-the-domain-is-contained', 'a domain that begins like a verified one may send', ['SND-012'], {
    senderAllowed: (domain, verified) => verified.some((each) => domain.startsWith(each) || domain === each),
  }),
  mutant('trusts-sister-domains', 'any domain of the service may be sent from', ['SND-012'], {
    senderAllowed: (domain) => domain.endsWith('.mail.example'),
  }),
  mutant('refuses-senders-with-422', 'an unverified sender is refused with 422', ['SND-012'], {
    senderRefusal: { status: 422, code: 'sender_not_verified' },
  }),
  mutant('refuses-senders-with-another-code', 'an unverified sender is refused with another code', ['SND-012'], {
    senderRefusal: { status: 403, code: 'forbidden' },
  }),
  mutant('ignores-idempotency-keys', 'Idempotency-Key is not read', ['IDM-001', 'IDM-002', 'IDM-004', 'IDM-005'], {
    idempotencySlot: () => undefined,
  }),
  mutant('ignores-idempotency-keys-of-batches', 'Idempotency-Key is not read for batches', ['IDM-005'], {
    idempotencySlot: ({ orgId, path, key }) => (path.endsWith('/batch') ? undefined : JSON.stringify([orgId, key])),
  }),
  mutant('shares-idempotency-keys-between-projects', 'a key used in one project answers in another', ['IDM-003'], {
    idempotencySlot: ({ key }) => key,
  }),
  mutant('has-one-idempotency-slot', 'the second key gets the result of the first', ['IDM-003'], {
    idempotencySlot: ({ orgId }) => orgId,
  }),
  mutant('keeps-the-first-result-too-late', 'repeats side by side each make an email', ['IDM-004'], {
    idempotencyKept: 'later',
  }),
  mutant('answers-a-repeat-with-nothing', 'a repeat is answered without the first result', ['IDM-001', 'IDM-005'], {
    idempotencyRepeats: 'empty-result',
  }),
  mutant(
    'sends-a-repeat-again',
    'a repeat answers the first result and sends again',
    ['IDM-002', 'IDM-004', 'IDM-005'],
    { idempotencyRepeatSends: true },
  ),
]

/** Deviations in addresses, names, authentication, errors, emails and idempotency. */
export const namingMutants: readonly ServerMutant[] = [...addressMutants, ...refusalMutants, ...emailMutants]
