import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { Part } from './host.js'

/** A bare hono route at `/v1/events` that answers always the same text. */
export async function start({ body }: { readonly body: string }): Promise<Part> {
  const app = new Hono()
  app.get('/v1/events', () => new Response(body, { headers: { 'content-type': 'application/json' } }))
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    facts: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
