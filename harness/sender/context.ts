import type { EventType } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import type { Checks } from '../check.js'
import type { Answer } from '../sink/answer.js'
import type { SeenAttempt, SentEvent } from './attempts.js'

export type { SeenAttempt, SentEvent } from './attempts.js'

export interface SendRequest {
  readonly type?: EventType
  /** The first attempt gets the first answer, and so on; the last one stays (default: 200). */
  readonly answers?: readonly Answer[] | ((movedUrl: string) => readonly Answer[])
}

/** What a case for senders is handed. */
export interface SenderContext extends CaseTools {
  /**
   * Makes the sender send one event, and resolves once its first attempt is here. Ends the case as skipped where the trigger
   * failed, and as errored where nothing comes.
   */
  send(request?: SendRequest): Promise<SentEvent>
  /**
   * Waits for attempt `number`, `delayMs` after the one before; a mismatch if it comes too early, too late, or not at all.
   * Resolves to undefined where it does not come.
   */
  next(event: SentEvent, number: number, delayMs: number, check?: Checks): Promise<SeenAttempt | undefined>
  /** Waits until an attempt after the `count` there may be would have come, `delayMs` after the last; a mismatch if one comes. */
  expectNoMore(event: SentEvent, count: number, delayMs: number, check?: Checks): Promise<void>
  /** Every attempt of the run so far; of at least `events` events, which are asked for where there are fewer. */
  everything(
    events: number,
  ): Promise<{ readonly events: readonly SentEvent[]; readonly attempts: readonly SeenAttempt[] }>
  /** What is wrong with the signature of an attempt; undefined where nothing is. */
  signatureProblem(seen: SeenAttempt): string | undefined
  /** Where an attempt holds the secret, such as `the header x-secret`; undefined where it does not. */
  secretToldIn(seen: SeenAttempt): string | undefined
  /** What contradicts the description of the event's type in its body. */
  bodyProblems(
    seen: SeenAttempt,
  ): readonly { readonly where: string; readonly problem: string; readonly found: unknown }[]
  /** Resolves to whether the attempt's connection was still open after `ms`. */
  staysOpen(seen: SeenAttempt, ms: number): Promise<boolean>
  /** The checks for a time that is off by so much: it proves something where this process stood still for far less. */
  judging(offMs: number): Checks
  /** Shows an attempt among what was exchanged. */
  evidence(seen: SeenAttempt): void
  /** Delays before attempts 2, 3, …, in milliseconds. */
  readonly schedule: readonly number[]
  /** Attempts watched. */
  readonly retryDepth: number
  /** Nothing stands between the sender and the listener, as far as the run was told. */
  readonly isDirect: boolean
  /** A person causes each event, so that few are asked for. */
  readonly isByHand: boolean
}

/**
 * `interface`, `standard-webhooks`: asked under that profile alone. `retries`: there is a schedule, and a second attempt is
 * watched; `third-attempt`: a third one too; `last-attempt`: all of them.
 */
export type SenderNeed = 'interface' | 'standard-webhooks' | 'retries' | 'third-attempt' | 'last-attempt'
