// The events that one inbox sees on each channel: its key in the list, on a live stream and on a resumed one; its webhook.

import type { Checks, Inbox, RaisedEvent, Require, Sandbox, Stream, Webhook } from '../../../harness/authoring.js'
import { knownAmong, idsOf, listedEvents, showsEvent } from './event-log.js'

/** An inbox that is watched from its event `start` on. */
export interface InboxView {
  readonly sandbox: Sandbox
  readonly inbox: Inbox
  readonly start: RaisedEvent
  /** A stream of the key of the inbox, opened before the events. */
  readonly live: Stream
  /** A webhook limited to the inbox. */
  readonly webhook: Webhook
}

export async function openView(sandbox: Sandbox, require: Require): Promise<InboxView> {
  const { project } = sandbox
  const inbox = project.inbox(0)
  const webhook = await project.createWebhook({ inboxId: inbox.id })
  const start = await project.raise('message.received', { inbox })
  const live = await project.stream({ api: inbox.api }).opened(require.of('STR-001'))
  return { sandbox, inbox, start, live, webhook }
}

/** Of `mine`, raised last and of the inbox, and `foreign`, which are not, the inbox is shown `mine` alone; all were raised after the view was opened. */
export async function checkView(
  { sandbox, inbox, start, live, webhook }: InboxView,
  { mine, foreign }: { readonly mine: RaisedEvent; readonly foreign: readonly RaisedEvent[] },
  { check, require }: { readonly check: Checks; readonly require: Require },
): Promise<void> {
  const { project } = sandbox
  const requested = [...foreign.map((event) => event.id), mine.id]
  await listedEvents(sandbox, project.api, requested)
  const own = [start.id, mine.id]
  const list = idsOf(await listedEvents(sandbox, inbox.api, own))
  check.of('SCOPE-001').equal('events in the list of one inbox', list, own)
  const [resumed] = await project.streams([{ api: inbox.api, after: start.id }], require.of('STR-001'), {
    otherStreams: 1,
  })
  for (const [what, stream, requirement] of [
    ['a live stream', live, 'SCOPE-002'],
    ['a stream that resumed', resumed, 'SCOPE-010'],
  ] as const) {
    if (stream === undefined) continue
    await showsEvent(stream, sandbox, mine.id)
    check
      .of(requirement)
      .equal(`of the events raised, on ${what} of one inbox`, knownAmong(stream.ids, requested), [mine.id])
  }
  await webhook.attempt(1, mine, require.of('SCOPE-005'))
  await sandbox.settle()
  const sent = foreign.filter((event) => webhook.attempts(event).length > 0).map((event) => event.id)
  check.of('SCOPE-005').equal('of the events raised, at a webhook of one inbox', sent, [])
}
