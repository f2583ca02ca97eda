// The interface as a page: each sentence with its result, of one report and of two next to each other.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { annotatedPage, reporters } from '../../harness/reporters/index.js'
import type { Report } from '../../harness/result.js'
import { sampleReport } from '../../harness/testing/sample-report.js'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-interface-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return `file://${file}`
}

/** `WHK-012` is the sentence "Never returned by listing."; `WHK-005` is among those of "Returned only in the create response." */
function reportOf(status: 'verified' | 'violated' | 'unverified'): Report {
  const { requirements, ...report } = sampleReport()
  const [first] = requirements
  if (first === undefined) throw new Error('no sample')
  return { ...report, requirements: [{ ...first, id: 'WHK-012', status }] }
}

describe.skipIf(browserPath === undefined)(`the interface in a browser${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  function single(): string {
    let text = ''
    reporters
      .interface({ write: (part) => void (text += part), isTerminal: false, colour: false }, { verbosity: 'normal' })
      .onRunEnd?.(reportOf('violated'))
    return fileOf('single.html', text)
  }

  it('marks every sentence, and explains the one chosen by key or by click', async () => {
    const { page, complaints, requests } = await openTab(browser, single())
    await page.getByRole('link', { name: 'violated: Never returned by listing.' }).waitFor()
    expect(await page.locator('.mark.open').count()).toBeGreaterThan(10)
    expect(await page.locator('.mark.narration').count()).toBeGreaterThan(5)
    const listed = page.getByRole('listitem').filter({ hasText: 'secret | Never returned by listing.' })
    expect(await listed.innerText()).toMatch(/Webhook$/)
    await page.getByRole('link', { name: 'secret | Never returned by listing.' }).press('Enter')
    const explained = page.getByRole('group', { name: 'About this sentence' })
    await explained.waitFor()
    expect(await explained.innerText()).toContain('WHK-012')
    await explained.getByText('Expected and received').first().click()
    expect(await explained.innerText()).toContain('<img src=x onerror=alert(1)>')
    expect(await page.locator('img').count()).toBe(0)
    await page.getByRole('link', { name: 'left open: Response shape: not shown.' }).click()
    await page.getByText('Accepted: An array, or an object that contains it').waitFor()
    expect(complaints).toEqual([])
    expect(requests).toHaveLength(1)
  })

  it('lists the first five mutants that break a sentence, and counts the others', async () => {
    const titles = [
      'lists the secret',
      'lists its first half',
      'lists it once',
      'lists it as id',
      'lists <b>it</b>',
      'sixth',
    ]
    const mistakes = titles.map((title, index) => ({ id: `server/mistake-${index + 1}`, title }))
    const text = annotatedPage([{ label: 'one', report: reportOf('verified') }], new Map([['WHK-012', mistakes]]))
    const { page } = await openTab(browser, fileOf('mistakes.html', text))
    await page.getByRole('link', { name: 'verified: Never returned by listing.' }).click()
    await page.getByText('6 mistakes of the selftest that break it').click()
    const listed = await page.locator('.mistakes li').allInnerTexts()
    const five = titles.slice(0, 5).map((title, index) => `${title} server/mistake-${index + 1}`)
    expect(listed).toEqual([...five, 'and 1 more mistake'])
    await page.getByText('npx conformance ui --reference --mutant server/mistake-1').waitFor()
  })

  it('shows what would enable a sentence that was not verified', async () => {
    const report = reportOf('unverified')
    const cases = report.cases.filter((result) => result.status === 'skipped')
    const requirements = report.requirements.map((requirement) => ({
      ...requirement,
      cases: cases.map(({ id }) => id),
    }))
    const text = annotatedPage([{ label: 'one', report: { ...report, cases, requirements } }])
    const { page } = await openTab(browser, fileOf('skipped.html', text))
    await page.getByRole('link', { name: 'not verified: Never returned by listing.' }).click()
    await page.getByText('needs a sink').waitFor()
  })

  it('shows several reports side by side, one column per report', async () => {
    const text = annotatedPage([
      { label: 'ours', report: reportOf('violated') },
      { label: 'theirs', report: reportOf('verified') },
    ])
    const { page } = await openTab(browser, fileOf('two.html', text))
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(expect.arrayContaining(['ours', 'theirs']))
    const row = page.getByRole('row', { name: /Never returned by listing/ })
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['✕ violated', '✓ verified'])
  })

  it('shows six columns on a phone, a desktop and paper without cutting anything off', async () => {
    const readers = Array.from({ length: 6 }, (_, index) => ({
      label: `report-of-the-platform-team-${index + 1}.json`,
      report: reportOf(index % 2 === 0 ? 'violated' : 'verified'),
    }))
    const url = fileOf('six.html', annotatedPage(readers))
    for (const [width, media] of [
      [320, 'screen'],
      [800, 'screen'],
      [1280, 'screen'],
      // A sheet of A4 between its margins.
      [718, 'print'],
    ] as const) {
      const { page } = await openTab(browser, url, { viewport: { width, height: 900 } })
      await page.emulateMedia({ media })
      await page.getByText('Never returned by listing.').first().waitFor()
      const reaches = await page.evaluate(() =>
        Math.max(
          document.documentElement.scrollWidth,
          ...Array.from(document.querySelectorAll('td, th')).map((cell) => cell.getBoundingClientRect().right),
        ),
      )
      expect(reaches, `${width} ${media}`).toBeLessThanOrEqual(width)
      if (width === 320) expect(await axeProblems(page)).toEqual([])
      if (width === 320) expect(await page.locator('.of', { hasText: 'team-6' }).first().isVisible()).toBe(true)
      if (width !== 1280) continue
      // Who reads on still sees whose column it is.
      await page.getByText('Never returned by listing.').scrollIntoViewIfNeeded()
      expect(await page.getByRole('columnheader', { name: 'report-of-the-platform-team-6.json' }).isVisible()).toBe(
        true,
      )
    }
  })

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const { page } = await openTab(browser, single(), { viewport: { width: 320, height: 640 }, colorScheme })
    await page.getByRole('link', { name: 'violated: Never returned by listing.' }).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    const tables = page.locator('.annotated .scroll')
    expect(await tables.count()).toBeGreaterThan(5)
    expect(await tables.evaluateAll((all) => all.filter((table) => table.scrollWidth > table.clientWidth).length)).toBe(
      0,
    )
    expect(await axeProblems(page)).toEqual([])
  })
})
