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
  /** Milliseconds since the epoch, at which it is signed, and at which the first one was. */
  readonly now: number
  readonly firstAt: number
}

/** How an attempt ended: a status, or no answer. */
export type AttemptEnd =
  { readonly kind: 'answered'; readonly status: number } | { readonly kind: 'timeout' } | { readonly kind: 'broken' }

/** What the reference sender does, entry by entry. */
export interface SenderPolicy {
  readonly method: string
  /** Delays before attempts 2, 3, …, in milliseconds. */
  readonly schedule: readonly number[]
  readonly answerTimeMs: number
  /** Whether a delay counts from the start of the attempt before, or from its end. */
  readonly countsFrom: 'start' | 'end'
  readonly headerId: (facts: AttemptFacts) => string
  readonly headerTimestamp: (facts: AttemptFacts) => string
  readonly body: (facts: AttemptFacts) => string
  readonly signed: (parts: { readonly id: string; readonly timestamp: string; readonly body: string }) => string
  readonly key: (secret: string) => Uint8Array
  /** The value of `webhook-signature`, from the MAC in base64. */
  readonly signature: (mac: string) => string
  /** The headers as they are sent, from the three. */
  readonly headers: (three: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
  readonly isSuccess: (end: AttemptEnd) => boolean
  /** Whether another attempt follows one that was no success. */
  readonly retries: (end: AttemptEnd) => boolean
  readonly followsRedirects: boolean
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
  followsRedirects: false,
}
