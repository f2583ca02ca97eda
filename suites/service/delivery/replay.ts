// RPL-001  "`POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay` answers `202`."
// RPL-003  "The replay is a new delivery with its own id, next to the original."
// RPL-004  "`replay_of` of the new delivery is the id of the original delivery."
// RPL-005  "A delivery in any state can be replayed: succeeded, failed and pending."
// RPL-007  "A replayed delivery carries the same `webhook-id` (the event id) and is signed at the time of its own attempt."

// DLV-009, DLV-010  redirects are not followed and count as failures: of a replay too.
// RPL-008  "A replayed delivery is a delivery like any other: when its attempt fails it is retried on the schedule."

import { maxAttempts, retryDelaysMs } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  instantOf,
  redirect,
  serviceCase,
  status,
  type Answer,
  type Attempt,
  type DeliveryItem,
  type ServiceContext,
  type Webhook,
} from '../../../harness/authoring.js'
import { redirects } from '../shared/redirects.js'

const day = 24 * 3_600_000
/** After the URL of an endpoint: where only a redirect leads. */
const followed = '/followed'

/**
 * The states, and the time after which a delivery is in each: a pending one has made its second attempt and has five minutes until the
 * next, so that it does not change meanwhile, however slow the target is.
 */
const states: readonly (readonly [state: 'succeeded' | 'failed' | 'pending', answer: Answer, aheadMs: number])[] = [
  ['succeeded', status(200), 0],
  ['failed', status(500), day],
  ['pending', status(500), 7_000],
]

/** The only delivery once its first attempt is recorded. */
async function originalOf(webhook: Webhook, state?: string) {
  return webhook.deliveryWhen((delivery) =>
    state === undefined ? delivery.status !== 'pending' : delivery.status === state,
  )
}

/** Whether a delivery is the replay of `original`, and its attempt is recorded. */
function isEnded(delivery: DeliveryItem, original: DeliveryItem): boolean {
  return delivery.id !== original.id && delivery.status !== 'pending'
}

/** A failure of another kind at each attempt of a replay. */
const failing: readonly [Answer, ...Answer[]] = [
  status(500, { body: 'of the first attempt' }),
  { kind: 'reset' },
  status(410, { body: 'of the third attempt' }),
  status(503, { headers: { 'retry-after': '1' } }),
  { kind: 'garbage' },
  status(302, { headers: { location: 'https://127.0.0.1:1/' } }),
  status(409),
]
/** The same at other attempts, and no answer at the last. */
const failingOtherwise: typeof failing = [status(404), ...failing.slice(6), ...failing.slice(0, 5)]

function expectedRecord(answer: Answer | undefined) {
  if (answer?.kind !== 'status') return {}
  return { code: answer.status, snippet: typeof answer.body === 'string' ? answer.body : '' }
}

/** Checks that the attempts of one delivery carry the same event to the same url, each signed at a time of its own. */
function expectEqual(check: ServiceContext['check'], [first, ...others]: readonly Attempt[]): void {
  let signedAt = first?.signedAt ?? 0
  for (const [index, attempt] of others.entries()) {
    const what = `attempt ${index + 2} of the replay`
    for (const field of ['id', 'type', 'timestamp', 'data'])
      check.of('RTY-014').equal(`${field} of ${what}`, attempt.field(field), first?.field(field))
    check.of('DLV-001').equal(`target of ${what}`, attempt.path, first?.path)
    const least = (retryDelaysMs[index + 1] ?? 0) / 2_000
    check
      .of('SIG-005')
      .between(
        `seconds from the webhook-timestamp before to that of ${what}`,
        attempt.signedAt - signedAt,
        least,
        Infinity,
      )
    signedAt = attempt.signedAt
  }
}

/** Attempts of one event by then, all but the first of a replay: more than a developer tries by hand. */
const oftenReplayed = 8

