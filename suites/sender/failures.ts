// SDR-025  "An attempt that gets no 2xx (a 4xx answer) is followed by the next of the schedule."
// SDR-026  "An attempt that gets no 2xx (a 5xx answer) is followed by the next of the schedule."
// SDR-027  "An attempt that gets no 2xx (its connection breaks without an answer) is followed by the next of the schedule."

import { senderCase, status, type Answer, type SenderContext } from '../../harness/authoring.js'

/** The first of each list is the one that a person at the keyboard is asked for. */
const refusals = [400, 401, 403, 404, 409, 410, 422, 429]
const serverErrors = [503, 500, 501, 502, 504]

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
    title: `after ${refusals.join(', ')} the second attempt comes after the delay of the schedule`,
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
    title: `after ${serverErrors.join(', ')} the second attempt comes after the delay of the schedule`,
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
    title: 'after a connection that was reset the second attempt comes after the delay of the schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) => expectSecondAttempt(context, [{ kind: 'reset' }]),
  }),
]
