import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Case } from './case.js'
import type { Ending } from './case-time.js'
import { AnswerLost, CaseSkipped, CheckFailed, describeMismatch, TooBusy } from './check.js'
import type { Doubt } from './doubt/doubts.js'
import type { MissingCapability } from './missing-capability.js'
import type { CaseResult, Mismatch } from './result.js'

export interface Judgement {
  readonly outcome: Pick<CaseResult, 'status'> & Partial<CaseResult>
  readonly doubt: Doubt | undefined
}

export interface Circumstances {
  /** The longest stall of the run during the case, in milliseconds. */
  readonly stallMs: number
  /** How long the target had requests wait that it answered with 429, in milliseconds. */
  readonly heldBackMs: number
  /** Delay of the target's slowest answer, in milliseconds. */
  readonly slowestMs: number
  /** Whether the target, or a gateway instead of it, may have refused because of other requests. */
  readonly wasTurnedAway: boolean
  /** Whether a mismatch is about a time that was too short where the run was late itself. */
  readonly isOfTime: (mismatch: Mismatch) => boolean
  /** Whether a late process cannot have caused a mismatch. */
  readonly isCertain: (mismatch: Mismatch) => boolean
}

/** From this stall on a case that did not pass is rerun, in milliseconds: shorter stalls make nothing late. */
const repeatFromMs = 150
/** Beyond this delay of the event loop or of requests, measurements and waits prove nothing, in milliseconds. */
const lateMs = 400

/** An answer so late, in milliseconds, may let the first delay before a retry (5 s) pass while a case waits for it. */
const slowMs = 3_000

/** Derives the outcome of a case from its ending and its mismatches. */
export function judge(
  ended: Ending,
  collected: readonly Mismatch[],
  { requirements }: Pick<Case, 'requirements'>,
  { stallMs, heldBackMs, slowestMs, wasTurnedAway, isOfTime, isCertain }: Circumstances,
): Judgement {
  const delayMs = Math.max(stallMs, heldBackMs)
  const thrown = ended.kind === 'threw' ? ended.error : undefined
  const found = thrown instanceof CheckFailed ? [...collected, ...thrown.mismatches] : collected
  const isLate = delayMs > lateMs
  const mismatches = beforeDoubtful(found, (mismatch) => isLate && isOfTime(mismatch))
  const [first] = mismatches
  if (first !== undefined) {
    const outcome = {
      status: 'failed' as const,
      ...(mismatches.some((mismatch) => mismatch.fatal) ? { level: 'must' as const } : {}),
      ...failureFields(mismatches, requirements),
      ...(thrown instanceof CheckFailed && thrown.counterexample !== undefined
        ? { counterexample: thrown.counterexample }
        : {}),
    }
    return {
      outcome,
      doubt: mismatches.every(isCertain)
        ? undefined
        : doubtOf(mismatches, requirements, { delayMs, slowestMs, wasTurnedAway }),
    }
  }
  const [doubtful] = found
  if (doubtful?.kind === 'no-answer') return { outcome: erroredBy(describeMismatch(doubtful)), doubt: 'lost' }
  if (doubtful !== undefined) {
    const why =
      heldBackMs > stallMs
        ? `the target limits the rate (429), so that a time cannot be judged (requests waited for ${Math.round(heldBackMs)} ms)`
        : `this machine was too busy to measure a time (it stalled for ${Math.round(stallMs)} ms)`
    return { outcome: erroredBy(`${why}: ${describeMismatch(doubtful)}`), doubt: 'late' }
  }
  const late = delayMs > repeatFromMs ? ('late' as const) : undefined
  if (ended.kind === 'ended') return { outcome: { status: 'passed' }, doubt: undefined }
  if (ended.kind === 'timeout')
    return { outcome: erroredBy(`the case did not end within ${ended.timeoutMs} ms`), doubt: late }
  if (thrown instanceof CaseSkipped) return { outcome: skippedBy(thrown.missing), doubt: undefined }
  if (thrown instanceof AnswerLost) return { outcome: erroredBy(wordsOf(thrown)), doubt: 'lost' }
  return { outcome: erroredBy(wordsOf(thrown)), doubt: thrown instanceof TooBusy ? 'late' : late }
}

/** Returns the fields of a result for the mismatches that count. */
export function failureFields(
  mismatches: readonly Mismatch[],
  requirements: CaseResult['requirements'],
): Pick<CaseResult, 'message' | 'violates' | 'checks'> {
  const [first] = mismatches
  return {
    ...(first === undefined ? {} : { message: describeMismatch(first) }),
    violates: [...new Set(mismatches.flatMap((mismatch) => mismatch.requirement ?? requirements))],
    checks: mismatches,
  }
}

export function skippedBy({ reason, isForOthers, see }: MissingCapability): Judgement['outcome'] {
  return {
    status: 'skipped',
    reason,
    ...(isForOthers === true ? { for_others: true } : {}),
    ...(see === undefined ? {} : { not_judged: { see } }),
  }
}

export function erroredBy(reason: string): Judgement['outcome'] {
  return { status: 'errored', message: reason, reason }
}

/** Returns whether a mismatch is about a precondition of the case and not about a requirement that it tests. */
export function isControl({ requirement }: Mismatch, requirements: CaseResult['requirements']): boolean {
  return requirement !== undefined && !requirements.includes(requirement)
}

/** Returns the mismatches before the first that proves nothing: later ones may follow from it. */
function beforeDoubtful(found: readonly Mismatch[], isExcused: (mismatch: Mismatch) => boolean): readonly Mismatch[] {
  const first = found.findIndex((mismatch) => mismatch.kind === 'no-answer' || isExcused(mismatch))
  return first === -1 ? found : found.slice(0, first)
}

function doubtOf(
  mismatches: readonly Mismatch[],
  requirements: CaseResult['requirements'],
  {
    delayMs,
    slowestMs,
    wasTurnedAway,
  }: Pick<Circumstances, 'slowestMs' | 'wasTurnedAway'> & { readonly delayMs: number },
): Doubt | undefined {
  if (delayMs > repeatFromMs) return 'late'
  if (wasTurnedAway) return 'crowded'
  if (mismatches.every(({ kind }) => kind === 'measured')) return 'waited'
  if (mismatches.every((mismatch) => isControl(mismatch, requirements))) return 'control'
  return slowestMs > slowMs ? 'slow' : undefined
}

/** Where the kit's own files lie: in the package its `dist`. */
const kit = fileURLToPath(new URL('../', import.meta.url))

/** An error of a case of the user's own, of a library or of ours, with the place where it was thrown: who wrote it can mend it. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A `UsageError` is about the user's input, for example a journal on a full disk.
  if (error.name === 'CaseErrored' || error.name === 'UsageError') return error.message
  const places = [...(error.stack ?? '').matchAll(/^ +at (?:.*[ (])?((?:[a-z]+:)?[^\s(:]+:\d+:\d+)\)?$/gim)].map(
    ([, place = '']) => (place.startsWith('file:') ? fileURLToPath(place) : place),
  )
  const errorText = `${error.name}: ${error.message}`
  const theirs = places.find((place) => !/^node:|[\\/]node_modules[\\/]/.test(place) && !place.startsWith(kit))
  if (theirs !== undefined) return `the case itself threw (${errorText}, ${shortPlace(theirs)}): mend it there`
  const [first] = places
  return `a check of the kit itself failed (${errorText}${first === undefined ? '' : `, ${shortPlace(first)}`}); please report it`
}

/** The file with its folders next to it: the rest is of one machine. */
function shortPlace(place: string): string {
  return place.split(sep).slice(-3).join('/')
}
