import { eventTypes } from '../../../spec/index.js'
import type { Attempt } from '../../sink/attempt.js'
import { memberOf } from '../../wire/exchange.js'
import type { RaisedEvent, RaiseRequest } from '../raise.js'

/**
 * Which events of a shared org are one case's own. A stranger's event at a webhook of the case proves nothing about the service, so it is
 * answered with 200 and ignored.
 */
export class Ownership {
  readonly #marks = new Set<string>()
  readonly #events: RaisedEvent[] = []
  readonly #listeners: (() => void)[] = []
  /** Raises under way whose event is indistinguishable from a stranger's until its id is known. */
  #unknown = 0

  /** Wraps a raise: what it causes is the case's own. */
  async raise(request: RaiseRequest, action: () => Promise<RaisedEvent>): Promise<RaisedEvent> {
    const kind = eventTypes[request.type]
    const isMarked = request.data === undefined && (kind === 'received' || kind === 'queued')
    if (isMarked) this.#marks.add(request.mark)
    else this.#unknown++
    try {
      const event = await action()
      this.#events.push(event)
      return event
    } finally {
      if (!isMarked) this.#unknown--
      for (const listener of this.#listeners) listener()
    }
  }

  /** Takes up events the case raised before this process began. */
  restore(events: readonly RaisedEvent[]): void {
    for (const event of events) this.#events.push(event)
  }

  /** The events the case raised so far. */
  get events(): readonly RaisedEvent[] {
    return this.#events
  }

  /** Whether an attempt carries an event that the case did not raise. */
  isForeign(attempt: Attempt): boolean {
    if (this.#unknown > 0 || this.#events.some((event) => isAbout(attempt, event))) return false
    return ![...this.#marks].some((mark) => attempt.text.includes(mark))
  }

  /** Calls `listener` whenever more is known. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }
}

/** Returns whether an attempt contains `event`: by its id anywhere, or by the message of its data. */
export function isAbout(attempt: Attempt, event: RaisedEvent): boolean {
  if (attempt.header('webhook-id') === event.id || attempt.field('id') === event.id) return true
  const message = event.data['message_id']
  return (
    typeof message === 'string' &&
    memberOf(attempt.field('data'), 'message_id') === message &&
    attempt.field('type') === event.type
  )
}
