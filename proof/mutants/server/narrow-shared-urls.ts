import { patchesOfServer, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'
const emails = 'server/api/routes-emails.ts'
const mail = 'server/mail.ts'
const recorder = 'server/recorder.ts'
const webhooks = 'server/api/routes-webhooks.ts'

const nextState = 'nextState({ attempt, outcome, startedAt, endedAt, isWebhookDeleted }, policy)'

/** The delivery `own` ends, or succeeds, where `condition` holds of it and of the attempt. */
function decides(status: 'failed' | 'succeeded', condition: string): Patch {
  return {
    file: attempts,
    find: `const { status, nextAttemptAt } = ${nextState}`,
    replace: `const own = deliveries.get(due.id, due.webhookId)
const { status, nextAttemptAt } = ${condition} ? { status: '${status}', nextAttemptAt: null } : ${nextState}`,
  }
}

/** What else is done when an attempt has ended. */
function whenEnded(code: string): Patch {
  const onEnded = 'options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })'
  return { file: attempts, find: onEnded, replace: `${code}\n${onEnded}` }
}

/** Which webhooks an event goes to: `condition` takes the place of the last two of three. */
function sendsWhere(condition: string): Patch {
  const types = 'policy.matchesTypes(webhook.eventTypes, event.type)'
  const inbox = 'policy.matchesInbox(webhook.inboxId, event)'
  return {
    file: recorder,
    find: `!webhook.isDeleted && ${types} && ${inbox}`,
    replace: `!webhook.isDeleted && ${condition.replace('TYPES', () => types).replace('INBOX', () => inbox)}`,
  }
}

/** Caches the list of webhooks for each key, until the events in `forget`: a create, a delete, or both. */
function keepsList(...forget: readonly ('create' | 'delete')[]): readonly [Patch, ...Patch[]] {
  const drop = "delete (ownState.keptLists ??= {})[c.get('key').id]\n"
  const places = { create: 'await checkUrl(url, { policy, egress })', delete: 'webhooks.delete(webhook)' }
  return [
    {
      file: webhooks,
      find: "const start = Number(c.req.query('cursor') ?? 0)",
      replace: `const kept = ((ownState.keptLists ??= {})[key.id] ??= [...items])
items.splice(0, items.length, ...kept)
const start = Number(c.req.query('cursor') ?? 0)`,
    },
    ...forget.map((operation) => ({ file: webhooks, find: places[operation], replace: drop + places[operation] })),
  ]
}

/** An item of a batch that is scheduled takes `fields` of the first. */
function takesOfFirst(fields: string): Patch {
  const mapped = 'store.transaction(() => inputs.map((input) => accept('
  return {
    file: mail,
    find: `${mapped}input, key, now)))`,
    replace: `${mapped}${fields}, key, now)))`,
  }
}

const moved = 'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))'
/** Counts how often an email was moved, and keeps its first time. */
const counted: Patch = {
  file: mail,
  find: moved,
  replace: moved.replace(
    '{ ...email, scheduledAt }',
    '{ ...email, scheduledAt, firstAt: email.firstAt ?? email.scheduledAt, moves: (email.moves ?? 0) + 1 }',
  ),
}
const raise = 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })'
const quiet: Patch = { file: mail, find: raise, replace: raise.replace('at })', 'at, isMoved: email.moves > 0 })') }

const emoji = String.raw`replace(/[\ud800-\udfff]{2}/g, '?')`
/** Signs beyond the first plane are lost where `condition` holds. */
function losesEmoji(condition: string): Patch {
  return {
    file: attempts,
    find: 'const body = bodyOf(event)',
    replace: `const isReplay = deliveries.get(due.id, due.webhookId).replayOf !== null
const body = ${condition} ? bodyOf(event).${emoji} : bodyOf(event)`,
  }
}

/** Reads a time with this expression instead of `Date.parse`. */
function reads(expression: string): Patch {
  return {
    file: 'server/instants.ts',
    find: String.raw`Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))`,
    replace: expression,
  }
}

/** What a repeat of a send does before it gets the first result, where the first `email` is a scheduled one. */
function repeats(code: string): Patch {
  const find = `const first = firstResults.find(request)
      if (first !== undefined) return first
      mail.checkSending(key.workspaceId)
      const [id = '']`
  const replace = `const first = firstResults.find(request)
const email = first && body.scheduled_at ? emails.get(first.body.id) : undefined
if (email) { ${code} }
      if (first !== undefined) return first
      mail.checkSending(key.workspaceId)
      const [id = '']`
  return { file: emails, find, replace }
}

/**
 * Deviations that show with a neighbour: another key, another webhook on the URL, another item of a batch, another time, the original of a
 * replay.
 */
