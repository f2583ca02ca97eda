import { patchesOfServer, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'
const recorder = 'server/recorder.ts'
const firstResults = 'server/store/first-results.ts'

const shortSubject = 'subject: email.subject.slice(0, 255)'

/** Sends an event to these webhooks instead of those that match. */
function sendsTo(webhooks: string): Patch {
  return {
    file: recorder,
    find: 'for (const { id: webhookId, workspaceId } of matching) {',
    replace: `for (const { id: webhookId, workspaceId } of ${webhooks}) {`,
  }
}

/** When an attempt has ended `failures` of its webhook is set to what `counted` makes of it, and forgotten where it succeeded. */
function countsFailures(counted: string): Patch {
  const onEnded = 'options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })'
  return {
    file: attempts,
    find: onEnded,
    replace: `const failures = (ownState.failuresOfWebhooks ??= new Map())
if (status === 'succeeded') failures.delete(due.webhookId)
else failures.set(due.webhookId, ${counted})
${onEnded}`,
  }
}

/** Sends a webhook no more events once `condition` holds for its `failures`. */
function givesUp(condition: string): Patch {
  return {
    file: recorder,
    find: '!webhook.isDeleted && policy.matchesTypes(webhook.eventTypes, event.type)',
    replace: `!webhook.isDeleted && !((failures) => ${condition})(ownState.failuresOfWebhooks?.get(webhook.id)) && policy.matchesTypes(webhook.eventTypes, event.type)`,
  }
}

/** Keeps only this many first results, the latest ones used. */
function keepsResults(count: number): readonly [Patch, ...Patch[]] {
  const find = 'request && select.get(request.slot)'
  return [
    {
      file: firstResults,
      find,
      replace: `request && ((ownState.keptSlots ??= []).slice(-${count}).includes(request.slot) ? select.get(request.slot) : undefined)`,
    },
    {
      file: firstResults,
      find: 'if (request !== undefined) insert.run(',
      replace: 'if (request !== undefined) (ownState.keptSlots ??= []).push(request.slot), insert.run(',
    },
  ]
}

/** Deviations that show where there is much: of webhooks, of failures, of days, of sends, of text. */
export const narrowAmountMutants = patchesOfServer([
  [
    'sends-to-twenty-five-webhooks',
    'sends an event to its first twenty-five webhooks only',
    ['WHK-021', 'DLV-004'],
    sendsTo('matching.slice(0, 25)'),
  ],
  [
    'sends-to-a-page-of-webhooks',
    'only the newest fifty webhooks get an event',
    ['WHK-021', 'DLV-004'],
    sendsTo('matching.slice(-50)'),
  ],
  [
    'gives-a-webhook-up-for-a-hundred-failures',
    'sends nothing more to a webhook after a hundred failed attempts in a row',
    ['DLV-004'],
    countsFailures('(failures.get(due.webhookId) ?? 0) + 1'),
    givesUp('failures >= 100'),
  ],
  [
    'gives-a-webhook-up-that-fails-for-five-days',
    'sends nothing more to a webhook that has failed for five days',
    ['DLV-004'],
    countsFailures(
      '{ since: failures.get(due.webhookId)?.since ?? startedAt, isOff: startedAt - (failures.get(due.webhookId)?.since ?? startedAt) > 432_000_000 }',
    ),
    givesUp('failures?.isOff'),
  ],
  [
    'keeps-ten-first-results',
    'keeps the results of ten sends only, and repeats older ones as new emails',
    ['IDM-001', 'IDM-002'],
    ...keepsResults(10),
  ],
  [
    'keeps-twenty-first-results',
    'keeps the results of twenty sends only, and repeats older ones as new emails',
    ['IDM-001', 'IDM-002'],
    ...keepsResults(20),
  ],
  [
    'sends-no-large-event',
    'lists and streams an event of more than 60 KB, but does not deliver it',
    ['EVT-014', 'DLV-004'],
    sendsTo('event.dataJson.length > 60_000 ? [] : matching'),
  ],
  [
    'cuts-large-bodies',
    'cuts delivery bodies to a column of 65,535 bytes',
    ['EVT-014', 'DLV-002'],
    { file: attempts, find: 'const body = bodyOf(event)', replace: 'const body = bodyOf(event).slice(0, 65_535)' },
  ],
  [
    'sends-at-once-what-is-scheduled-for-weeks-ahead',
    'sends mail scheduled beyond a 31 bit timer at once',
    ['SND-013'],
    {
      file: 'server/mail.ts',
      find: 'const isLater = sendAt > clockNow',
      replace: 'const isLater = sendAt > clockNow && sendAt - clockNow < 2_147_483_648',
    },
  ],
  [
    'sends-at-once-what-is-moved-weeks-ahead',
    'sends mail rescheduled beyond a 31 bit timer at once',
    ['SND-013'],
    {
      file: 'server/mail.ts',
      find: 'policy.sendTime(scheduledAt, queues.now(email.workspaceId))',
      replace:
        'scheduledAt - queues.now(email.workspaceId) < 2_147_483_648 ? scheduledAt : queues.now(email.workspaceId)',
    },
  ],
  [
    'sends-at-once-what-of-a-batch-is-weeks-ahead',
    'sends batch items scheduled beyond a 31 bit timer at once',
    ['SND-013'],
    {
      file: 'server/mail.ts',
      find: 'inputs.map((input) => accept(input, key, now))',
      replace: `inputs.map((input) =>
  accept(inputs.length > 1 && input.scheduledAt - now > 2_147_483_647 ? { ...input, scheduledAt: null } : input, key, now))`,
    },
  ],
  [
    'streams-a-backlog-of-a-thousand',
    'a stream that resumes sends a thousand events at most before it goes live',
    ['STR-005'],
    {
      file: 'server/stream.ts',
      find: 'for (const event of page) send(client, frameOf(event))',
      replace:
        'for (const event of page) if ((client.read = (client.read ?? 0) + 1) <= 1000) send(client, frameOf(event))',
    },
  ],
  [
    'lists-the-last-thousand-events',
    'a list that is read without after begins with the last thousand events',
    ['POL-002'],
    {
      file: 'server/store/event-store.ts',
      find: 'const [statement, values] = polled(query)',
      replace: `const skipped = "select id from events where org_id = ? order by id desc limit 1 offset 1000"
const after = query.after || String(store.prepare(skipped).get(query.orgId)?.[0] ?? '')
const [statement, values] = polled({ ...query, after })`,
    },
  ],
  [
    'cuts-long-subjects-of-queued-mail',
    'cuts the subject of an email in message.queued to 255 letters',
    ['EVT-004'],
    { file: 'server/mail.ts', find: 'cc: email.cc, subject: email.subject', replace: `cc: email.cc, ${shortSubject}` },
  ],
  [
    'cuts-long-subjects-of-received-mail',
    'cuts the subject of a message in message.received to 255 letters',
    ['EVT-003'],
    {
      file: 'server/mail.ts',
      find: 'from: email.from, subject: email.subject',
      replace: `from: email.from, ${shortSubject}`,
    },
  ],
])
