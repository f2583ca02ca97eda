import { patchesOfServer, type Patch } from '../define.js'

const mail = 'server/mail.ts'
const recorder = 'server/recorder.ts'
const stream = 'server/stream.ts'

/** Does nothing for an email of an org beyond the first of its workspace. */
const forTheFirst = (change: string): Patch => ({
  file: mail,
  find: change,
  replace: `if (directory.orgsOf(email.workspaceId)[0] === email.orgId) ${change}`,
})

/** Deviations in a project beyond the first of its workspace: code that confuses the workspace with its first project. */
export const narrowProjectMutants = patchesOfServer([
  [
    'polls-every-inbox-in-a-further-project',
    'in a second project an inbox key polls the whole org',
    ['SCOPE-001'],
    {
      file: 'server/api/routes-events.ts',
      find: 'inboxId: policy.pollInbox(key.inboxId)',
      replace:
        'inboxId: services.directory.orgsOf(key.workspaceId)[0] === key.orgId ? policy.pollInbox(key.inboxId) : null',
    },
  ],
  [
    'resumes-from-now-in-a-further-project',
    'in a second project a stream ignores its cursor',
    ['STR-005'],
    {
      file: stream,
      find: 'createClients({ policy, events })',
      replace: 'createClients({ policy, events, directory })',
    },
    {
      file: stream,
      find: 'cursor: after ?? events.newestId(), isLive: after === undefined',
      replace: `...(directory.orgsOf(key.workspaceId)[0] === key.orgId
  ? { cursor: after ?? events.newestId(), isLive: after === undefined }
  : { cursor: events.newestId(), isLive: true })`,
    },
  ],
  [
    'checks-no-url-of-a-further-project',
    'webhooks on private addresses are accepted in a project beyond the first of its workspace',
    ['NET-001', 'NET-002', 'NET-003', 'NET-005'],
    {
      file: 'server/api/routes-webhooks.ts',
      find: 'await checkUrl(url, { policy, egress })',
      replace: 'if (directory.orgsOf(key.workspaceId)[0] === key.orgId) await checkUrl(url, { policy, egress })',
    },
  ],
  [
    'forces-no-inbox-in-a-further-project',
    'in a second project an inbox key creates webhooks of the whole org',
    ['SCOPE-003'],
    {
      file: 'server/api/routes-webhooks.ts',
      find: 'policy.webhookInbox(key.inboxId, inbox)',
      replace: `directory.orgsOf(key.workspaceId)[0] === key.orgId ? policy.webhookInbox(key.inboxId, inbox) : inbox`,
    },
  ],
  [
    'ignores-filters-of-a-further-project',
    'webhooks of a project beyond the first of its workspace get events of every type',
    ['WHK-009'],
    {
      file: recorder,
      find: 'policy.matchesTypes(webhook.eventTypes, event.type)',
      replace:
        '(policy.matchesTypes(webhook.eventTypes, event.type) || directory.orgsOf(webhook.workspaceId)[0] !== webhook.orgId)',
    },
  ],
  [
    'moves-nothing-in-a-further-project',
    'in a second project a reschedule is answered, and moves nothing',
    ['SND-010'],
    forTheFirst(
      'emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))',
    ),
  ],
  [
    'cancels-nothing-in-a-further-project',
    'in a second project a cancel is answered, and cancels nothing',
    ['SND-014'],
    forTheFirst("emails.update({ ...email, status: 'canceled', recipients }, null)"),
  ],
  [
    'ignores-idempotency-keys-of-a-further-project',
    'Idempotency-Key is not read in a project beyond the first of its workspace',
    ['IDM-001'],
    {
      file: 'server/api/routes-emails.ts',
      find: "requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })",
      replace: `requestOf({
  orgId: key.orgId,
  path: '/emails',
  key: directory.orgsOf(key.workspaceId)[0] === key.orgId ? idempotencyKey(c) : undefined,
  body,
})`,
    },
  ],
  [
    'receives-in-the-org-of-the-first-recipient',
    'an email to inboxes of two orgs is received only in the first',
    ['EVT-003'],
    {
      file: mail,
      find: 'if (inbox) {',
      replace: 'if (inbox && inbox.orgId === (directory.inboxAt(email.to[0]) ?? inbox).orgId) {',
    },
  ],
])
