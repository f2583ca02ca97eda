import type { Level, OwnRequirementId, RequirementId, SubjectKind } from '../spec/index.js'
import type { Checks, Require } from './check.js'
import type { PropertyRunner } from './property.js'

/** What every case is given, whatever kind of target it is for. */
export interface CaseTools {
  /** Collects mismatches; the case fails at its end if there is one. */
  readonly check: Checks
  /** Ends the case at the first mismatch. */
  readonly require: Require
  /** Runs a property with the case's own seed. */
  readonly property: PropertyRunner
  /** A word of lower-case letters and digits that no other case and no earlier run has used: for subjects, names, paths. */
  readonly unique: () => string
  /** Ends the case as skipped; `reason` names what would enable it. */
  readonly skip: (reason: string) => never
  /**
   * Ends the case as skipped without a missing capability: a correct target may give no occasion for it. Other cases decide its
   * requirements.
   */
  readonly leaveToOthers: (reason: string) => never
  /**
   * Records that an expected event did not arrive within {@link patience}. Mismatches found after that may be its consequence: the case is
   * rerun before they count, and they are dropped if one of `requirements` failed in a case of its own.
   */
  readonly missed: (...requirements: readonly RequirementId[]) => void
  /**
   * Call it when the target may have been cut off by a time limit that was too short because this machine was busy. Mismatches
   * found after that fail the case only if the machine was calm.
   */
  readonly cutOff: () => void
  /** By what to multiply the time that something may take on a calm machine; at least 1. */
  readonly patience: () => number
  /**
   * Call it when this run itself answered the target `ms` milliseconds late. If that was too late, mismatches found after it prove
   * nothing.
   */
  readonly late: (ms: number) => void
  /** Call it when a wait for an answer of the target begins, and what it returns when the wait ends: such waits do not count towards the time limit of the case. */
  readonly waiting: () => () => void
  /** Puts a measurement into the report, under `name`; `value` must be JSON. */
  readonly measure: (name: string, value: unknown) => void
  /** Runs at the end of the case, whatever its outcome, last registered first. */
  readonly cleanup: (action: () => Promise<void>) => void
  /** True if lists are read only after the lag that the interface allows, because the case read a lagging list before. */
  readonly readsLate: boolean
  /** Whether all exchanges of the case are kept, since a reporter wants them; else only the last of them. */
  readonly keepsEveryExchange: boolean
  /** What does not arrive soon is missed: a rerun with the usual patience follows. */
  readonly stopsEarly: boolean
  /** Aborted when the case's time is over or the run is interrupted. */
  readonly signal: AbortSignal
}

/** One check of a target. */
export interface Case<Context = never> {
  /** A readable path, permanent: `service/retries/second-attempt-after-5-seconds`. */
  readonly id: `${SubjectKind}/${string}/${string}`
  readonly subject: SubjectKind
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /**
   * Those of `requirements` that this case checks in full. They count as verified when it passes, even if other cases of theirs
   * cannot be run because the target lacks a power: those add more of the same, such as other data, later attempts, or several at once.
   */
  readonly decides?: readonly RequirementId[]
  /**
   * Requirements that the case relies on and does not test, such as different secrets where the case identifies webhooks by their secrets. If one
   * of them failed in a case of its own, the findings of this case are not evaluated.
   */
  readonly dependsOn?: readonly RequirementId[]
  readonly level: Level
  /** What a good target does, in one sentence. */
  readonly title: string
  /** Powers without which the case is skipped. */
  readonly needs: readonly string[]
  /** Longest time the case may take, in milliseconds; slow answers of the target count only in part (default: the run's `--timeout`). */
  readonly timeoutMs?: number
  /** The case takes hours and may be resumed in a later run: with the same webhooks, events and attempts. */
  readonly isResumable?: true
  /** All other cases of its kind depend on what this one checks: it is run even when they are not, since they would all fail for the same reason. */
  readonly isBasic?: true
  /**
   * `first`: begins before every other case, since it does little but wait for a minute of real time. `last`: runs after every other case and
   * judges what all of them observed.
   */
  readonly phase?: 'first' | 'last'
  /** Ids this case had before. */
  readonly formerly?: readonly string[]
  run(context: Context): Promise<void>
}

type AnyRequirementId = RequirementId | OwnRequirementId

type CaseDefinition<Kind extends SubjectKind, Context, Need extends string> = Omit<
  Case<Context>,
  'subject' | 'needs' | 'id' | 'requirements'
> & {
  readonly id: `${Kind}/${string}/${string}`
  /** Ids of the interface, or of your own requirements (`X-ACME-001`). */
  readonly requirements: readonly [AnyRequirementId, ...AnyRequirementId[]]
  readonly needs?: readonly Need[]
}

/** Makes the `define…Case` function of one kind of subject. */
export function caseDefiner<Kind extends SubjectKind, Context, Need extends string>(
  subject: Kind,
): (definition: CaseDefinition<Kind, Context, Need>) => Case<Context> {
  return (definition) => ({
    ...definition,
    // Requirements of the user's own are in the registry by the time of a run.
    requirements: definition.requirements as Case['requirements'],
    subject,
    needs: definition.needs ?? [],
  })
}

/** The suite of a case: its id without the last part. */
export function suiteOf(id: string): string {
  return id.slice(0, id.lastIndexOf('/'))
}
