import fc, { type Arbitrary } from 'fast-check'
import { memberOf } from './wire/exchange.js'
import { CheckFailed, createChecks, type Checks } from './check.js'

export interface PropertyOptions {
  /** Number of values if the user gives none (default 20). */
  readonly runs?: number
  /** Values that are always tried first. */
  readonly examples?: readonly unknown[]
  /** So many values are tried side by side, since none rests on another (default 1). A failure is looked into value by value. */
  readonly atOnce?: number
}

/** Runs `predicate` on random values; a mismatch inside is shrunk and reported with its counterexample. */
export interface PropertyRunner {
  <T>(
    /** Made from the path of a program, where the values are programs of commands (`fc.commands`, its `replayPath`). */
    arbitrary: Arbitrary<T> | ((programPath: string | undefined) => Arbitrary<T>),
    predicate: (value: T, require: Checks) => Promise<void>,
    options?: PropertyOptions,
  ): Promise<void>
  /** True while smaller values are tried after a failure: expected events are checked once, without a wait. */
  readonly isShrinking: boolean
}

/** The facts of a failed property that let a run with its seed and path find the value again at once. */
export interface Counterexample {
  readonly value: unknown
  readonly seed: number
  readonly path: string
  /** Every smaller value was tried and held; else the search was cut off, or not made. */
  readonly is_smallest: boolean
}

/** Between the path of a counterexample and that of the program it is. */
const programMark = '/'

/** Returns the path for `--replay` from the counterexample of a failed property. */
export function replayPathOf(counterexample: unknown): string | undefined {
  const path = memberOf(counterexample, 'path')
  return typeof path === 'string' ? path : undefined
}

/** Values of a property if neither the user nor the case gives a number. */
const defaultRuns = 20
/** Smaller values tried at most, once one has failed, and the longest time for it in milliseconds. */
const shrinkBudget = { candidates: 40, ms: 10_000 } as const

export interface PropertyRunnerOptions {
  readonly seed: number
  /** The run's `--runs`, which beats the case's own number. */
  readonly runs: number | undefined
  /** False: the first failure is reported as it was found. */
  readonly shrink: boolean
  /** The path of a counterexample that was reported with the same seed: it alone is tried, and no smaller one is looked for. */
  readonly replayPath?: string | undefined
  /** The counterexample of the run before, in a rerun: it is tried first, and if it fails again no smaller one is looked for. */
  readonly earlier?: Counterexample | undefined
  /** Values are tried one after the other. */
  readonly isOneByOne?: boolean
  /** Values tried concurrently unless a property sets its own number (default 1). */
  readonly atOnce?: number | undefined
  readonly signal: AbortSignal
}

