// Makes the pictures of the README: a failed case, the annotated interface, a run as it happens. By `npm run pictures` alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { defaultPolicy, startReferenceServer } from '../../reference/server/index.js'
import { browserPath, openChromium, openTab, whySkipped } from './chromium.js'
import { withPalette } from './palette.js'
import { program } from './program.js'

const folder = join(import.meta.dirname, '..', 'pictures')
const size = { width: 1180, height: 760 }

/** The pictures are of this version of the pages, and change only on request. */
const isRequested = process.env['PICTURES'] !== undefined && browserPath !== undefined

async function keep(page: Page, name: string): Promise<void> {
  writeFileSync(join(folder, name), withPalette(await page.screenshot()))
}

/** Bytes that all of them together may add to the package. */
const mostBytes = 150_000

test('the pictures are small: the package has them', () => {
  const sizes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).length)
  expect(sizes.length).toBe(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostBytes)
})

test.skipIf(!isRequested)(`the pictures of the README${whySkipped}`, { timeout: 600_000 }, async () => {
  /** A service with one mistake: the second attempt is made after nine seconds. */
  const server = await startReferenceServer({
    control: true,
    policy: { retryDelaysMs: defaultPolicy.retryDelaysMs.with(1, 9_000) },
  })
  const scratch = mkdtempSync(join(tmpdir(), 'conformance-pictures-'))
  const browser = await openChromium()
  try {
    const cases = [
      'service/retries/*',
      'service/webhooks/*',
      'service/polling/*',
      'service/stream/*',
      'service/signatures/*',
    ]
    const args = ['ui', '--quiet', '--seed', '1', '--journal', join(scratch, 'journal'), '--base-url', server.url]
    const child = spawn(process.execPath, [program, ...args, ...cases.flatMap((id) => ['--case', id])], {
      env: {
        ...process.env,
        CONFORMANCE_API_KEY: server.apiKey,
        CONFORMANCE_CONTROL_URL: server.controlUrl,
        CONFORMANCE_CONTROL_KEY: server.controlKey,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let url = ''
    for await (const line of createInterface({ input: child.stdout })) {
      url = /^Page +(\S+)$/.exec(line)?.[1] ?? ''
      if (url !== '') break
    }
    child.stdout.resume()
    const { page } = await openTab(browser, url, { viewport: size })
    await page.locator('.count.passed').first().waitFor()
    for (const summary of (await page.locator('.group > summary').all()).slice(0, 2)) await summary.click()
    await keep(page, 'ui.png')
    await page.getByText('Done').waitFor({ timeout: 300_000 })
    await page.evaluate(() => (location.hash = '#case=service/retries/second-attempt-after-5-seconds'))
    await page.locator('svg.timeline').first().waitFor()
    await page.locator('.columns').evaluate((node) => node.scrollIntoView())
    await keep(page, 'failed-case.png')
    await page.getByRole('link', { name: 'Interface', exact: true }).click()
    await page
      .getByText('Retries of a delivery')
      .first()
      .evaluate((node) => node.scrollIntoView())
    await page.getByRole('link', { name: 'violated: 5 seconds' }).click()
    await page
      .getByText('Retries of a delivery')
      .first()
      .evaluate((node) => node.scrollIntoView())
    await keep(page, 'interface.png')
    child.kill('SIGINT')
    await once(child, 'close')
  } finally {
    await browser.close()
    await server.close()
    rmSync(scratch, { recursive: true, force: true })
  }
})
