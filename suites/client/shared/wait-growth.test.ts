import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf, type Growth, type Waits } from './wait-growth.js'

const range = 2 ** 31
/** As many random numbers from 0 to 1, the same everywhere. */
function numbers(seed: number, count: number): readonly number[] {
  const even = fc.noBias(fc.nat(range - 1))
  return fc.sample(even, { seed, numRuns: count }).map((value) => value / range)
}

type Random = (from: number, to: number) => number
/** The wait before a retry, counted from 0, after the one before it. */
type Client = (random: Random, retry: number, previousMs: number) => number

const retries = 5

function waitsOf(client: Client, calls: number, seed: number): Waits {
  // At most one for the wait, and one for the way.
  const drawn = numbers(seed, calls * retries * 2).values()
  const random: Random = (from, to) => from + (to - from) * (drawn.next().value ?? 0)
  return Array.from({ length: calls }, () => {
    let previousMs = 0
    return Array.from({ length: retries }, (_, retry) => {
      previousMs = client(random, retry, previousMs)
      // What the way there and back takes.
      return previousMs + random(0.3, 4)
    })
  })
}

/** How often each judgement falls. */
function judgements(client: Client, calls: number): Readonly<Partial<Record<Growth, number>>> {
  const counts: Partial<Record<Growth, number>> = {}
  for (let seed = 1; seed <= 40; seed++) {
    const growth = growthOf(waitsOf(client, calls, seed * 7_919 + calls))
    counts[growth] = (counts[growth] ?? 0) + 1
  }
  return counts
}

const doubled = (retry: number) => 500 * 2 ** retry
const caps = [2, 2.5, 3, 4, 5, 8, 10, 12, 16]

const exponential: readonly (readonly [string, Client])[] = [
  ['full jitter', (random, retry) => random(0, doubled(retry))],
  ['equal jitter', (random, retry) => doubled(retry) * random(0.5, 1)],
  ['a quarter of jitter on both sides', (random, retry) => doubled(retry) * random(0.75, 1.25)],
  ['hardly any jitter', (random, retry) => doubled(retry) * random(0.98, 1)],
  ['growth by one half', (random, retry) => 500 * 1.5 ** retry * random(0.75, 1.25)],
  ['growth by three, full jitter', (random, retry) => random(0, 100 * 3 ** retry)],
  ['a second of jitter added', (random, retry) => 1_000 * 2 ** retry + random(0, 1_000)],
  ['a second of jitter added to little', (random, retry) => 100 * 2 ** retry + random(0, 1_000)],
  ['decorrelated jitter', (random, _, previous) => random(100, 3 * Math.max(100, previous))],
  ...caps.flatMap((cap): [string, Client][] => [
    [`full jitter, a cap of ${cap}`, (random, retry) => random(0, Math.min(cap * 500, doubled(retry)))],
    [`full jitter, cut at ${cap}`, (random, retry) => Math.min(cap * 500, random(0, doubled(retry)))],
    [`a tenth of jitter, a cap of ${cap}`, (random, retry) => Math.min(cap * 500, doubled(retry)) * random(0.9, 1.1)],
    [`a quarter of jitter, cut at ${cap}`, (random, retry) => Math.min(cap * 500, doubled(retry) * random(0.75, 1.25))],
    [
      `growth by one half, cut at ${cap}`,
      (random, retry) => Math.min(cap * 500, 500 * 1.5 ** retry * random(0.75, 1.25)),
    ],
    [
      `decorrelated jitter, cut at ${cap + 1}`,
      (random, _, previous) => Math.min((cap + 1) * 100, random(100, 3 * Math.max(100, previous))),
    ],
  ]),
]

describe('waits that grow exponentially', () => {
  it.each(exponential)('are never failed: %s', (_, client) => {
    for (const calls of [12, 48, 288]) {
      const { level = 0, linear = 0 } = judgements(client, calls)
      expect({ calls, level, linear }).toEqual({ calls, level: 0, linear: 0 })
    }
  })

  it.each(exponential.slice(0, 4))('are known at a few calls: %s', (_, client) => {
    expect(judgements(client, 48).exponential ?? 0).toBeGreaterThanOrEqual(38)
  })
})

describe('other waits', () => {
  it.each<readonly [string, Growth, number, Client]>([
    ['a fifth of jitter', 'linear', 48, (random, retry) => 150 * (retry + 1) * random(0.8, 1)],
    ['a quarter of jitter on both sides', 'linear', 96, (random, retry) => 150 * (retry + 1) * random(0.75, 1.25)],
    ['jitter added', 'linear', 192, (random, retry) => 150 * (retry + 1) + random(0, 100)],
    ['a beginning of its own', 'linear', 192, (random, retry) => 200 * (retry + 1.5) * random(0.8, 1)],
    ['half of jitter on both sides', 'linear', 288, (random, retry) => 150 * (retry + 1) * random(0.5, 1.5)],
    ['full jitter', 'linear', 600, (random, retry) => random(0, 150 * (retry + 1))],
    ['no growth, a quarter of jitter', 'level', 48, (random) => 300 * random(0.75, 1.25)],
    ['no growth, full jitter', 'level', 400, (random) => random(0, 300)],
    ['no wait', 'level', 400, () => 0],
  ])('are failed: %s, %s', (_, growth, calls, client) => {
    expect(judgements(client, calls)[growth] ?? 0).toBeGreaterThanOrEqual(36)
  })

  it('are not judged after a few calls or two retries', () => {
    const client: Client = (random) => 300 * random(0.75, 1.25)
    expect(growthOf(waitsOf(client, 7, 1))).toBe('undecided')
    expect(growthOf(waitsOf(client, 100, 1).map((row) => row.slice(0, 2)))).toBe('undecided')
    expect(growthOf([])).toBe('undecided')
  })
})
