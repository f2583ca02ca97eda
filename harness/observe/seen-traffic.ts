// How much traffic was seen, and how much of it could not be evaluated.
import { counted } from '../counted.js'
import type { RecordedMessage, TrafficLine } from './record.js'

export interface SeenTraffic {
  readonly exchanges: number
  readonly deliveries: number
  readonly frames: number
}

/** Reasons that are counted apart; their number is bounded, for some hold the words of a browser. */
const maxReasons = 20

/** Counts lines by kind, and bodies that a capture does not hold by reason. */
export class SeenCounter {
  readonly #counts = { exchange: 0, delivery: 0, stream: 0, frame: 0, 'stream-end': 0 }
  readonly #missing = new Map<string, number>()

  take(line: TrafficLine): void {
    this.#counts[line.kind]++
    if (line.kind === 'frame') this.#count(line)
    if (line.kind !== 'exchange' && line.kind !== 'delivery') return
    this.#count(line.request)
    if (line.response !== undefined) this.#count(line.response)
  }

  get seen(): SeenTraffic {
    const { exchange, delivery, frame } = this.#counts
    return { exchanges: exchange, deliveries: delivery, frames: frame }
  }

  /** Returns one sentence on the bodies that were not evaluated; undefined if there is none. */
  describeMissing(): string | undefined {
    if (this.#missing.size === 0) return undefined
    const counts = [...this.#missing].map(([reason, count]) => `${count} ${reason}`)
    return `bodies that were not evaluated: ${counts.join(', ')}`
  }

  #count({ body_missing: reason }: Pick<RecordedMessage, 'body_missing'>): void {
    if (reason === undefined) return
    const short = reason.split(':')[0] ?? reason
    const name = this.#missing.has(short) || this.#missing.size < maxReasons ? short : 'missing for other reasons'
    this.#missing.set(name, (this.#missing.get(name) ?? 0) + 1)
  }
}

/** Returns `12 exchanges, 1 delivery, 0 frames`. */
export function describeSeen({ exchanges, deliveries, frames }: SeenTraffic): string {
  return [
    counted(exchanges, 'exchange'),
    counted(deliveries, 'delivery', 'deliveries'),
    counted(frames, 'stream frame'),
  ].join(', ')
}
