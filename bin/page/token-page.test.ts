// Which requests a page that acts takes: those of itself alone.
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startTokenPage } from './token-page.js'

async function page() {
  let acted = 0
  const served = await startTokenPage({
    page: 'ui',
    title: 'A page',
    follow: () => () => undefined,
    routes: (app, base) =>
      void app.post(`${base}ask`, async (c) => c.text(`${(await c.req.text()).length} ${++acted}`)),
  })
  onTestFinished(() => served.close())
  return { url: new URL('ask', served.url), count: () => acted }
}

/** Sends a POST with headers that `fetch` would not let a program set; resolves to the status. */
function post(url: URL, headers: Readonly<Record<string, string>>, body = '{}'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode))
    sent.on('error', reject)
    sent.end(body)
  })
}

test.each([
  ['another origin', { origin: 'http://evil.example' }],
  ['no origin of a page', { origin: 'null' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a link that was followed', { 'sec-fetch-site': 'none' }],
  ['a foreign name of this machine', { host: 'evil.example' }],
])('a request from %s does nothing', async (_, headers) => {
  const { url, count } = await page()
  expect(await post(url, headers)).toBe(403)
  expect(count()).toBe(0)
  expect(await post(url, { origin: url.origin, 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(count()).toBe(1)
})

test('a body of more than a megabyte is refused', async () => {
  const { url, count } = await page()
  expect(await post(url, { 'content-length': String(200_000_000) }, '')).toBe(413)
  expect(count()).toBe(0)
})
