import type { EndedAttempt } from '../engine/attempts.js'

/** Deliveries whose attempts are remembered; the oldest are forgotten first. */
const maxDeliveries = 1_000

/** The attempts that were made while there is a page to show them. */
export class AttemptLog {
  readonly #attempts = new Map<string, EndedAttempt[]>()

  add(ended: EndedAttempt): void {
    const known = this.#attempts.get(ended.deliveryId)
    if (known === undefined) this.#attempts.set(ended.deliveryId, [ended])
    else known.push(ended)
    if (this.#attempts.size <= maxDeliveries) return
    for (const oldest of this.#attempts.keys()) return void this.#attempts.delete(oldest)
  }

  /** The attempts of a delivery, in the order of their end. */
  of(deliveryId: string): readonly EndedAttempt[] {
    return this.#attempts.get(deliveryId) ?? []
  }
}
