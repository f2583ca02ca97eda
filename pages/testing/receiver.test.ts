// The page of `conformance serve receiver`: each delivery, verified or why not, and a receiver broken on purpose.
import { createHmac } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'
import { endServing, serve, type Facts } from './serving.js'

afterEach(endServing)

const hostile = '<img src=x onerror="document.title=1">'
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** Posts an event as a sender would; `key` is what it signs with. */
async function send({ url }: Facts, id: string, key = Buffer.from(secret.slice(6), 'base64')): Promise<number> {
  const body = JSON.stringify({ id, type: 'message.received', timestamp: new Date().toISOString(), data: { hostile } })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  return (await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })).status
}

describe.skipIf(browserPath === undefined)(`the page of the reference receiver${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  it('shows every request, why it does not verify, and how often its id arrived before', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page, complaints } = await openTab(browser, facts.page_url ?? '')
    await page.getByText('None yet').waitFor()
    expect(await send(facts, 'evt_1')).toBe(204)
    expect(await send(facts, 'evt_1')).toBe(200)
    expect(await send(facts, 'evt_2', Buffer.from(secret))).toBe(401)
    await page.getByText('3 requests').waitFor()
    const rows = page.locator('.deliveries > li')
    expect(await rows.nth(2).innerText()).toMatch(/verified 204 accepted evt_1 message\.received/)
    expect(await rows.nth(1).innerText()).toMatch(
      /200 a duplicate evt_1 message\.received the same id arrived 1 time before/,
    )
    expect(await rows.nth(0).innerText()).toMatch(/not verified 401[^]*undecoded/)
    await rows.nth(2).getByText('Request').click()
    await expect.poll(() => rows.nth(2).innerText()).toContain('<img src=x')
    expect(await page.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('answers 500 or redirects while a button is pressed, then verifies again', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page } = await openTab(browser, facts.page_url ?? '')
    const behave = async (name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('button', { name, pressed: true }).waitFor()
    }
    await behave('Answer 500')
    expect(await send(facts, 'evt_1')).toBe(500)
    await behave('Redirect')
    expect(await send(facts, 'evt_1')).toBe(302)
    await behave('Answer as it should')
    expect(await send(facts, 'evt_1')).toBe(204)
  })

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page } = await openTab(browser, facts.page_url ?? '', {
      viewport: { width: 320, height: 640 },
      colorScheme,
    })
    await send(facts, 'evt_1')
    await send(facts, 'evt_2', Buffer.from('wrong'))
    await page.getByText('2 requests').waitFor()
    await page.getByText('Request', { exact: true }).first().click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(page)).toEqual([])
  })
})
