import { describe, expect, it } from 'vitest'
import { bodyOf, ownEventsOf, OwnEventsProblem } from './own-events.js'

const bodies = (text: string) => ownEventsOf('file', text).map((event) => bodyOf(event, 'evt_new').toString())

describe('event bodies of the user', () => {
  it.each<[string, string, string[]]>([
    ['one body', '{"id":"a","n":1}', ['{"id":"evt_new","n":1}']],
    [
      'one body on many lines, unchanged',
      '{\n  "n" : 1.0,\n  "id": "a"\n}\n',
      ['{\n  "n" : 1.0,\n  "id": "evt_new"\n}\n'],
    ],
    ['an array', '[ {"id":"a"} ,\n{"b":[{"id":"c"},1]}, 3 ]', ['{"id":"evt_new"}', '{"b":[{"id":"c"},1]}', '3']],
    ['one a line', '{"id":"a"}\r\n\n{"type":"x"}\n', ['{"id":"evt_new"}', '{"type":"x"}']],
    ['an id that is not a string', '{"id":7,"data":{"id":"b"}}', ['{"id":7,"data":{"id":"b"}}']],
    ['an id below the top', '{"data":{"id":"b"},"list":["id","x"]}', ['{"data":{"id":"b"},"list":["id","x"]}']],
    ['a value that is the word id', '{"kind":"id","id":"a"}', ['{"kind":"id","id":"evt_new"}']],
    ['brackets and quotes in strings', '{"s":"}\\"{[,:","id":"a"}', ['{"s":"}\\"{[,:","id":"evt_new"}']],
    ['a byte order mark, which is the file\u2019s own', '\ufeff{"id":"a"}', ['{"id":"evt_new"}']],
  ])('%s', (_, text, expected) => {
    expect(bodies(text)).toEqual(expected)
  })

  it.each([
    ['', /is empty/],
    ['[]', /empty list/],
    ['{"id":"a"}\n{half', /line 2 is not JSON/],
  ])('%j is refused with the reason', (text, message) => {
    expect(() => bodies(text)).toThrow(OwnEventsProblem)
    expect(() => bodies(text)).toThrow(message)
  })
})
