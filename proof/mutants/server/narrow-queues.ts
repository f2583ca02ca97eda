import { patchesOfServer, type Patch } from '../define.js'
import { readsRetryAfter } from './retries.js'

const attempts = 'server/engine/attempts.ts'
const recorder = 'server/recorder.ts'
const store = 'server/store/delivery-store.ts'

const nextState = 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)'

/** What becomes of the attempt where `condition` holds of it, of its delivery `own`, and of its `event`. */
function becomes(state: string, condition: string): Patch {
  return {
    file: attempts,
    find: `const { status, nextAttemptAt } = ${nextState}`,
    replace: `const own = deliveries.get(due.id, due.webhookId)
const event = events.get(due.eventId)
const code = outcome.kind === 'answer' ? outcome.status : 0
const { status, nextAttemptAt } = ${condition} ? ${state} : ${nextState}`,
  }
}

const failed = "{ status: 'failed', nextAttemptAt: null }"
const pending = "{ status: 'pending', nextAttemptAt: null }"

/** What else is done when an attempt has ended. */
function whenEnded(code: string): Patch {
  const onEnded = 'options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })'
  return { file: attempts, find: onEnded, replace: `${code}\n${onEnded}` }
}

/** A delivery store with statements of its own: `deliveries.change(sql, ...values)`. */
const changing: Patch = {
  file: store,
  find: 'stop: (webhookId, status) => void stop.run(status, webhookId)',
  replace: `stop: (webhookId, status) => void stop.run(status, webhookId),
change: (sql, ...values) => store.prepare('update deliveries set ' + sql).run(...values)`,
}

/** Delays waiting deliveries in the store while `condition` holds for `due`, which it joins with `other`. */
function waitsWhile(condition: string): readonly [Patch, ...Patch[]] {
  const waits = `not exists (select 1 from deliveries other where ${condition} and other.webhook_id = due.webhook_id and other.seq < due.seq
  and other.status = 'pending' and other.due_at is not null and other.attempt > 0)`
  return [
    {
      file: store,
      find: `\`update deliveries set due_at = null where seq in (
       select seq from deliveries where workspace_id = ?1 and due_at is not null and due_at <= ?2
       order by due_at, seq limit ?3)
     returning id, webhook_id, event_id, attempt, next_attempt_at, seq\``,
      replace: `\`update deliveries set due_at = null where seq in (
       select seq from deliveries due where workspace_id = ?1 and due_at is not null and due_at <= ?2 and ${waits}
       order by due_at, seq limit ?3)
     returning id, webhook_id, event_id, attempt, next_attempt_at, seq\``,
    },
    {
      file: store,
      find: "'select min(due_at) from deliveries where workspace_id = ? and due_at is not null'",
      replace: `\`select min(due_at) from deliveries due where workspace_id = ? and due_at is not null and ${waits}\``,
    },
  ]
}

const messageOf = (delivery: string) =>
  `(select json_extract(data_json, '$.message_id') from events where id = ${delivery}.event_id)`

/** Where an event is sent, the retries of earlier ones of which `condition` holds end. */
function endsEarlier(condition: string): readonly [Patch, ...Patch[]] {
  return [
    changing,
    {
      file: recorder,
      find: 'queues.wake(workspaceId)',
      replace: `deliveries.change(
  \`status = 'failed', due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending' and attempt > 0 and due_at is not null
   and event_id in (select id from events where ${condition})\`,
  webhookId, ...[event].map(({ type, dataJson }) => JSON.stringify([type, JSON.parse(dataJson).message_id ?? 'none'])),
)
queues.wake(workspaceId)`,
    },
  ]
}

/** Sends a webhook no more events once `condition` held for an attempt. */
function givesUpWhen(condition: string): readonly [Patch, ...Patch[]] {
  const matches = 'policy.matchesInbox(webhook.inboxId, event)'
  return [
    whenEnded(`if (${condition}) (ownState.givenUp ??= new Set()).add(due.webhookId)`),
    { file: recorder, find: matches, replace: `${matches} && !ownState.givenUp?.has(webhook.id)` },
  ]
}

