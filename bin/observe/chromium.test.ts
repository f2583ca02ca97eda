// A HAR file written by Debian's Chromium under Playwright: a page that calls the API and reads the stream.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { browserPath } from '../../harness/testing/browser.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'observe-chromium-'))

/** Runs in the page: listens, makes a webhook, sends two mails to an inbox, polls until they are there, deletes the webhook. */
const visit = `async ({ key, from, to }) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
  const frames = []
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/v1/events/ws?token=' + key)
  socket.onmessage = ({ data }) => frames.push(data)
  await new Promise((resolve) => (socket.onopen = resolve))
  const ask = async (method, path, body) =>
    (await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).text()
  const made = JSON.parse(await ask('POST', '/v1/webhooks', { url: 'https://hooks.example.com/in' }))
  for (const subject of ['Grüße', 'two']) await ask('POST', '/v1/emails', { from, to, subject, text: 'x' })
  let count = 0
  while (count < 4) count = JSON.parse(await ask('GET', '/v1/events?limit=100')).data.length
  while (frames.length < count) await new Promise((resolve) => requestAnimationFrame(resolve))
  await ask('DELETE', '/v1/webhooks/' + made.id)
  socket.close()
  return count
}`

function observe(...args: string[]): Promise<{ code: number; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'observe', ...args], { cwd: folder }, (error, _out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), err }),
    )
  })
}

test.skipIf(browserPath === undefined)(
  'a HAR file of Chromium is read, stream and all, and holds nothing against a right service (skipped where no Chromium is installed)',
  { timeout: 180_000 },
  async () => {
    const server = await startReferenceServer()
    const har = join(folder, 'browser.har')
    const browser = await chromium.launch({
      ...(browserPath === undefined ? {} : { executablePath: browserPath }),
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--no-proxy-server', '--disable-background-networking'],
    })
    try {
      const context = await browser.newContext({ recordHar: { path: har, content: 'embed', mode: 'full' } })
      const page = await context.newPage()
      await page.goto(`${server.url}/v1/events`)
      const [inbox] = server.inboxes
      const facts = { key: server.apiKey, from: `probe@${server.domain}`, to: inbox?.address ?? '' }
      expect(await page.evaluate(`(${visit})(${JSON.stringify(facts)})`)).toBeGreaterThanOrEqual(4)
      await context.close()
    } finally {
      await browser.close()
      await server.close()
    }
    const { code, err } = await observe('--from', har, '--reporter', 'json=report.json')
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
      verdict: string
      cases: { id: string; status: string; message?: string }[]
    }
    const failed = report.cases.filter((result) => result.status === 'failed')
    expect({ code, err, failed }).toEqual({ code: 0, err: '', failed: [] })
    const passed = report.cases.filter((result) => result.status === 'passed').map((result) => result.id)
    for (const id of ['webhooks/are-created-as-asked', 'stream/sends-events', 'polling/has-the-shape-of-a-page'])
      expect(passed).toContain(`observe/${id}`)
    expect(readFileSync(join(folder, 'report.json'), 'utf8')).not.toContain(server.apiKey)
  },
)
