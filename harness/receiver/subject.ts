import { answerTimeMs } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import { CaseErrored, type Checks } from '../check.js'
import { Secrets } from '../secrets.js'
import { sampleData } from '../service/sample-data.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { memberOf, type Exchange } from '../wire/exchange.js'
import { HttpClient } from '../wire/http-client.js'
import { Pace } from '../wire/pace.js'
import type { ReceiverContext } from './context.js'
import { Delivery } from './delivery.js'
import { knock } from './knock.js'

export interface ReceiverTarget {
  /** Where the receiver takes deliveries. */
  readonly url: string
  /** `whsec_…`, the one the receiver was given. */
  readonly secret: string
  /** Sent with every delivery: for a gateway in front of the receiver. */
  readonly headers: Readonly<Record<string, string>>
  /** Takes any TLS certificate. */
  readonly insecure: boolean
  readonly maxRps: number
  readonly load: ReceiverContext['load']
}

/** Cases side by side: a receiver that takes one delivery after the other, two seconds each, still answers in time. */
const concurrency = 4
/** Time beyond the 10 seconds after which an answer is no longer waited for, in milliseconds. */
const graceMs = 2_000
/** Headers, by lower-case name, whose values are words of the protocol and no secrets. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'host', 'user-agent'])
/** Statuses in which a refusal cannot be told from something else. */
const refusals = Array.from({ length: 100 }, (_, index) => 400 + index).filter(
  (status) => status !== 408 && status !== 429,
)

/** A webhook endpoint. Throws {@link CaseErrored} when nobody listens there, or its certificate is not trusted. */
export async function connectReceiver(target: ReceiverTarget): Promise<Subject<ReceiverContext>> {
  await knock(new URL(target.url), target)
  const { insecure, maxRps } = target
  // A kept connection may be closed by the receiver just as the next delivery goes out, which is nobody's fault.
  return new ReceiverSubject(target, new HttpClient({ insecure, pace: new Pace(maxRps), freshConnections: true }))
}

class ReceiverSubject implements Subject<ReceiverContext> {
  readonly kind = 'receiver'
  readonly secrets = new Secrets()
  readonly concurrency = concurrency
  readonly name: string
  readonly #target: ReceiverTarget
  readonly #http: HttpClient

  constructor(target: ReceiverTarget, http: HttpClient) {
    this.#target = target
    this.#http = http
    const url = new URL(target.url)
    this.name = `${url.origin}${url.pathname}`
    this.secrets.add(target.secret)
    this.secrets.addEnvironment(process.env)
    for (const value of url.searchParams.values()) this.secrets.add(value)
    for (const [name, value] of Object.entries(target.headers)) if (!harmless.has(name)) this.secrets.addHeader(value)
  }

  get lost(): string | undefined {
    return this.#http.lost
  }

  lacks(need: string): string | undefined {
    return need === 'load' && this.#target.load === undefined
      ? 'needs a steady load to be asked for: --rps and --duration'
      : undefined
  }

  async open(tools: CaseTools): Promise<OpenedContext<ReceiverContext>> {
    const evidence = new Evidence()
    const { secret, headers, url } = this.#target
    const now = () => Math.floor(Date.now() / 1000)
    const send = async (delivery: Delivery): Promise<Exchange> => {
      // A case of many deliveries would wait for each of them.
      if (this.lost !== undefined) throw new CaseErrored(this.lost)
      const exchange = await this.#http.send(
        {
          method: 'POST',
          url,
          headers: { ...headers, ...delivery.headers },
          body: delivery.fields.body,
          ...(delivery.fields.chunkBytes === undefined ? {} : { chunkBytes: delivery.fields.chunkBytes }),
          timeoutMs: answerTimeMs + graceMs,
          signal: tools.signal,
          kind: 'receiver',
          // Any 2xx is success, whatever stands in the body.
          statusOnly: true,
        },
        evidence,
      )
      if (exchange.status === 429)
        throw new CaseErrored('the receiver limits the rate (429): run with a lower --max-rps or --concurrency')
      return exchange
    }
    const context: ReceiverContext = {
      ...tools,
      now,
      load: this.#target.load,
      send,
      delivery: ({ event, ...changes } = {}) => {
        const mark = tools.unique()
        const own = memberOf(event, 'id')
        const id = changes.id ?? (typeof own === 'string' ? own : `evt_${mark}`)
        const body = changes.body ?? Buffer.from(JSON.stringify(event ?? sampleEvent(id, mark)))
        return new Delivery({ id, timestamp: now(), secret, ...changes, body })
      },
      accepts: async (delivery, check: Checks = tools.check) => {
        const exchange = await send(delivery)
        check.status(exchange, '2xx')
        return exchange
      },
      refuses: async (delivery, check: Checks = tools.check) => {
        const exchange = await send(delivery)
        check.refused(exchange, refusals)
        return exchange
      },
    }
    return { context, exchanges: () => evidence.records(), close: async () => {} }
  }

  async close(): Promise<void> {
    await this.#http.close()
  }
}

function sampleEvent(id: string, mark: string): unknown {
  const data = sampleData('message.received', { inboxId: 'ibx_1', workspaceId: 'wsp_1', mark })
  return { id, type: 'message.received', timestamp: new Date().toISOString(), data }
}
