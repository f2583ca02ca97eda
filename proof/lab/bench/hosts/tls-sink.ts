import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sinkCertificate } from '../../../../harness/webhook-sink.js'
import type { Part } from './host.js'

/** Every so many deliveries one has its signature computed. */
const inspected = 20

/**
 * Starts a webhook sink over TLS. `expect` sets the secrets by path and the number of deliveries to wait for; `wait` resolves to the
 * counts; each pair of path and webhook-id counts once.
 */
export async function start(): Promise<Part> {
  const { key, cert, ca } = await sinkCertificate()
  let secrets: Readonly<Record<string, string>> = {}
  let expected = 0
  let seen = new Set<string>()
  let repeated = 0
  let wrong = 0
  let connections = 0
  let resumed = 0
  let onAll = (): void => undefined
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(204).end()
      const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request.headers
      const name = `${request.url} ${String(id)}`
      if (seen.has(name)) repeated++
      seen.add(name)
      if (seen.size % inspected === 0) {
        const secret = Buffer.from((secrets[request.url ?? ''] ?? '').slice('whsec_'.length), 'base64')
        const signed = `${String(id)}.${String(timestamp)}.${Buffer.concat(chunks).toString()}`
        if (signature !== `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`) wrong++
      }
      if (seen.size === expected) onAll()
    })
  })
  server.on('secureConnection', (socket: { isSessionReused(): boolean }) => {
    connections++
    if (socket.isSessionReused()) resumed++
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 2048, resolve))
  return {
    facts: { port: (server.address() as AddressInfo).port, ca },
    calls: {
      expect(options: { secrets: Readonly<Record<string, string>>; count: number }) {
        secrets = options.secrets
        expected = options.count
        seen = new Set()
        repeated = 0
        wrong = 0
        connections = 0
        resumed = 0
      },
      wait: async () => {
        if (seen.size < expected) await new Promise<void>((resolve) => (onAll = resolve))
        return { count: seen.size, repeated, wrong, connections, resumed }
      },
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
