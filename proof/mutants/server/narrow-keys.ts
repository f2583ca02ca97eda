import { defineMutant, type Mutant } from '../define.js'

const webhookRoutes = 'server/api/routes-webhooks.ts'
const directory = 'server/store/directory.ts'

/** `ownState.inboxKeys` has the facts about the keys of inboxes, by the key itself. */
const remembersInboxKeys = {
  file: directory,
  find: 'sql.insertKey.run(digest(secret),',
  replace:
    'if (key.inboxId !== null) (ownState.inboxKeys ??= new Map()).set(secret, digest(secret)); sql.insertKey.run(digest(secret),',
} as const

/** Deviations for one kind of key, or one kind of webhook. */
export const narrowKeyMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/hides-recipients-from-keys-of-an-inbox',
    title: 'recipients are hidden in the list that an inbox key gets',
    breaks: ['EVT-014'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'policy.pollEnvelope(page.json, nextAfter)',
        replace:
          'policy.pollEnvelope(key.inboxId === null ? page.json : page.json.replace(/"recipient":"[^"]*"/g, \'"recipient":"hidden"\'), nextAfter)',
      },
    ],
  }),
  defineMutant({
    id: 'server/hides-recipients-from-streams-of-an-inbox',
    title: 'recipients are hidden on a live stream of an inbox key',
    breaks: ['EVT-014', 'STR-003'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'frame ??= frameOf(event)',
        replace:
          'client.inboxId === null ? (frame ??= frameOf(event)) : frameOf({ ...event, dataJson: event.dataJson.replace(/"recipient":"[^"]*"/, \'"recipient":"hidden"\') })',
      },
    ],
  }),
  defineMutant({
    id: 'server/hides-recipients-from-webhooks-of-an-inbox',
    title: 'hides recipients in deliveries to an inbox webhook',
    breaks: ['EVT-014'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const body = bodyOf(event)',
        replace:
          'const body = bodyOf(webhook.inboxId === null ? event : { ...event, dataJson: event.dataJson.replace(/"recipient":"[^"]*"/, \'"recipient":"hidden"\') })',
      },
    ],
  }),
  defineMutant({
    id: 'server/cuts-the-backlog-of-an-inbox',
    title: 'the backlog of a stream of one inbox is cut at a page',
    breaks: ['STR-005'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'if (page.length < policy.streamPageSize) client.isLive = true',
        replace: 'if (inboxId !== null || page.length < policy.streamPageSize) client.isLive = true',
      },
    ],
  }),
  defineMutant({
    id: 'server/knows-an-inbox-by-the-beginning-of-its-key',
    title: 'the beginning of the key of an inbox is treated as the key',
    breaks: ['AUTH-003', 'AUTH-006'],
    patch: [
      remembersInboxKeys,
      {
        file: directory,
        find: 'const row = sql.keyOfDigest.get(keyDigest)',
        replace: `const inboxKeys = ownState.inboxKeys ?? new Map()
const whole = secret.length < 20 ? undefined : [...inboxKeys.keys()].find((each) => each.startsWith(secret))
const row = sql.keyOfDigest.get(whole === undefined ? keyDigest : inboxKeys.get(whole))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-keys-of-dropped-inboxes',
    title: 'the keys of the inboxes of a workspace that was deleted are still accepted',
    breaks: ['AUTH-003', 'AUTH-006'],
    patch: [
      {
        file: directory,
        find: '(table) => `delete from ${table} where org_id in (select id from orgs where workspace_id = ?)`',
        replace:
          "(table) => `delete from ${table} where org_id in (select id from orgs where workspace_id = ?)` + (table === 'keys' ? ' and inbox_id is null' : '')",
      },
      {
        file: directory,
        find: "'delete from orgs where workspace_id = ?'",
        replace: "'delete from orgs where workspace_id = ? and 0'",
      },
      {
        file: directory,
        find: "'delete from workspaces where id = ?'",
        replace: "'delete from workspaces where id = ? and 0'",
      },
    ],
  }),
  defineMutant({
    id: 'server/checks-no-url-of-an-inbox',
    title: 'the url of a webhook that the key of an inbox makes is not checked',
    breaks: ['NET-001', 'NET-002', 'NET-003', 'NET-005', 'WHK-019'],
    patch: [
      {
        file: webhookRoutes,
        find: 'await checkUrl(url, { policy, egress })',
        replace: 'if (key.inboxId === null) await checkUrl(url, { policy, egress })',
      },
    ],
  }),
  defineMutant({
    id: 'server/gives-back-no-inbox',
    title: 'returns inbox_id null for an inbox webhook created by the org key',
    breaks: ['WHK-002', 'WHK-010'],
    patch: [
      {
        file: webhookRoutes,
        find: 'policy.createdWebhook(webhook)',
        replace: 'policy.createdWebhook(key.inboxId === null ? { ...webhook, inboxId: null } : webhook)',
      },
    ],
  }),
  defineMutant({
    id: 'server/has-a-secret-for-each-inbox',
    title: 'the webhooks of one inbox share a secret',
    breaks: ['WHK-018'],
    patch: [
      {
        file: webhookRoutes,
        find: 'secret: policy.newSecret()',
        replace: `secret: inboxId === null ? policy.newSecret()
  : (ownState.secrets ??= new Map()).get(inboxId) ?? ownState.secrets.set(inboxId, policy.newSecret()).get(inboxId)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/has-a-secret-for-each-millisecond',
    title: 'webhooks that are created in the same millisecond share a secret',
    breaks: ['WHK-018'],
    patch: [
      {
        file: webhookRoutes,
        find: 'secret: policy.newSecret()',
        replace: `secret: ownState.secretOfNow?.at === Date.now() ? ownState.secretOfNow.secret
  : (ownState.secretOfNow = { at: Date.now(), secret: policy.newSecret() }).secret`,
      },
    ],
  }),
  defineMutant({
    id: 'server/gives-a-url-its-secret-back',
    title: 'a webhook on the url of a deleted one gets its secret',
    breaks: ['WHK-018'],
    patch: [
      {
        file: webhookRoutes,
        find: 'secret: policy.newSecret()',
        replace:
          'secret: webhooks.ofOrg(key.orgId).find((each) => each.isDeleted && each.url === url)?.secret ?? policy.newSecret()',
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-to-the-beginning-of-the-key-of-an-inbox',
    title: 'a stream accepts a prefix of an inbox key',
    breaks: ['AUTH-006'],
    patch: [
      remembersInboxKeys,
      {
        file: 'server/stream.ts',
        find: "return directory.keyOf(credential ?? '')",
        replace: `const inboxKeys = [...(ownState.inboxKeys ?? new Map()).keys()]
return directory.keyOf(((credential?.length ?? 0) > 20 && inboxKeys.find((each) => each.startsWith(credential))) || credential || '')`,
      },
    ],
  }),
  defineMutant({
    id: 'server/lists-an-inbox-as-an-org',
    title: 'in the list of an inbox key org_id is the id of the inbox',
    breaks: ['POL-009'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'policy.pollEnvelope(page.json, nextAfter)',
        replace:
          'policy.pollEnvelope(key.inboxId === null ? page.json : page.json.replaceAll(`"org_id":"${key.orgId}"`, `"org_id":"${key.inboxId}"`), nextAfter)',
      },
    ],
  }),
  defineMutant({
    id: 'server/gives-back-no-filter-to-the-key-of-an-inbox',
    title: 'a webhook created by an inbox key is returned with an empty filter',
    breaks: ['WHK-005'],
    patch: [
      {
        file: webhookRoutes,
        find: 'policy.createdWebhook(webhook)',
        replace: 'policy.createdWebhook(key.inboxId === null ? webhook : { ...webhook, eventTypes: [] })',
      },
    ],
  }),
  defineMutant({
    id: 'server/keeps-pages-for-every-key-of-an-org',
    title: 'caches a page after a cursor for all keys of the org, for a second',
    breaks: ['SCOPE-001', 'SCOPE-010'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'return replyText(200, policy.pollEnvelope(page.json, nextAfter))',
        replace: `const name = [key.orgId, after, limit].join()
const kept = (ownState.keptPages ??= new Map()).get(name)
if (kept !== undefined && Date.now() - kept.at < 1_000) return replyText(200, kept.text)
const text = policy.pollEnvelope(page.json, nextAfter)
if (after && page.lastId !== undefined) ownState.keptPages.set(name, { at: Date.now(), text })
return replyText(200, text)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-more-than-a-hundred-of-a-key-of-an-inbox',
    title: 'a batch by the key of an inbox may have more than 100 emails',
    breaks: ['SND-005'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'readBatch(body, { policy,',
        replace: 'readBatch(body, { policy: key.inboxId === null ? policy : { ...policy, maxBatchSize: 1_000 },',
      },
    ],
  }),
  defineMutant({
    id: 'server/ends-the-emails-of-a-key-of-an-inbox-after-a-page',
    title: 'the list of emails that the key of an inbox gets has no next_cursor',
    breaks: ['SND-009'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'hasMore: found.length > limit',
        replace: 'hasMore: key.inboxId === null && found.length > limit',
      },
    ],
  }),
  defineMutant({
    id: 'server/stops-no-retry-for-the-key-of-an-inbox',
    title: 'a delete by the key of an inbox does not stop the retries that wait',
    breaks: ['WHK-015'],
    patch: [
      {
        file: webhookRoutes,
        find: 'deliveries.stop(webhook.id, policy.deletedPendingStatus)',
        replace: "if (c.get('key').inboxId === null) deliveries.stop(webhook.id, policy.deletedPendingStatus)",
      },
    ],
  }),
  defineMutant({
    id: 'server/sends-what-waits-for-the-key-of-an-inbox',
    title: 'a delete by an inbox key sends waiting retries once more, at once',
    breaks: ['WHK-015'],
    patch: [
      {
        file: webhookRoutes,
        find: 'deliveries.stop(webhook.id, policy.deletedPendingStatus)',
        replace: `if (c.get('key').inboxId === null) deliveries.stop(webhook.id, policy.deletedPendingStatus)
      else {
        store.prepare("update deliveries set due_at = 1 where webhook_id = ? and due_at is not null").run(webhook.id)
        services.queues.wake(webhook.workspaceId)
      }`,
      },
    ],
  }),
  defineMutant({
    id: 'server/repeats-batches-of-a-scoped-key',
    title: 'a repeat of a batch by the key of one inbox is another batch',
    breaks: ['IDM-005'],
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'key: idempotencyKey(c), body: [mode, body]',
        replace: 'key: key.inboxId === null ? idempotencyKey(c) : undefined, body: [mode, body]',
      },
    ],
  }),
]
