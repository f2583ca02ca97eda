// Whatever a target, a driver or a file writes: each parser of it ends.
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadScheme, schemeNames } from '../fixtures/index.js'
import { show } from './check.js'
import { hideCredentials } from './credentials.js'
import { readDelivery } from './diagnose/by-scheme.js'
import { diagnose, readHeaders, readRequest } from './diagnose/index.js'
import { Confidential } from './observe/confidential.js'
import { readHar } from './observe/har.js'
import { IdOrder } from './observe/order.js'
import { ownEventsOf } from './receiver/own-events.js'
import { visible } from './reporters/text.js'
import { SignatureScheme } from './schemes/index.js'
import { Secrets } from './secrets.js'
import { nextPageOf, hasMorePages } from './service/list-pages.js'
import { refuseLongNames } from './service/long-names.js'
import { cursorOf, deliveryOf, errorOf, instantOf, itemsOf } from './service/answer-readers.js'
import { polledEventFaults, pushedEventFaults } from './service/rules.js'
import { tries } from './testing/fuzz.js'
import type { Exchange } from './wire/exchange.js'
import { parseJson } from './wire/json.js'
import { isInstant, parseInstant, parseNumber, parseSeconds, parseWholeNumber } from './wire/numbers.js'
import { percentDecoded } from './wire/percent.js'
import { retryAfterMs } from './wire/retry-after.js'
import { parsedUrl, placeOf } from './wire/url.js'

/** Inputs for each parser; `npm run lab -- attack` uses more. */
const inputs = process.env['FUZZ_INPUTS'] === undefined ? undefined : Number(process.env['FUZZ_INPUTS'])
/** Far more than any parser needs: one that has not ended by then never ends, or needs the square of a length. */
const endsWithinMs = 20_000

const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='
const signature = `v1,${Buffer.alloc(32, 1).toString('base64')}`
const explain = (over: Readonly<Record<string, string>>, body = '{}') =>
  diagnose(
    {
      headers: Object.entries({
        'webhook-id': 'evt_1',
        'webhook-timestamp': '1700000000',
        'webhook-signature': signature,
        ...over,
      }),
      body: Buffer.from(body),
      notes: [],
    },
    { secrets: [secret], budget: 100_000 },
  )
const explainBy = (name: string, text: string) => {
  const scheme = new SignatureScheme(loadScheme(name))
  const { id, timestamp, signature } = scheme.data
  const names = [id?.header, timestamp?.header, signature.header].filter((header) => header !== undefined)
  const headers = names.map((header): [string, string] => [header, text])
  return readDelivery(scheme, { headers, body: Buffer.from(JSON.stringify({ id: text, timestamp: text })) })
}
const refuseLong = (text: string) => refuseLongNames('GET /v1/events', { id: text, [text]: { id: text } })
/** Errors that name the fault in the text are valid answers too. */
const refusals = ['CaseErrored', 'FileProblem', 'UnreadableRequest', 'CaptureProblem', 'OwnEventsProblem']

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  numbers: (text) => [parseSeconds(text), parseInstant(text), parseNumber(text), parseWholeNumber(text)],
  'retry-after': retryAfterMs,
  'webhook-timestamp': (text) => explain({ 'webhook-timestamp': text }),
  'webhook-id': (text) => explain({ 'webhook-id': text }),
  'webhook-signature': (text) => explain({ 'webhook-signature': text }),
  'body of a delivery': (text) => explain({}, text),
  'timestamp in a body': (text) => explain({}, JSON.stringify({ id: text, timestamp: text, data: { text } })),
  'secret of a create answer': (text) =>
    diagnose(readRequest(Buffer.from('POST / HTTP/1.1\na: b\n')), { secrets: [text] }),
  'raw request': (text) => readRequest(Buffer.from(text)),
  'chunked body': (text) => readRequest(Buffer.from(`POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n${text}`)),
  'raw headers': readHeaders,
  JSON: parseJson,
  'event bodies of the user': (text) => ownEventsOf('events.json', text),
  'members of an answer': (text) => {
    const json = { data: [{ id: text, status: text, next_attempt_at: text }], error: text, next: text }
    return [itemsOf({ json, status: 200 }), errorOf({ json, field: () => text }), deliveryOf(json), instantOf(text)]
  },
  'members of an event': (text) => {
    const event = { id: text, type: text, timestamp: text, created_at: text, data: { from: text, to: [text] } }
    return [pushedEventFaults(event, 'DLV-002'), polledEventFaults(event)]
  },
  'ids in order': (text) => {
    const order = new IdOrder()
    order.learn(text, `${text}1`)
    return order.compare(text, `${text}2`)
  },
  'HAR file': (text) =>
    readHar('traffic.har', JSON.stringify({ log: { entries: [{ startedDateTime: text, time: text }] } }), undefined),
  'capture without secrets': (text) => new Confidential().scrub(text),
  'report without secrets': (text) => {
    const secrets = new Secrets()
    secrets.add(secret)
    return secrets.redact(text)
  },
  'unregistered secrets': (text) => hideCredentials(text, { key: () => '', value: () => '' }),
  'url of a webhook': (text) => [parsedUrl(text), placeOf(text), percentDecoded(text)],
  'next page': (text) => {
    const json = { data: [{ id: text }], next_cursor: text, total: text, links: { next: text }, iterator: text }
    const page = { json, header: () => text } as unknown as Exchange
    return [nextPageOf(page), hasMorePages(page, { items: 1, pages: 1 }), cursorOf(text)]
  },
  'names of a target': (text) => refuseLong(text),
  ...Object.fromEntries(
    schemeNames().map((name) => [`signature header of ${name}`, (text: string) => explainBy(name, text)]),
  ),
  'text on a terminal': (text) => [visible(text), show(text)],
}

