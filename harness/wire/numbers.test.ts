import { afterEach, expect, it, vi } from 'vitest'
import { instantOf } from '../service/answer-readers.js'
import { parseInstant, parseSeconds } from './numbers.js'

afterEach(() => void vi.unstubAllEnvs())

const noon = Date.UTC(2026, 6, 1, 12, 0, 0)

it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata'])('reads a date alike on a machine in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  const texts = {
    '2026-07-01T12:00:00': noon,
    '2026-07-01 12:00': noon,
    '2026-07-01T12:00:00.250000': noon + 250,
    '2026-07-01 12:00:00.250': noon + 250,
    '2026-07-01T12:00:00Z': noon,
    '2026-07-01T14:00:00+02:00': noon,
    '2026-07-01': Date.UTC(2026, 6, 1),
    'Wed, 01 Jul 2026 12:00:00 GMT': noon,
    '2026-07-01T17:30:00.678+0530': noon + 678,
    '2026-07-01T06:00:00,678-06': noon + 678,
    '2026-07-01 12:00:00.678 UTC': noon + 678,
    '2026-07-01 12:00:00+00': noon,
    '20260701T120000Z': noon,
    '': Number.NaN,
    '2026-13-01T12:00:00Z': Number.NaN,
    soon: Number.NaN,
  }
  for (const [text, instant] of Object.entries(texts)) expect([text, parseInstant(text)]).toEqual([text, instant])
  expect(instantOf('2026-07-01T12:00:00')).toBe(noon)
  expect(parseSeconds('2026-07-01 12:00:00')).toBe(noon / 1000)
})
