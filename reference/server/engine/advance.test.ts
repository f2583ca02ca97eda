// Source: docs/contract.md, part 3, "Clock".
import { expect, test } from 'vitest'
import { nextMove, type Move, type Situation } from './advance.js'

const offsetMs = 1_000_000
const realNowMs = 50_000
const now = realNowMs + offsetMs
const hour = 3_600_000

/** Nothing due, nothing in flight, real time. */
const calm: Situation = {
  realNowMs,
  offsetMs,
  nextDueAt: Infinity,
  inFlight: [],
  advance: undefined,
  graceMs: 500,
}
const advancing = (byMs: number) => ({ targetOffsetMs: offsetMs + byMs, sinceRealMs: realNowMs - 10_000 })
/** Started so many milliseconds of real time ago, with so many left of its answer time. */
const attempt = (agoMs: number, leftMs: number) => ({ startedRealMs: realNowMs - agoMs, deadline: now + leftMs })
const moveTo = (toMs: number): Move => ({ kind: 'move', toMs, offsetMs: toMs - realNowMs })

test.each<[what: string, situation: Partial<Situation>, move: Move]>([
  ['real time, nothing to do: waits for ever', {}, { kind: 'wait', waitMs: Infinity }],
  ['real time: waits for the next due time', { nextDueAt: now + 300 }, { kind: 'wait', waitMs: 300 }],
  [
    'real time: waits for the end of the answer time, if that is earlier',
    { nextDueAt: now + 300, inFlight: [attempt(9_800, 200), attempt(0, 10_000)] },
    { kind: 'wait', waitMs: 200 },
  ],
  [
    'real time: an attempt that was cut off is not waited for',
    { inFlight: [attempt(10_000, 0), attempt(1_000, 9_000)] },
    { kind: 'wait', waitMs: 9_000 },
  ],
  ['advance by nothing, nothing to do: arrived', { advance: advancing(0) }, { kind: 'arrived', waitMs: Infinity }],
  [
    'advance by nothing, something due later: arrived',
    { advance: advancing(0), nextDueAt: now + 300 },
    { kind: 'arrived', waitMs: 300 },
  ],
  [
    'advance by nothing, due just now: does that first',
    { advance: advancing(0), nextDueAt: now },
    { kind: 'wait', waitMs: 0 },
  ],
  ['advance: moves to the next due time', { advance: advancing(hour), nextDueAt: now + 5_000 }, moveTo(now + 5_000)],
  ['advance: moves to its target at most', { advance: advancing(hour), nextDueAt: now + 2 * hour }, moveTo(now + hour)],
  [
    'advance: moves to a due time at its target',
    { advance: advancing(hour), nextDueAt: now + hour },
    moveTo(now + hour),
  ],
  [
    'advance: an attempt in flight has its grace',
    { advance: advancing(hour), nextDueAt: now + 5_000, inFlight: [attempt(100, 9_900)] },
    { kind: 'wait', waitMs: 400 },
  ],
  [
    'advance: the latest of several attempts has its grace',
    { advance: advancing(hour), inFlight: [attempt(450, 9_550), attempt(300, 9_700)] },
    { kind: 'wait', waitMs: 200 },
  ],
  [
    'advance: the grace of an older attempt counts from the advance',
    { advance: { ...advancing(hour), sinceRealMs: realNowMs - 100 }, inFlight: [attempt(5_000, 5_000)] },
    { kind: 'wait', waitMs: 400 },
  ],
  [
    'advance: an attempt due within the grace does not wait',
    { advance: advancing(hour), nextDueAt: now + 50, inFlight: [attempt(100, 9_900)] },
    { kind: 'wait', waitMs: 50 },
  ],
  [
    'advance, grace over: moves to the end of the answer time',
    { advance: advancing(hour), inFlight: [attempt(500, 9_500)] },
    moveTo(now + 9_500),
  ],
  [
    'advance, grace over: moves to a due time before the answer time ends',
    { advance: advancing(hour), nextDueAt: now + 5_000, inFlight: [attempt(500, 9_500)] },
    moveTo(now + 5_000),
  ],
  [
    'advance: an attempt that was cut off ends before the clock moves on',
    { advance: advancing(hour), nextDueAt: now + 5_000, inFlight: [attempt(500, 0)] },
    { kind: 'wait', waitMs: 5_000 },
  ],
  [
    'arrived, but an attempt hangs: its answer time passes in real time',
    { advance: advancing(0), inFlight: [attempt(2_000, 8_000)] },
    { kind: 'wait', waitMs: 8_000 },
  ],
])('%s', (_what, situation, move) => {
  expect(nextMove({ ...calm, ...situation })).toEqual(move)
})
