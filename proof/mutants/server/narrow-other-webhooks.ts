import { patchesOfServer, type Patch } from '../define.js'
import { following } from './deliveries.js'

const attempts = 'server/engine/attempts.ts'
const attempt = 'server/engine/attempt.ts'
const store = 'server/store/delivery-store.ts'

const stop =
  "update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending'"

/** Marks an attempt of a replay. */
const tellsReplays: Patch = {
  file: attempts,
  find: 'return await makeAttempt({ due,',
  replace:
    'return await makeAttempt({ due: { ...due, isReplay: deliveries.get(due.id, due.webhookId).replayOf !== null },',
}

/** Deviations that show only with concurrent work: at a delete, a name or a redirect. */
export const narrowOtherWebhookMutants = patchesOfServer([
  [
    'ends-an-event-with-a-webhook',
    'a delete of a webhook ends the retries of its events at every webhook',
    ['RTY-012'],
    {
      file: store,
      find: `\`${stop}\``,
      replace: `\`${stop.replace('webhook_id = ?', 'event_id in (select event_id from deliveries where webhook_id = ?)')}\``,
    },
  ],
  [
    'forgets-what-was-in-flight-at-a-delete',
    'a delivery in flight at the delete disappears once its attempt has ended',
    ['WHK-016'],
    {
      file: store,
      find: 'record.run(status, attempt, responseCode, snippet, error, nextAttemptAt, nextAttemptAt, id)',
      replace: `record.run(status, attempt, responseCode, snippet, error, nextAttemptAt, nextAttemptAt, id)
store.prepare('delete from deliveries where id = ? and webhook_id in (select id from webhooks where deleted = 1)').run(id)`,
    },
  ],
  [
    'sends-nobody-behind-a-name-without-address',
    'delivers to webhooks one after another, and stops at a name without an address',
    ['DLV-004', 'WHK-021'],
    {
      file: attempts,
      find: 'for (const due of deliveries.claim(workspaceId, clock.now(), policy.maxInFlight - inFlight.size))',
      replace: `const claimed = deliveries.claim(workspaceId, clock.now(), policy.maxInFlight - inFlight.size)
const startAll = async () => {
  const { targetOf } = await import('../egress/url-check.js')
  for (const due of claimed) {
    start(queue, due)
    await egress.check(targetOf(webhooks.get(due.webhookId).url, policy))
  }
}
startAll().catch(() => undefined)
for (const due of [])`,
    },
  ],
  [
    'follows-redirects-of-replays',
    'redirects are followed if a replay is answered by one',
    ['DLV-009', 'DLV-010'],
    tellsReplays,
    ...following('options.due.isReplay'),
  ],
  [
    'follows-redirects-of-retries',
    'redirects are followed where a second or later attempt is answered by one',
    ['DLV-009', 'DLV-010'],
    ...following('options.due.attempt > 0'),
  ],
  [
    'takes-a-private-name-of-a-replay-for-none',
    'at the first attempt of a replay a private name counts as unanswered',
    ['NET-009'],
    tellsReplays,
    {
      file: attempt,
      find: "if (verdict.kind === 'blocked') return verdict",
      replace: `if (verdict.kind === 'blocked' && !(options.due.isReplay && options.due.attempt === 0)) return verdict
if (verdict.kind === 'blocked') throw new Error('no address to connect to')`,
    },
  ],
  [
    'tells-the-next-attempt-of-replays',
    'attempt of a pending replay is the number of the next attempt',
    ['DLV-017', 'RPL-003', 'RPL-008'],
    {
      file: 'server/api/routes-deliveries.ts',
      find: 'const items = deliveries.list(webhook.id, limit).map((delivery) => policy.shownDelivery(delivery))',
      replace: `const items = deliveries.list(webhook.id, limit).map((delivery) => policy.shownDelivery(
delivery.replayOf !== null && delivery.status === 'pending' ? { ...delivery, attempt: delivery.attempt + 1 } : delivery))`,
    },
  ],
  [
    'resumes-by-the-header-alone',
    'a stream whose key is in the query starts from now, whatever its cursor',
    ['STR-005'],
    {
      file: 'server/stream.ts',
      find: "const after = url.searchParams.get('after') ?? undefined",
      replace: "const after = url.searchParams.has('token') ? undefined : (url.searchParams.get('after') ?? undefined)",
    },
  ],
  [
    'streams-by-the-header-from-now',
    'a stream whose key is in the header starts from now, whatever its cursor',
    ['STR-005'],
    {
      file: 'server/stream.ts',
      find: "const after = url.searchParams.get('after') ?? undefined",
      replace: "const after = request.headers.authorization ? undefined : (url.searchParams.get('after') ?? undefined)",
    },
  ],
  [
    'ends-what-waits-at-a-url-for-another-webhook',
    'a second webhook on a url ends the retries that wait there',
    ['RTY-012'],
    {
      file: 'server/api/routes-webhooks.ts',
      find: 'return reply({ status: policy.webhookCreatedStatus',
      replace: `for (const each of webhooks.ofOrg(key.orgId)) if (each.url === url && each.id !== webhook.id) deliveries.stop(each.id, 'failed')
return reply({ status: policy.webhookCreatedStatus`,
    },
  ],
])
