import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { suiteOf, type Case, type CaseTools } from './case.js'
import { CaseTime, type Ending } from './case-time.js'
import { CaseSkipped, createChecks, createRequire } from './check.js'
import { Findings } from './findings.js'
import { erroredBy, isControl, judge, type Doubt, type Judgement } from './judge.js'
import type { KnownFailures } from './known-failures.js'
import { sideBySide } from './lanes.js'
import { lackOfCase, wanting } from './lack.js'
import { LoopWatch } from './loop-watch.js'
import { isHopeless, lostOfASecond, MachineLoad } from './machine-load.js'
import { withoutConsequences } from './not-judged.js'
import { createPropertyRunner, replayPathOf, seedFor } from './property.js'
import { runMark } from './run-mark.js'
import type { CaseResult, Mismatch } from './result.js'
import type { OpenedContext, Subject } from './subject.js'
import { caseWaits } from './waits.js'

export interface EngineOptions {
  readonly seed: number
  /** Runs of each property; the case's own number where absent. */
  readonly runs?: number
  /** The path of a counterexample: a property tries it alone. */
  readonly replayPath?: string
  /** Whether the counterexample of a failed property is made small (default true). */
  readonly shrink?: boolean
  readonly concurrency?: number
  /** Longest time of one case, in milliseconds (default 60 s). */
  readonly timeoutMs?: number
  /** Stop after the first failure that counts: one of a `must` case that is not known. */
  readonly bail?: boolean
  readonly knownFailures?: KnownFailures
  /** How often a case whose result is in doubt is asked again (default 2); 0 asks each case once. */
  readonly maxRepeats?: number
  /** Ends the run: cases under way are cut, the rest is not started. */
  readonly signal?: AbortSignal
  /** The command that runs one case again, without secrets; with the path of its counterexample, where it has one. */
  readonly reproduce?: (caseId: string, replayPath?: string) => string
  readonly onCaseStart?: (id: string) => void
  readonly onCaseEnd?: (result: CaseResult) => void
}

const defaultTimeoutMs = 60_000
const defaultRepeats = 2

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

/** What one asking of a case came to. */
interface Asked {
  readonly result: CaseResult
  readonly doubt: Doubt | undefined
}

/** How often a case is begun anew because an answer was lost. */
const maxBeginnings = 5
/**
 * A case that took longer is not begun anew, in milliseconds, nor asked again alone: when what it found stands, and when it
 * came too late to be judged. Beside others it takes many times as long as alone, and without an answer there is no verdict.
 */
const longestMs = { anew: 120_000, alone: 80_000, late: 240_000 } as const
/** So many doubtful failures that showed again alone, and none that did not, and the rest is believed: nobody waits for all of them. */
const convincing = 8
/** The same of one suite, where each of them stood still meanwhile: its cases ask much the same. */
const convincingInSuite = 4

/** One run of the engine: cases side by side, then alone what is in doubt, then what is left of it. */
class CasesRun<Context> {
  readonly results = new Map<string, CaseResult>()
  readonly #subject: Subject<Context>
  readonly #options: EngineOptions
  readonly #loopWatch = new LoopWatch()
  /** Whoever asks each case once has nobody to ask again when the machine is calm. */
  readonly #machine: MachineLoad | undefined
  readonly #bail = new AbortController()
  readonly #signal: AbortSignal
  /** How often a case whose result is in doubt is asked again. */
  readonly #maxRepeats: number
  #confirmed = 0
  #overturned = 0
  /** Of each suite; -Infinity where one of its cases passed when it was asked again. */
  readonly #confirmedIn = new Map<string, number>()

  constructor(subject: Subject<Context>, options: EngineOptions) {
    this.#subject = subject
    this.#options = options
    this.#maxRepeats = options.maxRepeats ?? subject.maxRepeats ?? defaultRepeats
    this.#machine = this.#isPatient ? new MachineLoad() : undefined
    this.#signal = AbortSignal.any([this.#bail.signal, ...(options.signal === undefined ? [] : [options.signal])])
    setMaxListeners(0, this.#signal)
  }

  /** Asks cases side by side, at most so many at once; what is in doubt is asked again alone, and what rests on a failure is told at the end. */
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
      if (isHeld) held.push({ ...asked, definition })
      else this.#tell(asked.result)
    }
    await sideBySide(cases, askOne, {
      max: Math.min(concurrency ?? this.#subject.concurrency, most),
      isFixed: concurrency !== undefined || most === 1,
      watch: this.#loopWatch,
    })
    const believed: CaseResult[] = []
    for (const { definition, ...asked } of held) {
      const result = asked.doubt === undefined ? asked.result : await this.#askAlone(definition, asked)
      if (result !== undefined) believed.push(result)
    }
    const told = new Set(this.results.keys())
    for (const result of withoutConsequences([...this.results.values(), ...believed]))
      if (!told.has(result.id)) this.#tell(result)
  }

