import { patchesOfServer, type Patch } from '../define.js'
import { readsItemsAs } from './narrow-batches.js'

const mail = 'server/mail.ts'
const emailRoutes = 'server/api/routes-emails.ts'
const emailStore = 'server/store/email-store.ts'
const sending = 'server/sending.ts'

const inList = 'return list.all(query.orgId, query.inboxId, before, query.limit).map(toEmail)'
const reaches = 'if (email === undefined || !policy.keyReaches(key, email))'
const readsItems = 'read: (item) => read(item, key)'
const outcome = 'tell(event.type, { recipient: address,'
const isPaused = "const isPaused = (workspaceId) => directory.workspace(workspaceId)?.sending === 'paused'"
const letsSend = 'if (!isPaused(workspaceId)) return'

/** The mistake is made in a project that is not the first of its workspace. */
const isFurther = '(directory.orgsOf(key.workspaceId)[0] !== key.orgId)'

/** An email remembers whether the key of an inbox sent it. */
const remembersTheKey = readsItemsAs('{ ...input, isByInbox: key.inboxId !== null }')

/** Marks events that are raised for mail. */
const tellsMail: readonly [Patch, Patch] = [
  {
    file: mail,
    find: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })',
    replace: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at, isOfMail: true })',
  },
  {
    file: 'server/recorder.ts',
    find: 'fanOut(record, at)',
    replace: 'fanOut({ ...record, isOfMail: event.isOfMail }, at)',
  },
]

