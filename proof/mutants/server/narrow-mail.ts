import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant, type Patch } from '../define.js'

const mail = 'server/mail.ts'
const emailRoutes = 'server/api/routes-emails.ts'
const recorder = 'server/recorder.ts'

/** Marks an email that was in a batch. */
const remembersTheBatch: Patch = {
  file: mail,
  find: 'inputs.map((input) => accept(input, key, now))',
  replace: 'inputs.map((input) => accept({ ...input, isOfBatch: inputs.length > 1 }, key, now))',
}

const readsItems = 'read: (item) => read(item, key)'

/** Raises the outcome at a recipient only if `condition` holds. */
function tellsOutcomes(condition: string): Patch {
  return {
    file: mail,
    find: "for (const event of policy.outcomeEvents[inbox ? 'delivered' : outcomeOf(address, orgId)])",
    replace: `for (const event of ${condition} ? policy.outcomeEvents[inbox ? 'delivered' : outcomeOf(address, orgId)] : [])`,
  }
}

/** Raises the receipt of an inbox only if `condition` holds. */
function tellsReceipts(condition: string): Patch {
  return { file: mail, find: 'if (inbox) {', replace: `if (inbox && ${condition}) {` }
}

/** The list shows `listedOrg` of a raised event as its org, if it has one. */
const listsAnotherOrg: readonly [Patch, Patch] = [
  {
    file: recorder,
    find: 'orgId: event.orgId,',
    replace: 'orgId: event.orgId, listedOrg: event.listedOrg,',
  },
  {
    file: 'server/store/event-store.ts',
    find: 'sequence, listed(event))',
    replace: 'sequence, listed({ ...event, orgId: event.listedOrg ?? event.orgId }))',
  },
]

