// The page of `conformance serve` as a developer uses it, in a real browser.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'
import { endServing, serve, type Facts } from './serving.js'

const folder = mkdtempSync(join(tmpdir(), 'server-page-'))
const caPath = join(folder, 'ca.pem')

afterEach(endServing)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
/** An unused address; the webhook's URL would be markup. */
const hostileUrl = 'https://127.0.0.1:9/hooks?<img src=x onerror=alert(1)>'

describe.skipIf(browserPath === undefined)(`the page of the reference server${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  async function served(args: readonly string[] = []): Promise<{ facts: Facts; webhook: string }> {
    const facts = await serve(['--allow', '127.0.0.1:9', ...args])
    const created = await fetch(`${facts.url}/v1/webhooks`, {
      method: 'POST',
      headers: bearer(facts.apiKey),
      body: JSON.stringify({ url: hostileUrl }),
    })
    return { facts, webhook: ((await created.json()) as { id: string }).id }
  }
  async function open(facts: Facts, options: BrowserContextOptions = {}) {
    const tab = await openTab(browser, facts.pageUrl ?? '', options)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    await tab.page.locator('.webhook').first().waitFor()
    return tab
  }

  it('shows events and deliveries as they arrive, sends an event of every type, and replays', async () => {
    const { facts } = await served()
    const { page, complaints, requests } = await open(facts)
    expect(page.url()).toBe(`${facts.url}/_page`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('9 events').waitFor()
    expect(await page.locator('.events').innerText()).toMatch(/sending\.paused/)
    await page.locator('.deliveries > li').nth(8).waitFor()
    await page
      .getByRole('button', { name: /^Replay delivery/ })
      .first()
      .click()
    await page.locator('.deliveries > li').nth(9).waitFor()
    expect(await page.locator('.webhook').innerText()).toMatch(/replay of dlv_/)
    await page.locator('.event summary').first().click()
    expect(await page.locator('.event pre').innerText()).toMatch(/"type": "sending/)
    expect(complaints).toEqual([])
    expect(requests.filter((url) => !/^(http|ws):\/\/127\.0\.0\.1:/.test(url))).toEqual([])
  })

  it('raises an event with edited data, and shows the request and attempts of its delivery', async () => {
    const { facts } = await served()
    const { page } = await open(facts)
    await page.getByRole('form', { name: 'Send an event' }).getByLabel('Event').selectOption('message.bounced')
    const data = page.getByLabel('Data')
    await data.fill((await data.inputValue()).replace('550 5.1.1', '552 5.2.2'))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Request and attempts').click()
    const attempts = page.locator('.attempts')
    await attempts.getByText('connection').waitFor()
    await attempts.getByText('webhook-signature: v1,').waitFor()
    expect(await attempts.innerText()).toContain('552 5.2.2')
    await data.fill('{')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The data is not JSON').waitFor()
  })

  it('forges a delivery of its webhook, shows its secret on request, and filters deliveries', async () => {
    const receiver = await serve(['receiver', '--tls', caPath, '--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])
    const { host } = new URL(receiver.url)
    const facts = await serve(['--allow', host, '--ca', caPath])
    const { page, complaints } = await openTab(browser, facts.pageUrl ?? '')
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = (await page.getByText(/whsec_/).innerText()).trim()
    await page.getByRole('form', { name: 'Send an event' }).getByLabel('Event').selectOption('message.received')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const row = page.locator('.deliveries > li').first()
    await row.getByRole('button', { name: /^Forge it/ }).click()
    expect(await row.getByLabel('What is wrong').locator('option').count()).toBeGreaterThan(150)
    await row.getByLabel('What is wrong').selectOption('deep-lists')
    await row.getByRole('button', { name: 'Send', exact: true }).click()
    await row
      .getByText(/Sent a body of 20,000 nested lists.*: 401 after .* As expected: it must be refused\./)
      .waitFor()
    expect(await page.locator('.deliveries > li').count()).toBe(1)
    expect(await page.locator('.webhook').innerText()).not.toContain(secret)
    await page.getByRole('button', { name: /^Show the secret of/ }).click()
    await page.locator('.webhook').getByText(secret).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it')
    await page.getByText('0 of 1 delivery shown').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('received')
    await row.waitFor()
    await page.getByRole('checkbox', { name: /pending/ }).uncheck()
    await page.getByText('0 of 1 delivery shown').waitFor()
    expect(complaints).toEqual([])
  })

  it('acts for no other page, even with the key', async () => {
    const { facts } = await served()
    const raise = (headers: Record<string, string>) =>
      fetch(`${facts.url}/_page/events`, {
        method: 'POST',
        headers: { ...bearer(facts.apiKey), ...headers },
        body: JSON.stringify({ types: ['message.received'] }),
      })
    expect((await raise({ origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await raise({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
    expect((await raise({ origin: facts.url })).status).toBe(201)
  })

  it('moves the clock to the next attempt, only if the server has a control interface', async () => {
    const { facts } = await served(['--control'])
    const { page } = await open(facts)
    await page.getByRole('form', { name: 'Send an event' }).getByLabel('Event').selectOption('message.received')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText(/attempt 1 · next in \d s/).waitFor()
    await page.getByRole('button', { name: 'Move time by 5 min' }).click()
    await page.getByText(/attempt 2 · next in/).waitFor()
    await page.getByRole('button', { name: 'To the next attempt' }).click()
    await page.getByText(/attempt 3 · next in/).waitFor()
    const plain = await open((await served()).facts)
    expect(await plain.page.getByRole('button', { name: 'To the next attempt' }).count()).toBe(0)
  })

  it('creates and deletes a webhook, and shows why a URL was refused', async () => {
    const { facts, webhook } = await served()
    const { page, complaints } = await open(facts)
    await page.getByLabel('URL').fill('https://10.0.0.1/')
    await page.getByRole('button', { name: 'Create' }).click()
    await page
      .getByRole('alert')
      .getByText(/private, loopback or reserved/)
      .waitFor()
    await page.getByLabel('URL').fill('https://127.0.0.1:9/other')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/whsec_/).waitFor()
    await page.locator('.webhook').nth(1).waitFor()
    await page.getByRole('button', { name: `Delete webhook ${webhook}` }).click()
    await page.locator('.webhook').nth(1).waitFor({ state: 'detached' })
    // The only other complaint is the browser's own line on the 4xx.
    expect(complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([])
  })

  it('shows hostile text as text', async () => {
    const { facts } = await served()
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    await fetch(`${facts.url}/_page/events`, {
      method: 'POST',
      headers: bearer(facts.apiKey),
      body: JSON.stringify({ types: ['message.received'], data: { subject: hostile } }),
    })
    const { page, complaints } = await open(facts)
    await page.locator('.event summary').click()
    expect(await page.locator('.event pre').innerText()).toContain('<img src=x')
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.locator('.webhook').innerText()).toContain('/hooks')
    expect(await page.title()).toBe('Reference server')
    expect(complaints).toEqual([])
  })

  it('renders every operation of the API, and requests the key if it has none', async () => {
    const { facts } = await served()
    const { page, complaints } = await openTab(browser, `${facts.url}/_page#api`, { colorScheme: 'dark' })
    await page.locator('.operation').nth(8).waitFor()
    await page.getByRole('region', { name: 'Stream and deliveries' }).locator('.operation').nth(19).waitFor()
    for (const summary of await page.locator('.operation summary').all()) await summary.click()
    const text = (await page.locator('.api').allInnerTexts()).join('\n')
    expect(text).toMatch(/\/v1\/webhooks\/\{id\}\/deliveries/)
    expect(text).toMatch(/FRAME\s+message\.bounced/)
    expect(text).toMatch(/webhook-signature/)
    expect(text).not.toMatch(/undefined|\[object/)
    expect(await axeProblems(page)).toEqual([])
    const needsKey = page.getByText(/needs the API key/)
    expect(await needsKey.count()).toBe(0)
    await page.getByRole('link', { name: 'Live' }).click()
    await needsKey.waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('works by keyboard alone, and keeps the focus when its lists are redrawn', async () => {
    const { facts } = await served()
    const { page } = await open(facts)
    await page.getByRole('form', { name: 'Send an event' }).getByLabel('Inbox').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.deliveries > li').nth(8).waitFor()
    const replay = page.getByRole('button', { name: /^Replay delivery/ }).first()
    await replay.focus()
    const focused = await replay.getAttribute('aria-label')
    await page.keyboard.press('Enter')
    await page.locator('.deliveries > li').nth(9).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(focused)
  })

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const { facts } = await served(['--control'])
    const { page } = await open(facts, { viewport: { width: 320, height: 640 }, colorScheme })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.deliveries > li').nth(8).waitFor()
    await page.getByText('Request and attempts').first().click()
    await page.getByText('webhook-signature: v1,').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(page)).toEqual([])
  })
})
