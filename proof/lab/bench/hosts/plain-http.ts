import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Part } from './host.js'

/** A node:http server that answers every request with the same JSON text, and counts. */
export async function start({ body }: { readonly body: string }): Promise<Part> {
  let count = 0
  const server = createServer((_request, response) => {
    count++
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    facts: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    calls: {
      taken: () => {
        const taken = count
        count = 0
        return taken
      },
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