/** Deviations in one cell of a sentence about mail and its events: a batch, a scheduled email, one field, one channel. */
export const narrowMailMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/sends-a-batch-to-its-first-recipient',
    title: 'every item of a batch goes to the recipient of the first',
    breaks: ['SND-004', 'EVT-004'],
    patch: [
      {
        file: mail,
        find: 'inputs.map((input) => accept(input, key, now))',
        replace: 'inputs.map((input) => accept({ ...input, to: inputs[0].to }, key, now))',
      },
    ],
  }),
  defineMutant({
    id: 'server/receives-nothing-of-a-batch',
    title: 'received mail from a batch raises nothing',
    breaks: ['EVT-003', 'EVT-016'],
    patch: [remembersTheBatch, tellsReceipts('!email.isOfBatch')],
  }),
  defineMutant({
    id: 'server/delivers-nothing-of-a-batch',
    title: 'message.delivered is not raised for the items of a batch',
    breaks: ['EVT-005', 'EVT-016'],
    patch: [remembersTheBatch, tellsOutcomes('!email.isOfBatch')],
  }),
  defineMutant({
    id: 'server/receives-nothing-that-was-scheduled',
    title: 'received mail from a scheduled email raises nothing',
    breaks: ['EVT-003', 'EVT-016'],
    patch: [tellsReceipts('email.scheduledAt === null')],
  }),
  defineMutant({
    id: 'server/delivers-nothing-that-was-scheduled',
    title: 'message.delivered is not raised for a scheduled email',
    breaks: ['EVT-005', 'EVT-016'],
    patch: [tellsOutcomes('email.scheduledAt === null')],
  }),
  defineMutant({
    id: 'server/delivers-to-the-first-recipient',
    title: 'of several recipients message.delivered is raised only for the first',
    breaks: ['EVT-005', 'EVT-016'],
    patch: [tellsOutcomes('address === email.to[0]')],
  }),
  defineMutant({
    id: 'server/receives-encoded-subjects',
    title: 'the subject of message.received is MIME-encoded if it is not ASCII',
    breaks: ['EVT-003'],
    patch: [
      {
        file: mail,
        find: 'from: email.from, subject: email.subject',
        replace: `from: email.from,
subject: /^[\\x20-\\x7e]*$/.test(email.subject) ? email.subject : '=?UTF-8?B?' + Buffer.from(email.subject).toString('base64') + '?='`,
      },
    ],
  }),
  defineMutant({
    id: 'server/queues-a-message-for-each-recipient',
    title: 'message.queued is raised once for each recipient of a message',
    breaks: ['EVT-016'],
    patch: [
      {
        file: mail,
        find: "tell('message.queued', { to: email.to, cc: email.cc, subject: email.subject })",
        replace:
          "for (const _ of email.to) tell('message.queued', { to: email.to, cc: email.cc, subject: email.subject })",
      },
    ],
  }),
  defineMutant({
    id: 'server/leaves-out-items-that-are-none',
    title: 'silently drops batch items that are not objects',
    breaks: ['SND-006'],
    patch: [
      {
        file: 'server/api/batch.ts',
        find: 'for (const [index, item] of body.entries()) {',
        replace:
          "for (const [index, item] of body.entries()) { if (item === null || typeof item !== 'object') continue",
      },
    ],
  }),
  defineMutant({
    id: 'server/checks-no-sender-of-a-permissive-batch',
    title: 'under permissive validation the domains of the senders are not checked',
    breaks: ['SND-012'],
    patch: [
      {
        file: emailRoutes,
        find: readsItems,
        replace:
          "read: (item) => mode === 'permissive' ? readEmail(item, { policy: { ...policy, senderAllowed: () => true }, verifiedDomains: [] }) : read(item, key)",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-batches-from-any-project',
    title: 'an item of a batch may be from a verified domain of any project',
    breaks: ['SND-012'],
    patch: [
      {
        file: emailRoutes,
        find: readsItems,
        replace:
          "read: (item) => readEmail(item, { policy: { ...policy, senderAllowed: (domain) => domain.endsWith('.mail.example') }, verifiedDomains: [] })",
      },
    ],
  }),
  defineMutant({
    id: 'server/schedules-from-any-project',
    title: 'a scheduled email may be from a verified domain of any project',
    breaks: ['SND-012'],
    patch: [
      {
        file: 'server/api/email-input.ts',
        find: 'if (!policy.senderAllowed(domain, verifiedDomains))',
        replace:
          "if (!(fields['scheduled_at'] && domain.endsWith('.mail.example')) && !policy.senderAllowed(domain, verifiedDomains))",
      },
    ],
  }),
  defineMutant({
    id: 'server/lets-an-inbox-send-from-anywhere',
    title: 'the key of an inbox may send from any domain',
    breaks: ['SND-012'],
    patch: [
      {
        file: emailRoutes,
        find: 'return readEmail(body, { policy, verifiedDomains })',
        replace:
          'return readEmail(body, { policy: key.inboxId === null ? policy : { ...policy, senderAllowed: () => true }, verifiedDomains })',
      },
    ],
  }),
  defineMutant({
    id: 'server/moves-no-email-of-a-batch',
    title: 'accepts a reschedule of a batch email, but moves nothing',
    breaks: ['SND-010', 'SND-016', 'SND-018'],
    patch: [
      remembersTheBatch,
      {
        file: mail,
        find: "if (!isInTime(email, 'rescheduled')) return",
        replace: "if (!isInTime(email, 'rescheduled') || email.isOfBatch) return",
      },
    ],
  }),
  defineMutant({
    id: 'server/moves-an-email-once',
    title: 'a second reschedule of an email is shown, but not used for sending',
    breaks: ['SND-010', 'SND-016'],
    patch: [
      {
        file: mail,
        find: 'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
        replace:
          'const sentAt = email.sentAt ?? policy.sendTime(scheduledAt, queues.now(email.workspaceId)); emails.update({ ...email, scheduledAt, sentAt }, sentAt)',
      },
    ],
  }),
  defineMutant({
    id: 'server/drops-an-email-moved-to-its-own-time',
    title: 'an email that is rescheduled to the same time is removed from the queue',
    breaks: ['SND-016', 'SND-010'],
    patch: [
      {
        file: mail,
        find: 'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
        replace:
          'emails.update({ ...email, scheduledAt }, scheduledAt === email.scheduledAt ? null : policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-five-of-what-is-due',
    title: 'of the due scheduled emails a sweep sends five and drops the others',
    breaks: ['SND-016'],
    patch: [
      {
        file: mail,
        find: 'const { email, dueAt } = due',
        replace: `const { email, dueAt } = due
const swept = ownState.swept ??= new Map()
swept.set(workspaceId + dueAt, (swept.get(workspaceId + dueAt) ?? 0) + 1)
if (swept.get(workspaceId + dueAt) > 5) { emails.update(email, null); continue }`,
      },
    ],
  }),
  defineMutant({
    id: 'server/reads-no-offset-in-a-batch',
    title: 'scheduled_at in a batch is read without its offset from UTC',
    breaks: ['SND-013', 'SND-018'],
    patch: [
      {
        file: emailRoutes,
        find: readsItems,
        replace:
          "read: (item) => read(typeof item?.scheduled_at === 'string' ? { ...item, scheduled_at: item.scheduled_at.replace(/[+-]\\d\\d:\\d\\d$/, 'Z') } : item, key)",
      },
    ],
  }),
  defineMutant({
    id: 'server/shares-keys-of-batches',
    title: 'the Idempotency-Key of a batch in one project answers in another',
    breaks: ['IDM-003', 'IDM-005'],
    policy: {
      idempotencySlot: ({ orgId, path, key }) =>
        path === '/emails/batch' ? JSON.stringify([key]) : defaultPolicy.idempotencySlot({ orgId, path, key }),
    },
  }),
  defineMutant({
    id: 'server/sends-another-batch-under-a-used-key',
    title: 'another batch under a used key is sent',
    breaks: ['IDM-002', 'IDM-005'],
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'const slot = policy.idempotencySlot({ orgId, path, key })',
        replace:
          "const slot = policy.idempotencySlot({ orgId, path, key: path === '/emails/batch' ? key + digest(JSON.stringify(body)) : key })",
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-a-batch-for-one-it-had',
    title: 'a batch equal to an earlier one gets its result, whatever its key',
    breaks: ['IDM-003'],
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'const slot = policy.idempotencySlot({ orgId, path, key })',
        replace:
          "const slot = policy.idempotencySlot({ orgId, path, key: path === '/emails/batch' ? digest(JSON.stringify(body)) : key })",
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-no-scheduled-email',
    title: 'an email is listed once it is sent',
    breaks: ['SND-008'],
    patch: [
      {
        file: emailRoutes,
        find: 'const items = page.map(',
        replace: "const items = page.filter(({ status }) => status !== 'scheduled').map(",
      },
    ],
  }),
  defineMutant({
    id: 'server/knows-names-of-ascii',
    title: 'a display name with other letters than those of ASCII is refused',
    breaks: ['SND-002'],
    policy: {
      parseSender: (from) => (/^[\x20-\x7e]*$/.test(from) ? defaultPolicy.parseSender(from) : undefined),
    },
  }),
  defineMutant({
    id: 'server/spoils-subjects-of-a-batch',
    title: 'the subject of an item of a batch is read as Latin-1',
    breaks: ['EVT-004'],
    patch: [
      {
        file: emailRoutes,
        find: readsItems,
        replace:
          "read: (item) => { const input = read(item, key); return { ...input, subject: Buffer.from(input.subject).toString('latin1') } }",
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-workspace-events-under-the-workspace',
    title: 'org_id of a workspace event in the list is the id of the workspace',
    breaks: ['POL-009'],
    patch: [
      {
        file: recorder,
        find: 'orgId: event.orgId,',
        replace:
          "orgId: event.orgId, listedOrg: event.type.startsWith('sending.') ? event.data.workspace_id : undefined,",
      },
      listsAnotherOrg[1],
    ],
  }),
  defineMutant({
    id: 'server/lists-received-mail-under-its-sender',
    title: 'received mail is listed with the org_id of its sender',
    breaks: ['POL-009'],
    patch: [
      {
        file: mail,
        find: "orgId: inbox.orgId, type: 'message.received',",
        replace: "orgId: inbox.orgId, listedOrg: orgId, type: 'message.received',",
      },
      ...listsAnotherOrg,
    ],
  }),
  defineMutant({
    id: 'server/lists-pauses-under-the-first-project',
    title: 'org_id of a pause is in every project that of the first',
    breaks: ['POL-009'],
    patch: [
      {
        file: 'server/sending.ts',
        find: "recorder.raise({ orgId, type: status === 'paused'",
        replace: "recorder.raise({ orgId, listedOrg: directory.orgsOf(workspaceId)[0], type: status === 'paused'",
      },
      ...listsAnotherOrg,
    ],
  }),
  defineMutant({
    id: 'server/sends-scheduled-mail-of-the-first-project',
    title: 'scheduled mail is sent only for the first org of a workspace',
    breaks: ['SND-016'],
    patch: [
      {
        file: mail,
        find: 'const { email, dueAt } = due',
        replace: `const { email, dueAt } = due
if (directory.orgsOf(workspaceId)[0] !== email.orgId) { emails.update(email, null); continue }`,
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-an-email-to-nobody',
    title: 'accepts an email without to',
    breaks: ['SND-001'],
    patch: [
      {
        file: emailRoutes,
        find: "const [id = ''] = mail.send([read(body, key)], key)",
        replace:
          "const [id = ''] = body?.to === undefined ? ['msg_0000000000000001'] : mail.send([read(body, key)], key)",
      },
    ],
  }),
  defineMutant({
    id: 'server/begins-anew-behind-a-full-page',
    title: 'gives a full last page of emails a next_cursor that starts the list again',
    breaks: ['SND-009'],
    patch: [
      {
        file: emailRoutes,
        find: 'hasMore: found.length > limit',
        replace: 'hasMore: found.length >= limit',
      },
      {
        file: emailRoutes,
        find: 'const page = found.slice(0, limit)',
        replace:
          'const page = (found.length > 0 ? found : emails.list({ orgId: key.orgId, inboxId: key.inboxId, before: undefined, limit })).slice(0, limit)',
      },
    ],
  }),
]
