import { answerTimeMs } from '../../spec/index.js'
import { latestAfter } from '../attempt-requirements.js'
import type { CaseTools } from '../case.js'
import type { Checks } from '../check.js'
import type { Attempt } from '../sink/attempt.js'
import type { SeenAttempt, SentEvent } from './attempts.js'

/** How early an attempt may be, in milliseconds. */
const earlyMs = 1_000
/** Wait beyond the limit, so that the delay of a late attempt can be reported, in milliseconds. */
const graceMs = 2_000
/** Longest wait for a forbidden attempt, in milliseconds. */
const longestQuietMs = 600_000

interface Watched {
  readonly event: SentEvent
  readonly delayMs: number
  readonly check: Checks
  readonly tools: CaseTools
  /** Returns the longest stall of this process since then (of `performance.now()`), in milliseconds. */
  readonly stallSince: (since: number) => number
  /** Resolves to whether `condition` held within `withinMs`. */
  readonly until: (condition: () => boolean, withinMs: number) => Promise<boolean>
}

/** Waits for attempt `number`: a delay counts from the start or the end of the attempt before. */
export async function expectNext({
  event,
  number,
  delayMs,
  check,
  tools,
  stallSince,
  until,
}: Watched & { readonly number: number }): Promise<SeenAttempt | undefined> {
  const done = tools.waiting()
  const since = performance.now()
  // A delay far longer than the stalls of this process has another cause.
  const judging = (offMs: number) => (offMs > 2 * stallSince(since) ? check : check.measured)
  try {
    const before = event.seen[number - 2]
    if (before === undefined) return undefined
    const what = `attempt ${number}, ${seconds(delayMs)} after attempt ${number - 1}`
    const { begunAt: startedAt } = before.attempt
    const hasCome = () => event.seen.length >= number
    const end = await endOf(before.attempt, until, hasCome)
    let latest = end.at + latestAfter(delayMs)
    await until(hasCome, latest + graceMs - Date.now())
    // What the HTTP library made again is part of the attempt, which ends with it.
    if (before.resent !== undefined) {
      latest = (await endOf(before.resent, until, hasCome)).at + latestAfter(delayMs)
      await until(hasCome, latest + graceMs - Date.now())
    }
    const next = event.seen[number - 1]
    if (next === undefined) {
      judging(graceMs).fail(what, `within ${seconds(latest - startedAt)} of its start`, 'no such attempt')
      return undefined
    }
    // A slow body began in time.
    const { begunAt } = next.attempt
    // An unanswered attempt fails only when the answer time is over.
    const earliest = startedAt + Math.max(delayMs, end.isTimeout ? answerTimeMs : 0) - earlyMs
    if (begunAt < earliest)
      judging(earliest - begunAt).fail(
        what,
        `no earlier than ${seconds(earliest - startedAt)}`,
        seconds(begunAt - startedAt),
      )
    if (begunAt > latest)
      judging(begunAt - latest).fail(what, `no later than ${seconds(latest - startedAt)}`, seconds(begunAt - startedAt))
    return next
  } finally {
    done()
  }
}

/** Waits until the latest time of a next attempt. */
export async function expectNone({
  event,
  count,
  delayMs,
  check,
  tools,
  until,
}: Omit<Watched, 'stallSince'> & { readonly count: number }): Promise<void> {
  const done = tools.waiting()
  try {
    const last = event.seen[count - 1]
    if (last === undefined) return
    const endMs = (await endOf(last.attempt, until, () => event.seen.length > count)).at + latestAfter(delayMs)
    await until(() => event.seen.length > count, Math.min(endMs - Date.now(), longestQuietMs))
    check.ok('attempts in all', event.seen.length <= count, String(count), event.seen.length)
  } finally {
    done()
  }
}

/** When an attempt ended: with its answer, or when its sender gave it up, or its time was over. */
async function endOf(
  attempt: Attempt,
  until: Watched['until'],
  isFollowed: () => boolean,
): Promise<{ readonly at: number; readonly isTimeout: boolean }> {
  const isTimeout = attempt.isUnanswered
  let closedAt: number | undefined
  void attempt.closed.then((at) => (closedAt = at))
  await Promise.race([attempt.closed, until(isFollowed, attempt.arrivedAt + answerTimeMs - Date.now())])
  const at = closedAt ?? Date.now()
  return { at: isTimeout ? Math.max(at, attempt.arrivedAt) : at, isTimeout }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
