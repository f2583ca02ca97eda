// The steps of random programs, each with what it does to the model and what it then expects of the org.

import fc from 'fast-check'
import { eventTypes, type EventType, type RequirementId } from '../../../spec/index.js'
import {
  asText,
  findExclusion,
  admits,
  isConnectionLimit,
  status,
  type Api,
  type Checks,
  type DeliveryItem,
  type Webhook,
  type Sandbox,
  type Stream,
} from '../../../harness/authoring.js'
import { idsOf, listedEvents, readPage } from './event-log.js'
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
} from './org-model.js'

const inboxes = 2
const twoDaysMs = 2 * 24 * 3_600_000
const maxWebhooks = 4
const maxStreams = 4

interface ModelDelivery {
  readonly event: ModelEvent
  /** Index of the delivery it replays. */
  readonly replayOf: number | undefined
  /** `either`: a retry may have happened meanwhile, given the time the program takes. */
  state: 'pending' | 'succeeded' | 'failed' | 'either'
}

interface ModelWebhook extends Limits {
  answers: 200 | 500
  isDeleted: boolean
  /** Attempts that had arrived when it was deleted. */
  attemptsAtDelete: number
  /** Oldest first. */
  readonly deliveries: ModelDelivery[]
}

interface ModelStream extends Limits {
  /** Index of the first event it shows. */
  readonly from: number
}

interface Model {
  readonly events: ModelEvent[]
  readonly webhooks: ModelWebhook[]
  readonly streams: ModelStream[]
}

interface Real {
  readonly sandbox: Sandbox
  /** Shows every event, so that one is known to have been published. */
  readonly witness: Stream
  readonly require: Checks
  readonly webhooks: Webhook[]
  readonly streams: Stream[]
}

export interface Program {
  readonly model: Model
  readonly real: Real
}

type Step = fc.AsyncCommand<Model, Real>

/** Makes a step with its text in a counterexample. `check` returns whether it makes sense now. */
function step(text: string, parts: { check?: (model: Readonly<Model>) => boolean; run: Step['run'] }): Step {
  return { check: parts.check ?? (() => true), run: parts.run, toString: () => text }
}

function apiOf({ sandbox }: Real, key: number | undefined): Api {
  return key === undefined ? sandbox.project.api : sandbox.project.inbox(key).api
}

function nameOf(inbox: number | undefined): string {
  return inbox === undefined ? 'org' : `inbox ${inbox}`
}

/** The webhook and its model at `index`, counted round. */
function webhookAt(model: Readonly<Model>, real: Real, index: number): readonly [ModelWebhook, Webhook] {
  const at = index % model.webhooks.length
  const [expected, webhook] = [model.webhooks[at], real.webhooks[at]]
  if (expected === undefined || webhook === undefined) throw new Error('a step without a webhook')
  return [expected, webhook]
}

/** What an attempt does to a delivery: the webhook answers at once. */
function attempted(delivery: ModelDelivery, answers: 200 | 500): void {
  delivery.state = answers === 200 ? 'succeeded' : 'pending'
}

const makeWebhook = (key: number | undefined, types: readonly string[], answers: 200 | 500) =>
  step(`MakeHook(by ${nameOf(key)}, ${JSON.stringify(types)}, answers ${answers})`, {
    check: (model) => model.webhooks.length < maxWebhooks && canMatch({ inbox: key, types }),
    async run(model, real) {
      real.webhooks.push(
        await real.sandbox.project.createWebhook({
          api: apiOf(real, key),
          eventTypes: types,
          answers: [status(answers)],
        }),
      )
      model.webhooks.push({ inbox: key, types, answers, isDeleted: false, attemptsAtDelete: 0, deliveries: [] })
    },
  })

const removeWebhook = (index: number) =>
  step(`DeleteHook(${index})`, {
    check: (model) => model.webhooks.some((webhook) => !webhook.isDeleted),
    async run(model, real) {
      const [expected, webhook] = webhookAt(model, real, index)
      if (expected.isDeleted) return
      await webhook.delete()
      await real.sandbox.settle()
      expected.isDeleted = true
      expected.attemptsAtDelete = webhook.attempts().length
    },
  })