/** A runner with the seed of one case. */
export function createPropertyRunner({
  seed,
  runs,
  shrink,
  replayPath,
  earlier,
  isOneByOne = false,
  atOnce: usualAtOnce = 1,
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
    const isReplayed = path !== undefined
    const numRuns = runs ?? options.runs ?? defaultRuns
    const examples =
      options.examples === undefined ? {} : { examples: options.examples.map((example): [T] => [example as T]) }
    await confirm(earlier, { given, predicate, seed, examples })
    const { atOnce = usualAtOnce } = options
    const ahead =
      atOnce > 1 && !isOneByOne && !isReplayed
        ? new TriedAhead(fc.sample(fc.tuple(arbitrary), { seed, numRuns, ...(examples as object) }), {
            atOnce,
            signal,
            attempt: ([value]) =>
              predicate(
                value,
                createChecks((mismatch) => {
                  throw new CheckFailed([mismatch])
                }),
              ),
          })
        : undefined
    const property = fc.asyncProperty(arbitrary, async (value) => {
      signal.throwIfAborted()
      const tried = failedAt === undefined ? ahead?.next([value]) : undefined
      if (failedAt !== undefined) {
        isCutOff ||= ++candidates > shrinkBudget.candidates || Date.now() - failedAt > shrinkBudget.ms
        // Counts as a success, so that the search ends.
        if (isCutOff) return
      }
      const requireThat = createChecks((mismatch) => {
        failedAt ??= Date.now()
        throw new CheckFailed([mismatch])
      })
      try {
        await tried?.catch(async (first: unknown) => {
          // A program has a trace only after it ran itself, and shrinking needs that trace.
          if (typeof given === 'function') {
            await ahead?.settled()
            await predicate(value, requireThat)
          }
          throw first
        })
        if (tried === undefined) await predicate(value, requireThat)
      } catch (error) {
        // A value that could not be tried is not a smaller counterexample, nor a reason to search for one.
        if (!(error instanceof CheckFailed) && failedAt !== undefined) return
        // Smaller values would end the target too, or make it hang as long.
        isCutOff ||= !(error instanceof CheckFailed) || error.mismatches.some(({ fatal }) => fatal === true)
        failedAt ??= Date.now()
        // Values that still run must not disturb the next ones.
        await ahead?.settled()
        throw error
      } finally {
        isShrinking = failedAt !== undefined
      }
    })
    const details = await fc.check(property, {
      seed,
      numRuns,
      endOnFailure: !shrink || isReplayed,
      ...(isReplayed ? { path } : {}),
      ...examples,
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

/** Tries a counterexample again, and fails with it if it fails. Of another property of the case, it may have no value in this one. */
async function confirm<T>(
  earlier: Counterexample | undefined,
  {
    given,
    predicate,
    seed,
    examples,
  }: {
    readonly given: Parameters<PropertyRunner>[0]
    readonly predicate: (value: T, require: Checks) => Promise<void>
    readonly seed: number
    readonly examples: object
  },
): Promise<void> {
  if (earlier?.seed !== seed) return
  const [path = '', programPath] = earlier.path.split(programMark)
  const arbitrary = (typeof given === 'function' ? given(programPath) : given) as Arbitrary<T>
  let values: readonly [T][] = []
  try {
    values = fc.sample(fc.tuple(arbitrary), { seed, path, numRuns: 1, ...examples })
  } catch {
    return
  }
  for (const [value] of values)
    await predicate(
      value,
      createChecks((mismatch) => {
        throw new CheckFailed([mismatch], earlier)
      }),
    )
}

/** Tries the values of a property, some of them ahead of their turn. */
class TriedAhead<T> {
  readonly #values: readonly T[]
  readonly #atOnce: number
  readonly #signal: AbortSignal
  readonly #attempt: (value: T) => Promise<void>
  readonly #tried: Promise<void>[] = []
  #asked = 0

  constructor(
    values: readonly T[],
    options: {
      readonly atOnce: number
      readonly signal: AbortSignal
      readonly attempt: (value: T) => Promise<void>
    },
  ) {
    this.#values = values
    this.#atOnce = options.atOnce
    this.#signal = options.signal
    this.#attempt = options.attempt
  }

  /** Returns the result of the next value; undefined if it differs from the predicted value. */
  next(value: T): Promise<void> | undefined {
    const index = this.#asked++
    if (index >= this.#values.length || fc.stringify(this.#values[index]) !== fc.stringify(value)) return undefined
    while (this.#tried.length < Math.min(this.#values.length, index + this.#atOnce)) {
      const attempt = this.#attempt(this.#values[this.#tried.length] as T)
      attempt.catch(() => {})
      this.#tried.push(attempt)
    }
    return this.#tried[index]
  }

  /** Resolves once nothing is under way, or the case is over. */
  async settled(): Promise<void> {
    if (!this.#signal.aborted) await Promise.allSettled(this.#tried)
  }
}

/** Returns a program of commands as its text (`Raise(...),Poll(...)`) with its path; other values unchanged. */
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

/** Replaces each bigint by its digits: JSON has no bigint. */
function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(withoutBigInts)
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutBigInts(member)]))
}

/** Returns a random seed: 0 to 2^31 - 2. */
export function randomSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff)
}

/** A 32-bit seed for one case, from the run's seed and the case id, so that selection changes no other case's data. */
export function seedFor(runSeed: number, caseId: string): number {
  let hash = 2166136261 ^ runSeed
  for (let index = 0; index < caseId.length; index++) hash = Math.imul(hash ^ caseId.charCodeAt(index), 16777619)
  return hash | 0
}
