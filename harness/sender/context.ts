import type { EventType } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import type { Checks } from '../check.js'
import type { Answer } from '../sink/answer.js'
import type { SchemeFeature, SignatureScheme } from '../schemes/scheme.js'
import type { SignatureProblem } from '../diagnose/signature-problem.js'
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
   * Triggers one event, and resolves once its first attempt is here. Ends the case as skipped if the trigger failed, and as errored if no
   * attempt arrives.
   */
  send(request?: SendRequest): Promise<SentEvent>
  /**
   * Waits for attempt `number`, `delayMs` after the one before; a mismatch if it is early, late, or missing. Resolves to undefined if it is
   * missing.
   */
  next(event: SentEvent, number: number, delayMs: number, check?: Checks): Promise<SeenAttempt | undefined>
  /** Waits until an attempt after the `count` allowed ones would have arrived, `delayMs` after the last; a mismatch if one arrives. */
  expectNoMore(event: SentEvent, count: number, delayMs: number, check?: Checks): Promise<void>
  /** Returns every attempt of the run so far, and triggers events until there are at least `events`. */
  everything(
    events: number,
  ): Promise<{ readonly events: readonly SentEvent[]; readonly attempts: readonly SeenAttempt[] }>
  /** The signature scheme of the sender. */
  readonly scheme: SignatureScheme
  /** Returns why an attempt's signature does not match; undefined if it matches. */
  signatureProblem(seen: SeenAttempt): SignatureProblem | undefined
  /** Where an attempt holds the secret, such as `the header x-secret`; undefined where it does not. */
  secretPlace(seen: SeenAttempt): string | undefined
  /** What contradicts the description of the event's type in its body. */
  bodyProblems(
    seen: SeenAttempt,
  ): readonly { readonly where: string; readonly problem: string; readonly found: unknown }[]
  /** Resolves to whether the attempt's connection was still open after `ms`. */
  staysOpen(seen: SeenAttempt, ms: number): Promise<boolean>
  /** Returns the checks for a time that is off by `offMs`: it proves something if this process stalled for far less. */
  judging(offMs: number): Checks
  /** Adds an attempt to the exchanges of the case. */
  evidence(seen: SeenAttempt): void
  /** Delays before attempts 2, 3, …, in milliseconds. */
  readonly schedule: readonly number[]
  /** Attempts watched. */
  readonly retryDepth: number
  /** Whether nothing is between the sender and the listener, as far as the configuration shows. */
  readonly isDirect: boolean
  /** Whether a person causes each event, so that the cases trigger few. */
  readonly isByHand: boolean
}

/**
 * `interface`, `standard-webhooks`: only under that profile. `retries`: there is a schedule, and a second attempt is watched;
 * `third-attempt`: a third one too; `last-attempt`: all of them. `json-body`: the scheme expects JSON. `scheme:…`: the scheme has that.
 */
export type SenderNeed =
  | 'interface'
  | 'standard-webhooks'
  | 'retries'
  | 'third-attempt'
  | 'last-attempt'
  | 'json-body'
  | `scheme:${SchemeFeature}`
