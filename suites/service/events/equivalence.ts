// EVT-014  "The same events are available by webhook, WebSocket and `GET /v1/events`: same id, type and data."
// EVT-016  "The service records every change as an event: none is lost and none is recorded twice."
// STR-003  "A frame has the same body as a webhook delivery: `id`, `type`, `timestamp`, `data`."
//
// Reading: a retry and a replay send an event again by webhook; they are not a new event, so neither the list nor the stream shows them.

import fc from 'fast-check'
import { eventTypes, type EventType } from '../../../spec/index.js'
import { asText, memberOf, sampleData, serviceCase, type RaisedEvent } from '../../../harness/authoring.js'
import { anyPlainText, blanks, controls } from '../../shared/texts.js'
import {
  idsOf,
  listedEvents,
  raiseSideBySide,
  requireMembers,
  showsEvent,
  showsEvents,
  frameOf,
} from '../shared/event-log.js'
import { oddData } from '../shared/odd-data.js'

type Data = Readonly<Record<string, unknown>>

/** Without those that not every store can hold. */
const text = fc.oneof(
  { weight: 4, arbitrary: anyPlainText },
  { weight: 1, arbitrary: fc.constantFrom(...blanks, ...controls, 'x'.repeat(2_000)) },
)
/** Letters of a long text: more than a column of 255 or a reply line of 512 holds, fewer than a header line of 998. */
const longText = 900
/** Letters of a text that makes an event larger than a column of 65,535 bytes holds. */
const largeText = 72_000
/** Addresses in a long list. */
const longList = 50
const count = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }).map(rounded))

/** A decimal that every JSON library writes and reads alike. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** Fields of an event whose values are the service's or a stranger's words. */
const words: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  from: text,
  subject: text,
  to: fc.array(text, { minLength: 1, maxLength: 3 }),
  cc: fc.array(text, { maxLength: 2 }),
  recipient: text,
  response: text,
  bounce_classification: fc.option(text),
  reason: text,
  stats: fc.dictionary(fc.constantFrom('sent', 'bounced', 'complained', 'bounce_rate'), count, {
    minKeys: 1,
    noNullPrototype: true,
  }),
}

/**
 * Fields for which empty, null and absent mean the same (open points absent-cc, absent-bounce-classification and absent-inbox-and-thread).
 */
const leftOut: ReadonlySet<string> = new Set(['cc', 'bounce_classification', 'inbox_id', 'thread_id'])
const isNothing = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0)

/** Fields that are given a long text, a long list, or numbers that a narrow column does not hold. */
const lengthened = ['subject', 'response', 'reason', 'to', 'cc', 'stats']

/** Data of a type whose texts for people and lists of addresses are long, each with an end of its own in other letters than ASCII, and whose numbers are more than 32 bits hold, and less than a hundredth. */
function atLength(data: Data): Data {
  const long: Data = {
    ...Object.fromEntries(
      ['subject', 'response', 'reason'].map((name) => [name, `${'long '.repeat(longText / 5)}Grüße 件名 👩‍👩‍👧 ${name}`]),
    ),
    ...Object.fromEntries(['to', 'cc'].map((name) => [name, addresses(name)])),
    stats: { sent: 5_000_000_000, bounced: 125, bounce_rate: 0.0425 },
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, memberOf(long, name) ?? value]))
}

function addresses(name: string): readonly string[] {
  return Array.from({ length: longList }, (_, index) => `${name}-${index}@recipient.example`)
}

/** A type, and words for the fields its data may have. */
const plan = fc.record({
  type: fc.constantFrom(...(Object.keys(eventTypes) as EventType[])),
  words: fc.record(words),
})

