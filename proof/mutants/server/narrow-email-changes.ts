import { defineMutant, type Mutant, type Patch } from '../define.js'

const mail = 'server/mail.ts'
const routes = 'server/api/routes-emails.ts'

const moving = 'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))'
const cancelling = "emails.update({ ...email, status: 'canceled', recipients }, null)"

/** Remembers of an email when it was due first, and how often it was moved. */
const countsMoves: Patch = {
  file: mail,
  find: moving,
  replace:
    'emails.update({ ...email, scheduledAt, firstAt: email.firstAt ?? email.scheduledAt, moves: (email.moves ?? 0) + 1 }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
}

/** Marks an email that was in a batch of several. */
const knowsBatches: Patch = {
  file: mail,
  find: 'inputs.map((input) => accept(input, key, now))',
  replace: 'inputs.map((input) => accept(inputs.length > 1 ? { ...input, ofBatch: true } : input, key, now))',
}

/** A cancel of an email of which `condition` holds is answered, and leaves it in the queue. */
const keepsAtACancel = (condition: string): Patch => ({
  file: mail,
  find: cancelling,
  replace: `if (${condition}) return\n${cancelling}`,
})

/** Remembers of an email which inbox's key sent it. */
const knowsTheKey: Patch = {
  file: mail,
  find: "threadId: randomId(idPrefixes.thread), status: isLater ? 'scheduled' : 'queued'",
  replace: "byKey: key.inboxId, threadId: randomId(idPrefixes.thread), status: isLater ? 'scheduled' : 'queued'",
}

/** A reschedule where `condition` holds is answered, and nothing is moved. */
const movesNothingWhere = (condition: string): Patch => ({
  file: routes,
  find: "mail.reschedule(email, readInstant(body['scheduled_at']))",
  replace: `const at = readInstant(body['scheduled_at'])\nif (!(${condition})) mail.reschedule(email, at)`,
})

/** Runs code on the first result `found` of a send under a used key, and on that of a batch. */
const beforeTheSend = (code: string): Patch => ({
  file: routes,
  find: "const first = firstResults.find(request)\nif (first !== undefined) return first\nmail.checkSending(key.workspaceId)\nconst [id = '']",
  replace: `${code}\nif (first !== undefined) return first\nmail.checkSending(key.workspaceId)\nconst [id = '']`,
})

/** Hides from `telling` the events beyond `most` that are recorded at one moment in an org, as those of a batch are. */
const tellsOfOneMoment = (informative: string, most: number): Patch => ({
  file: 'server/recorder.ts',
  find: informative,
  replace: `const seen = ((ownState.eventsOfMoments ??= {})[event.orgId + at] = (ownState.eventsOfMoments[event.orgId + at] ?? 0) + 1)
if (seen <= ${most}) ${informative}`,
})

