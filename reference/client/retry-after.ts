const weekday = /^(mon|tue|wed|thu|fri|sat|sun)/i

/**
 * Reads `Retry-After`: seconds, or an HTTP date (all three forms of RFC 9110 section 5.6.7). In milliseconds from `nowMs`;
 * a date in the past is 0. Undefined for anything else.
 */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  if (!weekday.test(text)) return undefined
  // The form of asctime has no zone, and would be read as local time.
  const at = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
