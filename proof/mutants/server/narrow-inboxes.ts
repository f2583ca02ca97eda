import { patchesOfServer, type Patch } from '../define.js'

const webhooks = 'server/api/routes-webhooks.ts'

/** Sends a webhook of one inbox more events than those of its inbox; `also` is an expression over `webhook` and `event`. */
const sendsToo = (also: string): Patch => ({
  file: 'server/recorder.ts',
  find: 'policy.matchesInbox(webhook.inboxId, event)',
  replace: `(policy.matchesInbox(webhook.inboxId, event) || (${also}))`,
})

/** An event of a message, not of the workspace, that belongs to no inbox. */
const isOfNoInbox = "event.inboxId === null && !event.type.startsWith('sending.')"

/** Deviations for events without an inbox, or with one that a key of the org names. */
export const narrowInboxMutants = patchesOfServer([
  [
    'sends-workspace-events-to-who-asks-for-nothing-else',
    'delivers workspace events to an inbox webhook that lists only those',
    ['EVT-013'],
    sendsToo(
      "event.inboxId === null && webhook.eventTypes.length > 0 && webhook.eventTypes.every((type) => type.startsWith('sending.'))",
    ),
  ],
  [
    'sends-pauses-to-who-asks-for-nothing-else',
    'delivers sending.paused to an inbox webhook that lists only that',
    ['EVT-013'],
    sendsToo("event.type === 'sending.paused' && webhook.eventTypes.join() === event.type"),
  ],
  [
    'drops-the-inbox-of-who-asks-for-workspace-events-alone',
    "drops inbox_id of an org key's webhook that lists only workspace events",
    ['EVT-013'],
    {
      file: webhooks,
      find: 'const inboxId = policy.webhookInbox(key.inboxId, inbox)',
      replace:
        'const inboxId = asked !== undefined && asked.length > 0 && asked.every(isOfWorkspace) ? key.inboxId : policy.webhookInbox(key.inboxId, inbox)',
    },
  ],
  [
    'sends-events-of-no-inbox-to-webhooks-of-one',
    'a webhook of one inbox gets the events of messages that belong to none',
    ['SCOPE-005'],
    sendsToo(isOfNoInbox),
  ],
  [
    'streams-events-of-no-inbox-to-keys-of-one',
    'a live stream of an inbox key shows events without an inbox',
    ['SCOPE-002'],
    {
      file: 'server/stream.ts',
      find: '(inboxId === null || inboxId === event.inboxId)',
      replace: `(inboxId === null || inboxId === event.inboxId || (${isOfNoInbox}))`,
    },
  ],
  [
    'lists-events-of-no-inbox-to-keys-of-one',
    'lists and backlogs of an inbox key contain events without an inbox',
    ['SCOPE-001', 'SCOPE-010'],
    {
      file: 'server/store/event-store.ts',
      find: "sql('where org_id = ? and inbox_id = ? and id > ?')",
      replace:
        "sql(`where org_id = ? and (inbox_id = ? or inbox_id is null and type not like 'sending.%') and id > ?`)",
    },
  ],
  [
    'checks-no-url-where-an-inbox-is-named',
    'the url of a webhook with an inbox_id is not checked',
    ['NET-001', 'NET-002', 'NET-003', 'NET-005', 'WHK-019'],
    {
      file: webhooks,
      find: 'await checkUrl(url, { policy, egress })',
      replace: 'if (inbox === null) await checkUrl(url, { policy, egress })',
    },
  ],
  [
    'keeps-a-webhook-of-an-inbox-until-another-is-made',
    'keeps webhooks in memory, where a delete of an inbox webhook does not remove it',
    ['WHK-014'],
    {
      file: 'server/store/webhook-store.ts',
      find: 'markDeleted.run(webhook.id); forget(webhook)',
      replace:
        'markDeleted.run(webhook.id); if (webhook.inboxId === null) forget(webhook); else byId.delete(webhook.id)',
    },
  ],
  [
    'sends-nothing-to-an-inbox-of-which-a-webhook-was-deleted',
    'once a webhook of an inbox was deleted the others of that inbox get nothing',
    ['DLV-004'],
    {
      file: 'server/recorder.ts',
      find: '!webhook.isDeleted',
      replace:
        '!webhook.isDeleted && !webhooks.ofOrg(event.orgId).some((each) => each.isDeleted && each.inboxId !== null && each.inboxId === webhook.inboxId)',
    },
  ],
  [
    'lists-the-newest-hundred-of-an-inbox',
    'without after an inbox key gets only its newest hundred events',
    ['POL-002'],
    {
      file: 'server/api/routes-events.ts',
      find: "after: after ?? ''",
      replace:
        "after: after ?? (key.inboxId === null ? '' : (events.behind({ orgId: key.orgId, inboxId: key.inboxId, after: '', limit: 100000 }).at(-101)?.id ?? ''))",
    },
  ],
  [
    'lists-composed-letters-to-keys-of-an-inbox',
    'letters and accents are composed in the list of an inbox key',
    ['EVT-014'],
    {
      file: 'server/store/event-store.ts',
      find: "return { json: text(json) ?? '', lastId: text(lastId) }",
      replace:
        "const all = text(json) ?? ''; return { json: query.inboxId === null ? all : all.normalize('NFC'), lastId: text(lastId) }",
    },
  ],
  [
    'resumes-with-composed-letters-for-keys-of-an-inbox',
    'letters and accents are composed in the backlog of an inbox key',
    ['EVT-014', 'STR-003'],
    {
      file: 'server/store/event-store.ts',
      find: 'return statement.all(...values).map(toEvent)',
      replace:
        "const isOfInbox = query.inboxId !== null; return statement.all(...values).map(toEvent).map((event) => isOfInbox ? { ...event, dataJson: event.dataJson.normalize('NFC') } : event)",
    },
  ],
  [
    'streams-short-subjects-to-keys-of-an-inbox',
    'subjects are cut at 255 letters on a stream of an inbox key',
    ['EVT-014', 'STR-003'],
    {
      file: 'server/stream.ts',
      find: 'frame ??= frameOf(event)',
      replace: String.raw`client.inboxId === null ? frameOf(event) : frameOf({ ...event, dataJson: event.dataJson.replace(/("subject":"[^"]{255})[^"]*/, '$1') })`,
    },
  ],
])
