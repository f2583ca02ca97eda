// Every number the interface states, once. Sources are anchors of spec/interface.md.

/** Delay before each attempt, in milliseconds; index 0 is the first attempt. Source: #retries-of-a-delivery. */
export const retryDelaysMs = [0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000] as const

/** Attempts of one delivery, the first included. Source: #limits. */
export const maxAttempts = retryDelaysMs.length

/** The consumer must answer within this time, in milliseconds. Source: #limits. */
export const answerTimeMs = 10_000

/** A verifier accepts a `webhook-timestamp` at most this many seconds from its clock. Source: #webhook-signature-standard-webhooks. */
export const toleranceSeconds = 300

/** Page size of the deliveries and events lists. Source: #limits. */
export const defaultPageSize = 50
export const maxPageSize = 100

/** Characters of the consumer's response body kept with a delivery. Source: #limits. */
export const snippetCharacters = 500

/** Emails in one batch request. Source: #limits. */
export const maxBatchSize = 100

/** Client library defaults. Source: #client-library-behaviour. */
export const clientMaxRetries = 2
export const clientTimeoutMs = 60_000

/** Event types with their data kind. Source: #events. */
export const eventTypes = {
  'message.received': 'received',
  'message.queued': 'queued',
  'message.delivered': 'delivery',
  'message.deferred': 'delivery',
  'message.bounced': 'delivery',
  'message.complained': 'delivery',
  'message.failed': 'delivery',
  'sending.paused': 'workspace',
  'sending.resumed': 'workspace',
} as const

export type EventType = keyof typeof eventTypes
export type DataKind = (typeof eventTypes)[EventType]

/** Fields of each data kind. Source: #data-kinds. */
export const dataFields = {
  received: ['message_id', 'inbox_id', 'thread_id', 'from', 'subject'],
  queued: ['message_id', 'inbox_id', 'thread_id', 'to', 'cc', 'subject'],
  delivery: [
    'message_id',
    'inbox_id',
    'thread_id',
    'recipient',
    'response',
    'bounce_classification',
    'permanent',
    'status',
  ],
  workspace: ['workspace_id', 'status'],
} as const satisfies Record<DataKind, readonly string[]>

/** Fields that `sending.paused` adds to the workspace kind. Source: #data-kinds. */
export const pausedFields = ['reason', 'paused_at', 'stats'] as const

/** The prefixes of identifiers. Source: #identifier-prefixes-seen. */
export const idPrefixes = { webhook: 'whk_', event: 'evt_', message: 'msg_', inbox: 'ibx_', thread: 'thr_' } as const

export const secretPrefix = 'whsec_'

/** Why a delivery to a private address failed. Source: #retries-of-a-delivery. */
export const blockedPrivateAddress = 'blocked_private_address'
