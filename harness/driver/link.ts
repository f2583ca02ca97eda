import { cut } from '../wire/cut.js'

/** A driver's answer to one request, or why there is none. */
export type DriverReply =
  | { readonly kind: 'answer'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'unsupported'; readonly why: string }
  /** The process ended before it answered. */
  | { readonly kind: 'died'; readonly how: string; readonly stderr: string }
  | { readonly kind: 'silent'; readonly afterMs: number }
  /** It wrote an invalid answer. */
  | { readonly kind: 'garbage'; readonly line: string }

/** Time a driver has to start, in milliseconds: some commands compile first. */
export const startsWithinMs = 30_000

/** Returns an answer of the protocol: `unsupported` with its reason. An empty reason next to another member means nothing. */
export function replyOf(fields: Readonly<Record<string, unknown>>): DriverReply {
  const { unsupported } = fields
  if (unsupported === undefined || unsupported === null || unsupported === false) return { kind: 'answer', fields }
  if (unsupported === '' && ('ok' in fields || 'signature' in fields)) return { kind: 'answer', fields }
  const why = typeof unsupported === 'string' ? unsupported : JSON.stringify(unsupported)
  return { kind: 'unsupported', why: cut(why, longestReason) }
}

/** Characters that are kept of why a driver cannot do a thing. */
const longestReason = 300

/** A driver that accepts requests: a process, or a function of this process. */
export interface DriverLink {
  readonly isAlive: boolean
  /** A request is still open: the next borrower would wait for it. */
  readonly isBusy: boolean
  /**
   * Sends one request; resolves to the answer, or to why there is none within `withinMs`. A driver that has not answered yet
   * has `startMs` more.
   */
  call(
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
  /** Values of the command that must not appear in a report. */
  readonly secrets?: readonly string[]
  readonly start: () => DriverLink
  /** Starting one costs nothing. */
  readonly isFree?: true
}
