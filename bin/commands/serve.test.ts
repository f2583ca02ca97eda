// `conformance serve` as a black box: its flags, its end, and its page in a real browser.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, openBrowser, type Browser, type Page } from '../../harness/testing/browser.js'

const program = resolve(import.meta.dirname, '../conformance.js')
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
  readonly inboxes: readonly { readonly id: string }[]
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

function refused(args: readonly string[]): Promise<{ readonly code: number; readonly err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [program, 'serve', ...args], { cwd: folder, timeout: 20_000 }, (error, _out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : -1, err }),
    )
  })
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('wrong input is one clear line and exit code 2', () => {
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['nothing'], /serve nothing: expected server or receiver/],
    [['--port', '70000'], /--port 70000: expected a whole number from 0 to 65535/],
    [['--port', 'http'], /--port http/],
    [['--host', '192.0.2.1'], /192\.0\.2\.1:0 is no address of this machine: choose another --host/],
    [['--api-key', 'a b'], /--api-key: the key holds a space/],
    [['--control-key', 'a b'], /--control-key: the key holds a space/],
    [['--control', '--host', '0.0.0.0'], /needs a key of its own/],
    [['--data', '/nowhere/at/all.db'], /could not be started/],
    [['--allow', '10.0.0.1:443'], /--allow 10\.0\.0\.1:443: expected a loopback address and a port/],
    [['--allow', '127.0.0.1'], /--allow 127\.0\.0\.1: expected/],
    [['--ca', '/nowhere/at/all.pem'], /--ca .*cannot be read/],
    [['--secret', 'whsec_AAAA'], /--secret is an option of `serve receiver`/],
    [['receiver', '--control'], /--control is an option of `serve server`/],
    [['receiver', '--secret', 'nonsense'], /--secret: expected whsec_ followed by base64/],
    [['receiver', '--tls', '/nowhere/at/all.pem'], /--tls .*cannot be written/],
  ]
  it.each(wrong)('serve %j', async (args, says) => {
    const { code, err } = await refused(args)
    expect(err).toMatch(says)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })
})

