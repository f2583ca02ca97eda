import { answerTimeMs, defaultPageSize, maxPageSize, retryDelaysMs, snippetCharacters } from '../../../spec/index.js'
import type { Answer, AttemptOutcome, DeliveryRecord, DeliveryStatus, EventMember } from './records.js'
import { dataMember, idMember, timestampMember, typeMember } from './members.js'

/** The delivery request, its record, the retry schedule, and replay. */
export interface DeliveryPolicy {
  /** Source: DLV-001. */
  readonly deliveryMethod: 'POST' | 'PUT' | 'GET'
  readonly deliveryContentType: string
  /** Where a delivery goes, from the url of the webhook. Source: DLV-001. */
  readonly deliveryUrl: (url: string) => string
  /** Members of the body, in order. Source: DLV-002. */
  readonly bodyMembers: readonly EventMember[]
  /** Last word on the body of one attempt; `attempt` counts from 1. Source: RTY-014, RPL-002. */
  readonly attemptBody: (body: string, context: { attempt: number; isReplay: boolean; attemptAt: number }) => string
  /** Deliveries made for one event and one matching webhook. Source: DLV-023. */
  readonly deliveriesPerMatch: number
  /** Delay before the first attempt, then before each further one; its length is the number of attempts. Source: RTY-001 to RTY-008. */
  readonly retryDelaysMs: readonly number[]
  /** What a delay counts from; open point `delay-origin`. */
  readonly delayOrigin: 'attempt-end' | 'attempt-start' | 'event'
  /** Time to answer. Source: DLV-007, DLV-008. */
  readonly answerTimeMs: number
  /** Whether an answer to attempt number `attempt` counts as success. Source: DLV-005, DLV-006, DLV-010, RTY-011. */
  readonly isSuccess: (status: number, attempt: number, snippet: string | null) => boolean
  /** Whether a failed attempt is made again while retries remain. Source: DLV-011, DLV-022, RTY-012, NET-009. */
  readonly isRetried: (outcome: AttemptOutcome) => boolean
  /** Whether `Retry-After` of an answer takes the place of the schedule's delay. Source: RTY-012. */
  readonly obeysRetryAfter: boolean
  /** Whether a delivery waits until those of earlier events to the same webhook have ended. Source: RTY-001. */
  readonly deliveryQueue: 'independent' | 'one-after-the-other'
  /** Whether a webhook gets no further event once a delivery to it has failed for good. Source: DLV-004. */
  readonly failureDisables: boolean
  /** Whether a succeeded delivery stays as it is. Source: RTY-011. */
  readonly successEnds: boolean
  /** Status after the last attempt. Source: RTY-009. */
  readonly exhaustedStatus: DeliveryStatus
  /** Status while retries remain. Source: RTY-010, DLV-011. */
  readonly retryingStatus: DeliveryStatus
  /** Source: DLV-009. */
  readonly redirects: 'stay' | 'follow'
  /** Redirects followed at most, where they are. */
  readonly maxRedirects: number
  /** The part of the answer's body that is kept. Source: DLV-019; open point `snippet-characters`. */
  readonly snippet: (body: string, status: number) => string
  /** Bytes of the answer's body read at most: enough for the snippet in any UTF-8. */
  readonly snippetReadBytes: number
  /** The text kept as error of a failed attempt; `blocked_private_address` is named by the interface. Source: NET-008; open point `blocked-reason-field`. */
  readonly attemptError: (outcome: AttemptOutcome) => string | null
  /** A delivery in the list. Source: DLV-016 to DLV-021; open points `empty-fields`, `blocked-reason-field`. */
  readonly shownDelivery: (delivery: DeliveryRecord) => Readonly<Record<string, unknown>>
  /** Source: DLV-012. */
  readonly deliveryOrder: 'newest-first' | 'oldest-first' | 'pending-last'
  /** Source: DLV-013. */
  readonly deliveryDefaultLimit: number
  /** Source: DLV-015. */
  readonly deliveryMaxLimit: number
  /** Page size from what was asked for. Source: DLV-014, POL-005. */
  readonly pageSize: (asked: number) => number
  /** A limit above the maximum; open point `limit-above-maximum`. */
  readonly limitAboveMaximum: 'clamp' | 'refuse' | 'allow'
  /** Open point `delivery-list-envelope`. */
  readonly deliveryListEnvelope: (items: readonly unknown[]) => unknown
  /** Source: RPL-001; open point `replay-body`. */
  readonly replayAnswer: (shown: Readonly<Record<string, unknown>>) => Answer
  /** Whether a replay makes a new delivery or starts the original anew. Source: RPL-003, RPL-006. */
  readonly replayMakes: 'new-delivery' | 'original-again' | 'nothing'
  /** Source: RPL-004. */
  readonly replayOf: (original: DeliveryRecord) => string | null
  /** Which deliveries can be replayed. Source: RPL-005. */
  readonly replayable: (status: DeliveryStatus) => boolean
  /** Of whose deliveries a webhook replays one. Source: WHK-009. */
  readonly replaysDeliveriesOf: 'webhook' | 'any'
  /** Which event a replay sends; `latest` is the newest event of the org. Source: RPL-002. */
  readonly replayEvent: 'same' | 'latest'
  /** Delay before the first attempt of a replay. Source: RPL-002 ("now"). */
  readonly replayDelayMs: number
  /** Whether a failed replay is retried. Source: RPL-008. */
  readonly replayRetries: boolean
  /** Attempts in flight of one workspace at most; the others wait in the store, so memory is bounded. */
  readonly maxInFlight: number
  /** Idle connections are closed after this time. */
  readonly keepAliveMs: number
  /** While a clock is advanced, real time that an attempt in flight gets before the clock passes its answer time. Source: contract, part 3. */
  readonly advanceGraceMs: number
}

