import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant, type Patch } from '../define.js'

/** A way to the webhooks of all orgs. */
const everyWebhook: Patch = {
  file: 'server/store/webhook-store.ts',
  find: 'forgetAll() {',
  replace: `ofEveryOrg: () => store.prepare(\`select \${columns} from webhooks order by seq\`).all().map(toWebhook),
    forgetAll() {`,
}

/** How the pages of a backlog are read, of which the first is known. */
function readsFurtherPages(query: string): Patch {
  return {
    file: 'server/stream.ts',
    find: 'const page = events.behind({ orgId: key.orgId, inboxId, after: cursor, limit: policy.streamPageSize })',
    replace: `const page = events.behind(${query}, after: cursor, limit: policy.streamPageSize })
client.isBehind = true`,
  }
}

/** Deviations in what a key or a webhook of one inbox reaches. */
export const scopingMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/forces-no-inbox-for-workspace-events',
    title: 'creates a webhook for the whole org if an inbox key lists workspace events',
    breaks: ['SCOPE-003'],
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'const inboxId = policy.webhookInbox(key.inboxId, inbox)',
        replace: "const inboxId = asked?.includes('sending.paused') ? inbox : policy.webhookInbox(key.inboxId, inbox)",
      },
    ],
  }),
  defineMutant({
    id: 'server/polls-no-inbox-without-one',
    title: 'polls for an org key as for an inbox that does not exist',
    breaks: ['SCOPE-008'],
    policy: {
      pollInbox: (inbox) => inbox ?? 'none',
    },
  }),
  defineMutant({
    id: 'server/streams-no-inbox-without-one',
    title: 'streams for an org key as for an inbox that does not exist',
    breaks: ['SCOPE-009', 'STR-005', 'STR-008', 'AUTH-004', 'AUTH-005'],
    policy: { streamInbox: (inbox) => inbox ?? 'none' },
  }),
  defineMutant({
    id: 'server/sends-complaints-of-every-inbox',
    title: 'a webhook of one inbox gets the complaints of every inbox',
    breaks: ['SCOPE-005'],
    policy: {
      matchesInbox: (inboxId, event) =>
        defaultPolicy.matchesInbox(inboxId, event) || event.type === 'message.complained',
    },
  }),
  defineMutant({
    id: 'server/streams-mail-queued-in-every-inbox',
    title: 'a live stream of an inbox key shows message.queued of every inbox',
    breaks: ['SCOPE-002', 'SCOPE-010'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'inboxId === null || inboxId === event.inboxId',
        replace: "inboxId === null || inboxId === event.inboxId || event.type === 'message.queued'",
      },
    ],
  }),
  defineMutant({
    id: 'server/polls-every-inbox',
    title: 'a scoped key polls the whole org',
    breaks: ['SCOPE-001', 'SCOPE-010'],
    policy: {
      pollInbox: () => null,
    },
  }),
  defineMutant({
    id: 'server/widens-polling-behind-a-cursor',
    title: 'a scoped key polls the whole org when it gives after',
    breaks: ['SCOPE-010', 'SCOPE-001'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'policy.pollInbox(key.inboxId)',
        replace: 'after === undefined ? policy.pollInbox(key.inboxId) : null',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-every-inbox',
    title: 'a scoped key streams the whole org',
    breaks: ['SCOPE-002', 'SCOPE-010'],
    policy: {
      streamInbox: () => null,
    },
  }),
  defineMutant({
    id: 'server/streams-every-inbox-live',
    title: 'the live stream of an inbox key shows the events of the whole org',
    breaks: ['SCOPE-002', 'SCOPE-010'],
    patch: [{ file: 'server/stream.ts', find: 'inboxId === null || inboxId === event.inboxId', replace: 'true' }],
  }),
  defineMutant({
    id: 'server/widens-the-backlog',
    title: 'a scoped key is sent the backlog of the whole org',
    breaks: ['SCOPE-010'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'orgId: key.orgId, inboxId, after: cursor',
        replace: 'orgId: key.orgId, inboxId: null, after: cursor',
      },
    ],
  }),
  defineMutant({
    id: 'server/does-not-force-the-inbox',
    title: 'a scoped key makes webhooks of the whole org',
    breaks: ['SCOPE-003', 'SCOPE-004'],
    policy: {
      webhookInbox: (_key, requested) => requested,
    },
  }),
  defineMutant({
    id: 'server/refuses-another-inbox',
    title: "refuses another inbox for an inbox key instead of using the key's own",
    breaks: ['SCOPE-011'],
    policy: { foreignInbox: 'refuse' },
  }),
  defineMutant({
    id: 'server/shows-deliveries-of-other-inboxes',
    title: 'a scoped key is shown the deliveries of every webhook of its org',
    breaks: ['SCOPE-012'],
    policy: { keyReaches: (key, record) => key.orgId === record.orgId },
  }),
  defineMutant({
    id: 'server/trusts-the-asked-inbox',
    title: 'gives an inbox key any inbox it requests',
    breaks: ['SCOPE-004'],
    policy: {
      webhookInbox: (key, requested) => requested ?? key,
    },
  }),
  defineMutant({
    id: 'server/lists-the-asked-inbox',
    title: 'lists a webhook of an inbox key with the requested inbox',
    breaks: ['SCOPE-003', 'SCOPE-004'],
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'return reply({ status: policy.webhookCreatedStatus,',
        replace: `(ownState.askedInboxes ??= new Map()).set(webhook.id, inbox ?? null)
    return reply({ status: policy.webhookCreatedStatus,`,
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'policy.listedWebhook(webhook)',
        replace: 'policy.listedWebhook({ ...webhook, inboxId: ownState.askedInboxes?.get(webhook.id) ?? null })',
      },
    ],
  }),
  defineMutant({
    id: 'server/ignores-the-inbox-of-a-webhook',
    title: 'a webhook of one inbox gets every event',
    breaks: ['SCOPE-005', 'EVT-013', 'SCOPE-003'],
    policy: { matchesInbox: () => true },
  }),
  defineMutant({
    id: 'server/null-means-no-inbox',
    title: 'a webhook without an inbox gets only events without one',
    breaks: ['SCOPE-006'],
    policy: {
      matchesInbox: (inbox, event) => inbox === event.inboxId,
    },
  }),
  defineMutant({
    id: 'server/polls-every-org',
    title: 'a key polls the events of all orgs',
    breaks: ['SCOPE-007'],
    patch: [
      {
        file: 'server/store/event-store.ts',
        find: 'const polled = prepared',
        replace: `const changed = (sql) => prepared((where) => sql(where).replace('org_id = ?', '? is not null'))
const polled = changed`,
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-every-org',
    title: 'a stream gets the events of all orgs',
    breaks: ['SCOPE-007'],
    patch: [
      { file: 'server/stream.ts', find: 'event.orgId === key.orgId &&', replace: '' },
      {
        file: 'server/store/event-store.ts',
        find: 'const streamed = prepared',
        replace: `const ofEveryOrg = (sql) => prepared((where) => sql(where).replace('org_id = ?', '? is not null'))
const streamed = ofEveryOrg`,
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-to-every-org',
    title: 'an event is sent to the webhooks of all orgs',
    breaks: ['SCOPE-007', 'EVT-012'],
    patch: [
      everyWebhook,
      { file: 'server/recorder.ts', find: 'webhooks.ofOrg(event.orgId)', replace: 'webhooks.ofEveryOrg()' },
    ],
  }),
  defineMutant({
    id: 'server/lists-every-org',
    title: 'a key lists the webhooks of all orgs',
    breaks: ['SCOPE-007'],
    patch: [
      everyWebhook,
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'const items = webhooks.ofOrg(key.orgId)',
        replace: 'const items = webhooks.ofEveryOrg()',
      },
    ],
  }),
  defineMutant({
    id: 'server/reaches-every-org-by-id',
    title: 'any key reaches any id',
    breaks: ['SCOPE-007'],
    policy: {
      keyReaches: (key, record) => key.inboxId === null || key.inboxId === record.inboxId,
    },
  }),
  defineMutant({
    id: 'server/checks-no-org-for-keys-of-an-inbox',
    title: 'a key of one inbox reaches every id',
    breaks: ['SCOPE-007'],
    policy: {
      keyReaches: (key, record) => key.inboxId !== null || key.orgId === record.orgId,
    },
  }),
  defineMutant({
    id: 'server/checks-no-org-of-emails-for-keys-of-an-inbox',
    title: 'a key of one inbox reads, moves and cancels the emails of other orgs',
    breaks: ['SCOPE-007'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'email === undefined || !policy.keyReaches(key, email)',
        replace: 'email === undefined || (key.inboxId === null && !policy.keyReaches(key, email))',
      },
    ],
  }),
  defineMutant({
    id: 'server/polls-the-org-that-the-query-names',
    title: 'org_id in the query replaces the org of the key',
    breaks: ['SCOPE-007'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'orgId: key.orgId',
        replace: "orgId: c.req.query('org_id') || key.orgId",
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-the-org-that-the-query-names',
    title: 'org_id in the query of a stream replaces the org of the key',
    breaks: ['SCOPE-007'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'open(opened, key, after)',
        replace: "open(opened, { ...key, orgId: url.searchParams.get('org_id') || key.orgId }, after)",
      },
    ],
  }),
  defineMutant({
    id: 'server/matches-inboxes-of-any-org',
    title: 'a webhook that names the inbox of another org is made and gets its events',
    breaks: ['SCOPE-007', 'SCOPE-005'],
    patch: [
      everyWebhook,
      { file: 'server/api/routes-webhooks.ts', find: "policy.unknownInbox === 'refuse'", replace: 'false' },
      {
        file: 'server/recorder.ts',
        find: 'webhooks.ofOrg(event.orgId)',
        replace: 'webhooks.ofEveryOrg().filter((each) => each.orgId === event.orgId || each.inboxId !== null)',
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-emails-of-every-org-behind-a-cursor',
    title: 'checks the org only for the first page of emails',
    breaks: ['SCOPE-007'],
    patch: [
      {
        file: 'server/store/email-store.ts',
        find: '`select id, email_json from emails where org_id = ?1 and ${condition} and id < ?3 order by id desc limit ?4`',
        replace:
          "`select id, email_json from emails where (org_id = ?1 or ?3 not like '%~') and ${condition} and id < ?3 order by id desc limit ?4`",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-every-inbox-behind-a-page-of-the-backlog',
    title: 'reads the first backlog page for the inbox of the key, later ones for its org',
    breaks: ['SCOPE-010'],
    patch: [readsFurtherPages('{ orgId: key.orgId, inboxId: client.isBehind ? null : inboxId')],
  }),
  defineMutant({
    id: 'server/sends-every-org-behind-a-page-of-the-backlog',
    title: 'reads the first backlog page for the org of the key, later ones for all orgs',
    breaks: ['SCOPE-007'],
    patch: [
      readsFurtherPages('{ orgId: key.orgId, isOfAny: client.isBehind && inboxId === null, inboxId'),
      {
        file: 'server/store/event-store.ts',
        find: 'const [statement, values] = streamed(query)',
        replace: `const every = store.prepare(\`select \${columns} from events where id > ? order by id limit ?\`)
const [statement, values] = query.isOfAny ? [every, [query.after, query.limit]] : streamed(query)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-resumes-to-webhooks-of-an-inbox-that-list-them',
    title: 'a webhook of one inbox that lists sending.resumed, and not sending.paused, gets it',
    breaks: ['EVT-013'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'policy.matchesInbox(webhook.inboxId, event)',
        replace:
          "(policy.matchesInbox(webhook.inboxId, event) || (event.type === 'sending.resumed' && webhook.eventTypes.includes('sending.resumed') && !webhook.eventTypes.includes('sending.paused')))",
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-failures-with-a-reason-of-every-inbox',
    title: 'an inbox stream shows message.failed of every inbox if it has a reason',
    breaks: ['SCOPE-002'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'inboxId === null || inboxId === event.inboxId',
        replace:
          "inboxId === null || inboxId === event.inboxId || (event.type === 'message.failed' && 'reason' in JSON.parse(event.dataJson))",
      },
    ],
  }),
]
