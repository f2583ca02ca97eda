// `conformance serve` as a black box: its flags, its end, and its page in a real browser.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../../harness/webhook-sink.js'
import { commandHere, program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'serve-'))
const started: ChildProcess[] = []

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Facts {
  readonly url: string
  readonly pageUrl?: string
  readonly apiKey: string
  readonly controlUrl?: string
  readonly controlKey?: string
  readonly secret: string
  readonly domain: string
  readonly inboxes: readonly { readonly id: string; readonly address: string }[]
}

interface Served {
  readonly child: ChildProcess
  readonly facts: Facts
  /** The next line of standard output. */
  line(): Promise<string>
}

/** Starts `serve --json` and resolves once it listens. */
async function serve(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const child = spawn(process.execPath, [program, 'serve', ...args, '--json'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  return { child, facts: JSON.parse(await line()) as Facts, line }
}

const command = commandHere(folder)
const refused = (args: readonly string[]) => command(['serve', ...args])

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe('wrong input is one clear line and exit code 2', () => {
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['nothing'], /serve nothing: expected server, receiver or sender/],
    [['--port', '70000'], /--port 70000: expected a whole number from 0 to 65535/],
    [['--port', 'http'], /--port http/],
    [['--host', '192.0.2.1'], /192\.0\.2\.1:0 is not an address of this machine: choose another --host/],
    [['--api-key', 'a b'], /--api-key: the key contains a space/],
    [['--control-key', 'a b'], /--control-key: the key contains a space/],
    [['--control', '--host', '0.0.0.0'], /needs a key of its own/],
    [['--data', '/nowhere/at/all.db'], /could not be started/],
    [['--allow', '10.0.0.1:443'], /--allow 10\.0\.0\.1:443: expected a loopback address and a port/],
    [['--allow', '127.0.0.1'], /--allow 127\.0\.0\.1: expected/],
    [['--ca', '/nowhere/at/all.pem'], /--ca .*cannot be read/],
    [['--secret', 'whsec_AAAA'], /--secret is an option of `serve receiver`/],
    [['receiver', '--control'], /--control is an option of `serve server`/],
    [['receiver', '--secret', 'nonsense'], /--secret: expected whsec_ followed by base64/],
    [['sender', '--tls', 'ca.pem'], /--tls is an option of `serve receiver`/],
    [['receiver', '--schedule', '1s'], /--schedule is an option of `serve sender`/],
    [['sender', '--schedule', '1x'], /--schedule 1x: expected delays/],
    [['sender', '--url', 'nonsense'], /--url nonsense: expected a URL/],
    [['sender', '--url', 'http://192.0.2.1/'], /deliveries go to loopback addresses only/],
    [['sender', '--secret', 'nonsense'], /--secret: expected whsec_ followed by base64/],
    [['receiver', '--tls', '/nowhere/at/all.pem'], /--tls .*cannot be written/],
  ]
  it.each(wrong)('serve %j', async (args, prints) => {
    const { code, err } = await refused(args)
    expect(err).toMatch(prints)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })
})

