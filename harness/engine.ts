import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import { suiteOf, type Case, type CaseTools } from './case.js'
import { CaseErrored, CaseSkipped, CheckFailed, createChecks, describeMismatch, timingMark } from './check.js'
import type { KnownFailures } from './known-failures.js'
import { LoopWatch } from './loop-watch.js'
import { createPropertyRunner, seedFor } from './property.js'
import type { CaseResult, Mismatch } from './result.js'
import type { OpenedContext, Subject } from './subject.js'

export interface EngineOptions {
  readonly seed: number
  /** Runs of each property; the case's own number where absent. */
  readonly runs?: number
  /** Whether the counterexample of a failed property is made small (default true). */
  readonly shrink?: boolean
  readonly concurrency?: number
  /** Longest time of one case, in milliseconds (default 60 s). */
  readonly timeoutMs?: number
  /** Stop after the first failure that counts: one of a `must` case that is not known. */
  readonly bail?: boolean
  readonly knownFailures?: KnownFailures
  /** How often a case that did not pass while this process stood still is asked again (default 2). */
  readonly mostRepeats?: number
  /** Ends the run: cases under way are cut, the rest is not started. */
  readonly signal?: AbortSignal
  /** The command that runs one case again, without secrets. */
  readonly reproduce?: (caseId: string) => string
  readonly onCaseStart?: (id: string) => void
  readonly onCaseEnd?: (result: CaseResult) => void
}

const defaultTimeoutMs = 60_000

/**
 * Runs the cases against the subject and resolves to their results in catalogue order; never rejects for a case. Once the
 * subject is lost, no further case is asked.
 */
export async function runCases<Context>(
  cases: readonly Case<Context>[],
  subject: Subject<Context>,
  options: EngineOptions,
): Promise<CaseResult[]> {
  const results = new Map<string, CaseResult>()
  const bail = new AbortController()
  const signal = AbortSignal.any([bail.signal, ...(options.signal === undefined ? [] : [options.signal])])
  setMaxListeners(0, signal)
  const runOne = async (definition: Case<Context>) => {
    if (signal.aborted) return
    options.onCaseStart?.(definition.id)
    const kept = definition.phase === 'last' ? undefined : subject.finished?.(definition.id)
    const result = kept ?? (await askPatiently(definition, subject, { ...options, signal, loopWatch }))
    if (signal.aborted && result.status === 'errored') return
    results.set(definition.id, result)
    subject.keep?.(result)
    options.onCaseEnd?.(result)
    if (subject.lost !== undefined) bail.abort()
    const counts = result.status === 'failed' && result.level === 'must' && !result.known_failure
    if (options.bail === true && counts) bail.abort()
  }
  const limit = pLimit(options.concurrency ?? subject.concurrency)
  const loopWatch = new LoopWatch()
  const first = cases.filter((each) => each.phase !== 'last').sort((a, b) => (b.timeoutMs ?? 0) - (a.timeoutMs ?? 0))
  try {
    await limit.map(first, runOne)
    await limit.map(
      cases.filter((each) => each.phase === 'last'),
      runOne,
    )
  } finally {
    loopWatch.end()
  }
  return cases.flatMap((each) => results.get(each.id) ?? [])
}

type CaseOptions = EngineOptions & { readonly signal: AbortSignal; readonly loopWatch: LoopWatch }

/** A stall from which on a case that did not pass is asked again, in milliseconds: shorter ones make nothing come too late. */
const repeatFromMs = 150
/** A case that took longer is not asked again, in milliseconds. */
const longestRepeatedMs = 120_000

/**
 * Runs a case, and again where it did not pass while this process stood still: the endpoints of a run are in this process
 * too, so that a delivery may have gone unanswered for no fault of the target. What deviates does so every time.
 */
async function askPatiently<Context>(
  definition: Case<Context>,
  subject: Subject<Context>,
  options: CaseOptions,
): Promise<CaseResult> {
  for (let left = options.mostRepeats ?? 2; ; left--) {
    const startedAt = performance.now()
    const result = await runCase(definition, subject, options)
    const mayBeNoise =
      (result.status === 'failed' || result.status === 'errored') &&
      options.loopWatch.longestSince(startedAt) > repeatFromMs &&
      result.duration_ms < longestRepeatedMs
    if (!mayBeNoise || left === 0 || options.signal.aborted || subject.lost !== undefined) return result
  }
}

