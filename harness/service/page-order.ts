import type { RequirementId } from '../../spec/index.js'
import { memberOf, type Exchange } from '../wire/exchange.js'
import { itemsOf } from './answer-readers.js'

/** What pages rest on that follow each other: their order, where they begin, and that none repeats what another had. */
export const pagesDependOn = ['POL-001', 'POL-002', 'POL-003', 'POL-008'] as const satisfies readonly RequirementId[]

/** Cursors that are remembered; the oldest is forgotten first. */
const maxCursors = 2_000

/** The place of a cursor in the list, from the pages that led to it. */
interface Place {
  /** The places of the events that were seen on the way, from 1. */
  readonly seen: Map<string, number>
  readonly at: number
}

/**
 * Follows the pages of `GET /v1/events` that one case reads, and notices a page that goes back: one that repeats events at or before its
 * cursor. Events on such pages are duplicated or missing, which proves nothing about the raised ones.
 */
export class PageOrder {
  readonly #cursors = new Map<string, Place>()

  /** Returns whether the page, read with `key`, goes back. An answer that is not a page does not. */
  goesBack(exchange: Exchange, key = ''): boolean {
    const ids = (itemsOf(exchange) ?? []).map((item) => memberOf(item, 'id')).filter((id) => typeof id === 'string')
    const last = ids.at(-1)
    if (exchange.response?.status !== 200 || last === undefined) return false
    const after = new URL(exchange.request.url).searchParams.get('after')
    const { seen, at } = this.#placeOf(key, after)
    const isBack = ids.some((id) => (seen.get(id) ?? Infinity) <= at)
    ids.forEach((id, index) => seen.has(id) || seen.set(id, at + 1 + index))
    for (const cursor of [last, exchange.field('next_after')])
      if (typeof cursor === 'string') this.#keep(`${key} ${cursor}`, { seen, at: seen.get(last) ?? at })
    return isBack
  }

  #placeOf(key: string, after: string | null): Place {
    if (after === null) return { seen: new Map(), at: 0 }
    // A cursor that no page led to is the id of an event, or unknown.
    return this.#cursors.get(`${key} ${after}`) ?? { seen: new Map([[after, 1]]), at: 1 }
  }

  #keep(name: string, place: Place): void {
    this.#cursors.delete(name)
    this.#cursors.set(name, place)
    const [oldest] = this.#cursors.keys()
    if (this.#cursors.size > maxCursors && oldest !== undefined) this.#cursors.delete(oldest)
  }
}
