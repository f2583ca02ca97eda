// HAR files as the reader of captures reads them back.
import { expect, it } from 'vitest'
import { readExchanges } from '../observe/har.js'
import type { ExchangeRecord } from '../result.js'
import { attempt, hostileExchange, hostileText, sampleReport } from '../testing/sample-report.js'
import { bodyOf } from '../wire/exchange.js'
import { har } from './har.js'
import type { Reporter } from './reporter.js'

interface Har {
  readonly log: {
    readonly entries: readonly { pageref: string; response: { status: number }; comment?: string; _error?: string }[]
    readonly pages: readonly { id: string; title: string }[]
    readonly comment: string
  }
}

function written(report: (reporter: Reporter) => void): { readonly text: string; readonly file: Har } {
  let text = ''
  const output = { write: (part: string) => void (text += part), isTerminal: false, colour: false }
  report(har(output, { verbosity: 'normal' }))
  return { text, file: JSON.parse(text) as Har }
}

const some: ExchangeRecord = {
  direction: 'sent',
  kind: 'api',
  request: { method: 'POST', url: 'http://127.0.0.1:1/v1/emails?a=1&a=2', headers: { 'content-type': 'text/plain' } },
  started_at: '2026-01-02T03:04:05.678Z',
  duration_ms: 3,
}
const withBodies = (body: Uint8Array): ExchangeRecord => ({
  ...some,
  request: { ...some.request, ...bodyOf(body) },
  response: { status: 200, headers: {}, ...bodyOf(body) },
})
const ofCase = { id: 'service/a/b', title: 'a title' }

it('keeps bodies byte for byte, whether they are text or not', () => {
  const bodies = ['{"a":"ü 😀 \\u0000"}', '##[error]x', 'a\r\nb'].map((text) => Buffer.from(text))
  const all = [...bodies, Buffer.from([0xff, 0, 0x80])]
  const { text } = written((reporter) => {
    reporter.onExchanges?.(all.map(withBodies), ofCase)
    reporter.onRunEnd?.(sampleReport())
  })
  const { exchanges } = readExchanges('a.har', text)
  expect(exchanges.map(({ request }) => Buffer.from(request.body ?? []))).toEqual(all)
  expect(exchanges.map(({ response }) => Buffer.from(response?.body ?? []))).toEqual(all)
})

it('has a page for each run of a case, with its exchanges in order of time', () => {
  const later = { ...attempt(2), started_at: '2026-01-02T03:04:07.000Z', duration_ms: 9 }
  const { file } = written((reporter) => {
    reporter.onExchanges?.([later, some], ofCase)
    reporter.onExchanges?.([], { id: 'service/a/none', title: 'without exchanges' })
    reporter.onExchanges?.([some], undefined)
    reporter.onRunEnd?.(sampleReport())
  })
  expect(file.log.pages.map(({ title }) => title)).toEqual(['service/a/b: a title', 'outside the cases'])
  const [first, second] = file.log.pages.map(({ id }) => id)
  expect(file.log.entries.map(({ pageref }) => pageref)).toEqual([first, first, second])
  expect(file.log.entries.map(({ response }) => response.status)).toEqual([0, 500, 0])
})

it('shows a stream that was opened or refused, and why there is no answer', () => {
  const stream = {
    ...some,
    kind: 'stream' as const,
    request: { ...some.request, url: 'ws://127.0.0.1:1/v1/events/ws' },
  }
  const notes = ['upgraded', 'refused with 401', 'connection reset before an answer']
  const { file } = written((reporter) => {
    reporter.onExchanges?.(
      notes.map((note) => ({ ...stream, note })),
      ofCase,
    )
    reporter.onRunEnd?.(sampleReport())
  })
  expect(file.log.entries.map(({ response, _error }) => [response.status, _error])).toEqual([
    [101, undefined],
    [401, undefined],
    [0, 'connection reset before an answer'],
  ])
})

it('notes the length of a body that was cut, and the number of exchanges left out', () => {
  const driver = { ...some, kind: 'driver' as const, request: { ...some.request, url: 'driver' } }
  const { text, file } = written((reporter) => {
    reporter.onExchanges?.([withBodies(Buffer.alloc(5_000, 'a')), driver], ofCase)
    reporter.onRunEnd?.(sampleReport())
  })
  expect(text).toContain('"comment":"the beginning of 5000 bytes"')
  expect(file.log.entries).toHaveLength(1)
  expect(file.log.comment).toMatch(/; 1 exchanges without a URL are not shown$/)
  expect(readExchanges('a.har', text).exchanges[0]?.request.missing).toBe('cut off')
})

it('shows of a report from a file what that contains', () => {
  const { text, file } = written((reporter) => reporter.onRunEnd?.(sampleReport()))
  const { exchanges } = readExchanges('a.har', text)
  const bodies = exchanges.map(({ response }) => Buffer.from(response?.body ?? []).toString())
  expect(bodies).toContain(hostileExchange.response?.body?.toWellFormed())
  expect(hostileText).toContain('owned')
  expect(file.log.comment).toContain('keeps the exchanges of cases that failed or errored, and no others')
  const empty = written((reporter) => reporter.onRunEnd?.(sampleReport({ cases: [] })))
  expect(empty.file.log.entries).toEqual([])
})
