import { expect, test } from 'vitest'
import { millisecondsOf } from './instants.js'

const moment = Date.UTC(2026, 0, 2, 3, 4, 5)

test.each([
  ['2026-01-02T03:04:05Z', 0],
  ['2026-01-02T03:04:05.678Z', 678],
  ['2026-01-02T03:04:05.678901+00:00', 678],
  ['2026-01-02T08:34:05.678+0530', 678],
  ['2026-01-01T21:04:05,678-06', 678],
  ['2026-01-02 03:04:05.678 UTC', 678],
  ['2026-01-02 03:04:05+00', 0],
  ['20260102T030405Z', 0],
  ['Fri, 02 Jan 2026 03:04:05 GMT', 0],
])('%s is an instant', (text, ms) => {
  expect(millisecondsOf(text)).toBe(moment + ms)
})

test.each(['2026-01-02T03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05.000'])(
  '%s is UTC on a machine of any zone',
  (text) => {
    const zone = process.env['TZ']
    try {
      process.env['TZ'] = 'Asia/Tokyo'
      expect(millisecondsOf(text)).toBe(moment)
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  },
)

test.each(['', 'soon', '5', '2026-13-02T03:04:05Z'])('%j is none', (text) => {
  expect(millisecondsOf(text)).not.toBe(moment)
})
