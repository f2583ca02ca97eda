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

it('a long list is printed from its first difference', () => {
  const cut = mismatchOf(ids.slice(0, 105), ids)
  expect(cut?.expected).toMatch(/^105 alike, then \["evt_1105","evt_1106",/)
  expect(cut?.got).toBe('105 alike, then no more')
  const swapped = mismatchOf([...ids.slice(0, 150), 'evt_x', ...ids.slice(151)], ids)
  expect(swapped?.expected).toMatch(/^150 alike, then \["evt_1150",/)
  expect(swapped?.got).toMatch(/^150 alike, then \["evt_x",/)
})

it('a short list is printed whole, and a long one that differs at once from its start', () => {
  expect(mismatchOf(['a', 'b'], ['a', 'c'])).toMatchObject({ expected: '["a","c"]', got: '["a","b"]' })
  expect(mismatchOf(ids.toReversed(), ids)?.got).toMatch(/^\["evt_1199",/)
  expect(mismatchOf('evt_1', ids)?.got).toBe('"evt_1"')
})
