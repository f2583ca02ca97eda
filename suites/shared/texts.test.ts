import { expect, test } from 'vitest'
import { blanks, controls, isPlain, keepsText, plainTexts, unstorable } from './texts.js'

test('a text is kept by itself, and by no other', () => {
  const texts = [...plainTexts, ...blanks, ...controls, ...unstorable]
  expect(new Set(texts).size).toBe(texts.length)
  for (const text of texts) expect(keepsText(text, text), text).toBe(true)
  for (const text of plainTexts) {
    expect(isPlain(text), text).toBe(true)
    for (const other of texts)
      if (other.trim() !== text) expect(keepsText(text, other), `${text} as ${other}`).toBe(false)
  }
})

test.each<[sent: string, shown: unknown, isKept: boolean]>([
  ['line\r\nend', 'line end', true],
  ['line\r\nend', 'line\nend', true],
  ['line\r\nend', 'lineend', true],
  ['line\r\nend', 'line', false],
  ['line\r\nend', 'end', false],
  ['one\u0000two', 'one\\u0000two', true],
  ['one\u0000two', 'one', false],
  ['a\ud83d', 'a\ufffd', true],
  [' a', 'a', true],
  ['a  b   c', 'a b c', false],
  ['Cafe\u0301', 'Caf\u00e9', false],
  ['12', 12, false],
  ['null', null, false],
  ['a.b', 'axb', false],
])('%j shown as %j is kept: %s', (sent, shown, isKept) => {
  expect(keepsText(sent, shown)).toBe(isKept)
})
