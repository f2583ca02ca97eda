// Reports next to each other in a real browser: differences are first, and search results stay.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareReports } from '../../bin/report/compare.js'
import { comparisonHtml } from '../../bin/report/comparison-html.js'
import { sampleCases, sampleReport } from '../../harness/testing/sample-report.js'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-comparison-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns a page with the sample and a copy of it in which its first case failed too. */
function pageOfTwo(): string {
  const cases = sampleCases().map((result, index) => (index === 0 ? { ...result, status: 'failed' as const } : result))
  const file = join(folder, 'two.html')
  const text = comparisonHtml(
    compareReports([
      { file: 'monday.json', report: sampleReport() },
      { file: 'tuesday.json', report: sampleReport({ cases }) },
    ]),
  )
  writeFileSync(file, text)
  return `file://${file}`
}

describe.skipIf(browserPath === undefined)(`a comparison in a browser${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  it('shows only differences, one column per report, and finds rows by words', async () => {
    const { page, complaints, requests } = await openTab(browser, pageOfTwo())
    const differ = page.getByRole('table').filter({ has: page.getByRole('rowheader', { name: /webhooks\/passes/ }) })
    expect(
      await differ
        .getByRole('row', { name: /webhooks\/passes/ })
        .getByRole('cell')
        .allInnerTexts(),
    ).toEqual(['passed', 'failed'])
    expect(await differ.getByRole('columnheader').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('monday.json'), expect.stringContaining('tuesday.json')]),
    )
    await page.getByRole('searchbox').fill('no such row')
    await page.getByText('0 requirements and cases are alike').waitFor()
    expect(await page.getByRole('rowheader', { name: /webhooks\/passes/ }).count()).toBe(0)
    expect(await page.locator('img').count()).toBe(0)
    expect(complaints).toEqual([])
    expect(requests).toHaveLength(1)
  })

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const { page } = await openTab(browser, pageOfTwo(), { viewport: { width: 320, height: 640 }, colorScheme })
    await page.getByText(/are alike$/).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(page)).toEqual([])
  })
})
