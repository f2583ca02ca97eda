// Traffic passes whatever happens to it or to the concurrent checks; and the contents of a capture.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { connect, createServer as createNetServer, type AddressInfo, type Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { sinkCertificate } from '../../harness/webhook-sink.js'
import { trafficReport } from '../../harness/observe/index.js'
import { event, key, listed, secret } from '../../harness/testing/traffic/har.js'
import { sign } from '../../harness/wire/signing.js'
import { trafficCases } from '../../suites/traffic/index.js'
import { commandHere } from '../testing/command.js'
import { observeHere, send, serveOn } from '../testing/observing.js'
import { Judging } from './judging.js'
import { openProxy } from './forwarding.js'
import { closeAgents } from './upstream.js'

const folder = mkdtempSync(join(tmpdir(), 'observe-passing-'))
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
const observe = (...args: string[]) => observeHere(folder, args, ends)
const serve = (server: Server) => serveOn(server, ends)

/** A server below HTTP. */
async function listening(server: NetServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['before the answer', 'GET', ''],
  ['in the middle of the answer', 'GET', 'first'],
  ['in the middle of its own body', 'POST', ''],
])('a client that goes away %s takes its request with it', async (_when, method, answer) => {
  let [began, notify] = [() => {}, () => {}]
  const hasBegun = new Promise<void>((resolve) => (began = resolve))
  const isOver = new Promise<void>((resolve) => (notify = resolve))
  const api = await serve(
    createServer((request, response) => {
      request.on('error', () => {})
      request.socket.on('close', () => notify())
      if (answer !== '') response.writeHead(200).write(answer)
      if (method === 'GET') began()
      else request.once('data', () => began())
    }),
  )
  const running = await observe('--base-url', api)
  const request = httpRequest(`${running.proxy}/v1/emails`, { method, agent: false, headers: { 'content-length': 9 } })
  request.on('error', () => {})
  const hasAnswer = new Promise<void>((resolve) => request.on('response', (got) => got.once('data', () => resolve())))
  if (method === 'GET') request.end('123456789')
  else request.write('1')
  await hasBegun
  if (answer !== '') await hasAnswer
  request.destroy()
  await isOver
  expect((await running.end()).code).toBe(3)
})

test('a stream that ends on one side ends on the other', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const api = await serve(server)
  const running = await observe('--base-url', api)
  const open = async () => {
    const accepted = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve))
    const client = new WebSocket(`${running.proxy.replace('http', 'ws')}/v1/events/ws?token=${key}`)
    await new Promise((resolve) => client.on('open', resolve))
    return { client, service: await accepted }
  }
  const first = await open()
  const isGone = new Promise((resolve) => first.service.on('close', resolve))
  first.client.terminate()
  await isGone
  const second = await open()
  const code = new Promise((resolve) => second.client.on('close', resolve))
  second.service.close(4001)
  expect(await code).toBe(4001)
})

test('if a receiver breaks off, the gateway breaks off too', async () => {
  const receiver = await listening(createNetServer((socket) => socket.on('data', () => socket.resetAndDestroy())))
  const running = await observe('--webhooks', receiver)
  await expect(send(running.gateway, { method: 'POST', body: '{}' })).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test.each([
  ['a delivery', '--webhooks', 'gateway', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}'],
  [
    'an upgrade',
    '--base-url',
    'proxy',
    'GET /v1/events/ws HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ],
] as const)('an answer to %s other than HTTP passes byte for byte', async (_what, option, place, sent) => {
  const banner = '220 mail.example ready\r\n\r\n'
  const other = await listening(
    createNetServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(banner))
    }),
  )
  const running = await observe(option, other)
  expect(await raw(running[place], sent, banner)).toBe(banner)
})

// By an end, not a reset: the system may drop bytes that arrived before a reset.
test('the received part of a cut-off answer passes', async () => {
  const receiver = await listening(
    createNetServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 500 Oops\r\ncontent-length: 1000\r\n\r\nx', () => socket.end()))
    }),
  )
  const running = await observe('--webhooks', receiver)
  const sent = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}'
  expect(await raw(running.gateway, sent, 'x')).toMatch(/^HTTP\/1.1 500 Oops\r\ncontent-length: 1000\r\n[^]*\r\n\r\nx$/)
})

