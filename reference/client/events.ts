import { EventStream } from './event-stream.js'
import type { Settings } from './settings.js'
import type { Transport } from './transport.js'
import type { CallOptions, EventPage, PolledEvent } from './types.js'

export interface EventQuery {
  /** Only events with a greater id. Absent: from the oldest event. */
  readonly after?: string | undefined
  /** Events of a page: 50 by default, 100 at most. */
  readonly limit?: number | undefined
}

/** `client.events`. Source: spec/interface.md#poll-events, #event-stream-websocket. */
export interface Events {
  /** One page, oldest first. */
  list(query?: EventQuery, options?: CallOptions): Promise<EventPage>
  /** Every event from `after` on, page by page, until a page is empty. */
  iterate(query?: EventQuery, options?: CallOptions): AsyncGenerator<PolledEvent, void>
  /** Events as they are raised; see {@link EventStream}. Without `after` it starts from now. */
  stream(query?: { readonly after?: string | undefined }, options?: CallOptions): EventStream
}

export function createEvents(call: Transport, settings: Settings): Events {
  const list: Events['list'] = async (query, options) =>
    call({ operation: 'events.list', query: { ...query }, options })
  return {
    list,
    iterate: async function* iterate(query, options) {
      let after = query?.after
      do {
        const page: EventPage = await list({ ...query, after }, options)
        yield* page.data
        after = settings.policy.nextAfter(page, after)
      } while (after !== undefined)
    },
    stream: (query, options) => new EventStream({ settings, after: query?.after, options }),
  }
}
