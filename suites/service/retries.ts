// RTY-002 to RTY-007  the delays before attempts 2 to 7: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h.
// RTY-008  "A delivery has 7 attempts; there is no eighth."
// RTY-009  "After the last attempt the delivery is marked `failed`."
// RTY-010  "While retries remain the delivery stays `pending` and `next_attempt_at` is set to the time of the next
//           attempt of the schedule."
// RTY-011  "A retried delivery becomes `succeeded` at the first attempt that gets a 2xx, and is not attempted again."
// DLV-020  "`next_attempt_at` tells when the next retry is due."
// RTY-013  "`webhook-id` is identical on every retry."
// RTY-014  "Every attempt carries the same event: `id`, `type`, `timestamp` and `data` do not change over retries."
//
// Reading: a delay may count from the start or the end of the failed attempt (open point delay-origin); the sink fails
// at once, so both are the same here. The lower end is exact, since neither a signature time nor a schedule may be early.

import fc from 'fast-check'
import { maxAttempts, retryDelaysMs, type RequirementId } from '../../spec/index.js'
import {
  instantOf,
  redirect,
  serviceCase,
  status,
  timingMark,
  type Answer,
  type Attempt,
  type Checks,
  type DeliveryItem,
  type Hook,
  type RaisedEvent,
  type Scene,
} from '../../harness/authoring.js'

/** Seconds an attempt may be late in virtual time: whole seconds are signed, and the failed attempt took a moment. */
const lateSeconds = 2
/** Milliseconds by which arrivals measured here may fall short of a delay that was kept. */
const measuredShortMs = 250
/** Seconds by which a record may lag behind a signature: the attempt it speaks of took as long as the machine was busy. */
const busySeconds = 15
/** Milliseconds from now on in which a time is not yet one to come. */
const toComeMs = 2_000
/** Milliseconds by which a count may come after its time. */
const lateToCountMs = 500
const day = 24 * 3_600_000
const names = ['', '', '5-seconds', '5-minutes', '30-minutes', '2-hours', '5-hours', '10-hours']

