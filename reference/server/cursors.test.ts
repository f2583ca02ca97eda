// Any query or path is accepted or refused with a code, a message and the remedy; never a 5xx.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReferenceServer, type ReferenceServer } from './index.js'

let server: ReferenceServer
beforeAll(async () => {
  server = await startReferenceServer({ control: true })
})
afterAll(() => server.close())

const odd = fc.oneof(
  fc.constantFrom(
    'evt_',
    'msg_0',
    "' or 1=1--",
    '%',
    '%00',
    '-1',
    '1e9',
    '9'.repeat(400),
    '0x10',
    '../..',
    '\u202e',
    'NaN',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed()),
  fc.string({ maxLength: 2_000 }),
)

const requests: Readonly<Record<string, (text: string) => string>> = {
  'after of the list of events': (text) => `/v1/events?after=${text}`,
  'limit of the list of events': (text) => `/v1/events?limit=${text}`,
  'cursor of the list of emails': (text) => `/v1/emails?cursor=${text}`,
  'limit of the list of emails': (text) => `/v1/emails?limit=${text}`,
  'id of an email': (text) => `/v1/emails/x${text}`,
  'id of a webhook': (text) => `/v1/webhooks/x${text}/deliveries`,
}

test.each(Object.entries(requests))('any text as %s', async (_, path) => {
  const headers = { authorization: `Bearer ${server.apiKey}` }
  await fc.assert(
    fc.asyncProperty(odd, fc.boolean(), async (text, isRaw) => {
      const escaped = isRaw ? text.replace(/[^\x21-\x7e]|[#?/\\]/g, '') : encodeURIComponent(text)
      const answer = await fetch(`${server.url}${path(escaped)}`, { headers })
      expect(answer.status).toBeLessThan(500)
      const body: unknown = await answer.json()
      if (answer.status >= 400) {
        const named = expect.stringMatching(/./) as string
        expect(body).toMatchObject({ code: named, message: named, fix: named })
      }
    }),
    { numRuns: 60 },
  )
})
