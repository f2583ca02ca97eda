import { setMaxListeners } from 'node:events'
import { suiteOf, type Case } from './case.js'
import { isControl, type Doubt } from './judge.js'
import type { KnownFailures } from './known-failures.js'
import { sideBySide } from './lanes.js'
import { LoopWatch } from './loop-watch.js'
import { isHopeless, lostOfASecond, MachineLoad } from './machine-load.js'
import { withoutConsequences } from './not-judged.js'
import type { CaseResult, Mismatch } from './result.js'
import { baseOf, runCase, type Asked } from './run-case.js'
import type { Subject } from './subject.js'

export interface EngineOptions {
  /** Seed of the random data, 0 to 2^32 - 1: the same seed gives each case the same data. */
  readonly seed: number
  /** Random values tried for each property (default: what the case says, else 20). */
  readonly runs?: number
  /** The path of a counterexample, as the command that reproduces it has it: the property tries this value alone. */
  readonly replayPath?: string
  /** Whether a smaller counterexample is looked for once a property has failed (default true). */
  readonly shrink?: boolean
  /** Cases side by side, from the beginning; by default as many as the target takes and this machine keeps up with. */
  readonly concurrency?: number
  /** Longest time of one case, in milliseconds (default 60 s). */
  readonly timeoutMs?: number
  /** Stop after the first failure that counts: one of a `must` case that is not known. */
  readonly bail?: boolean
  /** Failures that are reported and do not count. */
  readonly knownFailures?: KnownFailures
  /** How often a case whose result is in doubt is run again (default: what the target says, else 2); 0 runs each case once. */
  readonly maxRepeats?: number
  /** Ends the run: cases under way are cut off, the rest is not started. */
  readonly signal?: AbortSignal
  /** The command that runs one case again, without secrets; with the path of its counterexample, where it has one. */
  readonly reproduce?: (caseId: string, replayPath?: string) => string
  /** Called each time a case begins: again, where it is run again. */
  readonly onCaseStart?: (id: string) => void
  /** Called with a failure that is not told yet: it is to be confirmed alone, or may follow from another one. */
  readonly onCaseHeld?: (result: CaseResult) => void
  /** Called once for each case, with its final result. */
  readonly onCaseEnd?: (result: CaseResult) => void
}

const defaultRepeats = 2
/** If this process stood still for longer, in milliseconds, something that did not come in time proves nothing; the shortest wait is 1 s. */
const hopelessStallMs = 2_000

/**
 * Runs the cases against the subject and resolves to their results in catalogue order; never rejects for a case. Once the
 * subject is lost, no further case is asked.
 */
export async function runCases<Context>(
  cases: readonly Case<Context>[],
  subject: Subject<Context>,
  options: EngineOptions,
): Promise<CaseResult[]> {
  const run = new CasesRun(subject, options)
  const first = cases.filter((each) => each.phase !== 'last').sort((a, b) => (b.timeoutMs ?? 0) - (a.timeoutMs ?? 0))
  try {
    await run.ask(first.filter((each) => subject.isAlone?.(each) !== true))
    await run.ask(
      first.filter((each) => subject.isAlone?.(each) === true),
      1,
    )
    await run.ask(cases.filter((each) => each.phase === 'last'))
  } finally {
    run.end()
  }
  return cases.map((each) => run.results.get(each.id) ?? run.notReached(each))
}

/** How often a case is started at most, where an answer was lost each time. */
const maxBeginnings = 5
/**
 * Cases that got no verdict and took longer, in milliseconds, are not run again. `lost`: after a lost answer, at once. `alone`: after a
 * lost answer, alone. `late`: after what came too late to be judged; beside others a case takes many times as long as alone. A failure
 * in doubt is never believed for how long it took.
 */
const longestMs = { lost: 120_000, alone: 80_000, late: 240_000 } as const
/** Once this many doubtful failures were confirmed alone, and none was not, the rest is believed without another run. */
const convincing = 4
/** The same within one suite, whose cases are alike: this many are enough even where the process stood still during each. */
const convincingInSuite = 4

/** Cases side by side that read late. */
const lateAtOnce = 8

/** So many cases without an answer alone too, and none that had one, and the rest is left as it is. */
const convincinglyLost = 4

