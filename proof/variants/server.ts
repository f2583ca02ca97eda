import { randomBytes } from 'node:crypto'
import type { OpenPointId } from '../../spec/open-points.js'
import { classifyAddress, defaultPolicy, eventBody, orgMember } from '../../reference/server/index.js'
import { serverAnswers } from './server-answers.js'
import { serverFreedoms } from './server-freedoms.js'
import { serverFormats } from './server-formats.js'
import { listVariants } from './server-lists.js'
import { serverDecisions } from './server-decisions.js'
import { serverStores } from './server-stores.js'
import { textVariants } from './server-texts.js'
import { variant, type ServerVariant } from './server-variant.js'

const { shownDelivery, shownEmail, createdWebhook, listedWebhook, pollMembers } = defaultPolicy
const { eventData, parseSender, recipientList } = defaultPolicy

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Conforming alternatives of the reference server. None of them may be failed, alone or together. */
export const serverVariants: readonly ServerVariant[] = [
  variant('nested-errors', 'wraps errors in `error`', ['error-shape'], {
    errorBody: ({ code, message, fix, errors }) => ({ error: { code, message, fix, ...(errors && { errors }) } }),
  }),
  variant('errors-with-more', 'sends more fields in errors', ['error-shape', 'extra-fields'], {
    errorBody: ({ code, message, fix, errors, status }) => ({
      code,
      message,
      fix,
      status,
      docs: 'https://docs.example/',
      ...(errors && { errors }),
    }),
  }),
  variant(
    'bad-items-counted-by-themselves',
    'the entries of errors are counted from 1, whatever their items were',
    ['error-shape'],
    {
      errorBody: ({ code, message, fix, errors }) => ({
        code,
        message,
        fix,
        ...(errors && { errors: errors.map((error, index) => ({ ...error, index: index + 1 })) }),
      }),
    },
  ),
  variant('errors-in-an-envelope', 'wraps errors in its own envelope', ['error-shape'], {
    errorBody: ({ code, message, fix, errors, status }) => ({
      status,
      problem: { code, message, fix, ...(errors && { errors }) },
    }),
  }),
  variant('errors-in-a-list', 'an error is the only item of a list', ['error-shape'], {
    errorBody: ({ code, message, fix, errors }) => ({ failures: [{ code, message, fix, ...(errors && { errors }) }] }),
  }),
  variant('forbidden-for-401', 'a request without a valid key is answered with 403', ['auth-status'], {
    authStatus: 403,
  }),
  variant(
    'urls-refused-with-422',
    'a refused url is answered with 422 and another code',
    ['url-refusal', 'error-codes'],
    {
      urlRefusal: { status: 422, code: 'invalid_webhook_url' },
    },
  ),
  variant(
    'names-resolved-at-creation',
    'a name is resolved when the webhook is created, and refused when it is private',
    ['private-hostname'],
    { resolvesAtCreation: true },
  ),
  variant('arguable-addresses-allowed', 'addresses that are arguable are accepted', ['arguable-addresses'], {
    isRefusedAddress: (address) => classifyAddress(address) === 'refused',
  }),
  variant('mixed-sets-filtered', 'of a mixed answer set the private addresses are left out', ['mixed-answers'], {
    judgeAnswers: (addresses, isRefused) => {
      const allowed = addresses.filter((address) => !isRefused(address))
      return allowed.length > 0
        ? { kind: 'connect', addresses: allowed }
        : { kind: 'blocked', address: addresses[0] ?? '' }
    },
  }),
  ...listVariants,
  variant('limits-refused', 'a limit above 100 is refused', ['limit-above-maximum'], { limitAboveMaximum: 'refuse' }),
  variant('delete-answers-200', 'a delete answers 200 with the webhook', ['delete-status'], {
    deleteAnswer: ({ id }) => ({ status: 200, body: { object: 'webhook', id, deleted: true } }),
  }),
  variant('delete-answers-202', 'a delete answers 202 and nothing', ['delete-status'], {
    deleteAnswer: () => ({ status: 202 }),
  }),
  variant(
    'deleted-deliveries-fail',
    'pending deliveries of a deleted webhook become failed',
    ['deleted-pending-state'],
    { deletedPendingStatus: 'failed' },
  ),
  variant('replay-answers-nothing', 'a replay answers 202 without a body', ['replay-body'], {
    replayAnswer: () => ({ status: 202 }),
  }),
  variant('replay-answers-its-id', 'a replay answers the id of the new delivery alone', ['replay-body'], {
    replayAnswer: (shown) => ({ status: 202, body: { delivery_id: shown['id'] } }),
  }),
  variant('streams-closed-after-upgrade', 'a stream without a valid key is upgraded and closed', ['stream-refusal'], {
    streamRefusal: 'close-after-upgrade',
  }),
  variant(
    'block-reason-elsewhere',
    'gives the reason of a blocked delivery in failure_reason',
    ['blocked-reason-field'],
    {
      shownDelivery: (delivery) => {
        const { error, ...shown } = shownDelivery(delivery)
        return { ...shown, failure_reason: error, failure: { code: error } }
      },
    },
  ),
  variant('empty-fields-absent', 'fields of a delivery that have no value are left out', ['empty-fields'], {
    shownDelivery: (delivery) =>
      Object.fromEntries(Object.entries(shownDelivery(delivery)).filter(([, value]) => value !== null)),
  }),
  variant('replay-of-null', 'sends replay_of null on original deliveries', ['empty-fields'], {
    shownDelivery: (delivery) => ({ ...shownDelivery(delivery), replay_of: delivery.replayOf }),
  }),
  variant('next-after-null', 'next_after of an empty page is null', ['next-after-empty'], {
    nextAfter: ({ lastId }) => lastId ?? null,
  }),
  variant('unknown-cursors-refused', 'an after that is not an event id is refused', ['unknown-after'], {
    unknownAfter: 'refuse',
  }),
  variant('odd-stream-cursors-refused', 'refuses a stream after an invalid event id', ['unknown-after'], {
    streamUnknownAfter: 'refuse',
  }),
  variant('other-ids', 'ids are of another scheme and length', ['id-scheme'], {
    eventId: (sequence) =>
      `evt_01J${[...String(sequence).padStart(14, '0')].map((digit) => base62[Number(digit) * 3] ?? '0').join('')}`,
    webhookId: (random) => `whk_${random}${random}`,
  }),
  variant('short-secrets', 'secrets hold 24 bytes', ['id-scheme', 'secret-length'], {
    newSecret: () => `whsec_${randomBytes(24).toString('base64')}`,
  }),
  variant('more-fields', 'every record has fields of its own', ['extra-fields'], {
    createdWebhook: (webhook) => ({
      object: 'webhook',
      ...createdWebhook(webhook),
      created_at: new Date().toISOString(),
      enabled: true,
      metadata: {},
    }),
    listedWebhook: (webhook) => ({
      object: 'webhook',
      ...listedWebhook(webhook),
      secret_hint: '…',
      failing_since: null,
    }),
    shownEmail: (email) => ({ ...shownEmail(email), tags: [], opens: 0 }),
    bodyMembers: [...eventBody, orgMember, { name: 'api_version', json: () => '"2026-01"' }],
    frameMembers: [...eventBody, orgMember, { name: 'api_version', json: () => '"2026-01"' }],
    pollMembers: [...pollMembers, { name: 'object', json: () => '"event"' }],
    extraHeaders: { 'user-agent': 'Mailer/7', 'x-delivery-attempt': 'yes', 'webhook-version': '1' },
  }),
  variant('title-case-headers', 'header names are sent in title case', ['header-case'], {
    headerNames: { id: 'Webhook-Id', timestamp: 'Webhook-Timestamp', signature: 'Webhook-Signature' },
  }),
  variant('several-signature-entries', 'also signs with an old key and another version', ['signature-entries'], {
    signatureHeader: (entry) =>
      `v1,${randomBytes(32).toString('base64')} ${entry} v1a,${randomBytes(64).toString('base64')}`,
  }),
  variant('charset-in-content-type', 'the content type of a delivery names its charset', ['extra-fields'], {
    deliveryContentType: 'application/json; charset=utf-8',
  }),
  variant('delays-from-the-start', 'delays count from the start of the failed attempt', ['delay-origin'], {
    delayOrigin: 'attempt-start',
  }),
  variant('unknown-types-refused', 'an unknown name in event_types is refused', ['unknown-event-type'], {
    unknownEventType: 'refuse',
  }),
  variant('unknown-inboxes-accepted', 'an inbox_id that does not exist is accepted', ['unknown-inbox'], {
    unknownInbox: 'accept',
  }),
  {
    ...variant('foreign-inboxes-refused', 'refuses another inbox for an inbox key', ['foreign-inbox'], {
      foreignInbox: 'refuse',
    }),
    ignores: ['SCOPE-011'],
  },
  variant('batches-refused-with-400', 'invalid_batch has status 400', ['batch-error-status', 'batch-validation'], {
    batchErrorStatus: 400,
    batchMode: () => 'strict',
  }),
  variant(
    'used-keys-answer-the-first-result',
    'another body under a used Idempotency-Key gets the first result',
    ['idempotency-conflict'],
    { idempotencyConflict: 'first-result' },
  ),
  variant(
    'foreign-ids-forbidden',
    'an id that does not exist or is of another org is answered with 403',
    ['foreign-id'],
    { foreignIdStatus: 403 },
  ),
  variant('snippets-without-nul', 'a NUL in a snippet is shown as U+FFFD', ['snippet-characters'], {
    snippet: (body) => [...body.replaceAll('\0', '\ufffd')].slice(0, 500).join(''),
  }),
  variant('snippets-in-code-units', 'the snippet is 500 UTF-16 code units', ['snippet-characters'], {
    snippet: (body) => body.slice(0, 500),
  }),
  variant('stored-star', 'an empty filter is stored as ["*"]', ['filter-given-back'], {
    storedEventTypes: (requested) => (requested === undefined || requested.length === 0 ? ['*'] : requested),
  }),
  variant('repeated-status-raises', 'raises the event again for a repeated pause', ['event-ids-per-project'], {
    repeatedSendingStatus: 'raises',
  }),
  variant('recipients-as-one-text', '`to` is one address as a text, and no list', ['several-recipients'], {
    recipientList: (to) => (typeof to === 'string' ? [to] : undefined),
  }),
  variant(
    'recipients-that-take-mail',
    'refuses an address whose domain has no mail server',
    ['undeliverable-recipients'],
    {
      recipientList: (to) => {
        const list = recipientList(to)
        return list?.some((recipient) => /@recipient\.example>?$/i.test(recipient)) === true ? undefined : list
      },
    },
  ),
  variant('names-that-are-no-addresses', 'a display name that looks like an address is refused', ['odd-sender-names'], {
    parseSender: (from) => (/@.*</.test(from) ? undefined : parseSender(from)),
  }),
  variant('subdomains-may-send', 'a subdomain of a verified domain may send', ['subdomain-senders'], {
    senderAllowed: (domain, verified) => verified.some((known) => domain === known || domain.endsWith(`.${known}`)),
  }),
  variant('changes-answer-202', 'a reschedule and a cancel answer 202 with the email as object', ['email-answers'], {
    rescheduleAnswer: (id) => ({ status: 202, body: { object: { id, status: 'scheduled' }, id } }),
    cancelAnswer: (id) => ({ status: 202, body: { object: { id, status: 'canceled' }, id } }),
  }),
  variant(
    'email-pages-of-ten-at-most',
    'the list of emails has 5 a page, and refuses a limit above 10',
    ['email-list-order'],
    {
      emailDefaultLimit: 5,
      emailMaxLimit: 10,
      limitAboveMaximum: 'refuse',
    },
  ),
  variant('short-email-pages', 'the list of emails has 10 a page, at most 20', ['email-list-order'], {
    emailDefaultLimit: 10,
    emailMaxLimit: 20,
  }),
  variant('permissive-batches', 'a batch is validated item by item', ['default-batch-validation'], {
    batchMode: () => 'permissive',
  }),
  variant('empty-batches-taken', 'an empty batch is taken, and its data is empty', ['empty-batch'], {
    emptyBatch: 'accept',
  }),
  variant(
    'batch-entries-without-ids',
    'an entry of a batch has the index and the state of its item, but no id',
    ['batch-entries'],
    {
      batchAnswer: (ids, errors) => ({
        status: 202,
        body: { data: ids.map((_, index) => ({ index, status: 'queued' })), ...(errors.length > 0 && { errors }) },
      }),
    },
  ),
  variant('batch-backwards', 'returns the entries of a batch in another order', ['batch-entries'], {
    batchAnswer: (ids, errors) => ({
      status: 200,
      body: { data: ids.toReversed().map((id) => ({ id })), ...(errors.length > 0 && { errors }) },
    }),
  }),
  variant('mail-a-moment-later', 'an email is handed over 200 ms after it was taken', ['mail-delay'], {
    sendTime: (scheduledAt, now) => scheduledAt ?? now + 200,
  }),
  {
    ...variant('scheduled-mail-in-real-time', 'a moved clock moves no mail', ['clock-and-mail'], {
      scheduledMailGoesBy: 'real-time',
    }),
    hidesCases: true,
  },
  {
    id: 'server/pongs-a-moment-later',
    title: 'a ping is answered after a second',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'server/stream.ts',
        find: 'perMessageDeflate: false',
        replace: 'perMessageDeflate: false, autoPong: false',
      },
      {
        file: 'server/stream.ts',
        find: "socket.on('ping', () => {",
        replace: "socket.on('ping', (data) => { setTimeout(() => socket.pong(data), 1_000).unref()",
      },
    ],
  },
  {
    id: 'server/clock-behind',
    title: 'runs its clock 30 s late',
    openPoints: ['clock-difference'],
    policy: {},
    patch: [
      {
        file: 'server/engine/clock.ts',
        find: 'let offset = startOffsetMs',
        replace: 'let offset = startOffsetMs === 0 ? -30_000 : startOffsetMs',
      },
    ],
  },
  variant('late-changes-ignored', 'a reschedule or cancel of a sent email is answered and ignored', ['late-changes'], {
    lateChange: 'ignore',
  }),
  variant('queued-without-cc', 'message.queued has no cc where the message has none', ['absent-cc'], {
    eventData: (type, data) => {
      const { cc, ...rest } = data
      return type === 'message.queued' && Array.isArray(cc) && cc.length === 0 ? rest : eventData(type, data)
    },
  }),
  variant(
    'no-classification-without-a-bounce',
    'bounce_classification is left out where it would be null, but of message.bounced',
    ['absent-bounce-classification'],
    {
      eventData: (type, data) => {
        const { bounce_classification: classification, ...rest } = data
        return type === 'message.bounced' || classification !== null ? eventData(type, data) : eventData(type, rest)
      },
    },
  ),
  variant(
    'failed-with-empty-fields',
    'message.failed with a reason has the delivery fields as null',
    ['failed-reason'],
    {
      eventData: (type, data) =>
        type === 'message.failed' && 'reason' in data
          ? { recipient: null, response: null, bounce_classification: null, permanent: null, ...data }
          : eventData(type, data),
    },
  ),
  variant('sends-answer-201', 'a send answers 201 with the email', ['email-answers', 'extra-fields'], {
    sendAnswer: (id) => ({ status: 201, body: { object: 'email', id, status: 'queued' } }),
  }),
  ...serverFreedoms,
  ...textVariants,
  ...serverDecisions,
  ...serverAnswers,
  ...serverStores,
  ...serverFormats,
]

/** Open points that no variant of the server decides, each with the reason. */
export const pointsWithoutServerVariant: Readonly<Partial<Record<OpenPointId, string>>> = {
  'retry-of-timeouts': 'it speaks of the client',
  'resends-of-http': 'it speaks of the client',
  'key-without-effect': 'it speaks of the client',
  'scheme-case': 'it speaks of the client',
  'retry-after-on-post': 'it speaks of the client',
  'relative-phrase': 'it speaks of the client',
  'data-of-paused': 'the control interface is given these fields, and any are taken',
  'receiver-refusal': 'it speaks of a consumer; variants of the receiver decide it',
  'signature-entry-form': 'it speaks of a verifier; variants of the verifier decide it',
  retention: 'no case waits long enough to see the end of it',
  'two-credentials': 'no case sends two different keys that both exist',
  'informational-answers': 'it speaks of a consumer: the sink sends one, and what the service should do is settled',
  'retry-after-of-a-consumer': 'it speaks of a consumer, and the schedule settles it',
  'order-of-checks': 'each case that could notice it accepts every refusal of the request',
}
