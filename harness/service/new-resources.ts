import { memberOf, type Exchange } from '../wire/exchange.js'
import { pause } from '../wire/pace.js'
import { waiting } from '../waits.js'
import { itemsOf } from './answer-readers.js'

/** Longest time after its creation in which a thing may not be found yet, in milliseconds. */
const lagMs = 3_000
const pauseMs = 100
const creating = ['/v1/webhooks', '/v1/emails', '/v1/emails/batch']
/** Statuses for a thing that does not exist, or that the service does not find. */
const hidden: ReadonlySet<number> = new Set([403, 404, 410])
const ofOne = /^\/v1\/(?:webhooks|emails)\/([^/]+)/

/** Returns the id of the new thing, or those of a batch. */
function idsIn(exchange: Exchange, path: string): readonly unknown[] {
  if (!path.endsWith('/batch')) return [exchange.field('id')]
  return (itemsOf(exchange) ?? []).map((item) => memberOf(item, 'id'))
}

interface Made {
  readonly key: string | undefined
  readonly at: number
}

interface Asked {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly key: string | undefined
  readonly signal: AbortSignal
  /** True for requests that should be refused: their answer is the same before and after. */
  readonly isOnce?: boolean
}

/**
 * Things that were just made: a store may show them a moment after their creation was answered. A 403, 404 or 410 to the key that made one,
 * or to the key of the org, which sees everything in the org, is requested again until then; for other keys it may be the correct answer,
 * and counts.
 */
export class NewResources {
  /** By the id as written in a path. */
  readonly #made = new Map<string, Made>()
  readonly #orgKey: string | undefined

  constructor(orgKey?: string) {
    this.#orgKey = orgKey
  }

  async send(send: () => Promise<Exchange>, { method, path, key, signal, isOnce = false }: Asked): Promise<Exchange> {
    const id = ofOne.exec(path)?.[1] ?? ''
    for (;;) {
      const askedAt = performance.now()
      const exchange = await send()
      const { status = 0 } = exchange
      const made = this.#made.get(id)
      const maySend = key === made?.key || (key !== undefined && key === this.#orgKey)
      const isFresh = made !== undefined && maySend && askedAt < made.at + lagMs
      if (hidden.has(status) && isFresh && !isOnce && !signal.aborted) {
        await waiting('objects created just before', pause(pauseMs, signal))
        continue
      }
      if (status < 300 && method === 'DELETE') this.#made.delete(id)
      if (status < 300 && method === 'POST' && creating.includes(path))
        for (const newId of idsIn(exchange, path)) this.#remember(newId, key)
      return exchange
    }
  }

  #remember(id: unknown, key: string | undefined): void {
    // A path cannot contain half a surrogate pair, so such an id is never requested.
    if (typeof id !== 'string' || /\p{Surrogate}/u.test(id)) return
    const now = performance.now()
    // In the order in which they were made: what a target calls them is kept no longer than it is of use.
    for (const [old, { at }] of this.#made) {
      if (now < at + lagMs) break
      this.#made.delete(old)
    }
    this.#made.set(encodeURIComponent(id), { key, at: now })
  }
}