/** One run of the engine: the cases side by side, then those in doubt one by one, then what remains of the failures. */
class CasesRun<Context> {
  readonly results = new Map<string, CaseResult>()
  readonly #subject: Subject<Context>
  readonly #options: EngineOptions
  readonly #loopWatch = new LoopWatch()
  /** Undefined where each case is run once: nothing would be run again on a calmer machine. */
  readonly #machine: MachineLoad | undefined
  readonly #bail = new AbortController()
  readonly #signal: AbortSignal
  /** How often a case whose result is in doubt is asked again. */
  readonly #maxRepeats: number
  #confirmed = 0
  #overturned = 0
  /** Cases whose answer was lost alone too; -Infinity once one had its answer then. */
  #stayedLost = 0
  /** Confirmed failures of each suite; -Infinity once one of its cases passed when it was run again. */
  readonly #confirmedIn = new Map<string, number>()

  constructor(subject: Subject<Context>, options: EngineOptions) {
    this.#subject = subject
    this.#options = options
    this.#maxRepeats = options.maxRepeats ?? subject.maxRepeats ?? defaultRepeats
    this.#machine = this.#isPatient ? new MachineLoad() : undefined
    this.#signal = AbortSignal.any([this.#bail.signal, ...(options.signal === undefined ? [] : [options.signal])])
    setMaxListeners(0, this.#signal)
  }

  /**
   * Runs cases side by side, at most `most` at once. A result in doubt is held back until the case was run again alone, and a failure
   * that may follow from another one until all are known.
   */
  async ask(cases: readonly Case<Context>[], most = Infinity): Promise<void> {
    const held: (Asked & { readonly definition: Case<Context> })[] = []
    const { concurrency } = this.#options
    const askOne = async (definition: Case<Context>): Promise<void> => {
      if (this.#signal.aborted) return
      this.#options.onCaseStart?.(definition.id)
      const kept = definition.phase === 'last' ? undefined : this.#subject.finished?.(definition.id)
      const asked = kept === undefined ? await this.#askUntilAnswered(definition) : { result: kept, doubt: undefined }
      if (this.#signal.aborted && (asked.result.status === 'errored' || asked.doubt !== undefined)) return
      const isHeld = this.#isPatient && (asked.doubt !== undefined || mayBeConsequence(asked.result))
      if (isHeld) {
        held.push({ ...asked, definition })
        if (asked.result.status === 'failed') this.#options.onCaseHeld?.(asked.result)
      } else this.#tell(asked.result)
    }
    await sideBySide(cases, askOne, {
      max: Math.min(concurrency ?? this.#subject.concurrency, most),
      isFixed: concurrency !== undefined || most === 1,
      watch: this.#loopWatch,
    })
    const believed = most === 1 ? [] : await this.#askLate(held)
    const settled = new Set(believed.map(({ id }) => id))
    for (const { definition, ...asked } of held) {
      if (settled.has(definition.id)) continue
      const result = asked.doubt === undefined ? asked.result : await this.#askAlone(definition, asked)
      if (result !== undefined) believed.push(result)
    }
    const told = new Set(this.results.keys())
    for (const result of withoutConsequences([...this.results.values(), ...believed]))
      if (!told.has(result.id)) this.#tell(result)
  }

  /** The result of a case that the run ended before. */
  notReached(definition: Case<Context>): CaseResult {
    const { lost, secrets } = this.#subject
    const why = lost ?? (this.#bail.signal.aborted ? 'the run stops at the first failure' : 'the run was ended before')
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

  #tell(result: CaseResult): void {
    const { bail, onCaseEnd } = this.#options
    this.results.set(result.id, result)
    this.#subject.keep?.(result)
    onCaseEnd?.(result)
    if (this.#subject.lost !== undefined) this.#bail.abort()
    const counts = result.status === 'failed' && result.level === 'must' && !result.known_failure
    if (bail === true && counts) this.#bail.abort()
  }

  /** Runs a case, from its beginning again where an answer was lost on the way. */
  async #askUntilAnswered(definition: Case<Context>, doubt?: Doubt): Promise<Asked> {
    for (let left = this.#isPatient ? maxBeginnings : 1; ; left--) {
      const asked = await this.#askOnce(definition, doubt)
      const isOver = asked.doubt !== 'lost' || left <= 1 || this.#isEnding || isLonger(asked, longestMs.lost)
      if (this.#subject.lost !== undefined) this.#bail.abort()
      if (isOver) return asked
    }
  }

  /**
   * Runs the cases again that read something from behind, a few side by side: what they do most is to wait before they read. Returns
   * what is beyond doubt then; the others are run once more while no other runs.
   */
  async #askLate(held: readonly (Asked & { readonly definition: Case<Context> })[]): Promise<CaseResult[]> {
    const settled: CaseResult[] = []
    const askOne = async (definition: Case<Context>): Promise<void> => {
      if (this.#isEnding) return
      const { result, doubt } = await this.#askUntilAnswered(definition, 'stale')
      if (doubt !== undefined || result.status === 'errored') return
      settled.push(result)
      this.#learnt(result)
    }
    const stale = held.filter(({ doubt }) => doubt === 'stale').map(({ definition }) => definition)
    const max = Math.min(lateAtOnce, this.#options.concurrency ?? this.#subject.concurrency)
    await sideBySide(stale, askOne, { max, isFixed: true, watch: this.#loopWatch })
    return settled
  }

  /** Whether a doubtful failure showed again says how far the next ones are believed. */
  #learnt({ id, status }: CaseResult): void {
    const suite = suiteOf(id)
    if (status === 'failed') this.#confirmed++
    else this.#overturned++
    this.#confirmedIn.set(suite, status === 'failed' ? (this.#confirmedIn.get(suite) ?? 0) + 1 : -Infinity)
  }

  /** Runs a case again while no other runs; undefined where the run ended before that gave a result. */
  async #askAlone(definition: Case<Context>, earlier: Asked): Promise<CaseResult | undefined> {
    if (earlier.doubt === 'lost') return this.#askForLost(definition, earlier)
    const ofSuite = this.#confirmedIn.get(suiteOf(definition.id)) ?? 0
    const isOwn = earlier.doubt === 'late' || earlier.doubt === 'stale'
    const isConvinced = this.#confirmed >= convincing && this.#overturned === 0 && !isOwn
    const hasNoEnd = earlier.result.status === 'errored' && isLonger(earlier, longestMs.late)
    if (isConvinced || (ofSuite >= convincingInSuite && earlier.doubt !== 'stale') || hasNoEnd) return earlier.result
    let asked = earlier
    for (let left = this.#maxRepeats; left > 0; left--) {
      if (this.#isEnding) return undefined
      asked = await this.#askUntilAnswered(definition, earlier.doubt)
      if (asked.doubt !== 'late' && asked.doubt !== 'slow') break
    }
    if (this.#isEnding && asked.result.status === 'errored') return undefined
    this.#learnt(asked.result)
    return asked.result
  }

  /** Answers that are lost beside other cases may come alone: a gateway may close connections beyond a number. */
  async #askForLost(definition: Case<Context>, earlier: Asked): Promise<CaseResult | undefined> {
    if (this.#stayedLost >= convincinglyLost || isLonger(earlier, longestMs.alone)) return earlier.result
    if (this.#isEnding) return earlier.result
    const { result, doubt } = await this.#askUntilAnswered(definition, 'lost')
    if (this.#isEnding && result.status === 'errored') return undefined
    this.#stayedLost = doubt === 'lost' ? this.#stayedLost + 1 : -Infinity
    return result
  }

  get #isPatient(): boolean {
    return this.#maxRepeats > 0
  }

  get #isEnding(): boolean {
    return this.#signal.aborted || this.#subject.lost !== undefined
  }

  /** `doubt`: why it is asked again, alone. */
  #askOnce(definition: Case<Context>, doubt: Doubt | undefined): Promise<Asked> {
    return runCase(definition, this.#subject, {
      ...this.#options,
      isGentle: doubt === 'crowded' || doubt === 'lost',
      readsLate: doubt === 'stale',
      isPatient: this.#isPatient,
      signal: this.#signal,
      stallSince: (since) =>
        Math.max(this.#loopWatch.longestSince(since), lostOfASecond(this.#machine?.crowdSince(since) ?? 0)),
      patience: () => this.#machine?.patience ?? 1,
      isTooBusy: (since) =>
        this.#loopWatch.longestSince(since) > hopelessStallMs || isHopeless(this.#machine?.crowdSince(since) ?? 0),
    })
  }
}

function isLonger({ result }: Asked, ms: number): boolean {
  return result.duration_ms >= ms
}

/** Whether a failure may follow from another one. */
function mayBeConsequence({ status, checks, requirements }: CaseResult): boolean {
  const rests = (each: Mismatch) => each.rests_on !== undefined || isControl(each, requirements)
  return status === 'failed' && checks?.some(rests) === true
}