describe('serve sender', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

  it('is a sender that `conformance sender` finds right, and prints each delivery', { timeout: 120_000 }, async () => {
    const port = await freePort()
    const served = await serve(['sender', '--secret', secret, '--url', `http://127.0.0.1:${port}/webhooks`])
    const { trigger } = served.facts as unknown as { trigger: string }
    const judged = [program, 'sender', '--secret', secret, '--listen', `127.0.0.1:${port}`, '--trigger', trigger]
    const cases = ['sender/attempts/*', 'sender/event-types/*'].flatMap((pattern) => ['--case', pattern])
    const ended = await new Promise<{ code: number; out: string }>((done) => {
      execFile(process.execPath, [...judged, ...cases], { cwd: folder }, (error, out) =>
        done({ code: error === null ? 0 : Number(error.code), out }),
      )
    })
    expect(ended.code, ended.out).toBe(0)
    expect(ended.out).toMatch(/\b[1-9]\d passed, 0 failed, 0 errored/)
    expect(JSON.parse(await served.line())).toMatchObject({
      attempt: 1,
      // The first attempt of each type is refused, so that its retry can be judged.
      result: expect.stringMatching(/^(?:200|500)$/) as string,
      type: expect.any(String) as string,
    })
  })

  it('repeats by the schedule it is given, and refuses what it does not know', async () => {
    const port = await freePort()
    const { facts, line } = await serve(['sender', '--url', `http://127.0.0.1:${port}/`, '--schedule', '1ms,1ms'])
    const send = (path: string, method = 'POST') => fetch(`${facts.url}${path}`, { method })
    expect((await send('/send/message.sent')).status).toBe(400)
    expect((await send('/send/message.sent', 'GET')).status).toBe(405)
    expect((await send('/')).status).toBe(404)
    const { id } = (await (await send('/send/message.bounced')).json()) as { id: string }
    for (const attempt of [1, 2, 3])
      expect(JSON.parse(await line())).toMatchObject({ webhook_id: id, attempt, result: 'no connection' })
  })
})

