// Recorded deliveries sent again: what `listen --record` writes, `send --from` and `observe --from` read.
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { delivery, event, har, page } from '../../harness/testing/traffic/har.js'
import { commandHere, program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'resend-'))
const run = commandHere(folder)
const secret = 'a-github-secret'
const body = '{"zen":"Grüße"}'
const hub = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
const received: Received[] = []
const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  request.on('end', () => {
    received.push({ headers: request.headers, body: text })
    response.writeHead(request.url === '/hooks' ? 204 : 401).end()
  })
})
let url: string
const capture = join(folder, 'deliveries.ndjson')

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const args = ['listen', '--forward-to', url, '--listen', '127.0.0.1:0', '--scheme', 'github', '--secret', secret]
  const child = spawn(process.execPath, [program, ...args, '--record', capture], { cwd: folder })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = String((await lines.next()).value)
  const address = /https:\/\/([^ ]+)/.exec(first)?.[1] ?? ''
  for (const id of ['d-1', 'd-2'])
    await fetch(`http://${address}/hooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'ping',
        'x-github-delivery': id,
        'x-hub-signature-256': hub(secret),
      },
      body,
    })
  child.kill('SIGINT')
  await once(child, 'exit')
}, 60_000)
afterAll(() => server.close())

it('listen --record writes a private capture without the secret', () => {
  const text = readFileSync(capture, 'utf8')
  expect(statSync(capture).mode & 0o777).toBe(0o600)
  expect(text.match(/"kind":"delivery"/g)).toHaveLength(2)
  expect(text).toContain('"verdict":"right"')
  expect(text).not.toContain(secret)
})

it('send --from --sign-with signs one delivery of a capture again, by the scheme of its headers', async () => {
  received.length = 0
  const sent = await run(['send', '--url', url, '--from', capture, '--delivery', 'd-2', '--sign-with', 'another'])
  expect(sent).toMatchObject({ code: 0, out: expect.stringMatching(/^d-2 {2}204 after \d+ ms\n$/) })
  expect(received).toHaveLength(1)
  expect(received[0]).toMatchObject({
    body,
    headers: { 'x-hub-signature-256': hub('another'), 'x-github-event': 'ping' },
  })
})

it('send --from --as-is keeps the recorded signature of each delivery', async () => {
  received.length = 0
  const sent = await run(['send', '--url', url, '--from', capture, '--as-is'])
  expect(sent.code).toBe(0)
  expect(received.map(({ headers }) => [headers['x-github-delivery'], headers['x-hub-signature-256']])).toEqual([
    ['d-1', hub(secret)],
    ['d-2', hub(secret)],
  ])
})

it('send --from takes the deliveries of a HAR file, the oldest first, and explains why an old one is refused', async () => {
  received.length = 0
  const file = join(folder, 'browser.har')
  const entries = [page(0, undefined, []), delivery(9, event(2)), delivery(3, event(1))]
  writeFileSync(file, JSON.stringify(har(entries)))
  const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  expect((await run(['send', '--url', url, '--from', file, '--sign-with', key])).code).toBe(0)
  expect(received.map(({ body: text }) => text)).toEqual([event(1), event(2)].map((sent) => JSON.stringify(sent)))
  for (const { headers, body: text } of received) {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
    const mac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    const signature = mac.update(`${String(id)}.${String(timestamp)}.${text}`).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  }
  const asIs = await run(['send', '--url', `${url}/refuses`, '--from', file, '--as-is', '--delivery', 'evt_0001'])
  expect(asIs.code).toBe(1)
  expect(asIs.out).toMatch(/^evt_0001 {2}401 .*\n {2}.*\b(?:days?|old|ago)\b/)
})

it.each([
  [['--from', capture], /needs a secret to sign the deliveries now: --sign-with <secret>; or --as-is/],
  [['--from', capture, '--as-is', '--delivery', 'd-9'], /--delivery d-9: no delivery has this id; expected d-1, d-2\n/],
  [['--from', 'empty.har', '--as-is'], /--from empty\.har: no deliveries in it/],
  [['--from', capture, '--as-is', '--sign-with', secret], /leave one out/],
])('send %j is refused with the remedy', async (args, message) => {
  writeFileSync(join(folder, 'empty.har'), '{"log":{"version":"1.2","entries":[]}}')
  const refused = await run(['send', '--url', url, ...args])
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(message)
  expect(refused.err.trim().split('\n')).toHaveLength(1)
})
