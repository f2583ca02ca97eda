// SDR-021  "The consumer has 10 seconds to answer: an answer within them counts."
// SDR-022  "The consumer has 10 seconds to answer: no answer by then is a failed attempt."
//
// Reading: a sender counts its 10 seconds from before it connects, so the last answer in time is sent a little before, and the first late
// one some seconds after; a slow body is part of the time. The interface does not require the connection to be closed then: only that a
// later answer is not a success. The next attempt is due after its delay, from the start or the end of this one.

import { answerTimeMs } from '../../spec/index.js'
import { TooBusy, senderCase, status, type SenderContext } from '../../harness/authoring.js'

/**
 * When the timely answer is sent, after the request arrived, and how much earlier a sender may have given up: with a gateway between, a
 * sender may count from a second before the arrival. A busy machine may be too late for the later time, and the earlier one is used then.
 */
const direct = { inTimeMs: 9_350, spareMs: 500 }
const distant = { inTimeMs: 8_700, spareMs: 1_000 }
/** When the late answer is sent, after the request arrived: some timers have whole seconds, and a gateway between needs time. */
const tooLateMs = { direct: 11_500, distant: 12_500 }
const tooBusy = 'this machine was too busy to answer within 10 seconds of a request'

export const answerTime = [
  senderCase({
    id: 'sender/answer-time/waits-for-an-answer',
    requirements: ['SDR-021'],
    level: 'must',
    title: 'an answer some 9 seconds after the request is a success',
    needs: ['interface'],
    timeoutMs: 120_000,
    run: (context) => expectPatience(context, 1),
  }),

  senderCase({
    id: 'sender/answer-time/waits-for-an-answer-to-a-retry',
    requirements: ['SDR-021'],
    level: 'must',
    title: 'an answer some 9 seconds after a second attempt is in time',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) => expectPatience(context, 2),
  }),

  senderCase({
    id: 'sender/answer-time/gives-up-after-10-seconds',
    requirements: ['SDR-022'],
    level: 'must',
    title: 'an attempt without an answer within 10 seconds has failed, and the next follows',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    run: (context) => expectGivingUp(context, 1),
  }),

  senderCase({
    id: 'sender/answer-time/gives-up-on-a-retry-after-10-seconds',
    requirements: ['SDR-022'],
    level: 'must',
    title: 'a second attempt without an answer within 10 seconds has failed, and the third follows',
    needs: ['interface', 'retries', 'third-attempt'],
    timeoutMs: 7_200_000,
    run: (context) => expectGivingUp(context, 2),
  }),

  // Many HTTP libraries limit each wait for bytes, which does not limit the answer. The status is a failure: it is open whether a sender
  // accepts a status line as an answer.
  senderCase({
    id: 'sender/answer-time/gives-up-on-an-answer-that-drips',
    requirements: ['SDR-022'],
    level: 'must',
    title: 'an attempt whose answer is still incomplete after 10 seconds has failed',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    async run({ send, schedule, next }) {
      const event = await send({ answers: [{ kind: 'slow-headers', status: 500 }, status(200)] })
      await next(event, 2, schedule[0] ?? 0)
    },
  }),
]

/** Checks that the answer to attempt `number`, 1 or 2, is too late, and the next attempt follows. */
async function expectGivingUp(context: SenderContext, number: 1 | 2): Promise<void> {
  const { send, schedule, staysOpen, next, require, isDirect } = context
  const [first = 0, second = 0] = schedule
  const event = await send({ answers: [...(number === 1 ? [] : [status(500)]), { kind: 'hang' }, status(200)] })
  const requested = number === 1 ? event.seen[0] : await next(event, 2, first, require.of('SDR-028'))
  if (requested === undefined) return
  const lateMs = isDirect ? tooLateMs.direct : tooLateMs.distant
  const late = staysOpen(requested, requested.attempt.arrivedAt + lateMs - Date.now()).then((isOpen) => {
    if (isOpen) requested.attempt.answer(status(200))
  })
  await next(event, number + 1, number === 1 ? first : second)
  await late
}

/** A mismatch unless attempt `number`, 1 or 2, is still there when it is answered in time. */
async function expectPatience(context: SenderContext, number: 1 | 2): Promise<void> {
  const { send, next, check, require, judging, schedule, staysOpen, expectNoMore, isDirect } = context
  for (const { inTimeMs, spareMs } of isDirect ? [direct, distant] : [distant]) {
    const event = await send({ answers: [...(number === 1 ? [] : [status(500)]), { kind: 'hang' }, status(200)] })
    const [first] = event.seen
    const requested = number === 1 ? first : await next(event, 2, schedule[0] ?? 0, require.of('SDR-028'))
    if (requested === undefined) return
    const leftMs = Math.max(0, requested.attempt.begunAt + inTimeMs - Date.now())
    if (!(await staysOpen(requested, leftMs))) {
      const waitedMs = (await requested.attempt.closed) - requested.attempt.begunAt
      if (waitedMs >= answerTimeMs - spareMs) continue
      judging(answerTimeMs - waitedMs).fail(
        'seconds until the sender gave up',
        String(answerTimeMs / 1000),
        waitedMs / 1000,
      )
      return
    }
    requested.attempt.answer(status(200))
    if (requested.attempt.wasGivenUp) continue
    if (number === 1) await expectNoMore(event, 1, schedule[0] ?? 0, check.measured)
    return
  }
  throw new TooBusy(tooBusy)
}
