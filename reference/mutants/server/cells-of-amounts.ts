import { patchesOfServer, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'
const recorder = 'server/recorder.ts'
const firstResults = 'server/store/first-results.ts'

const shortSubject = 'subject: email.subject.slice(0, 255)'

/** The webhooks that an event is sent to, in place of those that match. */
function sendsTo(webhooks: string): Patch {
  return {
    file: recorder,
    find: 'for (const { id: webhookId, workspaceId } of matching) {',
    replace: `for (const { id: webhookId, workspaceId } of ${webhooks}) {`,
  }
}

/** When an attempt has ended `failures` of its webhook is set to what `counted` makes of it, and forgotten where it succeeded. */
function countsFailures(counted: string): Patch {
  const told = 'options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })'
  return {
    file: attempts,
    find: told,
    replace: `const failures = (globalThis.failuresOfWebhooks ??= new Map())
if (status === 'succeeded') failures.delete(due.webhookId)
else failures.set(due.webhookId, ${counted})
${told}`,
  }
}

/** A webhook gets no further event once `condition` holds of its `failures`. */
function givesUp(condition: string): Patch {
  return {
    file: recorder,
    find: '!webhook.isDeleted && policy.matchesTypes(webhook.eventTypes, event.type)',
    replace: `!webhook.isDeleted && !((failures) => ${condition})(globalThis.failuresOfWebhooks?.get(webhook.id)) && policy.matchesTypes(webhook.eventTypes, event.type)`,
  }
}

/** So many first results are kept, those that were asked for last. */
function keepsResults(count: number): readonly [Patch, ...Patch[]] {
  const find = 'request && select.get(request.slot)'
  return [
    {
      file: firstResults,
      find,
      replace: `request && ((globalThis.keptSlots ??= []).slice(-${count}).includes(request.slot) ? select.get(request.slot) : undefined)`,
    },
    {
      file: firstResults,
      find: 'if (request !== undefined) insert.run(',
      replace: 'if (request !== undefined) (globalThis.keptSlots ??= []).push(request.slot), insert.run(',
    },
  ]
}

/** Deviations that show where there is much: of webhooks, of failures, of days, of sends, of text. */
export const amountCellMutants = patchesOfServer([
  [
    'sends-to-twenty-five-webhooks',
    'an event is sent to the first twenty-five of the webhooks that ask for it',
    ['WHK-021', 'DLV-004'],
    sendsTo('matching.slice(0, 25)'),
  ],
  [
    'sends-to-a-page-of-webhooks',
    'the webhooks of an event are read as a list of fifty, the newest, and those beyond get nothing',
    ['WHK-021', 'DLV-004'],
    sendsTo('matching.slice(-50)'),
  ],
  [
    'gives-a-webhook-up-for-a-hundred-failures',
    'a webhook of which a hundred attempts in a row have failed gets no further event',
    ['DLV-004'],
    countsFailures('(failures.get(due.webhookId) ?? 0) + 1'),
    givesUp('failures >= 100'),
  ],
  [
    'gives-a-webhook-up-that-fails-for-five-days',
    'a webhook whose attempts have all failed for five days gets no further event',
    ['DLV-004'],
    countsFailures(
      '{ since: failures.get(due.webhookId)?.since ?? startedAt, isOff: startedAt - (failures.get(due.webhookId)?.since ?? startedAt) > 432_000_000 }',
    ),
    givesUp('failures?.isOff'),
  ],
  [
    'keeps-ten-first-results',
    'the first results of the last ten sends are kept: a repeat behind ten others is another email',
    ['IDM-001', 'IDM-002'],
    ...keepsResults(10),
  ],
  [
    'keeps-twenty-first-results',
    'the first results of the last twenty sends are kept: a repeat behind twenty others is another email',
    ['IDM-001', 'IDM-002'],
    ...keepsResults(20),
  ],
  [
    'sends-no-large-event',
    'an event of more than 60 KB is listed and streamed, and is no delivery',
    ['EVT-014', 'DLV-004'],
    sendsTo('event.dataJson.length > 60_000 ? [] : matching'),
  ],
  [
    'cuts-large-bodies',
    'the column of the body of a delivery has 65,535 bytes, and cuts what is longer',
    ['EVT-014', 'DLV-002'],
    { file: attempts, find: 'const body = bodyOf(event)', replace: 'const body = bodyOf(event).slice(0, 65_535)' },
  ],
  [
    'sends-at-once-what-is-scheduled-for-weeks-ahead',
    'a timer of 31 bits of milliseconds holds scheduled mail: what is further ahead is sent at once',
    ['SND-013'],
    {
      file: 'server/mail.ts',
      find: 'const isLater = sendAt > clockNow',
      replace: 'const isLater = sendAt > clockNow && sendAt - clockNow < 2_147_483_648',
    },
  ],
  [
    'sends-at-once-what-is-moved-weeks-ahead',
    'a timer of 31 bits of milliseconds holds mail that was moved: what is moved further ahead is sent at once',
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
    'a timer of 31 bits of milliseconds holds the items of a batch: what is scheduled further ahead is sent at once',
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
    'the column of the subject of an email has 255 letters, and message.queued tells what is in it',
    ['EVT-004'],
    { file: 'server/mail.ts', find: 'cc: email.cc, subject: email.subject', replace: `cc: email.cc, ${shortSubject}` },
  ],
  [
    'cuts-long-subjects-of-received-mail',
    'the column of the subject of a message has 255 letters, and message.received tells what is in it',
    ['EVT-003'],
    {
      file: 'server/mail.ts',
      find: 'from: email.from, subject: email.subject',
      replace: `from: email.from, ${shortSubject}`,
    },
  ],
])
