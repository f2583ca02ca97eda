import { counted } from '../counted.js'
import type { CaseResult, LikelyCause } from '../result.js'
import { parseInstant } from '../wire/numbers.js'

/** A clock that differs by less is on time, in seconds: what an answer takes, and a Date header that is rounded, lie within. */
const onTimeSeconds = 60
/** Failures that a wrong clock of the target explains. */
const ofTime: readonly string[] = ['RCV-001', 'RCV-006', 'RCV-007', 'SIG-002', 'SIG-005', 'SDR-003']

/** Detects a target whose clock is off, by the Date header of its answers, if a requirement about time fails. */
export function clockCause({ failed }: { readonly failed: readonly CaseResult[] }): LikelyCause | undefined {
  const cases = failed.filter((result) => (result.violates ?? []).some((id) => ofTime.includes(id)))
  const offsets = cases
    .flatMap((result) => result.exchanges ?? [])
    .filter((exchange) => exchange.direction === 'sent')
    .flatMap(({ response, started_at, duration_ms }) => {
      const reported = parseInstant(response?.headers['date'] ?? '')
      return Number.isNaN(reported) ? [] : [(reported - (Date.parse(started_at) + duration_ms)) / 1000]
    })
    .toSorted((a, b) => a - b)
  const middle = offsets[Math.floor(offsets.length / 2)]
  if (middle === undefined || Math.abs(middle) < onTimeSeconds) return undefined
  return {
    cause: 'clock',
    text: `The clock of the target is ${readable(Math.abs(middle))} ${middle < 0 ? 'behind' : 'ahead'}, by the Date header of its answers.`,
    remedy: 'Set the clock of the target, or of this machine, by NTP.',
    cases: cases.map((result) => result.id),
  }
}

function readable(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return counted(minutes, 'minute')
  return `${Math.round(minutes / 6) / 10} hours`
}
