import { patchesOfServer, type Patch } from '../define.js'
import { readsItemsAs } from './narrow-batches.js'

const emails = 'server/policy/emails.ts'
const mail = 'server/mail.ts'
const recorder = 'server/recorder.ts'
const routes = 'server/api/routes-emails.ts'
const store = 'server/store/event-store.ts'
const stream = 'server/stream.ts'

const moving = 'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))'
const cancelling = "emails.update({ ...email, status: 'canceled', recipients }, null)"
const storing = 'emails.insert(isLater ? email : dispatch(email, now), sequence, isLater ? sendAt : null)'
const raising = 'recorder.raise({ orgId, type, data: { ...ids, ...data }, at })'

/** Applies a change to all emails accepted at the moment of an item, as those of its batch were. */
function alsoOfItsBatch(find: string, dueAt: string): Patch {
  return {
    file: mail,
    find,
    replace: `${find}
store.prepare("update emails set due_at = ?1 where org_id = ?2 and json_extract(email_json, '$.createdAt') = ?3 and due_at is not null").run(${dueAt}, email.orgId, email.createdAt)`,
  }
}

/** Answers a batch if `condition` holds, and sends nothing of it. */
function sendsNothingOf(condition: string): Patch {
  return {
    file: routes,
    find: 'mail.send(inputs, key)',
    replace: `(${condition} ? inputs.map((_, index) => 'msg_' + String(index + 1).padStart(16, '0')) : mail.send(inputs, key))`,
  }
}

/** Stored mail has another subject, where it waits for its time. */
const inAscii = String.raw`replace(/[^ -~]/g, '?')`

/** The data of events is another one: an expression over its `type` and `data`. */
export function listsAs(data: string): Patch {
  return {
    file: 'server/policy/events.ts',
    find: 'eventData: (_type, data) => data',
    replace: `eventData: (type, data) => ${data}`,
  }
}

/** The slot of a first result; `key` is an expression over the Idempotency-Key. */
function keepsUnder(key: string): Patch {
  return {
    file: emails,
    find: 'idempotencySlot: ({ orgId, key }) => JSON.stringify([orgId, key])',
    replace: `idempotencySlot: ({ orgId, key }) => ${key}`,
  }
}

/** A display name that `pattern` finds something in is refused. */
function refusesNames(pattern: string): Patch {
  return { file: emails, find: 'const named =', replace: `if (${pattern}.test(from)) return undefined\nconst named =` }
}

/** Data as JSON text in which each number is another one. */
function numbers(text: string): string {
  return `JSON.stringify(JSON.parse(event.dataJson), (_, value) => (typeof value === 'number' ? ${text} : value))`
}

/** Whether an event is a failure with a reason instead of the delivery fields. */
const hasReason = "event.type === 'message.failed' && !('recipient' in JSON.parse(event.dataJson))"

