// The one place that reads numbers, seconds and dates from outside. Every text is limited before it is parsed, and every result is in the
// range of a date, so that no caller can loop over it for ever or fail to print it.

/** A number with more digits is not a number of seconds, milliseconds, microseconds or nanoseconds since 1970, and not a length. */
const maxDigits = 19
/** Longer texts are not dates. */
const maxDateLength = 64
/** Largest distance from 1970 that a `Date` holds, in milliseconds (ECMA-262, 21.4.1.1). */
const maxInstantMs = 8.64e15
/** From here on a number of seconds is a number of milliseconds: the year 5138. */
export const millisecondsFrom = 1e11

/** A date and a time of day, in the forms of ISO 8601 and with a blank between, as databases write them. */
const written =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:[.,](\d+))?\s*(?:(Z|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)?$/i

/**
 * Returns a date as milliseconds since the epoch; NaN for any other text. Without a zone it is UTC, as the services that write it mean it:
 * `Date.parse` would use the zone of this machine.
 */
export function parseInstant(text: string): number {
  if (text.length > maxDateLength) return Number.NaN
  const parts = written.exec(text.trim())
  if (parts === null) return Date.parse(text)
  const [, year, month, day, hour, minute, second = '00', fraction = '0', , zoneHour = '+00', zoneMinute = '00'] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zoneHour}:${zoneMinute}`)
}

/** Returns a text of digits alone as a number; NaN for any other text, and for more digits than any count or time has. */
export function parseWholeNumber(text: string | undefined): number {
  return text !== undefined && text.length <= maxDigits && /^\d+$/.test(text) ? Number(text) : Number.NaN
}

/** Returns a JSON value that is a number, or a text of one, as a number; NaN for anything else and beyond the range of a date. */
export function parseNumber(value: unknown): number {
  const isShort = typeof value === 'string' && value.length <= maxDateLength && value.trim() !== ''
  const number = typeof value === 'number' || isShort ? Number(value) : Number.NaN
  return isInstant(number) ? number : Number.NaN
}

/** Returns the Unix seconds that a text of seconds, of a smaller unit or of a date means; undefined where it means none. */
export function parseSeconds(text: string): number | undefined {
  if (/^\d{1,19}(\.\d{1,19})?$/.test(text)) {
    let value = Number(text)
    // At most three times: 19 digits of nanoseconds are seconds after that.
    while (value >= millisecondsFrom) value /= 1000
    return Math.floor(value)
  }
  const instant = parseInstant(text)
  return /^\d{4}-|GMT$/.test(text) && !Number.isNaN(instant) ? Math.floor(instant / 1000) : undefined
}

/** Whether a number of milliseconds since 1970 is a date. */
export function isInstant(ms: number): boolean {
  return Math.abs(ms) <= maxInstantMs
}
