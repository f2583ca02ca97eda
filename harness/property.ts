import fc, { type Arbitrary } from 'fast-check'
import { CheckFailed, createChecks, type Checks } from './check.js'

export interface PropertyOptions {
  /** Runs where the user does not say (default 20). */
  readonly runs?: number
  /** Longest time spent on shrinking a failure, in milliseconds (default 5000). */
  readonly shrinkMs?: number
  /** Values that are always tried first. */
  readonly examples?: readonly unknown[]
}

/** Runs `predicate` on random values; a mismatch inside is shrunk and reported with its counterexample. */
export type PropertyRunner = <T>(
  arbitrary: Arbitrary<T>,
  predicate: (value: T, require: Checks) => Promise<void>,
  options?: PropertyOptions,
) => Promise<void>

/** Runs of a property where neither the user nor the case says. */
const defaultRuns = 20

export interface PropertyRunnerOptions {
  readonly seed: number
  /** The run's `--runs`, which beats the case's own number. */
  readonly runs: number | undefined
  /** False: the first failure is reported as it was found. */
  readonly shrink: boolean
  readonly signal: AbortSignal
}

/** A runner with the seed of one case. */
export function createPropertyRunner({ seed, runs, shrink, signal }: PropertyRunnerOptions): PropertyRunner {
  return async (arbitrary, predicate, options = {}) => {
    let firstFailureAt: number | undefined
    const shrinkMs = options.shrinkMs ?? 5_000
    const property = fc.asyncProperty(arbitrary, async (value) => {
      signal.throwIfAborted()
      if (firstFailureAt !== undefined && Date.now() - firstFailureAt > shrinkMs) return
      const requireThat = createChecks((mismatch) => {
        firstFailureAt ??= Date.now()
        throw new CheckFailed([mismatch])
      })
      await predicate(value, requireThat)
    })
    const details = await fc.check(property, {
      seed,
      numRuns: runs ?? options.runs ?? defaultRuns,
      endOnFailure: !shrink,
      ...(options.examples === undefined ? {} : { examples: options.examples.map((each) => [each as never]) }),
    })
    if (!details.failed) return
    const cause = details.errorInstance
    if (cause instanceof CheckFailed) {
      const counterexample = {
        value: readable(details.counterexample?.[0]),
        seed: details.seed,
        path: details.counterexamplePath,
      }
      throw new CheckFailed(cause.mismatches, counterexample)
    }
    throw cause instanceof Error ? cause : new Error('the property did not end')
  }
}

/** A program of commands as its text (`Raise(...),Poll(...)`), everything else as it is. */
function readable(value: unknown): unknown {
  const isProgram =
    typeof value === 'object' &&
    value !== null &&
    fc.cloneMethod in value &&
    !Array.isArray(value) &&
    Symbol.iterator in value
  return isProgram ? String(value) : value
}

/** A 32-bit seed for one case, from the run's seed and the case id, so that selection changes no other case's data. */
export function seedFor(runSeed: number, caseId: string): number {
  let hash = 2166136261 ^ runSeed
  for (let index = 0; index < caseId.length; index++) hash = Math.imul(hash ^ caseId.charCodeAt(index), 16777619)
  return hash | 0
}
