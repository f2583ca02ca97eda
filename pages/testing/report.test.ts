// The report in a real browser: text of a target stays text, and readers can use it with a keyboard, a phone, and a dark theme.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '../../harness/reporters/html.js'
import { recordedRun, type RecordedRun } from '../../harness/reporters/index.js'
import type { ExchangeRecord, Report } from '../../harness/result.js'
import { attempt, hostileText, sampleCases, sampleReport } from '../../harness/testing/sample-report.js'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes the page of a report; its address. */
function pageOf(report: Report, earlier: readonly RecordedRun[] = []): string {
  let text = ''
  const write = (part: string) => void (text += part)
  html({ write, isTerminal: false, colour: false }, { verbosity: 'normal', earlier }).onRunEnd?.(report)
  const file = join(folder, `${report.seed}.html`)
  writeFileSync(file, text)
  return `file://${file}`
}

describe.skipIf(browserPath === undefined)(`the report in a browser${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())
  const url = pageOf(sampleReport({ seed: 4 }))
  const open = (options: BrowserContextOptions = {}, fragment = '') => openTab(browser, url + fragment, options)
  const ids = (page: Page) => page.locator('.row .id').allInnerTexts()
  const chip = (page: Page, status: string) => page.locator(`.chip.${status} input`)

  it('runs only its own scripts, and sends no request', async () => {
    const { page, complaints, requests } = await open()
    await page.getByRole('heading', { name: 'service/webhooks/fails' }).waitFor()
    expect(await page.locator('script').count()).toBe(2)
    expect(await page.locator('img, iframe, a[href^=javascript]').count()).toBe(0)
    for (const summary of await page.locator('.exchange summary').all()) await summary.click()
    for (const tab of ['Requirements', 'Times', 'Cases']) {
      const link = page.getByRole('link', { name: tab, exact: true })
      await link.click()
      // What the tab before showed is gone then.
      await expect.poll(() => link.getAttribute('aria-current')).toBe('page')
      expect(await page.locator('img, iframe, a[href^=javascript]').count()).toBe(0)
    }
    await expect.poll(() => page.getByRole('main').innerText()).toContain('<img src=x onerror=alert(1)>')
    await expect.poll(() => page.getByRole('main').innerText()).toContain('\\u001b[2J')
    expect(complaints).toEqual([])
    expect(requests).toEqual([url])
  })

  it('opens with five thousand cases, and renders only a part of their rows', async () => {
    const sample = sampleCases()
    const cases = Array.from({ length: 5_000 }, (_, index) => {
      const original = sample[index % sample.length] as (typeof sample)[number]
      return { ...original, id: `${original.id}-${index}` }
    })
    const large = pageOf(sampleReport({ seed: 5_000, cases }))
    const start = performance.now()
    const { page } = await openTab(browser, large)
    await page.getByText(/of 5000 cases shown/).waitFor()
    process.stderr.write(`a report of 5000 cases opened in ${Math.round(performance.now() - start)} ms\n`)
    expect(await page.locator('.row').count()).toBeLessThan(600)
    await chip(page, 'passed').check()
    await page.getByRole('searchbox').fill('passes-1000')
    await page.getByText('1 of 5000 cases shown').waitFor()
  })

  it('opens at the case to read first, and a cause links to every case that it explains', async () => {
    const report = sampleReport({ seed: 6 })
    const [fails] = report.cases.filter((result) => result.status === 'failed' && !result.known_failure)
    if (fails === undefined) throw new Error('the sample has a failure')
    const other = { ...fails, id: 'service/webhooks/explains-more' }
    const causes = [{ cause: 'same-answer', text: 'one cause', cases: [other.id, fails.id] }]
    const url = pageOf({ ...report, cases: [...report.cases, other], likely_causes: causes })
    const { page } = await openTab(browser, url)
    await page.getByRole('heading', { name: other.id }).waitFor()
    await page.getByText('Explains 2 cases').click()
    await page.getByRole('link', { name: fails.id, exact: true }).click()
    await page.getByRole('heading', { name: fails.id, exact: false }).waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  it.each(['light', 'dark'] as const)('shows the last runs, if there are any (%s)', async (colorScheme) => {
    const cases = sampleCases()
    const passed = cases.map((result) => ({ ...result, status: 'passed' as const, known_failure: false }))
    const [broken] = cases.filter((result) => result.status === 'failed')
    const before = { ...sampleReport({ seed: 7, cases: passed }), started_at: '2026-01-01T10:00:00.000Z' }
    const report = sampleReport({ seed: 8 })
    const { page, complaints } = await openTab(browser, pageOf(report, [recordedRun(before, [])]), { colorScheme })
    await page.getByText('Since the run of 2026-01-01 10:00:00 UTC: 2 new failures, 0 fixed.').waitFor()
    await page.getByRole('link', { name: 'Last runs' }).click()
    const rows = page.getByRole('region', { name: 'Last runs' }).getByRole('row')
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(3)
    expect(await rows.nth(1).innerText()).toMatch(
      /^This run\s+\w+\s+2 failed\s*1 errored\s*1 skipped\s*1 passed\s+2 new failures/,
    )
    expect(await rows.nth(2).innerText()).toMatch(/^2026-01-01 10:00:00 UTC\s+\w+\s+5 passed\s*$/)
    expect(await axeProblems(page)).toEqual([])
    await rows.nth(1).getByText('2 new failures').click()
    await rows.getByRole('link', { name: broken?.id ?? '', exact: true }).click()
    await page.getByRole('heading', { name: broken?.id ?? '', exact: false }).waitFor()
    await page.goto(`${url}#tab=overview`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.getByText('Last runs').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('filters by outcome and by words, and keeps the filter over a reload', async () => {
    const { page } = await open()
    await expect.poll(async () => (await ids(page)).toSorted()).toEqual(['errs', 'fails', 'fails-as-known'])
    await chip(page, 'passed').check()
    await chip(page, 'skipped').check()
    await expect.poll(() => ids(page)).toHaveLength(5)
    await chip(page, 'failed').uncheck()
    expect((await ids(page)).toSorted()).toEqual(['errs', 'passes', 'skips'])
    await page.keyboard.press('/')
    await page.keyboard.type('skips')
    await page.getByText('1 of 5 cases shown').waitFor()
    await expect.poll(() => ids(page)).toEqual(['skips'])
    await page.reload()
    await page.getByText('1 of 5 cases shown').waitFor()
    await page.getByRole('searchbox').fill('zzz')
    await page.getByText('Nothing matches.').waitFor()
    await page.getByRole('searchbox').press('Escape')
    await page.getByText('3 of 5 cases shown').waitFor()
    await page.getByRole('button', { name: 'By requirement' }).click()
    await expect.poll(() => page.locator('.group .name').allInnerTexts()).toEqual(['WHK-001'])
  })

  it('opens the case that a link points to, even if a filter hides it', async () => {
    for (const fragment of ['#case=service/webhooks/passes', '#case-service/webhooks/passes']) {
      const { page } = await open({}, fragment)
      await page.getByRole('heading', { name: 'service/webhooks/passes' }).waitFor()
    }
    const { page } = await open({}, '#WHK-002')
    await page.waitForFunction(() => document.activeElement?.id === 'WHK-002')
  })

  it('works by keyboard: the focus moves from top to bottom and is visible', async () => {
    const { page } = await open()
    await page.locator('.row').first().waitFor()
    const seen: string[] = []
    for (let count = 0; count < 13; count++) {
      await page.keyboard.press('Tab')
      seen.push(await page.evaluate(() => document.activeElement?.textContent ?? ''))
      expect(
        await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
      ).not.toBe('none')
    }
    expect(seen.slice(0, 5)).toEqual(['To the content', 'Cases', 'Overview', 'Requirements', 'Interface'])
    await page.locator('.group summary').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toMatch(/case=service/)
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'case-title')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('row')
    await page.getByRole('link', { name: 'Requirements', exact: true }).click()
    await page.locator('.matrix a').first().focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('WHK-002 verified')
  })

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const { page } = await open({ viewport: { width: 320, height: 640 }, colorScheme })
    for (const tab of ['Cases', 'Requirements', 'Times']) {
      const link = page.getByRole('link', { name: tab, exact: true })
      await link.click()
      // What the tab before showed is gone then.
      await expect.poll(() => link.getAttribute('aria-current')).toBe('page')
      for (const summary of await page.locator('.exchange summary').all()) await summary.click()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), tab).toBe(320)
      expect(await axeProblems(page), tab).toEqual([])
    }
  })

  it('shows expected next to got, attempts in time, bodies in three formats, and curl without the key', async () => {
    const { page } = await open()
    expect(await page.locator('svg.timeline').first().getAttribute('aria-label')).toBe(
      '2 attempts made at 0, 9 s, due at 0, 5 s, 5 min 9 s after the first',
    )
    const [, failed] = sampleCases()
    if (failed === undefined) throw new Error('no sample')
    const replayed = { ...failed, exchanges: [attempt(0, 200), attempt(9, 200)] }
    const other = await openTab(browser, pageOf(sampleReport({ seed: 2, cases: [replayed] })))
    expect(await other.page.locator('svg.timeline').getAttribute('aria-label')).toBe(
      '2 attempts made at 0, 9 s, due at 0 after the first',
    )
    expect(await page.locator('.check .expected code').first().innerText()).toBe('201')
    const first = page.locator('.exchange').first()
    if ((await first.getAttribute('open')) === null) await first.locator('summary').first().click()
    const inside = first.locator('.inside')
    expect(await inside.innerText()).toContain('-H "authorization: Bearer $CONFORMANCE_API_KEY"')
    expect(await inside.innerText()).toContain("https://hooks.example/it'\\''s")
    await inside.getByRole('button', { name: 'JSON' }).first().click()
    await expect.poll(() => inside.locator('.body pre').first().innerText()).toContain('{\n  "url": "https')
    await inside.getByRole('button', { name: 'Bytes' }).first().click()
    expect(await inside.locator('.body pre').first().innerText()).toMatch(/^00000000 {2}7b 22 75/)
  })

  it('opens the exchange on which a check failed, marks it, and shows the parts of a signature', async () => {
    const [, failed] = sampleCases()
    const [check] = failed?.checks ?? []
    if (failed === undefined || check === undefined) throw new Error('no sample')
    const exchanges = [0, 9, 20].map((seconds): ExchangeRecord => {
      const made = attempt(seconds, 500)
      const headers = { ...made.request.headers, 'webhook-signature': 'v1,bm8=' }
      const startedAt = new Date(Date.parse(made.started_at) + seconds * 1_000).toISOString()
      return { ...made, request: { ...made.request, headers }, started_at: startedAt }
    })
    const at = exchanges[1]?.started_at ?? ''
    const checks = [{ ...check, what: 'time of attempt 2', found_at: exchanges[2]?.started_at ?? '', exchange_at: at }]
    const { page } = await openTab(
      browser,
      pageOf(sampleReport({ seed: 21, cases: [{ ...failed, checks, exchanges }] })),
    )
    const failing = page.locator('.exchange.failing')
    await failing.getByText('failed here time of attempt 2').waitFor()
    expect(await page.locator('.exchange[open]').count()).toBe(1)
    const timestamp = exchanges[1]?.request.headers['webhook-timestamp'] ?? ''
    expect(await failing.locator('.signature').innerText()).toContain(`.${timestamp}.`)
    expect(await failing.locator('.signature').innerText()).toContain('1 signature')
  })

  it('shows an overview until a case is chosen, also of a run without cases', async () => {
    const passed = sampleCases().filter(({ status }) => status === 'passed')
    const { page } = await openTab(browser, pageOf(sampleReport({ seed: 22, cases: passed })))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByText(/^\d+ of \d+ cases shown$/).waitFor()
    const { page: empty } = await openTab(browser, pageOf(sampleReport({ seed: 23, cases: [] })))
    await empty.getByText('No case ran.').waitFor()
    expect(await axeProblems(empty)).toEqual([])
  })

  it('shows streams side by side in time, and the counterexample step by step', async () => {
    const [, failed] = sampleCases()
    if (failed === undefined) throw new Error('no sample')
    const { response: _, ...unanswered } = attempt(0, 200)
    const stream = (name: string): ExchangeRecord => ({
      ...unanswered,
      direction: 'sent',
      kind: 'stream',
      request: { method: 'GET', url: `wss://127.0.0.1/v1/stream?after=${name}`, headers: {} },
      note: 'upgraded',
    })
    const exchanges = [stream('evt_1'), stream('evt_2'), attempt(0, 200), attempt(9, 200)]
    const counterexample = [{ raise: 'message.received' }, { open: hostileText }]
    const cases = [{ ...failed, exchanges, counterexample }]
    const { page, complaints } = await openTab(browser, pageOf(sampleReport({ seed: 6, cases })))
    expect(await page.locator('svg.lanes').getAttribute('aria-label')).toBe(
      'stream /v1/stream?after=evt_1: 1 exchange; stream /v1/stream?after=evt_2: 1 exchange; delivery: 2 exchanges',
    )
    expect(await page.locator('.exchange > summary > b').allInnerTexts()).toEqual([
      'upgraded',
      'upgraded',
      '200',
      '200',
    ])
    const steps = await page
      .getByRole('region', { name: /counterexample/i })
      .locator('li')
      .allInnerTexts()
    expect(steps).toHaveLength(2)
    expect(steps[0]).toContain('message.received')
    expect(await page.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('draws events that are off their schedule first, then the latest events', async () => {
    const [, failed] = sampleCases()
    if (failed === undefined) throw new Error('no sample')
    const of = (event: string, second: number): ExchangeRecord[] =>
      [attempt(0), attempt(second)].map((exchange) => ({
        ...exchange,
        request: { ...exchange.request, headers: { ...exchange.request.headers, 'webhook-id': event } },
      }))
    const reset = of('evt_6', 5).map(({ direction, kind, request, started_at, duration_ms }): ExchangeRecord => {
      return { direction, kind, request, started_at, duration_ms, note: 'answered with: reset' }
    })
    const exchanges = [...[1, 2, 3].flatMap((n) => of(`evt_${n}`, 5)), ...of('evt_4', 60), ...of('evt_5', 5), ...reset]
    const { page } = await openTab(browser, pageOf(sampleReport({ seed: 7, cases: [{ ...failed, exchanges }] })))
    const captions = await page.locator('figcaption').allInnerTexts()
    expect(captions.map((caption) => /evt_\d/.exec(caption)?.[0])).toEqual(['evt_4', 'evt_6', 'evt_5', 'evt_3'])
    expect(captions[1]).toContain('answered with reset, reset.')
  })

  it('prints every failed case, or the one case that a link points to', async () => {
    const { page } = await open()
    const printed = () => page.locator('.detail h2').allInnerTexts()
    const before = await printed()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.getByRole('heading', { name: 'service/retries/errs' }).waitFor()
    expect((await printed()).map((line) => line.split(/\s+/)[0])).toEqual(['failed', 'known', 'errored'])
    expect(await page.locator('.exchange').count()).toBe(0)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await page.locator('.exchange').first().waitFor()
    expect(await printed()).toEqual(before)
    const other = await open({}, '#case=service/webhooks/passes')
    await other.page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await other.page.locator('.detail h2').allInnerTexts()).toEqual([expect.stringContaining('passes')])
  })

  it('copies the command, or selects it where the clipboard is not available', async () => {
    const { page } = await open()
    const rerun = page.getByRole('region', { name: 'Rerun' })
    await rerun.getByRole('button', { name: 'Copy the command' }).click()
    await rerun.getByRole('button', { name: /^(Copied|Selected) the command$/ }).waitFor()
  })

  it('shows ten thousand cases', async () => {
    const [passed, failed] = sampleCases()
    if (passed === undefined || failed === undefined) throw new Error('no sample')
    const cases = Array.from({ length: 10_000 }, (_, index) => ({
      ...(index % 100 === 0 ? failed : passed),
      id: `service/many-${index % 40}/case-${index}`,
      suite: `service/many-${index % 40}`,
      title: 'one of many',
    }))
    const { page, complaints } = await openTab(browser, pageOf(sampleReport({ seed: 5, cases })))
    await page.getByText('100 of 10000 cases shown').waitFor()
    await page.locator('.chip.passed input').check()
    await page.getByText('10000 of 10000 cases shown').waitFor()
    expect(complaints).toEqual([])
  })
})
