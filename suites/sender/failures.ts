// SDR-025  "An attempt that gets no 2xx (a 4xx answer) is followed by the next of the schedule."
// SDR-026  "An attempt that gets no 2xx (a 5xx answer) is followed by the next of the schedule."
// SDR-027  "An attempt that gets no 2xx (its connection breaks without an answer) is followed by the next of the schedule."

import { senderCase, status, type Answer, type SenderContext } from '../../harness/authoring.js'

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
    title: 'after 400, 404, 410 and 429 the second attempt comes after the delay of the schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) => expectSecondAttempt(context, [status(400), status(404), status(410), status(429)]),
  }),

  senderCase({
    id: 'sender/failures/a-5xx-is-followed-by-the-next-attempt',
    requirements: ['SDR-026'],
    level: 'must',
    title: 'after 502 and 503 the second attempt comes after the delay of the schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) => expectSecondAttempt(context, [status(503), status(502)]),
  }),

  senderCase({
    id: 'sender/failures/a-reset-is-followed-by-the-next-attempt',
    requirements: ['SDR-027'],
    level: 'must',
    title: 'after a connection that was reset the second attempt comes after the delay of the schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) => expectSecondAttempt(context, [{ kind: 'reset' }]),
  }),
]