const pieces = [...'90\\"\' \t\n,=.-:/%&?+aA{}[]()é\ud83d\u0000', '\r\n', '\\"', '%41', '&amp;', '[[', '{"a":']
pieces.push('bearer ', 'bearer+', 'whsec_', '%2525', 'v1,', '"token":"', '\\u00', '${', '1e', 'a\u0301\u0316')
const long = fc
  .tuple(
    fc.constantFrom(...pieces, '\u0301\u0316'),
    fc.constantFrom(10, 309, 5_000, 60_000),
    fc.constantFrom('', '!', '"', 'x'),
  )
  .map(([piece, length, end]) => `${piece.repeat(Math.ceil(length / piece.length))}${end}`)
const hostile = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 330n }).map(String) },
  {
    weight: 3,
    arbitrary: fc
      .oneof(
        fc.double(),
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      )
      .map(String),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: long },
)

test.each(Object.entries(parsers))('%s: any text is read to its end', { timeout: 3_600_000 }, (_, parse) => {
  const run = (text: string) => {
    try {
      parse(text)
    } catch (error) {
      if (!(error instanceof Error && refusals.includes(error.name))) throw error
    }
  }
  fc.assert(
    fc.property(hostile, (text) => runInNewContext('run(text)', { run, text }, { timeout: endsWithinMs })),
    inputs === undefined ? tries(60) : { numRuns: inputs },
  )
})

test('seconds, numbers and dates are in the range of a date, and 20 digits are not', () => {
  for (const digits of [1, 10, 13, 16, 19]) expect(parseSeconds('9'.repeat(digits))).toBeLessThan(1e11)
  for (const digits of [20, 308, 309, 100_000]) {
    const text = '9'.repeat(digits)
    expect([parseSeconds(text), parseWholeNumber(text), parseInstant(text)]).toEqual([undefined, NaN, NaN])
    expect(explain({ 'webhook-timestamp': text }).causes.map(({ cause }) => cause)).toContain('timestamp-format')
  }
  for (const value of [1e300, '1e300', Infinity, '', ' ', null, [], {}]) expect(parseNumber(value)).toBeNaN()
  expect(isInstant(instantOf(1e300))).toBe(false)
  expect(parseSeconds('1700000000000')).toBe(1_700_000_000)
  expect(retryAfterMs('5')).toBe(5_000)
})
