import { retryDelaysMs } from '../../../spec/index.js'
import type { Patch } from '../../patching/patch.js'
import { type Policy, defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { isSuccess, shownDelivery } = defaultPolicy

/** The schedule with the delay before one attempt replaced. */
function delay(attempt: number, ms: number): Partial<Policy> {
  return { retryDelaysMs: retryDelaysMs.map((delayMs, index) => (index === attempt - 1 ? ms : delayMs)) }
}

/** Adds the `Retry-After` of the answer to the outcome of an attempt. */
export const readsRetryAfter: readonly [Patch, Patch, Patch] = [
  {
    file: 'server/egress/egress.ts',
    find: 'status: answer.statusCode,',
    replace: "status: answer.statusCode, retryAfter: answer.headers['retry-after'],",
  },
  {
    file: 'server/engine/attempt.ts',
    find: 'const { status, body: answered } =',
    replace: 'const { status, retryAfter, body: answered } =',
  },
  {
    file: 'server/engine/attempt.ts',
    find: "return { kind: 'answer',",
    replace: "return { kind: 'answer', retryAfter,",
  },
]

/** Deviations in retries. */
export const retriesMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/takes-410-for-the-end',
    title: 'a 410 is not retried',
    breaks: ['RTY-012', 'DLV-011'],
    policy: {
      isRetried: (outcome) => outcome.kind !== 'blocked' && !(outcome.kind === 'answer' && outcome.status === 410),
    },
  }),
  defineMutant({
    id: 'server/does-not-retry-4xx',
    title: 'a 4xx is not retried',
    breaks: ['RTY-012', 'DLV-011'],
    policy: {
      isRetried: (outcome) =>
        outcome.kind !== 'blocked' && !(outcome.kind === 'answer' && outcome.status >= 400 && outcome.status < 500),
    },
  }),
  defineMutant({
    id: 'server/does-not-retry-time-outs',
    title: 'a time-out is not retried',
    breaks: ['RTY-012', 'DLV-008'],
    policy: {
      isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'timeout',
    },
  }),
  defineMutant({
    id: 'server/gives-up-on-names-without-address',
    title: 'a name that has no address now ends the delivery',
    breaks: ['RTY-012', 'DLV-022'],
    policy: {
      isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'unresolved',
    },
  }),
  defineMutant({
    id: 'server/retries-only-what-was-not-answered',
    title: 'any answer ends the delivery',
    breaks: ['RTY-012', 'DLV-011', 'DLV-010'],
    policy: {
      isRetried: (outcome) => outcome.kind !== 'blocked' && outcome.kind !== 'answer',
    },
  }),
  defineMutant({
    id: 'server/obeys-retry-after',
    title: 'a Retry-After of the consumer replaces the schedule',
    breaks: ['RTY-012'],
    patch: [
      ...readsRetryAfter,
      {
        file: 'server/engine/next-state.ts',
        find: 'return { status: rules.retryingStatus, nextAttemptAt: origin + delayMs }',
        replace: `const asked = /^\\d+$/.test(outcome.retryAfter ?? '') ? Number(outcome.retryAfter) * 1000 : delayMs
return { status: rules.retryingStatus, nextAttemptAt: origin + asked }`,
      },
    ],
  }),
  defineMutant({
    id: 'server/shows-no-next-attempt',
    title: 'next_attempt_at is never set',
    breaks: ['RTY-010', 'DLV-020'],
    policy: {
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), next_attempt_at: null }),
    },
  }),
  defineMutant({
    id: 'server/shows-the-wrong-next-attempt',
    title: 'next_attempt_at is an hour off',
    breaks: ['RTY-010', 'DLV-020'],
    policy: {
      shownDelivery: (delivery) => ({
        ...shownDelivery(delivery),
        next_attempt_at:
          delivery.nextAttemptAt === null ? null : new Date(delivery.nextAttemptAt + 3_600_000).toISOString(),
      }),
    },
  }),
  defineMutant({
    id: 'server/first-attempt-late',
    title: 'the first attempt waits a minute',
    breaks: ['RTY-001'],
    policy: delay(1, 60_000),
  }),
  defineMutant({
    id: 'server/first-retry-after-ten-seconds',
    title: 'the first retry waits 10 seconds',
    breaks: ['RTY-002'],
    policy: delay(2, 10_000),
  }),
  defineMutant({
    id: 'server/first-retry-at-once',
    title: 'the first retry does not wait',
    breaks: ['RTY-002'],
    policy: delay(2, 0),
  }),
  defineMutant({
    id: 'server/first-retry-after-three-seconds',
    title: 'the first retry is two seconds early',
    breaks: ['RTY-002'],
    policy: delay(2, 3_000),
  }),
  defineMutant({
    id: 'server/retries-a-tenth-early',
    title: 'every delay is a tenth shorter',
    breaks: ['RTY-003', 'RTY-004', 'RTY-005', 'RTY-006', 'RTY-007'],
    policy: { retryDelaysMs: retryDelaysMs.map((delayMs) => delayMs * 0.9) },
  }),
  defineMutant({
    id: 'server/fails-at-the-last-attempt',
    title: 'the last attempt is failed whatever it was answered',
    breaks: ['RTY-011'],
    policy: {
      isSuccess: (status, attempt, body) => isSuccess(status, attempt, body) && attempt < retryDelaysMs.length,
    },
  }),
  defineMutant({
    id: 'server/sends-one-after-the-other',
    title: 'an event waits until the deliveries of earlier events have ended',
    breaks: ['RTY-001', 'RTY-012'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const claim = store.prepare',
        replace: `const oneByOne = (sql) =>
  store.prepare(
    sql.replace(
      'due_at is not null',
      \`due_at is not null and not exists (select 1 from deliveries before
         where before.webhook_id = deliveries.webhook_id and before.seq < deliveries.seq and before.status = 'pending')\`,
    ),
  )
const claim = oneByOne`,
      },
      {
        file: 'server/store/delivery-store.ts',
        find: 'const nextDue = store.prepare',
        replace: 'const nextDue = oneByOne',
      },
    ],
  }),
  defineMutant({
    id: 'server/second-retry-after-five-seconds',
    title: 'the second retry waits 5 seconds',
    breaks: ['RTY-003'],
    policy: delay(3, 5_000),
  }),
  defineMutant({
    id: 'server/second-retry-after-six-minutes',
    title: 'the second retry waits 6 minutes',
    breaks: ['RTY-003'],
    policy: delay(3, 360_000),
  }),
  defineMutant({
    id: 'server/third-retry-after-fifteen-minutes',
    title: 'the third retry waits 15 minutes',
    breaks: ['RTY-004'],
    policy: delay(4, 900_000),
  }),
  defineMutant({
    id: 'server/fourth-retry-after-one-hour',
    title: 'the fourth retry waits an hour',
    breaks: ['RTY-005'],
    policy: delay(5, 3_600_000),
  }),
  defineMutant({
    id: 'server/fifth-retry-after-two-hours',
    title: 'the fifth retry waits 2 hours',
    breaks: ['RTY-006'],
    policy: delay(6, 7_200_000),
  }),
  defineMutant({
    id: 'server/sixth-retry-after-five-hours',
    title: 'the sixth retry waits 5 hours',
    breaks: ['RTY-007'],
    policy: delay(7, 18_000_000),
  }),
  defineMutant({
    id: 'server/sixth-retry-after-fourteen-hours',
    title: 'the sixth retry waits 14 hours',
    breaks: ['RTY-007'],
    policy: delay(7, 50_400_000),
  }),
  defineMutant({
    id: 'server/six-attempts',
    title: 'the last attempt is not made',
    breaks: ['RTY-007', 'RTY-008'],
    policy: {
      retryDelaysMs: retryDelaysMs.slice(0, 6),
    },
  }),
  defineMutant({
    id: 'server/attempts-again-after-a-408-at-the-last',
    title: 'an eighth attempt is made if the seventh was answered with 408',
    breaks: ['RTY-008', 'RTY-009', 'RTY-012'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'nextState({ attempt, outcome,',
        replace:
          'nextState({ attempt: attempt === 7 && outcome.kind === "answer" && outcome.status === 408 ? 6 : attempt, outcome,',
      },
    ],
  }),
  defineMutant({
    id: 'server/eight-attempts',
    title: 'an eighth attempt is made',
    breaks: ['RTY-008', 'RTY-009'],
    policy: {
      retryDelaysMs: [...retryDelaysMs, 50_400_000],
    },
  }),
  defineMutant({
    id: 'server/delays-count-from-the-event',
    title: 'delays count from the event',
    breaks: ['RTY-003', 'RTY-004', 'RTY-005', 'RTY-006', 'RTY-007'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)',
        replace:
          'nextState({ attempt, outcome, startedAt, endedAt: Date.parse(events.get(due.eventId).time), isWebhookDeleted }, policy)',
      },
    ],
  }),
  defineMutant({
    id: 'server/stays-pending-for-ever',
    title: 'after the last attempt the delivery stays pending',
    breaks: ['RTY-009'],
    policy: {
      exhaustedStatus: 'pending',
    },
  }),
  defineMutant({
    id: 'server/retries-a-success',
    title: 'a delivery that succeeded is attempted again',
    breaks: ['RTY-011', 'DLV-006'],
    patch: [
      {
        file: 'server/engine/next-state.ts',
        find: "return { status: 'succeeded', nextAttemptAt: null }",
        replace: `const next = rules.retryDelaysMs[attempt]
return { status: 'succeeded', nextAttemptAt: next === undefined ? null : ended.endedAt + next }`,
      },
    ],
  }),
  defineMutant({
    id: 'server/changes-the-body',
    title: 'the body of a retry has another timestamp',
    breaks: ['RTY-014'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const body = bodyOf(event)',
        replace: `const body = bodyOf(event).replace(/"timestamp":"[^"]*"/, (own) => (due.attempt === 0 ? own : '"timestamp":"2020-01-01T00:00:00.000Z"'))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/has-an-id-for-each-attempt',
    title: 'webhook-id is new at each attempt',
    breaks: ['RTY-013', 'SIG-001'],
    patch: [
      {
        file: 'server/engine/attempt.ts',
        find: 'const id = due.eventId',
        replace: 'const id = due.attempt === 0 ? due.eventId : `${due.eventId}_${due.attempt + 1}`',
      },
    ],
  }),
]
