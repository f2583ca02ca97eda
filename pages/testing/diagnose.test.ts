// The page of `conformance diagnose --ui`: the browser searches with the code of the command, and sends nothing.
import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { loadScheme, schemeNames } from '../../fixtures/index.js'
import { diagnose, diagnoseByScheme, readRequest, type Diagnosis } from '../../harness/diagnose/index.js'
import { exampleOf, SignatureScheme } from '../../harness/schemes/index.js'
import type { DiagnoseQuestion } from '../data.js'
import { pageFile, scriptsOf } from '../index.js'
import { axeProblems, browserPath, openChromium, openTab, whySkipped } from './chromium.js'
import { program } from './program.js'
import { endServing, serve } from './serving.js'

afterEach(endServing)

const fixtures = fileURLToPath(new URL('../../fixtures/diagnose/', import.meta.url))
const fixtureSecret = 'whsec_cmVwb3J0cy1yZXBvcnRzLXJlcG9ydHMtcmVwb3J0cyE='
const bare = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const secret = `whsec_${bare}`
const now = 1_790_000_000

/** Starts `diagnose --ui` and returns the address of its page. */
async function startPage(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, 'diagnose', '--ui', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const chunk of child.stdout) {
    const [, url] = /^Diagnose {2}(\S+)/.exec(String(chunk)) ?? []
    if (url !== undefined) return url
  }
  throw new Error('no page was started')
}

/** Sends a question to the worker of the page. */
function ask(page: Page, question: DiagnoseQuestion): Promise<Diagnosis> {
  const { body, ...rest } = question
  return page.evaluate(
    async ({ base64, ...requested }) => {
      const worker = new Worker('diagnose-worker.js')
      const answer = await new Promise<{ readonly diagnosis: Diagnosis }>((resolve, reject) => {
        worker.addEventListener('message', (event: MessageEvent) => resolve(event.data as never))
        worker.addEventListener('error', ({ message }) => reject(new Error(message)))
        worker.postMessage({ ...requested, body: Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)) })
      })
      worker.terminate()
      return answer.diagnosis
    },
    { ...rest, base64: Buffer.from(body ?? []).toString('base64') },
  )
}

/** The headers of a delivery whose signed text is `id.timestamp.signed`. */
function headersOf(signed: string | Uint8Array, key: string | Uint8Array = Buffer.from(bare, 'base64')): string {
  const mac = createHmac('sha256', key).update(`evt_1.${now}.`).update(signed).digest('base64')
  return `webhook-id: evt_1\nwebhook-timestamp: ${now}\nwebhook-signature: v1,${mac}`
}

/** Requests with mistakes whose search uses the replaced modules of Node. */
function mistakes(): readonly (readonly [name: string, question: DiagnoseQuestion])[] {
  const body = '{"id":"evt_1","type":"message.received","data":{"subject":"Grüße, 🦉","size":12}}'
  const bytes = Buffer.from(body)
  const changed = (name: string, sent: Uint8Array | string, signed: Uint8Array | string = body) =>
    [name, { headers: headersOf(signed), body: Buffer.from(sent as string), secrets: [secret], isDeep: false }] as const
  return [
    changed('nothing', body),
    changed('compressed afterwards', gzipSync(body)),
    changed('base64 afterwards', bytes.toString('base64')),
    changed('as Latin-1', Buffer.from(body, 'latin1')),
    changed('as UTF-16', Buffer.from(body, 'utf16le')),
    changed('read as Latin-1, written as UTF-8', Buffer.from(bytes.toString('latin1'))),
    changed('another secret', body, randomBytes(40)),
    ...readdirSync(fixtures)
      .filter((name) => name.endsWith('.http'))
      .map((name) => {
        const { headers, body } = readRequest(readFileSync(`${fixtures}${name}`))
        const lines = headers.map(([header, value]) => `${header}: ${value}`).join('\n')
        return [name, { headers: lines, body, secrets: [fixtureSecret], isDeep: false }] as const
      }),
  ]
}

function lines(headers: string): (readonly [string, string])[] {
  return headers.split('\n').map((line) => [line.split(':')[0] ?? '', line.replace(/^[^:]*: ?/, '')])
}