export const retries = [
  serviceCase({
    id: 'service/retries/second-attempt-after-5-seconds',
    requirements: ['RTY-001', 'RTY-002', 'SIG-005', 'RTY-013'],
    level: 'must',
    title: 'the second attempt is made 5 seconds after the first, no earlier, with the same id and a later timestamp',
    needs: ['sink', 'event:message.received', 'time:5000'],
    isResumable: true,
    async run({ scene: open, check, require }) {
      const scene = await open()
      const hook = await scene.project.hook({ eventTypes: ['message.received'], answers: [status(500), status(200)] })
      const elapsed = stopwatch()
      const event = await scene.project.raise('message.received')
      const first = await hook.attempt(1, event, require.of('RTY-001'))
      if (scene.time === 'virtual') await scene.settle()
      const tookSeconds = elapsed()
      await advanceTo(scene, first, 3_000)
      check
        .of('RTY-002')
        .equal(
          `attempts 3 seconds after the first ${timingMark}`,
          attemptsBy(scene, hook, event, { previous: first, afterMs: 3_000, dueMs: delayMs(2) }),
          1,
        )
      await advanceTo(scene, first, 7_000 + tookSeconds * 1000)
      const second = await hook.attempt(2, event, require.of('RTY-002'))
      expectGap(check.of('RTY-002'), scene, first, second, 2, tookSeconds)
      check
        .of('SIG-005')
        .between('webhook-timestamp of the second attempt', second.signedAt, first.signedAt + 5, first.signedAt + 60)
      check
        .of('RTY-013')
        .equal('webhook-id of the second attempt', second.header('webhook-id'), first.header('webhook-id'))
    },
  }),

  ...[3, 4, 5, 6, 7].map((number) =>
    serviceCase({
      id: `service/retries/attempt-${number}-after-${names[number] ?? ''}`,
      requirements: [requirementOfAttempt(number)],
      level: 'must',
      title: `attempt ${number} is made ${(names[number] ?? '').replace('-', ' ')} after attempt ${number - 1}, no earlier`,
      needs: ['sink', 'event:message.received', `time:${waitUntil(number)}`],
      timeoutMs: waitUntil(number) + 120_000,
      isResumable: true,
      async run({ scene: open, check, require }) {
        const scene = await open()
        const hook = await scene.project.hook({ eventTypes: ['message.received'], answers: [status(500)] })
        const event = await scene.project.raise('message.received')
        const { previous, tookSeconds } = await untilAttempt(scene, hook, event, number - 1)
        await advanceTo(scene, previous, delayMs(number) - 4_000)
        check.equal(
          `attempts shortly before attempt ${number} is due ${timingMark}`,
          attemptsBy(scene, hook, event, { previous, afterMs: delayMs(number) - 4_000, dueMs: delayMs(number) }),
          number - 1,
        )
        await advanceTo(scene, previous, delayMs(number) + 2_000 + tookSeconds * 1000)
        expectGap(check, scene, previous, await hook.attempt(number, event, require), number, tookSeconds)
      },
    }),
  ),

  serviceCase({
    id: 'service/retries/ends-after-seven-attempts',
    requirements: ['RTY-008', 'RTY-009', 'RTY-010', 'RTY-013', 'RTY-014', 'DLV-017', 'DLV-020'],
    level: 'must',
    title:
      'what the list says agrees with what was sent at each of seven attempts; then the delivery is failed, and there is no eighth',
    needs: ['sink', 'event:message.received', 'clock'],
    async run({ scene: open, check }) {
      const scene = await open()
      const hook = await scene.project.hook({
        eventTypes: ['message.received'],
        answers: [status(500, { body: 'no' })],
        suffix: '?token=a1',
      })
      const event = await scene.project.raise('message.received')
      const first = await hook.attempt(1, event)
      for (let number = 1; number < maxAttempts; number++) {
        await scene.settle()
        const attempt = await hook.attempt(number, event)
        const delivery = await hook.deliveryWhen((each) => each.attempt === number && each.response_code === 500)
        check.of('RTY-010').equal(`status after attempt ${number}`, delivery.status, 'pending')
        check.of('DLV-017').equal(`attempt after attempt ${number}`, delivery.attempt, number)
        check.of('DLV-018').equal(`response_code after attempt ${number}`, delivery.response_code, 500)
        const dueIn = instantOf(delivery.next_attempt_at) / 1000 - attempt.signedAt
        const delay = delayMs(number + 1) / 1000
        check
          .of('RTY-010')
          .between(`seconds from attempt ${number} to its next_attempt_at`, dueIn, delay - 1, delay + busySeconds)
        await scene.advance(Math.max(0, instantOf(delivery.next_attempt_at) - scene.now()) + 1_000)
        const next = await hook.attempt(number + 1, event, check.of(requirementOfAttempt(number + 1)))
        check
          .of('DLV-020')
          .between(
            `seconds from next_attempt_at to attempt ${number + 1}`,
            next.signedAt - instantOf(delivery.next_attempt_at) / 1000,
            -1,
            lateSeconds,
          )
        check
          .of('RTY-013')
          .equal(`webhook-id of attempt ${number + 1}`, next.header('webhook-id'), first.header('webhook-id'))
        check.of('DLV-001').equal(`target of attempt ${number + 1}`, next.path, first.path)
        for (const field of ['id', 'type', 'timestamp', 'data'])
          check.of('RTY-014').equal(`${field} of attempt ${number + 1}`, next.field(field), first.field(field))
      }
      await scene.settle()
      const last = await hook.deliveryWhen((each) => each.status === 'failed')
      check.of('RTY-009').equal('status after the last attempt', last.status, 'failed')
      check.of('DLV-017').equal('attempt after the last attempt', last.attempt, maxAttempts)
      expectNoneToCome(check.of('DLV-020'), scene, last)
      await scene.advance(3 * day)
      check.of('RTY-008').equal('attempts in all', hook.attempts(event).length, maxAttempts)
      check.of('RTY-009').equal('status three days later', (await hook.delivery()).status, 'failed')
    },
  }),

  ...[2, 4, 7].map((number) =>
    serviceCase({
      id: `service/retries/succeeds-at-attempt-${number}`,
      requirements: ['RTY-011', 'DLV-020'],
      level: 'must',
      title: `a 2xx at attempt ${number} makes the delivery succeeded, it is not attempted again, and no next attempt is told`,
      needs: ['sink', 'event:message.received', 'clock'],
      async run({ scene: open, check }) {
        const scene = await open()
        const bad = Array.from({ length: number - 2 }, () => status(503))
        const hook = await scene.project.hook({
          eventTypes: ['message.received'],
          answers: [status(500), ...bad, status(204)],
        })
        const event = await scene.project.raise('message.received')
        await untilAttempt(scene, hook, event, number)
        const delivery = await hook.deliveryWhen((each) => each.status === 'succeeded')
        check.equal('status', delivery.status, 'succeeded')
        check.equal('attempt', delivery.attempt, number)
        check.equal('response_code', delivery.response_code, 204)
        expectNoneToCome(check.of('DLV-020'), scene, delivery)
        await scene.advance(day)
        check.equal('attempts in all', hook.attempts(event).length, number)
      },
    }),
  ),

  serviceCase({
    id: 'service/retries/keeps-deliveries-apart',
    requirements: ['RTY-012', 'RTY-001'],
    level: 'must',
    title: 'a webhook that fails delays neither another webhook nor a later event of its own',
    needs: ['sink', 'clock', 'own-data'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const earlier = await project.hook()
      const bad = await project.hook({ answers: [status(500)] })
      const good = [earlier, await project.hook()]
      const first = await project.raise('message.received')
      await bad.attempt(1, first)
      for (const hook of good) await hook.attempt(1, first, require.of('RTY-001'))
      const second = await project.raise('message.received')
      for (const hook of good) await hook.attempt(1, second, require.of('RTY-001'))
      await bad.attempt(1, second, require.of('RTY-001'))
      await scene.advance(7_000)
      await bad.attempt(2, first)
      await bad.attempt(2, second)
      for (const hook of good)
        check.of('RTY-011').equal('attempts at a webhook that answers', hook.attempts().length, 2)
    },
  }),

  serviceCase({
    id: 'service/retries/keep-their-time-when-another-event-succeeds',
    requirements: ['RTY-012'],
    level: 'must',
    title: 'a retry that waits is neither hastened nor dropped when a later event to the same webhook succeeds',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ scene: open, check, require }) {
      const scene = await open()
      const { project } = scene
      const hook = await project.hook({ eventTypes: ['message.received'], answers: [status(500), status(200)] })
      const failed = await project.raise('message.received')
      const first = await hook.attempt(1, failed)
      await scene.settle()
      await hook.attempt(1, await project.raise('message.received'))
      await scene.settle()
      const again = hook.attempts(failed)
      await scene.advance(7_000)
      const second = await hook.attempt(2, failed, require.of('RTY-012'))
      const isEarly = again.length > 1 || second.signedAt - first.signedAt < delayMs(2) / 1000
      check.of('RTY-002').ok('second attempt', !isEarly, 'no less than 5 seconds after the first', 'earlier')
    },
  }),

  serviceCase({
    id: 'service/retries/follows-the-schedule-for-any-failures',
    requirements: ['RTY-008', 'RTY-009', 'RTY-011', 'RTY-012'],
    level: 'must',
    title:
      'for random sequences of answers the attempts stop at the first 2xx or after seven, and the status says which',
    needs: ['sink', 'clock', 'own-data'],
    timeoutMs: 240_000,
    async run({ scene: open, property }) {
      const answer = fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(400, 404, 410, 429, 500, 503).map((code): Answer => status(code)) },
        { weight: 1, arbitrary: fc.constant<Answer>(redirect('https://elsewhere.example/')) },
        { weight: 1, arbitrary: fc.constant<Answer>({ kind: 'reset' }) },
        { weight: 2, arbitrary: fc.constantFrom(200, 202, 204).map((code): Answer => status(code)) },
      )
      await property(
        fc.array(answer, { minLength: 7, maxLength: 7 }),
        async (answers, require) => {
          const scene = await open()
          const [first, ...rest] = answers
          const hook = await scene.project.hook({ answers: [first ?? status(500), ...rest] })
          const event = await scene.project.raise('message.received')
          const success = answers.findIndex((each) => each.kind === 'status' && each.status < 300)
          const expected = success < 0 ? maxAttempts : success + 1
          const ending = success < 0 ? 'failed' : 'succeeded'
          await untilAttempt(scene, hook, event, expected, require.of('RTY-012'))
          await scene.advance(day)
          require.of('RTY-008').equal('attempts in the end', hook.attempts(event).length, expected)
          require
            .of(success < 0 ? 'RTY-009' : 'RTY-011')
            .equal('status in the end', (await hook.deliveryWhen((each) => each.status === ending)).status, ending)
        },
        { runs: 6 },
      )
    },
  }),
]