export const replay = [
  serviceCase({
    id: 'service/replay/sends-the-same-event-again',
    requirements: ['RPL-001', 'RPL-002', 'RPL-003', 'RPL-004', 'RPL-006', 'RPL-007', 'DLV-001'],
    decides: ['RPL-001', 'RPL-002', 'RPL-003', 'RPL-004', 'RPL-006', 'RPL-007'],
    level: 'must',
    title: 'every replay gets a 202 and sends the event at once as a new delivery',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'], suffix: '/?token=a1' })
      const event = await sandbox.project.raise('message.received')
      const first = await webhook.attempt(1, event)
      await sandbox.settle()
      const listed = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
      const answer = await sandbox.project.api.replayDelivery(webhook.id, asText(listed.id))
      check.of('RPL-001').status(answer, [202])
      const second = await webhook.attempt(2, event, require.of('RPL-002'))
      check.of('RPL-007').equal('webhook-id of the replay', second.header('webhook-id'), first.header('webhook-id'))
      check.of('DLV-001').equal('target of the replay', second.path, first.path)
      for (const field of ['id', 'type', 'timestamp', 'data'])
        check.of('RPL-002').equal(`${field} of the replay`, second.field(field), first.field(field))
      await sandbox.settle()
      const deliveries = await webhook.deliveriesListed(2)
      check.of('RPL-003').equal('deliveries after the replay', deliveries.length, 2)
      const made = deliveries.find((delivery) => delivery.id !== listed.id)
      check.of('RPL-004').equal('replay_of of the new delivery', made?.replay_of, listed.id)
      const original = deliveries.find((delivery) => delivery.id === listed.id)
      check
        .of('RPL-006')
        .ok(
          'replay_of of the original',
          original?.replay_of === null || original?.replay_of === undefined,
          'nothing',
          original?.replay_of,
        )
      check.of('RPL-006').equal('status of the original', original?.status, 'succeeded')
      check.of('RPL-006').equal('attempt of the original', original?.attempt, 1)
      const again = await sandbox.project.api.replayDelivery(webhook.id, asText(made?.id))
      check.of('RPL-001').status(again, [202])
      await webhook.attempt(3, event, check.of('RPL-002'))
      for (let attempts = 4; attempts <= oftenReplayed; attempts++) {
        const { id } = attempts % 2 === 0 ? listed : { id: made?.id }
        const more = await sandbox.project.api.replayDelivery(webhook.id, asText(id))
        if (more.status !== 202) break // The interface shows no limit for replays.
        await webhook.attempt(attempts, event, check.of('RPL-002'))
      }
    },
  }),

  serviceCase({
    id: 'service/replay/follows-no-redirect',
    requirements: ['DLV-009', 'DLV-010'],
    level: 'must',
    title: 'a redirect of a replay is a failure, and is not followed',
    needs: ['sink', 'clock', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const elsewhere = await project.createWebhook({ eventTypes: ['message.complained'] })
      const webhooks = await project.createWebhooks(
        redirects.map((code) => ({
          eventTypes: ['message.received'],
          answers: [status(200), redirect(`${elsewhere.endpoint.url}${followed}`, code), status(200)] as const,
        })),
        { atLeast: 1 },
      )
      const event = await project.raise('message.received')
      for (const [index, webhook] of webhooks.entries()) {
        if (webhook === undefined) continue
        const what = `a replay that was answered with ${redirects[index]}`
        await webhook.attempt(1, event)
        const original = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
        require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(original.id)), [202])
        await webhook.attempt(2, event, require.of('RPL-002'))
        await sandbox.settle()
        const isReplay = (delivery: DeliveryItem) => delivery.id !== original.id && Number(delivery.response_code) > 0
        const made = (await webhook.deliveriesWhen((all) => all.some(isReplay))).find(isReplay)
        // The clock runs on: against a slow target the second attempt, which is answered with 200, may be recorded already.
        if (webhook.attempts(event).length === 2)
          check.of('DLV-010').equal(`status of ${what}`, made?.status, 'pending')
        const { attempts, others } = elsewhere.endpoint
        const strayed = [...attempts, ...others].filter(({ path }) => path.endsWith(followed))
        check.of('DLV-009').equal(`requests that followed the redirect of ${what}`, strayed.length, 0)
      }
    },
  }),

  ...states.map(([state, answer, aheadMs]) =>
    serviceCase({
      id: `service/replay/replays-a-${state}-delivery`,
      requirements: [
        'RPL-005',
        'RPL-006',
        'RPL-007',
        'RPL-002',
        ...(state === 'failed' ? (['DLV-004', 'DLV-017'] as const) : []),
      ],
      dependsOn: ['DLV-016', 'EVT-014', 'DLV-002', 'DLV-003'],
      level: 'must',
      title: `a ${state} delivery can be replayed and stays ${state}; the replay is signed anew`,
      needs: ['sink', 'clock', 'own-data'],
      async run({ openSandbox, check, require }) {
        const sandbox = await openSandbox()
        const webhook = await sandbox.project.createWebhook({ answers: [answer] })
        const event = await sandbox.project.raise('message.received')
        const first = await webhook.attempt(1, event)
        await sandbox.settle()
        if (aheadMs > 0) await sandbox.advance(aheadMs)
        await sandbox.settle()
        // An arrived attempt may not be recorded yet, and an earlier record changes by itself.
        const attempts = () => webhook.attempts(event).length
        await webhook.deliveryWhen((delivery) => delivery.status === state && delivery.attempt === attempts())
        const original = await originalOf(webhook, state)
        require.equal('status of the original', original.status, state)
        const before = attempts()
        if (state === 'failed') webhook.endpoint.script({ kind: 'hang' }, status(200))
        else webhook.endpoint.script(status(200))
        require.of('RPL-005').status(await sandbox.project.api.replayDelivery(webhook.id, asText(original.id)), [202])
        const attempt = await webhook.attempt(before + 1, event, require)
        if (state === 'failed') {
          const underWay = (await webhook.deliveriesListed(2)).find((delivery) => delivery.id !== original.id)
          attempt.answer(status(200))
          check.of('DLV-004').equal('status of the replay under way', underWay?.status ?? 'pending', 'pending')
          // Its first attempt is under way: how that is counted is open (attempt-before-the-first), but not from those of the original.
          const isCountedAnew = !(Number(underWay?.attempt) > 2)
          check.of('DLV-017').ok('attempt of the replay under way', isCountedAnew, '1', underWay?.attempt)
        }
        await sandbox.settle()
        const others = webhook.attempts().map((attempt) => attempt.field('id'))
        check.of('RPL-002').equal('attempts of another event', others.filter((id) => id !== event.id).length, 0)
        const earliest = first.signedAt + (state === 'failed' ? 60_000 : 0)
        check
          .of('RPL-007')
          .between('webhook-timestamp of the replay', attempt.signedAt, earliest, Math.ceil(sandbox.now() / 1000) + 5)
        const listed = await webhook.deliveriesWhen((all) => all.some((delivery) => isEnded(delivery, original)))
        const made = listed.find((delivery) => delivery.id !== original.id)
        check.equal('status of the replay', made?.status, 'succeeded')
        const after = listed.find((delivery) => delivery.id === original.id)
        await sandbox.settle()
        // On a slow machine the retry of a pending original falls due meanwhile, in real time, and may reach no endpoint.
        const isDue = sandbox.clockAt(Date.now()).latest >= instantOf(original.next_attempt_at)
        if (isDue || attempts() > before + 1 || original.attempt !== before) return
        check.of('RPL-006').equal('status of the original after the replay', after?.status, state)
        check.of('RPL-006').equal('attempt of the original after the replay', after?.attempt, original.attempt)
      },
    }),
  ),

  serviceCase({
    id: 'service/replay/is-retried-like-any-delivery',
    requirements: ['RPL-008'],
    decides: ['RPL-008'],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: 'a replay whose attempt fails is attempted again after 5 seconds',
    needs: ['sink', 'time:5000', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const answers = [status(200), status(500), status(200)] as const
      const webhook = await sandbox.project.createWebhook({ eventTypes: ['message.received'], answers })
      const event = await sandbox.project.raise('message.received')
      await webhook.attempt(1, event)
      await sandbox.settle()
      const original = await originalOf(webhook)
      const isIt = (delivery: DeliveryItem) => delivery.replay_of === original.id
      const watch = await webhook.watchRetries(
        async () =>
          require
            .of('RPL-001')
            .status(await sandbox.project.api.replayDelivery(webhook.id, asText(original.id)), [202]),
        { event, isIt },
      )
      await watch.first(require.of('RPL-002'))
      await watch.next(check, require, 5_000)
      const made = await watch.delivery(({ status }) => status === 'succeeded')
      check.equal('status of the replay', made.status, 'succeeded')
      check.equal('attempt of the replay', made.attempt, 2)
    },
  }),

  serviceCase({
    id: 'service/replay/is-retried-whoever-asks',
    requirements: ['RPL-008', 'RPL-001'],
    dependsOn: ['DLV-016'],
    level: 'must',
    title: "a replay requested by an inbox key has the same retries as an org key's",
    needs: ['sink', 'time:5000', 'inboxes', 'event:message.received'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const own = project.inbox(0)
      const last = sandbox.time === 'virtual' ? maxAttempts : 2
      const answers = [status(200), ...Array.from({ length: last - 1 }, () => status(500)), status(200)] as const
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], api: own.api, answers })
      const event = await project.raise('message.received', { inbox: own })
      await webhook.attempt(1, event)
      await sandbox.settle()
      const original = await originalOf(webhook)
      let answer: number | undefined
      const watch = await webhook.watchRetries(
        async () => {
          const replayed = await own.api.replayDelivery(webhook.id, asText(original.id))
          answer = replayed.status
          // What such a key may do with webhooks is open (open point scoped-key-rights).
          if (answer !== undefined && answer >= 400 && answer < 500)
            skip(`needs a service that lets the key of an inbox replay; it answered ${answer}`)
          check.of('RPL-001').status(replayed, [202])
        },
        { event, isIt: (delivery) => delivery.replay_of === original.id },
      )
      await watch.first(require.of('RPL-002'))
      for (let number = 2; number <= last; number++)
        await watch.next(check.of('RPL-008'), require.of('RPL-008'), retryDelaysMs[number - 1] ?? 0)
      const made = await watch.delivery(({ status }) => status === 'succeeded')
      check.of('RPL-008').equal('status of the replay', made.status, 'succeeded')
    },
  }),

  ...states
    .filter(([state]) => state !== 'pending')
    .map(([state, answer, aheadMs]) =>
      serviceCase({
        id: `service/replay/keeps-the-schedule-for-a-${state}-delivery`,
        requirements: ['RPL-008', 'RTY-014', 'SIG-005', 'DLV-004'],
        dependsOn: ['DLV-016', 'DLV-003', ...delaysBefore(7)],
        level: 'must',
        title: `the replay of a delivery that ${state} has seven attempts on schedule, then fails`,
        needs: ['sink', 'clock', 'own-data'],
        async run({ openSandbox, check, require }) {
          const sandbox = await openSandbox()
          const webhook = await sandbox.project.createWebhook({ answers: [answer] })
          const event = await sandbox.project.raise('message.received')
          await webhook.attempt(1, event)
          await sandbox.settle()
          if (aheadMs > 0) await sandbox.advance(aheadMs)
          const original = await originalOf(webhook, state)
          require.equal('status of the original', original.status, state)
          const answers = state === 'failed' ? failingOtherwise : failing
          webhook.endpoint.script(...answers)
          const watch = await webhook.watchRetries(
            async () =>
              require
                .of('RPL-001')
                .status(await sandbox.project.api.replayDelivery(webhook.id, asText(original.id)), [202]),
            { event, isIt: (delivery) => delivery.replay_of === original.id },
          )
          const expectRecordAfter = (number: number) =>
            watch.expectRecord((id) => check.of(id === 'RTY-010' ? 'RPL-008' : id), expectedRecord(answers[number - 1]))
          await watch.first(require.of('RPL-002'))
          for (let number = 2; number <= maxAttempts; number++) {
            await expectRecordAfter(number - 1)
            await watch.next(require.of('RPL-008'), require.of('RPL-008'), retryDelaysMs[number - 1] ?? 0)
          }
          await expectRecordAfter(maxAttempts)
          const ended = await watch.delivery(({ status }) => status === 'failed')
          check.of('RPL-008').equal('status of the replay after its last attempt', ended.status, 'failed')
          expectEqual(check, watch.attempts)
          await sandbox.advance(2 * day)
          check.of('RPL-008').equal('attempts of the replay in all', watch.count, maxAttempts)
          await webhook.attempt(1, await sandbox.project.raise('message.received'), check.of('DLV-004'))
        },
      }),
    ),
]
