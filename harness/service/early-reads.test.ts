import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Exchange } from '../wire/exchange.js'
import { EarlyReads } from './early-reads.js'

const { signal } = new AbortController()
const list = '/v1/events?after=e0'

type Asked = readonly [method: string, path: string, json: unknown]

/** An exchange that is over by now. */
function exchange(method: string, path: string, json: unknown, status = 200): Exchange {
  return new Exchange({
    kind: 'api',
    request: { method, url: `http://127.0.0.1${path}`, headers: {} },
    response: { status, headers: {}, body: Buffer.from(JSON.stringify(json)) },
    startedAt: Date.now(),
    durationMs: 0,
  })
}

const page = (...ids: string[]) => ({ data: ids.map((id) => ({ id })) })
const made = (id: string): Asked => ['POST', '/_control/events', { id }]
const read = (...ids: string[]): Asked => ['GET', list, page(...ids)]

/** Records the requests of a case, each 10 ms after the one before. */
function readsOf(...requested: readonly Asked[]): EarlyReads {
  const reads = new EarlyReads()
  for (const request of requested) {
    vi.setSystemTime(Date.now() + 10)
    reads.saw(exchange(...request))
  }
  return reads
}

/** Whether the reads were stale, where the same questions are answered by `now` in the end. */
function areStale(reads: EarlyReads, now: unknown): Promise<boolean> {
  return reads.wereStale(({ method, url }) => Promise.resolve(exchange(method, new URL(url).pathname, now)), signal)
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('reads soon after a change', () => {
  it.each<[what: string, asked: readonly Asked[], now: unknown, isStale: boolean]>([
    ['shows the missing item', [made('e1'), read()], page('e1'), true],
    ['shows the same', [made('e1'), read()], page(), false],
    ['shows a later item as well', [made('e1'), read('e1'), made('e2')], page('e1', 'e2'), false],
    [
      'shows the missing item though it had been reported, and the later one',
      [made('e1'), read('e1'), read(), made('e2')],
      page('e1', 'e2'),
      true,
    ],
    ['misses an item that was shown, after another change', [made('e1'), read('e1'), made('e2')], page('e2'), false],
    ['shows less than before', [made('e1'), read('e1', 'e0')], page('e1'), false],
    [
      'no longer shows a deleted item',
      [
        ['DELETE', '/v1/webhooks/w1', {}],
        ['GET', '/v1/webhooks', page('w1', 'w2')],
      ],
      page('w2'),
      true,
    ],
    [
      'shows a newer one on its first page',
      [made('d2'), ['GET', '/v1/webhooks/w1/deliveries?limit=1', page('d1')]],
      page('d2'),
      true,
    ],
    ['is no list', [made('e1'), ['GET', '/v1/other', page()]], page('e1'), false],
  ])('asked again, %s', async (_, requested, now, isStale) => {
    const reads = readsOf(...requested)
    vi.setSystemTime(Date.now() + 3_000)
    expect(await areStale(reads, now)).toBe(isStale)
  })

  it.each([
    ['w1', true],
    ['w2', false],
  ])('are open to doubt where the case has deleted %s since and nothing below w1 is shown: %s', async (id, isStale) => {
    const reads = readsOf(
      made('e1'),
      ['GET', '/v1/webhooks/w1/deliveries', page()],
      ['DELETE', `/v1/webhooks/${id}`, {}],
    )
    vi.setSystemTime(Date.now() + 3_000)
    const answer = (path: string) => Promise.resolve(exchange('GET', path, {}, 404))
    expect(await reads.wereStale(({ url }) => answer(new URL(url).pathname), signal)).toBe(isStale)
  })

  it('are those within two seconds', async () => {
    const reads = readsOf(made('e1'))
    vi.setSystemTime(Date.now() + 2_100)
    reads.saw(exchange(...read()))
    expect(await areStale(reads, page('e1'))).toBe(false)
  })
})

describe('a case that reads late', () => {
  it('waits until two seconds after a change, and not at all before one', async () => {
    const reads = new EarlyReads()
    await reads.settle(signal)
    reads.saw(exchange(...made('e1')))
    vi.setSystemTime(Date.now() + 1_900)
    const startedAt = performance.now()
    await reads.settle(signal)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95)
  })
})
