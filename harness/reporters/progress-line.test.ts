import picocolors from 'picocolors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reporters } from './index.js'
import { progressLine } from './progress-line.js'

const paint = picocolors.createColors(false)
const progress = { total: 541, passed: 119, failed: 1, errored: 0, skipped: 0, unconfirmed: 2 }
const waitsFor = 'service/retries/second-attempt-after-5-seconds'

it('names the case that has been running longest', () => {
  expect(progressLine({ ...progress, waitsFor }, { paint, columns: 120 })).toBe(
    `120/541  119 passed  1 failed  2 unconfirmed  running ${waitsFor}`,
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
    '120/541  119 passed  1 failed  2 unconfirmed  running service/retries/second-a…',
  )
  expect(progressLine(progress, { paint, columns: 30 })).toBe('120/541  119 passed')
})

describe('while no case ends', () => {
  const written: string[] = []
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    written.length = 0
  })

  function start(isTerminal: boolean) {
    const output = { write: (text: string) => void written.push(text), isTerminal, colour: false, columns: 120 }
    const pretty = reporters.pretty(output, { verbosity: 'normal' })
    pretty.onRunStart?.({ subject: { kind: 'service', name: 'x' }, cases: 2, seed: 1, expectedMs: 60_000 })
    pretty.onCaseStart?.('service/a/first')
    pretty.onCaseStart?.('service/a/second')
  }

  it('a terminal shows the oldest running case, and less time left each second', () => {
    start(true)
    expect(written.join('')).toMatch(/0\/2 .*about 1 min left  running service\/a\/first$/)
    vi.advanceTimersByTime(30_000)
    expect(written.at(-1)).toMatch(/about 30 s left  running service\/a\/first$/)
    const count = written.length
    vi.advanceTimersByTime(1_000)
    expect(written.slice(count)).toEqual(['\r\u001b[K', expect.stringContaining('running service/a/first')])
  })

  it('a log has a line every 15 s', () => {
    start(false)
    const count = written.length
    vi.advanceTimersByTime(46_000)
    expect(written.slice(count)).toEqual(Array(3).fill(expect.stringMatching(/^0\/2 .*running service\/a\/first\n$/)))
  })
})