function delayMs(number: number): number {
  return retryDelaysMs[number - 1] ?? 0
}

/** Time until attempt `number` was made, in milliseconds. */
function waitUntil(number: number): number {
  let sum = 0
  for (let each = 2; each <= number; each++) sum += delayMs(each) + 2_000
  return sum
}

function requirementOfAttempt(number: number): RequirementId {
  return (
    (['RTY-001', 'RTY-001', 'RTY-002', 'RTY-003', 'RTY-004', 'RTY-005', 'RTY-006', 'RTY-007'] as const)[number] ??
    'RTY-008'
  )
}

/** A delivery that has ended tells no retry that is still to come. The time of one that was made may stand there. */
function expectNoneToCome(check: Checks, scene: Scene, delivery: DeliveryItem): void {
  const told = delivery.next_attempt_at
  const isToCome = instantOf(told) > scene.now() + toComeMs
  check.ok(`next_attempt_at of a delivery that has ${delivery.status}`, !isToCome, 'no time to come', told)
}

/** Seconds since it was made; more than the attempt that ended meanwhile can have taken. */
function stopwatch(): () => number {
  const startedAt = performance.now()
  return () => (performance.now() - startedAt) / 1000
}

/**
 * Seconds on the workspace's clock from the signature of an attempt to now: the clock may move on to the end of an
 * advance while the attempt is answered, so that it ended later than a watch on the wall tells.
 */
