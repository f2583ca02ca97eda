// Polling, and the stream.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { invalid, type Answer } from './answers.js'
import { bodyOf } from './deliveries.js'
import type { Caller, StoredEvent } from './state.js'
import { limitFrom } from './webhooks.js'

export function pollEvents(caller: Caller, query: URLSearchParams): Answer {
  const limit = limitFrom(query)
  const after = query.get('after') ?? ''
  if (after !== '' && !after.startsWith('evt_')) throw invalid('after is not the id of an event', 'Use next_after.')
  const page: StoredEvent[] = []
  const { events } = caller.project
  for (let index = firstAfter(events, after); index < events.length && page.length < limit; index++) {
    const event = events[index]
    if (event !== undefined && isSeen(caller, event)) page.push(event)
  }
  const data = page.map(({ id, type, at, data: fields }) => ({
    data: fields,
    created_at: at,
    org_id: caller.project.id,
    type,
    id,
  }))
  return { status: 200, value: { data, next_after: page.at(-1)?.id ?? (after === '' ? 'evt_' : after) } }
}

/** Ids grow along the list. */
function firstAfter(events: readonly StoredEvent[], after: string): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.id ?? '') > after) high = middle
    else low = middle + 1
  }
  return low
}

function isSeen({ inbox }: Caller, event: StoredEvent): boolean {
  return inbox === undefined || event.inboxId === inbox.id
}

const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536 })

/** Opens the stream; without a valid key it is opened and closed at once. */
export function openStream(
  request: IncomingMessage,
  socket: Duplex,
  {
    head,
    caller,
    after,
  }: { readonly head: Buffer; readonly caller: Caller | undefined; readonly after: string | null },
): void {
  sockets.handleUpgrade(request, socket, head, (stream) => {
    stream.on('error', () => stream.terminate())
    if (caller === undefined) {
      stream.close(4403, 'no valid key')
      return
    }
    const { events, listeners } = caller.project
    const show = (event: StoredEvent) => {
      if (isSeen(caller, event)) stream.send(bodyOf(event))
    }
    if (after !== null && after !== '') for (const event of events.slice(firstAfter(events, after))) show(event)
    listeners.add(show)
    stream.on('close', () => listeners.delete(show))
  })
}
