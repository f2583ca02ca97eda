// CLI-041, CLI-043 to CLI-045: the time at which an email is sent.
//
// Reading: a date object is an instant, and so is the time in a phrase; ISO 8601 reads a time without a zone as local: that string is not
// the instant. A string is the caller's, so no script gives one without a zone, and UTC is assumed of the request for one. Fractions of a
// second may be left out.

import type { RequirementId } from '../../../spec/index.js'
import { memberOf } from '../../../harness/authoring.js'
import type { Fault, ObservedCall } from './script.js'

const unitMinutes: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440 }
/** How far the time of a phrase may be from the clock of this machine, in minutes. */
const phraseMinutes = 2
const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/
const zonedForm = /T.*(?:z|[+-]\d\d(?::?\d\d)?)$/i

/** Returns the faults in the `scheduled_at` of an object that was sent, for the one that was given. */
export function findTimeFaults(
  what: string,
  {
    given,
    sent,
    call,
    requirement,
  }: {
    readonly given: unknown
    readonly sent: unknown
    readonly call: ObservedCall
    readonly requirement: RequirementId
  },
): readonly Fault[] {
  const alias = memberOf(given, 'scheduledAt')
  const time = alias ?? memberOf(given, 'scheduled_at')
  const got = memberOf(sent, 'scheduled_at')
  const date = memberOf(time, '$date')
  const minutes = minutesOf(time)
  const ofForm: RequirementId = minutes === undefined ? 'CLI-043' : 'CLI-044'
  const blames = [...(alias === undefined ? [] : ['CLI-045' as const]), ofForm, requirement]
  const fault = (expected: string): readonly Fault[] => [{ blames, what: `scheduled_at of ${what}`, expected, got }]
  if (time === undefined) return got === undefined || got === null ? [] : fault('none')
  if (minutes !== undefined && got === time) return []
  if (typeof got !== 'string' || !isoForm.test(got)) return fault('an ISO 8601 string')
  if ((date !== undefined || minutes !== undefined) && !zonedForm.test(got)) return fault('a time with its zone')
  if (minutes !== undefined) {
    const dueAt = performance.timeOrigin + call.beganAt + minutes * 60_000
    return Math.abs(instantOf(got) - dueAt) <= phraseMinutes * 60_000 ? [] : fault(`${minutes} minutes from now`)
  }
  const due = Date.parse(String(date ?? time))
  return [due, Math.floor(due / 1_000) * 1_000].includes(instantOf(got)) ? [] : fault(new Date(due).toISOString())
}

/** Returns the minutes of a phrase such as `in 2 hours`. */
function minutesOf(time: unknown): number | undefined {
  const [, count, unit = ''] = /^in (\d+) (minute|hour|day)s?$/.exec(String(time)) ?? []
  return count === undefined ? undefined : Number(count) * (unitMinutes[unit] ?? 0)
}

/** Returns an instant in milliseconds since 1970, UTC where the text names no zone. */
function instantOf(text: string): number {
  const written = text.replace(',', '.').replace(/(T.*[+-]\d\d)$/, '$1:00')
  return Date.parse(/(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(written) || !written.includes(':') ? written : `${written}Z`)
}
