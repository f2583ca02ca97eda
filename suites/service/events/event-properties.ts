// SCOPE-001 to SCOPE-010  what each key and each webhook is shown.
// WHK-009  "The webhook `event_types` filter selects by `type`: the listed types are sent, others are not."
// POL-003, POL-005  what a page contains.
// EVT-013  "Webhooks limited to one inbox do not receive workspace events."
//
// Random events over random inboxes, keys, filters, cursors and limits, compared with a short model (shared/org-model.ts).

import fc from 'fast-check'
import { eventTypes, type EventType, type RequirementId } from '../../../spec/index.js'
import {
  asText,
  findExclusion,
  admits,
  isConnectionLimit,
  serviceCase,
  type Api,
  type Webhook,
  type Project,
  type Stream,
} from '../../../harness/authoring.js'
import { idsOf, listedEvents, readPage } from '../shared/event-log.js'
import {
  anyFilter,
  anyInbox,
  anyType,
  canMatch,
  idsFor,
  raiseFor,
  wholeOrg,
  type Limits,
  type ModelEvent,
} from '../shared/org-model.js'

const inboxes = 3

/** A webhook: who makes it, for which inbox, and with which filter. */
const anyWebhook = fc
  .record({
    maker: anyInbox(inboxes),
    requested: anyInbox(inboxes),
    types: anyFilter,
  })
  .filter(({ maker, requested, types }) => canMatch({ inbox: maker ?? requested, types }))
type WebhookPlan = typeof anyWebhook extends fc.Arbitrary<infer Plan> ? Plan : never

/** Returns the limits of a webhook. The key of an inbox gets a webhook for that inbox. It names no other one here, since the service may refuse that. */
function limitsOf({ maker, requested, types }: WebhookPlan): Limits {
  return { inbox: maker ?? requested, types }
}

function apiOf(project: Project, inbox: number | undefined): Api {
  return inbox === undefined ? project.api : project.inbox(inbox).api
}

async function makeWebhook(project: Project, plan: WebhookPlan): Promise<Webhook> {
  const { inbox, types } = limitsOf(plan)
  const inboxId = plan.maker === undefined && inbox !== undefined ? project.inbox(inbox).id : null
  return project.createWebhook({ api: apiOf(project, plan.maker), eventTypes: types, inboxId })
}

/** The ids in `seen` that belong to events of other inboxes. */
function unexpectedIds(key: number | undefined, events: readonly ModelEvent[], seen: readonly unknown[]): string[] {
  return events
    .filter((event) => seen.includes(event.id) && !admits({ inbox: key, types: [] }, event))
    .map(({ id }) => id)
}

function nameOf(inbox: number | undefined): string {
  return inbox === undefined ? 'the org' : `inbox ${inbox}`
}

/** The requirement that is broken when a webhook gets an event that its limits exclude. */
function requirementForUnexpected(plan: WebhookPlan, event: ModelEvent): RequirementId {
  const requirement = findExclusion(limitsOf(plan), event) ?? 'WHK-009'
  return requirement === 'SCOPE-005' && plan.maker !== undefined ? 'SCOPE-003' : requirement
}

/** The requirement that is broken when a webhook misses an event, or gets it twice. */
function requirementIfMissing({ maker, requested, types }: WebhookPlan): RequirementId {
  if (types.length > 0 && !types.includes('*')) return 'WHK-009'
  return maker === undefined && requested === undefined ? 'SCOPE-006' : 'SCOPE-005'
}

