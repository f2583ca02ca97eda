import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:https'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { afterEach, expect, test, vi } from 'vitest'
import { status } from './answer.js'
import { sinkCertificate } from './certificate.js'
import type { Endpoint } from './endpoint.js'
import { pause } from '../wire/pace.js'
import { Sink } from './sink.js'

let sink: Sink | undefined
afterEach(() => sink?.close())

async function start(): Promise<{ sink: Sink; endpoint: Endpoint }> {
  sink = await Sink.start({ host: '127.0.0.1', port: 0, takesPlain: true })
  return { sink, endpoint: sink.endpoint('path') }
}

interface Got {
  readonly status: number | undefined
  readonly text: string
}

async function deliver(url: string, id = 'evt_1'): Promise<Got> {
  const { ca } = await sinkCertificate()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', ca, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify({ id }))
  })
}

test('attempts get the answers of the script in order, the last one stays, and are here when their sender has its answer', async () => {
  const { endpoint } = await start()
  endpoint.script(status(500), status(200, { body: 'done' }))
  const answers: Got[] = []
  for (let count = 1; count <= 3; count++) {
    answers.push(await deliver(endpoint.url))
    expect(endpoint.attempts).toHaveLength(count)
  }
  expect(answers.map((answer) => answer.status)).toEqual([500, 200, 200])
  expect(answers[2]?.text).toBe('done')
})

test('a script counts from when it was set', async () => {
  const { endpoint } = await start()
  await deliver(endpoint.url)
  endpoint.script(status(410), status(201))
  expect((await deliver(endpoint.url)).status).toBe(410)
  expect((await deliver(endpoint.url)).status).toBe(201)
})

test('a request repeated unchanged after a reset is not counted as another attempt, once, until the earlier requests have ended', async () => {
  const { endpoint } = await start()
  endpoint.script({ kind: 'reset' })
  const lose = () => expect(deliver(endpoint.url)).rejects.toThrow()
  await lose()
  await lose()
  expect(endpoint.attempts).toHaveLength(1)
  await lose()
  expect(endpoint.attempts).toHaveLength(2)
  endpoint.settle()
  await lose()
  expect(endpoint.attempts).toHaveLength(3)
  await expect(deliver(endpoint.url, 'evt_2')).rejects.toThrow()
  expect(endpoint.attempts).toHaveLength(4)
})

test('a shared endpoint begins its script again for each event, and ignores foreign events', async () => {
  const { endpoint } = await start()
  endpoint.script(status(500), status(202))
  endpoint.share((attempt) => attempt.field('id') === 'evt_foreign')
  const seen = []
  for (const id of ['evt_1', 'evt_foreign', 'evt_2', 'evt_1']) seen.push((await deliver(endpoint.url, id)).status)
  expect(seen).toEqual([500, 200, 500, 202])
})

test('an attempt that hangs is answered when the case wants it', async () => {
  const { endpoint } = await start()
  endpoint.script({ kind: 'hang' })
  const answered = deliver(endpoint.url)
  await endpoint.arrives(() => endpoint.attempts.length === 1, 10_000)
  const [attempt] = endpoint.attempts
  expect(attempt?.isUnanswered).toBe(true)
  attempt?.answer(status(204))
  expect((await answered).status).toBe(204)
})

test.each(['plain', 'TLS'])(
  'a client that ends its half of a %s connection with its request is still answered',
  async (how) => {
    const { sink: listening, endpoint } = await start()
    endpoint.script({ kind: 'hang' })
    const to = { port: listening.port, host: '127.0.0.1', allowHalfOpen: true }
    const socket = how === 'plain' ? connect(to) : connectSecurely({ ...to, rejectUnauthorized: false })
    socket.end('POST /path HTTP/1.1\r\nhost: x\r\nwebhook-id: evt_1\r\ncontent-length: 2\r\n\r\n{}')
    await endpoint.arrives(() => endpoint.attempts.length === 1, 10_000)
    await pause(400)
    endpoint.attempts[0]?.answer(status(202))
    let answer = ''
    for await (const piece of socket) answer += String(piece)
    expect(answer).toMatch(/^HTTP\/1\.1 202 /)
  },
)

