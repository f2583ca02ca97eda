import { describe, expect, it } from 'vitest'
import type { ExchangeRecord, Mismatch } from '../result.js'
import { sampleCases } from '../testing/sample-report.js'
import { leftOutText, shownExchanges } from './exchanges-shown.js'
import { pageResult } from './page-data.js'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const exchanges = Array.from({ length: 30 }, (_, second): ExchangeRecord => ({
  direction: 'sent',
  kind: 'api',
  request: { method: 'GET', url: `/${second}`, headers: {} },
  started_at: at(second),
  duration_ms: 10,
}))
const foundAt = (second: number): Mismatch[] => [
  { kind: 'compared', what: 'status', expected: '200', got: '500', found_at: at(second) },
]
const urls = ({ kept }: { readonly kept: readonly ExchangeRecord[] }) => kept.map((exchange) => exchange.request.url)

describe('the exchanges shown of a failure', () => {
  it('end where its first mismatch was found', () => {
    const shown = shownExchanges({ exchanges, checks: [...foundAt(10), ...foundAt(29)] }, 4)
    expect(urls(shown)).toEqual(['/7', '/8', '/9', '/10'])
    expect(leftOutText(shown)).toBe('exchanges left out: 7 earlier, 19 later')
  })

  it('are filled with later exchanges where there are fewer earlier ones', () => {
    const shown = shownExchanges({ exchanges, checks: foundAt(1) }, 4)
    expect(urls(shown)).toEqual(['/0', '/1', '/2', '/3'])
    expect(leftOutText(shown)).toBe('later exchanges left out: 26')
  })

  it('are the last ones where no report gives a time, or nothing was compared', () => {
    for (const checks of [undefined, [{ kind: 'compared', what: 'status', expected: '200', got: '500' } as const]]) {
      const shown = shownExchanges({ exchanges, ...(checks === undefined ? {} : { checks }) }, 4)
      expect(urls(shown)).toEqual(['/26', '/27', '/28', '/29'])
      expect(leftOutText(shown)).toBe('earlier exchanges left out: 26')
    }
  })

  it('are all where there is room, and none where nothing was exchanged', () => {
    const all = shownExchanges({ exchanges, checks: foundAt(10) }, 30)
    expect(all.kept).toEqual(exchanges)
    expect(leftOutText(all)).toBe('')
    expect(shownExchanges({ checks: foundAt(10) }, 4)).toEqual({ kept: [], earlier: 0, later: 0 })
  })
})

it('a page leaves out polls in between first, but those that a check names', () => {
  const polls = exchanges.map((exchange) => ({ ...exchange, request: { ...exchange.request, url: '/polled' } }))
  const first = { ...polls[0], direction: 'received', kind: 'delivery' } as ExchangeRecord
  const [check] = foundAt(29)
  const checks = check === undefined ? [] : [{ ...check, exchange_at: at(10) }]
  const many = [first, ...polls, ...polls, ...polls]
  const [sample] = sampleCases()
  if (sample === undefined) throw new Error('no sample')
  const { result, left } = pageResult({ ...sample, checks, exchanges: many }, 1_000_000)
  expect(result.exchanges?.[0]).toEqual(first)
  expect(result.exchanges?.map(({ started_at }) => started_at)).toContain(at(10))
  expect(left + (result.exchanges?.length ?? 0)).toBe(many.length)
})
