import type { ExchangeRecord } from '../result.js'
import { Exchange, recordOf } from './exchange.js'

/** Records kept of one case; older ones are dropped. */
const maxRecords = 200
/** Bytes of exchanges that are kept raw; later ones, and the oldest, are cut for the report at once. */
const maxRawBytes = { one: 32 * 1024, all: 256 * 1024 } as const

/** What one case exchanged, oldest first, bounded. Kept raw and cheap; turned into records only when a report needs them. */
export class Evidence {
  readonly #items: (Exchange | ExchangeRecord)[] = []
  /** Index of the first exchange that is still raw. */
  #firstRaw = 0
  #rawBytes = 0
  /** How long requests were held back since the target limits the rate, all together, in milliseconds. */
  heldBackMs = 0
  /** A request ended with the answer of a gateway with a limit of concurrent requests, however often it was repeated. */
  wasTurnedAway = false
  readonly #onExchange: ((exchange: Exchange) => void) | undefined

  /** The case whose exchanges these are, where it is known. */
  readonly caseId: string | undefined

  /** `onExchange` receives each exchange that is added, before it is cut. */
  constructor(onExchange?: (exchange: Exchange) => void, caseId?: string) {
    this.#onExchange = onExchange
    this.caseId = caseId
  }

  add(item: Exchange | ExchangeRecord): void {
    if (item instanceof Exchange) this.#onExchange?.(item)
    const isRaw = item instanceof Exchange && item.bytes <= maxRawBytes.one
    this.#items.push(isRaw || !(item instanceof Exchange) ? item : recordOf(item))
    if (isRaw) this.#rawBytes += item.bytes
    while (this.#rawBytes > maxRawBytes.all) this.#cutFirst()
    if (this.#items.length > maxRecords) this.#dropFirst()
  }

  records(): ExchangeRecord[] {
    return this.#items.map((item) => (item instanceof Exchange ? recordOf(item) : item))
  }

  #cutFirst(): void {
    const item = this.#items[this.#firstRaw]
    if (item instanceof Exchange) {
      this.#rawBytes -= item.bytes
      this.#items[this.#firstRaw] = recordOf(item)
    }
    this.#firstRaw++
  }

  #dropFirst(): void {
    const item = this.#items.shift()
    if (item instanceof Exchange) this.#rawBytes -= item.bytes
    this.#firstRaw = Math.max(0, this.#firstRaw - 1)
  }
}
