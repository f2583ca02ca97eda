import fc, { type Arbitrary } from 'fast-check'
import { memberOf } from './wire/exchange.js'
import { CheckFailed, createChecks, type Checks } from './check.js'

export interface PropertyOptions {
  /** Runs where the user does not say (default 20). */
  readonly runs?: number
  /** Values that are always tried first. */
  readonly examples?: readonly unknown[]
}

/** Runs `predicate` on random values; a mismatch inside is shrunk and reported with its counterexample. */
export interface PropertyRunner {
  <T>(
    /** Made from the path of a program, where the values are programs of commands (`fc.commands`, its `replayPath`). */
    arbitrary: Arbitrary<T> | ((programPath: string | undefined) => Arbitrary<T>),
    predicate: (value: T, require: Checks) => Promise<void>,
    options?: PropertyOptions,
  ): Promise<void>
  /** A value has failed, and smaller ones are tried: what must come is looked for once, not waited for. */
  readonly isShrinking: boolean
}

/** What a failed property tells, so that a run with its seed and path finds it again at once. */
export interface Counterexample {
  readonly value: unknown
  readonly seed: number
  readonly path: string
  /** Every smaller value was tried and held; else the search was cut off, or not made. */
  readonly is_smallest: boolean
}

/** Between the path of a counterexample and that of the program it is. */
const programMark = '/'

/** The path that `--replay` takes, out of what a failed property tells. */
export function replayPathOf(counterexample: unknown): string | undefined {
  const path = memberOf(counterexample, 'path')
  return typeof path === 'string' ? path : undefined
}

/** Runs of a property where neither the user nor the case says. */
const defaultRuns = 20
/** Smaller values tried at most, once one has failed, and the longest time for it in milliseconds. */
const shrinkBudget = { candidates: 40, ms: 60_000 } as const

export interface PropertyRunnerOptions {
  readonly seed: number
  /** The run's `--runs`, which beats the case's own number. */
  readonly runs: number | undefined
  /** False: the first failure is reported as it was found. */
  readonly shrink: boolean
  /** The path of a counterexample that was reported with the same seed: it alone is tried, and no smaller one is looked for. */
  readonly replayPath?: string | undefined
  readonly signal: AbortSignal
}

/** A runner with the seed of one case. */
export function createPropertyRunner({
  seed,
  runs,
  shrink,
  replayPath,
  signal,
}: PropertyRunnerOptions): PropertyRunner {
  let isShrinking = false
  const run = async <T>(
    given: Arbitrary<T> | ((programPath: string | undefined) => Arbitrary<T>),
    predicate: (value: T, require: Checks) => Promise<void>,
    options: PropertyOptions = {},
  ): Promise<void> => {
    const [path, programPath] = replayPath?.split(programMark) ?? []
    const arbitrary = typeof given === 'function' ? given(programPath) : given
    let failedAt: number | undefined
    let candidates = 0
    let isCutOff = false
    isShrinking = false
    const property = fc.asyncProperty(arbitrary, async (value) => {
      signal.throwIfAborted()
      if (failedAt !== undefined) {
        isCutOff ||= ++candidates > shrinkBudget.candidates || Date.now() - failedAt > shrinkBudget.ms
        // Taken for one that holds, so that the search comes to its end.
        if (isCutOff) return
      }
      const requireThat = createChecks((mismatch) => {
        failedAt ??= Date.now()
        throw new CheckFailed([mismatch])
      })
      try {
        await predicate(value, requireThat)
      } catch (error) {
        // What could not be asked is no smaller counterexample, and none to look for smaller ones of.
        if (!(error instanceof CheckFailed) && failedAt !== undefined) return
        isCutOff ||= !(error instanceof CheckFailed)
        failedAt ??= Date.now()
        throw error
      } finally {
        isShrinking = failedAt !== undefined
      }
    })
    const isReplayed = path !== undefined
    const details = await fc.check(property, {
      seed,
      numRuns: runs ?? options.runs ?? defaultRuns,
      endOnFailure: !shrink || isReplayed,
      ...(isReplayed ? { path } : {}),
      ...(options.examples === undefined ? {} : { examples: options.examples.map((each) => [each as never]) }),
    })
    isShrinking = false
    if (!details.failed) return
    const cause = details.errorInstance
    if (!(cause instanceof CheckFailed)) throw cause instanceof Error ? cause : new Error('the property did not end')
    const { value, ofProgram } = readable(details.counterexample?.[0])
    const counterexample: Counterexample = {
      value,
      seed: details.seed,
      path: `${details.counterexamplePath}${ofProgram === undefined ? '' : `${programMark}${ofProgram}`}`,
      is_smallest: shrink && !isReplayed && !isCutOff,
    }
    throw new CheckFailed(cause.mismatches, counterexample)
  }
  return Object.defineProperty(run, 'isShrinking', { get: () => isShrinking }) as PropertyRunner
}

/** A program of commands as its text (`Raise(...),Poll(...)`) beside the path that leads to it, everything else as it is. */
function readable(value: unknown): { readonly value: unknown; readonly ofProgram?: string } {
  const isProgram =
    typeof value === 'object' &&
    value !== null &&
    fc.cloneMethod in value &&
    !Array.isArray(value) &&
    Symbol.iterator in value
  if (!isProgram) return { value: withoutBigInts(value) }
  const [, text = '', ofProgram] = /^(.*?)\s*(?:\/\*\s*replayPath="([^"]*)"\s*\*\/)?$/s.exec(String(value)) ?? []
  return ofProgram === undefined ? { value: text } : { value: text, ofProgram }
}

/** The same value as every report can hold it: JSON knows no bigint, so that one stands as its digits. */
function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(withoutBigInts)
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutBigInts(member)]))
}

/** A 32-bit seed for one case, from the run's seed and the case id, so that selection changes no other case's data. */
export function seedFor(runSeed: number, caseId: string): number {
  let hash = 2166136261 ^ runSeed
  for (let index = 0; index < caseId.length; index++) hash = Math.imul(hash ^ caseId.charCodeAt(index), 16777619)
  return hash | 0
}
