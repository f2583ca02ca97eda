import type { RequirementId, SubjectKind } from '../spec/index.js'
import type { Case, CaseTools } from './case.js'
import type { Lack } from './lack.js'
import type { Outlook } from './outlook.js'
import type { CaseResult, ExchangeRecord } from './result.js'
import type { Secrets } from './secrets.js'

/** What one case plays with: its context, and what was recorded meanwhile. */
export interface OpenedContext<Context> {
  readonly context: Context
  /** What was exchanged so far, redacted, oldest first; asked for only when the case did not pass. */
  readonly exchanges: () => readonly ExchangeRecord[]
  /** How long requests of the case were held back since the target limits the rate, in milliseconds; 0 where absent. */
  readonly heldBackMs?: () => number
  /** How long the slowest answer took, beyond what it may wait for by its sense, in milliseconds; 0 where absent. */
  readonly slowestMs?: () => number
  /** Whether a gateway may have answered in place of the target, as one does that passes only so many requests at a time. */
  readonly wasTurnedAway?: () => boolean
  /** Whether an answer that the case read is another one by now, though nothing changed: asked after a failure. */
  readonly wasStale?: (signal: AbortSignal) => Promise<boolean>
  /** Removes what the case made. Runs after the case's own clean-up. */
  readonly close: () => Promise<void>
}

/** A target as the engine sees it: what it can be asked, and a fresh context for each case. */
export interface Subject<Context> {
  readonly kind: SubjectKind
  /** How the target is called in the report, without secrets. */
  readonly name: string
  readonly secrets: Secrets
  /** Cases side by side where the user does not say. */
  readonly concurrency: number
  /** How many cases at once leave the target at ease, for reruns of what did not arrive in its time (default 1). */
  readonly calmWidth?: number
  /** Undefined when the power is there. */
  readonly lacks: (need: string, forCase: { readonly timeoutMs?: number }) => Lack | undefined
  /** What could be added, so that more can be asked; absent where nothing is ever lacking. */
  readonly outlook?: () => Outlook
  /** The target was lost for a reason that takes every answer its worth: there is no verdict. */
  readonly isUnfit?: boolean
  /** Requirements that this target does not let be judged, and the line that says what would enable them. */
  readonly unjudged?: { readonly requirements: readonly RequirementId[]; readonly text: string } | undefined
  /** Why a case is not judged, since something that everything rests on is missing; undefined when it is. */
  readonly gate?: (forCase: Pick<Case, 'id' | 'isBasic' | 'phase'>) => Lack | undefined
  /** How often a case whose result is in doubt is asked again, where the run does not say. */
  readonly maxRepeats?: number
  /** False for a requirement that does not bind this target, such as one of another profile. */
  readonly binds?: (id: RequirementId) => boolean
  /** What is known beside of why a case fails, from before the first one; kept with its measurements. */
  readonly insight?: (forCase: Pick<Case, 'id' | 'isBasic'>) => Readonly<Record<string, unknown>> | undefined
  /** Whether a case changes what all others rest on, so that it runs when no other does. */
  readonly isAlone?: (forCase: { readonly needs: readonly string[] }) => boolean
  /** Why there is no point in asking on: the target is gone. Undefined, or absent, as long as it is there. */
  readonly lost?: string | undefined
  /** What the target had not answered when it went away, in words; undefined, or absent, where it never did. */
  readonly lastRequests?: string | undefined
  /**
   * Asked after each failure and each lost answer: why it proves nothing, where the target was away since `since` (of `performance.now()`), or
   * is away now and does not come back. Undefined when it was there all the time.
   */
  readonly absence?: (since: number, signal: AbortSignal) => Promise<string | undefined>
  /** The result of a case that was finished before the run was stopped and resumed. */
  readonly finished?: (caseId: string) => CaseResult | undefined
  /** Told each result, so that it can be kept over a stop. */
  readonly keep?: (result: CaseResult) => void
  readonly open: (tools: CaseTools, caseId: string) => Promise<OpenedContext<Context>>
  /** Ends what the run holds open. */
  readonly close: () => Promise<void>
}
