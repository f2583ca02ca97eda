import { parseInstant } from './numbers.js'

/** Parses a `Retry-After` header to milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined for anything else. */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : parseInstant(header) - Date.now()
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/** How often a 429 is waited out. */
export const maxPatience = 6
/** Longest accepted `Retry-After`, in milliseconds: the default time limit of a case. */
export const longestWaitMs = 60_000
/** Wait after the first 429 without a `Retry-After`, in milliseconds; doubled after each later one. */
const firstWaitMs = 100

/** Returns the wait after the 429 number `count` (from 0): the requested one, else longer each time, with jitter. */
export function patienceMs(header: string | undefined, count: number): number {
  return retryAfterMs(header) ?? firstWaitMs * 2 ** count * (0.75 + Math.random() / 2)
}

/** Why a case is given up on. */
export function limitText(host: string, waitMs: number): string {
  const wait =
    waitMs <= longestWaitMs ? 'goes on so' : `requests a wait of ${shownSeconds(waitMs)}, which is too long to follow`
  return `${host} limits the rate (429) and ${wait}: wait, or run with a lower --max-rps or --concurrency`
}

/** No wait is so long that its figure is worth a line. */
function shownSeconds(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000)
  return seconds < 1e9 ? `${seconds} s` : 'more than 30 years'
}
