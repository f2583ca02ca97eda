import type { RowOptions } from '../figure.js'

/** One size, and what a unit of work cost there. */
export interface Point {
  readonly size: number
  /** Microseconds of CPU or of wall time for one unit, depending on the curve. */
  readonly unitUs: number
  /** Memory of the process at that size, in MB. */
  readonly mb: number
}

/** How cost grows with one size. */
export interface Growth {
  readonly name: string
  /** What grows: `events in the store`. */
  readonly size: string
  /** The measured unit: `one page of 50`. */
  readonly unit: string
  readonly points: readonly Point[]
}

export interface GrowthRow {
  readonly name: string
  readonly title: string
  run(options: RowOptions): Promise<Growth>
}
