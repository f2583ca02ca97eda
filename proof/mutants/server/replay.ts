import { defineMutant, type Mutant } from '../define.js'

/** Deviations in replays. */
export const replayMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/replays-what-is-pending-as-a-new-event',
    title: 'a replay of a pending delivery sends an event of another id',
    breaks: ['RPL-002'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const body = bodyOf(event)',
        replace: `const repeated = deliveries.get(due.id, due.webhookId)?.replayOf ?? ''
      const isNew = deliveries.get(repeated, due.webhookId)?.status === 'pending'
      const body = bodyOf(isNew ? { ...event, id: due.id } : event)`,
      },
      {
        file: 'server/engine/attempts.ts',
        find: 'makeAttempt({ due,',
        replace: 'makeAttempt({ due: isNew ? { ...due, eventId: due.id } : due,',
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-with-200',
    title: 'a replay answers 200',
    breaks: ['RPL-001'],
    policy: {
      replayAnswer: (shown) => ({ status: 200, body: shown }),
    },
  }),
  defineMutant({
    id: 'server/replays-nothing',
    title: 'a replay answers 202 and sends nothing',
    breaks: ['RPL-002', 'RPL-003'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'const id = deliveries.create(',
        replace: 'const id = ((_) => original.id)(',
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-the-original',
    title: 'a replay starts the original delivery again',
    breaks: ['RPL-003', 'RPL-004', 'RPL-006'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'const id = deliveries.create(',
        replace: `const again = ({ dueAt }) => {
  services.store.prepare("update deliveries set status = 'pending', attempt = 0, due_at = ?, next_attempt_at = ? where id = ?").run(dueAt, dueAt, original.id)
  return original.id
}
const id = again(`,
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-without-a-name',
    title: 'replay_of is not set',
    breaks: ['RPL-004'],
    policy: { replayOf: () => null },
  }),
  defineMutant({
    id: 'server/replays-only-failures',
    title: 'only a failed delivery can be replayed',
    breaks: ['RPL-005', 'RPL-001'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: "if (webhook.isDeleted && policy.replayAfterDelete === 'refuse') {",
        replace: "if (original.status !== 'failed' || webhook.isDeleted) {",
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-no-failures',
    title: 'a failed delivery cannot be replayed',
    breaks: ['RPL-005'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: "if (webhook.isDeleted && policy.replayAfterDelete === 'refuse') {",
        replace: "if (original.status === 'failed' || webhook.isDeleted) {",
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-only-what-ended',
    title: 'a pending delivery cannot be replayed',
    breaks: ['RPL-005'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: "if (webhook.isDeleted && policy.replayAfterDelete === 'refuse') {",
        replace: "if (original.status === 'pending' || webhook.isDeleted) {",
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-the-latest-event',
    title: 'a replay sends the newest event',
    breaks: ['RPL-002'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'eventId: original.eventId',
        replace: "eventId: services.store.prepare('select max(id) from events where org_id = ?').get(webhook.orgId)[0]",
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-later',
    title: 'a replay waits for an hour',
    breaks: ['RPL-002'],
    patch: [{ file: 'server/api/routes-deliveries.ts', find: 'dueAt: now', replace: 'dueAt: now + 3_600_000' }],
  }),
  defineMutant({
    id: 'server/replays-once',
    title: 'a replay that fails is not retried',
    breaks: ['RPL-008'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)',
        replace:
          'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, deliveries.get(due.id, due.webhookId).replayOf === null ? policy : { ...policy, retryDelaysMs: [0] })',
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-three-times',
    title: 'the fourth replay of a delivery is answered with 202 and not made',
    breaks: ['RPL-002', 'RPL-001'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'const now = queues.now(webhook.workspaceId)',
        replace:
          'if (deliveries.list(webhook.id, 100).filter((each) => each.replayOf === original.id).length >= 3) return reply(policy.replayAnswer(policy.shownDelivery(original))); const now = queues.now(webhook.workspaceId)',
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-with-a-new-id',
    title: 'a replay has its own webhook-id',
    breaks: ['RPL-007', 'SIG-001'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'makeAttempt({ due,',
        replace:
          'makeAttempt({ due: deliveries.get(due.id, due.webhookId).replayOf === null ? due : { ...due, eventId: due.id },',
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-with-a-new-event-time',
    title: 'the timestamp of a replayed event is that of the replay',
    breaks: ['RPL-002'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const body = bodyOf(event)',
        replace: `const isFirst = deliveries.get(due.id, due.webhookId).replayOf === null
const body = bodyOf(event).replace(/"timestamp":"[^"]*"/, (own) => (isFirst ? own : \`"timestamp":"\${new Date(startedAt + 1).toISOString()}"\`))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-with-the-old-timestamp',
    title: 'a replay is signed with the time of the event',
    breaks: ['RPL-007'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'attemptAt: startedAt',
        replace:
          'attemptAt: deliveries.get(due.id, due.webhookId).replayOf === null ? startedAt : startedAt - 7_200_000',
      },
    ],
  }),
  defineMutant({
    id: 'server/retries-no-replay-of-a-scoped-key',
    title: 'attempts a replay requested by an inbox key only once',
    breaks: ['RPL-008'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'queues.wake(webhook.workspaceId)',
        replace: `if (c.get('key').inboxId !== null) (ownState.replaysOfScopedKeys ??= new Set()).add(id)
        queues.wake(webhook.workspaceId)`,
      },
      {
        file: 'server/engine/attempts.ts',
        find: 'const isWebhookDeleted = webhooks.get(due.webhookId)?.isDeleted !== false',
        replace:
          'const isWebhookDeleted = ownState.replaysOfScopedKeys?.has(due.id) || webhooks.get(due.webhookId)?.isDeleted !== false',
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-no-workspace-event',
    title: 'a delivery of an event that belongs to no inbox cannot be replayed',
    breaks: ['RPL-001'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'if (original === undefined)',
        replace:
          "if (original === undefined || String(services.events.get(original.eventId)?.type).startsWith('sending.'))",
      },
    ],
  }),
  defineMutant({
    id: 'server/replays-nothing-that-was-blocked',
    title: 'a delivery that was blocked cannot be replayed',
    breaks: ['RPL-005', 'RPL-001'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'if (original === undefined)',
        replace: "if (original === undefined || original.error === 'blocked_private_address')",
      },
    ],
  }),
]
