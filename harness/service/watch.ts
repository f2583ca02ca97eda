import type { RequirementId } from '../../spec/index.js'
import { shortenedValue } from '../check.js'
import type { Attempt } from '../sink/attempt.js'
import type { Exchange } from '../wire/exchange.js'
import type { OperationId } from './api.js'
import type { StreamFrame } from './stream.js'

/** One thing seen that must not be. */
export interface Violation {
  readonly requirement: RequirementId
  readonly what: string
  readonly expected: string
  readonly got: unknown
  /** The case it was seen in. */
  readonly caseId: string
}

/** Sightings kept for each requirement; more of the same add nothing. */
const maxSightings = 5

/** Observations as they can be written down. */
export interface ObservationsRecord {
  readonly counts: Readonly<Partial<Record<RequirementId, number>>>
  readonly sightings: readonly Violation[]
}

/** What the always-on checks saw in the whole run. */
export class Observations {
  readonly #counts = new Map<RequirementId, number>()
  readonly #sightings = new Map<RequirementId, Violation[]>()

  /** Records that `requirement` was checked. */
  judged(requirement: RequirementId): void {
    this.#counts.set(requirement, (this.#counts.get(requirement) ?? 0) + 1)
  }

  add(sighting: Violation): void {
    const list = this.#sightings.get(sighting.requirement) ?? []
    if (list.length < maxSightings) list.push({ ...sighting, got: shortenedValue(sighting.got) })
    this.#sightings.set(sighting.requirement, list)
  }

  /** The observations as they can be restored. */
  get record(): ObservationsRecord {
    return { counts: Object.fromEntries(this.#counts), sightings: [...this.#sightings.values()].flat() }
  }

  /** Adds the observations of an earlier process. */
  restore({ counts, sightings }: ObservationsRecord): void {
    for (const [id, count] of Object.entries(counts) as [RequirementId, number][])
      this.#counts.set(id, (this.#counts.get(id) ?? 0) + count)
    for (const sighting of sightings) this.add(sighting)
  }

  /** Returns how often `requirement` was checked, and what contradicted it. */
  of(requirement: RequirementId): { readonly count: number; readonly sightings: readonly Violation[] } {
    return { count: this.#counts.get(requirement) ?? 0, sightings: this.#sightings.get(requirement) ?? [] }
  }
}

/** The always-on checks as one case applies them. */
export interface Watch {
  /** Registers a webhook secret: it must never appear in a report. */
  secret(value: string): void
  delivery(attempt: Attempt, secret: string): void
  frame(frame: StreamFrame): void
  exchange(exchange: Exchange, operation: OperationId): void
}
