import { answerTimeMs, defaultPageSize, maxPageSize, retryDelaysMs, snippetCharacters } from '../../../spec/index.js'
import type { Answer, AttemptOutcome, DeliveryRecord, DeliveryStatus, EventMember } from './records.js'
import { dataMember, idMember, timestampMember, typeMember } from './members.js'

/** The delivery request, its record, the retry schedule, and replay. */
export interface DeliveryPolicy {
  readonly deliveryContentType: string
  /** Members of the body, in order. Source: DLV-002. */
  readonly bodyMembers: readonly EventMember[]
  /** Delay before the first attempt, then before each other one; its length is the number of attempts. Source: RTY-001 to RTY-008. */
  readonly retryDelaysMs: readonly number[]
  /** What a delay counts from; open point `delay-origin`. */
  readonly delayOrigin: 'attempt-end' | 'attempt-start'
  /** Time to answer. Source: DLV-007, DLV-008. */
  readonly answerTimeMs: number
  /** Whether an answer to attempt number `attempt` counts as success. Source: DLV-005, DLV-006, DLV-010, RTY-011. */
  readonly isSuccess: (status: number, attempt: number, snippet: string | null) => boolean
  /** Whether a failed attempt is made again while retries remain. Source: DLV-011, DLV-022, RTY-012, NET-009. */
  readonly isRetried: (outcome: AttemptOutcome) => boolean
  /** Status after the last attempt. Source: RTY-009. */
  readonly exhaustedStatus: DeliveryStatus
  /** Status while retries remain. Source: RTY-010, DLV-011. */
  readonly retryingStatus: DeliveryStatus
  /** The part of the answer's body that is kept. Source: DLV-019; open point `snippet-characters`. */
  readonly snippet: (body: string, status: number) => string
  /** Bytes of the answer's body read at most: enough for the snippet in any UTF-8. */
  readonly snippetReadBytes: number
  /** The text kept as error of a failed attempt; `blocked_private_address` is named by the interface. Source: NET-008; open point `blocked-reason-field`. */
  readonly attemptError: (outcome: AttemptOutcome) => string | null
  /** A delivery in the list. Source: DLV-016 to DLV-021; open points `empty-fields`, `blocked-reason-field`. */
  readonly shownDelivery: (delivery: DeliveryRecord) => Readonly<Record<string, unknown>>
  /** Source: DLV-013. */
  readonly deliveryDefaultLimit: number
  /** Source: DLV-015. */
  readonly deliveryMaxLimit: number
  /** A limit above the maximum; open point `limit-above-maximum`. */
  readonly limitAboveMaximum: 'clamp' | 'refuse'
  /** Open point `delivery-list-envelope`. */
  readonly deliveryListEnvelope: (items: readonly unknown[]) => unknown
  /** Source: RPL-001; open point `replay-body`. */
  readonly replayAnswer: (shown: Readonly<Record<string, unknown>>) => Answer
  /** What `replay_of` of a new delivery names. Source: RPL-004; open point `replay-of-a-replay`. */
  readonly replayOf: (original: DeliveryRecord) => string | null
  /** A replay below a deleted webhook; open point `replay-after-delete`. */
  readonly replayAfterDelete: 'refuse' | 'send'
  /** A `limit` that is not a number from 1; open point `odd-limits`. */
  readonly oddLimit: 'refuse' | 'default'
  /** Attempts in flight of one workspace at most; the others wait in the store, so memory is bounded. */
  readonly maxInFlight: number
  /** Idle connections are closed after this time. */
  readonly keepAliveMs: number
  /** While a clock is advanced, real time that an attempt in flight gets before the clock passes its answer time. Source: docs/contract.md, part 3. */
  readonly advanceGraceMs: number
}

/** The event as deliveries and stream frames carry it. */
export const eventBody: readonly EventMember[] = [idMember, typeMember, timestampMember, dataMember]

export const deliveryPolicy: DeliveryPolicy = {
  deliveryContentType: 'application/json',
  bodyMembers: eventBody,
  retryDelaysMs,
  delayOrigin: 'attempt-end',
  answerTimeMs,
  isSuccess: (status) => status >= 200 && status <= 299,
  isRetried: (outcome) => outcome.kind !== 'blocked',
  exhaustedStatus: 'failed',
  retryingStatus: 'pending',
  snippet: (body) => firstCodePoints(body, snippetCharacters),
  snippetReadBytes: snippetCharacters * 4,
  attemptError: (outcome) => {
    if (outcome.kind === 'answer') return null
    if (outcome.kind === 'timeout') return 'timeout'
    return outcome.kind === 'blocked' ? 'blocked_private_address' : outcome.error
  },
  shownDelivery: (delivery) => ({
    id: delivery.id,
    event_id: delivery.eventId,
    status: delivery.status,
    attempt: delivery.attempt,
    response_code: delivery.responseCode,
    response_body_snippet: delivery.snippet,
    next_attempt_at: delivery.nextAttemptAt === null ? null : new Date(delivery.nextAttemptAt).toISOString(),
    error: delivery.error,
    ...(delivery.replayOf === null ? {} : { replay_of: delivery.replayOf }),
    created_at: new Date(delivery.createdAt).toISOString(),
  }),
  deliveryDefaultLimit: defaultPageSize,
  deliveryMaxLimit: maxPageSize,
  limitAboveMaximum: 'clamp',
  deliveryListEnvelope: (items) => ({ data: items }),
  replayAnswer: (shown) => ({ status: 202, body: shown }),
  replayOf: (original) => original.id,
  replayAfterDelete: 'refuse',
  oddLimit: 'refuse',
  maxInFlight: 256,
  keepAliveMs: 1_000,
  advanceGraceMs: 500,
}

/** The first `count` Unicode code points of `text`. */
function firstCodePoints(text: string, count: number): string {
  let units = 0
  for (let taken = 0; taken < count && units < text.length; taken++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, units)
}
