// Peers that go wrong below HTTP: in the handshake, or by not speaking TLS at all.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { generate } from 'selfsigned'

const day = 24 * 3600 * 1000
/** handshake_failure, fatal. */
const alert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28])
/** The header of a handshake record of 16 KiB, and some of it. */
const halfRecord = Buffer.concat([Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00, 0x02]), Buffer.alloc(64)])
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

async function certificate(from: number, to: number, name: string): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + from * day),
    notAfterDate: new Date(Date.now() + to * day),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [name === '127.0.0.1' ? { type: 7, ip: name } : { type: 2, value: name }] },
    ],
  })
  return { key, cert }
}

async function secure(from: number, to: number, name = '127.0.0.1'): Promise<Server> {
  return createSecureServer(await certificate(from, to, name), (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  })
}

async function plain(onConnection: (socket: Socket) => void): Promise<Server> {
  return createServer(onConnection)
}

/** Every way a connection can go wrong before the first byte of HTTP, by name. */
export const tlsFaults = {
  'self-signed': () => secure(-1, 1),
  expired: () => secure(-2, -1),
  'not-yet-valid': () => secure(1, 2),
  'another-name': () => secure(-1, 1, 'elsewhere.example'),
  'plain-http': () => plain((socket) => socket.once('data', () => socket.end(answer))),
  silent: () => plain(() => {}),
  alert: () => plain((socket) => socket.once('data', () => socket.end(alert))),
  'close-at-once': () => plain((socket) => socket.destroy()),
  'reset-on-hello': () => plain((socket) => socket.once('data', () => socket.resetAndDestroy())),
  'half-a-record': () => plain((socket) => socket.once('data', () => socket.write(halfRecord))),
  garbage: () => plain((socket) => socket.once('data', () => socket.end(Buffer.alloc(4_096, 0xa5)))),
} as const satisfies Readonly<Record<string, () => Promise<Server>>>

export type TlsFault = keyof typeof tlsFaults

/** Listens on a free port of loopback. */
export async function startFaulty(
  fault: TlsFault,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = await tlsFaults[fault]()
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
