// DLV-023  "A delivery is created for one event: the list of a webhook shows one delivery for each event that matched it."
// RTY-011, RTY-012  one attempt is made when it is due, and none after a success.
// RPL-003  "The replay is a new delivery with its own id, next to the original."
//
// Deliveries are never doubled where things happen at once: two moves of the clock, a move and a replay, two replays, many
// webhooks whose retries are due together. How far two moves at once go together is not stated; they are so short that
// one retry falls due by either reading.

import { eventTypes, maxAttempts, retryDelaysMs, type EventType } from '../../../spec/index.js'
import {
  asText,
  attemptRequirement,
  serviceCase,
  status,
  TooBusy,
  type Attempt,
  type Checks,
  type DeliveryItem,
} from '../../../harness/authoring.js'
import { idsOf, listedEvents, raiseSideBySide } from '../shared/event-log.js'
import { oddData } from '../shared/odd-data.js'

/** Concurrent replays, as after an outage of the consumer. */
const manyReplays = 24
/** Retries due together: more than a service that sends one at a time finishes before it next checks for due ones. */
const manyWebhooks = 12
/**
 * Events, of every type, at each of two webhooks whose retries a jump goes over: together more than a sweep of a hundred takes.
 * No more, since each attempt has half a second of real time while the clock is moved, which a slow target may need for a few
 * of them.
 */
const jumped: readonly EventType[] = [...(Object.keys(eventTypes) as EventType[]), 'message.received']
/**
 * From this pause among the attempts of a jump on, one of them may have been abandoned before it arrived, in milliseconds: the clock
 * continues after half a second of real time. One that was never made delays no other.
 */
const cutOffMs = 400
/** Time for the attempts themselves, which a delay may count from the end of, in milliseconds. */
const jumpMarginMs = 600_000

