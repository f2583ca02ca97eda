import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'
const deliveryRoutes = 'server/api/routes-deliveries.ts'

/** Whether the delivery that is attempted is a replay. */
const isReplay = 'deliveries.get(due.id, due.webhookId)?.replayOf'

const listed = 'deliveries.list(webhook.id, limit).map((delivery) => policy.shownDelivery(delivery))'

/**
 * `ownState.underWay` has the ids of the deliveries with an attempt in flight, only of those with a second or later one if `condition` is
 * about that.
 */
function tellsWhatIsUnderWay(condition: string): readonly [Patch, Patch] {
  return [
    {
      file: attempts,
      find: 'queue.inFlight.add(attempt)',
      replace: `queue.inFlight.add(attempt); if (${condition}) (ownState.underWay ??= new Set()).add(due.id)`,
    },
    {
      file: attempts,
      find: 'inFlight.delete(attempt)',
      replace: 'inFlight.delete(attempt); ownState.underWay?.delete(attempt.due.id)',
    },
  ]
}

/** The schedule ends after attempt `number` of a delivery for which `condition` holds. */
function endsAfter(number: number, condition: string): Patch {
  return {
    file: attempts,
    find: 'nextState({ attempt, outcome,',
    replace: `nextState({ attempt: attempt >= ${number} && ${condition} ? policy.retryDelaysMs.length : attempt, outcome,`,
  }
}

