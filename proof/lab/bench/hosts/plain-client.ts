import { Pool } from 'undici'
import type { Part } from './host.js'

/** How many requests are under way at once: as many as a run of the kit has cases side by side. */
const lanes = 24

/** The least a client can do: one undici pool, each answer read to its end. */
export function start({ url }: { readonly url: string }): Part {
  const pool = new Pool(url, { connections: lanes })
  return {
    facts: {},
    calls: {
      async send({ count, body }: { readonly count: number; readonly body: string }) {
        let next = 0
        const lane = async (): Promise<void> => {
          while (next++ < count) {
            const answer = await pool.request({
              method: 'POST',
              path: '/v1/events',
              headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
              body,
            })
            await answer.body.text()
          }
        }
        await Promise.all(Array.from({ length: lanes }, lane))
      },
    },
    close: () => pool.destroy(),
  }
}