describe('serve', () => {
  it('takes its port, its keys and its control interface from flags, and reports a port in use', async () => {
    const port = await freePort()
    const { facts } = await serve(['--port', String(port), '--api-key', 'k_one', '--control', '--control-key', 'c_one'])
    expect(facts.url).toBe(`http://127.0.0.1:${port}`)
    expect((await fetch(`${facts.url}/v1/events`, { headers: bearer('k_one') })).status).toBe(200)
    expect((await fetch(`${facts.url}/v1/events`, { headers: bearer('k_two') })).status).toBe(401)
    expect((await fetch(facts.controlUrl ?? '', { headers: bearer('c_one') })).status).toBe(200)
    expect((await fetch(facts.controlUrl ?? '', { headers: bearer('k_one') })).status).toBe(401)
    const second = await refused(['--port', String(port)])
    expect(second.err).toMatch(new RegExp(`127\\.0\\.0\\.1:${port} is in use: choose another --port`))
    expect(second.code).toBe(2)
  })

  it('takes the same from variables, which a flag beats', async () => {
    const variables = { CONFORMANCE_API_KEY: 'k_variable', CONFORMANCE_CONTROL: 'true', CONFORMANCE_HOST: '127.0.0.2' }
    const { facts } = await serve(['--host', '127.0.0.1'], variables)
    expect(facts).toMatchObject({ apiKey: 'k_variable', controlUrl: `${facts.url}/_control` })
    expect(facts.url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  })

  it('offers no control interface without the flag', async () => {
    const { facts } = await serve()
    expect(facts.controlUrl).toBeUndefined()
    expect((await fetch(`${facts.url}/_control`)).status).toBe(404)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 at %s, frees the port, and keeps its data', async (signal) => {
    const port = await freePort()
    const args = ['--port', String(port), '--data', `${signal}.db`, '--api-key', 'k_kept']
    const first = await serve(args)
    const raise = await fetch(`${first.facts.url}/_page/events`, {
      method: 'POST',
      headers: bearer('k_kept'),
      body: JSON.stringify({ types: ['message.received'] }),
    })
    const { ids } = (await raise.json()) as { ids: string[] }
    first.child.kill(signal)
    expect(await once(first.child, 'close')).toEqual([0, null])
    const second = await serve(args)
    const kept = await fetch(`${second.facts.url}/v1/events`, { headers: bearer('k_kept') })
    expect(await kept.text()).toContain(ids[0])
  })

  it('delivers to a loopback receiver that a flag names, over TLS that a flag trusts', async () => {
    const port = await freePort()
    const secretless = ['receiver', '--port', String(port), '--tls', 'ca.pem']
    const sender = async () => serve(['--allow', `127.0.0.1:${port}`, '--ca', 'ca.pem'])
    const early = await serve(secretless)
    const { facts } = await sender()
    const created = await fetch(`${facts.url}/v1/webhooks`, {
      method: 'POST',
      headers: bearer(facts.apiKey),
      body: JSON.stringify({ url: early.facts.url }),
    })
    expect(created.status).toBe(201)
    const { secret } = (await created.json()) as { secret: string }
    const raise = (types: readonly string[]) =>
      fetch(`${facts.url}/_page/events`, {
        method: 'POST',
        headers: bearer(facts.apiKey),
        body: JSON.stringify({ types }),
      })
    await raise(['message.received'])
    expect(JSON.parse(await early.line())).toMatchObject({ method: 'POST', path: '/webhooks', status: 401 })
    early.child.kill('SIGTERM')
    await once(early.child, 'close')
    // The certificate is a new one, so the server is as well; the secret is the webhook's.
    const receiver = await serve([...secretless, '--secret', secret])
    expect(receiver.facts.secret).toBe(secret)
    expect(existsSync(join(folder, 'ca.pem'))).toBe(true)
  })
})

describe('serve --with-receiver', () => {
  it('serves a receiver that gets what the server sends, each trusting the other', async () => {
    const { facts, line } = await serve(['--with-receiver'])
    const [inbox] = facts.inboxes
    const sent = await fetch(`${facts.url}/v1/emails`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${facts.apiKey}` },
      body: JSON.stringify({ from: `a@${facts.domain}`, to: inbox?.address, subject: 'x', text: 'x' }),
    })
    expect(sent.status).toBeLessThan(300)
    expect(JSON.parse(await line())).toMatchObject({ method: 'POST', path: '/webhooks', status: 204 })
  })
})

describe('serve --mutant', () => {
  it('makes the mistake', async () => {
    const unsigned = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":"evt_1"}' }
    const right = await serve(['receiver'])
    expect((await fetch(right.facts.url, unsigned)).status).toBeGreaterThanOrEqual(400)
    const wrong = await serve(['receiver', '--mutant', 'receiver/verifies-nothing'])
    expect((await fetch(wrong.facts.url, unsigned)).ok).toBe(true)
  })

  it('suggests the nearest name', async () => {
    const { code, err } = await refused(['--mutant', 'server/takes-only-2000'])
    expect([code, err]).toEqual([2, expect.stringContaining('did you mean server/takes-only-200')])
  })
})

describe('the page', () => {
  it('is for this machine alone, and for who names it so', async () => {
    const { facts } = await serve()
    const page = await fetch(`${facts.url}/_page`)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    expect(await page.text()).not.toContain(facts.apiKey)
    expect(facts.pageUrl).toBe(`${facts.url}/_page#key=${facts.apiKey}`)
    const { request } = await import('node:http')
    const pageRequest = request(`${facts.url}/_page`, { headers: { host: 'rebound.example' } })
    pageRequest.end()
    const [response] = (await once(pageRequest, 'response')) as [{ readonly statusCode: number }]
    expect(response.statusCode).toBe(403)
    pageRequest.destroy()
    expect((await fetch(`${facts.url}/_page/events`, { method: 'POST', body: '{"types":[]}' })).status).toBe(401)
    expect((await fetch(`${facts.url}/_page/facts`, { headers: bearer('k_wrong') })).status).toBe(401)
  })

  it('is not offered beyond loopback', async () => {
    const { facts } = await serve(['--host', '0.0.0.0'])
    expect(facts.pageUrl).toBeUndefined()
    expect((await fetch(`${facts.url.replace('0.0.0.0', '127.0.0.1')}/_page`)).status).toBe(404)
  })
})

it.each([
  ['server', '0.0.0.0', true],
  ['receiver', '0.0.0.0', true],
  ['sender', '0.0.0.0', true],
  ['sender', 'localhost', false],
] as const)('serve %s --host %s warns of an address that other machines reach: %s', async (what, host, isWarned) => {
  const child = spawn(process.execPath, [program, 'serve', what, '--host', host], { cwd: folder })
  started.push(child)
  let err = ''
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  await once(child, 'close')
  expect(err.includes('other machines can reach'), err).toBe(isWarned)
})
