import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Part } from './host.js'

/** The minimal stream: each posted event goes, numbered, to every client, without storage and without keys. */
export async function start(): Promise<Part> {
  let number = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as { type: string; data: unknown }
      const id = `evt_${String(++number).padStart(26, '0')}`
      const frame = Buffer.from(JSON.stringify({ id, type, timestamp: new Date().toISOString(), data }))
      for (const client of sockets.clients) client.send(frame, { binary: false })
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id }))
    })
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    facts: { url: `http://127.0.0.1:${port}` },
    close() {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}
