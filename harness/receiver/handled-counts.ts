import { CaseErrored } from '../check.js'
import { memberOf, type Exchange } from '../wire/exchange.js'
import { pause } from '../wire/pace.js'

/** A queue without a change for this long is empty, in milliseconds. */
const standstillMs = 10_000
/** Time a valid delivery has to be handled, from its answer, in milliseconds. Source: docs/contract.md, section 7. */
const handlesWithinMs = 5_000
/** Time counts are watched after the last answer, in milliseconds. */
const watchMs = 3_000
const betweenMs = 100
/** How often a count is requested before the case gives up: an unreadable count decides nothing. */
const maxTries = 3

/** Ids that a URL path cannot contain: the answer would be about something else. No event has one. */
const unaskable: readonly string[] = ['', '.', '..']

type Get = (url: string) => Promise<Exchange>

/** Reads how often the endpoint did its own work for an event, at the URL from `template` and the event's id. */
export class HandledCounts {
  readonly #template: string
  readonly #get: Get

  constructor(template: string, get: Get) {
    this.#template = template
    this.#get = get
  }

  /** The count of one event. Throws {@link CaseErrored} when it cannot be had. */
  async of(id: string): Promise<number> {
    if (unaskable.includes(id)) return 0
    const url = this.#template.replaceAll('{id}', encodeURIComponent(id))
    for (let tries = 1; ; tries++) {
      const exchange = await this.#get(url)
      if (exchange.status === 404) return 0
      const count = exchange.status === 200 ? memberOf(exchange.json, 'count') : undefined
      if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count
      if (tries < maxTries) continue
      const got =
        exchange.status === undefined ? (exchange.failure ?? 'no answer') : `${exchange.status} ${exchange.excerpt}`
      throw new CaseErrored(`--handled-url: expected 200 with {"count": n}, or 404, got ${got}`)
    }
  }

  /** The count of one event once it is not 0 any more; 0 when it stays so for the time a delivery has to be handled. */
  async awaited(id: string): Promise<number> {
    const startedAt = performance.now()
    for (;;) {
      const count = await this.of(id)
      if (count > 0 || performance.now() - startedAt > handlesWithinMs) return count
      await pause(betweenMs)
    }
  }

  /** The events that are not handled once none of those left has been for ten seconds: a queue may take its time. */
  async missing(ids: readonly string[], atOnce: number): Promise<readonly string[]> {
    let left = ids
    let movedAt = performance.now()
    while (left.length > 0 && performance.now() - movedAt < standstillMs) {
      const still: string[] = []
      for (let from = 0; from < left.length; from += atOnce) {
        const requested = left.slice(from, from + atOnce)
        const counts = await Promise.all(requested.map((id) => this.of(id)))
        still.push(...requested.filter((_, index) => counts[index] === 0))
      }
      if (still.length < left.length) movedAt = performance.now()
      else await pause(betweenMs)
      left = still
    }
    return left
  }

  /** The highest count each of the events has while they are watched; ends early once one is above `most`. */
  async watched(ids: readonly string[], most: number, forMs = watchMs): Promise<ReadonlyMap<string, number>> {
    const startedAt = performance.now()
    const highest = new Map(ids.map((id) => [id, 0]))
    for (;;) {
      const isLast = performance.now() - startedAt >= forMs
      for (const id of ids) highest.set(id, Math.max(highest.get(id) ?? 0, await this.of(id)))
      if (isLast || Math.max(...highest.values()) > most) return highest
      await pause(betweenMs)
    }
  }
}
