import { STATUS_CODES } from 'node:http'
import { defineMutant, type Mutant, type Patch } from '../define.js'

/** The list shows `field` of what a replay repeats, until the first attempt of the replay has ended. */
function showsReplayUnderWay(field: string): Patch {
  return {
    file: 'server/store/delivery-store.ts',
    find: 'list.all(webhookId, limit).map(toDelivery)',
    replace: `list.all(webhookId, limit).map(toDelivery).map((own) => {
if (own.replayOf === null || own.attempt > 0) return own
return { ...own, ${field}: toDelivery(select.get(own.replayOf, webhookId)).${field} }
})`,
  }
}

/** Deviations in one detail of the records of events, deliveries, webhooks and emails. */
export const narrowRecordMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/tells-the-time-of-the-event-before',
    title: 'the time of an event is that of the one before it in its org',
    breaks: ['EVT-002', 'POL-009'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'function insert(event, at) {',
        replace: `const latest = new Map()
  function insert(event, now) {
    const at = latest.get(event.orgId) ?? now
    latest.set(event.orgId, now)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/finds-no-block-for-an-address-with-a-zone',
    title: 'no block contains an IPv6 address with a zone',
    breaks: ['NET-004', 'NET-007'],
    patch: [
      {
        file: 'server/egress/url-check.ts',
        find: 'const parsed = parsedUrl(url)',
        replace: `const [, head, zone, tail] = /^(https:\\/\\/\\[[^\\]%]+)%(?:25)?([^\\]]+)(\\].*)$/i.exec(url) ?? []
  if (zone !== undefined) {
    const zoned = new URL(head + tail)
    const host = zoned.hostname.slice(1, -1) + '%' + zone
    return { url: zoned, port: Number(zoned.port) || 443, host, isAddress: true }
  }
  const parsed = parsedUrl(url)`,
      },
      {
        file: 'server/egress/egress.ts',
        find: 'policy.isRefusedAddress(address) && !isExempt(address, port)',
        replace: "policy.isRefusedAddress(address) && !address.includes('%') && !isExempt(address, port)",
      },
      {
        file: 'server/egress/egress.ts',
        find: 'isRefused(canonicalAddress(address) ?? address, port)',
        replace: 'isRefused(address, port)',
      },
      {
        file: 'server/egress/egress.ts',
        find: 'pools.of(target, address)',
        replace: "pools.of(target, address.split('%')[0])",
      },
    ],
  }),
  defineMutant({
    id: 'server/dates-scheduled-mail-back',
    title: 'the events of a scheduled email have the time at which it was accepted',
    breaks: ['EVT-002', 'POL-009'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })',
        replace: 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at: email.createdAt })',
      },
    ],
  }),
  defineMutant({
    id: 'server/carries-mail-in-the-first-project',
    title: 'mail to an inbox outside the first project of its workspace is lost',
    breaks: ['EVT-003'],
    patch: [
      {
        file: 'server/mail.ts',
        find: `      if (inbox) {
        recorder.raise({`,
        replace: `      if (inbox && directory.orgsOf(directory.workspaceOfOrg(inbox.orgId))[0] === inbox.orgId) {
        recorder.raise({`,
      },
    ],
  }),
  defineMutant({
    id: 'server/gives-up-on-codes-without-a-name',
    title: 'a status code that the HTTP library has no name for ends the delivery',
    breaks: ['RTY-012', 'DLV-011'],
    policy: {
      isRetried: (outcome) =>
        outcome.kind !== 'blocked' && !(outcome.kind === 'answer' && STATUS_CODES[outcome.status] === undefined),
    },
  }),
  defineMutant({
    id: 'server/compares-domains-letter-by-letter',
    title: 'the domain of a sender is compared with upper and lower case',
    breaks: ['SND-012'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: "sender.address.slice(sender.address.lastIndexOf('@') + 1).toLowerCase()",
        replace: "sender.address.slice(sender.address.lastIndexOf('@') + 1)",
      },
    ],
  }),
  defineMutant({
    id: 'server/cancels-nothing-for-the-key-of-an-inbox',
    title: 'a cancel by the key of an inbox is answered, and the email is sent',
    breaks: ['SND-014'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'mail.cancel(email)',
        replace: "if (c.get('key').inboxId === null) mail.cancel(email)",
      },
    ],
  }),
  defineMutant({
    id: 'server/forgets-replays-of-a-deleted-webhook',
    title: 'of a deleted webhook only deliveries that are not replays are listed',
    breaks: ['WHK-016'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'deliveries.list(webhook.id, limit)',
        replace: 'deliveries.list(webhook.id, limit).filter((each) => !webhook.isDeleted || each.replayOf === null)',
      },
    ],
  }),
  defineMutant({
    id: 'server/wipes-bodies-of-a-deleted-webhook',
    title: 'deleting a webhook deletes its snippets',
    breaks: ['WHK-016'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'policy.shownDelivery(delivery))',
        replace: 'policy.shownDelivery(webhook.isDeleted ? { ...delivery, snippet: null } : delivery))',
      },
    ],
  }),
  defineMutant({
    id: 'server/wipes-what-waited-for-a-deleted-webhook',
    title: 'a delivery that waits at the delete is listed as never attempted',
    breaks: ['WHK-016'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: "`update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending'`",
        replace:
          "`update deliveries set status = ?, due_at = null, next_attempt_at = null, attempt = 0, response_code = null, snippet_json = null where webhook_id = ? and status = 'pending'`",
      },
    ],
  }),
  defineMutant({
    id: 'server/forgets-the-answer-to-what-waited-for-a-deleted-webhook',
    title: 'a delete removes the status code of deliveries that wait for a retry',
    breaks: ['WHK-016'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: "`update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending'`",
        replace:
          "`update deliveries set status = ?, due_at = null, next_attempt_at = null, response_code = null where webhook_id = ? and status = 'pending'`",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-nothing-of-a-batch-of-one',
    title: 'a batch of one email is answered with an id, but not sent',
    breaks: ['SND-004'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'mail.send(inputs, key)',
        replace: "(inputs.length === 1 ? ['msg_0000000000000001'] : mail.send(inputs, key))",
      },
    ],
  }),
  defineMutant({
    id: 'server/receives-no-mail-of-html',
    title: 'received mail without text raises nothing',
    breaks: ['EVT-003', 'EVT-016'],
    patch: [
      {
        file: 'server/mail.ts',
        find: 'if (inbox) { recorder.raise',
        replace: 'if (inbox && email.text !== null) { recorder.raise',
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-the-stats-of-the-first-pause-alone',
    title: 'the second pause of a workspace has no stats',
    breaks: ['EVT-010'],
    patch: [
      {
        file: 'server/sending.ts',
        find: 'stats: { sent: 0, bounced: 0, complained: 0 }',
        replace:
          '...((seen) => seen.has(workspaceId) ? {} : (seen.add(workspaceId), { stats: { sent: 0, bounced: 0, complained: 0 } }))(ownState.pausedWorkspaces ??= new Set())',
      },
    ],
  }),
  defineMutant({
    id: 'server/retries-without-what-is-null',
    title: 'the third and later attempts leave out the fields whose value is null',
    breaks: ['RTY-014'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const body = bodyOf(event)',
        replace: String.raw`const whole = bodyOf(event)
const body = due.attempt > 1 ? whole.replace(/,"[a-z_]+":null/g, '') : whole`,
      },
    ],
  }),
  defineMutant({
    id: 'server/tells-the-first-unverified-sender-of-a-batch',
    title: 'reports only the first batch item with an unknown sender domain',
    breaks: ['SND-006'],
    patch: [
      {
        file: 'server/api/batch.ts',
        find: 'errors.push({ index, code: error.code, message: error.message })',
        replace: `const isTold = error.code === 'sender_not_verified' && errors.some(({ code }) => code === error.code)
if (!isTold) errors.push({ index, code: error.code, message: error.message })`,
      },
    ],
  }),
  ...(['recipients', 'status'] as const).map((name) =>
    defineMutant({
      id: `server/forgets-the-${name}-of-scheduled-mail-once-it-is-sent`,
      title: `an email that was sent at its time is shown without ${name}`,
      breaks: ['SND-007'],
      patch: [
        {
          file: 'server/mail.ts',
          find: 'isPaused(workspaceId) ? fail(email, at) : dispatch(email, at)',
          replace: `{ ...(isPaused(workspaceId) ? fail(email, at) : dispatch(email, at)), ${name}: ${name === 'status' ? 'null' : '[]'} }`,
        },
      ],
    }),
  ),
  ...(['recipients', 'status'] as const).map((name) =>
    defineMutant({
      id: `server/shows-no-${name}-of-what-fell-due-while-paused`,
      title: `shows an email that became due while sending was paused without ${name}`,
      breaks: ['SND-007'],
      patch: [
        {
          file: 'server/mail.ts',
          find: 'isPaused(workspaceId) ? fail(email, at)',
          replace: `isPaused(workspaceId) ? { ...fail(email, at), ${name}: ${name === 'status' ? 'null' : '[]'} }`,
        },
      ],
    }),
  ),
  defineMutant({
    id: 'server/shows-no-email-that-nobody-took',
    title: 'reading a bounced email answers 500',
    breaks: ['SND-007'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'policy.shownEmail(find(c))',
        replace:
          "policy.shownEmail(((email) => { if (email.status === 'bounced') throw new Error('no template'); return email })(find(c)))",
      },
    ],
  }),
  defineMutant({
    id: 'server/reads-a-cursor-beside-a-limit',
    title: 'the cursor of the list of emails is ignored if there is no limit',
    breaks: ['SND-009'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "const before = c.req.query('cursor')",
        replace: "const before = c.req.query('limit') === undefined ? undefined : c.req.query('cursor')",
      },
    ],
  }),
  defineMutant({
    id: 'server/leaves-out-the-parameters-of-a-path',
    title: 'drops the parameters after a semicolon in the path of a url',
    breaks: ['DLV-001'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const { url, secret } = webhook',
        replace: "const { secret } = webhook\nconst url = webhook.url.replace(/;[^/?]*/g, '')",
      },
    ],
  }),
  defineMutant({
    id: 'server/resumes-for-an-inbox-behind-events-of-its-own-alone',
    title: 'a stream of an inbox key that resumes after a foreign event starts from now',
    breaks: ['STR-005', 'STR-006'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'cursor: after ?? events.newestId()',
        replace:
          'cursor: after !== undefined && (key.inboxId === null || events.get(after)?.inboxId === key.inboxId) ? after : events.newestId()',
      },
    ],
  }),
  defineMutant({
    id: 'server/answers-404-where-there-are-no-emails',
    title: 'a list without an email is answered with 404',
    breaks: ['SND-008'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'const page = found.slice(0, limit)',
        replace: "if (found.length === 0) throw notFound('email', 404)\nconst page = found.slice(0, limit)",
      },
    ],
  }),
  defineMutant({
    id: 'server/answers-404-where-there-are-no-deliveries',
    title: 'a list without a delivery is answered with 404',
    breaks: ['DLV-012'],
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'return reply({ status: 200, body: policy.deliveryListEnvelope(items) })',
        replace: `if (items.length === 0) throw notFound('delivery', 404)
return reply({ status: 200, body: policy.deliveryListEnvelope(items) })`,
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-mail-of-a-sender-it-refuses',
    title: 'a refused scheduled email is stored before the check, and sent at its time',
    breaks: ['SND-012'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "const [id = ''] = mail.send([read(body, key)], key)",
        replace: `const stored = readEmail(body, { policy: { ...policy, senderAllowed: () => true }, verifiedDomains: [] })
const [id = ''] = mail.send([stored], key)
try {
  read(body, key)
} catch (refusal) {
  return { status: refusal.status, body: policy.errorBody(refusal) }
}`,
      },
    ],
  }),
  defineMutant({
    id: 'server/drops-what-a-refused-reschedule-named',
    title: 'a reschedule to an invalid time removes the email from the queue',
    breaks: ['SND-016'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "mail.reschedule(email, readInstant(body['scheduled_at']))",
        replace: `emails.update(email, null)
mail.reschedule(email, readInstant(body['scheduled_at']))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/begins-a-replay-with-the-answer-of-its-original',
    title: 'the record of a replay first contains the answer of its original',
    breaks: ['DLV-018', 'DLV-019'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'insert.run(id, workspaceId, webhookId, eventId, dueAt, dueAt, replayOf, nowMs)',
        replace: `insert.run(id, workspaceId, webhookId, eventId, dueAt, dueAt, replayOf, nowMs)
const answer = 'select response_code, snippet_json from deliveries where id = ?2'
store.prepare(\`update deliveries set (response_code, snippet_json) = (\${answer}) where id = ?1\`).run(id, replayOf)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/shows-a-replay-under-way-as-its-original',
    title: 'a replay has the status of what it repeats until its first attempt has ended',
    breaks: ['DLV-004'],
    patch: [showsReplayUnderWay('status')],
  }),
  defineMutant({
    id: 'server/counts-the-attempts-of-the-original-until-a-replay-is-answered',
    title: 'a replay shows the attempt count of its original until its first attempt ends',
    breaks: ['DLV-017'],
    patch: [showsReplayUnderWay('attempt')],
  }),
]
