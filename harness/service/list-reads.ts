// When waiting for an item of a list is useless: no answer contains a list, or the target shows nothing new any more.
import { memberOf, type Exchange } from '../wire/exchange.js'
import { percentDecoded } from '../wire/percent.js'
import type { OperationId } from './api.js'
import { itemsOf, mentions } from './answer-readers.js'

const lists: ReadonlySet<OperationId> = new Set(['pollEvents', 'listWebhooks', 'listDeliveries', 'listEmails'])
/** So many answers in a row without the list that each must contain: no later one will contain it. A wait makes so many reads at least. */
const hopelessReads = 5
/** So many failed waits of so many milliseconds, while the run saw nothing new: the next waits make only {@link hopelessReads} reads. */
const exhausted = { waits: 3, waitMs: 5_000 } as const
/** Items of one answer that are looked at, at each end: a page has no more. */
const pageSize = 100
/** Ids that are remembered; when there are more, all are forgotten, so that known ones count as new. */
const maxIds = 100_000

/** Returns the ids in an answer to a read; undefined where a successful answer lacks its list or record. */
function idsIn(operation: OperationId, exchange: Pick<Exchange, 'json' | 'status'>, id: string) {
  const { status = 0 } = exchange
  const isSuccess = status >= 200 && status <= 299
  if (!lists.has(operation)) return mentions(exchange.json, id) ? [id] : isSuccess ? undefined : []
  const items = itemsOf(exchange)
  if (items === undefined) return isSuccess ? undefined : []
  return [...items.slice(0, pageSize), ...items.slice(-pageSize)].map((item) => memberOf(item, 'id')).map(String)
}

/** What the reads of all cases have shown, by operation. */
export class ShownItems {
  readonly #byOperation = new Map<OperationId, { newAt: number; failedWaits: number }>()
  readonly #ids = new Set<string>()

  saw(operation: OperationId, ids: readonly string[]): void {
    const isNew = ids.filter((id) => !this.#ids.has(`${operation} ${id}`))
    if (isNew.length === 0) return
    if (this.#ids.size > maxIds) this.#ids.clear()
    for (const id of isNew) this.#ids.add(`${operation} ${id}`)
    this.#byOperation.set(operation, { newAt: performance.now(), failedWaits: 0 })
  }

  /** Counts a failed wait that began at `since`, if nothing new was shown to any case in the meantime. */
  waitFailed(operation: OperationId, since: number): void {
    const { newAt, failedWaits } = this.#byOperation.get(operation) ?? { newAt: -Infinity, failedWaits: 0 }
    if (newAt < since) this.#byOperation.set(operation, { newAt, failedWaits: failedWaits + 1 })
  }

  /** Whether waits for items of this operation were useless so often that another one would be too. */
  isExhausted(operation: OperationId): boolean {
    return (this.#byOperation.get(operation)?.failedWaits ?? 0) >= exhausted.waits
  }
}

/** A wait for an item of a list, or for a record. */
export interface ListWait {
  /** Why no later read will show the item; undefined while one may. */
  readonly useless: 'no list' | 'nothing new' | undefined
  /** Call it when the wait failed, with its longest time on a calm machine in milliseconds. */
  failed(withinMs: number): void
}

/** The reads of lists and records that one case makes. */
export class ListReads {
  readonly #shown: ShownItems
  readonly #waits = new Set<Map<OperationId, number>>()
  #missingInRow = 0

  constructor(shown: ShownItems) {
    this.#shown = shown
  }

  /** Records the answer to a read; `path` ends with the id of a record. Other operations are ignored. */
  saw(operation: OperationId, path: string, exchange: Pick<Exchange, 'json' | 'status'>): void {
    if (!lists.has(operation) && operation !== 'getEmail') return
    const ids = idsIn(operation, exchange, percentDecoded(path.split('/').at(-1) ?? '') ?? '')
    this.#missingInRow = ids === undefined ? this.#missingInRow + 1 : 0
    this.#shown.saw(operation, ids ?? [])
    for (const reads of this.#waits) reads.set(operation, (reads.get(operation) ?? 0) + 1)
  }

  /** Runs a wait. */
  async wait<T>(use: (wait: ListWait) => Promise<T>): Promise<T> {
    const reads = new Map<OperationId, number>()
    const since = performance.now()
    const useless = () => {
      if ([...reads.values()].reduce((sum, count) => sum + count, 0) < hopelessReads) return undefined
      if (this.#missingInRow >= hopelessReads) return 'no list'
      return [...reads.keys()].every((operation) => this.#shown.isExhausted(operation)) ? 'nothing new' : undefined
    }
    this.#waits.add(reads)
    try {
      return await use({
        get useless() {
          return useless()
        },
        failed: (withinMs) => {
          if (withinMs < exhausted.waitMs || useless() !== undefined) return
          for (const operation of reads.keys()) this.#shown.waitFailed(operation, since)
        },
      })
    } finally {
      this.#waits.delete(reads)
    }
  }
}
