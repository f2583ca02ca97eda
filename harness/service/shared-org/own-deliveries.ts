import type { Attempt } from '../../sink/attempt.js'
import { isAbout, type Ownership } from './ownership.js'
import type { DeliveryItem } from '../answer-readers.js'

/** Deliveries of a list, and whether they are known to be the wanted ones. */
export interface ListedDeliveries {
  readonly items: readonly DeliveryItem[]
  /** False if some of them may be of events that the case did not raise: nothing in the list identifies them. */
  readonly isSure: boolean
  /** The list is as long as lists get: older deliveries are not in it. */
  readonly isFull: boolean
}

const maxListed = 100

/**
 * Returns the deliveries of the case's own events in a list that contains those of others too. The interface names no field for the event
 * of a delivery; so the event is found by such a field if there is one, else by the tag in the sink's answers, else by removing the known
 * deliveries of others.
 */
export function ownDeliveries(
  items: readonly DeliveryItem[],
  { ownership, attempts }: { readonly ownership: Ownership; readonly attempts: readonly Attempt[] },
): ListedDeliveries {
  const isOwn = (attempt: Attempt) => ownership.events.some((event) => isAbout(attempt, event))
  const own = signsOf(attempts.filter(isOwn))
  for (const { id } of ownership.events) own.add(id)
  const sure = withReplays(items, own)
  if (sure.size > 0) return { items: items.filter((item) => sure.has(item)), isSure: true, isFull: false }
  const foreign = withReplays(items, signsOf(attempts.filter((attempt) => !isOwn(attempt))))
  return {
    items: items.filter((item) => !foreign.has(item)),
    isSure: false,
    isFull: items.length >= maxListed,
  }
}

/** Returns the items with one of the signs, and their replays: a replay that reached no endpoint has no sign of its own. */
function withReplays(items: readonly DeliveryItem[], signs: ReadonlySet<string>): ReadonlySet<DeliveryItem> {
  const found = new Set(items.filter((item) => bears(item, signs)))
  for (let size = -1; size < found.size;) {
    size = found.size
    const ids = new Set([...found].map(({ id }) => id))
    for (const item of items) if (typeof item.replay_of === 'string' && ids.has(item.replay_of)) found.add(item)
  }
  return found
}

/** What a record of these attempts can be known by. */
function signsOf(attempts: readonly Attempt[]): Set<string> {
  return new Set(
    attempts.flatMap((attempt) =>
      [attempt.tag, attempt.field('id'), attempt.header('webhook-id')].filter((id) => typeof id === 'string'),
    ),
  )
}

function bears({ raw, response_body_snippet: snippet }: DeliveryItem, signs: ReadonlySet<string>): boolean {
  const values: unknown[] = typeof raw === 'object' && raw !== null ? Object.values(raw) : []
  if (values.some((value) => typeof value === 'string' && signs.has(value))) return true
  return typeof snippet === 'string' && [...signs].some((sign) => sign.length > 12 && snippet.includes(sign))
}