const answerWith = (index: number, answers: 200 | 500) =>
  step(`AnswerWith(hook ${index}, ${answers})`, {
    check: (model) => model.webhooks.length > 0,
    async run(model, real) {
      const [expected, webhook] = webhookAt(model, real, index)
      webhook.endpoint.script(status(answers))
      expected.answers = answers
      if (answers === 200)
        for (const delivery of expected.deliveries)
          if (delivery.state === 'pending' && !expected.isDeleted) delivery.state = 'either'
    },
  })

const raise = (type: EventType, inbox: number) =>
  step(`Raise(${type}${eventTypes[type] === 'workspace' ? '' : `, inbox ${inbox}`})`, {
    async run(model, real) {
      const { sandbox, require } = real
      const event = await raiseFor(sandbox.project, type, inbox)
      model.events.push(event)
      for (const [index, expected] of model.webhooks.entries()) {
        if (expected.isDeleted || !admits(expected, event)) continue
        const [, webhook] = webhookAt(model, real, index)
        const isSent = await webhook.endpoint.until(
          () => webhook.attempts(asRaised(event)).length > 0,
          sandbox.budgetMs,
        )
        require.of('EVT-014').ok(`${type} at hook ${index}`, isSent, 'sent', 'nothing')
        const delivery: ModelDelivery = { event, replayOf: undefined, state: 'pending' }
        attempted(delivery, expected.answers)
        expected.deliveries.push(delivery)
      }
      await sandbox.settle()
    },
  })

const passTwoDays = () =>
  step('PassTwoDays()', {
    check: (model) => model.webhooks.some((webhook) => webhook.deliveries.length > 0),
    async run(model, real) {
      await real.sandbox.advance(twoDaysMs)
      for (const expected of model.webhooks.filter((webhook) => !webhook.isDeleted))
        for (const delivery of expected.deliveries)
          if (delivery.state === 'pending' || delivery.state === 'either')
            delivery.state = expected.answers === 200 ? 'succeeded' : delivery.state === 'pending' ? 'failed' : 'either'
      await lookAtWebhooks(model, real)
    },
  })

const replay = (index: number, which: number) =>
  step(`Replay(hook ${index}, delivery ${which})`, {
    check: (model) => model.webhooks.some((webhook) => !webhook.isDeleted && webhook.deliveries.length > 0),
    async run(model, real) {
      const { sandbox, require } = real
      const [expected, webhook] = webhookAt(model, real, index)
      if (expected.isDeleted || expected.deliveries.length === 0) return
      const original = which % expected.deliveries.length
      const event = expected.deliveries[original]?.event
      const list = (await webhook.deliveriesListed(expected.deliveries.length)).toReversed()
      const id = list[original]?.id
      if (event === undefined || typeof id !== 'string')
        return void require.of('DLV-023').fail(`delivery ${original} of hook ${index}`, 'listed', list.length)
      const before = webhook.attempts(asRaised(event)).length
      require.of('RPL-001').status(await apiOf(real, undefined).replayDelivery(webhook.id, id), '2xx')
      const isSent = await webhook.endpoint.until(
        () => webhook.attempts(asRaised(event)).length > before,
        sandbox.budgetMs,
      )
      require.of('RPL-002').ok(`replay of delivery ${original} of hook ${index}`, isSent, 'sent', 'nothing')
      const delivery: ModelDelivery = { event, replayOf: original, state: 'pending' }
      attempted(delivery, expected.answers)
      expected.deliveries.push(delivery)
      await sandbox.settle()
      await lookAtWebhooks(model, real)
    },
  })

