import { setTimeout as pause } from 'node:timers/promises'

/** One quantity, measured once a round. */
export interface Sample {
  readonly values: readonly number[]
  readonly median: number
  readonly least: number
  readonly most: number
}

/** What a figure must reach; `isMet` is judged on the median. */
export interface Bar {
  readonly text: string
  readonly isMet: boolean
}

/** One line of the table. */
export interface Figure {
  readonly what: string
  /** `ms`, `/s`, `MB`, `us`, `s`. */
  readonly unit: string
  /** Undefined when it was skipped. */
  readonly value: Sample | undefined
  readonly yardstick?: { readonly name: string; readonly value: Sample }
  /** Value divided by yardstick, round by round, so that a machine that slows down slows both. */
  readonly ratio?: Sample
  readonly bar?: Bar
  /** More for the reader: the reason of a skip, the checks. */
  readonly note?: string
}

/** A row of the performance table of the design: one question, one file. */
export interface Row {
  /** As `npm run bench -- <name>` calls it. */
  readonly name: string
  readonly title: string
  /** It takes longer than all others together: it is measured where it is named, and not with the table. */
  readonly isLong?: boolean
  run(options: RowOptions): Promise<readonly Figure[]>
}

export interface RowOptions {
  readonly rounds: number
  /** Share of the full work, 0 to 1: for a test of the bench itself, and for a quick look. */
  readonly scale: number
}

/** Returns `count` times the scale, at least `least`. */
export function scaled(count: number, scale: number, least = 1): number {
  return Math.max(least, Math.round(count * scale))
}

export function sampleOf(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
  return { values, median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN }
}

export function ratioOf(a: Sample, b: Sample): Sample {
  return sampleOf(a.values.map((value, index) => value / (b.values[index] ?? Number.NaN)))
}

/** The values of a sample, each changed. */
export function mapped(sample: Sample, change: (value: number) => number): Sample {
  return sampleOf(sample.values.map(change))
}

export function atMost(limit: number, sample: Sample, what: string): Bar {
  return { text: `at most ${limit.toLocaleString('en')}${what}`, isMet: sample.median <= limit }
}

export function atLeast(limit: number, sample: Sample, what: string): Bar {
  return { text: `at least ${limit.toLocaleString('en')}${what}`, isMet: sample.median >= limit }
}

/** Between two measurements, so that the first one's sockets and garbage are not the second one's cost. */
const restMs = 20

/**
 * Measures each side once a round, the order turned round in every second one, after a round that does not count.
 * A side resolves to what it measured, in any unit.
 */
export async function contest<Name extends string>(
  sides: Readonly<Record<Name, () => number | Promise<number>>>,
  rounds: number,
): Promise<Record<Name, Sample>> {
  const names = Object.keys(sides) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await pause(restMs)
      const value = await sides[name]()
      if (round > 0) values[name].push(value)
    }
  }
  return Object.fromEntries(names.map((name) => [name, sampleOf(values[name])])) as Record<Name, Sample>
}