describe.skipIf(browserPath === undefined)(`the page of diagnose${whySkipped}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  it('explains a pasted request with the remedy, and sends no request elsewhere', async () => {
    const { page, complaints, requests } = await openTab(browser, await startPage())
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await page.getByLabel('Headers, or the whole request').press('Control+Enter')
    await page.getByText('The signature does not verify.').waitFor()
    const result = page.locator('.result')
    expect(await result.innerText()).toMatch(/the same JSON written compact[^]*express: app\.post/)
    expect(await result.evaluate((element) => element === document.activeElement)).toBe(true)
    const base = page.url()
    expect(requests.filter((url) => !url.startsWith(base))).toEqual([])
    expect(requests.map((url) => url.slice(base.length)).sort()).toEqual([
      '',
      'diagnose-worker.js',
      'diagnose.js',
      'events',
      'style.css',
    ])
    expect(complaints).toEqual([])
  })

  it('copies a text for an issue, without the secret or the body', async () => {
    const url = await startPage('--secret', secret)
    const { page } = await openTab(browser, url, { permissions: ['clipboard-read', 'clipboard-write'] })
    const body = '{"id": "evt_1", "private": "Grüße"}'
    await page.getByLabel('Headers, or the whole request').fill(`POST /webhooks HTTP/1.1\n${headersOf('x')}\n\n${body}`)
    await page.getByRole('button', { name: 'Diagnose' }).click()
    await page.getByRole('button', { name: 'Copy as issue text' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    expect(text).toMatch(/^\*\*The signature does not verify\.\*\*\n\nScheme: Standard Webhooks\n\n1\. /)
    expect(text).not.toContain(bare)
    expect(text).not.toContain('private')
  })

  it('reports what cannot be read, and reads it once it is corrected', async () => {
    const { page } = await openTab(browser, await startPage('--secret', secret))
    await page.getByLabel('Headers, or the whole request').fill('no header here')
    await page.getByLabel('Body', { exact: true }).fill('{}')
    await page.getByRole('button', { name: 'Diagnose' }).click()
    await page.getByText('line 1 is neither a request line nor a header').waitFor()
    await page.getByLabel('Headers, or the whole request').fill(headersOf('{}'))
    await page.getByRole('button', { name: 'Diagnose' }).click()
    await page.getByText('The signature verifies.').waitFor()
  })

  it('reads a body in base64, in hexadecimal digits and from a file, byte for byte', async () => {
    const { page } = await openTab(browser, await startPage('--secret', secret))
    const body = Buffer.from('{"a":"\r\n\u00e9"}\xff', 'latin1')
    await page.getByLabel('Headers, or the whole request').fill(headersOf(body))
    const verifies = async () => {
      await page.getByRole('button', { name: 'Diagnose' }).click()
      await page.getByText('The signature verifies.').waitFor()
      await page.getByLabel('Body', { exact: true }).fill('{}')
      await page.getByRole('button', { name: 'Diagnose' }).click()
      await page.getByText('The signature does not verify.').waitFor()
    }
    for (const encoding of ['base64', 'hex'] as const) {
      await page.getByLabel('Read the text as').selectOption(encoding)
      await page.getByLabel('Body', { exact: true }).fill(body.toString(encoding))
      await verifies()
    }
    await page
      .getByLabel('Body from a file')
      .setInputFiles({ name: 'body', mimeType: 'application/json', buffer: body })
    await page.getByText(`${body.length} bytes are kept`).waitFor()
    await verifies()
  })

  it('opens the request of the command line, with its secret and its scheme', async () => {
    const url = await startPage('--secret', fixtureSecret, '--request', `${fixtures}go-sum-of-body.http`)
    const { page } = await openTab(browser, url)
    await page.getByText('Sum of Go appends').waitFor()
    const { headers, body, secret: of } = exampleOf(new SignatureScheme(loadScheme('stripe')))
    const stripe = await openTab(browser, await startPage('--secret', of, '--scheme', 'stripe'))
    await stripe.page.getByLabel('Headers, or the whole request').fill(
      Object.entries(headers)
        .map((pair) => pair.join(': '))
        .join('\n'),
    )
    await stripe.page.getByLabel('Body', { exact: true }).fill(body)
    await stripe.page.getByRole('button', { name: 'Diagnose' }).click()
    await stripe.page.getByText('The signature verifies.').waitFor()
  })

  it('a delivery to the reference receiver leads to it', async () => {
    const facts = await serve(['receiver', '--secret', secret])
    const { page } = await openTab(browser, facts.page_url ?? '')
    const headers = lines(headersOf('{"id":"evt_1"}', Buffer.from(secret)))
    await fetch(facts.url, {
      method: 'POST',
      headers: headers.map(([name, value]) => [name, value]),
      body: '{"id":"evt_1"}',
    })
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Diagnose' }).click(),
    ])
    await opened
      .getByText('The key is the secret’s text, undecoded.')
      .or(opened.getByText('undecoded'))
      .first()
      .waitFor()
    expect(await opened.getByRole('combobox', { name: /^Request/ }).inputValue()).toBe('1')
  })

  it('the browser finds the same causes as Node', async () => {
    const { page } = await openTab(browser, await startPage())
    for (const [name, question] of mistakes()) {
      const { headers, body = new Uint8Array(), ...options } = question
      const expected = diagnose({ headers: lines(headers), body, notes: [] }, options)
      expect((await ask(page, question)).causes, name).toEqual(expected.causes)
    }
  })

  it('the browser verifies and diagnoses every scheme as Node does', async () => {
    const { page } = await openTab(browser, await startPage())
    for (const name of schemeNames()) {
      const scheme = new SignatureScheme(loadScheme(name))
      const { headers, body, secret: own, url } = exampleOf(scheme) as ReturnType<typeof exampleOf> & { url?: string }
      const text = Object.entries(headers)
        .map((pair) => pair.join(': '))
        .join('\n')
      for (const sent of [Buffer.from(body), Buffer.from(`${body}\n`)]) {
        const options = { secrets: [own], isDeep: false, ...(url === undefined ? {} : { url }) }
        const expected = diagnoseByScheme(scheme, { headers: Object.entries(headers), body: sent, notes: [] }, options)
        const { causes, verifies } = await ask(page, { headers: text, body: sent, scheme: scheme.data, ...options })
        expect({ causes, verifies }, name).toEqual({ causes: expected.causes, verifies: expected.verifies })
      }
    }
  })

  it.each(['light', 'dark'] as const)('axe finds nothing, and it fits 320 px (%s)', async (colorScheme) => {
    const { page } = await openTab(browser, await startPage(), { viewport: { width: 320, height: 640 }, colorScheme })
    await page.getByRole('button', { name: 'Fill in an example' }).click()
    await page.getByRole('button', { name: 'Diagnose' }).click()
    await page.getByText('The signature does not verify.').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await axeProblems(page)).toEqual([])
  })

  it('its scripts have at most 150 KB', () => {
    const bytes = scriptsOf('diagnose').map((name) => Buffer.byteLength(pageFile(name)))
    expect(bytes).toHaveLength(2)
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(150_000)
  })
})