test('what names trailers and has no chunks passes, both ways', async () => {
  const api = await listening(
    createNetServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (text: Buffer) =>
        socket.write(
          `HTTP/1.1 200 OK\r\ntrailer: x-sum\r\ncontent-length: 2\r\n\r\n${text.includes('HEAD') ? '' : '{}'}`,
        ),
      )
    }),
  )
  const running = await observe('--base-url', api)
  const { port } = new URL(running.proxy)
  for (const [line, end] of [
    ['GET /v1/events HTTP/1.1', '{}'],
    ['POST /v1/emails HTTP/1.1', '{}'],
    ['HEAD /v1/events HTTP/1.1', ''],
    ['GET /v1/events HTTP/1.0', '{}'],
  ]) {
    const socket = connect(Number(port), '127.0.0.1')
    const answer = new Promise<string>((resolve, reject) => {
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    socket.write(`${line}\r\nhost: a\r\ntrailer: x-a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    expect(await answer).toMatch(new RegExp(`^HTTP/1.1 200 OK[^]*\r\n\r\n${end}$`))
  }
  await running.end()
})

test('a client that has ended its side still gets the answer', async () => {
  const server = createServer((request, response) => {
    request.resume()
    setTimeout(() => response.end('late'), 200)
  })
  const api = await serve(Object.assign(server, { httpAllowHalfOpen: true }))
  const running = await observe('--base-url', api)
  const { port } = new URL(running.proxy)
  for (const text of ['POST /v1/emails HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}', '']) {
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    const answer = new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (chunk: Buffer) => (all += chunk.toString()))
      socket.on('end', () => resolve(all))
    })
    socket.end(text)
    expect(await answer).toMatch(text === '' ? /^$/ : /200 OK[^]*late/)
    socket.destroy()
  }
  await running.end()
})

test('an informational answer passes', async () => {
  const api = await serve(
    createServer((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      response.end('{}')
    }),
  )
  const running = await observe('--base-url', api)
  const { hostname, port } = new URL(running.proxy)
  const socket = connect(Number(port), hostname)
  ends.push(() => socket.destroy())
  let text = ''
  socket.write('GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise<void>((resolve) => socket.on('data', (chunk) => (text += chunk).endsWith('{}') && resolve()))
  expect(text).toMatch(/^HTTP\/1\.1 103 [\s\S]*style\.css[\s\S]*HTTP\/1\.1 200 OK/)
})

/** Returns the answer to bytes that are written at once, until it ends in `last`. */
async function raw(proxy: string, text: string, last: string): Promise<string> {
  const { hostname, port } = new URL(proxy)
  const socket = connect(Number(port), hostname)
  ends.push(() => socket.destroy())
  let got = ''
  socket.write(text)
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => (got += chunk.toString('latin1')).endsWith(last) && resolve())
    socket.on('close', resolve)
  })
  return got
}

test('the bytes of a header pass as they are', async () => {
  const api = await listening(
    createNetServer((socket) =>
      socket.once('data', () =>
        socket.end(Buffer.from('HTTP/1.1 200 OK\r\nx-name: caf\u00e9\r\ncontent-length: 2\r\n\r\n{}', 'latin1')),
      ),
    ),
  )
  const running = await observe('--base-url', api)
  expect(await raw(running.proxy, 'GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n', '{}')).toContain(
    'x-name: caf\u00e9\r\n',
  )
})

test('the other side decides whether a body is sent', async () => {
  const server = createServer()
  server.on('checkContinue', (request, response) => {
    if (request.url === '/v1/refused') {
      response.writeHead(413, { 'content-length': 2 }).end('no')
      return
    }
    response.writeContinue()
    request.on('data', () => {}).on('end', () => response.end('{}'))
  })
  const running = await observe('--base-url', await serve(server))
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`
  const refused = await raw(running.proxy, head('/v1/refused'), 'no')
  expect(refused).toMatch(/^HTTP\/1\.1 413 /)
  expect(refused).toMatch(/connection: close/i)
  expect(await raw(running.proxy, head('/v1/taken'), '\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  expect(await raw(running.proxy, `${head('/v1/taken')}{}`, '{}')).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
  )
})

/** A thread that replaces the judging one. */
const threads = {
  'throws at once': 'throw new Error("planted")',
  'throws later': "parentPort.on('message', () => { throw new Error('planted') })",
  'ends by itself': "parentPort.on('message', () => process.exit(0))",
  'takes all memory it may':
    "parentPort.on('message', () => { const all = []; for (;;) all.push(new Array(1e5).fill({})) })",
}

test.each(Object.entries(threads))('traffic passes though judging %s, and there is no verdict', async (name, code) => {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, `import { parentPort } from 'node:worker_threads'\n${code}\n`)
  const options = { secrets: [], scopes: new Map(), record: undefined, marked: [] }
  const judging = new Judging(options, pathToFileURL(file))
  const api = await serve(createServer((_request, response) => response.writeHead(401).end('{}')))
  const proxy = await openProxy({ host: '127.0.0.1', port: 0 }, new URL(api), judging)
  ends.push(async () => {
    await proxy.close()
    closeAgents()
  })
  for (let count = 0; count < 5; count++) expect((await send(`http://${proxy.address}/v1/events`)).status).toBe(401)
  const seen = await judging.end()
  expect(seen.failure).toMatch(/^judging ended before the traffic did: ./)
  expect((await send(`http://${proxy.address}/v1/events`)).status).toBe(401)
  const report = trafficReport(seen, {
    cases: trafficCases,
    tool: { name: 't', version: '0' },
    name: 't',
    startedAt: new Date(),
    failure: seen.failure,
  })
  expect(report).toMatchObject({ verdict: 'none', note: expect.stringContaining('judging ended') })
})

test('if checking fails, earlier checks do not count as passed, and earlier faults remain', () => {
  const seen = { counts: new Map([['POL-001', 3] as const]), findings: new Map(), notes: new Set<string>() }
  const options = { cases: trafficCases, tool: { name: 't', version: '0' }, name: 't', startedAt: new Date() }
  expect(trafficReport(seen, options).verdict).toBe('partial')
  expect(trafficReport(seen, { ...options, failure: 'it ended' }).verdict).toBe('none')
  const finding = { requirement: 'POL-001', what: 'w', expected: 'e', got: 'g', evidence: [] } as const
  const found = { ...seen, findings: new Map([['POL-001', [finding]] as const]) }
  expect(trafficReport(found, { ...options, failure: 'it ended' }).verdict).toBe('nonconformant')
})

test('a delivery that is answered before its body is here is not failed for the part that is', async () => {
  const receiver = await serve(
    createServer((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end()
    }),
  )
  const running = await observe('--webhooks', receiver, '--secret', secret)
  const body = JSON.stringify(event(1))
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = sign(secret, { id: 'evt_0001', timestamp, body })
  const headers = { 'webhook-id': 'evt_0001', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  const request = httpRequest(`${running.gateway}/in`, { method: 'POST', agent: false, headers })
  request.on('error', () => {})
  const status = new Promise((resolve) => request.on('response', (got) => resolve(got.resume().statusCode)))
  request.write(body.slice(0, 40))
  expect(await status).toBe(200)
  request.end(body.slice(40))
  const { code, out } = await running.end()
  expect(out).not.toContain('FAILED')
  expect(code).not.toBe(1)
})

test('TLS by a certificate of its own, whose authority is written, or by the certificate that is given', async () => {
  const receiver = await serve(createServer((_request, response) => response.writeHead(204).end()))
  const made = await observe('--webhooks', receiver, '--ca-out', 'ca.pem')
  const ca = readFileSync(join(folder, 'ca.pem'), 'utf8')
  const at = (url: string) => url.replace('http:', 'https:')
  expect((await send(at(made.gateway), { method: 'POST', ca })).status).toBe(204)
  const own = await sinkCertificate(['hooks.example'])
  writeFileSync(join(folder, 'cert.pem'), own.cert)
  writeFileSync(join(folder, 'key.pem'), own.key)
  const given = await observe('--webhooks', receiver, '--tls-cert', 'cert.pem', '--tls-key', 'key.pem')
  await expect(send(at(given.gateway), { method: 'POST', ca })).rejects.toThrow(/certificate/)
  expect((await send(at(given.gateway), { method: 'POST', ca: own.ca })).status).toBe(204)
  expect((await send(given.gateway, { method: 'POST' })).status).toBe(204)
})

test('a capture and the reports hold no key, no secret, and nothing of a field that was marked', async () => {
  const inboxKey = 'sk_of_an_inbox_0123456789'
  const bare = secret.slice('whsec_'.length)
  const reported = {
    ...event(1),
    data: { ...(event(1)['data'] as object), subject: 'PRIVATE', from: 'PRIVATE@x.example' },
  }
  const api = await serve(
    createServer((request, response) => {
      request.resume()
      const isCreate = request.method === 'POST'
      const echo = `${inboxKey} ${encodeURIComponent(secret)} ${JSON.stringify(request.headers)}`
      response.writeHead(isCreate ? 201 : 400, {
        'x-echo': echo,
        location: `https://x.example/?a=b&token=sk_of_nobody_here_0123`,
      })
      const made = { id: 'whk_1', url: 'https://hooks.example/in', event_types: [], inbox_id: null, secret }
      const refusal = { code: 'PRIVATE', message: echo, details: { subject: 'PRIVATE', list: [{ from: 'PRIVATE' }] } }
      response.end(JSON.stringify(isCreate ? made : refusal))
    }),
  )
  const receiver = await serve(createServer((_request, response) => response.end('PRIVATE as text')))
  const marks = ['$.subject', "$['from']", '$.code', '$.email'].flatMap((path) => ['--redact', path])
  const reports = ['json', 'html', 'junit', 'markdown'].flatMap((name) => ['--reporter', `${name}=report.${name}`])
  const both = ['--base-url', api, '--webhooks', receiver, '--record', 'kept.ndjson']
  const running = await observe(...both, ...marks, ...reports)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const create = { method: 'POST', headers, body: '{"url":"https://hooks.example/in"}' }
  await send(`${running.proxy}/v1/emails/first`, { headers: { authorization: `bearer ${inboxKey}` } })
  await send(`${running.proxy}/v1/webhooks`, create)
  await send(`${running.proxy}/v1/emails/PUBLIC?token=${inboxKey}`, { headers: { 'x-api-key': inboxKey } })
  await send(`${running.proxy}/v1/emails`, { method: 'POST', headers, body: 'email=PRIVATE' })
  await send(`${running.proxy}/v1/emails`, { method: 'POST', headers, body: JSON.stringify({ email: ['PRIVATE'] }) })
  const body = JSON.stringify(reported)
  const timestamp = '1767323041'
  const signature = sign(secret, { id: 'evt_0001', timestamp, body })
  const signed = { 'webhook-id': 'evt_0001', 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  await send(running.gateway, { method: 'POST', headers: signed, body })
  const { code, out } = await running.end()
  expect(code, out).toBe(1)
  const files = ['kept.ndjson', 'report.json', 'report.html', 'report.junit', 'report.markdown']
  const texts = [out, ...files.map((name) => readFileSync(join(folder, name), 'utf8'))]
  expect(texts[1]).toContain('"verdict":"right"')
  expect(texts[1]).toContain('PUBLIC')
  for (const text of texts)
    for (const hidden of ['PRIVATE', key, inboxKey, 'sk_of_nobody', bare, encodeURIComponent(bare)])
      expect(text).not.toContain(hidden)
  expect(JSON.stringify(listed(reported))).toContain('PRIVATE')
})

test.each([
  [['--base-url', 'nonsense'], /--base-url nonsense: expected a URL/],
  [['--webhooks', 'nonsense'], /--webhooks nonsense: expected a URL/],
  [['--base-url', 'http://127.0.0.1:9', '--webhook-listen', '127.0.0.1:0'], /--webhook-listen: say where/],
  [['--base-url', 'http://127.0.0.1:9', '--listen', 'x'], /--listen x: expected host:port/],
  [
    ['--base-url', 'http://127.0.0.1:9', '--listen', '192.0.2.1:0'],
    /--listen 192.0.2.1:0 is not an address of this machine/,
  ],
  [['--base-url', 'http://127.0.0.1:9', '--duration', '0'], /--duration 0: expected a number greater than 0/],
  [
    ['--base-url', 'http://127.0.0.1:9', '--record', '.'],
    /--record \.: cannot be written \(EISDIR: it is a folder, where a file is expected\)/,
  ],
  [['--base-url', 'http://127.0.0.1:9', '--redact', 'data/subject'], /--redact data\/subject: expected a JSON path/],
  [['--base-url', 'http://127.0.0.1:9', '--secret', 'x'], /--secret: expected whsec_/],
  [['--base-url', 'http://127.0.0.1:9', '--tls-cert', 'x'], /--tls-cert and --tls-key belong together/],
  [['--base-url', 'http://127.0.0.1:9', '--ca-out', '/nowhere/ca'], /--ca-out \/nowhere\/ca: cannot be written/],
  [['--from', '.'], /\.: this is a folder/],
  [['--from', 'x', '--ca-out', 'y'], /--ca-out is for live traffic/],
] as const)('%j is wrong usage: one line, exit code 2', async (args, prints) => {
  const ended = await commandHere(folder)(['observe', ...args])
  expect(ended.err).toMatch(prints)
  expect(ended.err.trim().split('\n')).toHaveLength(1)
  expect(ended).toMatchObject({ code: 2, out: '' })
})
