// A real browser for the tests of pages: Debian's chromium, headless.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { browserPath } from '../../harness/testing/browser.js'

export { browserPath } from '../../harness/testing/browser.js'

/** The reason of a skipped test. */
export const whySkipped = browserPath === undefined ? ' (skipped: no Chromium is installed here)' : ''

/** Starts the browser. It finds no name but those of this machine. */
export function openChromium(): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no chromium is installed: apt-get install chromium')
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--no-proxy-server',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

/** A tab with its console errors and requests. */
export interface Tab {
  readonly page: Page
  /** Exceptions, console errors, refusals of its content security policy. */
  readonly complaints: readonly string[]
  readonly requests: readonly string[]
}

export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`))
  page.on('request', (request) => requests.push(request.url()))
  page.on('websocket', (socket) => requests.push(socket.url()))
  await page.goto(url)
  return { page, complaints, requests }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong, one line each. */
export async function axeProblems(page: Page): Promise<readonly string[]> {
  // Through the debugger: the policy of the page lets no other script in.
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      readonly axe: {
        run(): Promise<{
          readonly violations: readonly {
            readonly id: string
            readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
          }[]
        }>
      }
    }
    const { violations } = await axe.run()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
  })
}
