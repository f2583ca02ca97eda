import type { RequirementId, SubjectKind } from '../spec/index.js'
import type { Case, CaseTools } from './case.js'
import type { MissingCapability } from './missing-capability.js'
import type { CoverageForecast } from './forecast.js'
import type { CaseResult } from './result.js'
import type { SignatureScheme } from './schemes/scheme.js'
import type { Secrets } from './secrets.js'
import type { Evidence } from './wire/evidence.js'

/** The context of one case, and the exchanges recorded in it. */
export interface OpenedContext<Context> {
  readonly context: Context
  /** The exchanges so far, oldest first, not redacted. */
  readonly evidence: Pick<Evidence, 'records' | 'wholeRecords'>
  /** How long requests of the case were held back since the target limits the rate, in milliseconds; 0 where absent. */
  readonly heldBackMs?: () => number
  /** How long the slowest answer took, beyond what it may wait for by its sense, in milliseconds; 0 where absent. */
  readonly slowestMs?: () => number
  /** Whether the target, or a gateway instead of it, may have refused because it limits concurrent requests. */
  readonly wasTurnedAway?: () => boolean
  /** Whether an answer that the case read has changed by now although nothing was changed: called after a failure. */
  readonly wasStale?: (signal: AbortSignal) => Promise<boolean>
  /** Removes what the case made. Runs after the case's own clean-up. */
  readonly close: () => Promise<void>
}

/** A target as the engine sees it: its capabilities, and a fresh context for each case. */
export interface Subject<Context> {
  readonly kind: SubjectKind
  /** How the target is called in the report, without secrets. */
  readonly name: string
  readonly secrets: Secrets
  /** Its signature scheme, if it is not that of the interface. */
  readonly scheme?: SignatureScheme | undefined
  /** Concurrent cases if the user gives no number. */
  readonly concurrency: number
  /** Values of a property that a case tries at once (default 1). */
  readonly valuesAtOnce?: number
  /** How many cases at once leave the target at ease, for reruns of what did not arrive in its time (default 1). */
  readonly calmWidth?: number
  /** Undefined when the power is there. */
  readonly findMissing: (need: string, forCase: { readonly timeoutMs?: number }) => MissingCapability | undefined
  /** The additions that would enable more cases; absent if nothing is ever missing. */
  readonly forecast?: () => CoverageForecast
  /** The target was lost for a reason that takes every answer its worth: there is no verdict. */
  readonly isUnfit?: boolean
  /** Requirements that cannot be evaluated on this target, and the line with the way to enable them. */
  readonly unjudged?: { readonly requirements: readonly RequirementId[]; readonly text: string } | undefined
  /** Why a case is not judged, since something that everything rests on is missing; undefined when it is. */
  readonly gate?: (forCase: Pick<Case, 'id' | 'isBasic' | 'phase'>) => MissingCapability | undefined
  /** How often a doubtful case is rerun, if the run sets no number. */
  readonly maxRepeats?: number
  /** False for a requirement that does not bind this target, such as one of another profile. */
  readonly binds?: (id: RequirementId) => boolean
  /** Known reasons for failures of a case, found before the first one; kept with its measurements. */
  readonly insight?: (forCase: Pick<Case, 'id' | 'isBasic'>) => Readonly<Record<string, unknown>> | undefined
  /** Whether a case changes what all others rest on, so that it runs when no other does. */
  readonly isAlone?: (forCase: { readonly needs: readonly string[] }) => boolean
  /** Why there is no point in asking on: the target is gone. Undefined, or absent, as long as it is there. */
  readonly lost?: string | undefined
  /** What the target had not answered when it went away, in words; undefined, or absent, where it never did. */
  readonly lastRequests?: string | undefined
  /**
   * Called after each failure and each lost answer. Returns why it proves nothing, if the target was away since `since` (of
   * `performance.now()`) or is away now and does not return; undefined if it was there all the time.
   */
  readonly absence?: (since: number, signal: AbortSignal) => Promise<string | undefined>
  /** The result of a case that was finished before the run was stopped and resumed. */
  readonly finished?: (caseId: string) => CaseResult | undefined
  /** Receives each result, so that a stopped run can be resumed. */
  readonly keep?: (result: CaseResult) => void
  /** The last exchanges that belong to no case, not redacted: how the run starts, and what it reads of the configured org. */
  readonly outside?: Pick<Evidence, 'records'>
  readonly open: (tools: CaseTools, caseId: string) => Promise<OpenedContext<Context>>
  /** Ends what the run holds open. */
  readonly close: () => Promise<void>
}
