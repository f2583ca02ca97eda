import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sinkCertificate } from '../../../harness/webhook-sink.js'
import { page, type Intermediary } from './noise.js'

/**
 * Ends TLS in front of the kit's sink, with a certificate of its own, and forwards by plain HTTP, each time on a new connection, as nginx
 * does by default: a broken connection becomes a 502 with a page, and bytes other than HTTP a 200, since they may be HTTP/0.9.
 */
export async function startFront(to: { readonly port: number }): Promise<Intermediary> {
  const { ca, key, cert } = await sinkCertificate(['front'])
  let hits = 0
  const server = createServer({ key, cert }, (incoming, response) => {
    hits++
    pass(incoming, response, to.port)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    ca,
    hits: () => hits,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const broken = page(502, 'Bad Gateway')

function pass(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = incoming
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: { ...headers, connection: 'close' },
  })
  outgoing.on('response', (answer) => {
    const { connection: _, 'keep-alive': __, ...kept } = answer.headers
    response.writeHead(answer.statusCode ?? 502, kept)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  outgoing.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (response.headersSent) return void response.destroy()
    if (code.startsWith('HPE_')) response.writeHead(200).end('no HTTP')
    else response.writeHead(broken.status, broken.headers).end(broken.body)
  })
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
