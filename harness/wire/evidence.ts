import type { ExchangeRecord } from '../result.js'
import { Exchange, recordOf } from './exchange.js'

/** Records kept of one case; older ones are dropped. */
const mostRecords = 200
/** Bytes of one exchange that are kept raw; a larger one is cut for the report at once. */
const mostRawBytes = 32 * 1024

/** What one case exchanged, oldest first, bounded. Kept raw and cheap; turned into records only when a report needs them. */
export class Evidence {
  readonly #items: (Exchange | ExchangeRecord)[] = []

  add(item: Exchange | ExchangeRecord): void {
    this.#items.push(item instanceof Exchange && item.bytes > mostRawBytes ? recordOf(item) : item)
    if (this.#items.length > mostRecords) this.#items.shift()
  }

  records(): ExchangeRecord[] {
    return this.#items.map((item) => (item instanceof Exchange ? recordOf(item) : item))
  }
}
