import pLimit from 'p-limit'
import type { Exchange } from '../wire/exchange.js'

/** An endpoint whose answer takes longer is slow, in milliseconds. */
const slowMs = 900
/** Cases of a slow endpoint that run at once, and deliveries of each. */
const most = { cases: 16, deliveriesOfCase: 2 } as const
/** How much longer one of many deliveries may take than one alone. */
const factor = 1.3
/** Deliveries that wait for each other must all be answered in this time, in milliseconds: below the limit of the interface. */
const inTimeMs = 8_000

/** Whether the endpoint took so long to answer that a whole run would take very long. */
export function isSlow(answer: Exchange | undefined): answer is Exchange {
  return answer?.status !== undefined && answer.durationMs >= slowMs
}

/**
 * How many deliveries an endpoint gets at once. A slow one would make a run last for an hour, so it gets as many as it handles in the time
 * of one. No delivery waits for its turn here: its timestamp would grow old meanwhile.
 */
export class SlowEndpoint {
  #width: number

  /** `usualWidth`: deliveries at once to an endpoint that is not slow, each of another case. */
  constructor(usualWidth: number) {
    this.#width = usualWidth
  }

  /** Sends as many as it may: nothing depends on when they are answered. */
  widen(): void {
    this.#width = most.cases * most.deliveriesOfCase
  }

  /** Cases at once. */
  get cases(): number {
    return Math.min(this.#width, most.cases)
  }

  /** Deliveries of one case at once. */
  get deliveriesOfCase(): number {
    return Math.floor(this.#width / this.cases)
  }

  /**
   * Finds out how many valid deliveries a slow endpoint handles at once: twice as many each time, so that one that handles fewer answers
   * late, and not too late. `first` is the answer to the delivery before.
   */
  async probe(first: Exchange | undefined, deliver: () => Promise<Exchange>): Promise<void> {
    if (!isSlow(first)) return
    const alone = await deliver()
    if (!isSlow(alone)) return
    const latestMs = alone.durationMs * factor + slowMs
    const isHandled = ({ status, durationMs }: Exchange) => status === alone.status && durationMs < latestMs
    let handled = 1
    while (handled < most.cases * most.deliveriesOfCase) {
      const answers = await Promise.all(Array.from({ length: 2 * handled }, deliver))
      if (!answers.every(isHandled)) {
        // What it still has to do must not delay the first case.
        await deliver()
        break
      }
      handled *= 2
    }
    const oneByOne = Math.max(1, Math.floor(inTimeMs / alone.durationMs))
    this.#width = Math.max(handled, Math.min(this.#width, handled * oneByOne))
  }

  /** Calls `send` for each item, as many at once as a case may send. Rejects once all that began have ended. */
  async forEach<Item>(items: readonly Item[], send: (item: Item) => Promise<unknown>): Promise<void> {
    const limit = pLimit(this.deliveriesOfCase)
    let isOver = false
    const sendNext = async (item: Item): Promise<void> => {
      if (isOver) return
      try {
        await send(item)
      } catch (error) {
        isOver = true
        throw error
      }
    }
    const settled = await Promise.allSettled(items.map((item) => limit(sendNext, item)))
    const failed = settled.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}
