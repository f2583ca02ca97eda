import { readFileSync, readdirSync } from 'node:fs'
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, it } from 'vitest'
import { sign } from '../verifier/index.js'
import { receiverPolicy, startReferenceReceiver, type ReferenceReceiverOptions } from './index.js'

const secret = `whsec_${Buffer.from('a key of the receiver test').toString('base64')}`
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const receiver of opened.splice(0)) await receiver.close()
})

/** A receiver that notes the events it was called with. */
async function open(options: Partial<ReferenceReceiverOptions> = {}) {
  const events: unknown[] = []
  const receiver = await startReferenceReceiver({ secret, onEvent: (event) => void events.push(event), ...options })
  opened.push(receiver)
  return { url: receiver.url, events }
}

interface Sent {
  readonly body: string | Buffer
  readonly headers: OutgoingHttpHeaders
}

const eventText = (id: string, type = 'message.received') =>
  JSON.stringify({ id, type, timestamp: '2026-01-02T03:04:05.678Z', data: { message_id: 'msg_1' } })

function delivery(id: string, body: string | Buffer = eventText(id), changes: OutgoingHttpHeaders = {}): Sent {
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = sign({ id, timestamp, payload: body, secret })
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature, ...changes },
  }
}

/** Posts it and resolves to the status. */
function post(url: string, { body, headers }: Sent, method = 'POST', ca?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: false, ...(ca === undefined ? {} : { ca }) }
    const request = (url.startsWith('https') ? httpsRequest : httpRequest)(url, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', reject)
    request.end(method === 'GET' ? undefined : body)
  })
}

describe('events', () => {
  const folder = new URL('../../fixtures/events/', import.meta.url)
  it.each(readdirSync(folder))('takes %s', async (name) => {
    const { url, events } = await open()
    const body = readFileSync(new URL(name, folder))
    expect(await post(url, delivery('evt_sample', body))).toBe(204)
    expect(events).toEqual([JSON.parse(body.toString())])
  })

  it('takes unknown types, unknown fields and bodies that no library writes', async () => {
    const { url, events } = await open()
    expect(await post(url, delivery('evt_1', eventText('evt_1', 'domain.verified')))).toBe(204)
    expect(await post(url, delivery('evt_2', '{ "id": "evt_2",\r\n "more": 1.0, "subject": "a\\/b" }\n'))).toBe(204)
    expect(events).toHaveLength(2)
  })

  it('takes a body in chunks, and a large one', async () => {
    const { url } = await open()
    expect(await post(url, delivery('evt_1', eventText('evt_1'), { 'transfer-encoding': 'chunked' }))).toBe(204)
    const large = JSON.stringify({ id: 'evt_2', text: 'x'.repeat(1_000_000) })
    expect(await post(url, delivery('evt_2', large))).toBe(204)
  })

  it('takes deliveries under the old and the new secret while they are rotated', async () => {
    const { url } = await open({ secret: [`whsec_${Buffer.alloc(24, 1).toString('base64')}`, secret] })
    expect(await post(url, delivery('evt_1'))).toBe(204)
  })
})

