import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { Canary } from './canary.js'

let canary: Canary | undefined
afterEach(() => canary?.close())

async function start(): Promise<{ canary: Canary; port: number }> {
  // Any free port: the canary listens where the sink does, and there is none here.
  for (let port = 20_000 + Math.floor(Math.random() * 30_000); ; port++) {
    canary = await Canary.start(port, ['127.0.0.1'])
    if (canary !== undefined) return { canary, port }
  }
}

/** Opens a connection with `servername`, with or without trust in the certificate. */
async function visit(port: number, servername: string, rejectUnauthorized: boolean): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized })
  socket.on('error', () => {})
  await new Promise((resolve) => socket.on('close', resolve))
}

test('connections are counted for the name they request, whether or not the certificate is trusted', async () => {
  const { canary: listener, port } = await start()
  await visit(port, 'a.hooks.example', false)
  await visit(port, 'A.hooks.example', true)
  await visit(port, 'b.hooks.example', true)
  expect(await listener.connections('a.hooks.example')).toBe(2)
  expect(await listener.connections('b.hooks.example')).toBe(1)
  expect(await listener.connections('c.hooks.example')).toBe(0)
})

test('a connection without a name counts for every name, and counts never shrink', async () => {
  const { canary: listener, port } = await start()
  const silent = connectPlain(port, '127.0.0.1')
  silent.on('error', () => {})
  await once(silent, 'connect')
  expect(await listener.connections('a.hooks.example')).toBe(1)
  silent.destroy()
  await visit(port, 'a.hooks.example', true)
  expect(await listener.connections('a.hooks.example')).toBe(2)
  expect(await listener.connections('b.hooks.example')).toBe(1)
})
