import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { suiteOf, type Case, type CaseTools } from './case.js'
import { CaseTime, type Ending } from './case-time.js'
import { CaseSkipped, createChecks, createRequire } from './check.js'
import type { EngineOptions } from './engine.js'
import { Findings } from './findings.js'
import type { Doubt } from './doubt/doubts.js'
import { erroredBy, judge, skippedBy, type Judgement } from './judge.js'
import { findMissingOfCase } from './missing-capability.js'
import { createPropertyRunner, replayPathOf, seedFor, type Counterexample } from './property.js'
import { runMark } from './run-mark.js'
import { runAs } from './running-case.js'
import type { CaseResult } from './result.js'
import type { OpenedContext, Subject } from './subject.js'
import { caseWaits } from './waits.js'
import { WallClockWatch } from './wall-clock.js'

const defaultTimeoutMs = 60_000

/** The outcome of one run of a case. */
export interface CaseRun {
  readonly result: CaseResult
  readonly doubt: Doubt | undefined
}

/** How a case runs: the user's options, and the present state of this machine. */
type CaseOptions = EngineOptions & {
  readonly signal: AbortSignal
  /** The values of a property are tried one by one, however many the case would try side by side. */
  readonly isGentle: boolean
  /** See {@link CaseTools.readsLate}. */
  readonly readsLate: boolean
  /** Whether a doubtful failure is rerun. */
  readonly isPatient: boolean
  /** See {@link CaseTools.stopsEarly}. */
  readonly stopsEarly: boolean
  /** The counterexample for which the case is rerun. */
  readonly earlier?: Counterexample | undefined
  /** Returns the longest stall of this process since `since` (of `performance.now()`), in milliseconds. */
  readonly stallSince: (since: number) => number
  /** How many times as long as on a calm machine to wait now; at least 1. */
  readonly patience: () => number
  /** Whether the machine was busier since `since` (of `performance.now()`) than patience makes up for. */
  readonly isTooBusy: (since: number) => boolean
}

/** Runs a case once: opens its context, runs it, judges the outcome, and cleans up. Never rejects because of the target. */
export async function runCase<Context>(
  definition: Case<Context>,
  subject: Subject<Context>,
  {
    signal: runSignal,
    stallSince,
    patience,
    isTooBusy,
    isGentle,
    readsLate,
    isPatient,
    stopsEarly,
    earlier,
    ...options
  }: CaseOptions,
): Promise<CaseRun> {
  const startedAt = performance.now()
  const done = (rest: Pick<CaseResult, 'status'> & Partial<CaseResult>): CaseResult => ({
    ...baseOf(definition),
    known_failure: rest.status === 'failed' && options.knownFailures?.forgives(definition.id) === true,
    duration_ms: Math.round(performance.now() - startedAt),
    ...rest,
  })
  const missing =
    findMissingOfCase(definition, (need) => subject.findMissing(need, definition)) ?? subject.gate?.(definition)
  if (missing !== undefined) return { result: done(skippedBy(missing)), doubt: undefined }

  const findings = new Findings(definition.dependsOn)
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
    isGentle,
    readsLate,
    stopsEarly,
    earlier,
    valuesAtOnce: subject.valuesAtOnce,
  })
  let opened: OpenedContext<Context> | undefined
  let ended: Ending
  const waits = caseWaits()
  try {
    ended = await waits.run(() =>
      time.run(signal, caseEnd, async () => {
        opened = await subject.open(tools, definition.id)
        const { context } = opened
        await runAs(definition.id, () => definition.run(context))
      }),
    )
  } finally {
    caseEnd.abort()
  }
  const judged = judge(findings.ending(ended), findings.mismatches, definition, {
    stallMs: Math.max(stallSince(startedAt), findings.lateMs),
    heldBackMs: opened?.heldBackMs?.() ?? 0,
    slowestMs: opened?.slowestMs?.() ?? 0,
    wasTurnedAway: opened?.wasTurnedAway?.() ?? false,
    isOfTime: (mismatch) => findings.isOfTime(mismatch),
    isCertain: (mismatch) => findings.isCertain(mismatch),
  })
  const present = await unlessAbsent(judged, { subject, startedAt, signal: runSignal })
  const { outcome, doubt: found } = unlessClockWasSet(present, definition, startedAt)
  const mayBeStale = isPatient && !readsLate && outcome.status === 'failed'
  const isStale = mayBeStale && (await opened?.wasStale?.(runSignal)) === true
  const doubt = isStale ? 'stale' : found
  const { status, counterexample } = outcome
  // Read before the context is closed, which sends requests of its own.
  const evidence = status === 'failed' || status === 'errored' ? (opened?.evidence.records() ?? []) : []
  await waits.run(() => cleanUp([...(opened === undefined ? [] : [opened.close]), ...cleanups]))
  options.onExchanges?.(subject.secrets.redactExchanges(opened?.evidence.wholeRecords() ?? []), definition)
  const again =
    status === 'failed' || status === 'errored'
      ? options.reproduce?.(definition.id, replayPathOf(counterexample))
      : undefined
  const insight = status === 'failed' ? subject.insight?.(definition) : undefined
  const waited = waits.recorded()
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