export const eventProperties = [
  serviceCase({
    id: 'service/event-properties/webhooks-get-what-they-are-limited-to',
    requirements: ['SCOPE-003', 'SCOPE-005', 'SCOPE-006', 'WHK-009', 'EVT-013', 'EVT-016'],
    dependsOn: ['EVT-014', 'DLV-002'],
    level: 'must',
    title: 'random events reach exactly the webhooks that the model expects',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, property }) {
      await property(
        fc.record({
          webhooks: fc.array(anyWebhook, { minLength: 1, maxLength: 4 }),
          events: fc.array(fc.record({ type: anyType, inbox: fc.nat(inboxes - 1) }), { minLength: 1, maxLength: 8 }),
        }),
        async (plan, require) => {
          const sandbox = await openSandbox({ inboxes })
          const { project } = sandbox
          const webhooks = await Promise.all(plan.webhooks.map((webhook) => makeWebhook(project, webhook)))
          const witness = await project.createWebhook()
          const events: ModelEvent[] = []
          for (const { type, inbox } of plan.events) events.push(await raiseFor(project, type, inbox))
          const sentTo = (webhook: Webhook) => webhook.attempts().map((attempt) => asText(attempt.field('id')))
          const arrived = async (webhook: Webhook, expected: readonly string[]) =>
            webhook.endpoint.until(() => sentTo(webhook).length >= expected.length, sandbox.budgetMs)
          const expectedBy = (index: number) => {
            const planned = plan.webhooks[index]
            return planned === undefined ? [] : idsFor(limitsOf(planned), events)
          }
          await Promise.all([
            arrived(witness, idsFor(wholeOrg, events)),
            ...webhooks.map((webhook, index) => arrived(webhook, expectedBy(index))),
          ])
          await sandbox.settle()
          for (const [index, webhook] of webhooks.entries()) {
            const planned = plan.webhooks[index]
            if (planned === undefined) continue
            const what = `a webhook of ${nameOf(limitsOf(planned).inbox)} for ${JSON.stringify(planned.types)}`
            for (const event of events.filter((one) => !admits(limitsOf(planned), one)))
              require
                .of(requirementForUnexpected(planned, event))
                .ok(
                  `${event.type} of ${nameOf(event.inbox ?? undefined)} at ${what}`,
                  !sentTo(webhook).includes(event.id),
                  'absent',
                  'sent',
                )
            require
              .of(requirementIfMissing(planned))
              .equal(`events at ${what}`, sentTo(webhook).sort(), idsFor(limitsOf(planned), events).sort())
          }
        },
        { runs: 6 },
      )
    },
  }),

  serviceCase({
    id: 'service/event-properties/streams-show-what-their-keys-see',
    requirements: ['SCOPE-002', 'SCOPE-009', 'SCOPE-010', 'STR-005', 'STR-007'],
    level: 'must',
    title: 'random streams, live or resumed, show exactly the events of the model',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, property }) {
      const event = fc.record({ type: anyType, inbox: fc.nat(inboxes - 1) })
      await property(
        fc.record({
          before: fc.array(event, { minLength: 1, maxLength: 5 }),
          streams: fc.array(fc.record({ key: anyInbox(inboxes), after: fc.option(fc.nat(4), { nil: undefined }) }), {
            minLength: 1,
            maxLength: 4,
          }),
          later: fc.array(event, { maxLength: 4 }),
        }),
        async (plan, require) => {
          const sandbox = await openSandbox({ inboxes })
          const { project } = sandbox
          const witness = await project.stream().opened(require.of('STR-001'))
          const events: ModelEvent[] = []
          const raise = async (planned: (typeof plan.before)[number]) => {
            events.push(await raiseFor(project, planned.type, planned.inbox))
          }
          for (const planned of plan.before) await raise(planned)
          await witness.until(() => witness.frames.length >= events.length, sandbox.budgetMs)
          const streams: { stream: Stream; key: number | undefined; from: number }[] = []
          for (const { key, after } of plan.streams) {
            const from = after === undefined ? events.length : (after % events.length) + 1
            const resume = after === undefined ? {} : { after: events[from - 1]?.id ?? '' }
            const stream = project.stream({ api: apiOf(project, key), ...resume })
            const opening = await stream.opening
            const hasOne = key === undefined || streams.length > 0
            // The service does not publish its limit: the streams that it accepts are enough.
            if (hasOne && isConnectionLimit(opening)) continue
            await stream.opened(require.of('STR-001'))
            if (streams.length > 1 && (await stream.isTurnedAway())) continue
            streams.push({ stream, key, from })
          }
          for (const planned of plan.later) await raise(planned)
          for (const inbox of [0, 1, 2]) await raise({ type: 'message.received', inbox })
          const expectedBy = (key: number | undefined, from: number) =>
            idsFor({ inbox: key, types: [] }, events.slice(from))
          await Promise.all(
            streams.map(({ stream, key, from }) =>
              stream.until(() => stream.ids.includes(expectedBy(key, from).at(-1)), sandbox.budgetMs),
            ),
          )
          for (const { stream, key, from } of streams) {
            const expected = expectedBy(key, from)
            const isResumed = from < plan.before.length
            const unexpected = unexpectedIds(key, events, stream.ids)
            const what = `a stream of a key of ${nameOf(key)} from event ${from + 1} of ${events.length}`
            require
              .of(isResumed ? 'SCOPE-010' : 'SCOPE-002')
              .equal(`events of other inboxes on ${what}`, unexpected, [])
            const requirement = isResumed ? 'STR-005' : key === undefined ? 'SCOPE-009' : 'SCOPE-002'
            require.of(requirement).equal(`frames of ${what}`, stream.ids, expected)
          }
          for (const stream of [witness, ...streams.map((reader) => reader.stream)]) stream.close()
        },
        { runs: 6 },
      )
    },
  }),

  serviceCase({
    id: 'service/event-properties/pages-hold-what-their-keys-see',
    requirements: ['SCOPE-001', 'SCOPE-008', 'SCOPE-010', 'POL-003', 'POL-005'],
    level: 'must',
    title: 'random pages of random keys contain exactly the events of the model',
    needs: ['workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, property }) {
      const sandbox = await openSandbox({ inboxes })
      const { project } = sandbox
      const events: ModelEvent[] = []
      for (const type of Object.keys(eventTypes) as EventType[])
        for (const inbox of eventTypes[type] === 'workspace' ? [0] : [0, 1, 2])
          events.push(await raiseFor(project, type, inbox))
      // Different keys may be served from different replicas: wait until each sees all its events.
      for (const key of [undefined, ...Array(inboxes).keys()])
        await listedEvents(sandbox, apiOf(project, key), idsFor({ inbox: key, types: [] }, events))
      await property(
        fc.record({
          key: anyInbox(inboxes),
          after: fc.option(fc.nat(events.length - 1), { nil: undefined }),
          limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
        }),
        async ({ key, after, limit }, require) => {
          const cursor = after === undefined ? undefined : events[after]?.id
          const ids = idsOf(await readPage(apiOf(project, key), { after: cursor, limit }))
          const isResumed = after !== undefined
          const what = `a page of a key of ${nameOf(key)}`
          const unexpected = unexpectedIds(key, events, ids)
          require.of(isResumed ? 'SCOPE-010' : 'SCOPE-001').equal(`events of other inboxes on ${what}`, unexpected, [])
          const following = events.slice(isResumed ? after + 1 : 0)
          const expected = idsFor({ inbox: key, types: [] }, following).slice(0, limit ?? 50)
          const requirement = isResumed ? 'POL-003' : key === undefined ? 'SCOPE-008' : 'SCOPE-001'
          require.of(requirement).equal(`ids of ${what}`, ids, expected)
        },
        { runs: 20 },
      )
    },
  }),
]