function secondsSince(scene: Scene, attempt: Attempt): number {
  return scene.time === 'virtual' ? scene.now() / 1000 - attempt.signedAt : 0
}

/**
 * Lets time pass until attempt `number` was made and ended, step by step: an advance that ends shortly after an attempt
 * is due waits for its answer, however busy the machine is.
 */
async function untilAttempt(
  scene: Scene,
  hook: Hook,
  event: RaisedEvent,
  number: number,
  require?: Checks,
): Promise<{ previous: Attempt; tookSeconds: number }> {
  let elapsed = stopwatch()
  let previous = await hook.attempt(1, event, require)
  await scene.settle()
  let tookSeconds = elapsed()
  for (let each = 2; each <= number; each++) {
    elapsed = stopwatch()
    await advanceTo(scene, previous, delayMs(each) + 1_000 + tookSeconds * 1000)
    previous = await hook.attempt(each, event, require)
    await scene.settle()
    tookSeconds = Math.max(elapsed(), secondsSince(scene, previous))
  }
  return { previous, tookSeconds }
}

/**
 * How many attempts had been made `afterMs` after the previous one. In real time a resumed run asks later: the time of arrival tells.
 * In virtual time all that were made count, unless this machine was so busy that the next one, `dueMs` after it, is due by now.
 */
function attemptsBy(
  scene: Scene,
  hook: Hook,
  event: RaisedEvent,
  { previous, afterMs, dueMs }: { previous: Attempt; afterMs: number; dueMs: number },
): number {
  const attempts = hook.attempts(event)
  if (scene.time === 'real')
    return attempts.filter((each) => each.arrivedAt <= previous.arrivedAt + afterMs + lateToCountMs).length
  const isDue = scene.now() >= previous.signedAt * 1000 + dueMs
  return isDue ? attempts.filter((each) => each.signedAt <= previous.signedAt + afterMs / 1000).length : attempts.length
}

/** Lets time pass until `afterMs` milliseconds after an attempt. */
async function advanceTo(scene: Scene, attempt: Attempt, afterMs: number): Promise<void> {
  const [from, now] =
    scene.time === 'virtual' ? [attempt.signedAt * 1000, scene.now()] : [attempt.arrivedAt, Date.now()]
  await scene.advance(Math.max(0, Math.round(from + afterMs - now)))
}

/** The time between two attempts: by their signature times in virtual time, by arrival in real time. */
function expectGap(
  check: Checks,
  scene: Scene,
  earlier: Attempt,
  later: Attempt,
  number: number,
  tookSeconds: number,
): void {
  const delay = delayMs(number) / 1000
  const what = `seconds between attempts ${number - 1} and ${number}`
  if (scene.time === 'virtual')
    check.between(what, later.signedAt - earlier.signedAt, delay, delay + lateSeconds + tookSeconds)
  else
    check.between(
      `${what} ${timingMark}`,
      (later.arrivedAt - earlier.arrivedAt) / 1000,
      delay - measuredShortMs / 1000,
      delay * 1.1 + 10,
    )
}
