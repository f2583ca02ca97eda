// The page of `conformance serve receiver` and of `listen`: each delivery with its result, and deliveries that the page sends.
import { createHmac } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'
import { ownScheme } from '../../harness/schemes/index.js'
import { forgeries, reasonToSkip } from '../../suites/shared/forgeries/index.js'
import { endServing, serve, startListening, type Facts } from './serving.js'

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
    expect(await rows.nth(2).innerText()).toMatch(/1 [\d:]+ accepted 204 evt_1 message\.received\s+signature verified/)
    expect(await rows.nth(1).innerText()).toMatch(
      /200 evt_1 message\.received\s+signature verified · a duplicate · the same id arrived 1 time before/,
    )
    expect(await rows.nth(0).innerText()).toMatch(
      / refused 401 evt_2[^]*not verified · no matching signature[^]*undecoded/,
    )
    await rows.nth(2).getByText('Request').click()
    await expect.poll(() => rows.nth(2).innerText()).toContain('<img src=x')
    expect(await page.locator('img').count()).toBe(0)
    // The cause of the third is searched for while the fourth arrives.
    expect(await send(facts, 'evt_3', Buffer.from('another'))).toBe(401)
    expect(await send(facts, 'evt_4')).toBe(204)
    await page.getByText('5 requests').waitFor()
    expect(await page.locator('.deliveries a.small').allInnerTexts()).toEqual(['5', '4', '3', '2', '1'])
    expect(complaints).toEqual([])
  })

  it('answers 500 or redirects while a button is pressed, then verifies again', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page } = await openTab(browser, facts.page_url ?? '')
    const behave = async (name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('button', { name, pressed: true }).waitFor()
    }
    await behave('500')
    expect(await send(facts, 'evt_1')).toBe(500)
    await behave('a redirect')
    expect(await send(facts, 'evt_1')).toBe(302)
    await behave('as it should')
    expect(await send(facts, 'evt_1')).toBe(204)
  })

  it('sends an event and each kind of forgery, and reports what the receiver had to do', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page, complaints, requests } = await openTab(browser, facts.page_url ?? '')
    const form = page.getByRole('form', { name: 'Send an event' })
    await form.getByLabel('Event').selectOption('message.bounced')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('As expected: it must be accepted.').waitFor()
    const kinds = await form
      .getByLabel('Forge it')
      .locator('option')
      .evaluateAll((all) => all.length)
    expect(kinds).toBe(
      1 +
        forgeries.filter((forgery) => forgery.isDense === undefined && reasonToSkip(forgery, ownScheme) === undefined)
          .length,
    )
    await form.getByLabel('Forge it').selectOption('no-signature')
    await form.getByRole('button', { name: 'Send' }).click()
    await page
      .getByText(/Sent a delivery without its signature: 400 after .* As expected: it must be refused\./)
      .waitFor()
    const rows = page.locator('.deliveries > li')
    await page.locator('.deliveries > li.refused').waitFor()
    expect(await rows.nth(0).innerText()).toContain(
      'Sent from this page: a delivery without its signature; it must be refused',
    )
    expect(await rows.nth(1).getAttribute('class')).toBe('accepted')
    expect(await rows.nth(1).innerText()).toContain('message.bounced')
    await rows.nth(1).getByRole('button', { name: 'Forge it' }).click()
    await rows.nth(1).getByLabel('What is wrong').selectOption('body-alone')
    await rows.nth(1).getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText(/Sent request 1, a signature over the body alone: 401/).waitFor()
    expect(requests.filter((url) => !url.startsWith('http://127.0.0.1:'))).toEqual([])
    expect(complaints).toEqual([])
  })

  it('marks a forgery that is accepted, and a valid delivery that is refused', async () => {
    const facts = await serve(['receiver', '--secret', secret, '--mutant', 'receiver/accepts-stale'])
    const { page } = await openTab(browser, facts.page_url ?? '')
    const form = page.getByRole('form', { name: 'Send an event' })
    await form.getByLabel('Forge it').selectOption('1-days-old')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Wrong: it must be refused.').waitFor()
    await page.locator('.deliveries > li.unexpected').waitFor()
    await page.getByRole('button', { name: '500' }).click()
    await page.getByRole('button', { name: '500', pressed: true }).waitFor()
    await form.getByLabel('Forge it').selectOption('')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Wrong: it must be accepted.').waitFor()
    await expect.poll(() => page.locator('.deliveries > li.unexpected').count()).toBe(2)
  })

  it('replays a request as it was or signed now, copies it as curl, shows the secret on request, and clears', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page } = await openTab(browser, facts.page_url ?? '', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await send(facts, 'evt_1')
    await page.getByRole('button', { name: 'Replay as it was' }).click()
    await page.getByText(/Sent request 1, sent again as it was: 200/).waitFor()
    await page.locator('.deliveries > li').nth(1).getByRole('button', { name: 'Replay, signed now' }).click()
    await page.getByText(/Sent request 1, signed now: 200/).waitFor()
    const headers = await page.locator('.deliveries > li').count()
    expect(headers).toBe(3)
    await page.getByRole('button', { name: 'Copy as curl: request 1 as curl' }).click()
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toMatch(/^printf|^curl/)
    expect(curl).toContain(facts.url)
    expect(await page.getByText(secret).count()).toBe(0)
    await page.getByRole('button', { name: 'Show the secret of this endpoint' }).click()
    await page.getByText(secret).waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('None yet').waitFor()
  })

  it('filters by text and outcome, and keeps the filter and the open request in the address', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page } = await openTab(browser, facts.page_url ?? '')
    await send(facts, 'evt_first')
    await send(facts, 'evt_other', Buffer.from('wrong'))
    await page.getByText('2 requests').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('evt_first')
    await page.getByText('1 of 2 requests shown').waitFor()
    expect(page.url()).toContain('#q=evt_first')
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: '1 accepted' }).uncheck()
    await page.getByText('1 of 2 requests shown').waitFor()
    expect(await page.locator('.deliveries').innerText()).toContain('evt_other')
    const other = await openTab(browser, `${facts.page_url ?? ''}#hide=refused&request=1`)
    await other.page.getByText('webhook-signature: v1,').waitFor()
    expect(await other.page.locator('.deliveries > li').count()).toBe(1)
  })

  it('sends nothing for another origin, and nothing that is not there', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const post = (headers: Record<string, string>, body: object) =>
      fetch(`${facts.page_url ?? ''}send`, { method: 'POST', headers, body: JSON.stringify(body) })
    const event = { event: 'message.received' }
    expect((await post({ origin: 'http://127.0.0.1:1' }, event)).status).toBe(403)
    expect((await post({ 'sec-fetch-site': 'cross-site' }, event)).status).toBe(403)
    expect((await post({}, event)).status).toBe(200)
    for (const wrong of [
      {},
      { event: 'message.gone' },
      { number: 99 },
      { ...event, forgery: 'gone' },
      { isAsIs: true },
    ])
      expect((await post({}, wrong)).status, JSON.stringify(wrong)).toBe(400)
  })

  it('the page of listen sends through it to the address it forwards to, and shows the answer', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const listen = await startListening(['--forward-to', facts.url, '--listen', '127.0.0.1:0', '--secret', secret])
    const { page, complaints } = await openTab(browser, listen.page)
    await page.getByText(facts.url).first().waitFor()
    const form = page.getByRole('form', { name: 'Send an event' })
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('As expected: it must be accepted.').waitFor()
    await form.getByLabel('Forge it').selectOption('another-secret')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('As expected: it must be refused.').waitFor()
    const row = page.locator('.deliveries > li').first()
    expect(await row.innerText()).toMatch(
      /refused 401[^]*not verified[^]*Sent from this page: a delivery signed with another secret/,
    )
    await row.getByText('Request', { exact: true }).click()
    await row.getByRole('heading', { name: 'Answer' }).waitFor()
    expect(await page.getByRole('button', { name: '500' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('the page of listen without a secret signs nothing, and replays', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const listen = await startListening(['--forward-to', facts.url, '--listen', '127.0.0.1:0'])
    const { page } = await openTab(browser, listen.page)
    await page.getByText('none: with --secret').waitFor()
    expect(await send({ ...facts, url: listen.url }, 'evt_1')).toBe(204)
    await page.getByRole('button', { name: 'Replay as it was' }).click()
    await page.getByText(/Sent request 1, sent again as it was: 200/).waitFor()
    expect(await page.getByRole('button', { name: 'Replay, signed now' }).count()).toBe(0)
    expect(await axeProblems(page)).toEqual([])
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
    await page.getByRole('button', { name: 'Forge it' }).first().click()
    await page.getByRole('form', { name: 'Send an event' }).getByRole('button', { name: 'Send' }).click()
    await page.getByText('As expected: it must be accepted.').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(page)).toEqual([])
  })
})