export const equivalence = [
  serviceCase({
    id: 'service/equivalence/holds-for-any-data',
    requirements: ['EVT-014', 'STR-003'],
    level: 'must',
    title: 'random events are equal by webhook, stream and polling',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, property, require: requireNow, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const stream = await project.stream().opened(requireNow.of('STR-001'))
      await property(
        plan,
        async ({ type, words: answer }, require) => {
          const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
          const sample: Data = sampleData(type, options)
          const data = Object.fromEntries(
            Object.entries(sample).map(([name, value]) => [name, memberOf(answer, name) ?? value]),
          )
          const event = await project.raise(type, { data })
          const attempt = await webhook.attempt(1, event, require.of('EVT-014'))
          requireMembers(require, attempt)
          require
            .of('EVT-014')
            .ok(`${type} on the stream`, await showsEvent(stream, sandbox, event.id), 'one frame', 'none')
          const frame = stream.frames.find((frame) => frame.id === event.id)?.event
          const item = (await listedEvents(sandbox, project.api, [event.id])).find(
            (candidate) => memberOf(candidate, 'id') === event.id,
          )
          for (const [name, value] of Object.entries(data)) {
            const sent = memberOf(attempt.field('data'), name)
            if (isNothing(value) && isNothing(sent) && leftOut.has(name)) continue
            require.of('EVT-014').equal(`${name} of the ${type} that was sent`, sent, value)
          }
          for (const [where, one] of [
            ['the frame', frame],
            ['the list', item],
          ] as const)
            for (const field of ['id', 'type', 'data'])
              require.of('EVT-014').equal(`${field} in ${where}`, memberOf(one, field), attempt.field(field))
          require
            .of('STR-003')
            .equal('timestamp of the frame', memberOf(frame, 'timestamp'), attempt.field('timestamp'))
        },
        { runs: 12 },
      )
    },
  }),

  serviceCase({
    id: 'service/equivalence/holds-for-long-texts',
    requirements: ['EVT-014'],
    level: 'must',
    title: 'long texts, long lists and large numbers are equal on every channel',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const marker = await project.raise('message.received')
      const live = await project.stream().opened(require.of('STR-001'))
      const raised: RaisedEvent[] = []
      for (const type of Object.keys(eventTypes) as EventType[]) {
        const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
        raised.push(await project.raise(type, { data: atLength(sampleData(type, options)) }))
      }
      const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
      const data = { ...sampleData('message.queued', options), subject: `${'large '.repeat(largeText / 6)}Grüße` }
      // How large an event may be is not shown: one that is not taken is done without.
      const large = await project.raise('message.queued', { data }).catch(() => undefined)
      if (large !== undefined) raised.push(large)
      const resumed = await project.stream({ after: marker.id }).opened(require.of('STR-001'))
      const ids = raised.map(({ id }) => id)
      const items = await listedEvents(sandbox, project.api, ids, marker.id)
      for (const event of raised) {
        const attempt = await webhook.attempt(1, event, require)
        const isShown = (
          await Promise.all([live, resumed].map((stream) => showsEvent(stream, sandbox, event.id)))
        ).every(Boolean)
        require.ok(`${event.type} on a live stream and on one that resumed`, isShown, 'one frame', 'none')
        const seen = [
          ['the frame of a live stream', frameOf(live, event)],
          ['the frame of a stream that resumed', frameOf(resumed, event)],
          ['the list', items.find((candidate) => memberOf(candidate, 'id') === event.id)],
        ] as const
        for (const name of lengthened)
          for (const [where, one] of seen)
            check.equal(
              `${name} of ${event.type} in ${where}`,
              memberOf(memberOf(one, 'data'), name),
              memberOf(attempt.field('data'), name),
            )
      }
    },
  }),

  serviceCase({
    id: 'service/equivalence/holds-for-an-inbox',
    requirements: ['EVT-014', 'STR-003'],
    level: 'must',
    title: 'an inbox key and its webhook get the same event data as the org',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const own = project.inbox()
      const webhook = await project.createWebhook({ inboxId: own.id })
      const marker = await project.raise('message.received', { inbox: own })
      const live = await project.stream({ api: own.api }).opened(require.of('STR-001'))
      const raised: RaisedEvent[] = []
      for (const type of (Object.keys(eventTypes) as EventType[]).filter(
        (candidate) => eventTypes[candidate] !== 'workspace',
      )) {
        const options = () => ({ inboxId: own.id, workspaceId: sandbox.workspaceId, mark: unique() })
        for (const data of [oddData(type, options()), atLength(sampleData(type, options()))])
          raised.push(await project.raise(type, { data }))
      }
      const failed = {
        message_id: `msg_${unique()}`,
        inbox_id: own.id,
        thread_id: `thr_${unique()}`,
        reason: 'not accepted',
      }
      raised.push(await project.raise('message.failed', { data: failed }))
      const [resumed] = await project.streams([{ api: own.api, after: marker.id }], require.of('STR-001'), {
        otherStreams: 1,
      })
      const ids = raised.map(({ id }) => id)
      const ofOrg = await listedEvents(sandbox, project.api, ids, marker.id)
      const ofInbox = await listedEvents(sandbox, own.api, ids, marker.id)
      await Promise.all([live, resumed].map(async (stream) => stream && showsEvents(stream, sandbox, ids)))
      for (const event of raised) {
        const find = (events: readonly unknown[]) => events.find((candidate) => memberOf(candidate, 'id') === event.id)
        const attempt = await webhook.attempt(1, event, require)
        const data = memberOf(find(ofOrg), 'data')
        for (const [where, one] of [
          ['the list of the inbox', find(ofInbox)],
          ['a live stream of the inbox', frameOf(live, event)],
          ['a stream of the inbox that resumed', resumed === undefined ? { data } : frameOf(resumed, event)],
          ['a webhook of the inbox', { data: attempt.field('data') }],
        ] as const)
          check.equal(`data of ${event.type} in ${where}`, memberOf(one, 'data'), data)
      }
    },
  }),

  serviceCase({
    id: 'service/equivalence/holds-for-many-events-at-once',
    requirements: ['EVT-014', 'EVT-016'],
    dependsOn: ['DLV-002'],
    level: 'must',
    title: 'webhook, stream and list each contain every one of thirty concurrent events once',
    needs: ['sink', 'workspace', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const stream = await project.stream().opened(require.of('STR-001'))
      const raised = (await raiseSideBySide(project, 30)).sort()
      const sentIds = () => webhook.attempts().map((attempt) => asText(attempt.field('id')))
      const isSent = await webhook.endpoint.until(() => new Set(sentIds()).size >= raised.length, sandbox.budgetMs)
      await stream.until(() => new Set(stream.ids).size >= raised.length, sandbox.budgetMs)
      const events = await listedEvents(sandbox, project.api, raised)
      await sandbox.settle()
      check.of('EVT-016').equal('ids that were given to the raised events', new Set(raised).size, raised.length)
      check.of('EVT-014').ok('events at the webhook', isSent, `all ${raised.length}`, new Set(sentIds()).size)
      check.of('EVT-016').equal('events at the webhook', sentIds().sort(), raised)
      check.of('EVT-016').equal('events on the stream', [...stream.ids].sort(), raised)
      check.of('EVT-016').equal('events in the list', [...idsOf(events)].sort(), raised)
    },
  }),

  serviceCase({
    id: 'service/equivalence/events-that-are-alike-are-several',
    requirements: ['EVT-016', 'EVT-014', 'DLV-023'],
    level: 'must',
    title: 'events with equal or similar data are each sent, streamed and listed',
    needs: ['sink', 'workspace', 'own-data', 'inboxes'],
    async run({ openSandbox, check, require, unique }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook()
      const stream = await project.stream().opened(require.of('STR-001'))
      const raised: RaisedEvent[] = []
      for (const type of Object.keys(eventTypes) as EventType[]) {
        const options = { inboxId: project.inbox().id, workspaceId: sandbox.workspaceId, mark: unique() }
        const data = sampleData(type, options)
        for (const fields of [data, data, varied(data)]) raised.push(await project.raise(type, { data: fields }))
      }
      const ids = raised.map(({ id }) => id)
      check.of('EVT-016').equal('different ids of the events', new Set(ids).size, ids.length)
      await Promise.all(raised.map((event) => webhook.attempt(1, event, require.of('DLV-023'))))
      await stream.until(() => new Set(stream.ids).size >= ids.length, sandbox.budgetMs)
      const items = await listedEvents(sandbox, project.api, ids)
      check.of('EVT-016').equal('events on the stream', stream.ids, ids)
      check.of('EVT-016').equal('events in the list', idsOf(items), ids)
      check.of('DLV-023').equal('attempts at the webhook', webhook.attempts().length, ids.length)
    },
  }),

  serviceCase({
    id: 'service/equivalence/resumed-events-are-the-same',
    requirements: ['EVT-014', 'STR-003', 'STR-005'],
    level: 'must',
    title: "an event of a stream's backlog has the body of its delivery",
    needs: ['sink', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['message.received'] })
      const marker = await project.raise('message.received')
      const event: RaisedEvent = await project.raise('message.received')
      const attempt = await webhook.attempt(1, event)
      requireMembers(require, attempt)
      const stream = await project.stream({ after: marker.id }).opened(require.of('STR-001'))
      require
        .of('STR-005')
        .ok('the event on the stream', await showsEvent(stream, sandbox, event.id), 'one frame', 'none')
      const frame = stream.frames.find((frame) => frame.id === event.id)?.event
      for (const field of ['id', 'type', 'data'])
        check.of('EVT-014').equal(`${field} of the frame`, memberOf(frame, field), attempt.field(field))
      check.of('STR-003').equal('timestamp of the frame', memberOf(frame, 'timestamp'), attempt.field('timestamp'))
      const following = await listedEvents(sandbox, project.api, [event.id], marker.id)
      check
        .of('EVT-016')
        .equal('how often the list contains it', idsOf(following).filter((id) => id === event.id).length, 1)
    },
  }),
]

/** The same data about another recipient, subject or reason: the message, the thread and the inbox are the same. */
function varied(data: Data): Data {
  const name = ['recipient', 'subject', 'reason'].find((member) => member in data)
  return name === undefined ? data : { ...data, [name]: `other.${asText(data[name])}` }
}
