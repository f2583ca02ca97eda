// Sends that repeat an `Idempotency-Key`: the same request returns the first result.
import { memberOf } from '../wire/exchange.js'
import { operationOf, labelOf } from './operation.js'
import type { Ledger } from './ledger.js'
import { keepNewest } from './keep-newest.js'
import { endOf, headerOf, markedField, type ExchangeLine } from './record.js'

/** How long a service remembers a key is not in the interface: a client that repeats a send does so within this. */
const rememberedMs = 300_000
const maxSends = 10_000

const requirements = { sendEmail: 'IDM-001', sendBatch: 'IDM-005' } as const

export class Idempotency {
  readonly #ledger: Ledger
  readonly #sends = new Map<string, { readonly ids: string; readonly line: ExchangeLine }>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Takes a send that succeeded. */
  take(line: ExchangeLine, body: unknown): void {
    const operation = operationOf(line)?.operation
    if (operation !== 'sendEmail' && operation !== 'sendBatch') return
    const idempotencyKey = headerOf(line.request, 'idempotency-key') ?? ''
    const ids = idsOf(body)
    const { body: sent } = line.request
    if (idempotencyKey === '' || ids === undefined || sent === undefined || line.key === undefined) return
    if (JSON.stringify([idempotencyKey, ids, sent]).includes(markedField)) return
    const name = JSON.stringify([line.service, line.key, line.path, idempotencyKey, sent])
    const first = this.#sends.get(name)
    this.#sends.set(name, first ?? { ids, line })
    keepNewest(this.#sends, maxSends)
    if (first === undefined) return
    const apartMs = Date.parse(line.at) - endOf(first.line)
    if (apartMs < 0 || apartMs > rememberedMs) return
    this.#ledger.checked(requirements[operation])
    if (first.ids === ids) return
    this.#ledger.violated(requirements[operation], {
      what: `answer to ${labelOf(line)} that repeats an Idempotency-Key`,
      expected: first.ids,
      got: ids,
      fault: `idempotency:${name}`,
      lines: [first.line, line],
    })
  }
}

/** Returns the ids of the emails in an answer. */
function idsOf(body: unknown): string | undefined {
  const data = memberOf(body, 'data')
  const emails: unknown[] = Array.isArray(data) ? data : [body]
  const ids = emails.map((email) => memberOf(email, 'id'))
  return ids.every((id) => typeof id === 'string') ? ids.join(', ') : undefined
}
