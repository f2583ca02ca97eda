// EVT-010, EVT-011  the data of `sending.paused` and `sending.resumed`.
// EVT-012  "Workspace events are sent once to each project of the workspace."
// EVT-013  "Webhooks limited to one inbox do not receive workspace events."
// EVT-017  "Workspace sending status goes from `active` to `paused` with `sending.paused`, and back with `sending.resumed`."
//
// Reading: a workspace event may have one id in all projects or one in each (open point event-ids-per-project). It belongs to no inbox, so
// a key of one inbox does not see it. A pause stops the sending of mail; no sentence stops deliveries for it.

import {
  asText,
  instantOf,
  memberOf,
  serviceCase,
  status,
  type Attempt,
  type Checks,
  type Webhook,
  type Project,
  type Sandbox,
  type Stream,
} from '../../../harness/authoring.js'
import { eventsAfter, eventsOnce, idsOf, listedEvents, showsEvent } from '../shared/event-log.js'

const both = ['sending.paused', 'sending.resumed']

const day = 24 * 3_600_000

/** Time for a pause to reach every part of a service, in milliseconds. */
const pausedForMs = 300

interface Watched {
  readonly project: Project
  readonly webhook: Webhook
  readonly stream: Stream
}

/** A project with a webhook and a stream of the whole org. */
async function watched(project: Project, require: Checks): Promise<Watched> {
  return {
    project,
    webhook: await project.createWebhook(),
    stream: await project.stream().opened(require.of('STR-001')),
  }
}

/** Pauses and resumes, and waits until each place has shown two events, or is not going to. */
async function pauseAndResume(sandbox: Sandbox, places: readonly Watched[]): Promise<void> {
  await sandbox.setSending('paused', 'too many bounces')
  await sandbox.setSending('active')
  await sandbox.settle()
  await Promise.all(
    places.flatMap(({ project, webhook, stream }) => [
      webhook.endpoint.until(() => webhook.attempts().length >= both.length, sandbox.budgetMs),
      stream.until(() => stream.frames.length >= both.length, sandbox.budgetMs),
      eventsOnce(sandbox, project.api, (events) => events.length >= both.length),
    ]),
  )
  await sandbox.settle()
}

function typesOf(events: readonly unknown[]): unknown[] {
  return events.map((event) => memberOf(event, 'type'))
}

