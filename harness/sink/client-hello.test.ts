import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { connect } from 'node:tls'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverNameOf } from './client-hello.js'

/** The first bytes a TLS client of this runtime sends. */
async function helloFor(servername: string | undefined): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ host: '127.0.0.1', port, ...(servername !== undefined && { servername }) })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}

test('the name is read once the hello is whole', async () => {
  const hello = await helloFor('a.hooks.example')
  expect(serverNameOf(hello)).toBe('a.hooks.example')
  expect(serverNameOf(hello.subarray(0, hello.length - 1))).toBe('incomplete')
  expect(serverNameOf(await helloFor(undefined))).toBeUndefined()
})

test('for any bytes, the answer is a name, nothing or a wait for more', async () => {
  const hello = await helloFor('a.hooks.example')
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => void serverNameOf(Buffer.from(bytes))))
  fc.assert(
    fc.property(fc.nat(hello.length - 1), fc.nat(255), (at, byte) => {
      const changed = Buffer.from(hello)
      changed[at] = byte
      serverNameOf(changed)
    }),
  )
})
