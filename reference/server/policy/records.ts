// The records that the functions of the policy receive. Instants are milliseconds since 1970 unless their names differ.

/** An event as it is stored. */
export interface EventRecord {
  readonly id: string
  readonly type: string
  /** The instant as text, made once by `formatTime`. */
  readonly time: string
  readonly orgId: string
  readonly inboxId: string | null
  /** The data as JSON text; kept as text so that every reader gets the same bytes. */
  readonly dataJson: string
}

/** One member of a JSON object made from an event: its name, and its value as JSON text. */
export interface EventMember {
  readonly name: string
  readonly json: (event: EventRecord) => string
}

export interface WebhookRecord {
  readonly id: string
  readonly orgId: string
  readonly workspaceId: string
  /** The requested url; parsed again, by the same parser, at each attempt. */
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly inboxId: string | null
  readonly secret: string
}

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed'

export interface DeliveryRecord {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly status: DeliveryStatus
  /** Attempts that have ended. */
  readonly attempt: number
  readonly responseCode: number | null
  readonly snippet: string | null
  readonly nextAttemptAt: number | null
  /** Why the last attempt got no answer, or `blocked_private_address`. */
  readonly error: string | null
  readonly replayOf: string | null
  readonly createdAt: number
}

/** How an attempt ended. */
export type AttemptOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly snippet: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'connection'; readonly error: string }
  | { readonly kind: 'unresolved'; readonly error: string }
  | { readonly kind: 'blocked'; readonly address: string }

export interface ErrorRecord {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly fix: string
  /** One entry per bad item of a batch. */
  readonly errors?: readonly BatchError[]
}

export interface BatchError {
  readonly index: number
  readonly code: string
  readonly message: string
}

export type EmailStatus =
  'scheduled' | 'queued' | 'delivered' | 'deferred' | 'bounced' | 'complained' | 'failed' | 'canceled'

export interface EmailRecord {
  readonly id: string
  readonly inboxId: string | null
  readonly threadId: string
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string
  readonly html: string | null
  readonly text: string | null
  readonly status: EmailStatus
  readonly recipients: readonly RecipientRecord[]
  readonly scheduledAt: number | null
  readonly createdAt: number
}

export interface RecipientRecord {
  readonly address: string
  readonly status: EmailStatus
}

/** What becomes of a message at one recipient. */
export type MailOutcome = 'delivered' | 'deferred' | 'bounced' | 'soft-bounced' | 'complained' | 'failed' | 'rejected'

/** An answer of the API. `body` undefined means no body. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
}