const poll = (key: number | undefined, after: number | undefined, limit: number) =>
  step(`Poll(${nameOf(key)}, after ${after ?? 'nothing'}, limit ${limit})`, {
    async run(model, real) {
      await listedEvents(real.sandbox, apiOf(real, undefined), idsFor(wholeOrg, model.events))
      const from = after === undefined || model.events.length === 0 ? 0 : (after % model.events.length) + 1
      const cursor = model.events[from - 1]?.id
      const ids = idsOf(await readPage(apiOf(real, key), { after: cursor, limit }))
      const expectedIds = idsFor({ inbox: key, types: [] }, model.events.slice(from)).slice(0, limit)
      const requirement = key !== undefined ? 'SCOPE-001' : from > 0 ? 'POL-003' : 'POL-001'
      real.require.of(requirement).equal(`page of ${nameOf(key)} from event ${from}`, ids, expectedIds)
    },
  })

const openStream = (key: number | undefined, after: number | undefined) =>
  step(`OpenStream(${nameOf(key)}, after ${after ?? 'nothing'})`, {
    check: (model) => model.streams.length < maxStreams && (after === undefined || model.events.length > 0),
    async run(model, real) {
      const from = after === undefined ? model.events.length : (after % model.events.length) + 1
      const cursor = after === undefined ? {} : { after: model.events[from - 1]?.id ?? '' }
      await real.witness.until(() => real.witness.frames.length >= model.events.length, real.sandbox.budgetMs)
      const stream = real.sandbox.project.stream({ api: apiOf(real, key), ...cursor })
      // Quotas are not shown: where others are open, a program goes on without one more.
      const hasOne = key === undefined || model.streams.length > 0
      if (hasOne && isConnectionLimit(await stream.opening)) return
      if (model.streams.length > 1 && (await stream.isTurnedAway())) return
      real.streams.push(await stream.opened(real.require.of('STR-001')))
      model.streams.push({ inbox: key, types: [], from })
    },
  })

const readStreams = () =>
  step('ReadStreams()', {
    check: (model) => model.streams.length > 0,
    run: (model, real) => lookAtStreams(model, real),
  })

/** Returns the requirement that an unexpected event at a webhook violates. */
function requirementOfIntruder(webhook: ModelWebhook, event: ModelEvent): RequirementId {
  return findExclusion(webhook, event) ?? 'WHK-014'
}

/** Returns whether the list, oldest first, has caught up with the actions. */
function isAsExpected(list: readonly DeliveryItem[], { deliveries }: ModelWebhook): boolean {
  return deliveries.every(({ state }, at) => state === 'either' || list[at]?.status === state)
}

/** The delivery from which a chain of replays began. Open point `replay-of-a-replay`. */
function firstOf(deliveries: readonly ModelDelivery[], at: number): number {
  const before = deliveries[at]?.replayOf
  return before === undefined ? at : firstOf(deliveries, before)
}

/** Checks that every webhook has the deliveries and the attempts of the model. */
async function lookAtWebhooks(model: Readonly<Model>, real: Real): Promise<void> {
  const { require } = real
  for (const [index, expected] of model.webhooks.entries()) {
    const [, webhook] = webhookAt(model, real, index)
    const sent = webhook.attempts().map((attempt) => asText(attempt.field('id')))
    for (const event of model.events.filter(({ id }) => sent.includes(id))) {
      const isExpected = expected.deliveries.some((delivery) => delivery.event.id === event.id)
      require
        .of(requirementOfIntruder(expected, event))
        .ok(`${event.type} at hook ${index}`, isExpected, 'not sent', 'sent')
    }
    if (expected.isDeleted)
      require.of('WHK-015').equal(`attempts at hook ${index}, deleted`, sent.length, expected.attemptsAtDelete)
    const count = expected.deliveries.length
    const listed = expected.isDeleted
      ? await webhook.history(count)
      : await webhook.deliveriesWhen((all) => all.length >= count && isAsExpected(all.toReversed(), expected))
    if (listed === undefined) continue
    const list = listed.toReversed()
    require.of('DLV-023').equal(`deliveries of hook ${index}`, list.length, expected.deliveries.length)
    for (const [at, delivery] of expected.deliveries.entries()) {
      const item = list[at]
      const what = `delivery ${at} of hook ${index}`
      if (delivery.state === 'succeeded') require.of('RTY-011').equal(`status of ${what}`, item?.status, 'succeeded')
      if (delivery.state === 'failed') require.of('RTY-009').equal(`status of ${what}`, item?.status, 'failed')
      if (delivery.state === 'pending' && !expected.isDeleted)
        require.of('RTY-010').equal(`status of ${what}`, item?.status, 'pending')
      const replayOf = item?.replay_of ?? undefined
      const original = delivery.replayOf === undefined ? undefined : list[delivery.replayOf]?.id
      const first = list[firstOf(expected.deliveries, at)]?.id
      require
        .of('RPL-004')
        .equal(`replay_of of ${what}`, replayOf, replayOf === first && first !== item?.id ? first : original)
    }
  }
}

