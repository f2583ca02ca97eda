// A service's own decisions where the interface defines a thing, but not its extent.
import { maxAttempts } from '../../spec/index.js'
import { defaultPolicy } from '../../reference/server/index.js'
import { variant, type ServerVariant } from './server-variant.js'

const { eventData, shownDelivery, retryDelaysMs } = defaultPolicy

export const serverDecisions: readonly ServerVariant[] = [
  variant(
    'leaves-out-what-a-message-has-not',
    'inbox_id and thread_id of a sent message that belongs to none are left out',
    ['absent-inbox-and-thread'],
    {
      eventData: (type, data) => {
        const kept = Object.entries(data).filter(
          ([name, value]) => value !== null || !['inbox_id', 'thread_id'].includes(name),
        )
        return eventData(type, Object.fromEntries(kept))
      },
    },
  ),
  {
    id: 'server/short-batches',
    title: 'a batch of more than 12,000 characters is refused with 413',
    openPoints: ['limits-and-quotas'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'const mode = policy.batchMode({',
        replace: `if (JSON.stringify(body).length > 12_000)
          return c.json({ code: 'request_too_large', message: 'The request is too large.', fix: 'Send less at once.' }, 413)
        const mode = policy.batchMode({`,
      },
    ],
  },
  {
    id: 'server/repeats-side-by-side-are-too-early',
    title: 'a send under the key of one that is under way is answered with 425',
    openPoints: ['idempotency-conflict'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "const request = firstResults.requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })",
        replace: `const named = idempotencyKey(c) === undefined ? undefined : key.orgId + ' ' + idempotencyKey(c)
        const underWay = (ownState.keysUnderWay ??= new Set())
        if (named !== undefined && underWay.has(named))
          return c.json({ code: 'too_early', message: 'A request with this key is under way.', fix: 'Ask again.' }, 425)
        underWay.add(named)
        await new Promise((resolve) => setTimeout(resolve, 60))
        underWay.delete(named)
        const request = firstResults.requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })`,
      },
    ],
  },
  {
    id: 'server/sends-again-beneath',
    title: 'the HTTP library repeats a request once if its connection ends without an answer',
    openPoints: ['resends-of-a-delivery'],
    policy: {},
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'const answer = await unlessAborted(answering, request.signal)',
        replace: `const answer = await unlessAborted(answering, request.signal).catch((error) => {
            if (request.signal.aborted || !['UND_ERR_SOCKET', 'ECONNRESET'].includes(codeOf(error))) throw error
            const { headers, body, signal } = request
            return unlessAborted(pool.request({ method: 'POST', path: url.pathname + url.search, headers, body, signal }), signal)
          })`,
      },
    ],
  },
  {
    id: 'server/sends-again-after-a-408',
    title: 'the HTTP library repeats a request once after a 408 or 421',
    openPoints: ['resends-of-a-delivery'],
    policy: {},
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'const answer = await unlessAborted(answering, request.signal)',
        replace: `const answer = await unlessAborted(answering, request.signal).then((first) => {
            if (first.statusCode !== 408 && first.statusCode !== 421) return first
            first.body.on('error', () => {}).destroy()
            const { headers, body, signal } = request
            return unlessAborted(pool.request({ method: 'POST', path: url.pathname + url.search, headers, body, signal }), signal)
          })`,
      },
    ],
  },
  {
    id: 'server/deletes-of-anything-succeed',
    title: 'deleting an unknown or invisible webhook succeeds and deletes nothing',
    openPoints: ['delete-again'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'const webhook = findWebhook(c, services)',
        replace: `let webhook
          try {
            webhook = findWebhook(c, services)
          } catch (error) {
            const there = webhooks.get(c.req.param('id') ?? '')
            if (there !== undefined && policy.keyReaches(c.get('key'), there)) throw error
            return reply({ status: 204 })
          }`,
      },
    ],
  },
  {
    id: 'server/events-in-real-time',
    title: "uses the machine's clock for event times, not the workspace's",
    openPoints: ['clock-and-events'],
    policy: {},
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'time: policy.formatTime(at)',
        replace: 'time: policy.formatTime(Date.now())',
      },
    ],
  },
  {
    id: 'server/email-cursors-are-numbers',
    title: 'the cursor of the list of emails is a number',
    openPoints: ['cursor-form'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'if (before !== undefined && !/^msg_\\d{16}$/.test(before)) {',
        replace: 'if (before !== undefined && !/^\\d{1,16}$/.test(before)) {',
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'before, limit: limit + 1 })',
        replace: "before: before === undefined ? undefined : 'msg_' + before.padStart(16, '0'), limit: limit + 1 })",
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'lastId: page.at(-1)?.id',
        replace: 'lastId: page.length === 0 ? undefined : Number(page.at(-1).id.slice(4))',
      },
    ],
  },
  variant('year-one-for-no-time', 'gives ended deliveries a next_attempt_at in the year 1', ['empty-fields'], {
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      next_attempt_at:
        delivery.nextAttemptAt === null ? '0001-01-01T00:00:00Z' : new Date(delivery.nextAttemptAt).toISOString(),
    }),
  }),
  {
    id: 'server/schedules-for-a-day-at-most',
    title: 'a scheduled_at more than 24 hours ahead is refused',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'return readEmail(body, { policy, verifiedDomains })',
        replace: `const email = readEmail(body, { policy, verifiedDomains })
if ((email.scheduledAt ?? 0) > services.queues.now(key.workspaceId) + 86_400_000)
  throw invalidRequest('scheduled_at is more than a day ahead.', 'Send a nearer time.')
return email`,
      },
      {
        file: 'server/api/routes-emails.ts',
        find: "mail.reschedule(email, readInstant(body['scheduled_at']))",
        replace: `if (readInstant(body.scheduled_at) > services.queues.now(c.get('key').workspaceId) + 86_400_000)
  throw invalidRequest('scheduled_at is more than a day ahead.', 'Send a nearer time.')
mail.reschedule(email, readInstant(body['scheduled_at']))`,
      },
    ],
  },
  {
    id: 'server/refuses-times-that-have-passed',
    title: 'an email whose scheduled_at has passed is refused before anything else is looked at',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "const request = firstResults.requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })",
        replace: `if (body?.scheduled_at && readInstant(body.scheduled_at) < services.queues.now(key.workspaceId)) {
  throw invalidRequest('scheduled_at has passed.', 'Send a time to come.')
}
const request = firstResults.requestOf({ orgId: key.orgId, path: '/emails', key: idempotencyKey(c), body })`,
      },
    ],
  },
  variant(
    'first-attempts-queued-for-long',
    'the first attempt is made by a worker, 1.5 s later',
    ['first-attempt-queued'],
    {
      retryDelaysMs: [1_500, ...retryDelaysMs.slice(1)],
    },
  ),
  variant(
    'delays-from-the-start-and-a-moment-late',
    'delays count from the start of the failed attempt, and are 800 ms longer',
    ['delay-origin'],
    {
      delayOrigin: 'attempt-start',
      retryDelaysMs: retryDelaysMs.map((delayMs) => (delayMs === 0 ? 0 : delayMs + 800)),
    },
  ),
  {
    id: 'server/insists-on-idempotency-keys',
    title: 'a send or a batch without an Idempotency-Key is refused',
    openPoints: ['sends-without-a-key'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: "return c.req.header('idempotency-key')",
        replace: `const sent = c.req.header('idempotency-key')
  if (sent === undefined) throw invalidRequest('Idempotency-Key is missing.', 'Send one with each email.')
  return sent`,
      },
    ],
  },
  {
    id: 'server/one-attempt-at-a-time',
    title: 'a webhook gets its next delivery when the attempt under way has ended',
    openPoints: ['delivery-order'],
    ignores: ['RTY-001'],
    policy: {},
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'const claim = store.prepare(',
        replace: `const isFree = \`webhook_id not in (select webhook_id from deliveries
            where workspace_id = ?1 and status = 'pending' and due_at is null and next_attempt_at is not null)\`
          const ofFree = (sql) => sql.replace('select seq', 'select min(seq)').replace('workspace_id = ?1 and', 'workspace_id = ?1 and ' + isFree + ' and')
            .replace('order by due_at, seq', 'group by webhook_id')
          const claim = ((sql) => store.prepare(ofFree(sql)))(`,
      },
      {
        file: 'server/store/delivery-store.ts',
        find: 'const nextDue = store.prepare(',
        replace:
          "const nextDue = ((sql) => store.prepare(ofFree(sql.replace('workspace_id = ?', 'workspace_id = ?1'))))(",
      },
      {
        file: 'server/engine/attempts.ts',
        find: 'const wasFull = inFlight.size >= policy.maxInFlight',
        replace: 'const wasFull = true',
      },
    ],
  },
  {
    id: 'server/webhooks-and-batches-appear-later',
    title: 'finds new webhooks and batch emails by id after 400 ms',
    openPoints: ['late-resources'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'return reply({ status: policy.webhookCreatedStatus,',
        replace: `;(ownState.appearsAt ??= new Map()).set(webhook.id, performance.now() + 400)
    return reply({ status: policy.webhookCreatedStatus,`,
      },
      {
        file: 'server/api/find-webhook.ts',
        find: 'if (webhook === undefined || !policy.keyReaches(key, webhook))',
        replace:
          'if (webhook === undefined || ownState.appearsAt?.get(webhook.id) > performance.now() || !policy.keyReaches(key, webhook))',
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'const sent = policy.batchAnswer(mail.send(inputs, key), errors)',
        replace: `const ids = mail.send(inputs, key)
      for (const id of ids) (ownState.appearsAt ??= new Map()).set(id, performance.now() + 400)
      const sent = policy.batchAnswer(ids, errors)`,
      },
      {
        file: 'server/api/routes-emails.ts',
        find: "const email = emails.get(c.req.param('id') ?? '')",
        replace: `const email = emails.get(c.req.param('id') ?? '')
    if (ownState.appearsAt?.get(email?.id) > performance.now()) throw notFound('email', policy.foreignIdStatus)`,
      },
    ],
  },
  {
    id: 'server/short-plain-idempotency-keys',
    title: 'an Idempotency-Key of other than 1 to 45 letters, digits and dashes is refused',
    openPoints: ['idempotency-key-form'],
    policy: {},
    patch: [
      {
        file: 'server/store/first-results.ts',
        find: 'key.length > maxKeyLength',
        replace: '!/^[\\w-]{1,45}$/.test(key)',
      },
    ],
  },
  {
    id: 'server/a-block-is-no-attempt',
    title: 'does not count a block as an attempt',
    openPoints: ['attempt-of-a-block', 'empty-fields'],
    policy: {},
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'deliveries.record({ id: due.id, status, attempt,',
        replace: `const before = outcome.kind === 'blocked' ? deliveries.get(due.id, due.webhookId) : undefined
    deliveries.record({ id: due.id, status, attempt: before?.attempt ?? attempt,`,
      },
      {
        file: 'server/engine/attempts.ts',
        find: "outcome.kind === 'answer' ? outcome.status : null",
        replace: "outcome.kind === 'answer' ? outcome.status : (before?.responseCode ?? null)",
      },
      {
        file: 'server/engine/attempts.ts',
        find: "outcome.kind === 'answer' ? outcome.snippet : null",
        replace: "outcome.kind === 'answer' ? outcome.snippet : (before?.snippet ?? null)",
      },
    ],
  },
  variant(
    'tells-the-next-attempt',
    'counts the next attempt in attempt of a pending delivery',
    ['attempt-while-waiting', 'attempt-before-the-first'],
    {
      shownDelivery: (delivery) => {
        const shown = shownDelivery(delivery)
        return delivery.status === 'pending'
          ? { ...shown, attempt: Math.min(maxAttempts, delivery.attempt + 1) }
          : shown
      },
    },
  ),
  variant('attempts-from-one', 'attempt is 1 until the first attempt has ended', ['attempt-before-the-first'], {
    shownDelivery: (delivery) => ({ ...shownDelivery(delivery), attempt: Math.max(1, delivery.attempt) }),
  }),
  {
    id: 'server/cancelled-emails-not-listed',
    title: 'cancelled emails are left out of the list, so a page may be empty',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'const items = page.map(',
        replace: "const items = page.filter(({ status }) => status !== 'canceled').map(",
      },
    ],
  },
  {
    id: 'server/lists-lag',
    title: 'lists events and webhooks 700 ms late',
    openPoints: ['lagging-lists'],
    policy: {},
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'const record = insert(event, at)',
        replace: `const record = insert(event, at)
        ;(ownState.writtenAt ??= new Map()).set(record.id, Date.now())`,
      },
      {
        file: 'server/api/routes-events.ts',
        find: 'const nextAfter = policy.nextAfter(',
        replace: `const rows = JSON.parse('[' + page.json + ']')
        const first = rows.findIndex(({ id }) => Date.now() - (ownState.writtenAt?.get(id) ?? 0) < 700)
        if (first >= 0) {
          page.json = JSON.stringify(rows.slice(0, first)).slice(1, -1)
          page.lastId = rows[first - 1]?.id
        }
        const nextAfter = policy.nextAfter(`,
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'return reply({ status: policy.webhookCreatedStatus,',
        replace: `;(ownState.writtenAt ??= new Map()).set(webhook.id, Date.now())
        return reply({ status: policy.webhookCreatedStatus,`,
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: '.filter((webhook) => !webhook.isDeleted)',
        replace:
          '.filter((webhook) => !webhook.isDeleted && Date.now() - (ownState.writtenAt?.get(webhook.id) ?? 0) >= 700)',
      },
    ],
  },
]
