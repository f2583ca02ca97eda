// Merges captures of several machines, whose clocks differ. Each is put on the clock of the service, which its answers (`date`) and its
// deliveries (`webhook-timestamp`) show.
import { toleranceSeconds } from '../../spec/index.js'
import { parseInstant, parseNumber } from '../wire/numbers.js'
import { endOf, headerOf, type TrafficLine } from './record.js'

/** A difference that whole seconds and the way of a message explain. */
const noneMs = 2_000
/** A larger difference is not used: such a receiver would refuse every delivery, or a test deployment has moved its clock. */
const mostMs = toleranceSeconds * 1_000
/** How much the differences within one file may vary. */
const spreadMs = 3_000

/** Yields the lines on the clock of the service, if the first lines show it. */
export async function* onServiceClock(source: AsyncGenerator<TrafficLine[]>): AsyncGenerator<TrafficLine[]> {
  let offsetMs: number | undefined
  for await (const lines of source) {
    const shift = (offsetMs ??= offsetOf(lines))
    yield shift === 0
      ? lines
      : lines.map((line) => ({ ...line, at: new Date(Date.parse(line.at) + shift).toISOString() }))
  }
}

/** By how much the clock of the service is ahead; 0 where that is not clear. */
function offsetOf(lines: readonly TrafficLine[]): number {
  const reported = lines.map(aheadMs).filter((ms) => Number.isFinite(ms))
  const middle = reported.toSorted((a, b) => a - b)[reported.length >> 1] ?? 0
  const isClear = reported.every((ms) => Math.abs(ms - middle) <= spreadMs)
  return isClear && Math.abs(middle) > noneMs && Math.abs(middle) <= mostMs ? Math.round(middle) : 0
}

/** Both times are of whole seconds, half a second early on the average. */
function aheadMs(line: TrafficLine): number {
  if (line.kind === 'exchange' && line.response !== undefined)
    return parseInstant(headerOf(line.response, 'date') ?? '') + 500 - endOf(line)
  if (line.kind !== 'delivery') return Number.NaN
  return parseNumber(headerOf(line.request, 'webhook-timestamp')) * 1_000 + 500 - Date.parse(line.at)
}
