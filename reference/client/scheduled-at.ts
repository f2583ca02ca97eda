import { unusable } from './errors.js'

/** When an email is to be sent: ISO 8601, a date object, or a relative phrase (see {@link instantOfPhrase}). */
export type ScheduledAt = string | Date

const unitsMs: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

const isoDate = /^\d{4}-?\d\d-?\d\d([T ]\d\d(:?\d\d(:?\d\d([.,]\d+)?)?)?(Z|[+-]\d\d(:?\d\d)?)?)?$/i

/**
 * The instant of a relative phrase as ISO 8601: `in <count> <unit>`, with a whole count or `a`/`an`, and a unit of
 * second, minute, hour, day or week with or without `s`. Case and spare blanks do not matter. Undefined for anything else.
 */
export function instantOfPhrase(phrase: string, nowMs: number): string | undefined {
  const [, count = '', unit = ''] = /^in\s+(\d{1,6}|an?)\s+(second|minute|hour|day|week)s?$/i.exec(phrase.trim()) ?? []
  const unitMs = unitsMs[unit.toLowerCase()]
  if (unitMs === undefined) return undefined
  return new Date(nowMs + (/^an?$/i.test(count) ? 1 : Number(count)) * unitMs).toISOString()
}

/** Converts one value for the request. */
export interface InstantRules {
  readonly ofDate: (date: Date) => unknown
  readonly ofPhrase: (phrase: string, nowMs: number) => unknown
  readonly nowMs: number
}

/** The value that is sent. Errors: `ServiceError` `invalid_scheduled_at`, before anything is sent. */
export function instantToSend(value: unknown, { ofDate, ofPhrase, nowMs }: InstantRules): unknown {
  if (value === null) return value
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw notAnInstant('an invalid date object')
    return ofDate(value)
  }
  if (typeof value !== 'string') throw notAnInstant(`a ${typeof value}`)
  if (isoDate.test(value)) return value
  const instant = ofPhrase(value, nowMs)
  if (instant === undefined) throw notAnInstant(JSON.stringify(value.slice(0, 100)))
  return instant
}

function notAnInstant(what: string): Error {
  return unusable(
    `scheduled_at is ${what}, which is not an instant.`,
    'Pass ISO 8601 such as 2030-01-31T08:00:00Z, a date object, or a phrase such as "in 2 hours".',
    'invalid_scheduled_at',
  )
}