export const narrowSharedUrlMutants = patchesOfServer([
  [
    'keeps-the-list-of-webhooks-for-each-key',
    'the list of webhooks is cached per key until that key changes one',
    ['WHK-017', 'WHK-011'],
    ...keepsList('create', 'delete'),
  ],
  [
    'keeps-the-list-of-webhooks-until-a-delete',
    'the list of webhooks is kept for each key until that key deletes one',
    ['WHK-011'],
    ...keepsList('delete'),
  ],
  [
    'a-delete-takes-all-on-the-url',
    'deleting a webhook deletes every webhook of the org on its url',
    ['WHK-017', 'WHK-011', 'DLV-004'],
    {
      file: webhooks,
      find: 'webhooks.delete(webhook)',
      replace: 'for (const each of webhooks.ofOrg(webhook.orgId)) if (each.url === webhook.url) webhooks.delete(each)',
    },
  ],
  [
    'filters-by-url',
    'the filter of the first webhook on a url is that of all',
    ['WHK-009', 'DLV-004'],
    sendsWhere(
      'policy.matchesTypes(((ownState.typesOfUrl ??= {})[webhook.orgId + webhook.url] ??= webhook.eventTypes), event.type) && INBOX',
    ),
  ],
  [
    'limits-by-url',
    'the inbox of the first webhook on a url is that of all',
    ['SCOPE-005', 'DLV-004'],
    sendsWhere(
      'TYPES && policy.matchesInbox(((ownState.inboxOfUrl ??= {})[webhook.orgId + webhook.url] ??= { id: webhook.inboxId }).id, event)',
    ),
  ],
  [
    'lists-the-newest-filter-of-a-url',
    'webhooks on one url are listed with the filter of the newest',
    ['WHK-011'],
    {
      file: webhooks,
      find: '.map((webhook) => policy.listedWebhook(webhook))',
      replace:
        '.map((webhook, _, all) => policy.listedWebhook({ ...webhook, eventTypes: all.findLast((each) => each.url === webhook.url).eventTypes }))',
    },
  ],
  [
    'signs-replays-with-the-newest-secret-of-a-url',
    'a replay is signed with the secret of the newest webhook on the url',
    ['SIG-006', 'RPL-002'],
    {
      file: attempts,
      find: 'const { url, secret } = webhook',
      replace:
        'const url = webhook.url\nconst secret = deliveries.get(due.id, due.webhookId).replayOf !== null ? webhooks.ofOrg(webhook.orgId).findLast((each) => each.url === url).secret : webhook.secret',
    },
  ],
  [
    'keeps-fifty-retries-waiting',
    'at most fifty deliveries of a webhook wait for a retry; others fail',
    ['DLV-011', 'RTY-012'],
    decides(
      'failed',
      "deliveries.list(due.webhookId, 200).filter((each) => each.status === 'pending' && each.attempt > 0 && each.id !== due.id).length >= 50",
    ),
  ],
  [
    'gives-a-webhook-up-for-five-failures',
    'sends nothing more to a webhook after five deliveries failed permanently',
    ['DLV-004'],
    whenEnded(
      "if (status !== 'pending') (ownState.failedInARow ??= {})[due.webhookId] = status === 'failed' ? (ownState.failedInARow[due.webhookId] ?? 0) + 1 : 0",
    ),
    sendsWhere('TYPES && INBOX && !((ownState.failedInARow ?? {})[webhook.id] >= 5)'),
  ],
  [
    'ends-a-replay-with-410',
    'a 410 to a replay ends it',
    ['RPL-008', 'RTY-012'],
    decides('failed', "outcome.kind === 'answer' && outcome.status === 410 && own.replayOf !== null"),
  ],
  [
    'takes-a-304-to-a-retry-for-success',
    'a 304 to a second or later attempt is success',
    ['RTY-012', 'DLV-018'],
    decides('succeeded', "outcome.kind === 'answer' && outcome.status === 304 && attempt > 1"),
  ],
  [
    'ends-a-replay-with-its-original',
    'a waiting replay ends once the delivery that it repeats has succeeded',
    ['RPL-008'],
    whenEnded(
      "if (status === 'succeeded') for (const each of deliveries.list(due.webhookId, 100)) if (each.replayOf === due.id && each.attempt > 0 && each.status === 'pending') deliveries.record({ ...each, nextAttemptAt: null })",
    ),
  ],
  [
    'fails-a-replay-with-its-original',
    'a replay that waits for its retry fails when the delivery that it repeats does',
    ['RPL-008'],
    whenEnded(
      "if (status === 'failed') for (const each of deliveries.list(due.webhookId, 100)) if (each.replayOf === due.id && each.attempt > 0 && each.status === 'pending') deliveries.record({ ...each, status, nextAttemptAt: null })",
    ),
  ],
  [
    'loses-emoji-in-replays',
    'characters beyond U+FFFF, like emoji, are lost when a delivery is replayed',
    ['RPL-002'],
    losesEmoji('isReplay'),
  ],
  [
    'loses-emoji-in-retries',
    'characters beyond U+FFFF, like emoji, are lost at the second and later attempts',
    ['RTY-014'],
    losesEmoji('due.attempt > 0'),
  ],
  [
    'tells-two-projects',
    'raises sending.paused in the first two projects of a workspace only',
    ['EVT-012'],
    {
      file: 'server/sending.ts',
      find: 'for (const orgId of directory.orgsOf(workspaceId)) {',
      replace: 'for (const orgId of directory.orgsOf(workspaceId).slice(0, 2)) {',
    },
  ],
  [
    'leaves-out-webhooks-made-while-paused',
    'a webhook that is made while sending is paused gets nothing',
    ['DLV-004'],
    {
      file: webhooks,
      find: 'return reply({ status: policy.webhookCreatedStatus',
      replace:
        "if (directory.workspace(key.workspaceId)?.sending === 'paused') (ownState.madeWhilePaused ??= new Set()).add(webhook.id)\nreturn reply({ status: policy.webhookCreatedStatus",
    },
    sendsWhere('TYPES && INBOX && !ownState.madeWhilePaused?.has(webhook.id)'),
  ],
  [
    'batch-items-are-from-the-sender-of-the-first',
    'message.received of every item of a batch has the sender of the first',
    ['EVT-003'],
    takesOfFirst('{ ...input, from: inputs[0].from }'),
  ],
  [
    'scheduled-batch-items-are-from-the-sender-of-the-first',
    'message.received of every scheduled item of a batch has the sender of the first',
    ['EVT-003'],
    takesOfFirst('input.scheduledAt === null ? input : { ...input, from: inputs[0].from }'),
  ],
  [
    'scheduled-batch-items-go-to-the-recipient-of-the-first',
    'every scheduled item of a batch goes to the recipient of the first',
    ['EVT-003', 'EVT-004'],
    takesOfFirst('input.scheduledAt === null ? input : { ...input, to: inputs[0].to }'),
  ],
  [
    'moved-mail-has-its-first-time',
    'the events of a rescheduled email have its first time',
    ['EVT-002', 'POL-009'],
    counted,
    {
      file: mail,
      find: 'const at = isInRealTime ? dueAt + clock.offsetMs : dueAt',
      replace: 'const at = email.firstAt ?? (isInRealTime ? dueAt + clock.offsetMs : dueAt)',
    },
  ],
  [
    'moved-mail-is-not-sent-to-webhooks',
    'events of a rescheduled email are not sent to webhooks',
    ['EVT-014'],
    counted,
    quiet,
    { file: recorder, find: 'fanOut(record, at)', replace: 'if (!event.isMoved) fanOut(record, at)' },
  ],
  [
    'moved-mail-is-received-by-nobody',
    'received mail from a rescheduled email raises nothing',
    ['EVT-003'],
    counted,
    { file: mail, find: 'if (inbox) {', replace: 'if (inbox && !email.moves) {' },
  ],
  [
    'shows-each-key-an-email-as-it-read-it',
    'a scheduled email is cached per key until that key moves it',
    ['SND-018'],
    {
      file: emails,
      find: 'return reply({ status: 200, body: policy.shownEmail(find(c)) })',
      replace:
        "const email = find(c)\nconst kept = ((ownState.keptEmails ??= {})[c.get('key').id + email.id] ??= policy.shownEmail(email))\nreturn reply({ status: 200, body: email.status === 'scheduled' ? kept : policy.shownEmail(email) })",
    },
    {
      file: emails,
      find: "mail.reschedule(email, readInstant(body['scheduled_at']))",
      replace:
        "mail.reschedule(email, readInstant(body['scheduled_at']))\ndelete (ownState.keptEmails ??= {})[c.get('key').id + email.id]",
    },
  ],
  [
    'reads-whole-hours-of-a-zone',
    'of an offset from UTC the hours are read, and not the minutes',
    ['SND-018', 'SND-013'],
    reads(String.raw`Date.parse(text.replace(/([+-]\d\d):?(\d\d)$/, '$1:00'))`),
  ],
  [
    'adds-minutes-to-zones-behind-utc',
    'adds the minutes of a negative UTC offset instead of subtracting them',
    ['SND-018', 'SND-013'],
    reads(
      String.raw`(Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) - (/-\d\d:?\d\d$/.test(text) ? 120_000 * Number(text.slice(-2)) : 0))`,
    ),
  ],
  [
    'a-repeat-moves-an-email-back',
    'a repeat of a scheduled email moves it back to its first time',
    ['SND-018', 'IDM-002'],
    repeats("if (email.status === 'scheduled') mail.reschedule(email, readInstant(body.scheduled_at))"),
  ],
  [
    'a-repeat-takes-a-cancel-back',
    'a repeat of an email that was cancelled schedules it again',
    ['IDM-002'],
    repeats(
      "if (email.status === 'canceled') store.prepare('update emails set due_at = ?1, email_json = ?2 where id = ?3').run(readInstant(body.scheduled_at), JSON.stringify({ ...email, status: 'scheduled' }), email.id)",
    ),
  ],
  [
    'reads-a-hundred-letters-of-a-key',
    'of an Idempotency-Key the first hundred letters count',
    ['IDM-003'],
    {
      file: 'server/policy/emails.ts',
      find: 'idempotencySlot: ({ orgId, key }) => JSON.stringify([orgId, key])',
      replace: 'idempotencySlot: ({ orgId, key }) => JSON.stringify([orgId, key.slice(0, 100)])',
    },
  ],
])
