import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Waits } from './wait-growth.js'
import { beginAtOnce, isWithoutJitter } from './judge-waits.js'

type Random = (from: number, to: number) => number
type Client = (random: Random, retry: number, previousMs: number) => number

const calls = 24
const retries = 5
const range = 2 ** 31

/** The waits of as many calls as one round has; `noiseMs` is what the machine adds at most. */
function waitsOf(client: Client, seed: number, noiseMs = 8): Waits {
  const drawn = fc.sample(fc.noBias(fc.nat(range - 1)), { seed, numRuns: calls * retries * 2 }).values()
  const random: Random = (from, to) => from + ((to - from) * (drawn.next().value ?? 0)) / range
  return Array.from({ length: calls }, () => {
    let previousMs = 0
    return Array.from({ length: retries }, (_, retry) => {
      previousMs = client(random, retry, previousMs)
      return previousMs + random(0.3, noiseMs)
    })
  })
}

const column = (waits: Waits, index: number) =>
  waits.map((callWaits) => callWaits[index] ?? 0).toSorted((one, other) => one - other)
const hasBare = (waits: Waits) =>
  Array.from({ length: retries - 1 }, (_, index) => index).some((index) =>
    isWithoutJitter(column(waits, index), column(waits, index + 1)),
  )

const doubled = (retry: number) => 500 * 2 ** retry
const right: Readonly<Record<string, Client>> = {
  'full jitter': (random, retry) => random(0, doubled(retry)),
  'full jitter that grows by four': (random, retry) => random(0, 100 * 4 ** retry),
  'equal jitter': (random, retry) => doubled(retry) * random(0.5, 1),
  'a tenth of jitter': (random, retry) => doubled(retry) * random(0.9, 1),
  'hardly any jitter': (random, retry) => doubled(retry) * random(0.98, 1),
  'hardly any jitter, growth by three': (random, retry) => 200 * 3 ** retry * random(0.98, 1),
  'decorrelated jitter': (random, _, previous) => random(100, 3 * Math.max(100, previous)),
  'a second of jitter added': (random, retry) => 200 * 2 ** retry + random(0, 1_000),
  'fifty milliseconds of jitter added': (random, retry) => doubled(retry) + random(0, 50),
  'a cap after jitter': (random, retry) => Math.min(1_500, random(0, doubled(retry))),
  'a low cap': (random, retry) => Math.min(1_000, 300 * 2 ** retry) * random(0.8, 1),
  'short waits': (random, retry) => 10 * 2 ** retry * random(0.5, 1),
  'growth by ten': (random, retry) => Math.min(8_000, 20 * 10 ** retry) * random(0.75, 1),
}

describe('the judgement of waits before a first retry', () => {
  it.each(Object.entries(right))('leaves %s alone', (_name, client) => {
    const answer = Array.from({ length: 60 }, (_, seed) => waitsOf(client, seed * 7_919 + 1)).filter(
      (waits) => beginAtOnce(waits) || hasBare(waits),
    )
    expect(answer.length).toBe(0)
  })

  it('sees that there is none, and none with jitter', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const none: Client = (random, retry) => (retry === 0 ? 0 : doubled(retry) * random(0.75, 1))
      expect(beginAtOnce(waitsOf(none, seed, 20))).toBe(true)
      const bare: Client = (random, retry) => (retry === 0 ? 500 : doubled(retry) * random(0.75, 1))
      expect(hasBare(waitsOf(bare, seed, 8))).toBe(true)
    }
  })
})
