const unitMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

/** An ISO 8601 date and time with zone, or a phrase such as `in 2 hours`, in milliseconds; undefined for anything else. */
export function instantOf(text: string, nowMs: number): number | undefined {
  const phrase = /^in (\d{1,6}) (second|minute|hour|day|week)s?$/i.exec(text.trim())
  if (phrase) return nowMs + Number(phrase[1]) * (unitMs[String(phrase[2]).toLowerCase()] ?? 0)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i.test(text)) return undefined
  const at = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(at) ? undefined : at
}