/** Deviations in one cell, of scheduled mail that is changed or repeated, of lists of mail, and of large batches. */
export const narrowEmailChangeMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/moves-nothing-for-the-key-of-an-inbox',
    title: 'a reschedule by the key of an inbox is answered, and changes nothing',
    breaks: ['SND-010', 'SND-013', 'SND-016', 'SND-018'],
    patch: [movesNothingWhere("c.get('key').inboxId !== null")],
  }),
  defineMutant({
    id: 'server/shows-what-the-key-of-an-inbox-moved-and-sends-it-before',
    title: 'an email that an inbox key rescheduled is sent at its first time',
    breaks: ['SND-013', 'SND-016'],
    patch: [
      {
        file: routes,
        find: "mail.reschedule(email, readInstant(body['scheduled_at']))",
        replace: "mail.reschedule(email, readInstant(body['scheduled_at']), c.get('key').inboxId !== null)",
      },
      { file: mail, find: 'reschedule(email, scheduledAt)', replace: 'reschedule(email, scheduledAt, isKept)' },
      {
        file: mail,
        find: moving,
        replace: `const dueAt = isKept ? (email.realAt ?? email.scheduledAt) : scheduledAt
emails.update({ ...email, scheduledAt, realAt: isKept ? dueAt : undefined }, policy.sendTime(dueAt, queues.now(email.workspaceId)))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/moves-no-email-of-an-inbox-for-the-org',
    title: "an org key's reschedule of an inbox key's email is answered, and moves nothing",
    breaks: ['SND-010', 'SND-013', 'SND-016', 'SND-018'],
    patch: [knowsTheKey, movesNothingWhere("email.byKey && c.get('key').inboxId === null")],
  }),
  defineMutant({
    id: 'server/cancels-no-email-of-an-inbox-for-the-org',
    title: "an org key's cancel of an inbox key's email is answered, and cancels nothing",
    breaks: ['SND-014'],
    patch: [
      knowsTheKey,
      {
        file: routes,
        find: 'mail.cancel(email)',
        replace: "if (!(email.byKey && c.get('key').inboxId === null)) mail.cancel(email)",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-what-was-moved-earlier-and-cancelled',
    title: 'an email rescheduled to an earlier time and cancelled is still sent',
    breaks: ['SND-014'],
    patch: [countsMoves, keepsAtACancel('email.firstAt > email.scheduledAt')],
  }),
  defineMutant({
    id: 'server/sends-what-was-moved-twice-and-cancelled',
    title: 'an email that was rescheduled twice and cancelled is sent',
    breaks: ['SND-014'],
    patch: [countsMoves, keepsAtACancel('email.moves > 1')],
  }),
  defineMutant({
    id: 'server/sends-items-that-were-moved-and-cancelled',
    title: 'an item of a batch that was rescheduled and cancelled is sent',
    breaks: ['SND-014'],
    patch: [countsMoves, knowsBatches, keepsAtACancel('email.moves > 0 && email.ofBatch')],
  }),
  defineMutant({
    id: 'server/cancels-no-item-of-a-batch-of-several',
    title: 'a cancel of an item of a batch is answered, and cancels nothing',
    breaks: ['SND-014'],
    patch: [knowsBatches, keepsAtACancel('email.ofBatch')],
  }),
  defineMutant({
    id: 'server/forgets-first-results-of-scheduled-mail-once-it-is-sent',
    title: 'a repeat of a scheduled email that was sent at its time is another email',
    breaks: ['IDM-001', 'IDM-002'],
    patch: [
      beforeTheSend(`const found = firstResults.find(request)
const kept = found && emails.get(found.body.id)
const first = kept?.scheduledAt != null && kept.status !== 'scheduled' && kept.status !== 'canceled' ? undefined : found`),
    ],
  }),
  defineMutant({
    id: 'server/schedules-a-repeat-again',
    title: 'a repeat of a scheduled email answers the first result, and is scheduled again',
    breaks: ['IDM-002'],
    patch: [
      beforeTheSend(`const first = firstResults.find(request)
if (first !== undefined && body.scheduled_at) mail.send([read(body, key)], key)`),
    ],
  }),
  defineMutant({
    id: 'server/schedules-a-repeated-batch-again',
    title: 'a repeated batch schedules its scheduled items again',
    breaks: ['IDM-002', 'IDM-005'],
    patch: [
      {
        file: routes,
        find: 'if (first !== undefined) return first\nmail.checkSending(key.workspaceId)\nconst { inputs, errors }',
        replace: `if (first !== undefined && Array.isArray(body)) mail.send(body.filter((each) => each?.scheduled_at).map((each) => read(each, key)), key)
if (first !== undefined) return first
mail.checkSending(key.workspaceId)
const { inputs, errors }`,
      },
    ],
  }),
  defineMutant({
    id: 'server/schedules-each-of-repeats-side-by-side',
    title: 'concurrent repeats of a scheduled email are each scheduled',
    breaks: ['IDM-004'],
    patch: [
      {
        file: routes,
        find: "const request = firstResults.requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })",
        replace: `const request = firstResults.requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })
if (body?.scheduled_at && firstResults.find(request) === undefined) {
  const [id] = mail.send([read(body, key)], key)
  await new Promise((resolve) => setTimeout(resolve, 5))
  firstResults.keep(request, policy.sendAnswer(id))
  return reply(firstResults.find(request) ?? policy.sendAnswer(id))
}`,
      },
    ],
  }),
  defineMutant({
    id: 'server/pages-through-emails-by-number',
    title: 'next_cursor is a page number, which shifts if the limit changes',
    breaks: ['SND-009'],
    patch: [
      { file: routes, find: 'before !== undefined && !/^msg_\\d{16}$/.test(before)', replace: 'false' },
      {
        file: routes,
        find: 'const found = emails.list({ orgId: key.orgId, inboxId: key.inboxId, before, limit: limit + 1 })',
        replace: `const passed = Number(before ?? 0) * limit
const found = emails.list({ orgId: key.orgId, inboxId: key.inboxId, before: undefined, limit: 10000 }).slice(passed, passed + limit + 1)`,
      },
      { file: routes, find: 'lastId: page.at(-1)?.id', replace: 'lastId: String(Number(before ?? 0) + 1)' },
    ],
  }),
  defineMutant({
    id: 'server/lists-scheduled-emails-first',
    title: 'lists waiting emails first, and continues a page after the id of the last',
    breaks: ['SND-009'],
    patch: [
      {
        file: 'server/store/email-store.ts',
        find: '`select id, email_json from emails where org_id = ?1 and ${condition} and id < ?3 order by id desc limit ?4`',
        replace:
          '`select id, email_json from emails where org_id = ?1 and ${condition} and id < ?3 order by due_at is null, id desc limit ?4`',
      },
    ],
  }),
  defineMutant({
    id: 'server/hides-emails-of-an-inbox-from-the-org',
    title: 'an email that an inbox key sent does not exist for an org key',
    breaks: ['SND-007'],
    patch: [
      knowsTheKey,
      {
        file: routes,
        find: 'email === undefined || !policy.keyReaches(key, email)',
        replace: 'email === undefined || !policy.keyReaches(key, email) || (email.byKey && key.inboxId === null)',
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-no-emails-of-an-inbox-to-the-org',
    title: 'an email that an inbox key sent is not listed for an org key',
    breaks: ['SND-008'],
    patch: [
      knowsTheKey,
      {
        file: routes,
        find: 'const page = found.slice(0, limit)',
        replace: 'const page = found.slice(0, limit).filter((each) => !(each.byKey && key.inboxId === null))',
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-the-first-time-of-a-rescheduled-email',
    title: 'a rescheduled email is listed with its first time',
    breaks: ['SND-018'],
    patch: [
      countsMoves,
      {
        file: routes,
        find: 'page.map((email) => policy.shownEmail(email))',
        replace:
          'page.map((email) => policy.shownEmail({ ...email, scheduledAt: email.firstAt ?? email.scheduledAt }))',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-a-hundred-events-of-a-moment',
    title: 'only a hundred events of one batch are sent to webhooks',
    breaks: ['EVT-014'],
    patch: [tellsOfOneMoment('fanOut(record, at)', 100)],
  }),
  defineMutant({
    id: 'server/streams-a-hundred-events-of-a-moment',
    title: 'of the events of one batch a hundred are streamed, and all are listed',
    breaks: ['EVT-014'],
    patch: [tellsOfOneMoment('store.afterCommit(() => publish(record))', 100)],
  }),
  defineMutant({
    id: 'server/stops-retries-of-other-webhooks-of-the-inbox',
    title: 'deleting a webhook of an inbox stops retries of its other webhooks',
    breaks: ['RTY-012'],
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'deliveries.stop(webhook.id, policy.deletedPendingStatus)',
        replace: `const isStopped = (each) => each.id === webhook.id || (each.inboxId !== null && each.inboxId === webhook.inboxId)
for (const each of webhooks.ofOrg(webhook.orgId).filter(isStopped)) deliveries.stop(each.id, policy.deletedPendingStatus)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-a-url-from-another-org',
    title: 'a webhook on a url replaces a webhook of another org on the same url',
    breaks: ['SCOPE-007', 'DLV-004'],
    patch: [
      {
        file: 'server/store/webhook-store.ts',
        find: 'insert.run(id, orgId, workspaceId, JSON.stringify(url), JSON.stringify(eventTypes), inboxId, secret)',
        replace: `store.prepare('update webhooks set deleted = 1 where url_json = ? and org_id <> ?').run(JSON.stringify(url), orgId)
byOrg.clear()
byId.clear()
insert.run(id, orgId, workspaceId, JSON.stringify(url), JSON.stringify(eventTypes), inboxId, secret)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/moves-back-what-was-cancelled-meanwhile',
    title: 'a reschedule writes the whole email back: a cancel in between is lost',
    breaks: ['SND-014'],
    patch: [
      {
        file: routes,
        find: 'const { id } = find(c)\nconst body = asObject(await readJson(c, policy))\nconst email = find(c)',
        replace: `const email = find(c)
const { id } = email
const body = asObject(await readJson(c, policy))
await new Promise((resolve) => setTimeout(resolve, 15))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/puts-an-email-that-is-moved-twice-at-once-in-the-queue-twice',
    title: 'two concurrent reschedules put the email into the queue twice',
    breaks: ['SND-016'],
    patch: [
      {
        file: routes,
        find: "mail.reschedule(email, readInstant(body['scheduled_at']))",
        replace: `const moves = ((ownState.movesUnderWay ??= {})[id] ??= [])
const at = readInstant(body['scheduled_at'])
moves.push(at)
await new Promise((resolve) => setTimeout(resolve, 15))
const isSecond = moves.length > 1 && moves.indexOf(at) > 0
if (isSecond) emails.insert({ ...email, id: email.id + '0', scheduledAt: at }, 0, at)
else mail.reschedule(email, at)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/loses-copies-of-mail-that-is-moved',
    title: 'a reschedule writes the email without its cc',
    breaks: ['EVT-003', 'EVT-004', 'EVT-005'],
    patch: [{ file: mail, find: moving, replace: moving.replace('...email,', '...email, cc: [],') }],
  }),
  defineMutant({
    id: 'server/keeps-one-recipient-of-mail-that-is-moved',
    title: 'a reschedule keeps only the first recipient of the email',
    breaks: ['EVT-003', 'EVT-004', 'EVT-005'],
    patch: [{ file: mail, find: moving, replace: moving.replace('...email,', '...email, to: email.to.slice(0, 1),') }],
  }),
  defineMutant({
    id: 'server/pages-through-emails-by-their-number',
    title: 'next_cursor counts the emails before it, so that mail sent meanwhile moves the next page',
    breaks: ['SND-009'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'const found = emails.list({ orgId: key.orgId, inboxId: key.inboxId, before, limit: limit + 1 })',
        replace: `const passed = Number((before ?? 'msg_0').slice(4))
const found = emails
  .list({ orgId: key.orgId, inboxId: key.inboxId, before: undefined, limit: passed + limit + 1 })
  .slice(passed)`,
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'lastId: page.at(-1)?.id',
        replace: "lastId: page.length === 0 ? undefined : 'msg_' + String(passed + page.length).padStart(16, '0')",
      },
    ],
  }),
]
