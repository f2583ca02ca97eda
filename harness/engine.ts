import { setMaxListeners } from 'node:events'
import type { Case } from './case.js'
import { simplestCases, startOrder } from './case-order.js'
import { reruns } from './doubt/doubts.js'
import { HeldCases, type Held } from './doubt/held-cases.js'
import type { KnownFailures } from './known-failures.js'
import { runInLanes, type NextTask, type Task } from './lanes.js'
import { LoopWatch } from './loop-watch.js'
import { isOverloaded, msLostPerSecond, MachineLoad } from './machine-load.js'
import { listDependencies, shownElsewhere, withoutConsequences } from './not-judged.js'
import type { Counterexample } from './property.js'
import type { CaseResult, ExchangeRecord } from './result.js'
import { baseOf, runCase, type CaseRun } from './run-case.js'
import type { Subject } from './subject.js'

export interface EngineOptions {
  /** Seed of the random data, 0 to 2^32 - 1: the same seed gives each case the same data. */
  readonly seed: number
  /** Random values tried for each property (default: the number in the case, else 20). */
  readonly runs?: number
  /** The path of a counterexample, as the command that reproduces it has it: the property tries this value alone. */
  readonly replayPath?: string
  /** Whether a smaller counterexample is looked for once a property has failed (default true). */
  readonly shrink?: boolean
  /** Cases side by side, from the beginning; by default as many as the target takes and this machine keeps up with. */
  readonly concurrency?: number
  /** Longest time of one case, in milliseconds (default 60 s). */
  readonly timeoutMs?: number
  /** Stop after this many failures that count: those of `must` cases that are not known. */
  readonly maxFailures?: number
  /** The same as `maxFailures: 1`. */
  readonly bail?: boolean
  /** Failures that are reported and do not count. */
  readonly knownFailures?: KnownFailures
  /** How often a case with a doubtful result is rerun (default: the target's number, else 2); 0 runs each case once. */
  readonly maxRepeats?: number
  /** Ends the run: cases under way are cut off, the rest is not started. */
  readonly signal?: AbortSignal
  /** The command that runs one case again, without secrets; with the path of its counterexample, where it has one. */
  readonly reproduce?: (caseId: string, replayPath?: string) => string
  /** Called with the redacted exchanges of each run of a case, and with those outside the cases; without it only the last ones are kept. */
  readonly onExchanges?: ExchangesListener
  /** Called each time a case begins: again, where it is run again. */
  readonly onCaseStart?: (id: string) => void
  /** Called with a failure that is not reported yet: it needs a rerun alone, or may follow from another failure. */
  readonly onCaseHeld?: (result: CaseResult) => void
  /** Called once for each case, with its final result. */
  readonly onCaseEnd?: (result: CaseResult) => void
}

export type ExchangesListener = (
  exchanges: readonly ExchangeRecord[],
  ofCase: Pick<CaseResult, 'id' | 'title'> | undefined,
) => void

const defaultRepeats = 2
/** After a stall of this process of more than this many milliseconds, a missing event proves nothing; the shortest wait is 1 s. */
const hopelessStallMs = 2_000

/**
 * Runs the cases against the subject and resolves to their results in catalogue order; never rejects for a case. Once the subject is lost,
 * the remaining cases are not run.
 */
export async function runCases<Context>(
  cases: readonly Case<Context>[],
  subject: Subject<Context>,
  options: EngineOptions,
): Promise<CaseResult[]> {
  const run = new CasesRun(cases, subject, options)
  const first = startOrder(cases.filter((testCase) => testCase.phase !== 'last'))
  const isAlone = (testCase: Case<Context>) => subject.isAlone?.(testCase) === true
  try {
    await run.run(first.filter((testCase) => !isAlone(testCase)))
    await run.run(first.filter(isAlone), 1)
    await run.run(cases.filter((testCase) => testCase.phase === 'last'))
  } finally {
    run.end()
  }
  options.onExchanges?.(subject.secrets.redactExchanges(subject.outside?.records() ?? []), undefined)
  return cases.map((testCase) => run.results.get(testCase.id) ?? run.notReached(testCase))
}

/** How often a case is started at most, where an answer was lost each time. */
const maxBeginnings = 5
/** A case that lost an answer and took longer, in milliseconds, is not started again at once. */
const longestLostMs = 120_000