/** Checks that every stream has shown the events of the model, in order. */
async function lookAtStreams(model: Readonly<Model>, real: Real): Promise<void> {
  for (const [index, expected] of model.streams.entries()) {
    const stream = real.streams[index]
    const expectedIds = idsFor(expected, model.events.slice(expected.from))
    await stream?.until(() => stream.frames.length >= expectedIds.length, real.sandbox.budgetMs)
    const requirement = expected.inbox === undefined ? 'EVT-016' : 'SCOPE-002'
    real.require
      .of(requirement)
      .equal(`frames of stream ${index} (${nameOf(expected.inbox)})`, stream?.ids, expectedIds)
  }
}

/** An org in which nothing was done yet. */
export async function beginProgram(sandbox: Sandbox, require: Checks): Promise<Program> {
  const witness = await sandbox.project.stream().opened(require.of('STR-001'))
  return {
    model: { events: [], webhooks: [], streams: [] },
    real: { sandbox, witness, require, webhooks: [], streams: [] },
  }
}

/** Checks everything against the model once a program is over, with one event more, so that nothing is still on its way. */
export async function endProgram({ model, real }: Program): Promise<void> {
  await raise('message.received', 0).run(model, real)
  await raise('message.received', 1).run(model, real)
  await lookAtStreams(model, real)
  await lookAtWebhooks(model, real)
  const all = await listedEvents(real.sandbox, apiOf(real, undefined), idsFor(wholeOrg, model.events))
  real.require.of('EVT-016').equal('events of the org', idsOf(all), idsFor(wholeOrg, model.events))
  for (const stream of [real.witness, ...real.streams]) stream.close()
}

/** The event as a webhook knows it. */
function asRaised(event: ModelEvent) {
  return { id: event.id, type: event.type, data: {}, listedAfter: undefined }
}

const anyKey = anyInbox(inboxes)
const anyIndex = fc.nat(7)
const anyAnswer = fc.constantFrom<200 | 500>(200, 500)
const anyCursor = fc.option(anyIndex, { nil: undefined })

/** Any step; raising and creating webhooks are more frequent than the others. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(anyKey, anyFilter, anyAnswer).map((parts) => makeWebhook(...parts)) },
  { weight: 5, arbitrary: fc.tuple(anyType, fc.nat(inboxes - 1)).map((parts) => raise(...parts)) },
  { weight: 1, arbitrary: anyIndex.map(removeWebhook) },
  { weight: 2, arbitrary: fc.tuple(anyIndex, anyAnswer).map((parts) => answerWith(...parts)) },
  { weight: 2, arbitrary: fc.constant(null).map(passTwoDays) },
  { weight: 2, arbitrary: fc.tuple(anyIndex, anyIndex).map((parts) => replay(...parts)) },
  { weight: 2, arbitrary: fc.tuple(anyKey, anyCursor, fc.integer({ min: 1, max: 9 })).map((parts) => poll(...parts)) },
  { weight: 2, arbitrary: fc.tuple(anyKey, anyCursor).map((parts) => openStream(...parts)) },
  { weight: 1, arbitrary: fc.constant(null).map(readStreams) },
)
