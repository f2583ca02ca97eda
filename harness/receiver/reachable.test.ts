import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, it } from 'vitest'
import { CaseErrored } from '../check.js'
import { checkReachable } from './reachable.js'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

describe('a check that the endpoint is there', () => {
  it('opens a connection and sends nothing over it', async () => {
    let heard = 0
    let onEnd = () => {}
    const ended = new Promise<void>((resolve) => (onEnd = resolve))
    const port = await listen(
      createServer((socket: Socket) => {
        socket.on('data', ({ length }) => (heard += length))
        socket.on('close', () => onEnd())
        socket.on('error', () => {})
      }),
    )
    await checkReachable(new URL(`http://127.0.0.1:${port}/hooks`), { insecure: false })
    await ended
    expect(heard).toBe(0)
  })

  it('reports that nothing listens', async () => {
    const port = await listen(createServer())
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve))
    await expect(checkReachable(new URL(`http://127.0.0.1:${port}/`), { insecure: false })).rejects.toThrow(
      new CaseErrored(`no connection to 127.0.0.1:${port} (ECONNREFUSED: nothing listens there)`),
    )
  })

  it('reports an untrusted certificate, unless any is accepted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }])
    const port = await listen(createSecureServer({ key, cert }, (socket) => void socket.on('error', () => {})))
    const url = new URL(`https://127.0.0.1:${port}/`)
    await expect(checkReachable(url, { insecure: false })).rejects.toThrow(
      /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
    )
    await expect(checkReachable(url, { insecure: true })).resolves.toBeUndefined()
  })

  it('reports a peer without TLS', async () => {
    const port = await listen(
      createServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end('HTTP/1.1 400 No\r\n\r\n'),
      ),
    )
    await expect(checkReachable(new URL(`https://127.0.0.1:${port}/`), { insecure: true })).rejects.toThrow(
      /does not speak TLS \(ERR_SSL_\w+\): is it an http:\/\/ address\?/,
    )
  })
})
