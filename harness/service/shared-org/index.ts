import type { Attempt } from '../../sink/attempt.js'
import type { Endpoint } from '../../sink/endpoint.js'
import type { RaisedEvent, RaiseRequest } from '../raise.js'
import type { DeliveryItem } from '../answer-readers.js'
import { ownDeliveries, type ListedDeliveries } from './own-deliveries.js'
import { Ownership } from './ownership.js'
import type { CaseCheckpoint, WatchedWebhook } from './resume.js'

/**
 * What a case has of its own in an org that others use too: its events and their deliveries, and over a stop of the run its
 * webhooks. A workspace made for the case needs none of it.
 */
export class SharedOrg {
  readonly #ownership = new Ownership()
  readonly #checkpoint: CaseCheckpoint | undefined

  constructor(checkpoint: CaseCheckpoint | undefined) {
    this.#checkpoint = checkpoint
    this.#ownership.restore(checkpoint?.events ?? [])
  }

  /** An event of the case: the one it raised before a stop, or the one `action` raises. */
  raise(request: RaiseRequest, action: () => Promise<RaisedEvent>): Promise<RaisedEvent> {
    return this.#ownership.raise(request, () =>
      this.#checkpoint === undefined ? action() : this.#checkpoint.event(action),
    )
  }

  /** A webhook of the case: the one it had before a stop, or the one `make` makes. */
  webhook(make: () => Promise<WatchedWebhook>): Promise<WatchedWebhook> {
    return this.#checkpoint === undefined ? make() : this.#checkpoint.createWebhook(make)
  }

  /** From here on what events of others do at an endpoint is left out. */
  shares(endpoint: Endpoint): void {
    endpoint.share((attempt) => this.#ownership.isForeign(attempt))
    this.#ownership.onChange(() => endpoint.releaseForeign())
  }

  /** Keeps an attempt that reached a webhook of the case. */
  saw(webhook: WatchedWebhook, attempt: Attempt): void {
    this.#checkpoint?.seen(webhook, attempt.record)
  }

  /** Of the deliveries of a list those of the case's own events; `attempts` are those that reached its webhook. */
  deliveries(items: readonly DeliveryItem[], attempts: readonly Attempt[]): ListedDeliveries {
    return ownDeliveries(items, { ownership: this.#ownership, attempts })
  }

  /** Whether the run was not listening at some time from `from` to `to`, in milliseconds since the epoch. */
  wasAbsent(from: number, to: number): boolean {
    return this.#checkpoint?.wasAbsent(from, to) === true
  }
}
