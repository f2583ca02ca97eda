import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memberOf } from './exchange.js'
import { parseJson } from './json.js'
import { tries } from '../testing/fuzz.js'

const limits = tries(300)

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(400), (value, padding) => {
      const text = `${' '.repeat(padding)}${JSON.stringify(value)}`
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
    limits,
  )
})

test('takes any other text for none, and pollutes no prototype', () => {
  const names = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    '"__proto__"',
    '"constructor"',
    '1',
    'x',
    '\ud800',
  )
  fc.assert(
    fc.property(fc.array(names, { maxLength: 600 }), (parts) => {
      const value = parseJson(parts.join(''))
      expect(value === undefined || JSON.stringify(value) !== undefined).toBe(true)
      expect(memberOf({}, 'owned')).toBeUndefined()
    }),
    limits,
  )
})

test('an unreasonably deep value is rejected, in arrays, objects or both; nesting inside a string does not count', () => {
  const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const) {
    expect(parseJson(nested(open, close, 100_000))).toBeUndefined()
    expect(parseJson(nested(open, close, 100))).toBeDefined()
  }
  expect(parseJson(JSON.stringify('["{\\'.repeat(100_000)))).toBe('["{\\'.repeat(100_000))
})

test('more values than any answer has are rejected', () => {
  expect(parseJson(`[${'1,'.repeat(400_000)}1]`)).toBeUndefined()
  expect(parseJson(`[${'1,'.repeat(100_000)}1]`)).toHaveLength(100_001)
})
