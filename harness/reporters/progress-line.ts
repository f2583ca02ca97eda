import type picocolors from 'picocolors'
import { readableMs } from '../service/capability-sources.js'

/** The progress of a run. */
export interface Progress {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly errored: number
  readonly skipped: number
  readonly unconfirmed: number
  /** Time until the run is expected to end, in milliseconds. */
  readonly leftMs?: number | undefined
  /** The case that has been running longest. */
  readonly waitsFor?: string | undefined
}

interface ProgressLayout {
  readonly paint: ReturnType<typeof picocolors.createColors>
  /** Width that the line must not exceed: a broken line could not be cleared. */
  readonly columns?: number | undefined
}

/** Least room in which a part of a case's id is still useful, in columns. */
const narrowest = 20

/** A shorter time left is not shown, in milliseconds. */
const leastShownMs = 2_000

/** Rounds a time in milliseconds to what an estimate is worth: seconds, then five seconds, then half minutes. */
function roundedMs(ms: number): number {
  const step = ms < 20_000 ? 1_000 : ms < 120_000 ? 5_000 : 30_000
  return Math.ceil(ms / step) * step
}

/** Formats one line of progress: the case is cut to fit, other parts that do not fit are left out. */
export function progressLine(progress: Progress, { paint, columns = Infinity }: ProgressLayout): string {
  const { total, passed, failed, errored, skipped, unconfirmed, leftMs = 0, waitsFor } = progress
  const plain = (text: string) => text
  const parts: readonly (readonly [text: string, colour: (text: string) => string])[] = [
    [`${passed + failed + errored + skipped}/${total}`, plain],
    [`${passed} passed`, paint.green],
    [`${failed} failed`, failed > 0 ? paint.red : plain],
    ...(unconfirmed > 0 ? [[`${unconfirmed} unconfirmed`, paint.yellow] as const] : []),
    ...(errored > 0 ? [[`${errored} errored`, paint.yellow] as const] : []),
    ...(skipped > 0 ? [[`${skipped} skipped`, plain] as const] : []),
    ...(leftMs >= leastShownMs ? [[`about ${readableMs(roundedMs(leftMs))} left`, plain] as const] : []),
  ]
  let width = 0
  const shown = parts.filter(([text]) => {
    width += text.length + 2
    return width < columns
  })
  const line = shown.map(([text, colour]) => colour(text)).join('  ')
  const room = columns - 1 - width
  if (waitsFor === undefined || room < narrowest) return line
  const text = `running ${waitsFor}`
  return `${line}  ${paint.dim(text.length > room ? `${text.slice(0, room - 1)}…` : text)}`
}
