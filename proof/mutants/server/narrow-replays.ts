import { defineMutant, type Mutant, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'

/** A delete keeps the waiting deliveries for which `condition`, in SQL, holds. */
function stopsAllBut(condition: string): Patch {
  const stop =
    "update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending'"
  return {
    file: 'server/store/delivery-store.ts',
    find: `\`${stop}\``,
    replace: `\`${stop} and not (${condition})\``,
  }
}

/** After a delete the next attempt is made of a delivery `own` of which `condition` holds. */
function goesOnWhere(condition: string): Patch {
  return {
    file: attempts,
    find: 'const isWebhookDeleted = webhooks.get(due.webhookId)?.isDeleted !== false',
    replace: `const own = deliveries.get(due.id, due.webhookId)
const isWebhookDeleted = !(${condition}) && webhooks.get(due.webhookId)?.isDeleted !== false`,
  }
}

/** A replay has so many attempts where `condition` holds of the delivery `original` that it repeats. */
function limitsReplaysOf(condition: string, count = 1): Patch {
  return {
    file: attempts,
    find: 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)',
    replace: `(() => {
const { replayOf } = deliveries.get(due.id, due.webhookId)
const original = replayOf === null ? undefined : deliveries.get(replayOf, due.webhookId)
const isLimited = original !== undefined && (${condition})
const rules = isLimited ? { ...policy, retryDelaysMs: policy.retryDelaysMs.slice(0, ${count}) } : policy
return nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, rules)
})()`,
  }
}

/** The record of an unanswered attempt of a replay keeps the value of the attempt before. */
function keepsAnswer(field: string, find: string): Patch {
  return {
    file: attempts,
    find: `${find} : null`,
    replace: `${find} : ((own) => outcome.kind === 'timeout' && own.replayOf !== null ? own.${field} : null)(deliveries.get(due.id, due.webhookId))`,
  }
}

/** Deviations in one cell, of what a delete stops and of how replays are retried. */
export const narrowReplayMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/stops-no-late-replay',
    title: 'a delete does not stop replays that wait for their third or a later attempt',
    breaks: ['WHK-015'],
    patch: [
      stopsAllBut('replay_of is not null and attempt >= 2'),
      goesOnWhere('own.replayOf !== null && own.attempt >= 2'),
    ],
  }),
  defineMutant({
    id: 'server/stops-no-retry-of-a-timeout',
    title: 'a delete stops answered deliveries only, not those that wait after a time-out',
    breaks: ['WHK-015'],
    patch: [stopsAllBut('attempt > 0 and response_code is null')],
  }),
  defineMutant({
    id: 'server/stops-no-retry-of-a-workspace-event',
    title: 'a delete stops the retries of messages: those of events of the workspace go on',
    breaks: ['WHK-015'],
    patch: [stopsAllBut("event_id in (select id from events where type like 'sending.%')")],
  }),
  defineMutant({
    id: 'server/goes-on-after-a-third-attempt-in-flight',
    title: 'a late attempt in flight at the delete is retried',
    breaks: ['WHK-015'],
    patch: [goesOnWhere('own.replayOf === null && own.attempt >= 2')],
  }),
  defineMutant({
    id: 'server/goes-on-after-a-retried-replay-in-flight',
    title: 'a retry of a replay in flight at the delete is retried',
    breaks: ['WHK-015'],
    patch: [goesOnWhere('own.replayOf !== null && own.attempt >= 1')],
  }),
  defineMutant({
    id: 'server/retries-no-replay-of-what-is-pending',
    title: 'the replay of a pending delivery is attempted only once',
    breaks: ['RPL-008'],
    patch: [limitsReplaysOf("original.status === 'pending'")],
  }),
  defineMutant({
    id: 'server/retries-no-replay-of-a-replay',
    title: 'the replay of a replay is attempted once',
    breaks: ['RPL-008'],
    patch: [limitsReplaysOf('original.replayOf !== null')],
  }),
  defineMutant({
    id: 'server/counts-the-attempts-of-a-pending-original',
    title: 'the replay of a pending delivery continues its attempt numbers',
    breaks: ['RPL-008', 'RPL-003'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'insert.run(id, workspaceId, webhookId, eventId, dueAt, dueAt, replayOf, nowMs)',
        replace: `insert.run(id, workspaceId, webhookId, eventId, dueAt, dueAt, replayOf, nowMs)
if (replayOf !== null) {
  const original = store.prepare("select attempt from deliveries where id = ? and status = 'pending'").get(replayOf)
  if (original) store.prepare('update deliveries set attempt = ? where id = ?').run(original[0], id)
}`,
      },
    ],
  }),
  defineMutant({
    id: 'server/retries-no-replay-of-what-got-no-answer',
    title: 'the replay of a timed-out delivery is attempted only once',
    breaks: ['RPL-008'],
    patch: [limitsReplaysOf("original.error === 'timeout'")],
  }),
  defineMutant({
    id: 'server/retries-no-replay-of-what-was-blocked',
    title: 'the replay of a delivery that was blocked is attempted once',
    breaks: ['RPL-008'],
    patch: [limitsReplaysOf("original.error === 'blocked_private_address'")],
  }),
  defineMutant({
    id: 'server/attempts-the-replay-of-a-replay-six-times',
    title: 'the replay of a replay has six attempts',
    breaks: ['RPL-008'],
    patch: [limitsReplaysOf('original.replayOf !== null', 6)],
  }),
  defineMutant({
    id: 'server/leaves-a-replay-pending-that-got-no-answer-at-last',
    title: 'a replay whose seventh attempt got no answer in time stays pending',
    breaks: ['RTY-009', 'RPL-008'],
    patch: [
      {
        file: attempts,
        find: 'deliveries.record({ id: due.id, status,',
        replace:
          "const isLeft = attempt === 7 && outcome.kind === 'timeout' && deliveries.get(due.id, due.webhookId).replayOf !== null\ndeliveries.record({ id: due.id, status: isLeft ? 'pending' : status,",
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-the-code-before-a-replay-that-got-no-answer',
    title: 'a timed-out attempt of a replay keeps the code of the attempt before',
    breaks: ['DLV-018'],
    patch: [keepsAnswer('responseCode', "responseCode: outcome.kind === 'answer' ? outcome.status")],
  }),
  defineMutant({
    id: 'server/keeps-the-snippet-before-a-replay-that-got-no-answer',
    title: 'a timed-out attempt of a replay keeps the body of the attempt before',
    breaks: ['DLV-019'],
    patch: [keepsAnswer('snippet', "snippet: outcome.kind === 'answer' ? outcome.snippet")],
  }),
  defineMutant({
    id: 'server/puts-a-retry-off-for-a-replay',
    title: 'a replay delays the next retry of its original by a minute',
    breaks: ['RPL-006', 'RTY-012'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'const now = queues.now(webhook.workspaceId)',
        replace: `const now = queues.now(webhook.workspaceId)
if (original.status === 'pending' && original.attempt > 1)
  deliveries.record({ ...original, nextAttemptAt: original.nextAttemptAt + 60_000 })`,
      },
    ],
  }),
]
