import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer, type SecureVersion, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { checkedConnector } from './checked-connection.js'
import { newCertificate, type Certificate } from '../testing/sink.js'

/** Starts a TLS server that sends one word on each connection, after the tickets of TLS 1.3. */
async function listening(certificate: Certificate, maxVersion: SecureVersion): Promise<number> {
  const { private: key, cert } = certificate
  const server = createServer({ key, cert, maxVersion }, (socket) => socket.on('error', () => {}).end('word'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

function connectorTo(host: string, trusted: Certificate): buildConnector.connector {
  const authority = new X509Certificate(trusted.cert)
  return checkedConnector({
    address: '127.0.0.1',
    host,
    timeoutMs: 5_000,
    secureContext: createSecureContext({ ca: [trusted.cert] }),
    authorities: () => [authority],
  })
}

/** `resumed` or `new`, or why there was no connection. */
async function outcome(connect: buildConnector.connector, port: number): Promise<string> {
  const request = { hostname: 'ignored.example', protocol: 'https:', port: String(port) }
  try {
    const socket = await new Promise<TLSSocket>((resolve, reject) => {
      connect(request, (error, opened) => (error === null ? resolve(opened as TLSSocket) : reject(error)))
    })
    const isResumed = socket.isSessionReused()
    socket.resume()
    await once(socket, 'close')
    return isResumed ? 'resumed' : 'new'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)('a session that was accepted is resumed, over %s', async (version) => {
  const certificate = await newCertificate(['a.hooks.example'])
  const port = await listening(certificate, version)
  const connect = connectorTo('a.hooks.example', certificate)
  expect([await outcome(connect, port), await outcome(connect, port)]).toEqual(['new', 'resumed'])
})

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a certificate that was refused is refused again, over %s',
  async (version) => {
    const certificate = await newCertificate(['a.hooks.example'])
    const port = await listening(certificate, version)
    const connect = connectorTo('b.hooks.example', certificate)
    for (let round = 0; round < 3; round++) expect(await outcome(connect, port)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  },
)

test('a session stands for no other host', async () => {
  const certificate = await newCertificate(['a.hooks.example'])
  const port = await listening(certificate, 'TLSv1.3')
  expect(await outcome(connectorTo('a.hooks.example', certificate), port)).toBe('new')
  expect(await outcome(connectorTo('b.hooks.example', certificate), port)).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
})

test('a server that no longer knows the session shows its certificate again, and is judged by it', async () => {
  const accepted = await newCertificate(['a.hooks.example'])
  const other = await newCertificate(['a.hooks.example'])
  const [first, second] = [await listening(accepted, 'TLSv1.3'), await listening(other, 'TLSv1.3')]
  const connect = connectorTo('a.hooks.example', accepted)
  expect(await outcome(connect, first)).toBe('new')
  expect(await outcome(connect, second)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(await outcome(connect, first)).toBe('new')
})
