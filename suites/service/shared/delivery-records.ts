// What the model knows of the record of a delivery, next to what the list of deliveries shows.
import { retryDelaysMs, snippetCharacters, type RequirementId } from '../../../spec/index.js'
import { instantOf, type DeliveryItem } from '../../../harness/authoring.js'
import type { DeliveryState } from '../../shared/world/delivery.js'
import type { Span } from '../../shared/world/span.js'

/** Times may be shown in whole seconds. */
const aSecondMs = 1_000

/** One member of a delivery record: what the list shows, and what it must. */
interface RecordFact {
  readonly requirement: RequirementId
  readonly what: string
  readonly shown: unknown
  readonly expected: unknown
}

/** Returns the members of a record that are not open. */
export function factsOfRecord(
  name: string,
  {
    item,
    state,
    now,
    latestNow,
  }: {
    readonly item: DeliveryItem | undefined
    readonly state: DeliveryState
    readonly now: number
    /** What the clock shows at most once the record was read. */
    readonly latestNow: number
  },
): readonly RecordFact[] {
  const { status, least, ending, due, inFlightSince } = state
  if (status === undefined) return []
  const facts: RecordFact[] = [
    { requirement: requirementsOfStatus[status], what: `status of ${name}`, shown: item?.status, expected: status },
  ]
  if (inFlightSince !== undefined) return facts
  // What a record without a next attempt shows is open, except for a time ahead.
  const isAhead = instantOf(item?.next_attempt_at) > now + (status === 'pending' ? -aSecondMs : aSecondMs)
  facts.push(
    { requirement: 'DLV-017', what: `attempt of ${name}`, shown: item?.attempt, expected: least },
    {
      requirement: 'DLV-020',
      what: `${name} has a next_attempt_at ahead`,
      shown: isAhead,
      expected: status === 'pending',
    },
  )
  if (due !== undefined) facts.push(factOfDue(name, { item, state, due, latestNow }))
  if (ending?.kind === 'answer')
    facts.push(
      { requirement: 'DLV-018', what: `response_code of ${name}`, shown: item?.response_code, expected: ending.status },
      {
        requirement: 'DLV-019',
        what: `response_body_snippet of ${name}`,
        shown: item?.response_body_snippet ?? '',
        expected: ending.body.slice(0, snippetCharacters),
      },
    )
  return facts
}

/** The time of the next attempt: the attempt that it counts from ended before the record was read. */
function factOfDue(
  name: string,
  {
    item,
    state,
    due,
    latestNow,
  }: {
    readonly item: DeliveryItem | undefined
    readonly state: DeliveryState
    readonly due: Span
    readonly latestNow: number
  },
): RecordFact {
  const delayMs = retryDelaysMs[state.least] ?? 0
  const [earliest, latest] = [due.earliest - aSecondMs, Math.max(due.latest, latestNow + delayMs) + aSecondMs]
  const shown = instantOf(item?.next_attempt_at)
  const expected = `from ${new Date(earliest).toISOString()} to ${new Date(latest).toISOString()}`
  return {
    requirement: 'DLV-020',
    what: `next_attempt_at of ${name}`,
    shown: shown >= earliest && shown <= latest ? expected : item?.next_attempt_at,
    expected,
  }
}

const requirementsOfStatus = { succeeded: 'RTY-011', failed: 'RTY-009', pending: 'RTY-010' } as const
