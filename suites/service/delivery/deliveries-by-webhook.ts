// DLV-004, RTY-012  the first attempt of an event, and a retry that falls due, are made.
// DLV-023  each event makes one delivery at each webhook that subscribes to it.
// SIG-006  each is signed with the secret of its own webhook.

import { retryDelaysMs, type RequirementId } from '../../../spec/index.js'
import {
  asText,
  delaysBefore,
  memberOf,
  serviceCase,
  status,
  type Attempt,
  type Project,
  type RaisedEvent,
  type Sandbox,
  type ServiceContext,
  type Webhook,
} from '../../../harness/authoring.js'
import { itemOf, webhookList } from '../shared/webhook-list.js'

/** Webhooks for one event: more than the fifty that a sender may read at a time. */
const manyWebhooks = 52
/** Time in which a sender with concurrent attempts makes another one, in milliseconds. */
const concurrentMs = 2_000
const day = 24 * 3_600_000
/** Milliseconds after an attempt is due in which it has been made. */
const overDueMs = 2_000
/** Deliveries that fail for good, a hundred attempts over days: as much as a sender that gives a webhook up waits for. */
const failedForGood = 15
const daysOfFailure = 6

export const deliveriesByWebhook = [
  serviceCase({
    id: 'service/deliveries/one-for-each-of-many-webhooks',
    requirements: ['WHK-021', 'DLV-004'],
    level: 'must',
    title: `an event that ${manyWebhooks} webhooks list is sent to each`,
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const made = await project.createWebhooks(
        Array.from({ length: manyWebhooks }, () => ({ eventTypes: ['message.received'] })),
        { atLeast: 2 },
      )
      const webhooks = made.filter((webhook) => webhook !== undefined)
      const event = await project.raise('message.received')
      const isSent = (webhook: Webhook) => webhook.attempts(event).length > 0
      await Promise.all(webhooks.map((webhook) => webhook.endpoint.until(() => isSent(webhook), sandbox.budgetMs)))
      check.equal(
        `webhooks of ${webhooks.length} to which the event was sent`,
        webhooks.filter(isSent).length,
        webhooks.length,
      )
    },
  }),

  serviceCase({
    id: 'service/deliveries/lose-nothing-to-one-under-way',
    requirements: ['DLV-004', 'RTY-012'],
    level: 'must',
    title: 'retries and new events are attempted although another answer is slow',
    needs: ['sink', 'clock', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const answers = [status(500), { kind: 'hang' }, status(200)] as const
      const [first, second] = [
        await project.createWebhook({ eventTypes: ['message.received', 'message.bounced'], answers }),
        await project.createWebhook({ eventTypes: ['message.received', 'message.complained'], answers }),
      ]
      const earlier = await project.raise('message.received')
      for (const webhook of [first, second]) await webhook.attempt(1, earlier)
      await sandbox.settle()
      const held = await first.heldAttempt(await project.raise('message.bounced'))
      const moved = sandbox.advance(6_000)
      moved.catch(() => undefined) // Awaited below, unless the case ends before.
      // A service may make one attempt at a time (open point delivery-order): the waiting ones are made then.
      await first.endpoint.arrives(() => first.attempts(earlier).length > 1, concurrentMs)
      held.answer(status(200))
      const retry = await second.heldAttempt(earlier, 2)
      const later = await project.raise('message.complained')
      await second.endpoint.arrives(() => second.attempts(later).length > 0, concurrentMs)
      retry.answer(status(200))
      await moved
      await sandbox.settle()
      await first.attempt(2, earlier, check.of('RTY-012'))
      await second.attempt(1, later, check.of('DLV-004'))
    },
  }),

  serviceCase({
    id: 'service/deliveries/one-delivery-for-each-webhook-and-event',
    requirements: ['DLV-023', 'WHK-021', 'SIG-006'],
    level: 'must',
    title: "three webhooks and two events make six deliveries, each signed by its webhook's secret",
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhooks = [
        await project.createWebhook(),
        await project.createWebhook(),
        await project.createWebhook({ eventTypes: ['message.received'] }),
      ]
      const events = [await project.raise('message.received'), await project.raise('message.received')]
      await sandbox.settle()
      for (const webhook of webhooks) {
        for (const event of events) await webhook.attempt(1, event)
        check.of('WHK-021').equal('attempts at each endpoint', webhook.attempts().length, 2)
        check.of('DLV-023').equal('deliveries listed for each webhook', (await webhook.deliveriesListed(2)).length, 2)
      }
    },
  }),

  serviceCase({
    id: 'service/deliveries/webhooks-on-one-url-are-two',
    requirements: ['DLV-023', 'SIG-006', 'RTY-012', 'WHK-015'],
    dependsOn: ['WHK-018', 'DLV-003', ...delaysBefore(3)],
    level: 'must',
    title: 'two webhooks on one url are refused or have separate secrets and deliveries',
    needs: ['sink', 'clock', 'own-data'],
    async run(context) {
      const { openSandbox, check, require } = context
      const sandbox = await openSandbox()
      const { project } = sandbox
      if (!(await takesUrlTwice(context, project))) return
      const first = await project.createWebhook({ answers: [status(500)] })
      const earlier = await project.raise('message.received')
      await first.attempt(1, earlier)
      const second = await project.createWebhook({ sameUrlAs: first })
      const event = await project.raise('message.received')
      await first.endpoint.until(
        () => [first, second].every((webhook) => signedBy(webhook, event).length > 0),
        sandbox.budgetMs,
      )
      await sandbox.settle()
      for (const [index, webhook] of [first, second].entries()) {
        const expected = webhook === first ? 2 : 1
        const listed = await webhook.deliveriesListed(expected)
        check.of('DLV-023').equal(`deliveries listed for webhook ${index + 1} of 2`, listed.length, expected)
        const isSigned = signedBy(webhook, event).length > 0
        check
          .of('SIG-006')
          .ok(`an attempt signed with the secret of webhook ${index + 1} of 2`, isSigned, 'one', 'none')
      }
      await sandbox.advance(retryDelaysMs[1] + overDueMs)
      const sent = () => first.attempts(event).length
      await first.endpoint.until(() => sent() > 3, sandbox.budgetMs)
      require.of('RTY-012').ok('attempts at the url once both were retried', sent() > 3, '4', sent())
      for (const [index, webhook] of [first, second].entries()) {
        const what = `attempts signed with the secret of webhook ${index + 1} of 2, once both were retried`
        check.of('SIG-006').equal(what, signedBy(webhook, event).length, 2)
      }
      const retries = signedBy(first, earlier).length - 1
      check
        .of('RTY-012')
        .ok('retry of the delivery that failed before the second webhook was made', retries > 0, 'made', retries)
      await first.delete()
      await sandbox.settle()
      const before = signedBy(first, event).length
      await sandbox.advance(retryDelaysMs[2] + overDueMs)
      await second.endpoint.until(() => signedBy(second, event).length > 2, sandbox.budgetMs)
      check
        .of('WHK-015')
        .equal('retries of the first webhook once it was deleted', signedBy(first, event).length, before)
      check.of('RTY-012').ok('retry of the second webhook', signedBy(second, event).length > 2, 'made', 'none')
    },
  }),

  serviceCase({
    id: 'service/deliveries/tell-urls-apart-by-their-query',
    requirements: ['DLV-004', 'DLV-023'],
    level: 'must',
    title: 'two webhooks whose urls differ only in the query each get the event once',
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, skip }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const eventTypes = ['message.received']
      const first = await project.createWebhook({ eventTypes, suffix: '?of=first' })
      const [, second] = await project.createWebhooks(
        [{ eventTypes }, { eventTypes, suffix: '?of=second', sameUrlAs: first }],
        {
          atLeast: 1,
        },
      )
      if (second === undefined) return skip('needs a service that accepts a second webhook on a url with another query')
      const event = await project.raise('message.received')
      const queries = ['?of=first', '?of=second']
      const sentTo = (query: string) => first.attempts(event).filter(({ path }) => path.endsWith(query)).length
      await first.endpoint.until(() => queries.every((query) => sentTo(query) > 0), sandbox.budgetMs)
      await sandbox.settle()
      for (const query of queries)
        check
          .of(sentTo(query) === 0 ? 'DLV-004' : 'DLV-023')
          .equal(`attempts at the url with ${query}`, sentTo(query), 1)
    },
  }),

  serviceCase({
    id: 'service/deliveries/webhooks-on-one-url-keep-to-what-each-asked-for',
    requirements: ['WHK-009', 'SCOPE-005', 'DLV-004', 'WHK-011', 'WHK-014', 'RPL-002'],
    dependsOn: ['WHK-018', 'DLV-003', 'DLV-012'],
    level: 'must',
    title: 'webhooks on one url keep their own types, inbox, secret and deliveries',
    needs: ['sink', 'own-data', 'inboxes'],
    async run(context) {
      const { openSandbox, check } = context
      const sandbox = await openSandbox()
      const { project } = sandbox
      if (!(await takesUrlTwice(context, project))) return
      const [inbox, other] = [project.inbox(0), project.inbox(1)]
      const first = await project.createWebhook({ eventTypes: ['message.received'] })
      const made = [
        { name: 'the webhook for one type', webhook: first, types: ['message.received'], inboxId: null },
        ...(await Promise.all(
          [
            { name: 'the webhook for another type', types: ['message.bounced'], inboxId: null },
            { name: 'the webhook of one inbox', types: ['message.received', 'message.bounced'], inboxId: inbox.id },
          ].map(async (hook) => {
            const limit = hook.inboxId === null ? {} : { inboxId: hook.inboxId }
            const options = { eventTypes: hook.types, ...limit, sameUrlAs: first }
            return { ...hook, webhook: await project.createWebhook(options) }
          }),
        )),
      ]
      const left = new Set(made)
      const checkDeliveries = async (when: string) => {
        const raised: { readonly event: RaisedEvent; readonly of: string }[] = []
        for (const type of ['message.received', 'message.bounced'] as const)
          for (const of of [inbox, other]) raised.push({ event: await project.raise(type, { inbox: of }), of: of.id })
        const isExpected = ({ types, inboxId }: (typeof made)[number], { event, of }: (typeof raised)[number]) =>
          types.includes(event.type) && (inboxId === null || inboxId === of)
        const count = [...left].flatMap((hook) => raised.filter((one) => isExpected(hook, one))).length
        const sent = () => raised.flatMap(({ event }) => first.attempts(event)).length
        await first.endpoint.until(() => sent() >= count, sandbox.budgetMs)
        await sandbox.settle()
        for (const hook of made)
          for (const one of raised) {
            const expected = left.has(hook) && isExpected(hook, one) ? 1 : 0
            const where = one.of === inbox.id ? 'its inbox' : 'another inbox'
            const what = `${one.event.type} of ${where} at ${hook.name}${when}`
            const requirement = expected === 1 ? 'DLV-004' : requirementOf(hook, one, left.has(hook))
            check.of(requirement).equal(what, signedBy(hook.webhook, one.event).length, expected)
          }
      }
      await checkDeliveries('')
      await checkReplay(context, { sandbox, webhooks: made.map(({ webhook }) => webhook) })
      const checkListed = async (when: string) => {
        const hasAll = (items: readonly unknown[]) =>
          [...left].every((hook) => itemOf(items, hook.webhook.id) !== undefined)
        const { items, isPart } = await webhookList(sandbox, project.api, hasAll)
        if (isPart) return
        for (const { name, webhook, types } of left) {
          const item = itemOf(items, webhook.id)
          check.of('WHK-011').ok(`${name} in the list${when}`, item !== undefined, 'listed', 'absent')
          const reported = memberOf(item, 'event_types')
          if (Array.isArray(reported))
            check
              .of('WHK-011')
              .equal(`event_types of ${name} in the list${when}`, reported.map(asText).sort(), types.toSorted())
        }
      }
      await checkListed('')
      for (const hook of made.slice(0, 2)) {
        await hook.webhook.delete()
        left.delete(hook)
        await checkDeliveries(`, once ${hook.name} was deleted`)
        await checkListed(`, once ${hook.name} was deleted`)
      }
    },
  }),

  serviceCase({
    id: 'service/deliveries/go-on-after-one-has-failed',
    requirements: ['DLV-004', 'DLV-023'],
    dependsOn: ['DLV-016', 'DLV-012'],
    level: 'must',
    title: `a webhook with ${failedForGood} failed deliveries over ${daysOfFailure} days still gets the next event`,
    needs: ['sink', 'clock', 'event:message.received'],
    timeoutMs: 240_000,
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'], answers: [status(500)] })
      for (let count = 1; count <= failedForGood; count++) {
        await webhook.attempt(1, await project.raise('message.received'))
        if (count !== failedForGood - 1) continue
        // Retry by retry: each attempt may take half a second of real time while the clock is moved, too much for one move.
        for (const delayMs of retryDelaysMs) await sandbox.advance(delayMs + 1_000)
        await sandbox.advance(daysOfFailure * day)
      }
      await sandbox.settle()
      await sandbox.advance(2 * day)
      const given = await webhook.deliveriesWhen(
        (all) => all.length >= failedForGood && all.every(({ status }) => status === 'failed'),
      )
      const states = given.map((delivery) => delivery.status)
      require.of('RTY-009').equal('statuses two days later', states, Array(failedForGood).fill('failed'))
      webhook.endpoint.script(status(200))
      await webhook.attempt(1, await project.raise('message.received'), require.of('DLV-004'))
      await sandbox.settle()
      const listed = await webhook.deliveriesWhen((all) => all.length > failedForGood && all[0]?.status === 'succeeded')
      const statuses = listed.map((delivery) => delivery.status)
      check.of('DLV-004').equal('statuses of the deliveries', statuses, ['succeeded', ...states])
    },
  }),
]

