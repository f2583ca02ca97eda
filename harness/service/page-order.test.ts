import { describe, expect, it } from 'vitest'
import { Exchange } from '../wire/exchange.js'
import { PageOrder } from './page-order.js'

/** Returns `GET /v1/events` and its answer; `next` is the cursor in the page. */
function page(after: string | undefined, ids: readonly string[], next?: string): Exchange {
  const query = after === undefined ? '' : `?after=${after}`
  const body = { data: ids.map((id) => ({ id })), ...(next === undefined ? {} : { next_after: next }) }
  return new Exchange({
    kind: 'api',
    request: { method: 'GET', url: `http://127.0.0.1/v1/events${query}`, headers: {} },
    response: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
    startedAt: 0,
    durationMs: 1,
  })
}

function backAt(pages: readonly Exchange[]): boolean[] {
  const order = new PageOrder()
  return pages.map((page) => order.goesBack(page, 'key'))
}

describe('pages that follow each other', () => {
  it.each([
    ['go on', [page(undefined, ['a', 'b']), page('b', ['c']), page('c', [])]],
    [
      'are read again from the start',
      [page(undefined, ['a', 'b']), page('b', ['c']), page(undefined, ['a', 'b', 'c'])],
    ],
    [
      'are read again from a cursor',
      [page(undefined, ['a', 'b']), page('b', ['c']), page('c', ['d']), page('b', ['c', 'd'])],
    ],
    [
      'have cursors of their own',
      [page(undefined, ['a'], 'x1'), page('x1', ['b'], 'x2'), page('x1', ['b', 'c'], 'x3')],
    ],
    ['begin after an event', [page(undefined, ['a', 'b', 'c']), page('a', ['b', 'c']), page('b', ['c'])]],
  ])('do not go back where they %s', (_, pages) => {
    expect(backAt(pages)).not.toContain(true)
  })

  it.each([
    ['the newest is first', [page(undefined, ['b', 'a']), page('a', ['c', 'b'])]],
    ['the cursor itself is shown', [page('a', ['a', 'b'])]],
    ['a cursor of their own is taken for none', [page(undefined, ['a'], 'x1'), page('x1', ['a', 'b'], 'x2')]],
    ['an older one follows newer ones', [page(undefined, ['a', 'b']), page('b', ['c', 'a'])]],
  ])('go back where %s', (_, pages) => {
    expect(backAt(pages).at(-1)).toBe(true)
  })

  it('are those of one key', () => {
    const order = new PageOrder()
    order.goesBack(page(undefined, ['a', 'b'], 'x1'), 'one')
    expect(order.goesBack(page('x1', ['a'], 'x2'), 'another')).toBe(false)
  })
})
