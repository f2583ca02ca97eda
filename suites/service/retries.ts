// RTY-002  "Attempt 2 is made 5 seconds after attempt 1."
// RTY-013  "`webhook-id` is identical on every retry."
//
// Reading: a delay may count from the start or the end of the failed attempt (open point delay-origin); the sink fails
// at once, so both are the same here. The lower end is exact, since neither a signature time nor a schedule may be early.

import { maxAttempts, retryDelaysMs } from '../../spec/index.js'
import { serviceCase, status, timingMark, type Attempt, type Scene } from '../../harness/authoring.js'

/** Seconds an attempt may be late in virtual time: whole seconds are signed, and the failed attempt took a moment. */
const lateSeconds = 2

export const retries = [
  serviceCase({
    id: 'service/retries/second-attempt-after-5-seconds',
    requirements: ['RTY-002'],
    level: 'must',
    title: 'the second attempt is made 5 seconds after the first, no earlier',
    needs: ['sink', 'event:message.received', 'time:5000'],
    async run({ scene: open, check }) {
      const scene = await open()
      const hook = await scene.project.hook({ answers: [status(500), status(200)] })
      const event = await scene.project.raise('message.received')
      const first = await hook.attempt(1, event)
      await scene.advance(3_000)
      check.equal(`attempts 3 seconds after the first ${timingMark}`, hook.attempts(event).length, 1)
      await scene.advance(4_000)
      const second = await hook.attempt(2, event)
      const { seconds, max } = gap(scene, first, second, 5)
      check.between('seconds between attempts 1 and 2', seconds, 5, max)
    },
  }),

  serviceCase({
    id: 'service/retries/follows-the-whole-schedule',
    requirements: ['RTY-002', 'RTY-003', 'RTY-004', 'RTY-005', 'RTY-006', 'RTY-007', 'RTY-013'],
    level: 'must',
    title: 'seven attempts are made, each after its delay, all with the same webhook-id',
    needs: ['sink', 'event:message.received', 'clock'],
    async run({ scene: open, check }) {
      const scene = await open()
      const hook = await scene.project.hook({ answers: [status(500)] })
      const event = await scene.project.raise('message.received')
      let previous = await hook.attempt(1, event)
      for (let number = 2; number <= maxAttempts; number++) {
        const delay = (retryDelaysMs[number - 1] ?? 0) / 1000
        await scene.advance(delay * 1000 + 1_000)
        const attempt = await hook.attempt(number, event, check.of(requirementOfAttempt(number)))
        const { seconds, max } = gap(scene, previous, attempt, delay)
        check
          .of(requirementOfAttempt(number))
          .between(`seconds between attempts ${number - 1} and ${number}`, seconds, delay, max)
        check
          .of('RTY-013')
          .equal(`webhook-id of attempt ${number}`, attempt.header('webhook-id'), previous.header('webhook-id'))
        previous = attempt
      }
    },
  }),
]

function requirementOfAttempt(number: number): 'RTY-002' {
  return `RTY-00${number}` as 'RTY-002'
}

/** Seconds between two attempts and the most they may be: by their signature times in virtual time, by arrival in real time. */
function gap(scene: Scene, earlier: Attempt, later: Attempt, delaySeconds: number): { seconds: number; max: number } {
  if (scene.time === 'virtual') return { seconds: later.signedAt - earlier.signedAt, max: delaySeconds + lateSeconds }
  const seconds = (later.arrivedAt - earlier.arrivedAt) / 1000
  return {
    seconds: seconds >= delaySeconds - 0.25 ? Math.max(seconds, delaySeconds) : seconds,
    max: delaySeconds * 1.1 + 5,
  }
}
