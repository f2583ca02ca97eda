import picocolors from 'picocolors'
import { expect, it } from 'vitest'
import { reporters } from './index.js'
import { progressLine } from './progress-line.js'

const paint = picocolors.createColors(false)
const progress = { total: 541, passed: 119, failed: 1, errored: 0, skipped: 0, unconfirmed: 2 }
const waitsFor = 'service/retries/second-attempt-after-5-seconds'

it('names the case that has been running longest', () => {
  expect(progressLine({ ...progress, waitsFor }, { paint, columns: 120 })).toBe(
    `120/541  119 passed  1 failed  2 unconfirmed  0 skipped  running ${waitsFor}`,
  )
})

it('shows the time left, as exactly as an estimate is', () => {
  const shown = (leftMs: number) => /about (.*) left/.exec(progressLine({ ...progress, leftMs }, { paint }))?.[1]
  expect([-1, 1_999, 2_000, 18_200, 61_000, 3_601_000].map(shown)).toEqual([
    undefined,
    undefined,
    '2 s',
    '19 s',
    '1 min 5 s',
    '1 h 30 s',
  ])
})

it('fits the terminal', () => {
  expect(progressLine({ ...progress, waitsFor }, { paint, columns: 80 })).toBe(
    '120/541  119 passed  1 failed  2 unconfirmed  0 skipped  running service/retri…',
  )
  expect(progressLine(progress, { paint, columns: 30 })).toBe('120/541  119 passed')
})

it('a terminal shows the oldest running case at once, a log does not', () => {
  const written: string[] = []
  const start = (isTerminal: boolean) => {
    const output = { write: (text: string) => void written.push(text), isTerminal, colour: false, columns: 120 }
    const pretty = reporters.pretty(output, { verbosity: 'normal' })
    pretty.onRunStart?.({ subject: { kind: 'service', name: 'x' }, cases: 2, seed: 1, expectedMs: 60_000 })
    pretty.onCaseStart?.('service/a/first')
    pretty.onCaseStart?.('service/a/second')
    return written.splice(0).join('')
  }
  expect(start(true)).toMatch(/0\/2 .*about 1 min left  running service\/a\/first$/)
  expect(start(false)).not.toContain('running')
})
