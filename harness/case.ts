import type { Level, OwnRequirementId, RequirementId, SubjectKind } from '../spec/index.js'
import type { Checks, Require } from './check.js'
import type { PropertyRunner } from './property.js'

/** What every case is handed, whatever its subject. */
export interface CaseTools {
  /** Collects mismatches; the case fails at its end if there is one. */
  readonly check: Checks
  /** Ends the case at the first mismatch. */
  readonly require: Require
  /** Runs a property with the case's own seed. */
  readonly property: PropertyRunner
  /** A text no other case and no earlier run has used, lower case and digits: for subjects, names, paths. */
  readonly unique: () => string
  /** Ends the case as skipped; `reason` names what would enable it. */
  readonly skip: (reason: string) => never
  /**
   * Notes that something was waited for in vain, as long as {@link patience} says. What does not hold from then on may follow
   * from that: it is asked again before it is believed, and is not judged where one of `requirements` failed in a case of its own.
   */
  readonly missed: (...requirements: readonly RequirementId[]) => void
  /**
   * Notes that the target may have been cut off by a time limit which this machine was too busy for. What does not hold from
   * then on fails the case only where the machine was calm.
   */
  readonly cutOff: () => void
  /** How many times as long as on a calm machine is to be waited now for what must come; at least 1. */
  readonly patience: () => number
  /**
   * Notes that this run kept the target waiting for so long, in milliseconds, where it must not be: what does not hold from
   * then on proves nothing if it was too long.
   */
  readonly late: (ms: number) => void
  /** Tells that an answer of the target is waited for; to be called with its end. Such waits are no time of the case. */
  readonly waiting: () => () => void
  /** Keeps a measurement in the report. */
  readonly measure: (name: string, value: unknown) => void
  /** Runs at the end of the case, whatever its outcome, last registered first. */
  readonly cleanup: (action: () => Promise<void>) => void
  /** Aborted when the case's time is over or the run is interrupted. */
  readonly signal: AbortSignal
}

/** One question put to a target. */
export interface Case<Context = never> {
  /** A readable path, permanent: `service/retries/second-attempt-after-5-seconds`. */
  readonly id: `${SubjectKind}/${string}/${string}`
  readonly subject: SubjectKind
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /**
   * Those of them that are verified where this case passes and others of theirs cannot be asked for want of a power: it asks the
   * whole sentence, and what they add is more of the same, such as other data, later attempts, or several at once.
   */
  readonly settles?: readonly RequirementId[]
  readonly level: Level
  /** What a good target does, in one sentence. */
  readonly title: string
  /** Powers without which the case is skipped. */
  readonly needs: readonly string[]
  /** Longest time the case may take, in milliseconds, waits included; default is the run's `--timeout`. */
  readonly timeoutMs?: number
  /** Waits for long, and can be gone through again over a stop: same webhooks, same events, same attempts. */
  readonly isResumable?: true
  /** What every other case of its kind rests on: asked even where they would all fail for the same cause. */
  readonly isBasic?: true
  /** `last`: runs after every other case and judges what all of them observed. */
  readonly phase?: 'last'
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
  /** Of the interface, or of one's own (`X-ACME-001`). */
  readonly requirements: readonly [AnyRequirementId, ...AnyRequirementId[]]
  readonly needs?: readonly Need[]
}

/** Makes the `define…Case` function of one kind of subject. */
export function caseDefiner<Kind extends SubjectKind, Context, Need extends string>(
  subject: Kind,
): (definition: CaseDefinition<Kind, Context, Need>) => Case<Context> {
  return (definition) => ({
    ...definition,
    // What is one's own is admitted to the registry before a run.
    requirements: definition.requirements as Case['requirements'],
    subject,
    needs: definition.needs ?? [],
  })
}

/** The suite of a case: its id without the last part. */
export function suiteOf(id: string): string {
  return id.slice(0, id.lastIndexOf('/'))
}
