import { expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.js'
import { nextPageOf, hasMorePages } from './list-pages.js'

function page(json: unknown, headers: Readonly<Record<string, string>> = {}): Exchange {
  return { json, header: (name: string) => headers[name] } as Exchange
}

const items = [{ id: 'whk_1', next_cursor: 'of the item' }]
const read = { items: 1, pages: 1 }

test.each([
  ['beside the list', { data: items, next_cursor: 'c' }, { cursor: 'c' }],
  ['in an envelope with it', { result: { items, next_page_token: 7 } }, { page_token: '7' }],
  ['in an envelope next to it', { data: items, meta: { page: { next_after: 'a' } } }, { after: 'a' }],
])('the cursor of the next page is found %s', (_, body, query) => {
  expect(nextPageOf(page(body))).toEqual(query)
  expect(hasMorePages(page(body), read)).toBe(true)
})

test.each([
  [items],
  [{ data: items, next_cursor: null }],
  [{ data: items, meta: { next_cursor: '', next: null, has_more: false } }],
  [{ data: items, meta: { count: 1, total: 1, total_pages: 1 }, links: [{ rel: 'next' }] }],
  [{ data: items, iterator: '1', prevIterator: '-1', done: true }],
])('%j is a whole list', (body) => {
  expect(nextPageOf(page(body))).toBeUndefined()
  expect(hasMorePages(page(body), read)).toBe(false)
})

test.each([
  [{ data: items, has_more: true }],
  [{ data: items, pagination: { hasNextPage: true } }],
  [{ data: items, links: { next: '/v1/webhooks?page=2' } }],
  [{ data: items, meta: { page: 1, pages: 3 } }],
  [{ data: items, meta: { total: 2 } }],
  [{ data: items, iterator: '1', prevIterator: '-1', done: false }],
  [{ content: items, last: false, totalElements: 2 }],
  [{ value: items, '@odata.nextLink': '/v1/webhooks?$skip=1' }],
  [{ data: items, continuationToken: 'c' }],
])('%j goes on in a way that is not known', (body) => {
  expect(nextPageOf(page(body))).toBeUndefined()
  expect(hasMorePages(page(body), read)).toBe(true)
})

test.each([{ 'x-next-page': '2' }, { 'x-total-count': '2' }, { 'content-range': 'webhooks 0-0/2' }])(
  'headers that announce more than the page holds: %j',
  (headers) => {
    expect(hasMorePages(page(items, headers), read)).toBe(true)
    expect(hasMorePages(page(items, headers), { items: 2, pages: 2 })).toBe('x-next-page' in headers)
  },
)

test('a link to the next page is one more such way', () => {
  expect(hasMorePages(page(items, { link: '</v1/webhooks?page=2>; rel="next"' }), read)).toBe(true)
  expect(hasMorePages(page(items, { link: '</v1/webhooks>; rel="self"' }), read)).toBe(false)
})
