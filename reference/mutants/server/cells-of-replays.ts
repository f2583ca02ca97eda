import { defineMutant, type Mutant, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'

/** A delete leaves what waits and of which `condition`, in SQL, holds. */
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

/** A replay is attempted once where `condition` holds of the delivery `original` that it repeats. */
function repeatsNoReplayOf(condition: string): Patch {
  return {
    file: attempts,
    find: 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)',
    replace: `(() => {
const { replayOf } = deliveries.get(due.id, due.webhookId)
const original = replayOf === null ? undefined : deliveries.get(replayOf, due.webhookId)
const isOnce = original !== undefined && (${condition})
return nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, isOnce ? { ...policy, retryDelaysMs: [0] } : policy)
})()`,
  }
}

/** Deviations in one cell, of what a delete stops and of how replays are retried. */
export const replayCellMutants: readonly Mutant<'server'>[] = [
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
    title: 'a delete stops what was answered: what waits since an attempt got no answer is attempted again',
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
    title: 'a third or later attempt in flight when the webhook is deleted is followed by the next',
    breaks: ['WHK-015'],
    patch: [goesOnWhere('own.replayOf === null && own.attempt >= 2')],
  }),
  defineMutant({
    id: 'server/goes-on-after-a-retried-replay-in-flight',
    title: 'a retry of a replay in flight when the webhook is deleted is followed by the next',
    breaks: ['WHK-015'],
    patch: [goesOnWhere('own.replayOf !== null && own.attempt >= 1')],
  }),
  defineMutant({
    id: 'server/retries-no-replay-of-what-is-pending',
    title: 'the replay of a delivery that still waits for its retry is attempted once: the original goes on anyhow',
    breaks: ['RPL-008'],
    patch: [repeatsNoReplayOf("original.status === 'pending'")],
  }),
  defineMutant({
    id: 'server/retries-no-replay-of-a-replay',
    title: 'the replay of a replay is attempted once',
    breaks: ['RPL-008'],
    patch: [repeatsNoReplayOf('original.replayOf !== null')],
  }),
  defineMutant({
    id: 'server/counts-the-attempts-of-a-pending-original',
    title: 'the replay of a delivery that still waits for its retry goes on counting from its attempts',
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
]
