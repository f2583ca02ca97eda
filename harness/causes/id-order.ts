// Event ids that do not ascend: lists and cursors, which go by the ids, lose events and show them in another order.
import type { CaseResult, LikelyCause, Mismatch } from '../result.js'

/** Lists that must show it before that is a cause: of few ids, some ascend by chance. */
const leastLists = 2
/** Ids that a list must have to show an order. */
const leastIds = 3
/** What lists and cursors cannot keep without ids that ascend. */
const consequences: readonly string[] = [
  'POL-001',
  'POL-002',
  'POL-003',
  'POL-005',
  'POL-008',
  'POL-010',
  'STR-005',
  'STR-006',
  'STR-007',
]

/** Detects ids that do not ascend, by lists in the order of their ids instead of that in which the events were raised. */
export function idOrderCause({ failed }: { readonly failed: readonly CaseResult[] }): LikelyCause | undefined {
  const showing = failed.filter(({ checks = [] }) => checks.some(isInOrderOfIds))
  if (showing.length < leastLists) return undefined
  const cases = failed.filter(
    (result) => showing.includes(result) || result.violates?.some((id) => consequences.includes(id)) === true,
  )
  return {
    cause: 'ids-do-not-ascend',
    requirement: 'POL-010',
    text: 'Event ids do not ascend: an event raised later has a smaller id, so that lists and cursors, which go by the ids, lose events or show them in another order.',
    remedy:
      'Give each event an id that is greater, as text, than every id before it: a sequence number padded to one length, or a ULID or UUIDv7 from one monotonic source.',
    cases: cases.map(({ id }) => id),
  }
}

/** Whether ids that were expected in the order of their events, which is not ascending, were listed in ascending order. */
function isInOrderOfIds({ expected, got }: Mismatch): boolean {
  const raised = idsIn(expected)
  const listed = idsIn(got)
  return Math.min(raised.length, listed.length) >= leastIds && !isAscending(raised) && isAscending(listed)
}

/** The ids of a list in the text of a mismatch; the last one of a text that was cut off is left out. */
function idsIn(list: string): string[] {
  return [...list.matchAll(/"(evt_[^"…]+)"/g)].map(([, id = '']) => id)
}

function isAscending(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || isGreater(id, ids[index - 1] ?? ''))
}

/** Numbers that are not padded ascend by their length. */
function isGreater(id: string, other: string): boolean {
  return id.length === other.length ? id > other : id.length > other.length
}