/** One run of the engine: first runs and reruns, concurrently as far as their doubt allows, and when each result is final. */
class CasesRun<Context> {
  readonly results = new Map<string, CaseResult>()
  readonly #subject: Subject<Context>
  readonly #options: EngineOptions
  readonly #loopWatch = new LoopWatch()
  /** Undefined where each case is run once: nothing would be run again on a calmer machine. */
  readonly #machine: MachineLoad | undefined
  readonly #bail = new AbortController()
  readonly #maxFailures: number
  /** Failures so far that count towards `#maxFailures`. */
  #failures = 0
  readonly #signal: AbortSignal
  readonly #isPatient: boolean
  readonly #held: HeldCases<Context>
  readonly #simplest: ReadonlyMap<string, readonly string[]>
  /** Cases whose result is not final, of those that run now. */
  readonly #open = new Set<string>()
  readonly #announced = new Set<string>()
  /** Failures that are certain, and may follow from another one that is not known yet. */
  readonly #certain = new Map<string, CaseResult>()

  constructor(cases: readonly Case<Context>[], subject: Subject<Context>, options: EngineOptions) {
    this.#subject = subject
    this.#options = options
    this.#maxFailures = options.bail === true ? 1 : (options.maxFailures ?? Infinity)
    const maxRepeats = options.maxRepeats ?? subject.maxRepeats ?? defaultRepeats
    this.#isPatient = maxRepeats > 0
    this.#machine = this.#isPatient ? new MachineLoad() : undefined
    this.#signal = AbortSignal.any([this.#bail.signal, ...(options.signal === undefined ? [] : [options.signal])])
    setMaxListeners(0, this.#signal)
    this.#simplest = simplestCases(cases)
    this.#held = new HeldCases({
      maxRepeats,
      few: subject.calmWidth ?? 1,
      isFolded: (result) => this.#isFolded(result),
      shownElsewhere: (result) => shownElsewhere(result, this.results.values()),
      isWaiting: (result) => this.#isOpen(result),
    })
  }

  /**
   * Runs cases concurrently, at most `most` at once. A result in doubt is held back until its rerun, a failure that may follow from
   * another one until that one is known.
   */
  async run(cases: readonly Case<Context>[], most = Infinity): Promise<void> {
    const queue = [...cases]
    for (const { id } of cases) this.#open.add(id)
    const { concurrency } = this.#options
    const max = Math.min(concurrency ?? this.#subject.concurrency, most)
    const next: NextTask = (mayStart) => {
      if (this.#isEnding) return undefined
      const rerun = this.#held.next(mayStart, queue.length > 0)
      if (rerun === 'wait') return undefined
      if (rerun !== undefined) return { run: () => this.#rerun(rerun.held, rerun.company), company: rerun.company }
      return mayStart(Infinity) ? this.#firstRun(queue.shift()) : undefined
    }
    await runInLanes(next, { max, isFixed: concurrency !== undefined || most === 1, watch: this.#loopWatch })
    for (const result of this.#held.takeRest()) this.#certain.set(result.id, result)
    this.#reportFinalResults(true)
    this.#open.clear()
  }

  /** The result of a case that the run ended before. */
  notReached(definition: Case<Context>): CaseResult {
    const { lost, secrets } = this.#subject
    const stop =
      this.#maxFailures === 1
        ? 'the run stops at the first failure'
        : `the run stops after ${this.#maxFailures} failures`
    const why = lost ?? (this.#bail.signal.aborted ? stop : 'the run was ended before')
    return secrets.redactResult({
      ...baseOf(definition),
      status: 'skipped',
      known_failure: false,
      duration_ms: 0,
      not_reached: true,
      reason: `not reached: ${why}`,
    })
  }

  end(): void {
    this.#loopWatch.end()
    this.#machine?.end()
  }

  #firstRun(definition: Case<Context> | undefined): Task | undefined {
    return definition === undefined ? undefined : { run: () => this.#runFirst(definition), company: Infinity }
  }

  async #runFirst(definition: Case<Context>): Promise<void> {
    this.#options.onCaseStart?.(definition.id)
    const kept = definition.phase === 'last' ? undefined : this.#subject.finished?.(definition.id)
    if (kept !== undefined) return this.#notify(kept)
    const run = await this.#runUntilAnswered(definition)
    if (this.#signal.aborted && (run.result.status === 'errored' || run.doubt !== undefined)) return
    if (run.doubt === undefined || !this.#isPatient) this.#addResult(run.result)
    else {
      this.#held.add({ definition, ...run, doubt: run.doubt })
      this.#announce(run.result)
    }
    this.#addBelieved()
  }

  async #rerun(held: Held<Context>, company: number): Promise<void> {
    const { definition } = held
    this.#options.onCaseStart?.(definition.id)
    const run = await this.#runUntilAnswered(definition, held)
    const isCutOff = this.#isEnding && (run.result.status === 'errored' || run.doubt !== undefined)
    const finalResult = this.#held.ended(held, { ...run, company, isCutOff })
    if (finalResult !== undefined) this.#addResult(finalResult)
    this.#addBelieved()
  }

  /** Settles the results that need no rerun, as far as is known now. */
  #addBelieved(): void {
    for (const result of this.#held.takeBelieved()) this.#addResult(result)
  }

  /** Takes a result that no rerun will change. */
  #addResult(result: CaseResult): void {
    const mayBeConsequence = this.#isPatient && result.status === 'failed' && listDependencies(result).length > 0
    if (mayBeConsequence) this.#certain.set(result.id, result)
    else this.#notify(result)
    this.#reportFinalResults()
    if (this.#certain.has(result.id)) this.#announce(result)
  }

  /** Reports a failure that is not final, once. */
  #announce(result: CaseResult): void {
    if (result.status !== 'failed' || this.#announced.has(result.id)) return
    this.#announced.add(result.id)
    this.#options.onCaseHeld?.(result)
  }

  /** Reports the failures whose causes are known: by now, or, where everything `isOver`, all of them. */
  #reportFinalResults(isOver = false): void {
    for (let isNews = true; isNews && this.#certain.size > 0;) {
      const judged = withoutConsequences([...this.results.values(), ...this.#certain.values()])
      const final = judged.filter(({ id }) => {
        const own = this.#certain.get(id)
        return own !== undefined && (isOver || !this.#isOpen(own) || this.#isFolded(own))
      })
      isNews = final.length > 0
      for (const result of final) {
        this.#certain.delete(result.id)
        this.#notify(result)
      }
    }
  }

  /** Whether a requirement that the failure depends on is still being checked by one of its simplest cases. */
  #isOpen(result: CaseResult): boolean {
    return listDependencies(result).some((requirement) =>
      this.#simplest.get(requirement)?.some((id) => id !== result.id && this.#open.has(id)),
    )
  }

  /** Whether failures that were reported explain the whole of this one. */
  #isFolded(result: CaseResult): boolean {
    if (result.status !== 'failed') return false
    const judged = withoutConsequences([...this.results.values(), result]).at(-1)
    return judged?.not_judged !== undefined
  }

  #notify(result: CaseResult): void {
    const { onCaseEnd } = this.#options
    this.results.set(result.id, result)
    this.#open.delete(result.id)
    this.#subject.keep?.(result)
    onCaseEnd?.(result)
    if (this.#subject.lost !== undefined) this.#bail.abort()
    const counts = result.status === 'failed' && result.level === 'must' && !result.known_failure
    if (counts && ++this.#failures >= this.#maxFailures) this.#bail.abort()
  }

  /** Runs a case, from its beginning again where an answer was lost on the way. */
  async #runUntilAnswered(definition: Case<Context>, held?: Held<Context>): Promise<CaseRun> {
    for (let left = this.#isPatient ? maxBeginnings : 1; ; left--) {
      const run = await this.#runOnce(definition, held)
      const isLong = run.result.duration_ms >= longestLostMs
      const isOver = run.doubt !== 'lost' || left <= 1 || this.#isEnding || isLong
      if (this.#subject.lost !== undefined) this.#bail.abort()
      if (isOver) return run
    }
  }

  get #isEnding(): boolean {
    return this.#signal.aborted || this.#subject.lost !== undefined
  }

  /** `held`: the result for which it is run again. */
  #runOnce(definition: Case<Context>, held: Held<Context> | undefined): Promise<CaseRun> {
    const how = held === undefined ? 'as before' : reruns[held.doubt].how
    return runCase(definition, this.#subject, {
      ...this.#options,
      isGentle: how === 'gently',
      readsLate: how === 'reading late',
      isPatient: this.#isPatient,
      stopsEarly: this.#isPatient && held === undefined,
      earlier: held?.result.counterexample as Counterexample | undefined,
      signal: this.#signal,
      stallSince: (since) =>
        Math.max(this.#loopWatch.longestSince(since), msLostPerSecond(this.#machine?.crowdSince(since) ?? 0)),
      patience: () => this.#machine?.patience ?? 1,
      isTooBusy: (since) =>
        this.#loopWatch.longestSince(since) > hopelessStallMs || isOverloaded(this.#machine?.crowdSince(since) ?? 0),
    })
  }
}
