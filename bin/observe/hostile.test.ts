// Hostile clients and services do no harm: nothing ends the proxy, nothing passes unseen, and it connects only to the two sides
// it was given.
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createNetServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { memberOf } from '../../harness/parsing.js'
import { event, key } from '../../harness/testing/traffic/har.js'
import { observeHere, serveOn } from '../testing/observing.js'

const folder = mkdtempSync(join(tmpdir(), 'observe-hostile-'))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

/** A service below HTTP that answers the first bytes of each connection, and keeps all it reads. */
async function service(answer: (connection: number) => string) {
  const [read, open]: [string[], Set<Socket>] = [[], new Set()]
  const server: Server = createNetServer((socket) => {
    open.add(socket)
    const index = read.push('') - 1
    socket.setEncoding('latin1').on('error', () => {})
    socket.on('data', (text: string) => {
      if (read[index] === '') socket.write(answer(index), 'latin1')
      read[index] += text
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, read }
}

/** Returns the bytes of one connection, until it ends or `until` matches. */
function exchange(at: string, text: string, { until, isTls = false }: { until?: RegExp; isTls?: boolean } = {}) {
  const { hostname, port } = new URL(at)
  const to = { host: hostname, port: Number(port) }
  const socket = isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to)
  ends.push(() => socket.destroy())
  socket.setEncoding('latin1').write(text, 'latin1')
  return new Promise<string>((resolve) => {
    let back = ''
    socket.on('data', (chunk: string) => {
      back += chunk
      if (until?.test(back) === true) resolve(back)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(back))
  })
}

const get = 'GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n'
const upgrade = (more: string) =>
  `GET /v1/events/ws?token=${key} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
  `sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n${more}\r\n`

test.each([
  ['a status of 0', 'HTTP/1.1 000 x\r\ncontent-length: 0\r\n\r\n'],
  ['a status of 99', 'HTTP/1.1 099 x\r\ncontent-length: 0\r\n\r\n'],
  ['a reason that is not text', 'HTTP/1.1 200 a\x01b\r\ncontent-length: 0\r\n\r\n'],
  ['another protocol without a request', 'HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ['invalid trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\na: b\x01\r\n\r\n'],
])('%s ends that connection, and nothing else', async (_what, answer) => {
  const api = await service((connection) => (connection === 0 ? answer : ok))
  const running = await observeHere(folder, ['--base-url', api.url, '--record', 'broken.ndjson'], ends)
  expect(await exchange(running.proxy, get)).not.toContain('{}')
  expect(await exchange(running.proxy, get, { until: /\{\}$/ })).toContain('200 OK')
  await running.end()
  expect(readFileSync(join(folder, 'broken.ndjson'), 'utf8')).toMatch(/broke off without a whole answer|was cut off/)
})

test('bytes after an answer with a length and chunks do not pass', async () => {
  const broken = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'
  const api = await service(() => `${broken}HTTP/1.1 200 SMUGGLED\r\ncontent-length: 0\r\n\r\n`)
  const running = await observeHere(folder, ['--base-url', api.url], ends)
  const back = await exchange(running.proxy, get + get)
  expect(back).toContain('HTTP/1.1 200 OK')
  expect(back).not.toContain('SMUGGLED')
})

test('invalid early hints are left out, and the answer passes', async () => {
  const api = await service(() => `HTTP/1.1 103 x\r\nlink: garbage\r\n\r\n${ok}`)
  const running = await observeHere(folder, ['--base-url', api.url], ends)
  expect(await exchange(running.proxy, get, { until: /\{\}$/ })).toMatch(/^HTTP\/1\.1 200 OK/)
})

test.each([false, true])('a POST that also offers HTTP/2 passes as a POST, over TLS: %s', async (isTls) => {
  const api = await service(() => ok)
  const running = await observeHere(folder, ['--base-url', api.url, '--record', 'offered.ndjson'], ends)
  const head =
    'POST /v1/emails HTTP/1.1\r\nhost: x\r\nx-name: \xe9\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n' +
    'HTTP2-Settings: AAMAAABk\r\ncontent-length: 9\r\n\r\n{"a":"b"}'
  expect(await exchange(running.proxy, head, { until: /\{\}$/, isTls })).toContain('200 OK')
  expect(api.read[0]).toMatch(/^POST \/v1\/emails HTTP\/1\.1\r\n(?:[^]*\r\n)?x-name: \xe9\r\n[^]*\{"a":"b"\}$/)
  expect(api.read[0]).not.toMatch(/upgrade/i)
  await running.end()
  expect(readFileSync(join(folder, 'offered.ndjson'), 'utf8')).toContain('"method":"POST","path":"/v1/emails"')
})

test('a refused stream is recorded, and later bytes of the client do not pass', async () => {
  const api = await service(() => 'HTTP/1.1 401 no\r\ncontent-length: 2\r\n\r\n{}')
  const running = await observeHere(folder, ['--base-url', api.url, '--record', 'refused.ndjson'], ends)
  const behind = 'DELETE /v1/webhooks/whk_1 HTTP/1.1\r\nhost: x\r\n\r\n'
  const back = await exchange(running.proxy, upgrade('x-name: \xe9\r\n') + behind)
  expect(back).toMatch(/^HTTP\/1\.1 401 no\r\n[^]*\{\}$/)
  expect(api.read).toHaveLength(1)
  expect(api.read[0]).toContain('x-name: \xe9\r\n')
  expect(api.read[0]).not.toContain('DELETE')
  await running.end()
  const lines = readFileSync(join(folder, 'refused.ndjson'), 'utf8')
  expect(lines).toMatch(/"kind":"exchange".*"path":"\/v1\/events\/ws\?token=redacted".*"status":401/)
  expect(lines).not.toContain('"kind":"stream"')
})

test.each(['http://other.example/v1/events', 'm://x/v1/events', 'HTTP://127.0.0.1:1/v1/events'])(
  'a request for %s goes to the service, and nowhere else',
  async (target) => {
    const api = await service(() => ok)
    const running = await observeHere(folder, ['--base-url', api.url], ends)
    const text = `GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`
    expect(await exchange(running.proxy, text, { until: /\{\}$/ })).toContain('200 OK')
    expect(api.read[0]).toMatch(/^GET \/v1\/events HTTP\/1\.1\r\n/)
  },
)

test.each([
  ['two lengths', 'content-length: 4\r\ncontent-length: 5\r\n\r\nabcd'],
  ['a length and chunks', 'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n'],
  ['another coding', 'transfer-encoding: xchunked\r\n\r\n2\r\nab\r\n0\r\n\r\n'],
  ['a folded header', 'a: b\r\n c\r\ncontent-length: 0\r\n\r\n'],
  ['a blank before the colon', 'content-length : 4\r\n\r\nabcd'],
])('a request with %s is read one way or not at all', async (_what, rest) => {
  const api = await service(() => ok)
  const running = await observeHere(folder, ['--base-url', api.url], ends)
  await exchange(running.proxy, `POST /v1/emails HTTP/1.1\r\nhost: x\r\n${rest}`)
  expect(api.read.join('')).not.toMatch(/GET \/x|xchunked|: 4\r\n[^]*: 5\r\n|content-length : 4/i)
})

test('bytes after the length of a request are a separate request', async () => {
  const api = await service(() => ok)
  const running = await observeHere(folder, ['--base-url', api.url, '--record', 'two.ndjson'], ends)
  const text = `POST /v1/emails HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}${get}`
  await exchange(running.proxy, text, { until: /\{\}[^]*\{\}$/ })
  await running.end()
  const lines = readFileSync(join(folder, 'two.ndjson'), 'utf8').trim().split('\n')
  const methods = lines.flatMap((line) => memberOf(JSON.parse(line), 'method') ?? [])
  expect(methods.toSorted()).toEqual(['GET', 'POST'])
})

test('framing stays what it was: no body is made of none, trailers pass, HTTP/1.0 gets no chunks', async () => {
  const api = await service(() => 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n')
  const running = await observeHere(folder, ['--base-url', api.url], ends)
  await exchange(running.proxy, 'POST /v1/a HTTP/1.1\r\nhost: x\r\n\r\n', { until: /0\r\n\r\n$/ })
  expect(api.read[0]).toMatch(/content-length: 0\r\n/)
  expect(api.read[0]).not.toMatch(/chunked/)
  const chunks = 'transfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n2\r\n{}\r\n0\r\nx-sum: 7\r\n\r\n'
  await exchange(running.proxy, `POST /v1/a HTTP/1.1\r\nhost: x\r\n${chunks}`, { until: /0\r\n\r\n$/ })
  await expect.poll(() => api.read[1]).toMatch(/0\r\nx-sum: 7\r\n\r\n$/)
  expect(await exchange(running.proxy, 'GET /v1/a HTTP/1.0\r\n\r\n')).toMatch(/\r\n\r\n\{\}$/)
})

test('a frame that is too long to be checked passes whole, and so do later frames', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: true })
  const long = JSON.stringify({ ...event(1), data: 'x'.repeat(20 * 1024 * 1024) })
  sockets.on('connection', (socket) => {
    socket.send(long)
    socket.send('{"after":1}')
  })
  const api = await serveOn(server, ends)
  const running = await observeHere(folder, ['--base-url', api, '--record', 'long.ndjson'], ends)
  for (const perMessageDeflate of [true, false]) {
    const client = new WebSocket(`${running.proxy.replace('http', 'ws')}/v1/events/ws?token=${key}`, {
      perMessageDeflate,
    })
    const got: number[] = []
    await new Promise<void>((resolve) =>
      client.on('message', (data: Buffer) => got.push(data.length) === 2 && resolve()),
    )
    expect(got).toEqual([long.length, 11])
    client.terminate()
  }
  expect((await running.end()).err).not.toMatch(/unexpected|Error/)
  expect(readFileSync(join(folder, 'long.ndjson'), 'utf8').includes('xxxxxxxx')).toBe(false)
})

test('a secret with + and / escaped as in .NET and PHP is hidden, and no fault', async () => {
  const bare = `${Buffer.from('\xfb\xef\xbe\xff\xfe\xfd signed by this key', 'latin1').toString('base64')}`
  const escaped = `whsec_${bare}`.replaceAll('+', '\\u002B').replaceAll('/', '\\/')
  const body = `{"id":"whk_1","url":"https://hooks.example/in","event_types":[],"inbox_id":null,"secret":"${escaped}"}`
  const spoken = JSON.stringify({ code: 'x', message: `was ${body}`, fix: 'y' })
  const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(`whsec_${bare}`)])
  const api = await serveOn(
    createServer((request, response) => {
      request.resume()
      if (request.method === 'POST') response.writeHead(201).end(body)
      else if (request.url === '/v1/emails/bytes') response.writeHead(500).end(bytes)
      else response.writeHead(404).end(spoken)
    }),
    ends,
  )
  const running = await observeHere(folder, ['--base-url', api, '--record', 'dot-net.ndjson'], ends)
  const head = `host: x\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n`
  const create = '{"url":"https://hooks.example/in"}'
  await exchange(
    running.proxy,
    `POST /v1/webhooks HTTP/1.1\r\n${head}content-length: ${create.length}\r\n\r\n${create}`,
  )
  for (const path of ['text', 'bytes']) await exchange(running.proxy, `GET /v1/emails/${path} HTTP/1.1\r\n${head}\r\n`)
  const { code, out } = await running.end()
  expect(code, out).toBe(0)
  const text = readFileSync(join(folder, 'dot-net.ndjson'), 'utf8')
  const tail = bare.split(/[+/]/).at(-1) ?? bare
  expect(tail.length).toBeGreaterThan(10)
  const decoded = [...text.matchAll(/"body_base64":"([^"]+)"/g)].map(([, encoded = '']) => atob(encoded))
  expect(decoded).toHaveLength(1)
  for (const part of [text, ...decoded]) expect(part).not.toContain(tail)
  expect(text).not.toMatch(/malformed-secret|short-secret/)
})
