// The page of `conformance report --history` in a real browser.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { historyOf } from '../../bin/report/history.js'
import { sampleCases, sampleReport } from '../../harness/testing/sample-report.js'
import { standalonePage } from '../index.js'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'

const folder = mkdtempSync(join(tmpdir(), 'history-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(browserPath === undefined)(`the page of a history${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const passed = sampleCases().map((result) => ({ ...result, status: 'passed' as const }))
    const reports = [sampleReport({ seed: 1 }), sampleReport({ seed: 2, cases: passed }), sampleReport({ seed: 3 })]
    const file = join(folder, `${colorScheme}.html`)
    const { targets } = historyOf(reports.map((report, index) => ({ file: `${index}.json`, report })))
    writeFileSync(file, standalonePage({ page: 'report', title: 'History', data: { kind: 'history', targets } }))
    const { page, complaints } = await openTab(browser, `file://${file}`, {
      viewport: { width: 320, height: 640 },
      colorScheme,
    })
    await page.getByRole('heading', { name: 'Conformance over time' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})
