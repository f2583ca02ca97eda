/** A date and a time of day, in the forms of ISO 8601 and with a blank between, as databases write them. */
const written =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:[.,](\d+))?\s*(?:(Z|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)?$/i

/**
 * A date as text in milliseconds since the epoch; NaN where it is none. Without a zone it is taken for UTC, as the services that write
 * it mean it: `Date.parse` takes it for the time of this machine, and what is found would depend on where that stands.
 */
export function instantOfText(text: string): number {
  const parts = written.exec(text.trim())
  if (parts === null) return Date.parse(text)
  const [, year, month, day, hour, minute, second = '00', fraction = '0', , zoneHour = '+00', zoneMinute = '00'] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zoneHour}:${zoneMinute}`)
}
