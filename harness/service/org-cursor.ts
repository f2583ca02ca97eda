import { memberOf } from '../wire/exchange.js'
import type { Api } from './api.js'
import { itemsOf } from './answer-readers.js'

/** Pages read at most to find the end of an org's events. */
const maxPages = 2_000

/** Events at the end of the list that are kept. */
const mostRecent = 60

/** Where an org's events end, learnt once and then followed; and a queue for triggers that leave no mark. */
export class OrgCursor {
  readonly #api: Api
  readonly #queues = new Map<string, Promise<unknown>>()
  #end: string | undefined
  #tail: readonly unknown[] = []
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** @param api sees the org for as long as the cursor is used */
  constructor(api: Api) {
    this.#api = api
  }

  /** Returns the id of the newest event at the time of the call, or a little later; undefined without events. */
  async end(): Promise<string | undefined> {
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#reading = this.#follow()
        this.#next = undefined
        return this.#reading
      })
    await this.#next
    return this.#end
  }

  /** Returns the newest events at the time of the call, the newest last. */
  async recent(): Promise<readonly unknown[]> {
    await this.end()
    return this.#tail
  }

  /** Runs `action` alone among those of the same queue; at once where `queue` is undefined. */
  async exclusively<T>(queue: string | undefined, action: () => Promise<T>): Promise<T> {
    if (queue === undefined) return action()
    const previous = this.#queues.get(queue) ?? Promise.resolve()
    const run = previous.then(action, action)
    this.#queues.set(queue, run)
    return run
  }

  async #follow(): Promise<void> {
    for (let page = 0; page < maxPages; page++) {
      const events = itemsOf(await this.#api.pollEvents({ after: this.#end, limit: 100 })) ?? []
      const last = memberOf(events.at(-1), 'id')
      if (typeof last !== 'string' || last === this.#end) return
      this.#end = last
      this.#tail = [...this.#tail, ...events].slice(-mostRecent)
    }
  }
}
