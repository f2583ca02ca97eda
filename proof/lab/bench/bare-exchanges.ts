// The exchanges of a run without checks: requests by an undici client to a node:http server and, concurrently, deliveries to a TLS sink.
import { startHost } from './child.js'
import type { Exchanges } from './hosts/counting.js'
import type { SinkFacts } from './sink.js'

/** An open stage for the same exchanges, again and again. */
export interface BareExchanges {
  /** Makes them all; resolves to the milliseconds it took. */
  make(): Promise<number>
  close(): Promise<void>
}

/** As many requests and deliveries, with bodies as long at the mean, over as many handshakes. Frames of streams are left out. */
export async function bareExchanges(exchanges: Exchanges): Promise<BareExchanges> {
  const { requests, requestBytes, answerBytes, deliveries, deliveryBytes, deliveryConnections } = exchanges
  const mean = (bytes: number, count: number) => 'x'.repeat(Math.round(bytes / Math.max(1, count)))
  const server = await startHost<{ readonly url: string }>('plain-http', { body: mean(answerBytes, requests) })
  const client = await startHost('plain-client', server.facts)
  const sink = await startHost<SinkFacts>('tls-sink')
  const sender = await startHost<{ readonly secret: string }>('plain-sender', sink.facts)
  const path = '/hook'
  return {
    async make() {
      await sink.call('expect', { secrets: { [path]: sender.facts.secret }, count: deliveries })
      const sending = { paths: [path], body: mean(deliveryBytes, deliveries), count: deliveries }
      const began = performance.now()
      await Promise.all([
        client.call('send', { count: requests, body: mean(requestBytes, requests) }),
        sender.call('sendOver', { ...sending, connections: deliveryConnections }),
        sink.call('wait'),
      ])
      return performance.now() - began
    },
    async close() {
      await Promise.all([client.close(), sender.close()])
      await Promise.all([server.close(), sink.close()])
    },
  }
}
