import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import packet from 'dns-packet'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { NameServer } from './name-server.js'

const question = (name: string) =>
  packet.encode({ type: 'query', id: 7, questions: [{ type: 'A', name, class: 'IN' }] })

test('survives invalid, cut or altered packets over UDP and TCP, and a silent connection delays no close', async () => {
  const server = await NameServer.start({ zone: 'rebind.test', host: '127.0.0.1', port: 0 })
  await server.name('h1').answer(['127.0.0.1'])
  const good = question('h1.rebind.test')
  const bent = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 12 }).map((changes) => {
    const bytes = Buffer.from(good)
    for (const [at, value] of changes) bytes[at] = value
    return bytes
  })
  const any = fc.oneof(
    bent,
    fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
    fc.nat(good.length).map((length) => good.subarray(0, length)),
  )
  const udp = createSocket('udp4')
  const tcp = connect(server.port, '127.0.0.1').on('error', () => {})
  for (const bytes of fc.sample(any, { numRuns: 1_000, seed: 1 })) {
    udp.send(bytes, server.port, '127.0.0.1')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    if (!tcp.destroyed) tcp.write(Buffer.concat([length, bytes]))
  }
  const sending = setInterval(() => udp.send(good, server.port, '127.0.0.1'), 50)
  for (;;) {
    const [answer] = (await once(udp, 'message')) as [Buffer]
    const { id, answers = [] } = decoded(answer)
    if (id !== 7 || answers.length === 0) continue
    expect(answers).toMatchObject([{ type: 'A', data: '127.0.0.1' }])
    break
  }
  clearInterval(sending)
  udp.close()
  const silent = connect(server.port, '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')
  await server.close()
})

test('a port of any number is one that is free for UDP and TCP alike', async () => {
  const taken = await Promise.all(
    Array.from({ length: 700 }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  onTestFinished(() => taken.forEach((server) => server.close()))
  for (let count = 0; count < 150; count++)
    await (await NameServer.start({ zone: 'rebind.test', host: '127.0.0.1', port: 0 })).close()
})

function decoded(bytes: Buffer): packet.Packet {
  try {
    return packet.decode(bytes)
  } catch {
    return {}
  }
}
