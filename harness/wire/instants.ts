/** A date and a time of day, in the forms of ISO 8601 and with a blank between, as databases write them. */
const written =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:[.,](\d+))?\s*(?:(Z|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)?$/i

/** A time in words as milliseconds since the epoch; NaN when it is none. What names no zone is UTC, on a machine of any zone. */
export function millisecondsOf(text: string): number {
  const parts = written.exec(text.trim())
  if (parts === null) return Date.parse(text)
  const [, year, month, day, hour, minute, second = '00', fraction = '0', , zoneHour = '+00', zoneMinute = '00'] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zoneHour}:${zoneMinute}`)
}
