import { STATUS_CODES } from 'node:http'
import { retryDelaysMs } from '../../../spec/index.js'
import { type Policy, defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { isSuccess, shownDelivery } = defaultPolicy

/** The schedule with the delay before one attempt replaced. */
function delay(attempt: number, ms: number): Partial<Policy> {
  return { retryDelaysMs: retryDelaysMs.map((delayMs, index) => (index === attempt - 1 ? ms : delayMs)) }
}

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
    id: 'server/eight-attempts',
    title: 'an eighth attempt is made',
    breaks: ['RTY-008', 'RTY-009'],
    policy: {
      retryDelaysMs: [...retryDelaysMs, 50_400_000],
    },
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
    id: 'server/gives-up-on-certificates',
    title: 'an attempt that ends at a certificate for another name ends the delivery',
    breaks: ['RTY-012'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) && !(outcome.kind === 'connection' && /CERT|ALTNAME/.test(outcome.error)),
    },
  }),
  defineMutant({
    id: 'server/gives-up-on-expired-certificates',
    title: 'an attempt that ends at a certificate that has expired ends the delivery',
    breaks: ['RTY-012'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) && !(outcome.kind === 'connection' && outcome.error.includes('EXPIRED')),
    },
  }),
  defineMutant({
    id: 'server/gives-up-on-certificates-of-strangers',
    title: 'an attempt that fails at an untrusted certificate ends the delivery',
    breaks: ['RTY-012'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) &&
        !(outcome.kind === 'connection' && /SELF_SIGNED|UNABLE_TO/.test(outcome.error)),
    },
  }),
  defineMutant({
    id: 'server/gives-up-on-codes-without-a-name',
    title: 'a status code that the HTTP library has no name for ends the delivery',
    breaks: ['RTY-012', 'DLV-011'],
    policy: {
      isRetried: (outcome) =>
        outcome.kind !== 'blocked' && !(outcome.kind === 'answer' && STATUS_CODES[outcome.status] === undefined),
    },
  }),
  defineMutant({
    id: 'server/does-not-retry-garbled-answers',
    title: 'ends the delivery at an answer that is not HTTP',
    breaks: ['RTY-012', 'DLV-022'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) &&
        // With its parser's code, or without one, as undici reports it.
        !(outcome.kind === 'connection' && /^HPE_|^Response does not match the HTTP/.test(outcome.error)),
    },
  }),
]