/** Returns the fields that each result of a case has, whatever its outcome. */
export function baseOf({ id, title, level, requirements }: Pick<Case, 'id' | 'title' | 'level' | 'requirements'>) {
  return { id, suite: suiteOf(id), title, level, requirements }
}

/** The judgement, unless the target was away meanwhile: then a failure proves nothing. */
async function unlessAbsent<Context>(
  judged: Judgement,
  { subject, startedAt, signal }: { subject: Subject<Context>; startedAt: number; signal: AbortSignal },
): Promise<Judgement> {
  const isFailed = judged.outcome.status === 'failed'
  // Check the subject also after a lost answer: no request shows that a connection was refused to a stream.
  if (!isFailed && judged.doubt !== 'lost') return judged
  const absence = await subject.absence?.(startedAt, signal)
  if (!isFailed || absence === undefined) return judged
  return { outcome: erroredBy(`no result: ${absence}`), doubt: undefined }
}

/** Requirements whose cases compare times of day: schedules, retries, signatures and their freshness. */
const comparesTimes = /^(?:RTY|SIG|RCV|SDR|SND)-/
/** Since this process began to run cases. */
const wallClock = new WallClockWatch()

/** The judgement, unless the clock of this machine was set while the case ran, or before a case that compares times of day. */
function unlessClockWasSet(
  judged: Judgement,
  { requirements }: Pick<Case, 'requirements'>,
  startedAt: number,
): Judgement {
  if (judged.outcome.status !== 'failed') return judged
  const since = requirements.some((id) => comparesTimes.test(id)) ? Number.NEGATIVE_INFINITY : startedAt
  const setMs = wallClock.setSince(since)
  if (setMs === 0) return judged
  const seconds = `${Math.abs(Math.round(setMs / 1000))} s ${setMs > 0 ? 'forward' : 'back'}`
  const why = `the clock of this machine was set ${seconds} during the run, so a time of day cannot be judged`
  return { outcome: erroredBy(`${why}: ${judged.outcome.message ?? ''}`), doubt: undefined }
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
  readonly isGentle: boolean
  readonly readsLate: boolean
  readonly stopsEarly: boolean
  readonly earlier: Counterexample | undefined
  readonly valuesAtOnce: number | undefined
}

/** Contexts made so far: a case that is run again gets other marks. */
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
  isGentle,
  readsLate,
  stopsEarly,
  earlier,
  valuesAtOnce,
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
      earlier,
      shrink: options.shrink ?? true,
      isOneByOne: isGentle,
      atOnce: valuesAtOnce,
      signal,
    }),
    unique: () =>
      `c${(seedFor(options.seed, caseId) >>> 0).toString(36)}x${runMark}x${opening}x${(count++).toString(36)}`,
    skip: (reason) => {
      throw new CaseSkipped(reason)
    },
    leaveToOthers: (reason) => {
      throw new CaseSkipped(reason, { isForOthers: true })
    },
    measure: (name, value) => {
      measurements[name] = value
    },
    cleanup: (action) => {
      cleanups.push(action)
    },
    readsLate,
    keepsEveryExchange: options.onExchanges !== undefined,
    stopsEarly,
    signal,
  }
}
