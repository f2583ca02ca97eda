import { expect, it } from 'vitest'
import { createChecks } from './check.js'
import type { Mismatch } from './result.js'

/** The mismatch of two values that should be equal. */
function mismatchOf(actual: unknown, expected: unknown): Mismatch | undefined {
  const found: Mismatch[] = []
  createChecks((mismatch) => found.push(mismatch)).equal('ids', actual, expected)
  return found[0]
}

const ids = Array.from({ length: 200 }, (_, index) => `evt_${1000 + index}`)

it('of two long lists only the texts that one of them lacks are printed', () => {
  const cut = mismatchOf(ids.slice(0, 105), ids)
  expect(cut?.expected).toBe('200 items')
  expect(cut?.got).toBe('105 items; missing: "evt_1105", "evt_1106", "evt_1107" and 92 more')
  const changed = mismatchOf([...ids.slice(0, 150), 'evt_x', ...ids.slice(151)], ids)
  expect(changed?.got).toBe('200 items; missing: "evt_1150"; not expected: "evt_x"')
})

it('a long list with the same texts is printed from its first difference', () => {
  const swapped = mismatchOf([...ids.slice(0, 150), ...ids.slice(150).toReversed()], ids)
  expect(swapped?.expected).toMatch(/^150 equal, then \["evt_1150",/)
  expect(swapped?.got).toMatch(/^150 equal, then \["evt_1199",/)
  expect(mismatchOf([...ids, 'evt_1199'], ids)?.got).toBe('200 equal, then ["evt_1199"]')
})

it('a long text is printed from its first difference', () => {
  const differing = mismatchOf(`${'é'.repeat(500)}b`, `${'é'.repeat(500)}a`)
  expect(differing).toMatchObject({ expected: '500 equal characters, then "a"', got: '500 equal characters, then "b"' })
  expect(mismatchOf('a'.repeat(400), 'a'.repeat(500))?.got).toBe('400 equal characters, then no more')
})

it('a short list is printed whole, and a long one that differs at once from its start', () => {
  expect(mismatchOf(['a', 'b'], ['a', 'c'])).toMatchObject({ expected: '["a","c"]', got: '["a","b"]' })
  expect(mismatchOf(ids.toReversed(), ids)?.got).toMatch(/^\["evt_1199",/)
  expect(mismatchOf('evt_1', ids)?.got).toBe('"evt_1"')
})
