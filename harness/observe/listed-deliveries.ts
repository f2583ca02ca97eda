// Checks that an item of a deliveries list does not contradict itself.
import { maxAttempts, type RequirementId } from '../../spec/index.js'
import { memberOf } from '../wire/exchange.js'
import type { Ledger } from './ledger.js'
import { markedField, type ExchangeLine } from './record.js'

/** Checks one item against what its own status, attempt and ids allow. */
export function checkListedDelivery(ledger: Ledger, line: ExchangeLine, item: unknown): void {
  const [id, status, attempt, code, original, next] = [
    'id',
    'status',
    'attempt',
    'response_code',
    'replay_of',
    'next_attempt_at',
  ].map((name) => memberOf(item, name))
  const violated = (requirement: RequirementId, what: string, expected: string, got: unknown) =>
    ledger.violated(requirement, { what, expected, got, lines: [line] })
  if (typeof attempt === 'number' && attempt > maxAttempts)
    violated('RTY-008', 'attempt of a delivery', `at most ${maxAttempts}`, attempt)
  if (typeof id === 'string' && id === original)
    violated('RPL-004', 'replay_of of a delivery', 'the id of another, the original', original)
  if (status === 'pending' && isNoTime(next))
    violated('DLV-020', 'next_attempt_at of a pending delivery', 'a time', next)
  if (status !== 'succeeded') return
  if (attempt === 0) violated('DLV-017', 'attempt of a delivery that succeeded', 'at least 1', attempt)
  // The interface leaves open whether 0 means that no code is known.
  if (typeof code === 'number' && code !== 0 && (code < 200 || code > 299))
    violated('DLV-018', 'response_code of a delivery that succeeded', 'any 2xx', code)
}

/** Whether a string is not a time; a number in quotes may be a time, and an empty string is a missing one. */
function isNoTime(value: unknown): boolean {
  if (typeof value !== 'string' || value === markedField || /^[\d.\s]*$/.test(value)) return false
  return Number.isNaN(Date.parse(value)) && !/\d{4}-\d\d-\d\d/.test(value)
}

/** Returns a succeeded delivery and its replay if the replay is listed after it, although it is newer. */
export function findReplayAfterOriginal(items: readonly unknown[]): readonly unknown[] | undefined {
  for (const [at, item] of items.entries()) {
    const id = memberOf(item, 'id')
    if (typeof id !== 'string' || id === markedField || memberOf(item, 'status') !== 'succeeded') continue
    const replay = items.slice(at + 1).find((later) => memberOf(later, 'replay_of') === id)
    if (replay !== undefined) return [item, replay]
  }
  return undefined
}

/** Returns the delivery that an item repeats, over any number of replays; undefined if the list does not contain it. */
export function originalOf(item: unknown, items: readonly unknown[]): unknown {
  let original = item
  if (item === undefined) return undefined
  for (const _ of items) {
    const id = memberOf(original, 'replay_of') ?? ''
    if (id === '') return original
    original = items.find((candidate) => memberOf(candidate, 'id') === id)
    if (original === undefined) return undefined
  }
  return undefined
}

/** Whether an item of a deliveries list names this event. */
export function isOfEvent(item: unknown, eventId: string): boolean {
  const values: unknown[] = typeof item === 'object' && item !== null ? Object.values(item) : []
  return values.includes(eventId)
}