/** Replays a delivery of the first of webhooks on one url, and holds that it alone sends it again. */
async function checkReplay(
  { check, require }: ServiceContext,
  { sandbox, webhooks }: { readonly sandbox: Sandbox; readonly webhooks: readonly Webhook[] },
): Promise<void> {
  const [first] = webhooks
  if (first === undefined) return
  const { project } = sandbox
  const event = await project.raise('message.received', { inbox: project.inbox(0) })
  const counts = () => webhooks.map((webhook) => signedBy(webhook, event).length)
  await first.endpoint.until(() => counts().filter((count) => count > 0).length >= 2, sandbox.budgetMs)
  await sandbox.settle()
  const before = counts()
  // Two of the events before were its own, too; the newest delivery is that of this one.
  const [{ id } = { id: '' }] = await first.deliveriesListed(3)
  require.of('RPL-001').status(await project.api.replayDelivery(first.id, asText(id)), [202])
  await first.endpoint.until(
    () => first.attempts(event).length > before.reduce((sum, count) => sum + count, 0),
    sandbox.budgetMs,
  )
  await sandbox.settle()
  const more = counts().map((count, index) => count - (before[index] ?? 0))
  check
    .of('RPL-002')
    .equal('attempts that a replay made at each webhook of the url', more, [1, ...more.slice(1).map(() => 0)])
}

/** Returns the sentence that a webhook violates by getting an unexpected event. */
function requirementOf(
  { types }: { readonly types: readonly string[] },
  { event }: { readonly event: RaisedEvent },
  isLeft: boolean,
): RequirementId {
  if (!isLeft) return 'WHK-014'
  return types.includes(event.type) ? 'SCOPE-005' : 'WHK-009'
}

/** Whether the service takes a second webhook on one url (open point same-url). */
async function takesUrlTwice({ require, publicUrl }: ServiceContext, { api }: Project): Promise<boolean> {
  const fields = { url: publicUrl('twice/'), event_types: ['message.complained'] }
  const first = await api.createWebhook(fields)
  require.of('WHK-001').status(first, '2xx')
  const second = await api.createWebhook(fields)
  for (const made of [first, second])
    if (made.field('id') !== undefined) await api.deleteWebhook(asText(made.field('id')))
  const { status: answer = 0 } = second
  return answer < 400 || answer >= 500
}

/** The attempts of `event` signed with the secret of one of the webhooks that lead to the endpoint. */
function signedBy(webhook: Webhook, event: RaisedEvent): Attempt[] {
  return webhook.attempts(event).filter((attempt) => webhook.hasSigned(attempt))
}