test('who ends its TLS connection some time after its request has given up', async () => {
  const { sink: listening, endpoint } = await start()
  endpoint.script({ kind: 'hang' })
  const socket = connectSecurely({ port: listening.port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.write('POST /path HTTP/1.1\r\nhost: x\r\nwebhook-id: evt_1\r\ncontent-length: 2\r\n\r\n{}')
  await endpoint.arrives(() => endpoint.attempts.length === 1, 10_000)
  await pause(400)
  socket.end()
  await expect.poll(() => endpoint.attempts[0]?.wasHeldAt(Date.now() + 1_000)).toBe(false)
})

test('who ends a connection in the middle of its handshake has left', async () => {
  const { sink: listening } = await start()
  const socket = connect(listening.port, '127.0.0.1')
  const firstOfRecord = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
  socket.end(firstOfRecord)
  socket.resume()
  await once(socket, 'close')
})

test('an attempt that has its answer keeps it', async () => {
  const { endpoint } = await start()
  endpoint.script(status(500), { kind: 'hang' }, status(203))
  expect((await deliver(endpoint.url)).status).toBe(500)
  const kept = deliver(endpoint.url)
  await endpoint.arrives(() => endpoint.attempts.length === 2, 10_000)
  for (const attempt of endpoint.attempts) for (const code of [202, 204]) attempt.answer(status(code))
  expect((await kept).status).toBe(202)
  const reported = endpoint.attempts.map((attempt) => attempt.exchange(endpoint.url).response?.status)
  expect(reported).toEqual([500, 202])
  expect((await deliver(endpoint.url)).status).toBe(203)
})

test('what no endpoint waits for is answered with 410', async () => {
  const { sink: listening, endpoint } = await start()
  listening.forget(endpoint)
  expect((await deliver(endpoint.url)).status).toBe(410)
  expect(endpoint.attempts).toHaveLength(0)
})

test('plain HTTP is taken on the same port, and what the system holds is read before it counts as caught up', async () => {
  const { sink: listening, endpoint } = await start()
  const socket = connect(listening.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST /path HTTP/1.1\r\nHost: here\r\nContent-Length: 14\r\n\r\n{"id":"evt_1"}')
  await listening.caughtUp(10_000)
  expect(endpoint.attempts).toHaveLength(1)
  socket.destroy()
})

test('a connection that is being made is waited for, and a later one is not', async () => {
  const { sink } = await start()
  const [first, later] = [connect(sink.port, sink.host), connect(sink.port, sink.host)]
  await Promise.all([once(first, 'connect'), once(later, 'connect')])
  let isBothMade = false
  const both = sink.caughtUp(30_000).then(() => (isBothMade = true))
  await sink.caughtUp(0) // The first read does not include requests that arrive from here on.
  const last = connect(sink.port, sink.host)
  await once(last, 'connect')
  later.destroy()
  await sink.caughtUp(0)
  expect(isBothMade).toBe(false)
  first.destroy()
  await both
  let isLastMade = false
  const lastMade = sink.caughtUp(30_000).then(() => (isLastMade = true))
  await sink.caughtUp(0)
  expect(isLastMade).toBe(false)
  last.destroy()
  await lastMade
})

test('a sender that does not trust the certificate is reported with the missing attempts', async () => {
  const { sink: listening, endpoint } = await start()
  expect(endpoint.refusedHandshakes).toBeUndefined()
  // Not Node's own client, which ends such a connection without a word.
  const client = spawn('openssl', ['s_client', '-verify_return_error', '-connect', `127.0.0.1:${listening.port}`])
  await once(client, 'exit')
  await vi.waitFor(() =>
    expect(endpoint.refusedHandshakes?.text).toMatch(/ended 1 of its TLS handshakes, .*alert unknown ca/),
  )
  expect(endpoint.attempts).toHaveLength(0)
  await deliver(endpoint.url)
  expect(endpoint.refusedHandshakes).toBeUndefined()
})

test('an invalid certificate is reported', async () => {
  const tls = { key: 'no key', cert: 'no certificate' }
  await expect(Sink.start({ host: '127.0.0.1', port: 0, tls })).rejects.toThrow(/PEM/i)
})

test('a request outside our paths is handed over where a case accepts it', async () => {
  const strays: string[] = []
  sink = await Sink.start({
    host: '127.0.0.1',
    port: 0,
    onStray(attempt) {
      strays.push(`${attempt.path} ${attempt.isSecure}`)
      attempt.answer(status(202))
    },
  })
  expect((await deliver(`${sink.publicUrl}/elsewhere`)).status).toBe(202)
  expect(strays).toEqual(['/elsewhere true'])
})

test('a port in use is reported', async () => {
  const { sink: listening } = await start()
  await expect(Sink.start({ host: '127.0.0.1', port: listening.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

/** Sends a delivery whose body arrives in two pieces, `ms` milliseconds apart. */
async function deliverSlowly(url: string, ms: number, { isCut = false } = {}): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  const body = JSON.stringify({ id: 'evt_slow' })
  socket.write(`POST ${new URL(url).pathname} HTTP/1.1\r\nhost: sink\r\ncontent-length: ${body.length}\r\n\r\n`)
  socket.write(body.slice(0, 5))
  await pause(ms)
  if (isCut) socket.destroy()
  else socket.write(body.slice(5))
}

test('a body that arrives slowly is waited for if it began in time, and its attempt records when', async () => {
  const { endpoint } = await start()
  const delivered = deliverSlowly(endpoint.url, 1_200)
  expect(await endpoint.arrives(() => endpoint.attempts.length > 0, 600)).toBe(true)
  await delivered
  const [attempt] = endpoint.attempts
  expect((attempt?.arrivedAt ?? 0) - (attempt?.begunAt ?? 0)).toBeGreaterThan(1_000)
  expect(await endpoint.arrives(() => endpoint.attempts.length > 1, 100)).toBe(false)
})

test('a body that breaks off is reported in words, and not counted as an attempt', async () => {
  const { sink: listening, endpoint } = await start()
  const delivered = deliverSlowly(endpoint.url, 600, { isCut: true })
  expect(await endpoint.arrives(() => endpoint.attempts.length > 0, 400)).toBe(false)
  await delivered
  expect(listening.brokenOff).toBe('broke off after 5 bytes of its body, of the 17 it announced')
})
