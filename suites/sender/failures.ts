// SDR-025  "An attempt that gets no 2xx (a 4xx answer) is followed by the next of the schedule."
// SDR-026  "An attempt that gets no 2xx (a 5xx answer) is followed by the next of the schedule."
// SDR-027  "An attempt that gets no 2xx (its connection breaks without an answer) is followed by the next of the schedule."
// SDR-028  "Each attempt is made after the delay of the schedule, up to the depth that is watched."

import { senderCase, status, type Answer, type SenderContext } from '../../harness/authoring.js'

/** The first of each list is the one for a person at the keyboard. */
const refusals = [400, 401, 403, 404, 409, 410, 422, 429]
const serverErrors = [503, 500, 501, 502, 504]
/** What a list of the usual ones, or of those that are final, leaves out or holds. */
const rareRefusals = [
  402, 405, 406, 408, 411, 412, 413, 414, 415, 416, 418, 421, 423, 424, 425, 426, 428, 430, 431, 444, 451, 495, 498,
  499,
]
const rareServerErrors = [505, 506, 507, 508, 509, 510, 511, 520, 522, 525, 529, 530, 598, 599]
/** Wishes of a consumer with its refusal. After a 503 without a wait some HTTP libraries repeat the request themselves. */
const retryAfterAnswers = [
  status(503, { headers: { 'retry-after': '3600' } }),
  status(429, { headers: { 'retry-after': '0' } }),
  status(429, { headers: { 'retry-after': '3600' } }),
  status(503, { headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() } }),
] as const

/** Bodies of failures: not text, not JSON, cut off, or stalled half-way. */
const oddBodies: readonly Answer[] = [
  { kind: 'cut-body', status: 500 },
  { kind: 'stalled-body', status: 500 },
  status(500, { headers: { 'content-type': 'application/json' }, body: '<h1>500</h1>' }),
  status(503, { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from([0xe9, 0xff, 0x00]) }),
]

async function expectSecondAttempt(
  { send, next, schedule, isByHand }: SenderContext,
  answers: readonly Answer[],
): Promise<void> {
  const events = []
  for (const answer of isByHand ? answers.slice(0, 1) : answers)
    events.push(await send({ answers: [answer, status(200)] }))
  await Promise.all(events.map((event) => next(event, 2, schedule[0] ?? 0)))
}

export const failures = [
  senderCase({
    id: 'sender/failures/a-4xx-is-followed-by-the-next-attempt',
    requirements: ['SDR-025'],
    level: 'must',
    title: `after ${refusals.join(', ')} the second attempt follows the schedule`,
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) =>
      expectSecondAttempt(
        context,
        refusals.map((code) => status(code)),
      ),
  }),

  senderCase({
    id: 'sender/failures/a-5xx-is-followed-by-the-next-attempt',
    requirements: ['SDR-026'],
    level: 'must',
    title: `after ${serverErrors.join(', ')} the second attempt follows the schedule`,
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) =>
      expectSecondAttempt(
        context,
        serverErrors.map((code) => status(code)),
      ),
  }),

  senderCase({
    id: 'sender/failures/a-reset-is-followed-by-the-next-attempt',
    requirements: ['SDR-027'],
    level: 'must',
    title: 'after a lost, reset or non-HTTP answer the second attempt follows the schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) =>
      expectSecondAttempt(context, [
        { kind: 'reset' },
        { kind: 'reset', afterMs: 1_000 },
        // A gateway may turn it into a 200: nginx reads it as HTTP/0.9.
        ...(context.isDirect ? [{ kind: 'garbage' } as const] : []),
      ]),
  }),

  senderCase({
    id: 'sender/failures/any-other-4xx-is-followed-by-the-next-attempt',
    requirements: ['SDR-025'],
    level: 'must',
    title: `after any other 4xx from ${rareRefusals[0]} to ${rareRefusals.at(-1)} the second attempt follows the schedule`,
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) =>
      expectSecondAttempt(
        context,
        rareRefusals.map((code) => status(code)),
      ),
  }),

  senderCase({
    id: 'sender/failures/any-other-5xx-is-followed-by-the-next-attempt',
    requirements: ['SDR-026'],
    level: 'must',
    title: `after any other 5xx from ${rareServerErrors[0]} to ${rareServerErrors.at(-1)} the second attempt follows the schedule`,
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) =>
      expectSecondAttempt(
        context,
        rareServerErrors.map((code) => status(code)),
      ),
  }),

  senderCase({
    id: 'sender/failures/a-5xx-with-an-odd-body-is-followed-by-the-next-attempt',
    requirements: ['SDR-026'],
    level: 'must',
    title: 'after a 500 or 503 with a broken body the second attempt follows the schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) => expectSecondAttempt(context, oddBodies),
  }),

  // The schedule names no other wait (open point retry-after-of-a-consumer).
  senderCase({
    id: 'sender/failures/keep-the-schedule-whatever-retry-after-asks',
    requirements: ['SDR-025', 'SDR-026'],
    level: 'must',
    title: 'after a 429 or 503 with any Retry-After the second attempt follows the schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    async run({ send, next, check, schedule, isByHand }) {
      const events = []
      for (const answer of isByHand ? retryAfterAnswers.slice(0, 1) : retryAfterAnswers)
        events.push(await send({ answers: [answer, status(200)] }))
      await Promise.all(events.map((event) => next(event, 2, schedule[0] ?? 0, check.of('SDR-028'))))
    },
  }),
]