describe('duplicates', () => {
  it('are answered with a 2xx and handled once, also side by side', async () => {
    const { url, events } = await open()
    const same = delivery('evt_1')
    expect(await Promise.all(Array.from({ length: 5 }, () => post(url, same)))).toHaveLength(5)
    expect(await post(url, delivery('evt_1'))).toBe(200)
    expect(events).toHaveLength(1)
  })

  it('do not keep a failed event from being handled', async () => {
    let calls = 0
    const { url } = await open({
      onEvent: async () => {
        if (++calls === 1) throw new Error('the database is down')
      },
    })
    expect(await post(url, delivery('evt_1'))).toBe(500)
    expect(await post(url, delivery('evt_1'))).toBe(204)
    expect(await post(url, delivery('evt_1'))).toBe(200)
    expect(calls).toBe(2)
  })

  it('are not made by a forged delivery', async () => {
    const { url, events } = await open()
    const forged = delivery('evt_1', undefined, { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` })
    expect(await post(url, forged)).toBe(401)
    expect(await post(url, delivery('evt_1'))).toBe(204)
    expect(events).toHaveLength(1)
  })
})

describe('refusals', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const stale = (age: number) => {
    const timestamp = now() - age
    const payload = eventText('evt_1')
    return delivery('evt_1', payload, {
      'webhook-timestamp': timestamp,
      'webhook-signature': sign({ id: 'evt_1', timestamp, payload, secret }),
    })
  }
  it.each<[string, number, () => Sent]>([
    ['no signature', 400, () => ({ body: eventText('evt_1'), headers: {} })],
    ['an empty id', 400, () => delivery('evt_1', undefined, { 'webhook-id': '' })],
    ['a timestamp of letters', 400, () => delivery('evt_1', undefined, { 'webhook-timestamp': 'now' })],
    ['an entry without a comma', 400, () => delivery('evt_1', undefined, { 'webhook-signature': 'v1' })],
    ['another version', 400, () => delivery('evt_1', undefined, { 'webhook-signature': 'v2,abc' })],
    ['another id', 401, () => delivery('evt_1', undefined, { 'webhook-id': 'evt_2' })],
    ['another body', 401, () => ({ ...delivery('evt_1'), body: eventText('evt_2') })],
    ['an empty body', 401, () => ({ ...delivery('evt_1'), body: '' })],
    ['a stale timestamp', 401, () => stale(310)],
    ['a future timestamp', 401, () => stale(-310)],
    ['a signed body that is not JSON', 400, () => delivery('evt_1', 'hello')],
    ['a signed body that is not UTF-8', 400, () => delivery('evt_1', Buffer.from([0x22, 0xff, 0x22]))],
  ])('%s: %i', async (_, status, sent) => {
    const { url, events } = await open()
    expect(await post(url, sent())).toBe(status)
    expect(events).toEqual([])
    expect(await post(url, delivery('evt_good'))).toBe(204)
  })

  it('are decided by the clock it is given: 300 seconds are taken, 301 are not', async () => {
    for (const [offset, status] of [
      [300, 204],
      [301, 401],
      [-300, 204],
      [-301, 401],
    ] as const) {
      const timestamp = 1_800_000_000
      const { url } = await open({ now: () => timestamp + offset })
      const payload = eventText('evt_1')
      const changes = {
        'webhook-timestamp': timestamp,
        'webhook-signature': sign({ id: 'evt_1', timestamp, payload, secret }),
      }
      expect(await post(url, delivery('evt_1', payload, changes)), String(offset)).toBe(status)
    }
  })

  it('other methods are 405, other paths 404', async () => {
    const { url } = await open({ path: '/hooks' })
    for (const method of ['GET', 'PUT', 'DELETE']) expect(await post(url, delivery('evt_1'), method)).toBe(405)
    expect(await post(`${url}/more`, delivery('evt_1'))).toBe(404)
    expect(await post(`${url}?tenant=1`, delivery('evt_1'))).toBe(204)
  })

  it('a body beyond the limit is 413, whole or in chunks', async () => {
    const { url } = await open({ policy: { maxBodyBytes: 10_000 } })
    const body = JSON.stringify({ id: 'evt_1', text: 'x'.repeat(15_000) })
    expect(await post(url, delivery('evt_1', body))).toBe(413)
    expect(await post(url, delivery('evt_1', body, { 'transfer-encoding': 'chunked' }))).toBe(413)
    expect(await post(url, delivery('evt_1'))).toBe(204)
  })
})

describe('the server', () => {
  it('does not start with a secret that holds no key', async () => {
    for (const bad of ['', 'whsec_', 'whsec_!!!!', [], [secret, 'whsec_']])
      await expect(startReferenceReceiver({ secret: bad })).rejects.toMatchObject({ code: 'bad_secret' })
  })

  it('lives on when a sender goes away in the middle of its body', async () => {
    const { url, events } = await open()
    const { port } = new URL(url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write('POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half', () =>
          socket.resetAndDestroy(),
        )
      })
      socket.once('close', () => resolve())
    })
    expect(await post(url, delivery('evt_1'))).toBe(204)
    expect(events).toHaveLength(1)
  })

  it('speaks TLS, and IPv6', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    })
    const secure = await open({ tls: { key, cert } })
    expect(secure.url).toMatch(/^https:/)
    expect(await post(secure.url, delivery('evt_1'), 'POST', cert)).toBe(204)
    const sixth = await open({ host: '::1' }).catch(() => undefined)
    if (sixth !== undefined) expect(await post(sixth.url, delivery('evt_1'))).toBe(204)
  })

  it('reads every entry of its policy', async () => {
    const read = new Set<string | symbol>()
    const names = Object.keys(receiverPolicy) as (keyof typeof receiverPolicy)[]
    const policy = Object.defineProperties(
      {},
      Object.fromEntries(
        names.map((name) => [name, { enumerable: true, get: () => (read.add(name), receiverPolicy[name]) }]),
      ),
    )
    const { Receiver } = await import('./receiver.js')
    const { createServer } = await import('node:http')
    const receiver = new Receiver({
      policy: policy as typeof receiverPolicy,
      secret,
      path: '/',
      onEvent: () => {},
    })
    const server = createServer((request, response) => void receiver.receive(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    opened.push({ close: () => new Promise((resolve) => server.close(() => resolve())) })
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
    const chunked = { 'transfer-encoding': 'chunked' }
    for (const sent of [delivery('evt_1', undefined, chunked), delivery('evt_1'), { body: '', headers: {} }])
      await post(url, sent)
    expect([...read].sort()).toEqual(names.toSorted())
  })
})
