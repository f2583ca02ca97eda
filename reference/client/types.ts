import type { components } from '../../spec/generated/api.js'
import type { ScheduledAt } from './scheduled-at.js'

type Schemas = components['schemas']

/** An email to send. Other fields are sent unchanged. */
export interface EmailToSend {
  /** An address, or a display name followed by an address in angle brackets. */
  readonly from: string
  readonly to: string | readonly string[]
  readonly subject: string
  readonly html?: string
  readonly text?: string
  readonly scheduled_at?: ScheduledAt | null
  /** Alias of `scheduled_at`, which wins where both are given. */
  readonly scheduledAt?: ScheduledAt | null
  readonly [field: string]: unknown
}

/** What `emails.update` changes. */
export type EmailChange = Pick<EmailToSend, 'scheduled_at' | 'scheduledAt'>

export type SentEmail = Schemas['SentEmail']
/** A text of most services; no type is shown. */
export type EmailId = SentEmail['id']
export type SentBatch = Schemas['SentBatch']
export type Email = Schemas['Email']
export type EmailPage = Schemas['EmailPage']
export type EmailReference = Schemas['EmailReference']
export type WebhookToCreate = Schemas['WebhookRequest']
export type CreatedWebhook = Schemas['CreatedWebhook']
/** The body of a delivery, and a frame of the stream. */
export type WebhookEvent = Schemas['Event']
export type EventPage = Schemas['EventPage']
export type PolledEvent = Schemas['PolledEvent']

/** The last argument of every method. */
export interface CallOptions {
  /** Replaces the automatic `Idempotency-Key`; also sent by methods without one. */
  readonly idempotencyKey?: string | undefined
  /** Ends the call with `aborted`: an attempt under way, its body, and the wait before the next. */
  readonly signal?: AbortSignal | undefined
  /** Replaces that of the client: longest time of one attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined
}