export const workspaceEvents = [
  serviceCase({
    id: 'service/workspace-events/are-sent-once-to-each-project',
    requirements: ['EVT-012', 'EVT-010', 'EVT-017', 'POL-009'],
    dependsOn: ['DLV-002'],
    level: 'must',
    title: 'pausing and resuming raise one event in every project of the workspace only',
    needs: ['sink', 'projects', 'sending-status', 'own-data'],
    async run({ openSandbox, check, require }) {
      const [sandbox, other] = [await openSandbox({ projects: 3 }), await openSandbox()]
      const places = await Promise.all(sandbox.projects.map((project) => watched(project, require)))
      const outside = await watched(other.project, require)
      await pauseAndResume(sandbox, places)
      const witness = await other.project.raise('message.received')
      await outside.webhook.attempt(1, witness)
      await showsEvent(outside.stream, other, witness.id)
      for (const [index, { project, webhook, stream }] of places.entries()) {
        const where = `project ${index + 1} of 2`
        const sent = webhook.attempts().map((attempt) => attempt.event)
        check.of('EVT-012').equal(`workspace events sent in ${where}`, typesOf(sent).sort(), both)
        const frames = stream.frames.map((frame) => frame.event)
        check.of('EVT-012').equal(`workspace events streamed in ${where}`, typesOf(frames).sort(), both)
        const log = await eventsAfter(project.api)
        check.of('EVT-012').equal(`workspace events listed in ${where}`, typesOf(log).sort(), both)
        check.of('EVT-017').equal(`order of the workspace events in ${where}`, typesOf(log), both)
        const orgs = [...new Set(log.map((event) => memberOf(event, 'org_id')))]
        check.of('POL-009').equal(`org_id of the workspace events in ${where}`, orgs, [project.orgId])
        const workspaces = log.map((event) => memberOf(memberOf(event, 'data'), 'workspace_id'))
        const one = [sandbox.workspaceId, sandbox.workspaceId]
        check.of('EVT-010').equal(`workspace_id of the workspace events in ${where}`, workspaces, one)
        check.of('EVT-014').equal(`ids that were sent in ${where}`, idsOf(sent).sort(), idsOf(log).sort())
      }
      const elsewhere = [
        outside.webhook.attempts().map((attempt) => attempt.event),
        outside.stream.frames.map((frame) => frame.event),
      ]
      for (const events of elsewhere)
        check.of('EVT-012').equal('events sent or streamed in another workspace', typesOf(events), ['message.received'])
      const others = await listedEvents(other, other.project.api, [witness.id])
      check.of('EVT-012').equal('events listed in another workspace', idsOf(others), [witness.id])
    },
  }),

  serviceCase({
    id: 'service/workspace-events/say-what-became-of-sending',
    requirements: ['EVT-010', 'EVT-011', 'EVT-017'],
    level: 'must',
    title:
      'pausing raises sending.paused with reason, paused_at and stats, resuming raises sending.resumed, for one workspace',
    needs: ['sink', 'sending-status'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const place = await watched(sandbox.project, require)
      await pauseAndResume(sandbox, [place])
      const data = (type: string) =>
        memberOf(place.webhook.attempts().find((attempt) => attempt.field('type') === type)?.json, 'data')
      const [paused, resumed] = [data('sending.paused'), data('sending.resumed')]
      require.of('EVT-010').ok('data of sending.paused', paused !== undefined, 'sent', 'no such event')
      require.of('EVT-011').ok('data of sending.resumed', resumed !== undefined, 'sent', 'no such event')
      check.of('EVT-010').equal('status of sending.paused', memberOf(paused, 'status'), 'paused')
      check.of('EVT-011').equal('status of sending.resumed', memberOf(resumed, 'status'), 'active')
      for (const field of ['reason', 'paused_at', 'stats']) {
        const value = memberOf(paused, field)
        check.of('EVT-010').ok(`${field} of sending.paused`, value !== undefined && value !== null, 'a value', paused)
      }
      check.of('EVT-010').equal('workspace_id of sending.paused', memberOf(paused, 'workspace_id'), sandbox.workspaceId)
      check
        .of('EVT-011')
        .equal('workspace_id of sending.resumed', memberOf(resumed, 'workspace_id'), sandbox.workspaceId)
    },
  }),

  serviceCase({
    id: 'service/workspace-events/follow-every-change',
    requirements: ['EVT-017', 'EVT-010', 'EVT-011'],
    level: 'must',
    title: 'pausing and resuming twice raises four events, in order, with their reasons',
    needs: ['workspace', 'sending-status'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { api } = sandbox.project
      const reasons = ['too many bounces', 'too many complaints']
      for (const reason of reasons) {
        await sandbox.setSending('paused', reason)
        await sandbox.setSending('active')
      }
      await sandbox.settle()
      const log = await eventsOnce(sandbox, api, (events) => events.length >= 4)
      check.of('EVT-017').equal('workspace events listed', typesOf(log), [...both, ...both])
      for (const [index, event] of log.entries()) {
        const isPause = index % 2 === 0
        const fields = ['workspace_id', 'status', ...(isPause ? ['reason', 'paused_at', 'stats'] : [])]
        const data = memberOf(event, 'data')
        const absent = fields.filter((field) => memberOf(data, field) == null)
        const what = `fields that event ${index + 1} of ${log.length} lacks`
        check.of(isPause ? 'EVT-010' : 'EVT-011').equal(what, absent, [])
      }
      // A service may have words of its own for a reason.
      const reported = log
        .filter((_, index) => index % 2 === 0)
        .map((event) => memberOf(memberOf(event, 'data'), 'reason'))
      if (reported[0] === reasons[0]) check.of('EVT-010').equal('reasons of the two pauses', reported, reasons)
    },
  }),

  serviceCase({
    id: 'service/workspace-events/stand-among-the-others',
    requirements: ['POL-001', 'POL-010', 'STR-007'],
    level: 'must',
    title: 'pauses are listed and streamed in order among message events',
    needs: ['workspace', 'sending-status', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const { api } = project
      const before = await project.raise('message.received')
      const types = ['message.received']
      for (const status of ['paused', 'active'] as const) {
        await sandbox.setSending(status)
        await eventsOnce(sandbox, api, (events) => typesOf(events).includes(both[status === 'paused' ? 0 : 1]))
        await project.raise('message.queued')
        types.push(status === 'paused' ? 'sending.paused' : 'sending.resumed', 'message.queued')
      }
      const log = await eventsOnce(sandbox, api, (events) => events.length >= types.length)
      require.of('EVT-017').equal('events listed, in no order', typesOf(log).sort(), [...types].sort())
      check.of('POL-001').equal('events listed', typesOf(log), types)
      for (const [index, event] of log.entries()) {
        const following = await eventsAfter(api, asText(memberOf(event, 'id')))
        check.of('POL-010').equal(`events behind event ${index + 1}`, typesOf(following), types.slice(index + 1))
      }
      const stream = await project.stream({ after: before.id }).opened(require.of('STR-001'))
      await stream.until(() => stream.frames.length >= types.length - 1, sandbox.budgetMs)
      const frames = typesOf(stream.frames.map((frame) => frame.event))
      check.of('STR-007').equal('frames after the first', frames, types.slice(1))
    },
  }),

  serviceCase({
    id: 'service/workspace-events/reach-no-inbox',
    requirements: ['EVT-013', 'SCOPE-001', 'SCOPE-002', 'SCOPE-003'],
    level: 'must',
    title: 'pausing and resuming reach neither webhooks limited to one inbox nor keys of one inbox',
    needs: ['sink', 'inboxes', 'workspace', 'sending-status', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox()
      const limited = [
        await project.createWebhook({ inboxId: inbox.id }),
        await project.createWebhook({ api: inbox.api }),
      ]
      const stream = await project.stream({ api: inbox.api }).opened(require.of('STR-001'))
      await pauseAndResume(sandbox, [await watched(project, require)])
      const witness = await project.raise('message.received')
      for (const webhook of limited) {
        await webhook.attempt(1, witness)
        const types = webhook.attempts().map((attempt) => attempt.field('type'))
        check.of('EVT-013').equal('events at a webhook of one inbox', types, ['message.received'])
      }
      require
        .of('SCOPE-002')
        .ok('the event of the inbox', await showsEvent(stream, sandbox, witness.id), 'one frame', 'none')
      check.of('SCOPE-002').equal('frames on the stream of one inbox', stream.ids, [witness.id])
      const list = await listedEvents(sandbox, inbox.api, [witness.id])
      check.of('SCOPE-001').equal('events in the list of one inbox', idsOf(list), [witness.id])
    },
  }),

  serviceCase({
    id: 'service/workspace-events/skip-webhooks-of-one-inbox',
    requirements: ['EVT-013'],
    level: 'must',
    title: 'an inbox webhook gets no workspace event, even if it lists the type',
    needs: ['sink', 'inboxes', 'event:sending.paused', 'event:sending.resumed', 'event:message.received'],
    async run({ openSandbox, check }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inboxId = project.inbox().id
      const limited = [
        await project.createWebhook({ inboxId }),
        await project.createWebhook({ inboxId, eventTypes: [...both, 'message.received'] }),
      ]
      const whole = await project.createWebhook()
      const events = [await project.raise('sending.paused'), await project.raise('sending.resumed')]
      const witness = await project.raise('message.received')
      for (const event of [...events, witness]) await whole.attempt(1, event)
      for (const webhook of limited) await webhook.attempt(1, witness)
      await sandbox.settle()
      for (const [index, name] of ['one inbox', 'one inbox that lists its type'].entries())
        for (const event of events)
          check.equal(`${event.type} at a webhook of ${name}`, limited[index]?.attempts(event).length, 0)
    },
  }),

  serviceCase({
    id: 'service/workspace-events/are-not-shown-to-keys-of-one-inbox',
    requirements: ['SCOPE-001', 'SCOPE-002', 'SCOPE-010'],
    level: 'must',
    title: 'an inbox key sees no workspace event by polling or stream',
    needs: ['inboxes', 'event:sending.paused', 'event:sending.resumed', 'event:message.received'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const inbox = project.inbox()
      const start = await project.raise('message.received')
      const live = await project.stream({ api: inbox.api }).opened(require.of('STR-001'))
      const foreign = [await project.raise('sending.paused'), await project.raise('sending.resumed')].map(
        ({ id }) => id,
      )
      const witness = await project.raise('message.received')
      const resumed = await project.stream({ api: inbox.api, after: start.id }).opened(require.of('STR-001'))
      for (const [stream, requirement] of [
        [live, 'SCOPE-002'],
        [resumed, 'SCOPE-010'],
      ] as const) {
        const isShown = await showsEvent(stream, sandbox, witness.id)
        require.of(requirement).ok('an event of the inbox on its stream', isShown, 'one frame', 'none')
        const leaked = foreign.filter((id) => stream.ids.includes(id))
        check.of(requirement).equal('workspace events on the stream of one inbox', leaked, [])
      }
      const ids = idsOf(await listedEvents(sandbox, inbox.api, [witness.id], start.id))
      require.of('SCOPE-001').ok('an event of the inbox in its list', ids.includes(witness.id), 'listed', ids)
      const leaked = foreign.filter((id) => ids.includes(id))
      check.of('SCOPE-001').equal('workspace events in the list of one inbox', leaked, [])
    },
  }),

  serviceCase({
    id: 'service/workspace-events/say-what-was',
    requirements: ['RTY-014', 'EVT-014', 'RPL-002', 'EVT-010'],
    dependsOn: ['DLV-002'],
    level: 'must',
    title: 'retries, replays and lists of sending.paused keep its data after sending was resumed',
    needs: ['sink', 'clock', 'workspace', 'sending-status', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({ eventTypes: ['sending.paused'], answers: [status(500)] })
      const marker = await project.raise('message.received')
      await sandbox.setSending('paused', 'too many bounces')
      const first = await webhook.attempt(1)
      await sandbox.settle()
      await sandbox.setSending('active')
      await sandbox.settle()
      await sandbox.advance(7_000)
      const retry = await webhook.attempt(2, undefined, require.of('RTY-012'))
      await sandbox.settle()
      const { id } = await webhook.deliveryWhen((delivery) => delivery.attempt === 2)
      require.of('RPL-001').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
      const replay = await webhook.attempt(3, undefined, require.of('RPL-002'))
      const paused = asText(first.field('id'))
      const stream = await project.stream({ after: marker.id }).opened(require.of('STR-001'))
      await showsEvent(stream, sandbox, paused)
      const isIt = (event: unknown) => memberOf(event, 'id') === paused
      const item = (await listedEvents(sandbox, project.api, [paused], marker.id)).find(isIt)
      const frame = stream.frames.find((frame) => frame.id === paused)?.event
      for (const [requirement, where, data] of [
        ['RTY-014', 'its retry', retry.field('data')],
        ['RPL-002', 'its replay', replay.field('data')],
        ['EVT-014', 'the list', memberOf(item, 'data')],
        ['EVT-014', 'a stream that resumed', memberOf(frame, 'data')],
      ] as const)
        check.of(requirement).equal(`data of sending.paused in ${where}`, data, first.field('data'))
      await sandbox.advance(2 * day)
      await sandbox.setSending('paused', 'too many bounces')
      const isNext = (attempt: Attempt) => attempt.field('id') !== first.field('id')
      await webhook.endpoint.until(() => webhook.attempts().some(isNext), sandbox.budgetMs)
      const reported = memberOf(webhook.attempts().find(isNext)?.field('data'), 'paused_at')
      await sandbox.setSending('active')
      // A service with whole seconds may repeat a time if it does not read the clock that was moved.
      if (instantOf(reported) % 1_000 > 0)
        check
          .of('EVT-010')
          .ok(
            'paused_at of the next pause',
            reported !== memberOf(first.field('data'), 'paused_at'),
            'another time',
            reported,
          )
    },
  }),

  serviceCase({
    id: 'service/workspace-events/stop-no-delivery',
    requirements: ['DLV-004', 'RTY-001', 'RTY-012', 'RPL-005', 'EVT-014'],
    level: 'must',
    title: 'while sending is paused, events are still streamed, delivered, retried and replayed',
    needs: ['sink', 'clock', 'sending-status', 'own-data'],
    async run({ openSandbox, check, require }) {
      const sandbox = await openSandbox()
      const { project } = sandbox
      const webhook = await project.createWebhook({
        eventTypes: ['message.received'],
        answers: [status(500)],
      })
      const earlier = await project.raise('message.received')
      await webhook.attempt(1, earlier)
      await sandbox.settle()
      const stream = await project.stream().opened(require.of('STR-001'))
      await sandbox.setSending('paused', 'too many bounces')
      await stream.until(() => stream.frames.length > 0, sandbox.budgetMs)
      await sandbox.settle()
      await sandbox.quiet(pausedForMs)
      const late = await project.createWebhook({ eventTypes: ['message.received'] })
      const event = await project.raise('message.received')
      for (const hook of [webhook, late]) await hook.attempt(1, event, require.of('DLV-004'))
      require
        .of('EVT-014')
        .ok('the event on the stream', await showsEvent(stream, sandbox, event.id), 'one frame', 'none')
      await sandbox.settle()
      await sandbox.advance(7_000)
      for (const raised of [earlier, event]) await webhook.attempt(2, raised, require.of('RTY-012'))
      const [{ id } = { id: '' }] = await webhook.deliveriesListed(1)
      const made = webhook.attempts().length
      check.of('RPL-005').status(await project.api.replayDelivery(webhook.id, asText(id)), [202])
      const isReplayed = await webhook.endpoint.until(() => webhook.attempts().length > made, sandbox.budgetMs)
      check.of('RPL-005').ok('a replay while sending is paused', isReplayed, 'sent', 'not sent')
      await sandbox.setSending('active')
    },
  }),
]
