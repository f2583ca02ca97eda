import fc, { type Arbitrary } from 'fast-check'
import { memberOf } from './wire/exchange.js'
import { CheckFailed, createChecks, type Checks } from './check.js'

export interface PropertyOptions {
  /** Runs where the user does not say (default 20). */
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
  /** No values are tried side by side. */
  readonly isOneByOne?: boolean
  readonly signal: AbortSignal
}

/** A runner with the seed of one case. */
export function createPropertyRunner({
  seed,
  runs,
  shrink,
  replayPath,
  isOneByOne = false,
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
      options.examples === undefined ? {} : { examples: options.examples.map((each): [T] => [each as T]) }
    const { atOnce = 1 } = options
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
        // Taken for one that holds, so that the search comes to its end.
        if (isCutOff) return
      }
      const requireThat = createChecks((mismatch) => {
        failedAt ??= Date.now()
        throw new CheckFailed([mismatch])
      })
      try {
        await tried?.catch(async (first: unknown) => {
          // A program tells what it did only where it was run itself, and what it did is what is made smaller.
          if (typeof given === 'function') {
            await ahead?.settled()
            await predicate(value, requireThat)
          }
          throw first
        })
        if (tried === undefined) await predicate(value, requireThat)
      } catch (error) {
        // What could not be asked is no smaller counterexample, and none to look for smaller ones of.
        if (!(error instanceof CheckFailed) && failedAt !== undefined) return
        isCutOff ||= !(error instanceof CheckFailed)
        failedAt ??= Date.now()
        // What is under way is not in the way of what is tried next.
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

/** Tries the values a property will ask for, some of them ahead of their turn. */
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

  /** What came of the next value; undefined where it is another than was foreseen. */
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

/** A seed nobody chose: 0 to 2^31 - 2. */
export function randomSeed(): number {
  return Math.floor(Math.random() * 0x7fffffff)
}

/** A 32-bit seed for one case, from the run's seed and the case id, so that selection changes no other case's data. */
export function seedFor(runSeed: number, caseId: string): number {
  let hash = 2166136261 ^ runSeed
  for (let index = 0; index < caseId.length; index++) hash = Math.imul(hash ^ caseId.charCodeAt(index), 16777619)
  return hash | 0
}
