import { answerTimeMs, retryDelaysMs, type EventType } from '../../spec/index.js'

/** An event as a body holds it. */
export interface SentEventBody {
  readonly id: string
  readonly type: EventType
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** One attempt, from 1. */
export interface AttemptFacts {
  readonly event: SentEventBody
  readonly number: number
  /** When it is signed, in milliseconds since the epoch. */
  readonly now: number
}

/** How an attempt ended: a status, or no answer. */
export type AttemptEnd =
  { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'timeout' } | { readonly kind: 'broken' }

/** What a sender decides, one entry each, with the requirement or the open point it carries. */
export interface SenderPolicy {
  /** Method of a delivery. Source: SDR-001. */
  readonly method: string
  /** Delays before attempts 2, 3, …, in milliseconds. Source: SDR-028, SDR-032. */
  readonly schedule: readonly number[]
  /** How long an answer is waited for, in milliseconds. Source: SDR-021, SDR-022. */
  readonly answerTimeMs: number
  /** Whether a delay counts from the start of the attempt before, or from its end. Open point `delay-origin`. */
  readonly countsFrom: 'start' | 'end'
  /** The value of `webhook-id`. Source: SDR-006, SDR-029. */
  readonly headerId: (facts: AttemptFacts) => string
  /** The value of `webhook-timestamp`. Source: SDR-003, SDR-030. */
  readonly headerTimestamp: (facts: AttemptFacts) => string
  /** The body as it is sent and signed. Source: SDR-008, SDR-009, SDR-031. */
  readonly body: (facts: AttemptFacts) => string
  /** The signed string. Source: SDR-005. */
  readonly signed: (parts: { readonly id: string; readonly timestamp: string; readonly body: string }) => string
  /** The key of the MAC, from `whsec_…`. Source: SDR-005. */
  readonly key: (secret: string) => Uint8Array
  /** The value of `webhook-signature`, from the MAC in base64. Source: SDR-004. */
  readonly signature: (mac: string) => string
  /** The headers as they are sent, from the three. Source: SDR-002, SDR-010. */
  readonly headers: (three: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
  /** Whether an attempt was a success, so that no other follows. Source: SDR-020, SDR-024. */
  readonly isSuccess: (end: AttemptEnd) => boolean
  /** Whether another attempt follows a failed one. Source: SDR-025, SDR-026, SDR-027. */
  readonly retries: (end: AttemptEnd) => boolean
}

export const senderPolicy: SenderPolicy = {
  method: 'POST',
  schedule: retryDelaysMs.slice(1),
  answerTimeMs,
  countsFrom: 'end',
  headerId: ({ event }) => event.id,
  headerTimestamp: ({ now }) => String(Math.floor(now / 1000)),
  body: ({ event }) => JSON.stringify(event),
  signed: ({ id, timestamp, body }) => `${id}.${timestamp}.${body}`,
  key: (secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
  signature: (mac) => `v1,${mac}`,
  headers: (three) => ({ ...three, 'content-type': 'application/json' }),
  isSuccess: (end) => end.kind === 'answered' && end.status >= 200 && end.status < 300,
  retries: () => true,
}
