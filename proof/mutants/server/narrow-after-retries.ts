import { defineMutant, type Mutant, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'
const routes = 'server/api/routes-deliveries.ts'
const stream = 'server/stream.ts'
const shown = 'server/policy/deliveries.ts'

const isOfAReplay = 'deliveries.get(due.id, due.webhookId).replayOf !== null'

/** A delivery `original` of which `condition` holds cannot be replayed. */
const replaysNothing = (condition: string): readonly [Patch] => [
  {
    file: routes,
    find: "if (original === undefined) throw notFound('delivery', policy.foreignIdStatus)",
    replace: `if (original === undefined || (${condition})) throw notFound('delivery', policy.foreignIdStatus)`,
  },
]

/** Records fields of the delivery `original` after an attempt of its replay `own`. */
const recordsOfTheOriginal = (condition: string, fields: string): readonly [Patch] => [
  {
    file: attempts,
    find: 'options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })',
    replace: `const own = deliveries.get(due.id, due.webhookId)
const original = own.replayOf === null ? undefined : deliveries.get(own.replayOf, due.webhookId)
if (original !== undefined && original.status !== 'pending' && (${condition})) deliveries.record({ ...original, ${fields} })
options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })`,
  },
]

/** A replay ends those deliveries that wait for a retry of which `condition`, in SQL with one `value`, holds. */
const replaysInPlaceOf = (condition: string, values: string): readonly [Patch] => [
  {
    file: 'server/store/delivery-store.ts',
    find: "const id = randomId('dlv_')",
    replace: `const id = randomId('dlv_')
if (fields.replayOf !== null) store.prepare("update deliveries set due_at = null, next_attempt_at = null, status = 'failed' where ${condition} and status = 'pending' and attempt > 0").run(${values})`,
  },
]

/** What becomes of a delivery `own` where `condition` holds. */
const endsWhere = (condition: string, state: string): readonly [Patch] => [
  {
    file: attempts,
    find: 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)',
    replace: `(() => {
const own = deliveries.get(due.id, due.webhookId)
return (${condition}) && attempt < 7 ? { status: '${state}', nextAttemptAt: endedAt + policy.retryDelaysMs[attempt] } : nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)
})()`,
  },
]

/** The body of an attempt where `condition` holds, spoilt. */
const sendsOtherwise = (condition: string, spoil: string): readonly [Patch] => [
  {
    file: attempts,
    find: 'const body = bodyOf(event)',
    replace: `const body = ${condition} ? bodyOf(event)${spoil} : bodyOf(event)`,
  },
]
const shortSubject = '.replace(/("subject":"[^"]{255})[^"]*/, "$1")'
const inAscii = '.replace(/[^\\x00-\\x7f]/g, "?")'

/** The snippet that is kept of an answer. */
const keeps = (snippet: string): Patch => ({
  file: attempts,
  find: "snippet: outcome.kind === 'answer' ? outcome.snippet : null",
  replace: `snippet: outcome.kind === 'answer' ? ${snippet} : null`,
})

/** Shows a time of a next attempt for a delivery for which `condition` holds. */
const tellsAnAttemptOf = (condition: string): readonly [Patch] => [
  {
    file: shown,
    find: 'next_attempt_at: delivery.nextAttemptAt === null ?',
    replace: `next_attempt_at: ${condition} ? new Date(delivery.createdAt + 8640000000).toISOString() : delivery.nextAttemptAt === null ?`,
  },
]

/** The limit of a page of deliveries. */
const limits = (limit: string): readonly [Patch] => [
  {
    file: routes,
    find: 'const limit = readLimit(c, { defaultLimit, maxLimit, policy })',
    replace: `const limit = ${limit}`,
  },
]

