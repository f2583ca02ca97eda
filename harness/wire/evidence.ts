import type { ExchangeRecord } from '../result.js'
import { Exchange, recordOf } from './exchange.js'

/** Records kept of one case for a report; older ones are dropped. */
const maxRecords = 200
/** Bytes of exchanges that are kept raw, of one and of all; later ones, and the oldest, are cut for the report at once. */
const forReport = { one: 32 * 1024, all: 256 * 1024 } as const
/** The same where every exchange is kept, with its whole body. */
const forAll = { one: 1024 * 1024, all: 64 * 1024 * 1024 } as const

export interface EvidenceOptions {
  /** Each of them receives every exchange that is added, before it is cut. */
  readonly watchers?: readonly { saw(exchange: Exchange): void }[]
  /** The case whose exchanges these are, where it is known. */
  readonly caseId?: string
  /** Whether every exchange is kept, with bodies up to 1 MiB, instead of the last 200 with the beginning of their bodies (default false). */
  readonly keepsAll?: boolean
}

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
  /** What repeated requests have shown about a 500 (requestPersistently). */
  readonly ownErrors = { stayed: 0 }
  readonly #watchers: NonNullable<EvidenceOptions['watchers']>
  readonly #keepsAll: boolean
  readonly #maxRawBytes: { readonly one: number; readonly all: number }

  /** The case whose exchanges these are, where it is known. */
  readonly caseId: string | undefined

  constructor({ watchers = [], caseId, keepsAll = false }: EvidenceOptions = {}) {
    this.#watchers = watchers
    this.#keepsAll = keepsAll
    this.#maxRawBytes = keepsAll ? forAll : forReport
    this.caseId = caseId
  }

  add(item: Exchange | ExchangeRecord): void {
    if (item instanceof Exchange) for (const watcher of this.#watchers) watcher.saw(item)
    const isRaw = item instanceof Exchange && item.bytes <= this.#maxRawBytes.one
    this.#items.push(isRaw || !(item instanceof Exchange) ? item : recordOf(item))
    if (isRaw) this.#rawBytes += item.bytes
    while (this.#rawBytes > this.#maxRawBytes.all) this.#cutFirst()
    if (this.#items.length > maxRecords && !this.#keepsAll) this.#dropFirst()
  }

  /** The last exchanges, with bodies cut for a report. */
  records(): ExchangeRecord[] {
    return this.#items.slice(-maxRecords).map((item) => (item instanceof Exchange ? recordOf(item) : item))
  }

  /** The exchanges that were kept, with bodies that were kept whole. */
  wholeRecords(): ExchangeRecord[] {
    return this.#items.map((item) => (item instanceof Exchange ? recordOf(item, forAll.one) : item))
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
