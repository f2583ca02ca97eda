import { expect, test } from 'vitest'
import type { Exchange } from '../wire/exchange.js'
import { memberOf } from '../wire/exchange.js'
import { errorOf, itemsOf, withIdsAsText } from './answer-readers.js'

function answer(json: unknown, status?: number): Exchange {
  return { json, status, field: (name: string) => memberOf(json, name) } as Exchange
}

const items = [{ id: 'whk_1' }]
const error = { code: 'c', message: 'm', fix: 'f' }

test.each([
  ['bare', items],
  ['under data', { data: items, links: [] }],
  ['under a name of its own', { webhooks: items, has_more: false }],
  ['two deep', { object: 'page', result: { items, total: 1 } }],
  ['three deep', { response: { page: { items, links: ['a'] } } }],
  ['next to an array of texts', { items, columns: ['id'] }],
  ['beside links', { links: [{ rel: 'self', href: '/' }], content: items }],
  ['in edges', { webhooks: { edges: [{ cursor: 'c', node: items[0] }], errors: [], pageInfo: {} } }],
  ['by their ids', { webhooks: { whk_1: items[0] }, links: [] }],
  ['below links', { links: [{ rel: 'self', href: '/' }], data: { items }, included: [] }],
])('a list is found %s', (_, body) => {
  expect(itemsOf(answer(body))).toEqual(items)
})

test('the fields of a webhook are found in its attributes', () => {
  const { id, ...attributes } = { id: 'whk_1', url: 'https://a.example' }
  const listed = [{ type: 'webhook', id, attributes }]
  expect(itemsOf(answer({ data: listed }))).toMatchObject([{ id, ...attributes }])
})

test('no wrapper is taken off an event, whose shape is shown', () => {
  const data = [{ cursor: 'c', node: { id: 'evt_1' } }]
  expect(itemsOf(answer({ data, next_after: 'evt_1' }))).toEqual(data)
})

test('ids of emails that are numbers are read as texts, other numbers stay', () => {
  const [reported, read] = [2 ** 53 - 1, '9007199254740991']
  expect(withIdsAsText({ object: 'email', id: reported })).toEqual({ object: 'email', id: read })
  expect(withIdsAsText({ data: [{ id: 1, size: 2 }], next_cursor: 3 })).toEqual({
    data: [{ id: '1', size: 2 }],
    next_cursor: 3,
  })
  expect(withIdsAsText({ data: [1, 2], errors: [{ index: 2 }] })).toEqual({ data: ['1', '2'], errors: [{ index: 2 }] })
  for (const other of [null, [], { id: null }, { id: 1.5 }, { id: 2 ** 53 }])
    expect(withIdsAsText(other)).toEqual(other)
})

test('an empty list is found in its envelope', () => {
  expect(itemsOf(answer({ result: { items: [], total: 0 } }))).toEqual([])
  expect(itemsOf(answer({ result: { items: [], links: [] } }))).toEqual([])
  expect(itemsOf(answer({ errors: [], links: [], result: { items } }))).toEqual(items)
  expect(itemsOf(answer({ links: [{ rel: 'self', href: '/' }], content: [] }))).toEqual([])
  expect(itemsOf(answer({ links: [{ rel: 'self', href: '/' }], page: { items: [] } }))).toEqual([])
})

test.each([['a string'], [null], [{ total: 0 }], [{ a: [{}], b: [{}] }]])('%j holds no list', (body) => {
  expect(itemsOf(answer(body))).toBeUndefined()
})

test('an answer outside 2xx contains no list: its array is one of errors', () => {
  expect(itemsOf(answer({ failures: [error] }, 404))).toBeUndefined()
  expect(itemsOf(answer(items, 200))).toEqual(items)
})

test.each([
  ['flat', error],
  ['under error', { error }],
  ['in an envelope', { status: 400, problem: error }],
  ['as the only item of a list', { failures: [error] }],
  ['next to a text called error', { error: 'Bad Request', ...error }],
])('an error is found %s', (_, body) => {
  expect(errorOf(answer(body))).toMatchObject(error)
})

test('the bad items of a batch do not count as the error', () => {
  expect(errorOf(answer({ code: 'c', message: 'm', errors: [error] })).fix).toBeUndefined()
  expect(errorOf(answer({ message: 'm', errors: [error, error] })).code).toBeUndefined()
})