describe('serve', () => {
  it('takes its port, its keys and its control interface from flags, and says when the port is in use', async () => {
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

  it('offers no control interface unless it is asked to', async () => {
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

  it('delivers to a receiver on loopback that it was told of, over TLS it was told to trust', async () => {
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

describe('the page', () => {
  it('is for this machine alone, and for who names it so', async () => {
    const { facts } = await serve()
    const page = await fetch(`${facts.url}/_page`)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    expect(await page.text()).not.toContain(facts.apiKey)
    expect(facts.pageUrl).toBe(`${facts.url}/_page#key=${facts.apiKey}`)
    const { request } = await import('node:http')
    const asked = request(`${facts.url}/_page`, { headers: { host: 'rebound.example' } })
    asked.end()
    const [response] = (await once(asked, 'response')) as [{ readonly statusCode: number }]
    expect(response.statusCode).toBe(403)
    asked.destroy()
    expect((await fetch(`${facts.url}/_page/events`, { method: 'POST', body: '{"types":[]}' })).status).toBe(401)
    expect((await fetch(`${facts.url}/_page/facts`, { headers: bearer('k_wrong') })).status).toBe(401)
  })

  it('is not offered beyond loopback', async () => {
    const { facts } = await serve(['--host', '0.0.0.0'])
    expect(facts.pageUrl).toBeUndefined()
    expect((await fetch(`${facts.url.replace('0.0.0.0', '127.0.0.1')}/_page`)).status).toBe(404)
  })
})

describe.skipIf(browserPath === undefined)('the page in a browser (skipped where no chromium is installed)', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  const click = (page: Page, selector: string) =>
    page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)
  const text = (page: Page, selector: string) =>
    page.evaluate<string>(`document.querySelector(${JSON.stringify(selector)}).innerText`)
  const shots = process.env['SCREENSHOTS']
  const shoot = async (page: Page, name: string) => {
    if (shots !== undefined) await page.screenshot(join(shots, `${name}.png`))
  }

  async function served(): Promise<{ facts: Facts; webhook: string }> {
    const { facts } = await serve(['--allow', '127.0.0.1:9'])
    const created = await fetch(`${facts.url}/v1/webhooks`, {
      method: 'POST',
      headers: bearer(facts.apiKey),
      body: JSON.stringify({ url: 'https://127.0.0.1:9/hooks?<img src=x onerror=alert(1)>' }),
    })
    return { facts, webhook: ((await created.json()) as { id: string }).id }
  }

  it('shows events and deliveries as they come, sends one of each, and replays', async () => {
    const { facts } = await served()
    const page = await browser.open(facts.pageUrl ?? '')
    await page.until("document.getElementById('connection').textContent === 'Live'")
    expect(await page.evaluate('location.href')).toBe(`${facts.url}/_page`)
    await click(page, '#send button')
    await page.until("document.querySelectorAll('#events details').length === 9")
    expect(await text(page, '#events')).toMatch(/sending\.paused/)
    await page.until("document.querySelectorAll('#webhooks li').length === 9")
    await click(page, '#webhooks li button')
    await page.until("document.querySelectorAll('#webhooks li').length === 10")
    expect(await text(page, '#webhooks')).toMatch(/replay of dlv_/)
    await page.evaluate("document.querySelector('#events summary').click()")
    await shoot(page, 'live')
    const raised = await fetch(`${facts.url}/v1/events?limit=1`, { headers: bearer(facts.apiKey) })
    expect(raised.status).toBe(200)
    expect(page.complaints).toEqual([])
    expect(page.requests.filter((url) => !/^(http|ws):\/\/127\.0\.0\.1:/.test(url))).toEqual([])
  })

  it('creates and deletes a webhook, and says what was refused', async () => {
    const { facts, webhook } = await served()
    const page = await browser.open(facts.pageUrl ?? '')
    await page.until(`document.getElementById('delete-${webhook}') !== null`)
    await page.evaluate("document.getElementById('url').value = 'https://10.0.0.1/'")
    await click(page, '#create button')
    await page.until("!document.getElementById('note').hidden")
    expect(await text(page, '#note')).toMatch(/private, loopback or reserved/)
    await page.evaluate("document.getElementById('url').value = 'https://127.0.0.1:9/other'")
    await click(page, '#create button')
    await page.until("document.querySelectorAll('.webhook').length === 2")
    expect(await text(page, '#created')).toMatch(/whsec_/)
    await click(page, `#delete-${webhook}`)
    await page.until("document.querySelectorAll('.webhook').length === 1")
    // The one complaint is the browser's own line on the 4xx.
    expect(page.complaints.filter((each) => !each.includes('status of 4'))).toEqual([])
  })

  it('shows hostile text as text', async () => {
    const { facts } = await served()
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    const email = { from: `Probe <probe@${'x'}.example>`, to: 'nobody@example.com', subject: hostile, text: hostile }
    await fetch(`${facts.url}/v1/emails`, {
      method: 'POST',
      headers: bearer(facts.apiKey),
      body: JSON.stringify(email),
    })
    const page = await browser.open(facts.pageUrl ?? '')
    await page.until("document.querySelectorAll('.webhook').length === 1")
    expect(await page.evaluate("document.querySelectorAll('main img, main script').length")).toBe(0)
    expect(await text(page, '.webhook')).toContain('/hooks')
    expect(await page.evaluate('document.title')).toBe('Reference server')
    expect(page.complaints).toEqual([])
  })

  it('renders the API, every operation of it', async () => {
    const { facts } = await served()
    const page = await browser.open(`${facts.url}/_page#api`, { dark: true })
    await page.until("document.querySelectorAll('#api details').length > 8")
    await page.evaluate("document.querySelectorAll('#api details').forEach((each, at) => each.open = at < 3)")
    expect(await text(page, '#api')).toMatch(/\/v1\/webhooks\/\{id\}\/deliveries/)
    expect(await text(page, '#api')).not.toMatch(/undefined|\[object/)
    expect(await text(page, '#note')).toMatch(/needs the API key/)
    await shoot(page, 'api-dark')
    expect(page.complaints).toEqual([])
  })

  it('is used by keyboard alone', async () => {
    const { facts } = await served()
    const page = await browser.open(facts.pageUrl ?? '')
    await page.until("document.getElementById('connection').textContent === 'Live'")
    await page.evaluate("document.getElementById('send-inbox').focus()")
    await page.press('Tab')
    await page.press('Enter')
    await page.until("document.querySelectorAll('#webhooks li').length === 9")
    // A table drawn anew keeps the focus where it was.
    await page.evaluate("document.querySelector('#webhooks li button').focus()")
    const focused = await page.evaluate<string>('document.activeElement.id')
    await page.press('Enter')
    await page.until("document.querySelectorAll('#webhooks li').length === 10")
    expect(await page.evaluate('document.activeElement.id')).toBe(focused)
  })

  it('fits a phone', async () => {
    const { facts } = await served()
    const page = await browser.open(facts.pageUrl ?? '', { width: 360, height: 740 })
    await page.until("document.getElementById('connection').textContent === 'Live'")
    await click(page, '#send button')
    await page.until("document.querySelectorAll('#webhooks li').length === 9")
    await shoot(page, 'phone')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })
})