export const onceOnly = [
  serviceCase({
    id: 'service/once-only/retries-once-when-the-clock-is-moved-twice-at-once',
    requirements: ['RTY-012', 'DLV-023'],
    level: 'must',
    title: 'concurrent clock advances make each due retry once',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const made = await project.createWebhooks(
        Array.from({ length: manyWebhooks }, () => ({ answers: [status(500), status(200)] as const })),
        { atLeast: 2 },
      )
      const webhooks = made.filter((webhook) => webhook !== undefined)
      const event = await project.raise('message.received')
      for (const webhook of webhooks) await webhook.attempt(1, event, require.of('RTY-001'))
      await sandbox.settle()
      // Past the retries and not past their time to answer: an attempt that a busy machine takes its time for is not cut off.
      await Promise.all([sandbox.advance(2_500), sandbox.advance(2_500), sandbox.advance(2_500)])
      for (const webhook of webhooks) await webhook.attempt(2, event, require.of('RTY-012'))
      await sandbox.advance(60_000)
      for (const [index, webhook] of webhooks.entries()) {
        const what = `webhook ${index + 1} of ${webhooks.length}`
        check.of('RTY-012').equal(`attempts at ${what}`, webhook.attempts(event).length, 2)
        const delivery = await webhook.deliveryWhen(({ status }) => status === 'succeeded')
        check.of('DLV-017').equal(`attempt of the delivery of ${what}`, delivery.attempt, 2)
      }
    },
  }),

  serviceCase({
    id: 'service/once-only/replays-beside-a-retry',
    requirements: ['RPL-002', 'RPL-003', 'RTY-012'],
    level: 'must',
    title: 'a replay during a due retry is one attempt, and the retry another',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ answers: [status(500), status(200)] })
      const event = await project.raise('message.received')
      await webhook.attempt(1, event, require.of('RTY-001'))
      await sandbox.settle()
      const original = await webhook.deliveryWhen(
        ({ status, response_code }) => status === 'pending' && response_code === 500,
      )
      const [, answer] = await Promise.all([
        sandbox.advance(6_000),
        project.api.replayDelivery(webhook.id, asText(original.id)),
      ])
      require.of('RPL-001').status(answer, [202])
      await webhook.attempt(3, event, require.of('RPL-002'), { dependsOn: 'RTY-002' })
      await sandbox.advance(60_000)
      check.of('RPL-003').equal('attempts of the event', webhook.attempts(event).length, 3)
      const deliveries = await webhook.deliveriesWhen((all) => all.length >= 2 && all.every(isSucceeded))
      check.of('RPL-003').equal('deliveries listed', deliveries.length, 2)
      check.of('RTY-012').ok(
        'both of them succeeded',
        deliveries.every(isSucceeded),
        'succeeded',
        deliveries.map((delivery) => delivery.status),
      )
    },
  }),

  serviceCase({
    id: 'service/once-only/replays-each-time-it-is-asked',
    requirements: ['RPL-002', 'RPL-003', 'RPL-004'],
    level: 'must',
    title: 'three concurrent replays of one delivery are three deliveries of that original',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const event = await project.raise('message.received')
      await webhook.attempt(1, event, require.of('RTY-001'))
      const original = await webhook.deliveryWhen(isSucceeded)
      const answers = await Promise.all(
        [1, 2, 3].map(() => project.api.replayDelivery(webhook.id, asText(original.id))),
      )
      for (const answer of answers) require.of('RPL-001').status(answer, [202])
      await webhook.attempt(4, event, require.of('RPL-002'))
      await sandbox.settle()
      check.of('RPL-003').equal('attempts of the event', webhook.attempts(event).length, 4)
      const deliveries = await webhook.deliveriesListed(4)
      check.of('RPL-003').equal('different deliveries listed', new Set(deliveries.map(({ id }) => id)).size, 4)
      const named = deliveries.filter((delivery) => delivery.replay_of === original.id)
      check.of('RPL-004').equal('deliveries that name the original', named.length, 3)
    },
  }),

  serviceCase({
    id: 'service/once-only/replays-many-at-once',
    requirements: ['RPL-002', 'RPL-004'],
    level: 'must',
    title: `of ${manyReplays} concurrent replays each is sent once and names its own original`,
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const raised = await raiseSideBySide(project, manyReplays, 8)
      const sent = () => webhook.attempts().map((attempt) => asText(attempt.field('id')))
      const isSent = await webhook.endpoint.until(() => sent().length >= raised.length, sandbox.budgetMs)
      require.of('DLV-004').ok('first attempts', isSent, `${raised.length}`, sent().length)
      const originals = (
        await webhook.deliveriesWhen((all) => all.length >= raised.length && all.every(isSucceeded), { limit: 100 })
      ).map(({ id }) => asText(id))
      const answers = await Promise.all(originals.map((id) => project.api.replayDelivery(webhook.id, id)))
      const refused = answers.find(({ status: code = 0 }) => code >= 400 && code < 500)
      if (refused !== undefined)
        return skip(`needs a service that accepts ${manyReplays} replays at once: it answered ${refused.status}`)
      for (const answer of answers) require.of('RPL-001').status(answer, [202])
      await webhook.endpoint.until(() => sent().length >= 2 * raised.length, sandbox.budgetMs)
      await sandbox.settle()
      check.equal('events sent, each and its replay', sent().sort(), [...raised, ...raised].sort())
      const all = await webhook.deliveriesWhen((list) => list.length >= 2 * raised.length && list.every(isSucceeded), {
        limit: 100,
      })
      const named = all.flatMap(({ replay_of: of }) => (of === undefined || of === null ? [] : [asText(of)]))
      check.of('RPL-004').equal('deliveries that replays name', named.sort(), originals.toSorted())
    },
  }),

  serviceCase({
    id: 'service/once-only/sends-what-is-raised-side-by-side-once',
    requirements: ['DLV-023', 'WHK-021'],
    dependsOn: ['EVT-014', 'DLV-002'],
    level: 'must',
    title: 'sixty concurrent events are each sent once to each of two webhooks',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhooks = [await project.createWebhook(), await project.createWebhook()]
      const raised = await raiseSideBySide(project, 60, 10)
      const whole = idsOf(await listedEvents(sandbox, project.api, raised))
        .map(String)
        .sort()
      await sandbox.settle()
      for (const webhook of webhooks) {
        await webhook.endpoint.until(() => webhook.attempts().length >= raised.length, sandbox.budgetMs)
        const sent = webhook.attempts().map((attempt) => asText(attempt.field('id')))
        require.of('WHK-021').equal('events sent to a webhook', new Set(sent).size, raised.length)
        check.of('DLV-023').equal('events sent, against the list', sent.sort(), whole)
        check.of('DLV-023').equal('deliveries listed', (await webhook.deliveriesListed(60, { limit: 100 })).length, 60)
      }
    },
  }),

  serviceCase({
    id: 'service/once-only/makes-every-retry-over-one-jump',
    requirements: ['RTY-008', 'RTY-009', 'RTY-012', 'RTY-014', 'SIG-005'],
    dependsOn: ['EVT-014', 'DLV-002'],
    level: 'must',
    title: 'a clock jump over all retries still makes seven signed attempts, a delay apart',
    needs: ['sink', 'clock', 'own-data', 'inboxes'],
    timeoutMs: 240_000,
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const ofOrg = await project.createWebhook({ answers: [status(500)] })
      const ofInbox = await project.createWebhook({ inboxId: project.inbox().id, answers: [status(503)] })
      const options = () => ({ inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() })
      const events = await Promise.all(
        jumped.map((type, index) =>
          // A type raised twice has odd data at first, and usual data then.
          project.raise(type, jumped.indexOf(type) === index ? { data: oddData(type, options()) } : {}),
        ),
      )
      const webhooks = [
        { webhook: ofOrg, raised: events.map(({ id }) => id) },
        { webhook: ofInbox, raised: events.flatMap(({ id, type }) => (eventTypes[type] === 'workspace' ? [] : [id])) },
      ]
      for (const { webhook, raised } of webhooks) {
        const isSent = await webhook.endpoint.until(() => webhook.attempts().length >= raised.length, sandbox.budgetMs)
        require.of('RTY-001').ok('first attempts', isSent, `${raised.length}`, webhook.attempts().length)
      }
      await sandbox.settle()
      const jumpedAt = Date.now()
      await sandbox.advance(retryDelaysMs.reduce<number>((sum, delayMs) => sum + delayMs, 0) + jumpMarginMs)
      for (const { webhook, raised } of webhooks) {
        await webhook.endpoint.until(() => webhook.attempts().length >= raised.length * maxAttempts, sandbox.budgetMs)
        const times = raised.map((id) =>
          webhook.attempts().flatMap((attempt) => (attempt.field('id') === id ? [attempt.signedAt] : [])),
        )
        const counts = [...new Set(times.map(({ length }) => length))]
        const pauseMs = longestPause(
          webhooks.flatMap(({ webhook }) => webhook.attempts()),
          jumpedAt,
        )
        if (counts.some((count) => count < maxAttempts) && pauseMs >= cutOffMs)
          throw new TooBusy(`an attempt did not arrive within its half second of the advance (${pauseMs} ms)`)
        check.of('RTY-012').equal('attempts that an event has', counts, [maxAttempts])
        const early = times.flatMap((instants) =>
          instants.flatMap((at, index) =>
            at - (instants[index - 1] ?? -Infinity) < leastGap(index) ? [index + 1] : [],
          ),
        )
        check
          .of('SIG-005')
          .dependingOn(...new Set(early.map(attemptRequirement)))
          .equal('numbers of attempts signed less than their delay after the one before', early, [])
        for (const id of raised)
          expectEqual(
            check,
            webhook.attempts().filter((attempt) => attempt.field('id') === id),
          )
        const isFailed = (delivery: DeliveryItem) => delivery.status === 'failed'
        const all = await webhook.deliveriesWhen((list) => list.length >= raised.length && list.every(isFailed))
        check.of('RTY-009').equal('deliveries that are failed in the end', all.filter(isFailed).length, raised.length)
      }
    },
  }),
]

/** Checks that each attempt of an event carries what the first did. */
function expectEqual(check: Checks, [first, ...others]: readonly Attempt[]): void {
  for (const [index, attempt] of others.entries())
    for (const field of ['type', 'timestamp', 'data']) {
      const what = `${field} of attempt ${index + 2} of ${asText(first?.field('type'))}`
      check.of('RTY-014').equal(what, attempt.field(field), first?.field(field))
    }
}

/** Returns the longest pause between the attempts after an instant of `Date.now()`, in milliseconds. */
function longestPause(attempts: readonly Attempt[], after: number): number {
  const times = attempts.map(({ arrivedAt }) => arrivedAt).filter((at) => at > after)
  const ordered = times.toSorted((one, other) => one - other)
  return Math.max(0, ...ordered.slice(1).map((at, index) => at - (ordered[index] ?? at)))
}

/** Seconds from one attempt to the next, of which whole seconds may swallow one. */
function leastGap(index: number): number {
  return (retryDelaysMs[index] ?? 0) / 1_000 - 1
}

function isSucceeded(delivery: DeliveryItem): boolean {
  return delivery.status === 'succeeded'
}
