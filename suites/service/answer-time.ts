// DLV-007  "The consumer has 10 seconds to answer: an answer within them counts."
// DLV-008  "The consumer has 10 seconds to answer: no answer by then is a failed attempt."
//
// Reading: in virtual time an attempt in flight is given up to half a second of real time before the clock passes its
// 10 seconds; so the answer at the lower end comes once the clock stands at about 9 seconds, while the advance is under
// way. After a time-out the next attempt comes 5 seconds later: its signature time tells how long the sender waited.

import { answerTimeMs } from '../../spec/index.js'
import { CaseErrored, serviceCase, status, timingMark, type Answer } from '../../harness/authoring.js'

/** How late the late answer is, before what passes while it is given. */
const lateMs = 7_000
/** A sender may count its time from before it connects, through a tunnel and on a busy machine. */
const connectingMs = 2_000
/** Half a second passes before the clock moves on over an attempt in flight; a little more, and it has. */
const graceMs = 650

const stalls: readonly (readonly [name: string, title: string, answer: Answer])[] = [
  ['no-answer', 'an attempt that gets no byte of an answer', { kind: 'hang' }],
  ['slow-headers', 'an attempt whose answer never ends its header', { kind: 'slow-headers' }],
]

export const answerTime = [
  serviceCase({
    id: 'service/answer-time/accepts-a-late-answer',
    requirements: ['DLV-007'],
    level: 'must',
    title: 'an answer some 8 seconds after the request is a success',
    needs: ['sink', 'time:9000', 'event:message.received'],
    timeoutMs: 90_000,
    async run({ scene: open, check }) {
      const scene = await open()
      const hook = await scene.project.hook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'hang' }, status(500)],
      })
      const startedAt = Date.now()
      const event = await scene.project.raise('message.received')
      const attempt = await hook.heldAttempt(event)
      const aheadMs = Math.max(1_000, lateMs - (Date.now() - startedAt))
      const advanced = scene.advance(aheadMs)
      advanced.catch(() => undefined) // Heard below, unless the case ends before.
      if (scene.time === 'virtual') await new Promise((resolve) => setTimeout(resolve, graceMs))
      else await advanced
      attempt.answer(status(200))
      const answeredAfterMs = Date.now() - startedAt + (scene.time === 'virtual' ? aheadMs : 0)
      if (answeredAfterMs > answerTimeMs - 500)
        throw new CaseErrored(`this machine was too busy to answer in time: after ${Math.round(answeredAfterMs)} ms`)
      await advanced
      await scene.settle()
      const delivery = await hook.deliveryWhen((each) => each.status !== 'pending')
      check.equal('status after an answer within 10 seconds', delivery.status, 'succeeded')
      check.equal('attempts', hook.attempts(event).length, 1)
    },
  }),

  ...stalls.map(([name, title, answer]) =>
    serviceCase({
      id: `service/answer-time/gives-up-on-${name}`,
      requirements: ['DLV-008', 'RTY-012'],
      level: 'must',
      title: `${title} fails after 10 seconds and is retried`,
      needs: ['sink', 'time:15000', 'event:message.received'],
      timeoutMs: 120_000,
      async run({ scene: open, check }) {
        const scene = await open()
        const hook = await scene.project.hook({ eventTypes: ['message.received'], answers: [answer, status(200)] })
        const event = await scene.project.raise('message.received')
        const first = await hook.heldAttempt(event)
        if (scene.time === 'virtual') {
          await scene.advance(answerTimeMs + 1_000)
          await scene.advance(6_000)
        } else await Promise.race([first.closed, scene.advance(30_000)])
        const second = await hook.attempt(2, event, check.of('RTY-012'))
        if (scene.time === 'virtual')
          check.between('seconds from the first attempt to the second', second.signedAt - first.signedAt, 10, 18)
        else {
          const waitedMs = (await first.closed) - first.arrivedAt
          check.between(
            `milliseconds until the sender gave up ${timingMark}`,
            waitedMs,
            answerTimeMs - connectingMs,
            answerTimeMs + 10_000,
          )
        }
        check
          .of('RTY-011')
          .equal(
            'status after the second attempt',
            (await hook.deliveryWhen((each) => each.status === 'succeeded')).status,
            'succeeded',
          )
      },
    }),
  ),

  serviceCase({
    id: 'service/answer-time/does-not-count-an-answer-that-comes-too-late',
    requirements: ['DLV-008'],
    level: 'must',
    title: 'after 10 seconds without an answer the delivery is pending, with another attempt to come',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const hook = await scene.project.hook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'hang' }, status(500)],
      })
      const event = await scene.project.raise('message.received')
      const attempt = await hook.heldAttempt(event)
      const advanced = scene.advance(answerTimeMs + 2_000)
      await Promise.race([advanced, attempt.closed])
      attempt.answer(status(200))
      await advanced
      check.equal('status after the time-out', (await hook.delivery()).status, 'pending')
      await scene.advance(6_000)
      check
        .of('RTY-012')
        .ok(
          'second attempt',
          await hook.endpoint.until(() => hook.attempts(event).length >= 2, scene.budgetMs),
          'made',
          'none',
        )
    },
  }),

  serviceCase({
    id: 'service/answer-time/is-not-held-by-an-endless-body',
    requirements: ['DLV-008', 'DLV-011', 'RTY-012'],
    level: 'must',
    title: 'a 500 with a body that never ends leaves the attempt within the answer time, and is retried',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ scene: open, check }) {
      const scene = await open()
      const hook = await scene.project.hook({
        eventTypes: ['message.received'],
        answers: [{ kind: 'endless-body', status: 500 }, status(200)],
      })
      const event = await scene.project.raise('message.received')
      await hook.heldAttempt(event)
      await scene.advance(answerTimeMs + 1_000)
      await scene.advance(6_000)
      check
        .of('RTY-012')
        .ok(
          'second attempt',
          await hook.endpoint.until(() => hook.attempts(event).length >= 2, scene.budgetMs),
          'made',
          'none',
        )
    },
  }),
]
