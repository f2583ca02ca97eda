// One delivery at the shell: what `sign` prints `verify` takes, and what `send` sends `listen` leads on unchanged.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commandHere, program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'delivery-'))
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const at = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const run = commandHere(folder)
const conformance = (...args: readonly string[]) => run(args)

describe('sign and verify', () => {
  // The worked example of the Standard Webhooks specification.
  const body = at('body.json', '{"test": 2432232314}')
  const signed = [
    '--secret',
    secret,
    '--body',
    body,
    '--id',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    '--timestamp',
    '1614265330',
  ]

  it('agree on a published example', async () => {
    const { out } = await conformance('sign', ...signed)
    expect(out).toContain('webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=\n')
    const headers = at('headers.txt', out)
    const verifyAt = (now: number) =>
      conformance('verify', '--secret', secret, '--headers', headers, '--body', body, '--now', String(now))
    expect((await verifyAt(1_614_265_630)).code).toBe(0)
    expect(await verifyAt(1_614_265_631)).toMatchObject({
      code: 1,
      out: expect.stringContaining('signed 5 minutes 1 second (301 seconds) before now'),
    })
  })

  it('compare the age of a delivery with the present time, unless --now gives another', async () => {
    const { out } = await conformance('sign', '--secret', secret, '--body', body)
    const args = ['--secret', secret, '--headers', at('now.txt', out), '--body', body]
    expect((await conformance('verify', ...args)).code).toBe(0)
    const old = at('old.txt', (await conformance('sign', ...signed)).out)
    expect((await conformance('verify', '--secret', secret, '--headers', old, '--body', body)).code).toBe(1)
    expect((await conformance('diagnose', '--secret', secret, '--headers', old, '--body', body)).code).toBe(0)
  })

  it('take the body from standard input, and its id', () => {
    const input = '{"id":"evt_from_body"}'
    const { stdout } = spawnSync(
      process.execPath,
      [program, 'sign', '--secret', secret, '--body', '-', '--format', 'json'],
      {
        input,
        encoding: 'utf8',
      },
    )
    expect(JSON.parse(stdout)).toMatchObject({ 'webhook-id': 'evt_from_body' })
  })

  it('refuse standard input that is larger than a file may be', () => {
    const { status, stderr } = spawnSync(process.execPath, [program, 'sign', '--secret', secret, '--body', '-'], {
      input: Buffer.alloc(16 * 1024 * 1024 + 1, ' '),
      encoding: 'utf8',
    })
    expect(stderr).toBe(
      'conformance: --body -: cannot be read (it has more than 16777216 bytes); is it the right file?\n',
    )
    expect(status).toBe(2)
  })

  it('wait for standard input that does not block and arrives late', { timeout: 30_000 }, async () => {
    const fifo = join(folder, 'fifo')
    execFileSync('mkfifo', [fifo])
    const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const writing = openSync(fifo, constants.O_WRONLY)
    const child = spawn(process.execPath, [program, 'sign', '--secret', secret, '--body', '-', '--format', 'json'], {
      stdio: [reading, 'pipe', 'inherit'],
    })
    // The other user of the pipe makes it non-blocking for both.
    const sharing = new Socket({ fd: reading, readable: false, writable: false })
    let out = ''
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    writeSync(writing, '{"id":"evt_late"}')
    closeSync(writing)
    await new Promise((resolve) => child.once('close', resolve))
    sharing.destroy()
    expect(JSON.parse(out)).toMatchObject({ 'webhook-id': 'evt_late' })
  })
})

/** Starts an endpoint that answers with `status` and keeps the requests. */
async function endpoint(status: number) {
  const received: { headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status).end('thanks')
    })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`, came: received }
}

describe('send', () => {
  it('sends one delivery that verifies, and prints the answer', async () => {
    const { url, came: received } = await endpoint(204)
    const sent = await conformance('send', '--url', url, '--secret', secret, '--event', 'message.bounced')
    expect(sent).toMatchObject({ code: 0, out: expect.stringMatching(/^evt_\w+ {2}204 after \d+ ms\n/) })
    const [{ headers, body } = { headers: {}, body: '' }] = received
    expect(JSON.parse(body)).toMatchObject({ type: 'message.bounced', id: headers['webhook-id'] })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
    const verified = await conformance(
      'verify',
      '--secret',
      secret,
      '--headers',
      at('sent.txt', lines.join('\n')),
      '--body',
      at('sent.json', body),
    )
    expect(verified.code).toBe(0)
  })

  it('ends with 1 for any other answer, and with 3 if nothing listens', async () => {
    const { url } = await endpoint(500)
    expect(await conformance('send', '--url', url, '--secret', secret)).toMatchObject({
      code: 1,
      out: expect.stringContaining('500 after') && expect.stringContaining('thanks'),
    })
    expect((await conformance('send', '--url', 'http://127.0.0.1:1', '--secret', secret)).code).toBe(3)
  })
})

describe('listen --forward-to', () => {
  it('forwards deliveries unchanged, prints each, and reports one that does not verify', async () => {
    const { url, came: received } = await endpoint(202)
    const args = ['listen', '--forward-to', url, '--listen', '127.0.0.1:0', '--secret', secret]
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const line = async () => String((await lines.next()).value)
    const [, place] = /^Listening on https:\/\/(\S+) /.exec(await line()) ?? []
    expect(await line()).toMatch(/^Page: http:\/\/127\.0\.0\.1:\d+\//)
    await line()
    const body = at('own.json', '{ "id":"evt_own",  "type":"x" }')
    const send = (key: string) =>
      conformance('send', '--url', `http://${place}/webhooks`, '--secret', key, '--body', body)
    expect((await send(secret)).out).toContain('202 after')
    expect(await line()).toMatch(/ {2}202 after \d+ ms {2}x {2}evt_own {2}verifies$/)
    await send('whsec_AAAA')
    expect(await line()).toMatch(/evt_own {2}does not verify$/)
    await line()
    // Numbered in the order of arrival.
    expect(await line()).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/#2$/)
    expect(received.map((delivery) => delivery.body)).toEqual(Array(2).fill('{ "id":"evt_own",  "type":"x" }'))
    child.kill('SIGINT')
    expect((await once(child, 'close'))[0]).toBe(0)
  })
})