/** The event as deliveries and stream frames carry it. */
export const eventBody: readonly EventMember[] = [idMember, typeMember, timestampMember, dataMember]

export const deliveryPolicy: DeliveryPolicy = {
  deliveryMethod: 'POST',
  deliveryContentType: 'application/json',
  deliveryUrl: (url) => url,
  bodyMembers: eventBody,
  attemptBody: (body) => body,
  deliveriesPerMatch: 1,
  retryDelaysMs,
  delayOrigin: 'attempt-end',
  answerTimeMs,
  isSuccess: (status) => status >= 200 && status <= 299,
  isRetried: (outcome) => outcome.kind !== 'blocked',
  obeysRetryAfter: false,
  deliveryQueue: 'independent',
  failureDisables: false,
  successEnds: true,
  exhaustedStatus: 'failed',
  retryingStatus: 'pending',
  redirects: 'stay',
  maxRedirects: 5,
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
    attempt: Math.max(1, delivery.attempt),
    response_code: delivery.responseCode,
    response_body_snippet: delivery.snippet,
    next_attempt_at: delivery.nextAttemptAt === null ? null : new Date(delivery.nextAttemptAt).toISOString(),
    error: delivery.error,
    ...(delivery.replayOf === null ? {} : { replay_of: delivery.replayOf }),
    created_at: new Date(delivery.createdAt).toISOString(),
  }),
  deliveryOrder: 'newest-first',
  deliveryDefaultLimit: defaultPageSize,
  deliveryMaxLimit: maxPageSize,
  pageSize: (asked) => asked,
  limitAboveMaximum: 'clamp',
  deliveryListEnvelope: (items) => ({ data: items }),
  replayAnswer: (shown) => ({ status: 202, body: shown }),
  replayMakes: 'new-delivery',
  replayOf: (original) => original.id,
  replayable: () => true,
  replaysDeliveriesOf: 'webhook',
  replayEvent: 'same',
  replayDelayMs: 0,
  replayRetries: true,
  maxInFlight: 256,
  keepAliveMs: 1_000,
  advanceGraceMs: 500,
}

/** The first `count` Unicode code points of `text`. */
export function firstCodePoints(text: string, count: number): string {
  let units = 0
  for (let taken = 0; taken < count && units < text.length; taken++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, units)
}
