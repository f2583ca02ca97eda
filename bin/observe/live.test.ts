import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createNetServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { loadSchema } from '../../fixtures/index.js'
import { event, key, listed, secret } from '../../harness/testing/traffic/har.js'
import { sign } from '../../harness/wire/signing.js'
import { program } from '../testing/command.js'
import { observeIn, send, serveOn } from '../testing/observing.js'

const folder = mkdtempSync(join(tmpdir(), 'observe-live-'))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const observe = (...args: string[]) => observeIn(folder, args, ends)
const serve = (server: Server) => serveOn(server, ends)

const authorized = { authorization: `Bearer ${key}` }
const [e1, e2, e3] = [event(1), event(2), event(3)]

/** A service that has three events, makes one webhook, and loses `lost` on its stream. */
function service({ lost }: { lost?: unknown } = {}): { server: Server; seen: IncomingMessage[] } {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    request.resume()
    const isCreate = request.method === 'POST'
    const body = isCreate
      ? { id: 'whk_1', url: 'https://hooks.example/in', event_types: [], inbox_id: null, secret }
      : { data: [e1, e2, e3].map((event) => listed(event)), next_after: 'evt_0003' }
    response.sendDate = false
    response.writeHead(isCreate ? 201 : 200, ['X-Odd', 'One', 'x-odd', 'two', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
    response.end(JSON.stringify(body))
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: { threshold: 0 } })
  sockets.on('connection', (socket) => {
    for (const event of [e1, e2, e3]) if (event !== lost) socket.send(JSON.stringify(event))
  })
  return { server, seen }
}

test('requests, answers, streams and deliveries pass unchanged, and the capture holds no key and no secret', async () => {
  const { server, seen } = service()
  const api = await serve(server)
  const got: { headers: readonly string[]; body: string; url: string | undefined }[] = []
  const receiver = await serve(
    createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        got.push({ headers: request.rawHeaders, body, url: request.url })
        response.writeHead(299, 'Odd', ['X-Mine', 'Yes']).end('thanks')
      })
    }),
  )
  const path = join(folder, 'whole.ndjson')
  const running = await observe(
    '--base-url',
    `${api}/v1`,
    '--webhooks',
    `${receiver}/hooks`,
    '--record',
    path,
    '--redact',
    '$.data.subject',
  )
  const unusualPath = '/v1/webhooks?a=%2F..%2f&b=c+d'
  const made = await send(`${running.proxy}${unusualPath}`, {
    method: 'POST',
    headers: { ...authorized, 'X-Caps': 'Kept' },
    body: '{ "url": "https://hooks.example/in" }',
  })
  expect(made.status).toBe(201)
  expect(JSON.parse(made.body).secret).toBe(secret)
  expect(made.headers.join('|')).toContain('X-Odd|One|x-odd|two|Set-Cookie|a=1|Set-Cookie|b=2')
  expect(seen[0]?.url).toBe(unusualPath)
  expect(seen[0]?.rawHeaders.join('|')).toContain('X-Caps|Kept')
  const frames: string[] = []
  const socket = new WebSocket(`${running.proxy.replace('http', 'ws')}/v1/events/ws?token=${key}`)
  await new Promise<void>((resolve) =>
    socket.on('message', (data: Buffer) => frames.push(data.toString()) === 3 && resolve()),
  )
  expect(socket.extensions).toContain('permessage-deflate')
  socket.terminate()
  expect(frames).toEqual([e1, e2, e3].map((event) => JSON.stringify(event)))
  expect((await send(`${running.proxy}/v1/events`, { headers: authorized })).status).toBe(200)
  const body = `${JSON.stringify(e1)} \n`
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = sign(secret, { id: 'evt_0001', timestamp, body })
  const answer = await send(`${running.gateway}/hooks/mine?x=1`, {
    method: 'POST',
    headers: { 'webhook-id': 'evt_0001', 'webhook-timestamp': timestamp, 'Webhook-Signature': signature },
    body,
  })
  expect(answer).toMatchObject({ status: 299, body: 'thanks' })
  expect(answer.headers.slice(0, 2)).toEqual(['X-Mine', 'Yes'])
  expect(got).toMatchObject([{ body, url: '/hooks/mine?x=1' }])
  expect(got[0]?.headers).toContain('Webhook-Signature')
  expect(got[0]?.headers).toContain(new URL(running.gateway).host)
  const { code, out, err } = await running.end()
  // Two lines print where to connect, the others how much was seen.
  const said = err.trimEnd().split('\n')
  const counts = said.filter((line) => line.includes('Seen '))
  expect({ code, others: said.length - counts.length }, out).toEqual({ code: 0, others: 2 })
  expect(counts.at(-1)).toMatch(/Seen in total: \d+ exchange/)
  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain(key)
  expect(text).not.toContain(secret.slice('whsec_'.length))
  expect(text).not.toContain('S 1')
  expect(text).toContain('"verdict":"right"')
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const isLine = ajv.compile(loadSchema('capture'))
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const line of lines) expect(isLine(line), `${JSON.stringify(line)} ${ajv.errorsText(isLine.errors)}`).toBe(true)
  const kinds = lines.map((line) => line.kind)
  // A line is written when its exchange or frame has ended, and concurrent ones may end in any order.
  expect([kinds.at(0), kinds.at(-1)]).toEqual([undefined, undefined])
  expect(kinds.filter((kind) => kind !== undefined).toSorted()).toEqual([
    'delivery',
    'exchange',
    'exchange',
    'frame',
    'frame',
    'frame',
    'stream',
    'stream-end',
  ])
  expect(kinds.indexOf('stream')).toBeLessThan(kinds.indexOf('frame'))
})

