/** A date and a time of day in ISO 8601, or with a blank between them, and no zone behind. */
const withoutZone = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

/**
 * A date as text in milliseconds since the epoch; NaN where it is none. Without a zone it is taken for UTC, as the services that write
 * it mean it: `Date.parse` takes it for the time of this machine, and what is found would depend on where that stands.
 */
export function instantOfText(text: string): number {
  return Date.parse(withoutZone.test(text) ? `${text}Z` : text)
}