/** An attempt that falls due while one of its webhook is in flight of which `condition` holds, with it, is lost. */
function losesWhile(condition: string): Patch {
  return {
    file: attempts,
    find: 'queue.inFlight.add(attempt)',
    replace: `if ([...queue.inFlight].some(({ due: other }) => other.webhookId === due.webhookId && ${condition})) return
queue.inFlight.add(attempt)`,
  }
}

/** Deviations in one detail of the rules for waiting deliveries, and for those that wait with or after them. */
export const narrowQueueMutants = patchesOfServer([
  [
    'keeps-the-order-of-a-message',
    'an event waits for deliveries of earlier events of its message',
    ['RTY-001', 'RTY-012'],
    ...waitsWhile(`due.attempt = 0 and ${messageOf('due')} = ${messageOf('other')}`),
  ],
  [
    'ends-what-a-newer-event-of-the-message-replaces',
    'an event to a webhook ends the retries of earlier ones of its message',
    ['RTY-012', 'RTY-009'],
    ...endsEarlier("json_extract(data_json, '$.message_id') = json_extract(?, '$[1]')"),
  ],
  [
    'ends-what-a-newer-event-of-message-and-type-replaces',
    'an event ends the retries of earlier events of its message and type',
    ['RTY-012', 'RTY-009'],
    ...endsEarlier("json_array(type, json_extract(data_json, '$.message_id')) = ?"),
  ],
  [
    'ends-the-retries-of-a-pause-that-is-over',
    'once sending is resumed the retries of sending.paused end',
    ['RTY-012', 'RTY-009'],
    ...endsEarlier("type = 'sending.paused' and json_extract(?, '$[0]') = 'sending.resumed'"),
  ],
  [
    'loses-a-retry-to-an-attempt-under-way',
    'a retry that is due during a first attempt is never made',
    ['RTY-012'],
    losesWhile('due.attempt > 0 && other.attempt === 0'),
  ],
  [
    'loses-an-event-to-a-retry-under-way',
    'an event that is raised during a retry is never sent',
    ['DLV-004', 'RTY-001'],
    losesWhile('due.attempt === 0 && other.attempt > 0'),
  ],
  [
    'fails-the-original-of-a-blocked-replay',
    'a replay that is blocked ends the delivery that it repeats',
    ['RPL-006', 'RTY-012'],
    changing,
    whenEnded(
      "if (outcome.kind === 'blocked') deliveries.change(\"status = 'failed', due_at = null, next_attempt_at = null where id = ?\", deliveries.get(due.id, due.webhookId).replayOf)",
    ),
  ],
  [
    'fails-all-that-waits-where-one-is-blocked',
    'a block ends all that waits for an attempt at the webhook',
    ['RTY-012', 'RTY-010', 'RPL-006'],
    changing,
    whenEnded(
      "if (outcome.kind === 'blocked') deliveries.change(\"status = 'failed', due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending'\", due.webhookId)",
    ),
  ],
  [
    'gives-a-webhook-up-for-a-blocked-retry',
    'sends nothing more to a webhook after a blocked retry',
    ['DLV-004'],
    ...givesUpWhen("outcome.kind === 'blocked' && attempt > 1"),
  ],
  [
    'gives-a-webhook-up-for-a-blocked-replay',
    'sends nothing more to a webhook after a blocked replay',
    ['DLV-004'],
    ...givesUpWhen("outcome.kind === 'blocked' && deliveries.get(due.id, due.webhookId).replayOf !== null"),
  ],
  [
    'gives-a-webhook-up-for-a-failed-replay',
    'sends nothing more to a webhook after a replay failed permanently',
    ['DLV-004'],
    ...givesUpWhen(
      "outcome.kind !== 'blocked' && status === 'failed' && deliveries.get(due.id, due.webhookId).replayOf !== null",
    ),
  ],
  [
    'gives-a-webhook-up-for-three-timeouts',
    'sends nothing more to a webhook after three unanswered attempts in a row',
    ['DLV-004'],
    ...givesUpWhen(
      "((ownState.timeoutsInARow ??= {})[due.webhookId] = outcome.kind === 'timeout' ? (ownState.timeoutsInARow[due.webhookId] ?? 0) + 1 : 0) > 2",
    ),
  ],
  [
    'rests-after-a-timeout',
    'after a time-out the next event is sent a minute later',
    ['RTY-001', 'DLV-004'],
    whenEnded("(ownState.restsUntil ??= {})[due.webhookId] = outcome.kind === 'timeout' ? endedAt + 60_000 : 0"),
    {
      file: recorder,
      find: 'const dueAt = at + (policy.retryDelaysMs[0] ?? 0)',
      replace: 'const dueAt = Math.max(at, ownState.restsUntil?.[webhookId] ?? 0)',
    },
  ],
  [
    'rests-as-long-as-a-consumer-asks',
    'the next event waits for the Retry-After of a 429 or 503',
    ['RTY-001', 'DLV-004'],
    ...readsRetryAfter,
    whenEnded(
      "(ownState.restsUntil ??= {})[due.webhookId] = /^\\d+$/.test(outcome.retryAfter ?? '') ? endedAt + outcome.retryAfter * 1000 : 0",
    ),
    {
      file: recorder,
      find: 'const dueAt = at + (policy.retryDelaysMs[0] ?? 0)',
      replace: 'const dueAt = Math.max(at, ownState.restsUntil?.[webhookId] ?? 0)',
    },
  ],
  [
    'gives-a-webhook-up-that-refuses-a-connection',
    'sends nothing more to a webhook that refused a connection',
    ['DLV-004'],
    ...givesUpWhen("outcome.kind === 'connection' && outcome.error === 'ECONNREFUSED'"),
  ],
  [
    'gives-a-webhook-up-without-an-address',
    'sends nothing more to a webhook whose name had no address',
    ['DLV-004'],
    ...givesUpWhen("outcome.kind === 'unresolved'"),
  ],
  [
    'gives-a-webhook-up-for-a-late-410',
    'sends nothing more to a webhook that answered a retry with 410',
    ['DLV-004'],
    ...givesUpWhen("outcome.kind === 'answer' && outcome.status === 410 && attempt > 1"),
  ],
  [
    'takes-few-2xx-of-retries',
    'treats only the most usual 2xx to a retry as success',
    ['DLV-005', 'RTY-011'],
    becomes(
      '{ status: delayedStatus, nextAttemptAt: delayedUntil }',
      'attempt > 1 && code >= 205 && code < 300 && ![206, 299].includes(code)',
    ),
    {
      file: attempts,
      find: 'const attempt = due.attempt + 1',
      replace: `const attempt = due.attempt + 1
const delayedUntil = policy.retryDelaysMs[attempt] === undefined ? null : endedAt + policy.retryDelaysMs[attempt]
const delayedStatus = delayedUntil === null ? 'failed' : 'pending'`,
    },
  ],
  [
    'holds-first-attempts-behind-a-replay-that-waits',
    'a first attempt waits while a replay to the webhook waits',
    ['RTY-001'],
    ...waitsWhile('other.replay_of is not null and due.attempt = 0'),
  ],
  ['ends-with-599', 'a 599 ends the delivery', ['RTY-012', 'DLV-011'], becomes(failed, 'code === 599')],
  [
    'leaves-a-replay-pending-that-was-cut-off-at-last',
    'a replay whose last attempt got no answer stays pending',
    ['RTY-009', 'RPL-008'],
    becomes(pending, "attempt === 7 && outcome.kind === 'connection' && own.replayOf !== null"),
  ],
])