test('what breaks the interface is found in passing, and in the capture again', async () => {
  const api = await serve(service({ lost: e2 }).server)
  const path = join(folder, 'lost.ndjson')
  const running = await observe('--base-url', api, '--record', path)
  const socket = new WebSocket(`${running.proxy.replace('http', 'ws')}/v1/events/ws?after=evt_0000`, {
    headers: authorized,
  })
  let count = 0
  await new Promise<void>((resolve) => socket.on('message', () => ++count === 2 && resolve()))
  socket.terminate()
  await send(`${running.proxy}/v1/events`, { headers: authorized })
  const live = await running.end()
  expect(live.code, live.out).toBe(1)
  expect(live.out).toContain('evt_0002')
  const child = spawn(process.execPath, [program, 'observe', '--from', path], { cwd: folder })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1)
})

test('the other side that cannot be reached is a 502 with the reason, and no fault of the service', async () => {
  const free = createNetServer()
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => free.close(resolve))
  const running = await observe('--base-url', `http://127.0.0.1:${port}`)
  const answer = await send(`${running.proxy}/v1/events`, { headers: authorized })
  expect(answer.status).toBe(502)
  expect(answer.body).toContain('ECONNREFUSED')
  const upgrade = new WebSocket(`${running.proxy.replace('http', 'ws')}/v1/events/ws`)
  const status = await new Promise((resolve) => {
    upgrade.on('unexpected-response', (_request, response) => resolve(response.statusCode))
    upgrade.on('error', () => {})
  })
  expect(status).toBe(502)
  expect((await running.end()).code).toBe(3)
})

test('a port in use and a file that cannot be written get one line and exit code 2; a duration ends it', async () => {
  const { server } = service()
  const api = await serve(server)
  const used = await (await observe('--base-url', api, '--listen', new URL(api).host)).end()
  expect(used).toMatchObject({ code: 2, out: '' })
  expect(used.err).toMatch(/^conformance: --listen .* is in use.*\n$/)
  expect((await (await observe('--base-url', api, '--record', '/nowhere/x')).end()).code).toBe(2)
  // Printed before anything is watched, which may take hours.
  for (const args of [
    ['--reporter', 'json=/nowhere/x'],
    ['--quiet', '--verbose'],
  ])
    expect(await (await observe('--base-url', api, ...args)).end()).toMatchObject({
      code: 2,
      out: '',
      err: expect.not.stringContaining('Listening'),
    })
  const child = spawn(process.execPath, [program, 'observe', '--base-url', api, '--duration', '0.2'], { cwd: folder })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(3)
})

test.skipIf(!existsSync('/dev/full'))(
  'the traffic is reported even if the disk is too full for its capture',
  async () => {
    const { server } = service()
    const running = await observe('--base-url', await serve(server), '--record', '/dev/full', '--reporter', 'json')
    await send(`${running.proxy}/v1/events`, { headers: authorized })
    const { code, out, err } = await running.end()
    expect([code, err]).toEqual([2, expect.stringContaining('--record /dev/full: cannot be written (ENOSPC)')])
    expect(JSON.parse(out)).toMatchObject({ schema: 'conformance-report/1', verdict: 'partial' })
  },
)