/** Deviations that show where there are more: emails than a page, projects, workspaces, or items for one inbox. */
export const narrowSeveralProjectMutants = patchesOfServer([
  [
    'lists-the-newest-hundred-emails',
    'the list of emails is that of the newest hundred, which are paged through',
    ['SND-009'],
    {
      file: emailStore,
      find: inList,
      replace: `const newestOfAll = new Set(list.all(query.orgId, query.inboxId, '~', 100).map(([id]) => id))
return list.all(query.orgId, query.inboxId, before, query.limit).filter(([id]) => newestOfAll.has(id)).map(toEmail)`,
    },
  ],
  [
    'lists-no-email-that-was-sent-at-its-time',
    'a scheduled email is listed until it is sent',
    ['SND-008'],
    {
      file: emailRoutes,
      find: 'const items = page.map(',
      replace:
        "const items = page.filter(({ scheduledAt, status }) => scheduledAt === null || status === 'scheduled' || status === 'canceled').map(",
    },
  ],
  [
    'ends-the-emails-at-one-that-was-cancelled',
    'a page without its cancelled emails counts as the last',
    ['SND-009'],
    {
      file: emailRoutes,
      find: 'const page = found.slice(0, limit)',
      replace: "const page = found.slice(0, limit).filter(({ status }) => status !== 'canceled')",
    },
    {
      file: emailRoutes,
      find: 'hasMore: found.length > limit',
      replace: 'hasMore: page.length === limit && found.length > limit',
    },
  ],
  [
    'finds-no-email-of-a-further-project',
    'an email is looked up in the first project of its workspace',
    ['SND-007', 'SND-010', 'SND-011'],
    {
      file: emailRoutes,
      find: reaches,
      replace: `if (email === undefined || !policy.keyReaches(key, email) || ${isFurther})`,
    },
  ],
  [
    'lists-no-emails-of-a-further-project',
    'the list of emails is empty in a second project',
    ['SND-008'],
    { file: emailRoutes, find: 'const items = page.map(', replace: `const items = (${isFurther} ? [] : page).map(` },
  ],
  [
    'sends-unverified-items-of-a-permissive-batch',
    'reports a batch item with a refused sender, but sends it anyway',
    ['SND-012'],
    {
      file: emailRoutes,
      find: readsItems,
      replace: `read: (item) => {
  try {
    return read(item, key)
  } catch (error) {
    if (mode === 'permissive' && error.code === 'sender_not_verified')
      mail.send([readEmail(item, { policy: { ...policy, senderAllowed: () => true }, verifiedDomains: [] })], key)
    throw error
  }
}`,
    },
  ],
  [
    'sends-the-good-items-of-a-batch-refused-for-its-senders',
    'a batch refused for its senders has sent its other items',
    ['SND-006'],
    {
      file: emailRoutes,
      find: 'throw invalidBatch(errors, inputs.length + errors.length, policy)',
      replace: `{
  const refusal = invalidBatch(errors, inputs.length + errors.length, policy)
  if (errors.some(({ code }) => code !== 'sender_not_verified')) throw refusal
  mail.send(inputs, key)
  return { status: refusal.status, body: policy.errorBody(refusal) }
}`,
    },
  ],
  [
    'refuses-a-batch-for-a-time-as-one-email',
    'answers an invalid scheduled_at in a batch without errors',
    ['SND-006'],
    {
      file: 'server/api/batch.ts',
      find: 'if (!(error instanceof ApiError)) throw error',
      replace: 'if (!(error instanceof ApiError) || /scheduled_at/.test(error.message)) throw error',
    },
  ],
  [
    'sends-what-a-change-names-no-time-for',
    'a change without scheduled_at sends a scheduled email',
    ['SND-013'],
    {
      file: emailRoutes,
      find: "mail.reschedule(email, readInstant(body['scheduled_at']))",
      replace: "mail.reschedule(email, body['scheduled_at'] === undefined ? 0 : readInstant(body['scheduled_at']))",
    },
  ],
  [
    'remembers-that-sending-was-paused',
    'a pause that refused an email stays after sending resumed',
    ['SND-001', 'SND-004'],
    { file: mail, find: isPaused, replace: `${isPaused}; const refusedOnce = new Set()` },
    {
      file: mail,
      find: letsSend,
      replace: `if (isPaused(workspaceId)) refusedOnce.add(workspaceId)
if (!refusedOnce.has(workspaceId)) return`,
    },
  ],
  [
    'pauses-every-workspace',
    'a pause of one workspace refuses emails of all workspaces',
    ['SND-001', 'SND-004'],
    {
      file: sending,
      find: 'directory.setSending(workspaceId, status)',
      replace: "directory.setSending(workspaceId, status); directory.isAnyPaused = status === 'paused'",
    },
    { file: mail, find: letsSend, replace: 'if (!isPaused(workspaceId) && directory.isAnyPaused !== true) return' },
  ],
  [
    'tells-a-further-project-another-workspace',
    'in a second project workspace_id of a pause is the id of the org',
    ['EVT-010', 'EVT-011'],
    {
      file: sending,
      find: 'const data = { workspace_id: workspaceId,',
      replace: 'const data = { workspace_id: orgId === directory.orgsOf(workspaceId)[0] ? workspaceId : orgId,',
    },
  ],
  [
    'takes-an-empty-list-of-recipients',
    'accepts an email with an empty list of recipients',
    ['SND-001'],
    { file: 'server/api/email-input.ts', find: 'if (to.length === 0) throw', replace: 'if (false) throw' },
  ],
  [
    'counts-events-of-the-workspace-apart',
    'events of a pause have ids of a separate counter, which is ahead',
    ['POL-010', 'POL-001'],
    {
      file: sending,
      find: "recorder.raise({ orgId, type: status === 'paused' ? 'sending.paused' : 'sending.resumed', data, at })",
      replace:
        "recorder.raise({ orgId, type: status === 'paused' ? 'sending.paused' : 'sending.resumed', data, at, isAhead: true })",
    },
    {
      file: 'server/recorder.ts',
      find: 'dataJson: JSON.stringify(data)',
      replace: 'dataJson: JSON.stringify(data), isAhead: event.isAhead',
    },
    {
      file: 'server/store/event-store.ts',
      find: 'const event = { ...fields, id: policy.eventId(sequence) }',
      replace: 'const event = { ...fields, id: policy.eventId(fields.isAhead ? sequence + 3_600_000_000 : sequence) }',
    },
  ],
  [
    'cuts-a-page-of-a-megabyte',
    'a page of more than a megabyte is cut, but not its next_after',
    ['POL-008'],
    {
      file: 'server/store/event-store.ts',
      find: 'const [json, lastId] = statement.get(...values) ?? []',
      replace: `let [json, lastId] = statement.get(...values) ?? []
for (let { limit } = query; String(json ?? '').length > 1_048_576 && limit > 1; ) {
  limit = Math.ceil(limit / 2)
  const [half, fewer] = polled({ ...query, limit })
  json = half.get(...fewer)[0]
}`,
    },
  ],
  [
    'names-the-inbox-of-the-recipient',
    'message.delivered names the inbox of the recipient',
    ['EVT-005', 'SCOPE-001'],
    {
      file: mail,
      find: outcome,
      replace: `tell(event.type, { ...(inbox?.orgId === orgId && { inbox_id: inbox.id }), recipient: address,`,
    },
  ],
  [
    'sends-no-sent-mail-to-webhooks-of-its-inbox',
    'events of sent mail do not reach webhooks of its inbox',
    ['EVT-014'],
    ...tellsMail,
    {
      file: 'server/recorder.ts',
      find: 'policy.matchesInbox(webhook.inboxId, event)',
      replace: 'policy.matchesInbox(webhook.inboxId, event) && !(event.isOfMail && webhook.inboxId !== null)',
    },
  ],
  [
    'sends-fifty-of-the-emails-that-are-due',
    'of the due scheduled emails a sweep sends fifty and drops the others',
    ['SND-016'],
    {
      file: mail,
      find: 'emails.update(isPaused(workspaceId) ? fail(email, at) : dispatch(email, at), null)',
      replace: `const key = workspaceId + dueAt
scheduled[key] = (scheduled[key] ?? 0) + 1
emails.update(isPaused(workspaceId) ? fail(email, at) : scheduled[key] > 50 ? email : dispatch(email, at), null)`,
    },
  ],
  [
    'tells-ten-errors-of-a-permissive-batch',
    'errors of a permissive batch has ten entries at most',
    ['SND-015', 'SND-006'],
    {
      file: emailRoutes,
      find: 'policy.batchAnswer(mail.send(inputs, key), errors)',
      replace: 'policy.batchAnswer(mail.send(inputs, key), errors.slice(0, 10))',
    },
  ],
  [
    'receives-one-item-of-a-batch-in-each-inbox',
    'of several batch items to one inbox only the first is received',
    ['EVT-003', 'EVT-016'],
    readsItemsAs(
      '{ ...input, isRepeat: inputs.findIndex((each) => each.to[0] === input.to[0]) < inputs.indexOf(input) }',
    ),
    { file: mail, find: 'if (inbox) {', replace: 'if (inbox && !email.isRepeat) {' },
  ],
  [
    'receives-nothing-from-the-key-of-an-inbox',
    'mail from an inbox key to an inbox of its org is not received',
    ['EVT-003', 'EVT-016'],
    remembersTheKey,
    { file: mail, find: 'if (inbox) {', replace: 'if (inbox && !(email.isByInbox && inbox.orgId === orgId)) {' },
  ],
  [
    'delivers-nothing-from-the-key-of-an-inbox',
    'raises no message.delivered for mail from one inbox key to another inbox',
    ['EVT-005', 'EVT-016'],
    remembersTheKey,
    {
      file: mail,
      find: "for (const event of policy.outcomeEvents[inbox ? 'delivered' : outcomeOf(address, orgId)])",
      replace:
        "for (const event of inbox && email.isByInbox ? [] : policy.outcomeEvents[inbox ? 'delivered' : outcomeOf(address, orgId)])",
    },
  ],
  [
    'keeps-the-list-of-emails-for-each-key',
    'the list of emails is cached per key until that key changes one',
    ['SND-008'],
    {
      file: emailRoutes,
      find: 'const items = page.map((email) => policy.shownEmail(email))',
      replace: `lists.set(JSON.stringify(key), lists.get(JSON.stringify(key)) ?? new Map())
const kept = lists.get(JSON.stringify(key))
const items = kept.get(c.req.url) ?? page.map((email) => policy.shownEmail(email))
kept.set(c.req.url, items)`,
    },
    {
      file: emailRoutes,
      find: 'const firstResults = createFirstResults(store, policy)',
      replace: 'const firstResults = createFirstResults(store, policy); const lists = new Map()',
    },
    {
      file: emailRoutes,
      find: 'mail.reschedule(email, readInstant(',
      replace: "lists.delete(JSON.stringify(c.get('key'))); mail.reschedule(email, readInstant(",
    },
    {
      file: emailRoutes,
      find: 'mail.cancel(email)',
      replace: "lists.delete(JSON.stringify(c.get('key'))); mail.cancel(email)",
    },
    {
      file: emailRoutes,
      find: "const [id = ''] = mail.send([read(body, key)], key)",
      replace: "lists.delete(JSON.stringify(key)); const [id = ''] = mail.send([read(body, key)], key)",
    },
    {
      file: emailRoutes,
      find: 'policy.batchAnswer(mail.send(inputs, key), errors)',
      replace: 'policy.batchAnswer((lists.delete(JSON.stringify(key)), mail.send(inputs, key)), errors)',
    },
  ],
  [
    'receives-what-is-alike-once',
    'an email equal to an earlier one from its sender is not received',
    ['EVT-003', 'EVT-016'],
    {
      file: mail,
      find: 'if (inbox) {',
      replace: `const alike = JSON.stringify([inbox?.id, email.from, email.subject, email.text, email.html])
dispatch.seen ??= new Set()
const isRepeat = dispatch.seen.has(alike)
dispatch.seen.add(alike)
if (inbox && !isRepeat) {`,
    },
  ],
])
