import { expect, test } from 'vitest'
import { ListReads, ShownItems } from './list-reads.js'

const [events, path] = ['pollEvents', '/v1/events'] as const
const page = (...ids: readonly string[]) => ({ status: 200, json: { data: ids.map((id) => ({ id })) } })

/** A wait of a case of its own, with the answers that it reads; returns why the wait is useless by then. */
function wait(shown: ShownItems, answers: readonly ReturnType<typeof page>[], withinMs = 5_000) {
  const lists = new ListReads(shown)
  return lists.wait(async (waiting) => {
    for (const answer of answers) lists.saw(events, path, answer)
    const { useless } = waiting
    waiting.failed(withinMs)
    return useless
  })
}

const empty = Array.from({ length: 5 }, () => page())

test('after three long waits without anything new, five reads are enough for the next', async () => {
  const shown = new ShownItems()
  for (let count = 0; count < 3; count++) expect(await wait(shown, empty)).toBeUndefined()
  expect(await wait(shown, empty.slice(1))).toBeUndefined()
  expect(await wait(shown, empty)).toBe('nothing new')
})

test('items that were shown before are nothing new', async () => {
  const shown = new ShownItems()
  const known = Array.from({ length: 5 }, () => page('evt_1'))
  for (let count = 0; count < 4; count++) expect(await wait(shown, known)).toBeUndefined()
  expect(await wait(shown, known)).toBe('nothing new')
})

test('short waits of cases that are rerun do not count', async () => {
  const shown = new ShownItems()
  for (let count = 0; count < 9; count++) await wait(shown, empty, 2_200)
  expect(await wait(shown, empty)).toBeUndefined()
})

test('an item that another case sees ends the doubt at once', async () => {
  const shown = new ShownItems()
  for (let count = 0; count < 3; count++) await wait(shown, empty)
  new ListReads(shown).saw(events, path, page('evt_1'))
  expect(await wait(shown, empty)).toBeUndefined()
})

test('an item that another case sees during a wait is something new', async () => {
  const shown = new ShownItems()
  for (let count = 0; count < 9; count++) await wait(shown, [...empty, page(`evt_${count}`)])
  expect(await wait(shown, empty)).toBeUndefined()
})

test('a wait is useless only where all that it reads shows nothing new', async () => {
  const shown = new ShownItems()
  for (let count = 0; count < 3; count++) await wait(shown, empty)
  const lists = new ListReads(shown)
  const useless = await lists.wait(async (waiting) => {
    for (const answer of empty) lists.saw(events, path, answer)
    lists.saw('listWebhooks', '/v1/webhooks', page())
    return waiting.useless
  })
  expect(useless).toBeUndefined()
})

test.each([
  ['with its id', { id: 'em_1', status: 'sent' }, undefined],
  ['in an envelope', { email: { id: 'em_1' } }, undefined],
  ['of nothing', {}, 'no list'],
])('a record %s', async (_, json, expected) => {
  const lists = new ListReads(new ShownItems())
  const useless = await lists.wait(async (waiting) => {
    for (let read = 0; read < 5; read++) lists.saw('getEmail', '/v1/emails/em_1', { status: 200, json })
    return waiting.useless
  })
  expect(useless).toBe(expected)
})

test('a refused read is not an answer without a list', async () => {
  expect(
    await wait(
      new ShownItems(),
      Array.from({ length: 9 }, () => ({ ...page(), status: 404 })),
    ),
  ).toBeUndefined()
})
