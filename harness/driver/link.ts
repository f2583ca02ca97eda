import { cut } from '../wire/cut.js'

/** What a driver said to one request, or why it said nothing. */
export type DriverReply =
  | { readonly kind: 'answer'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'unsupported'; readonly why: string }
  /** The process ended before it answered. */
  | { readonly kind: 'died'; readonly how: string; readonly stderr: string }
  | { readonly kind: 'silent'; readonly afterMs: number }
  /** It wrote something that is no answer. */
  | { readonly kind: 'garbage'; readonly line: string }

/** Time a driver has to start, in milliseconds: some commands compile first. */
export const startsWithinMs = 30_000

/** An answer of the protocol: `unsupported` says why it is none. An empty one says nothing, beside another member. */
export function replyOf(fields: Readonly<Record<string, unknown>>): DriverReply {
  const { unsupported } = fields
  if (unsupported === undefined || unsupported === null || unsupported === false) return { kind: 'answer', fields }
  if (unsupported === '' && ('ok' in fields || 'signature' in fields)) return { kind: 'answer', fields }
  const why = typeof unsupported === 'string' ? unsupported : JSON.stringify(unsupported)
  return { kind: 'unsupported', why: cut(why, longestReason) }
}

/** Characters that are kept of why a driver cannot do a thing. */
const longestReason = 300

/** A driver that can be asked: a process, or a function of this process. */
export interface DriverLink {
  readonly isAlive: boolean
  /** A request is still open: whoever borrows the driver next would wait for it. */
  readonly isBusy: boolean
  /**
   * Sends one request; resolves to the answer, or to why there is none within `withinMs`. A driver that has not answered yet
   * has `startMs` more.
   */
  ask(
    request: Readonly<Record<string, unknown>>,
    withinMs: number,
    startMs?: number,
    isConcurrent?: boolean,
  ): Promise<DriverReply>
  kill(): void
  close(): Promise<unknown>
}

/** How drivers are started, and how they are called in a message. */
export interface DriverSource {
  readonly label: string
  /** What must not stand in a report, though it stands in the command. */
  readonly secrets?: readonly string[]
  readonly start: () => DriverLink
  /** Starting one costs nothing. */
  readonly isFree?: true
}