/** Deviations in one detail, of deliveries with a past and their records, and of long lists and backlogs. */
export const narrowAfterRetriesMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/replays-no-late-success',
    title: 'a delivery that succeeded at a retry cannot be replayed',
    breaks: ['RPL-005'],
    patch: replaysNothing("original.status === 'succeeded' && original.attempt > 1 && original.replayOf === null"),
  }),
  defineMutant({
    id: 'server/replays-no-retried-replay',
    title: 'a replay that succeeded at a retry cannot be replayed',
    breaks: ['RPL-005'],
    patch: replaysNothing("original.status === 'succeeded' && original.attempt > 1 && original.replayOf !== null"),
  }),
  defineMutant({
    id: 'server/replays-no-pending-replay',
    title: 'a replay that waits for its retry cannot be replayed',
    breaks: ['RPL-005'],
    patch: replaysNothing("original.status === 'pending' && original.replayOf !== null"),
  }),
  defineMutant({
    id: 'server/replays-no-failed-replay',
    title: 'a replay that has failed cannot be replayed',
    breaks: ['RPL-005'],
    patch: replaysNothing("original.status === 'failed' && original.replayOf !== null"),
  }),
  defineMutant({
    id: 'server/replays-nothing-without-an-answer',
    title: 'a delivery that got no answer so far cannot be replayed',
    breaks: ['RPL-005'],
    patch: replaysNothing(
      "original.attempt > 0 && original.responseCode === null && original.error !== 'blocked_private_address'",
    ),
  }),
  defineMutant({
    id: 'server/replays-nothing-that-waits-for-hours',
    title: 'a delivery that waits for its fifth or a later attempt cannot be replayed',
    breaks: ['RPL-005'],
    patch: replaysNothing("original.status === 'pending' && original.attempt > 3 && original.responseCode !== null"),
  }),
  defineMutant({
    id: 'server/replays-nothing-of-an-inbox-for-the-org',
    title: 'an org key cannot replay a delivery of an inbox webhook',
    breaks: ['RPL-005'],
    patch: replaysNothing("webhook.inboxId !== null && c.get('key').inboxId === null"),
  }),
  defineMutant({
    id: 'server/replays-the-newest-hundred',
    title: 'a delivery older than the newest hundred cannot be replayed',
    breaks: ['RPL-005'],
    patch: [
      {
        file: routes,
        find: "deliveries.get(c.req.param('delivery_id') ?? '', webhook.id)",
        replace: "deliveries.list(webhook.id, 100).find((each) => each.id === c.req.param('delivery_id'))",
      },
    ],
  }),
  defineMutant({
    id: 'server/fails-the-original-of-a-failed-replay',
    title: 'a replay that has failed makes the delivery that it repeats failed, too',
    breaks: ['RPL-006'],
    patch: recordsOfTheOriginal("status === 'failed'", "status: 'failed'"),
  }),
  defineMutant({
    id: 'server/settles-the-original-of-a-retried-replay',
    title: 'a replay that succeeds at a retry makes the delivery that it repeats succeeded, too',
    breaks: ['RPL-006'],
    patch: recordsOfTheOriginal("status === 'succeeded' && attempt > 1", "status: 'succeeded'"),
  }),
  defineMutant({
    id: 'server/calls-the-original-of-a-failing-replay-pending',
    title: 'a replay that waits for a retry makes the delivery that it repeats pending, too',
    breaks: ['RPL-006'],
    patch: recordsOfTheOriginal("status === 'pending'", "status: 'pending'"),
  }),
  defineMutant({
    id: 'server/keeps-the-answer-to-a-replay-with-the-original',
    title: 'the answer to a replay is also recorded for the original',
    breaks: ['RPL-006'],
    patch: recordsOfTheOriginal('true', 'responseCode: own.responseCode, snippet: own.snippet'),
  }),
  defineMutant({
    id: 'server/settles-the-replay-that-a-replay-repeats',
    title: 'the replay of a replay leaves the first replay with the status of the second',
    breaks: ['RPL-006'],
    patch: recordsOfTheOriginal('original.replayOf !== null', 'status'),
  }),
  defineMutant({
    id: 'server/replays-in-place-of-a-replay-that-waits',
    title: 'a second replay of a delivery replaces a first that waits',
    breaks: ['RPL-008'],
    patch: replaysInPlaceOf('replay_of = ?', 'fields.replayOf'),
  }),
  defineMutant({
    id: 'server/replays-in-place-of-retries-elsewhere',
    title: 'a replay ends the retries of the event at other webhooks',
    breaks: ['RTY-012'],
    patch: replaysInPlaceOf('event_id = ? and webhook_id <> ?', 'fields.eventId, fields.webhookId'),
  }),
  defineMutant({
    id: 'server/goes-on-with-a-replay-that-succeeded-late',
    title: 'repeats a replay that succeeded at a retry',
    breaks: ['DLV-006', 'RPL-008'],
    patch: endsWhere(
      "own.replayOf !== null && attempt > 1 && outcome.kind === 'answer' && outcome.status < 300",
      'succeeded',
    ),
  }),
  defineMutant({
    id: 'server/retries-a-blocked-replay',
    title: 'a replay that was blocked is failed, and attempted again when its retry is due',
    breaks: ['NET-009'],
    patch: endsWhere("own.replayOf !== null && attempt > 2 && outcome.kind === 'blocked'", 'failed'),
  }),
  defineMutant({
    id: 'server/retries-what-was-blocked-late',
    title: 'a delivery blocked at a late attempt is attempted again',
    breaks: ['NET-009'],
    patch: endsWhere("own.replayOf === null && attempt > 2 && outcome.kind === 'blocked'", 'failed'),
  }),
  defineMutant({
    id: 'server/tells-a-next-attempt-of-what-was-blocked-late',
    title: 'next_attempt_at is set if a retry was blocked',
    breaks: ['NET-009'],
    patch: tellsAnAttemptOf("delivery.error === 'blocked_private_address' && delivery.attempt > 1"),
  }),
  defineMutant({
    id: 'server/tells-a-next-attempt-of-a-replay-that-succeeded',
    title: 'next_attempt_at is set after a replay succeeded',
    breaks: ['DLV-020'],
    patch: tellsAnAttemptOf("delivery.replayOf !== null && delivery.status === 'succeeded'"),
  }),
  defineMutant({
    id: 'server/tells-a-next-attempt-of-a-replay-that-failed',
    title: 'next_attempt_at is set if a replay has failed',
    breaks: ['DLV-020'],
    patch: tellsAnAttemptOf("delivery.replayOf !== null && delivery.status === 'failed'"),
  }),
  defineMutant({
    id: 'server/keeps-no-code-of-a-replay-that-succeeded',
    title: 'the code of the answer with which a replay succeeds is not kept',
    breaks: ['DLV-018'],
    patch: [
      {
        file: attempts,
        find: "responseCode: outcome.kind === 'answer' ?",
        replace: `responseCode: outcome.kind === 'answer' && !(status === 'succeeded' && ${isOfAReplay}) ?`,
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-no-snippet-of-a-replay-that-succeeded',
    title: 'the body of the answer with which a replay succeeds is not kept',
    breaks: ['DLV-019'],
    patch: [keeps(`(status === 'succeeded' && ${isOfAReplay} ? null : outcome.snippet)`)],
  }),
  defineMutant({
    id: 'server/keeps-255-characters-of-a-replay',
    title: 'the snippet of an answer to a replay has 255 characters',
    breaks: ['DLV-019'],
    patch: [keeps(`outcome.snippet.slice(0, ${isOfAReplay} ? 255 : 500)`)],
  }),
  defineMutant({
    id: 'server/keeps-255-characters-of-a-retry',
    title: 'the snippet of an answer to a second or later attempt has 255 characters',
    breaks: ['DLV-019'],
    patch: [keeps('outcome.snippet.slice(0, attempt > 1 ? 255 : 500)')],
  }),
  defineMutant({
    id: 'server/replays-short-subjects',
    title: 'subjects are cut at 255 letters when a delivery is replayed',
    breaks: ['RPL-002'],
    patch: sendsOtherwise(isOfAReplay, shortSubject),
  }),
  defineMutant({
    id: 'server/replays-in-ascii',
    title: 'letters outside ASCII are lost when a delivery is replayed',
    breaks: ['RPL-002'],
    patch: sendsOtherwise(isOfAReplay, inAscii),
  }),
  defineMutant({
    id: 'server/retries-short-subjects',
    title: 'subjects are cut at 255 letters at the second and later attempts',
    breaks: ['RTY-014'],
    patch: sendsOtherwise('due.attempt > 0', shortSubject),
  }),
  defineMutant({
    id: 'server/retries-in-ascii',
    title: 'letters outside ASCII are lost at the second and later attempts',
    breaks: ['RTY-014'],
    patch: sendsOtherwise('due.attempt > 0', inAscii),
  }),
  defineMutant({
    id: 'server/retries-a-replay-without-the-query',
    title: 'the retry of a replay is sent to the url without its query',
    breaks: ['DLV-001'],
    patch: [
      {
        file: attempts,
        find: 'const { url, secret } = webhook',
        replace: `const { secret } = webhook
const url = due.attempt > 0 && ${isOfAReplay} ? webhook.url.split('?')[0] : webhook.url`,
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-the-backlog-in-ascii',
    title: 'letters outside ASCII are lost in the backlog of a stream',
    breaks: ['EVT-014'],
    patch: [
      {
        file: stream,
        find: 'for (const event of page) send(client, frameOf(event))',
        replace: `for (const event of page) send(client, Buffer.from(frameOf(event).toString()${inAscii}))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/falls-silent-behind-full-pages',
    title: 'a stream whose backlog ends with a full page never goes live',
    breaks: ['STR-005'],
    patch: [
      {
        file: stream,
        find: 'if (page.length < policy.streamPageSize) client.isLive = true',
        replace: `if (page.length === 0 && client.hadPage) return
client.hadPage = true
if (page.length < policy.streamPageSize) client.isLive = true`,
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-twenty-for-the-key-of-an-inbox',
    title: 'the default page of deliveries has 20 for the key of an inbox',
    breaks: ['DLV-013'],
    patch: limits(
      "readLimit(c, { defaultLimit: c.get('key').inboxId === null ? defaultLimit : 20, maxLimit, policy })",
    ),
  }),
  defineMutant({
    id: 'server/ignores-the-limit-of-the-key-of-an-inbox',
    title: 'the limit of a page of deliveries is ignored for the key of an inbox',
    breaks: ['DLV-014'],
    patch: limits("c.get('key').inboxId === null ? readLimit(c, { defaultLimit, maxLimit, policy }) : defaultLimit"),
  }),
  defineMutant({
    id: 'server/ignores-the-limit-after-the-delete',
    title: 'the limit of a page of deliveries is ignored once the webhook is deleted',
    breaks: ['DLV-014'],
    patch: limits('webhook.isDeleted ? defaultLimit : readLimit(c, { defaultLimit, maxLimit, policy })'),
  }),
  defineMutant({
    id: 'server/lists-any-number-of-a-webhook-of-an-inbox',
    title: 'there is no maximum for the deliveries of a webhook of one inbox',
    breaks: ['DLV-015'],
    patch: limits('readLimit(c, { defaultLimit, maxLimit: webhook.inboxId === null ? maxLimit : 1000, policy })'),
  }),
]
