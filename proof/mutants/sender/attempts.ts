import { randomUUID } from 'node:crypto'
import { senderPolicy } from '../../../reference/sender/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { body, headerTimestamp, isSuccess } = senderPolicy

/** Deviations in what counts as success, in when attempts are made, and in what stays the same over them. */
export const attempts: readonly Mutant<'sender'>[] = [
  defineMutant({
    id: 'sender/takes-only-200',
    title: 'only 200 is success',
    breaks: ['SDR-020'],
    policy: { isSuccess: (end) => end.kind === 'answered' && end.status === 200 },
  }),
  defineMutant({
    id: 'sender/gives-up-after-five-seconds',
    title: 'an answer is waited for 5 seconds',
    breaks: ['SDR-021'],
    policy: { answerTimeMs: 5_000 },
  }),
  defineMutant({
    id: 'sender/waits-half-a-minute',
    title: 'an answer is waited for 30 seconds',
    breaks: ['SDR-022'],
    policy: { answerTimeMs: 30_000 },
  }),
  defineMutant({
    id: 'sender/retries-no-timeout',
    title: 'an attempt without an answer is not repeated',
    breaks: ['SDR-022'],
    policy: { retries: ({ kind }) => kind !== 'timeout' },
  }),
  defineMutant({
    id: 'sender/takes-redirects-for-success',
    title: 'a redirect is success',
    breaks: ['SDR-024'],
    policy: { isSuccess: (end) => isSuccess(end) || (end.kind === 'answered' && end.status < 400) },
  }),
  defineMutant({
    id: 'sender/retries-no-4xx',
    title: 'a delivery that gets a 4xx is not repeated',
    breaks: ['SDR-025'],
    policy: { retries: (end) => end.kind !== 'answered' || end.status < 400 || end.status >= 500 },
  }),
  defineMutant({
    id: 'sender/retries-no-408',
    title: 'a delivery that gets a 408 is not repeated',
    breaks: ['SDR-025'],
    policy: { retries: (end) => end.kind !== 'answered' || end.status !== 408 },
  }),
  defineMutant({
    id: 'sender/retries-no-503',
    title: 'a delivery that gets a 502 or 503 is not repeated',
    breaks: ['SDR-026'],
    policy: { retries: (end) => end.kind !== 'answered' || (end.status !== 502 && end.status !== 503) },
  }),
  defineMutant({
    id: 'sender/retries-no-reset',
    title: 'a delivery whose connection breaks is not repeated',
    breaks: ['SDR-027'],
    policy: { retries: ({ kind }) => kind !== 'broken' },
  }),
  defineMutant({
    id: 'sender/retries-too-early',
    title: 'makes the second attempt at once',
    breaks: ['SDR-028'],
    policy: { schedule: [100, 2_500] },
  }),
  defineMutant({
    id: 'sender/retries-too-late',
    title: 'makes the third attempt late',
    breaks: ['SDR-028'],
    policy: { schedule: [2_000, 8_000] },
  }),
  ...([300, 304, 401, 413, 501, 505] as const).map((taken) =>
    defineMutant({
      id: `sender/takes-a-${taken}`,
      title: `a ${taken} ends a delivery, as a 2xx does`,
      breaks: [taken < 400 ? 'SDR-024' : taken < 500 ? 'SDR-025' : 'SDR-026'],
      policy: { isSuccess: (end) => isSuccess(end) || (end.kind === 'answered' && end.status === taken) },
    }),
  ),
  defineMutant({
    id: 'sender/waits-nine-seconds',
    title: 'an attempt times out after 9 seconds; delays count from the start',
    breaks: ['SDR-021'],
    policy: { answerTimeMs: 9_000, countsFrom: 'start' },
  }),
  defineMutant({
    id: 'sender/waits-twelve-seconds',
    title: 'an answer is waited for 12 seconds',
    breaks: ['SDR-022'],
    policy: { answerTimeMs: 12_000 },
  }),
  defineMutant({
    id: 'sender/knows-the-usual-successes',
    title: 'of 2xx those from 200 to 204 are success',
    breaks: ['SDR-020'],
    policy: { isSuccess: (end) => isSuccess(end) && end.kind === 'answered' && end.status <= 204 },
  }),
  defineMutant({
    id: 'sender/stops-too-early',
    title: 'the last attempt of the schedule is not made',
    breaks: ['SDR-028'],
    policy: { schedule: [2_000] },
  }),
  defineMutant({
    id: 'sender/renames-a-retry',
    title: 'a retry has its own id',
    breaks: ['SDR-029'],
    policy: { headerId: ({ event, number }) => (number === 1 ? event.id : `evt_${randomUUID()}`) },
  }),
  defineMutant({
    id: 'sender/keeps-the-first-timestamp',
    title: 'a retry carries the timestamp and signature of the first attempt',
    breaks: ['SDR-030'],
    policy: { headerTimestamp: (facts) => headerTimestamp({ ...facts, now: Date.parse(facts.event.timestamp) }) },
  }),
  defineMutant({
    id: 'sender/dates-a-retry-anew',
    title: 'the event of a retry has a timestamp of its own',
    breaks: ['SDR-031'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, timestamp: new Date(facts.now).toISOString() } }),
    },
  }),
  defineMutant({
    id: 'sender/never-stops',
    title: 'there is an attempt after the last of the schedule',
    breaks: ['SDR-032'],
    policy: { schedule: [2_000, 2_500, 2_500] },
  }),
  defineMutant({
    id: 'sender/empties-the-data-of-a-third-attempt',
    title: 'the third attempt has no data',
    breaks: ['SDR-031'],
    policy: {
      body: (facts) => body(facts.number < 3 ? facts : { ...facts, event: { ...facts.event, data: {} } }),
    },
  }),
]
