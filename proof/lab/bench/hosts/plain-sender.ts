import { createHmac, randomBytes } from 'node:crypto'
import { buildConnector, Client, Pool, type Dispatcher } from 'undici'
import type { Part } from './host.js'

interface Sending {
  readonly paths: readonly string[]
  readonly body: string
  readonly count: number
}

/** Connections of `sendOver` at once: as many as a run of the kit has cases side by side. */
const lanesOver = 24

/** The least a sender can do: sign with node:crypto, post through one undici pool, over TLS. */
export async function start({ port, ca }: { readonly port: number; readonly ca: string }): Promise<Part> {
  const origin = `https://127.0.0.1:${port}`
  const pool = new Pool(origin, { connect: { ca }, connections: 256 })
  const connect = buildConnector({ ca })
  const key = randomBytes(24)
  const post = async (dispatcher: Dispatcher, number: number, { paths, body }: Sending): Promise<void> => {
    const id = `evt_${number}`
    const timestamp = String(Math.floor(Date.now() / 1000))
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${mac}`,
    }
    const path = paths[number % paths.length] ?? '/'
    const answer = await dispatcher.request({ origin, method: 'POST', path, headers, body })
    await answer.body.dump()
  }
  return {
    facts: { secret: `whsec_${key.toString('base64')}` },
    calls: {
      async send(sending: Sending) {
        let next = 0
        const lane = async (): Promise<void> => {
          while (next < sending.count) await post(pool, next++, sending)
        }
        await Promise.all(Array.from({ length: 256 }, lane))
      },
      /** The same over so many connections, one after the other in each lane. */
      async sendOver({ connections, ...sending }: Sending & { readonly connections: number }) {
        const perConnection = Math.max(1, Math.ceil(sending.count / connections))
        let next = 0
        const lane = async (): Promise<void> => {
          while (next < sending.count) {
            const [first, end] = [next, Math.min(sending.count, next + perConnection)]
            next = end
            const client = new Client(origin, { connect })
            for (let number = first; number < end; number++) await post(client, number, sending)
            await client.close()
          }
        }
        await Promise.all(Array.from({ length: lanesOver }, lane))
      },
    },
    close: () => pool.destroy(),
  }
}
