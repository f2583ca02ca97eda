// `conformance ui` as a person uses it: the program in a process of its own, its page in a real browser.
import { createHmac } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultPolicy, startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { program } from './program.js'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
const folder = mkdtempSync(join(tmpdir(), 'conformance-ui-'))
const started: ChildProcess[] = []
let runs = 0
const servers: ReferenceServer[] = []

afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  for (const server of servers.splice(0)) await server.close()
})

/** Starts a service that lists secrets, and hostile text with them, until it is fixed. */
async function service(): Promise<{ readonly server: ReferenceServer; mend(): void }> {
  let isBroken = true
  const server = await startReferenceServer({
    policy: {
      listedWebhook: (webhook) => ({
        ...defaultPolicy.listedWebhook(webhook),
        ...(isBroken ? { secret: webhook.secret, note: hostile } : {}),
      }),
    },
  })
  servers.push(server)
  return { server, mend: () => (isBroken = false) }
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const endpoints: Server[] = []
afterAll(() => endpoints.forEach((endpoint) => endpoint.close()))

/** A webhook endpoint that refuses types it does not know, and takes deliveries of any age; resolves to its URL. */
async function forgetfulEndpoint(): Promise<string> {
  const endpoint = createServer((incoming, response) => {
    void (async () => {
      const [id, at, signature] = ['id', 'timestamp', 'signature'].map((name) =>
        String(incoming.headers[`webhook-${name}`]),
      )
      const body = Buffer.concat((await incoming.toArray()) as Buffer[])
      const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${id}.${at}.`)
        .update(body)
      const isSigned = signature?.split(' ').includes(`v1,${mac.digest('base64')}`) === true
      const isKnown = /"type":"(message|sending)\.\w+"/.test(body.toString())
      response.writeHead(isSigned && isKnown ? 204 : 400).end()
    })()
  })
  endpoints.push(endpoint)
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`
}

interface Ui {
  readonly child: ChildProcess
  readonly url: string
}

async function ui(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ui> {
  const child = spawn(process.execPath, [program, 'ui', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Page +(\S+)$/.exec(line) ?? []
    // What it prints later is read, so that it never waits.
    if (url !== undefined) return (child.stdout.resume(), { child, url })
  }
  throw new Error('no page')
}

const onServer = (
  { server }: { readonly server: Pick<ReferenceServer, 'url' | 'apiKey'> },
  ...cases: readonly string[]
) =>
  ui(
    ['--base-url', server.url, '--quiet', '--journal', join(folder, `${++runs}.journal`)].concat(
      cases.flatMap((id) => ['--case', id]),
    ),
    { CONFORMANCE_API_KEY: server.apiKey },
  )

describe('the address', () => {
  it('contains a token, and refuses a request with another host name', async () => {
    const { url } = await onServer(await service(), 'service/webhooks/*')
    const { origin, pathname, host } = new URL(url)
    expect(pathname).toMatch(/^\/[\w-]{22}\/$/)
    expect((await fetch(`${origin}/`)).status).toBe(404)
    expect((await fetch(`${origin}/events`)).status).toBe(404)
    const page = await fetch(url)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
    const rebound = request(url, { headers: { host: host.replace('127.0.0.1', 'rebound.example') } })
    rebound.end()
    const [response] = (await once(rebound, 'response')) as [{ readonly statusCode: number }]
    expect(response.statusCode).toBe(403)
    rebound.destroy()
    const rerun = (body: string) => fetch(`${url}rerun`, { method: 'POST', body })
    expect((await rerun('nonsense')).status).toBe(400)
    expect((await rerun('["service/webhooks/no-such"]')).status).toBe(400)
  })

  it.each([
    [['observe'], /ui observe: expected run, receiver, verifier, client, sender, or options of run/],
    [['sender'], /sender needs the secret/],
    [['--reference', '--watch'], /--watch: the page of `conformance ui` runs cases again itself; leave it out/],
    [['receiver'], /receiver needs a target/],
  ])('ui %j ends with exit code 2 and an error that names the problem', async (args, message) => {
    const child = spawn(process.execPath, [program, 'ui', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    started.push(child)
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
    expect(await once(child, 'close')).toEqual([2, null])
    expect(text).toMatch(message)
  })
})

describe.skipIf(browserPath === undefined)(`the page of a run${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  it('shows a run live, reruns failed cases, and ends with the exit code of the last round', async () => {
    const target = await service()
    const { child, url } = await onServer(target, 'service/webhooks/*', 'service/polling/*')
    const { page, complaints } = await openTab(browser, url)
    await page.getByText('nonconformant').waitFor()
    await page.getByText('Done').waitFor()
    await page.getByRole('heading', { name: /^failed service\/webhooks\// }).waitFor()
    expect(await page.getByRole('main').innerText()).toMatch(/expected\n.*\ngot\n/)
    await page.locator('.exchange summary').last().click()
    expect(await page.locator('img').count()).toBe(0)
    target.mend()
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: /^passed service\/webhooks\// }).waitFor()
    await page.getByRole('button', { name: /Rerun the (\d+ )?failed cases?/ }).waitFor()
    const failed = await page.locator('.chip.failed').count()
    if (failed > 0) await page.keyboard.press('f')
    await page.getByText('Nothing failed, but some MUST requirement was not verified.').waitFor()
    await page.getByRole('button', { name: 'Rerun the failed cases' }).waitFor()
    expect(await page.title()).toMatch(/^Done: http:\/\/127\.0\.0\.1/)
    expect(complaints).toEqual([])
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    await page.getByText('The program that served this page has ended; this is its last output').waitFor()
    expect(await page.getByRole('button', { name: 'Rerun all' }).isDisabled()).toBe(true)
  })

  it('shows a failure as unconfirmed first, and as failed after its rerun', async () => {
    const { url } = await ui(
      ['--reference', '--mutant', 'server/first-retry-after-ten-seconds', '--quiet'].concat(
        ['retries/second-attempt-after-5-seconds', 'deletion/stops-what-is-in-flight*'].flatMap((name) => [
          '--case',
          `service/${name}`,
        ]),
      ),
    )
    const { page, complaints } = await openTab(browser, url)
    const unconfirmed = page.locator('.chip.unconfirmed')
    await unconfirmed.waitFor()
    await page.getByText('Done').waitFor({ timeout: 50_000 })
    await page.locator('.chip.failed').waitFor()
    expect(await unconfirmed.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('shows the last runs on the target', async () => {
    const target = ['receiver', '--url', await forgetfulEndpoint(), '--secret', secret, '--quiet']
    const again = () => ui([...target, '--case', 'receiver/timestamp/refuses-stale'], { XDG_STATE_HOME: folder })
    const first = await again()
    const { page: before } = await openTab(browser, first.url)
    await before.getByText('Done').waitFor()
    expect(await before.getByText('Last runs').count()).toBe(0)
    first.child.kill('SIGINT')
    await once(first.child, 'close')
    const { page } = await openTab(browser, (await again()).url)
    await page.getByText(/^Since the run of .*: 0 new failures, 0 fixed\./).waitFor()
    await page.getByRole('link', { name: 'Last runs' }).click()
    const rows = page.getByRole('region', { name: 'Last runs' }).getByRole('row')
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(3)
  })

  it('opens at the failure to read first, not at the first of the list', async () => {
    const cases = ['acceptance/takes-unknown-event-types', 'timestamp/refuses-stale', 'timestamp/refuses-future']
    const { url } = await ui(
      ['receiver', '--url', await forgetfulEndpoint(), '--secret', secret, '--quiet'].concat(
        cases.flatMap((name) => ['--case', `receiver/${name}`]),
      ),
    )
    const { page, complaints } = await openTab(browser, url)
    await page.getByText('The limit on the age of deliveries is missing').waitFor()
    await page.getByText('3 failed', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'failed receiver/timestamp/refuses-stale' }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    const sent = page.waitForRequest((sentRequest) => sentRequest.url().endsWith('/rerun'))
    await page.getByRole('button', { name: 'Rerun receiver/timestamp' }).click()
    expect(JSON.parse((await sent).postData() ?? '')).toEqual([
      'receiver/timestamp/refuses-stale',
      'receiver/timestamp/refuses-future',
    ])
    expect((await (await sent).response())?.status()).toBe(202)
    expect(complaints).toEqual([])
  })

  it('stops a run, and shows that it was stopped', async () => {
    // It accepts every connection, and never answers.
    const silent = createTcpServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const { child, url: address } = await onServer({ server: { url, apiKey: 'k_nobody' } }, 'service/webhooks/*')
    const { page } = await openTab(browser, address)
    const held = new EventTarget()
    await page.route('**/stop', async (route) => {
      await once(held, 'go')
      await route.continue()
    })
    const stop = page.getByRole('button', { name: 'Stop' })
    await stop.click()
    await page.getByText('Stopping: the cases under way are ended first').waitFor()
    expect(await stop.isDisabled()).toBe(true)
    held.dispatchEvent(new Event('go'))
    await page.getByText('Stopped before its end').waitFor()
    await page.getByText('The run has no verdict.').waitFor()
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([3, null])
    silent.close()
  })

  it('reports a target that does not exist', async () => {
    const { server } = await service()
    await server.close()
    const { url } = await onServer({ server }, 'service/webhooks/*')
    const { page } = await openTab(browser, url)
    await page.getByText('The target went away, or was never there').waitFor()
    await page.getByText('The run has no verdict.').waitFor()
  })

  it('reports a target that went away during a run, and keeps its results', async () => {
    const target = await service()
    target.mend()
    const { server } = target
    const { url } = await onServer(target, 'service/**')
    const { page } = await openTab(browser, url)
    const passed = page.locator('.chip.passed')
    await passed.waitFor()
    await server.close()
    await page.getByText('The target went away, or was never there').waitFor()
    await page.getByText('The run has no verdict.').waitFor()
    expect(await passed.innerText()).toMatch(/^\s*[1-9]\d* passed/)
  })

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const { url } = await onServer(await service(), 'service/webhooks/*')
    const { page } = await openTab(browser, url, { viewport: { width: 320, height: 640 }, colorScheme })
    await page.getByText('Done').waitFor()
    await page.locator('.exchange summary').first().click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(page)).toEqual([])
  })
})