/** Deviations in one detail of a sentence about deliveries: one attempt, one kind of webhook, a replay instead of a delivery. */
export const narrowDeliveryMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/replays-without-the-query',
    title: 'a replay is sent to the url without its query',
    breaks: ['DLV-001', 'RPL-002'],
    patch: [
      {
        file: attempts,
        find: 'const { url, secret } = webhook',
        replace: `const { secret } = webhook; const url = ${isReplay} ? webhook.url.split('?')[0] : webhook.url`,
      },
    ],
  }),
  defineMutant({
    id: 'server/delivers-to-255-letters',
    title: 'cuts a url to 255 letters for deliveries, but returns it whole',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/store/webhook-store.ts',
        find: 'JSON.stringify(url)',
        replace: 'JSON.stringify(url.slice(0, 255))',
      },
    ],
  }),
  defineMutant({
    id: 'server/writes-the-query-anew',
    title: 'the query of a url is parsed and written again',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'path: url.pathname + url.search,',
        replace: "path: url.pathname + (url.search && '?' + new URLSearchParams(url.search)),",
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-the-last-slash-off',
    title: 'the slash at the end of a path is left out',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'path: url.pathname + url.search,',
        replace: "path: url.pathname.replace(/(.)\\/$/, '$1') + url.search,",
      },
    ],
  }),
  defineMutant({
    id: 'server/signs-a-replay-once',
    title: 'the retries of a replay carry the timestamp of its first attempt',
    breaks: ['SIG-005', 'SIG-002', 'RPL-007'],
    patch: [
      {
        file: attempts,
        find: 'attemptAt: startedAt',
        replace: `attemptAt: ${isReplay} ? deliveries.get(due.id, due.webhookId).createdAt : startedAt`,
      },
    ],
  }),
  defineMutant({
    id: 'server/stamps-retries-of-a-replay',
    title: 'the timestamp of the event is that of the attempt when a replay is retried',
    breaks: ['RTY-014', 'RPL-008'],
    patch: [
      {
        file: attempts,
        find: 'const body = bodyOf(event)',
        replace: `const body = bodyOf(due.attempt > 0 && ${isReplay} ? { ...event, time: policy.formatTime(startedAt) } : event)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-200-alone-of-a-replay',
    title: 'treats only 200 as success of a replay',
    breaks: ['DLV-005', 'RPL-008'],
    patch: [
      {
        file: attempts,
        find: 'startedAt, endedAt, isWebhookDeleted }, policy)',
        replace: `startedAt, endedAt, isWebhookDeleted }, ${isReplay} ? { ...policy, isSuccess: (code) => code === 200 } : policy)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-200-letters-of-a-failure',
    title: 'cuts the snippet of a failed answer to 200 characters',
    breaks: ['DLV-019'],
    policy: {
      snippet: (body, status) => defaultPolicy.snippet(body, status).slice(0, status < 300 ? undefined : 200),
    },
  }),
  defineMutant({
    id: 'server/keeps-nothing-of-a-large-body',
    title: 'an answer of more than 64 KiB has no snippet',
    breaks: ['DLV-019'],
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'if (bytes >= request.maxBytes) break',
        replace: 'if (bytes >= 65_536) break',
      },
      {
        file: 'server/egress/egress.ts',
        find: 'body: Buffer.concat(chunks)',
        replace: 'body: (bytes >= 65_536 ? Buffer.alloc(0) : Buffer.concat(chunks))',
      },
    ],
  }),
  defineMutant({
    id: 'server/calls-a-retry-under-way-failed',
    title: 'while a retry waits for its answer the delivery is failed',
    breaks: ['RTY-010', 'DLV-004'],
    patch: [
      ...tellsWhatIsUnderWay('due.attempt > 0'),
      {
        file: deliveryRoutes,
        find: listed,
        replace: listed.replace(
          'policy.shownDelivery(delivery)',
          "policy.shownDelivery(ownState.underWay?.has(delivery.id) ? { ...delivery, status: 'failed' } : delivery)",
        ),
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-nothing-under-way',
    title: 'a delivery whose attempt waits for its answer cannot be replayed',
    breaks: ['RPL-005', 'RPL-001'],
    patch: [
      ...tellsWhatIsUnderWay('true'),
      {
        file: deliveryRoutes,
        find: 'const now = queues.now(webhook.workspaceId)',
        replace: `const now = queues.now(webhook.workspaceId)
if (ownState.underWay?.has(original.id))
  throw new ApiError({ status: 409, code: 'under_way', message: 'An attempt is under way.', fix: 'Wait for its end.' })`,
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-below-any-webhook',
    title: 'a replay ignores the webhook of its path',
    breaks: ['ERR-004'],
    patch: [
      {
        file: deliveryRoutes,
        find: 'const webhook = findWebhook(c, services) const original =',
        replace: `const row = services.store.prepare('select webhook_id from deliveries where id = ?').get(c.req.param('delivery_id'))
const named = row && services.webhooks.get(row[0])
const webhook = named && policy.keyReaches(c.get('key'), named) ? named : findWebhook(c, services)
const original =`,
      },
    ],
  }),
  defineMutant({
    id: 'server/gives-up-on-workspace-events-after-two',
    title: 'an event of the workspace has two attempts',
    breaks: ['RTY-008', 'RTY-012', 'RTY-009'],
    patch: [endsAfter(3, "events.get(due.eventId)?.type.startsWith('sending.')")],
  }),
  defineMutant({
    id: 'server/gives-up-on-webhooks-of-an-inbox-after-three',
    title: 'a delivery at a webhook of one inbox has three attempts',
    breaks: ['RTY-008', 'RTY-012', 'RTY-009'],
    patch: [endsAfter(3, 'webhooks.get(due.webhookId)?.inboxId')],
  }),
  defineMutant({
    id: 'server/gives-up-on-replays-for-an-inbox-after-four',
    title: 'a replay of a delivery at a webhook of one inbox has four attempts',
    breaks: ['RPL-008'],
    patch: [endsAfter(4, `${isReplay} && webhooks.get(due.webhookId)?.inboxId`)],
  }),
  defineMutant({
    id: 'server/drops-retries-when-sending-is-paused',
    title: 'when sending is paused the retries that wait are dropped',
    breaks: ['RTY-012'],
    patch: [
      {
        file: 'server/sending.ts',
        find: 'directory.setSending(workspaceId, status)',
        replace: `directory.setSending(workspaceId, status)
if (status === 'paused')
  store.prepare('update deliveries set due_at = null where workspace_id = ? and attempt > 0').run(workspaceId)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-nothing-while-paused',
    title: 'while sending is paused the events of messages are not streamed',
    breaks: ['EVT-014'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'publish(record)',
        replace: `(event.type.startsWith('message.') && directory.workspace(workspaceId)?.sending === 'paused') || publish(record)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/stops-no-late-attempt-at-a-delete',
    title: 'a delete does not stop deliveries that wait for their fifth or a later attempt',
    breaks: ['WHK-015'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'void stop.run(status, webhookId)',
        replace:
          'void store.prepare("update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = \'pending\' and attempt < 4").run(status, webhookId)',
      },
      {
        file: attempts,
        find: 'webhooks.get(due.webhookId)?.isDeleted !== false',
        replace: 'attempt < 5 && webhooks.get(due.webhookId)?.isDeleted !== false',
      },
    ],
  }),
  defineMutant({
    id: 'server/goes-on-with-a-retry-in-flight-at-a-delete',
    title: 'a retry in flight when the webhook is deleted is followed by the next',
    breaks: ['WHK-015'],
    patch: [
      {
        file: attempts,
        find: 'webhooks.get(due.webhookId)?.isDeleted !== false',
        replace: 'attempt < 2 && webhooks.get(due.webhookId)?.isDeleted !== false',
      },
    ],
  }),
  defineMutant({
    id: 'server/goes-on-with-a-replay-in-flight-at-a-delete',
    title: 'a replay in flight when the webhook is deleted is followed by its retry',
    breaks: ['WHK-015'],
    patch: [
      {
        file: attempts,
        find: 'webhooks.get(due.webhookId)?.isDeleted !== false',
        replace: `!${isReplay} && webhooks.get(due.webhookId)?.isDeleted !== false`,
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-nothing-to-a-url-of-before',
    title: 'a webhook on the url of one that was deleted gets nothing',
    breaks: ['DLV-004', 'DLV-023'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: '!webhook.isDeleted &&',
        replace:
          '!webhooks.ofOrg(event.orgId).some(({ isDeleted, url }) => isDeleted && url === webhook.url) && !webhook.isDeleted &&',
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-the-filter-of-a-url',
    title: 'gives a new webhook the event types of a deleted one with its url',
    breaks: ['WHK-009', 'DLV-004', 'DLV-023'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'policy.matchesTypes(webhook.eventTypes, event.type)',
        replace:
          'policy.matchesTypes((webhooks.ofOrg(event.orgId).find(({ isDeleted, url }) => isDeleted && url === webhook.url) ?? webhook).eventTypes, event.type)',
      },
    ],
  }),
  defineMutant({
    id: 'server/signs-with-the-secret-of-before',
    title: 'deliveries to the url of a webhook that was deleted are signed with its secret',
    breaks: ['SIG-006'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const { url, secret } = webhook',
        replace:
          'const { url } = webhook; const { secret } = webhooks.ofOrg(webhook.orgId).find((each) => each.isDeleted && each.url === url) ?? webhook',
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-up-what-waited-at-a-url',
    title: 'gives a new webhook the pending deliveries of a deleted one with its url',
    breaks: ['WHK-015', 'DLV-023'],
    patch: [
      {
        file: 'server/store/webhook-store.ts',
        find: 'insert.run(id, orgId, workspaceId, JSON.stringify(url), JSON.stringify(eventTypes), inboxId, secret)',
        replace: `insert.run(id, orgId, workspaceId, JSON.stringify(url), JSON.stringify(eventTypes), inboxId, secret)
store.prepare("update deliveries set webhook_id = ?1, due_at = created_at where status = 'pending' and webhook_id in (select id from webhooks where deleted = 1 and url_json = ?2)").run(id, JSON.stringify(url))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/shows-the-first-deliveries-by-default',
    title: 'without a limit the deliveries list has the oldest fifty, the newest of them first',
    breaks: ['DLV-012'],
    patch: [
      {
        file: deliveryRoutes,
        find: 'deliveries.list(webhook.id, limit)',
        replace:
          "(c.req.query('limit') === undefined ? deliveries.list(webhook.id, 100_000).slice(-limit) : deliveries.list(webhook.id, limit))",
      },
    ],
  }),
  defineMutant({
    id: 'server/gives-up-on-certificates',
    title: 'an attempt that ends at a certificate for another name ends the delivery',
    breaks: ['RTY-012'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) && !(outcome.kind === 'connection' && /CERT|ALTNAME/.test(outcome.error)),
    },
  }),
  defineMutant({
    id: 'server/gives-up-on-expired-certificates',
    title: 'an attempt that ends at a certificate that has expired ends the delivery',
    breaks: ['RTY-012'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) && !(outcome.kind === 'connection' && outcome.error.includes('EXPIRED')),
    },
  }),
  defineMutant({
    id: 'server/gives-up-on-certificates-of-strangers',
    title: 'an attempt that fails at an untrusted certificate ends the delivery',
    breaks: ['RTY-012'],
    policy: {
      isRetried: (outcome) =>
        defaultPolicy.isRetried(outcome) &&
        !(outcome.kind === 'connection' && /SELF_SIGNED|UNABLE_TO/.test(outcome.error)),
    },
  }),
  defineMutant({
    id: 'server/retries-for-the-first-project',
    title: 'only the first org of a workspace gets retries',
    breaks: ['RTY-012'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'fanOut(record, at)',
        replace: `if (directory.orgsOf(workspaceId)[0] !== event.orgId) (ownState.ofLaterOrgs ??= new Set()).add(record.id)
fanOut(record, at)`,
      },
      endsAfter(1, 'ownState.ofLaterOrgs?.has(due.eventId)'),
    ],
  }),
]