async function runCase<Context>(
  definition: Case<Context>,
  subject: Subject<Context>,
  { signal: runSignal, loopWatch, ...options }: CaseOptions,
): Promise<CaseResult> {
  const startedAt = performance.now()
  const base = {
    id: definition.id,
    suite: suiteOf(definition.id),
    title: definition.title,
    level: definition.level,
    requirements: definition.requirements,
  }
  const done = (rest: Pick<CaseResult, 'status'> & Partial<CaseResult>): CaseResult => ({
    ...base,
    known_failure: rest.status === 'failed' && options.knownFailures?.forgives(definition.id) === true,
    duration_ms: Math.round(performance.now() - startedAt),
    ...rest,
  })
  const lacking = definition.needs.map((need) => subject.lacks(need, definition)).find((reason) => reason !== undefined)
  if (lacking !== undefined) return done({ status: 'skipped', reason: lacking })

  const mismatches: Mismatch[] = []
  const measurements: Record<string, unknown> = {}
  const cleanups: (() => Promise<void>)[] = []
  const timeoutMs = definition.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs
  const caseEnd = new AbortController()
  const signal = AbortSignal.any([caseEnd.signal, runSignal])
  setMaxListeners(0, signal)
  const tools = createTools(definition.id, mismatches, measurements, cleanups, options, signal)
  let opened: OpenedContext<Context> | undefined
  let ended: Ending
  try {
    ended = await withinTime(timeoutMs, signal, caseEnd, async () => {
      opened = await subject.open(tools, definition.id)
      await definition.run(opened.context)
    })
  } finally {
    caseEnd.abort()
  }
  const loopDelayMs = loopWatch.longestSince(startedAt)
  const judged = judge(ended, mismatches, definition, loopDelayMs)
  const absence = judged.status === 'failed' ? await subject.absence?.(startedAt, runSignal) : undefined
  const outcome = absence === undefined ? judged : erroredBy(`nothing was learnt: ${absence}`)
  const evidence = outcome.status === 'passed' || outcome.status === 'skipped' ? [] : (opened?.exchanges() ?? [])
  for (const action of [opened?.close, ...cleanups].reverse())
    await withinTime(cleanupMs, new AbortController().signal, new AbortController(), async () => action?.())
  const again =
    outcome.status === 'failed' || outcome.status === 'errored' ? options.reproduce?.(definition.id) : undefined
  return subject.secrets.redactResult(
    done({
      ...outcome,
      ...(again === undefined ? {} : { reproduce: again }),
      ...(evidence.length === 0 ? {} : { exchanges: evidence }),
      ...(Object.keys(measurements).length === 0 ? {} : { measurements }),
    }),
  )
}

/** Longest time one clean-up action may take, in milliseconds. */
const cleanupMs = 10_000

type Ending =
  | { readonly kind: 'ended' }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }

async function withinTime(
  timeoutMs: number,
  signal: AbortSignal,
  end: AbortController,
  action: () => Promise<void>,
): Promise<Ending> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<Ending>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timeout', timeoutMs }), timeoutMs)
    signal.addEventListener(
      'abort',
      () => resolve({ kind: 'threw', error: new CaseErrored('the run was interrupted') }),
      {
        once: true,
      },
    )
  })
  const ran = action().then(
    (): Ending => ({ kind: 'ended' }),
    (error: unknown): Ending => ({ kind: 'threw', error }),
  )
  const ending = await Promise.race([ran, over])
  clearTimeout(timer)
  if (ending.kind === 'timeout') end.abort()
  return ending
}

/** Delay of the event loop beyond which times measured by this process prove nothing, in milliseconds. */
const loopDelayLimitMs = 400

function judge(
  ended: Ending,
  collected: readonly Mismatch[],
  definition: Case<never> | Case<unknown>,
  loopDelayMs: number,
): Pick<CaseResult, 'status'> & Partial<CaseResult> {
  const thrown = ended.kind === 'threw' ? ended.error : undefined
  const found = thrown instanceof CheckFailed ? [...collected, ...thrown.mismatches] : collected
  const mismatches = loopDelayMs > loopDelayLimitMs ? beforeMeasured(found) : found
  const [firstMismatch] = mismatches
  if (firstMismatch === undefined && found.length > 0) {
    const reason = `this machine was too busy to judge a time (its event loop stood still for ${Math.round(loopDelayMs)} ms)`
    return { status: 'errored', reason }
  }
  if (firstMismatch !== undefined) {
    const violates = [...new Set(mismatches.flatMap((each) => each.requirement ?? definition.requirements))]
    return {
      status: 'failed',
      message: describeMismatch(firstMismatch),
      violates,
      checks: mismatches,
      ...(thrown instanceof CheckFailed && thrown.counterexample !== undefined
        ? { counterexample: thrown.counterexample }
        : {}),
    }
  }
  if (ended.kind === 'ended') return { status: 'passed' }
  if (ended.kind === 'timeout') return erroredBy(`the case did not end within ${ended.timeoutMs} ms`)
  if (thrown instanceof CaseSkipped) return { status: 'skipped', reason: thrown.message }
  return erroredBy(thrown instanceof Error ? thrown.message : String(thrown))
}

/** What was found before the first measured mismatch: later ones may follow from it. */
function beforeMeasured(found: readonly Mismatch[]): readonly Mismatch[] {
  const first = found.findIndex((each) => each.what.includes(timingMark))
  return first === -1 ? found : found.slice(0, first)
}

function erroredBy(reason: string): Pick<CaseResult, 'status'> & Partial<CaseResult> {
  return { status: 'errored', message: reason, reason }
}

function createTools(
  caseId: string,
  mismatches: Mismatch[],
  measurements: Record<string, unknown>,
  cleanups: (() => Promise<void>)[],
  options: EngineOptions,
  signal: AbortSignal,
): CaseTools {
  const runMark = Date.now().toString(36)
  let count = 0
  return {
    check: createChecks((mismatch) => mismatches.push(mismatch)),
    require: createChecks((mismatch) => {
      throw new CheckFailed([mismatch])
    }),
    property: createPropertyRunner({
      seed: seedFor(options.seed, caseId),
      runs: options.runs,
      shrink: options.shrink ?? true,
      signal,
    }),
    unique: () => `c${(seedFor(options.seed, caseId) >>> 0).toString(36)}x${runMark}x${(count++).toString(36)}`,
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
