import { expect, test } from 'vitest'
import type { Attempt } from '../../sink/attempt.js'
import type { DeliveryItem } from '../answer-readers.js'
import { ownDeliveries } from './own-deliveries.js'
import { Ownership } from './ownership.js'

const item = (raw: { id: string; replay_of?: string; response_body_snippet?: string }): DeliveryItem =>
  ({ ...raw, raw }) as unknown as DeliveryItem

function attemptOf(id: string): Attempt {
  const names: Record<string, string> = { id, 'webhook-id': id }
  return {
    tag: `tag-of-${id}`,
    field: (name: string) => names[name],
    header: (name: string) => names[name],
  } as unknown as Attempt
}

const ownership = new Ownership()
ownership.restore([{ id: 'evt_own', type: 'message.received', data: {}, listedAfter: '' }])
const attempts = ['evt_own', 'evt_other'].map(attemptOf)
const ids = ({ items }: { readonly items: readonly DeliveryItem[] }) => items.map(({ id }) => id)

test('deliveries are recognised by the tag of their answer, and replays by the delivery they repeat', () => {
  const listed = [
    // Blocked, or under way: no answer was had, and no field names the event.
    item({ id: 'third', replay_of: 'second' }),
    item({ id: 'strangers-replay', replay_of: 'strangers' }),
    item({ id: 'second', replay_of: 'first' }),
    item({ id: 'strangers', response_body_snippet: 'tag-of-evt_other' }),
    item({ id: 'first', response_body_snippet: 'tag-of-evt_own' }),
  ]
  const own = ownDeliveries(listed, { ownership, attempts })
  expect(ids(own)).toEqual(['third', 'second', 'first'])
  expect(own.isSure).toBe(true)
})

test('where none is known, those of others are left out with what repeats them', () => {
  const listed = [
    item({ id: 'strangers-replay', replay_of: 'strangers' }),
    item({ id: 'unknown' }),
    item({ id: 'strangers', response_body_snippet: 'tag-of-evt_other' }),
  ]
  const own = ownDeliveries(listed, { ownership, attempts })
  expect(ids(own)).toEqual(['unknown'])
  expect(own.isSure).toBe(false)
})
