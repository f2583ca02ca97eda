// What a service reads from, and how it names what it holds: replicas, numbers that a database counts, cursors of its own.
import { defaultPolicy } from '../../reference/server/index.js'
import { variant, type ServerVariant } from './server-variant.js'

const { shownEmail, shownDelivery } = defaultPolicy

/** The lag of the second store, in milliseconds. */
const behindMs = 700

/** What an email is called, other than the message that it becomes. */
const emailId = (id: string): string => id.replace('msg_', 'eml_')

export const serverStores: readonly ServerVariant[] = [
  {
    id: 'server/reads-by-turns',
    title: `reads lists in turn from two stores, one of them ${behindMs} ms late`,
    openPoints: ['lagging-lists', 'late-resources'],
    isAlone: true,
    policy: {},
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'const record = insert(event, at)',
        replace: `const record = insert(event, at)
        ;(ownState.storedAt ??= new Map()).set(record.id, Date.now())`,
      },
      {
        file: 'server/api/routes-events.ts',
        find: 'const nextAfter = policy.nextAfter(',
        replace: `const rows = JSON.parse('[' + page.json + ']')
        const first = rows.findIndex(({ id }) => Date.now() - (ownState.storedAt?.get(id) ?? 0) < ${behindMs})
        ownState.pagesRead = (ownState.pagesRead ?? 0) + 1
        if (first >= 0 && ownState.pagesRead % 2 === 1) {
          page.json = JSON.stringify(rows.slice(0, first)).slice(1, -1)
          page.lastId = rows[first - 1]?.id
        }
        const nextAfter = policy.nextAfter(`,
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'return reply({ status: policy.webhookCreatedStatus,',
        replace: `;(ownState.storedAt ??= new Map()).set(webhook.id, Date.now())
        return reply({ status: policy.webhookCreatedStatus,`,
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'webhooks.delete(webhook)',
        replace: ';(ownState.goneAt ??= new Map()).set(webhook.id, Date.now()); webhooks.delete(webhook)',
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: '.filter((webhook) => !webhook.isDeleted)',
        replace: `.filter((webhook) => {
          ownState.rowsRead = (ownState.rowsRead ?? 0) + 1
          const at = Date.now() - (ownState.rowsRead % 2 === 1 ? ${behindMs} : 0)
          const isGone = (ownState.goneAt?.get(webhook.id) ?? (webhook.isDeleted ? 0 : Infinity)) <= at
          return !isGone && (ownState.storedAt?.get(webhook.id) ?? 0) <= at
        })`,
      },
      {
        file: 'server/store/delivery-store.ts',
        find: "const id = randomId('dlv_')",
        replace: "const id = randomId('dlv_'); (ownState.storedAt ??= new Map()).set(id, Date.now())",
      },
      {
        file: 'server/store/delivery-store.ts',
        find: 'record.run(status, attempt, responseCode, snippet, error, nextAttemptAt, nextAttemptAt, id)',
        replace: `const row = store.prepare(\`select \${columns} from deliveries where id = ?\`).get(id)
        if (row !== undefined) (ownState.wasBefore ??= new Map()).set(id, { until: Date.now() + ${behindMs}, shown: toDelivery(row) })
        record.run(status, attempt, responseCode, snippet, error, nextAttemptAt, nextAttemptAt, id)`,
      },
      {
        file: 'server/store/delivery-store.ts',
        find: 'list.all(webhookId, limit).map(toDelivery)',
        replace: `{
        const items = list.all(webhookId, limit).map(toDelivery)
        ownState.listsRead = (ownState.listsRead ?? 0) + 1
        if (ownState.listsRead % 2 === 0) return items
        const before = ({ id }) => ownState.wasBefore?.get(id)
        return items
          .filter(({ id }) => Date.now() - (ownState.storedAt?.get(id) ?? 0) >= ${behindMs})
          .map((item) => (before(item)?.until > Date.now() ? before(item).shown : item))
        }`,
      },
    ],
  },
  {
    id: 'server/numbers-its-events',
    title: 'event ids are numbers without leading zeros, and are compared as numbers',
    openPoints: ['id-scheme', 'empty-fields'],
    policy: {
      webhookId: (random) => `whk_${random.slice(0, 8)}-a:b.c~${'Z'.repeat(180)}`,
      shownDelivery: (delivery) => ({ ...shownDelivery(delivery), event_id: undefined }),
    },
    patch: [
      {
        file: 'server/api/find-webhook.ts',
        find: '!/^whk_[0-9a-f]+$/.test(',
        replace: '!/^whk_[0-9a-z:.~-]+$/i.test(',
      },
      {
        file: 'server/ids.ts',
        find: 'current = Math.max(current + 1, Date.now() * 1000)',
        replace: `(ownState.firstNumber ??= Date.now() * 1000 - 3,
        ownState.numberOf ??= (id) => id.replace(/^evt_(\\d{16,})$/, (_, n) => 'evt_' + (BigInt(n) - BigInt(ownState.firstNumber))),
        ownState.eventOf ??= (id) => id.replace(/^evt_(\\d{1,15})$/, (_, n) => 'evt_' + (BigInt(n) + BigInt(ownState.firstNumber))),
        current = Math.max(current + 1, ownState.firstNumber))`,
      },
      {
        file: 'server/policy/members.ts',
        find: 'json: member.json',
        replace: `json: member.name === 'id'
          ? (event) => member.json({ ...event, id: ownState.numberOf(event.id) })
          : member.json`,
      },
      {
        file: 'server/engine/attempt.ts',
        find: 'const id = due.eventId',
        replace: 'const id = ownState.numberOf(due.eventId)',
      },
      {
        file: 'server/api/routes-events.ts',
        find: "after: after ?? ''",
        replace: "after: ownState.eventOf?.(after ?? '') ?? ''",
      },
      {
        file: 'server/api/routes-events.ts',
        find: 'policy.nextAfter({ lastId: page.lastId,',
        replace: 'policy.nextAfter({ lastId: page.lastId && ownState.numberOf(page.lastId),',
      },
      {
        file: 'server/stream.ts',
        find: "const after = url.searchParams.get('after') ?? undefined",
        replace: `const asked = url.searchParams.get('after') ?? undefined
        const after = asked && (ownState.eventOf?.(asked) ?? asked)`,
      },
      {
        file: 'server/control.ts',
        find: 'body: { id: event.id }',
        replace: 'body: { id: ownState.numberOf(event.id) }',
      },
      {
        file: 'server/store/delivery-store.ts',
        find: "const id = randomId('dlv_')",
        replace: "const id = `${fields.webhookId.slice(0, 20)}:${fields.eventId}/=+ ${randomId('')}`",
      },
    ],
  },
  {
    id: 'server/cursors-of-its-own',
    title: 'uses a long token as next_after, absent from an empty page',
    openPoints: ['next-after-empty', 'unknown-after'],
    policy: {
      nextAfter: ({ lastId }) =>
        lastId === undefined ? undefined : `cur.${Buffer.from(lastId).toString('base64url')}.${'s'.repeat(300)}`,
      pollEnvelope: (rows, next) =>
        `{${next == null ? '' : `"next_after":${JSON.stringify(next)},`}"has_more":${next != null},"data":[${rows}]}`,
    },
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: "const after = c.req.query('after')",
        replace: `const asked = c.req.query('after')
        const after = asked?.startsWith('cur.') ? Buffer.from(asked.split('.')[1], 'base64url').toString() : asked`,
      },
      {
        file: 'server/stream.ts',
        find: "const after = url.searchParams.get('after') ?? undefined",
        replace: `const asked = url.searchParams.get('after') ?? undefined
        const after = asked?.startsWith('cur.') ? Buffer.from(asked.split('.')[1], 'base64url').toString() : asked`,
      },
    ],
  },
  {
    id: 'server/emails-are-no-messages',
    title: 'an email has another id than its message, a status in capitals, and recipients by address',
    openPoints: ['id-scheme', 'extra-fields'],
    policy: {
      sendAnswer: (id) => ({ status: 200, body: { id: emailId(id) } }),
      batchAnswer: (ids, errors) => ({
        status: 207,
        body: { data: ids.map((id) => ({ id: emailId(id) })), errors },
      }),
      rescheduleAnswer: (id) => ({ status: 200, body: { object: 'email', id: emailId(id) } }),
      cancelAnswer: (id) => ({ status: 200, body: { object: 'email', id: emailId(id) } }),
      shownEmail: (email) => ({
        ...shownEmail(email),
        id: emailId(email.id),
        status: email.status.toUpperCase(),
        recipients: Object.fromEntries(email.recipients.map(({ address, status }) => [address, { state: status }])),
      }),
    },
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "const email = emails.get(c.req.param('id') ?? '')",
        replace: "const email = emails.get((c.req.param('id') ?? '').replace(/^msg_/, 'no_').replace('eml_', 'msg_'))",
      },
      {
        file: 'server/api/routes-emails.ts',
        find: "if (policy.malformedIdStatus !== null && !/^msg_\\d+$/.test(c.req.param('id') ?? ''))",
        replace: "if (policy.malformedIdStatus !== null && !/^eml_\\d+$/.test(c.req.param('id') ?? ''))",
      },
    ],
  },
  variant('mail-defers-first', 'a message is deferred before whatever becomes of it', [], {
    outcomeEvents: Object.fromEntries(
      Object.entries(defaultPolicy.outcomeEvents).map(([outcome, events]) => [
        outcome,
        ['bounced', 'complained', 'failed'].includes(outcome)
          ? [...defaultPolicy.outcomeEvents.deferred, ...events]
          : events,
      ]),
    ) as typeof defaultPolicy.outcomeEvents,
  }),
]
