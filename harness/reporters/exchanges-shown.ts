import type { CaseResult, ExchangeRecord } from '../result.js'

/** A part of what a case exchanged, oldest first, and how much of it was left out. */
export interface ShownExchanges {
  readonly kept: readonly ExchangeRecord[]
  readonly earlier: number
  readonly later: number
}

/** At most `most` exchanges of a case: the last ones before its first mismatch was found, and where there are fewer, the first after it. */
export function shownExchanges(
  { checks, exchanges = [] }: Pick<CaseResult, 'checks' | 'exchanges'>,
  most: number,
): ShownExchanges {
  const foundAt = Date.parse(checks?.[0]?.found_at ?? '')
  const after = exchanges.findLastIndex(({ started_at: at }) => !(Date.parse(at) > foundAt)) + 1
  const end = Math.max(after, Math.min(most, exchanges.length))
  const start = Math.max(0, end - most)
  return { kept: exchanges.slice(start, end), earlier: start, later: exchanges.length - end }
}

/** Whether a request repeats the one before it, and got the same status: as when a case polls. */
export function isRepeat(before: ExchangeRecord | undefined, exchange: ExchangeRecord | undefined): boolean {
  if (before === undefined || exchange === undefined) return false
  return (
    exchange.direction === 'sent' &&
    before.direction === 'sent' &&
    exchange.request.method === before.request.method &&
    exchange.request.url === before.request.url &&
    exchange.response?.status === before.response?.status
  )
}

/** Describes how many exchanges were left out; empty if none. */
export function leftOutText({ earlier, later }: Pick<ShownExchanges, 'earlier' | 'later'>): string {
  if (earlier === 0 && later === 0) return ''
  if (later === 0) return `earlier exchanges left out: ${earlier}`
  return earlier === 0 ? `later exchanges left out: ${later}` : `exchanges left out: ${earlier} earlier, ${later} later`
}
