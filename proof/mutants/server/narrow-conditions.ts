import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant, type Patch } from '../define.js'

const recorder = 'server/recorder.ts'

/** Records the org and the inbox of the sender with a received email. */
const remembersTheSender: Patch = {
  file: 'server/mail.ts',
  find: "orgId: inbox.orgId, type: 'message.received',",
  replace: "orgId: inbox.orgId, causedBy: { orgId, inboxId: email.inboxId }, type: 'message.received',",
}

const deliveryStore = 'server/store/delivery-store.ts'

/** Raises scheduled mail without some of its later events. */
const tellsScheduledMailInSilence: Patch = {
  file: 'server/mail.ts',
  find: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })',
  replace: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at, isQuiet: email.scheduledAt != null })',
}

/** What a delete takes out of the queue: the pending deliveries of the webhook that `condition` holds for. */
function stopsOnly(condition: string): Patch {
  return {
    file: deliveryStore,
    find: 'void stop.run(status, webhookId)',
    replace: `void store.prepare("update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending' and ${condition}").run(status, webhookId)`,
  }
}

/** Deviations in one cell of a sentence: one channel, one kind of key, one state, one form of several. */
export const narrowMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/marks-what-it-sent-when-a-webhook-is-deleted',
    title: 'the deliveries of a deleted webhook are all failed, those that succeeded too',
    breaks: ['WHK-016'],
    patch: [
      {
        file: deliveryStore,
        find: 'void stop.run(status, webhookId)',
        replace: `(stop.run(status, webhookId), void store.prepare("update deliveries set status = 'failed' where webhook_id = ? and status = 'succeeded'").run(webhookId))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-received-mail-to-webhooks-of-its-sender',
    title: "mail that another org received is sent to the webhooks of its sender's org",
    breaks: ['EVT-014', 'SCOPE-007'],
    patch: [
      remembersTheSender,
      {
        file: recorder,
        find: 'fanOut(record, at)',
        replace: 'fanOut(event.causedBy ? { ...record, orgId: event.causedBy.orgId } : record, at)',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-received-mail-to-its-sender',
    title: "mail that another org received is streamed to its sender's org",
    breaks: ['EVT-014', 'SCOPE-007'],
    patch: [
      remembersTheSender,
      {
        file: recorder,
        find: 'publish(record)',
        replace: 'publish(event.causedBy ? { ...record, orgId: event.causedBy.orgId } : record)',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-received-mail-to-webhooks-of-the-inbox-of-its-sender',
    title: "received mail is sent to the webhooks of its sender's inbox",
    breaks: ['EVT-014', 'SCOPE-005'],
    patch: [
      remembersTheSender,
      {
        file: recorder,
        find: 'fanOut(record, at)',
        replace: 'fanOut(event.causedBy ? { ...record, inboxId: event.causedBy.inboxId } : record, at)',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-received-mail-to-the-inbox-of-its-sender',
    title: "received mail is streamed to the key of its sender's inbox",
    breaks: ['EVT-014', 'SCOPE-002'],
    patch: [
      remembersTheSender,
      {
        file: recorder,
        find: 'publish(record)',
        replace: 'publish(event.causedBy ? { ...record, inboxId: event.causedBy.inboxId } : record)',
      },
    ],
  }),
  defineMutant({
    id: 'server/looks-for-an-inbox-among-the-next-200',
    title: 'the events of an inbox are looked for among the next 200 of the org',
    breaks: ['POL-003', 'POL-008', 'STR-005'],
    patch: [
      {
        file: 'server/store/event-store.ts',
        find: "'where org_id = ? and inbox_id = ? and id > ?'",
        replace:
          "'where org_id = ? and inbox_id = ? and id > ? and id in (select id from events where org_id = ?1 and id > ?3 order by id limit 200)'",
      },
    ],
  }),
  defineMutant({
    id: 'server/counts-foreign-events-against-a-stream',
    title: 'an inbox stream drops events while the org has more than sixty a second',
    breaks: ['SCOPE-002', 'STR-006'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'if (!client.isLive || !sees(client, event)) continue',
        replace: `if (!client.isLive || client.key.orgId !== event.orgId) continue
      const second = Math.floor(Date.now() / 1000)
      client.count = client.second === second ? client.count + 1 : 1
      client.second = second
      if (!sees(client, event) || (client.inboxId !== null && client.count > 60)) continue`,
      },
    ],
  }),
  defineMutant({
    id: 'server/polls-the-inbox-that-the-query-names',
    title: 'inbox_id in the query replaces the inbox of the key',
    breaks: ['SCOPE-001'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'inboxId: policy.pollInbox(key.inboxId)',
        replace: "inboxId: c.req.query('inbox_id') || policy.pollInbox(key.inboxId)",
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-the-inbox-that-the-query-names',
    title: 'inbox_id in the query of a stream replaces the inbox of the key',
    breaks: ['SCOPE-002'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'open(opened, key, after)',
        replace: "open(opened, { ...key, inboxId: url.searchParams.get('inbox_id') || key.inboxId }, after)",
      },
    ],
  }),
  defineMutant({
    id: 'server/polls-every-inbox-when-after-is-given-twice',
    title: 'a repeated `after` is read by a query without the inbox of the key',
    breaks: ['SCOPE-001', 'SCOPE-010'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'inboxId: policy.pollInbox(key.inboxId)',
        replace: "inboxId: (c.req.queries('after')?.length ?? 0) > 1 ? null : policy.pollInbox(key.inboxId)",
      },
    ],
  }),
  defineMutant({
    id: 'server/makes-fifty-retries-a-move',
    title: 'of the due retries a sweep makes fifty and drops the others',
    breaks: ['RTY-012', 'RTY-009', 'RTY-008'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'deliveries.claim(workspaceId, clock.now(), policy.maxInFlight - inFlight.size)',
        replace: `deliveries.claim(workspaceId, clock.now(), policy.maxInFlight - inFlight.size).filter(
        ({ attempt }) => attempt === 0 || !queue.advance || (queue.advance.swept = (queue.advance.swept ?? 0) + 1) <= 50)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-no-scheduled-mail',
    title: 'does not stream later events of a scheduled email',
    breaks: ['EVT-014'],
    patch: [
      tellsScheduledMailInSilence,
      { file: recorder, find: 'publish(record)', replace: 'event.isQuiet || publish(record)' },
    ],
  }),
  defineMutant({
    id: 'server/sends-no-scheduled-mail-to-webhooks',
    title: 'sends later events of a scheduled email to no webhook',
    breaks: ['EVT-014'],
    patch: [
      tellsScheduledMailInSilence,
      { file: recorder, find: 'fanOut(record, at)', replace: 'event.isQuiet || fanOut(record, at)' },
    ],
  }),
  ...(['fanOut(record, at)', 'publish(record)'] as const).map((call) =>
    defineMutant({
      id: `server/${call.startsWith('publish') ? 'streams' : 'sends'}-only-the-queueing-of-scheduled-mail`,
      title: 'raises only message.queued of a scheduled email to live listeners',
      breaks: ['EVT-014'],
      patch: [
        tellsScheduledMailInSilence,
        { file: recorder, find: call, replace: `(event.isQuiet && event.type !== 'message.queued') || ${call}` },
      ],
    }),
  ),
  defineMutant({
    id: 'server/sends-scheduled-items-of-a-batch-at-once',
    title: 'scheduled_at of the items of a batch is ignored',
    breaks: ['SND-013'],
    patch: [
      {
        file: 'server/api/batch.ts',
        find: 'inputs.push(read(item))',
        replace: 'inputs.push({ ...read(item), scheduledAt: null })',
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-the-first-result-of-a-batch-too-late',
    title: 'repeats of a batch side by side are each sent',
    breaks: ['IDM-004', 'IDM-005'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'const sent = policy.batchAnswer(mail.send(inputs, key), errors) firstResults.keep(request, sent)',
        replace:
          'const sent = policy.batchAnswer(mail.send(inputs, key), errors); setTimeout(() => firstResults.keep(request, sent), 50)',
      },
    ],
  }),
  defineMutant({
    id: 'server/retries-replays-after-the-delete',
    title: 'a delete stops the retries of deliveries, and not those of replays',
    breaks: ['WHK-015'],
    patch: [stopsOnly('replay_of is null')],
  }),
  defineMutant({
    id: 'server/retries-later-attempts-after-the-delete',
    title: 'a delete does not stop deliveries that wait for their fourth or a later attempt',
    breaks: ['WHK-015'],
    patch: [stopsOnly('attempt < 3')],
  }),
  defineMutant({
    id: 'server/stops-the-latest-delivery-at-a-delete',
    title: 'of several pending deliveries a delete stops the latest',
    breaks: ['WHK-015'],
    patch: [stopsOnly('seq = (select max(seq) from deliveries d where d.webhook_id = deliveries.webhook_id)')],
  }),
  defineMutant({
    id: 'server/waits-for-answers-to-replays',
    title: 'the consumer is given half a minute to answer a replay',
    breaks: ['DLV-008', 'RPL-008'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'deadline: startedAt + policy.answerTimeMs,',
        replace:
          'deadline: startedAt + (deliveries.get(due.id, due.webhookId)?.replayOf ? 30_000 : policy.answerTimeMs),',
      },
    ],
  }),
  defineMutant({
    id: 'server/polls-any-number-behind-a-cursor',
    title: 'has no maximum limit after a cursor',
    breaks: ['POL-006'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'maxLimit: policy.pollMaxLimit, policy })',
        replace: 'maxLimit: after ? 1_000 : policy.pollMaxLimit, policy })',
      },
    ],
  }),
  defineMutant({
    id: 'server/polls-twenty-for-a-key-of-an-inbox',
    title: 'the default page has 20 for a key of one inbox',
    breaks: ['POL-004'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'defaultLimit: policy.pollDefaultLimit,',
        replace: 'defaultLimit: key.inboxId === null ? policy.pollDefaultLimit : 20,',
      },
    ],
  }),
  defineMutant({
    id: 'server/lets-anyone-schedule',
    title: 'the domain of a scheduled email is not checked',
    breaks: ['SND-012'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: 'if (!policy.senderAllowed(domain, verifiedDomains))',
        replace: "if (!fields['scheduled_at'] && !policy.senderAllowed(domain, verifiedDomains))",
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-webhooks-without-their-limits',
    title: 'every webhook is listed as one of the whole org for all events',
    breaks: ['WHK-011'],
    policy: { listedWebhook: ({ id, url }) => ({ id, url, event_types: [], inbox_id: null }) },
  }),
  defineMutant({
    id: 'server/delivers-nothing-while-paused',
    title: 'while sending is paused, webhooks get only sending.paused',
    breaks: ['DLV-004', 'RTY-001', 'RTY-012'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'inFlight.size < policy.maxInFlight ?',
        replace: '!ownState.paused?.has(workspaceId) && inFlight.size < policy.maxInFlight ?',
      },
      {
        file: 'server/engine/attempts.ts',
        find: 'policy.maxInFlight - inFlight.size',
        replace: 'ownState.paused?.has(workspaceId) ? 0 : policy.maxInFlight - inFlight.size',
      },
      {
        file: 'server/sending.ts',
        find: 'directory.setSending(workspaceId, status)',
        replace: `directory.setSending(workspaceId, status)
ownState.paused ??= new Set()
if (status === 'paused') setTimeout(() => ownState.paused.add(workspaceId), 50)
else ownState.paused.delete(workspaceId)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-for-three-days',
    title: 'a delivery that is older than three days cannot be replayed',
    breaks: ['RPL-005', 'RPL-001'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'const now = queues.now(webhook.workspaceId)',
        replace: `const now = queues.now(webhook.workspaceId)
if (now - original.createdAt > 259_200_000) throw notFound('delivery', policy.foreignIdStatus)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/batches-no-html',
    title: 'an item of a batch has text, or is refused',
    breaks: ['SND-004'],
    patch: [
      {
        file: 'server/api/batch.ts',
        find: 'inputs.push(read(item))',
        replace: `if (item?.text === undefined) throw invalidRequest('The email has no text.', 'Send text.')
inputs.push(read(item))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/shows-scheduled-emails-without-recipients',
    title: 'an email that waits for its time is shown without its recipients',
    breaks: ['SND-007'],
    policy: {
      shownEmail: (email) => {
        const { recipients, ...rest } = defaultPolicy.shownEmail(email)
        return email.scheduledAt === null ? { ...rest, recipients } : rest
      },
    },
  }),
  defineMutant({
    id: 'server/lists-no-email-of-a-batch',
    title: 'does not list emails of a batch',
    breaks: ['SND-008'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'policy.batchAnswer(mail.send(inputs, key), errors)',
        replace:
          'policy.batchAnswer(mail.send(inputs, key).map((id) => ((ownState.idsOfBatches ??= new Set()).add(id), id)), errors)',
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'const items = page.map(',
        replace: 'const items = page.filter(({ id }) => !ownState.idsOfBatches?.has(id)).map(',
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-any-time-in-a-batch',
    title: 'sends a batch item with an invalid scheduled_at at once',
    breaks: ['SND-017'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'read: (item) => read(item, key)',
        replace:
          'read: (item) => read(Number.isNaN(Date.parse(item?.scheduled_at ?? 0)) ? { ...item, scheduled_at: undefined } : item, key)',
      },
    ],
  }),
]