/** Deviations that show at one item of several, at one kind of key, name, number or text, or at one time. */
export const narrowItemMutants = patchesOfServer([
  [
    'takes-the-first-item-for-all-of-a-batch',
    'scheduled_at of the items of a batch is looked at if the first has one',
    ['SND-013'],
    readsItemsAs('{ ...input, scheduledAt: inputs[0].scheduledAt && input.scheduledAt }'),
  ],
  [
    'sends-scheduled-items-at-the-time-of-the-first',
    'every scheduled item of a batch is sent at the time of the first of them',
    ['SND-013'],
    readsItemsAs(
      '{ ...input, scheduledAt: input.scheduledAt && inputs.find((each) => each.scheduledAt !== null).scheduledAt }',
    ),
  ],
  [
    'sends-scheduled-items-at-the-time-of-the-last',
    'every scheduled item of a batch is sent at the time of the last of them',
    ['SND-016'],
    readsItemsAs(
      '{ ...input, scheduledAt: input.scheduledAt && inputs.findLast((each) => each.scheduledAt !== null).scheduledAt }',
    ),
  ],
  [
    'cancels-a-batch-with-its-item',
    'a cancel of one item of a batch cancels all of it',
    ['SND-011', 'SND-016'],
    alsoOfItsBatch(cancelling, 'null'),
  ],
  [
    'moves-a-batch-with-its-item',
    'a reschedule of an item of a batch moves all of the batch',
    ['SND-010', 'SND-016'],
    alsoOfItsBatch(moving, 'scheduledAt'),
  ],
  [
    'sends-no-batch-of-the-key-of-an-inbox',
    'a batch by the key of an inbox is answered, and not sent',
    ['EVT-004', 'SND-004'],
    sendsNothingOf('key.inboxId !== null'),
  ],
  [
    'sends-batches-of-the-first-project',
    'in a second project a batch is answered, and not sent',
    ['EVT-004', 'SND-004'],
    sendsNothingOf('directory.orgsOf(key.workspaceId)[0] !== key.orgId'),
  ],
  [
    'never-sends-scheduled-mail-of-the-key-of-an-inbox',
    'a scheduled email of an inbox key is never sent, unless it is rescheduled',
    ['SND-016'],
    {
      file: mail,
      find: storing,
      replace: storing.replace('isLater ? sendAt', 'isLater && key.inboxId === null ? sendAt'),
    },
  ],
  [
    'sends-scheduled-mail-of-the-key-of-an-inbox-at-once',
    'scheduled_at of an email by the key of an inbox is ignored',
    ['SND-013'],
    {
      file: mail,
      find: 'const isLater = sendAt > clockNow',
      replace: 'const isLater = sendAt > clockNow && key.inboxId === null',
    },
  ],
  [
    'schedules-in-ascii',
    'letters beyond ASCII are lost while an email waits for its time',
    ['EVT-004', 'EVT-003'],
    {
      file: mail,
      find: storing,
      replace: storing.replace('? email :', `? { ...email, subject: email.subject.${inAscii} } :`),
    },
  ],
  [
    'moves-in-ascii',
    'letters beyond ASCII are lost when an email is rescheduled',
    ['EVT-004', 'EVT-003'],
    {
      file: mail,
      find: moving,
      replace: moving.replace('scheduledAt }', `scheduledAt, subject: email.subject.${inAscii} }`),
    },
  ],
  [
    'queues-scheduled-mail-for-its-first-recipient',
    'to of message.queued of a scheduled email is the first of several recipients',
    ['EVT-004'],
    {
      file: mail,
      find: '{ to: email.to,',
      replace: '{ to: email.scheduledAt === null ? email.to : email.to.slice(0, 1),',
    },
  ],
  [
    'delivers-items-as-the-first-of-their-batch',
    'later events of all items of a batch have the message_id of the first',
    ['EVT-005'],
    {
      file: mail,
      find: 'inputs.map((input) => accept(input, key, now))',
      replace:
        'inputs.map((input, index) => { const id = accept(index === 0 ? input : { ...input, firstId: ownState.firstOfBatch }, key, now); if (index === 0) ownState.firstOfBatch = id; return id })',
    },
    {
      file: mail,
      find: raising,
      replace: raising.replace(
        '...data }',
        "...data, ...(email.firstId && type !== 'message.queued' && { message_id: email.firstId }) }",
      ),
    },
  ],
  [
    'lists-scheduled-mail-where-it-was-taken',
    'creates the message.queued id of a scheduled email early, so it is listed out of order',
    ['POL-010'],
    {
      file: mail,
      find: raising,
      replace: raising.replace(
        'at })',
        "at, number: type === 'message.queued' && email.scheduledAt !== null ? Number(email.id.slice('msg_'.length)) : undefined })",
      ),
    },
    {
      file: recorder,
      find: 'dataJson: JSON.stringify(data)',
      replace: 'dataJson: JSON.stringify(data), number: event.number',
    },
    { file: store, find: 'const sequence = nextNumber()', replace: 'const sequence = fields.number ?? nextNumber()' },
  ],
  [
    'never-sends-what-is-due-already',
    'never sends mail that was scheduled before the last look at the queue',
    ['SND-016'],
    {
      file: mail,
      find: storing,
      replace: `emails.insert(scheduledAt === null ? dispatch(email, now) : email, sequence, isLater ? sendAt : null)`,
    },
  ],
  [
    'never-sends-what-is-moved-to-the-past',
    'never sends mail that is rescheduled to a time before the last look at the queue',
    ['SND-016'],
    {
      file: mail,
      find: moving,
      replace:
        'emails.update({ ...email, scheduledAt }, scheduledAt > queues.now(email.workspaceId) ? scheduledAt : null)',
    },
  ],
  [
    'a-refused-reschedule-takes-a-cancel-back',
    'a reschedule of a cancelled email is refused once the email is back in the queue',
    ['SND-014'],
    {
      file: mail,
      find: "if (!isInTime(email, 'rescheduled')) return",
      replace:
        "if (email.status === 'canceled') emails.update({ ...email, scheduledAt }, scheduledAt)\nif (!isInTime(email, 'rescheduled')) return",
    },
  ],
  [
    'counts-the-good-items-of-a-batch',
    'accepts 100 valid emails in a batch plus any number of invalid ones',
    ['SND-005'],
    {
      file: 'server/api/batch.ts',
      find: 'body.length > policy.maxBatchSize',
      replace: "body.filter((each) => typeof each?.to === 'string').length > policy.maxBatchSize",
    },
  ],
  [
    'reads-no-long-idempotency-key',
    'an Idempotency-Key of more than 64 letters is not read',
    ['IDM-001'],
    keepsUnder('(key.length > 64 ? undefined : JSON.stringify([orgId, key]))'),
  ],
  [
    'reads-idempotency-keys-of-digits-as-numbers',
    'Idempotency-Keys of digits are compared as numbers',
    ['IDM-003'],
    keepsUnder(String.raw`JSON.stringify([orgId, /^[\d.]+$/.test(key) ? Number(key) : key])`),
  ],
  [
    'reads-the-end-of-an-idempotency-key',
    'of an Idempotency-Key the last 32 letters count',
    ['IDM-003'],
    keepsUnder('JSON.stringify([orgId, key.slice(-32)])'),
  ],
  [
    'refuses-names-with-an-apostrophe',
    'a display name with an apostrophe is refused',
    ['SND-002'],
    refusesNames("/'/"),
  ],
  [
    'refuses-names-with-a-digit',
    'a display name with a digit is refused',
    ['SND-002'],
    refusesNames(String.raw`/^[^<]*\d[^<]*</`),
  ],
  [
    'refuses-names-with-an-ampersand',
    'a display name with an ampersand is refused',
    ['SND-002'],
    refusesNames('/^[^<]*&[^<]*</'),
  ],
  [
    'refuses-names-with-a-full-stop',
    'a display name with a full stop is refused, quoted or not',
    ['SND-002'],
    refusesNames(String.raw`/^[^<]*\.[^<]*</`),
  ],
  [
    'refuses-names-with-an-emoji',
    'a display name with an emoji is refused',
    ['SND-002'],
    refusesNames(String.raw`/^[^<]*\p{Extended_Pictographic}[^<]*</u`),
  ],
  ['refuses-names-of-one-letter', 'a display name of one letter is refused', ['SND-002'], refusesNames('/^. </')],
  [
    'takes-tags-out-of-subjects',
    'what looks like a tag of HTML is removed from the subjects of events',
    ['EVT-003', 'EVT-004'],
    listsAs("(typeof data.subject === 'string' ? { ...data, subject: data.subject.replace(/<[^ >]+>/g, '') } : data)"),
  ],
  [
    'keeps-255-letters-of-a-reply',
    'response and reason of an event have 255 letters at most',
    ['EVT-007', 'EVT-009'],
    listsAs(
      "Object.fromEntries(Object.entries(data).map(([name, value]) => [name, ['response', 'reason'].includes(name) && typeof value === 'string' ? value.slice(0, 255) : value]))",
    ),
  ],
  [
    'streams-numbers-with-two-decimals',
    'numbers are rounded to two decimals on a live stream',
    ['EVT-014'],
    {
      file: stream,
      find: 'frame ??= frameOf(event)',
      replace: `frame ??= frameOf({ ...event, dataJson: ${numbers('Math.round(value * 100) / 100')} })`,
    },
  ],
  [
    'resumes-with-whole-numbers',
    'numbers are rounded to whole ones in the backlog of a stream',
    ['EVT-014'],
    {
      file: stream,
      find: 'send(client, frameOf(event))',
      replace: `send(client, frameOf({ ...event, dataJson: ${numbers('Math.round(value)')} }))`,
    },
  ],
  [
    'lists-numbers-of-32-bits',
    'numbers are cut to 32 bits in the list',
    ['EVT-014'],
    {
      file: store,
      find: 'sequence, listed(event))',
      replace: `sequence, listed({ ...event, dataJson: ${numbers('Math.min(value, 2_147_483_647)')} }))`,
    },
  ],
  [
    'sends-no-reason-to-webhooks-of-an-inbox',
    'message.failed with a reason is not sent to webhooks of one inbox',
    ['EVT-014', 'SCOPE-005'],
    {
      file: recorder,
      find: 'policy.matchesInbox(webhook.inboxId, event)',
      replace: `policy.matchesInbox(webhook.inboxId, event) && !(webhook.inboxId !== null && ${hasReason})`,
    },
  ],
  [
    'resumes-without-failures-that-have-a-reason',
    'message.failed with a reason is not in the backlog of a stream',
    ['EVT-014', 'STR-005'],
    {
      file: stream,
      find: 'for (const event of page) send(client, frameOf(event))',
      replace: `for (const event of page) if (!(${hasReason})) send(client, frameOf(event))`,
    },
  ],
  [
    'reschedules-by-null-with-a-500',
    'a reschedule whose body is null is a server error',
    ['ERR-003'],
    {
      file: routes,
      find: 'const body = asObject(await readJson(c, policy))',
      replace: 'const body = await readJson(c, policy)',
    },
  ],
  ...(
    [
      [
        'cancels',
        'a second cancel of an email',
        "email.status === 'canceled'",
        "if (!isInTime(email, 'cancelled')) return",
      ],
      [
        'cancels-what-was-sent',
        'a cancel of an email that was sent',
        "!['scheduled', 'canceled'].includes(email.status)",
        "if (!isInTime(email, 'cancelled')) return",
      ],
      [
        'moves-what-was-cancelled',
        'a reschedule of an email that was cancelled',
        "email.status === 'canceled'",
        "if (!isInTime(email, 'rescheduled')) return",
      ],
    ] as const
  ).map(
    ([name, what, condition, find]) =>
      [
        `${name}-too-late-with-a-500`,
        `${what} is a server error`,
        ['ERR-003'],
        { file: mail, find, replace: `if (${condition}) throw new Error('no such transition')\n${find}` },
      ] as const,
  ),
])
