import { createHmac, randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import type { Part } from './host.js'

/** The least a sender can do: sign with node:crypto, post through one undici pool, over TLS. */
export async function start({ port, ca }: { readonly port: number; readonly ca: string }): Promise<Part> {
  const pool = new Pool(`https://127.0.0.1:${port}`, { connect: { ca }, connections: 256 })
  const key = randomBytes(24)
  return {
    facts: { secret: `whsec_${key.toString('base64')}` },
    calls: {
      async send({ paths, body, count }: { paths: readonly string[]; body: string; count: number }) {
        let next = 0
        const lane = async (): Promise<void> => {
          while (next < count) {
            const number = next++
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
            const answer = await pool.request({ method: 'POST', path, headers, body })
            await answer.body.dump()
          }
        }
        await Promise.all(Array.from({ length: 256 }, lane))
      },
    },
    close: () => pool.destroy(),
  }
}
