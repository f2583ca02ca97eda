// Checks the servers before the kit's sink: a tunnel is slow and changes nothing, a front answers instead of the sink.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { connect, createServer as createNetServer, type AddressInfo, type Server as NetServer } from 'node:net'
import { rootCertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { disturbances } from './disturbances.js'
import { startFront } from './tls-front.js'
import type { Intermediary } from './noise.js'
import { startTunnel } from './tunnel.js'

async function listening(server: Server | NetServer): Promise<{ readonly port: number }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port }
}

async function started(way: Promise<Intermediary>): Promise<Intermediary> {
  const opened = await way
  onTestFinished(() => opened.close())
  return opened
}

test('a tunnel passes on the same bytes, later, and the end of a connection', async () => {
  const to = await listening(createNetServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)))
  const tunnel = await started(startTunnel(to, { opensAfterMs: 60, delayMs: 20 }))
  const startedAt = performance.now()
  const socket = connect({ port: tunnel.port, host: '127.0.0.1' })
  const sent = Buffer.alloc(300_000, 'one piece after the other ')
  socket.end(sent)
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece as Buffer)
  expect(Buffer.concat(pieces).equals(sent)).toBe(true)
  // A timer may ring a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(60 + 2 * 20 - 3)
  expect(tunnel.hits()).toBe(1)
})

test('a tunnel ends with a reset what the other end resets', async () => {
  const to = await listening(createNetServer((socket) => socket.on('data', () => socket.resetAndDestroy())))
  const tunnel = await started(startTunnel(to, { opensAfterMs: 0, delayMs: 0 }))
  const socket = connect({ port: tunnel.port, host: '127.0.0.1' })
  socket.write('x')
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNRESET')
})

test('a front passes answers on; it answers 502 if the sink breaks off, and 200 to bytes that are not HTTP', async () => {
  const requests: string[] = []
  const to = await listening(
    createServer((incoming, response) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (body += piece))
      incoming.on('end', () => {
        requests.push(`${incoming.url ?? ''} ${incoming.headers['x-mark'] as string} ${body}`)
        if (incoming.url === '/reset') incoming.socket.destroy()
        else if (incoming.url === '/garbled') incoming.socket.end('220 mail.example ready\r\n\r\n')
        else response.writeHead(418, { 'x-own': 'kept' }).end('short and stout')
      })
    }),
  )
  const front = await started(startFront(to))
  const send = async (path: string) => {
    const ca = [...rootCertificates, front.ca ?? '']
    const outgoing = request({
      host: '127.0.0.1',
      port: front.port,
      path,
      method: 'POST',
      ca,
      headers: { 'x-mark': 'm' },
    })
    outgoing.end('{}')
    const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage]
    let text = ''
    for await (const piece of response.setEncoding('utf8')) text += piece
    return { status: response.statusCode, own: response.headers['x-own'], text }
  }
  expect(await send('/a?b=c')).toEqual({ status: 418, own: 'kept', text: 'short and stout' })
  expect(await send('/reset')).toMatchObject({ status: 502, text: expect.stringContaining('<h1>502 Bad Gateway</h1>') })
  expect(await send('/garbled')).toMatchObject({ status: 200 })
  expect(requests).toEqual(['/a?b=c m {}', '/reset m {}', '/garbled m {}'])
  expect(front.hits()).toBe(3)
})

test.each(['tunnel', 'front'])('%s is in front of the sink, and leaves the API alone', async (id) => {
  const disturbance = disturbances.find((candidate) => candidate.id === id)
  expect(Object.keys(disturbance?.start({ url: 'http://127.0.0.1:1' }, 1) ?? {})).toEqual(['hits'])
  const to = await listening(createNetServer())
  const way = disturbance?.startIntermediary?.(to)
  expect((await started(way ?? Promise.reject(new Error('no way')))).port).not.toBe(to.port)
})
