// Forms and extra fields of a service's answers where the interface shows none.
import { defaultPolicy } from '../../reference/server/index.js'
import { variant, type ServerVariant } from './server-variant.js'

const { shownDelivery, pollMembers } = defaultPolicy

/** As a database writes a time that is UTC by agreement. */
const withoutZone = (time: string): string => time.replace('T', ' ').replace('Z', '')

export const serverAnswers: readonly ServerVariant[] = [
  {
    id: 'server/tells-what-is-scheduled',
    title: 'an email that is scheduled raises a `message.scheduled` of its own when it is taken',
    openPoints: ['unknown-event-type'],
    policy: {},
    patch: [
      {
        file: 'server/mail.ts',
        find: 'emails.insert(isLater ? email : dispatch(email, now), sequence, isLater ? sendAt : null)',
        replace: `emails.insert(isLater ? email : dispatch(email, now), sequence, isLater ? sendAt : null)
    if (isLater) {
      const ids = { message_id: id, inbox_id: email.inboxId, thread_id: email.threadId }
      const data = { ...ids, to: email.to, subject: email.subject, scheduled_at: new Date(sendAt).toISOString() }
      options.recorder.raise({ orgId: email.orgId, type: 'message.scheduled', data, at: now })
    }`,
      },
    ],
  },
  {
    id: 'server/malformed-credentials-are-bad-requests',
    title: 'answers a malformed bearer token with 400 (RFC 6750)',
    openPoints: ['auth-status'],
    policy: {},
    patch: [
      {
        file: 'server/api/app.ts',
        find: 'status: policy.authStatus,',
        replace: `status: authorization === undefined || /^bearer +[\\w.~+/-]+=* *$/i.test(authorization) ? policy.authStatus : 400,`,
      },
    ],
  },
  variant('times-without-a-zone', 'created_at and next_attempt_at are UTC and name no zone', ['timestamp-format'], {
    pollMembers: pollMembers.map((member) =>
      member.name === 'created_at' ? { ...member, json: ({ time }) => JSON.stringify(withoutZone(time)) } : member,
    ),
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      next_attempt_at:
        delivery.nextAttemptAt === null ? null : withoutZone(new Date(delivery.nextAttemptAt).toISOString()),
      created_at: withoutZone(new Date(delivery.createdAt).toISOString()),
    }),
  }),
  {
    id: 'server/pauses-without-a-reason',
    title: 'a pause for which no reason was given has none',
    openPoints: [],
    policy: {},
    patch: [{ file: 'server/sending.ts', find: "reason: reason ?? 'bounce_rate'", replace: 'reason: reason ?? null' }],
  },
  {
    id: 'server/two-webhooks-and-one-stream',
    title: 'an org has at most two webhooks, and a key one stream',
    openPoints: ['limits-and-quotas'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'const webhook = webhooks.create({',
        replace: `if (webhooks.ofOrg(key.orgId).filter((each) => !each.isDeleted).length >= 2)
          throw new ApiError({ status: 403, code: 'quota_exceeded', message: 'Two webhooks are all.', fix: 'Delete one first.' })
        const webhook = webhooks.create({`,
      },
      {
        file: 'server/stream.ts',
        find: "if (!mayStream && policy.streamRefusal === 'refuse-upgrade') {",
        replace: `ownState.streamsOfKeys ??= new Map()
        const sockets = ownState.streamsOfKeys.get(key?.id) ?? []
        if (mayStream && sockets.length >= 1) {
          ownState.streamsOfKeys.set(key.id, sockets.filter((each) => !each.destroyed))
          return answerRaw(socket, { reason: { status: 403, phrase: 'Forbidden', code: 'quota_exceeded', message: 'One stream is all.', fix: 'Close one first.' }, policy })
        }
        if (mayStream) ownState.streamsOfKeys.set(key.id, [...sockets, socket])
        if (!mayStream && policy.streamRefusal === 'refuse-upgrade') {`,
      },
    ],
  },
  {
    id: 'server/numbers-for-email-ids',
    title: 'the id of an email is a number',
    openPoints: ['email-id-form'],
    policy: {},
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'return new Response(JSON.stringify(body), { status, headers: jsonHeaders })',
        replace: `const json = JSON.stringify(body).replaceAll(/"id":"msg_(\\d{16})"/g, '"id":$1')
  return new Response(json, { status, headers: jsonHeaders })`,
      },
      {
        file: 'server/api/routes-emails.ts',
        find: "const email = emails.get(c.req.param('id') ?? '')",
        replace: "const email = emails.get((c.req.param('id') ?? '').replace(/^(?=\\d{16}$)/, 'msg_'))",
      },
      {
        file: 'server/api/routes-emails.ts',
        find: "if (policy.malformedIdStatus !== null && !/^msg_\\d+$/.test(c.req.param('id') ?? ''))",
        replace: "if (policy.malformedIdStatus !== null && !/^\\d+$/.test(c.req.param('id') ?? ''))",
      },
    ],
  },
]