  /** A case that is left when the run is ended. */
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

  /** Asks a case, and from its beginning where an answer was lost on the way. */
  async #askUntilAnswered(definition: Case<Context>): Promise<Asked> {
    for (let left = this.#isPatient ? maxBeginnings : 1; ; left--) {
      const asked = await this.#askOnce(definition)
      const isOver = asked.doubt !== 'lost' || left <= 1 || this.#isEnding || isLonger(asked, longestMs.anew)
      if (this.#subject.lost !== undefined) this.#bail.abort()
      if (isOver) return asked.doubt === 'lost' ? { ...asked, doubt: undefined } : asked
    }
  }

  /** Asks a case again while nothing else is asked; undefined where the run ended before that said anything. */
  async #askAlone(definition: Case<Context>, earlier: Asked): Promise<CaseResult | undefined> {
    const suite = suiteOf(definition.id)
    const ofSuite = this.#confirmedIn.get(suite) ?? 0
    const isConvinced = this.#confirmed >= convincing && this.#overturned === 0 && earlier.doubt !== 'late'
    const isLong = isLonger(earlier, longestMs[earlier.result.status === 'errored' ? 'late' : 'alone'])
    if (isConvinced || ofSuite >= convincingInSuite || isLong) return earlier.result
    let asked = earlier
    for (let left = this.#maxRepeats; left > 0; left--) {
      if (this.#isEnding) return undefined
      asked = await this.#askUntilAnswered(definition)
      if (asked.doubt !== 'late') break
    }
    if (this.#isEnding && asked.result.status === 'errored') return undefined
    if (asked.result.status === 'failed') this.#confirmed++
    else this.#overturned++
    this.#confirmedIn.set(suite, asked.result.status === 'failed' ? ofSuite + 1 : -Infinity)
    return asked.result
  }

  get #isPatient(): boolean {
    return this.#maxRepeats > 0
  }

  get #isEnding(): boolean {
    return this.#signal.aborted || this.#subject.lost !== undefined
  }

  #askOnce(definition: Case<Context>): Promise<Asked> {
    return runCase(definition, this.#subject, {
      ...this.#options,
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

/** Whether a failure may rest on another one, so that it is told when all are known. */
function mayBeConsequence({ status, checks, requirements }: CaseResult): boolean {
  const rests = (each: Mismatch) => each.rests_on !== undefined || isControl(each, requirements)
  return status === 'failed' && checks?.some(rests) === true
}

type CaseOptions = EngineOptions & {
  readonly signal: AbortSignal
  /** The longest time the run stood still since then (of `performance.now()`), in milliseconds. */
  readonly stallSince: (since: number) => number
  /** How many times as long as on a calm machine is to be waited now. */
  readonly patience: () => number
  /** Whether the machine was busier since then (of `performance.now()`) than patience makes up for. */
  readonly isTooBusy: (since: number) => boolean
}

/** A stall of our own from which on what was waited for in vain proves nothing, in milliseconds; the shortest wait is 1 s. */
const hopelessStallMs = 2_000

async function runCase<Context>(
  definition: Case<Context>,
  subject: Subject<Context>,
  { signal: runSignal, stallSince, patience, isTooBusy, ...options }: CaseOptions,
): Promise<Asked> {
  const startedAt = performance.now()
  const done = (rest: Pick<CaseResult, 'status'> & Partial<CaseResult>): CaseResult => ({
    ...baseOf(definition),
    known_failure: rest.status === 'failed' && options.knownFailures?.forgives(definition.id) === true,
    duration_ms: Math.round(performance.now() - startedAt),
    ...rest,
  })
  const lack = lackOfCase(definition, (need) => subject.lacks(need, definition)) ?? wanting(subject.gate?.(definition))
  if (lack !== undefined) {
    const { reason, isForOthers } = lack
    const result = done({ status: 'skipped', reason, ...(isForOthers === true ? { for_others: true } : {}) })
    return { result, doubt: undefined }
  }

  const findings = new Findings()
  const measurements: Record<string, unknown> = {}
  const cleanups: (() => Promise<void>)[] = []
  const time = new CaseTime(definition.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs)
  const caseEnd = new AbortController()
  const signal = AbortSignal.any([caseEnd.signal, runSignal])
  setMaxListeners(0, signal)
  const busyness = { patience, isTooBusy: () => isTooBusy(startedAt) }
  const tools = createTools({
    caseId: definition.id,
    findings,
    measurements,
    cleanups,
    options,
    signal,
    time,
    busyness,
  })
  let opened: OpenedContext<Context> | undefined
  let ended: Ending
  const waits = caseWaits()
  try {
    ended = await waits.run(() =>
      time.run(signal, caseEnd, async () => {
        opened = await subject.open(tools, definition.id)
        await definition.run(opened.context)
      }),
    )
  } finally {
    caseEnd.abort()
  }
  const judged = judge(findings.ending(ended), findings.mismatches, definition, {
    stallMs: Math.max(stallSince(startedAt), findings.lateMs),
    heldBackMs: opened?.heldBackMs?.() ?? 0,
    isOfTime: (each) => findings.isOfTime(each),
  })
  const { outcome, doubt } = await unlessAbsent(judged, { subject, startedAt, signal: runSignal })
  const { status, counterexample } = outcome
  // Read before the context is closed, which sends requests of its own.
  const evidence = status === 'failed' || status === 'errored' ? (opened?.exchanges() ?? []) : []
  await waits.run(() => cleanUp([...(opened === undefined ? [] : [opened.close]), ...cleanups]))
  const again =
    status === 'failed' || status === 'errored'
      ? options.reproduce?.(definition.id, replayPathOf(counterexample))
      : undefined
  const insight = status === 'failed' ? subject.insight?.(definition) : undefined
  const waited = waits.told()
  const measured = { ...measurements, ...insight, ...(waited === undefined ? {} : { waits: waited }) }
  const result = subject.secrets.redactResult(
    done({
      ...outcome,
      ...(again === undefined ? {} : { reproduce: again }),
      ...(evidence.length === 0 ? {} : { exchanges: evidence }),
      ...(Object.keys(measured).length === 0 ? {} : { measurements: measured }),
    }),
  )
  return { result, doubt }
}

/** What stands in the result of a case, whatever becomes of it. */
function baseOf({ id, title, level, requirements }: Pick<Case, 'id' | 'title' | 'level' | 'requirements'>) {
  return { id, suite: suiteOf(id), title, level, requirements }
}

/** The judgement, unless the target was away meanwhile: then a failure proves nothing. */
async function unlessAbsent<Context>(
  judged: Judgement,
  { subject, startedAt, signal }: { subject: Subject<Context>; startedAt: number; signal: AbortSignal },
): Promise<Judgement> {
  const isFailed = judged.outcome.status === 'failed'
  // The subject is asked also where an answer was lost: no request tells it of a connection that was refused to a stream.
  if (!isFailed && judged.doubt !== 'lost') return judged
  const absence = await subject.absence?.(startedAt, signal)
  if (!isFailed || absence === undefined) return judged
  return { outcome: erroredBy(`nothing was learnt: ${absence}`), doubt: undefined }
}

/** Longest time one clean-up action may take, in milliseconds. */
const cleanupMs = 10_000

/** Runs each action, the last first. One that throws or takes too long is left to itself, so that the others get their turn. */
async function cleanUp(actions: readonly (() => Promise<void>)[]): Promise<void> {
  for (const action of actions.toReversed()) {
    const over = new AbortController()
    await Promise.race([(async () => action())(), pause(cleanupMs, undefined, over)]).catch(() => {})
    over.abort()
  }
}

interface ToolParts {
  readonly caseId: string
  readonly findings: Findings
  readonly measurements: Record<string, unknown>
  readonly cleanups: (() => Promise<void>)[]
  readonly options: EngineOptions
  readonly signal: AbortSignal
  readonly time: CaseTime
  readonly busyness: { readonly patience: () => number; readonly isTooBusy: () => boolean }
}

/** Contexts made so far: a case that is asked again has other marks. */
let openings = 0

function createTools({
  caseId,
  findings,
  measurements,
  cleanups,
  options,
  signal,
  time,
  busyness,
}: ToolParts): CaseTools {
  const opening = (openings++).toString(36)
  let count = 0
  return {
    check: createChecks((mismatch, isCertain) => findings.add(mismatch, isCertain)),
    require: createRequire(),
    missed: (...requirements) => findings.miss(requirements, busyness.isTooBusy()),
    cutOff: () => findings.cutOff(),
    patience: busyness.patience,
    late: (ms) => findings.late(ms),
    waiting: time.waiting,
    property: createPropertyRunner({
      seed: seedFor(options.seed, caseId),
      runs: options.runs,
      replayPath: options.replayPath,
      shrink: options.shrink ?? true,
      signal,
    }),
    unique: () =>
      `c${(seedFor(options.seed, caseId) >>> 0).toString(36)}x${runMark}x${opening}x${(count++).toString(36)}`,
    skip: (reason) => {
      throw new CaseSkipped(reason)
    },
    measure: (name, value) => {
      measurements[name] = value
    },
    cleanup: (action) => {
      cleanups.push(action)
    },
    signal,
  }
}
