import { defaultPolicy } from '../../reference/server/index.js'
import { defineMutant, type Mutant } from '../mutants/define.js'

/** Mistakes of webhook senders, mail APIs and event streams, each with the public report above it. */
export const heldOutOfServer: readonly Mutant<'server'>[] = [
  // vippsas/manifold#517: items with equal timestamps at the border of a page are skipped.
  defineMutant({
    id: 'server/polls-after-the-moment-of-its-cursor',
    title: 'GET /v1/events skips events of the same millisecond as the event of the cursor',
    breaks: ['POL-003', 'EVT-016'],
    patch: [
      {
        file: 'server/store/event-store.ts',
        find: "`select group_concat(listed_json, ','), max(id) from (select id, listed_json from events ${where} order by id limit ?)`",
        replace:
          "`select group_concat(listed_json, ','), max(id) from (select id, listed_json from events ${where} and time is not (select time from events as e where e.id = ?${where.includes('inbox_id') ? 3 : 2}) order by id limit ?)`",
      },
    ],
  }),
  // nextlyhq/nextly#310: redelivery revokes the lease of the delivery that is being processed.
  defineMutant({
    id: 'server/releases-what-is-in-flight-when-it-is-replayed',
    title: 'a replay of a delivery whose attempt is in flight makes that attempt again, too',
    breaks: ['RPL-002', 'EVT-016', 'RTY-002'],
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'insert.run(id, workspaceId, webhookId, eventId, dueAt, dueAt, replayOf, nowMs)',
        replace: `insert.run(id, workspaceId, webhookId, eventId, dueAt, dueAt, replayOf, nowMs)
        if (replayOf !== null)
          store.prepare("update deliveries set due_at = ?, next_attempt_at = ? where id = ? and status = 'pending' and due_at is null").run(nowMs, nowMs, replayOf)`,
      },
    ],
  }),
  // buttondown/roadmap#2536: the time of a scheduled email moves when the clocks change.
  defineMutant({
    id: 'server/keeps-the-wall-time-of-scheduled-mail',
    title: 'mail scheduled past the next change of the clocks is sent an hour off',
    breaks: ['SND-013'],
    policy: {
      sendTime: (scheduledAtMs, nowMs) => {
        if (scheduledAtMs === null) return nowMs
        const isSummer = (atMs: number) => [3, 4, 5, 6, 7, 8, 9].includes(new Date(atMs).getUTCMonth())
        return scheduledAtMs + (Number(isSummer(nowMs)) - Number(isSummer(scheduledAtMs))) * 3_600_000
      },
    },
  }),
  // Couchers-org/couchers#9329: the list is ordered by one key and paged by another.
  defineMutant({
    id: 'server/leaves-changed-emails-out-of-later-pages',
    title: 'an email that was moved or cancelled after the first page was read is missing from the later pages',
    breaks: ['SND-009'],
    patch: [
      {
        file: 'server/store/email-store.ts',
        find: 'update.run(dueAt, JSON.stringify(email), email.id)',
        replace: `update.run(dueAt, JSON.stringify(email), email.id)
      changedAt.set(email.id, performance.now())`,
      },
      {
        file: 'server/store/email-store.ts',
        find: "const nextDue = store.prepare('select min(due_at) from emails where workspace_id = ? and due_at is not null')",
        replace: `const nextDue = store.prepare('select min(due_at) from emails where workspace_id = ? and due_at is not null')
  const changedAt = new Map()
  const firstPageAt = new Map()`,
      },
      {
        file: 'server/store/email-store.ts',
        find: 'return list.all(query.orgId, query.inboxId, before, query.limit).map(toEmail)',
        replace: `if (query.before === undefined) firstPageAt.set(query.orgId, performance.now())
      const all = list.all(query.orgId, query.inboxId, before, query.limit + 100).map(toEmail)
      return all
        .filter((each) => query.before === undefined || !(changedAt.get(each.id) > firstPageAt.get(query.orgId)))
        .slice(0, query.limit)`,
      },
    ],
  }),
  // postalserver/postal#796: an event that should raise two webhooks raises one.
  defineMutant({
    id: 'server/prefers-webhooks-that-name-the-type',
    title: 'a webhook for every event gets none that another webhook names',
    breaks: ['WHK-006', 'WHK-007', 'EVT-014'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'for (const { id: webhookId, workspaceId } of matching) {',
        replace: `const named = matching.filter((each) => each.eventTypes.includes(event.type))
    for (const { id: webhookId, workspaceId } of named.length > 0 ? named : matching) {`,
      },
    ],
  }),
  // formbricks/formbricks#9123: one dead endpoint fails the job, which sends to the healthy ones again.
  defineMutant({
    id: 'server/retries-an-event-at-every-webhook',
    title: 'the first retry at one webhook sends the event again to the webhooks that accepted it',
    breaks: ['RTY-011', 'EVT-016'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const attempt = due.attempt + 1',
        replace: `const attempt = due.attempt + 1
    if (attempt === 2) deliveries.repeat(due.eventId, endedAt)`,
      },
      {
        file: 'server/store/delivery-store.ts',
        find: 'stop: (webhookId, status) => void stop.run(status, webhookId)',
        replace: `stop: (webhookId, status) => void stop.run(status, webhookId),
    repeat(eventId, atMs) {
      store
        .prepare("update deliveries set status = 'pending', due_at = ?, next_attempt_at = ? where event_id = ? and status = 'succeeded' and attempt = 1")
        .run(atMs, atMs, eventId)
    }`,
      },
    ],
  }),
  // langwatch/langwatch#7328: of several appends at once all but one fail, and are tried again a minute later.
  defineMutant({
    id: 'server/holds-simultaneous-events-for-a-minute',
    title: 'of events of one millisecond a webhook gets one at once and the others a minute later',
    breaks: ['RTY-001', 'EVT-014'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'const dueAt = at + (policy.retryDelaysMs[0] ?? 0)',
        replace: `const isTaken = taken.get(webhookId) === at
      taken.set(webhookId, at)
      const dueAt = at + (isTaken ? 60_000 : 0)`,
      },
      {
        file: 'server/recorder.ts',
        find: 'function fanOut(event, at) {',
        replace: 'const taken = new Map()\n  function fanOut(event, at) {',
      },
    ],
  }),
  // craigpaul/laravel-postmark#8: a display name with a comma results in an API error.
  defineMutant({
    id: 'server/splits-senders-at-a-comma',
    title: 'a quoted display name with a comma is refused',
    breaks: ['SND-002'],
    policy: { parseSender: (from) => (from.includes(',') ? undefined : defaultPolicy.parseSender(from)) },
  }),
  // frain-dev/convoy#1833: an endpoint that answers 403 is retried for ever, and no attempt is counted.
  defineMutant({
    id: 'server/counts-no-attempt-that-was-forbidden',
    title: 'an attempt that is answered 403 does not count',
    breaks: ['DLV-017', 'RTY-009'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'const attempt = due.attempt + 1',
        replace:
          "const attempt = outcome.kind === 'answer' && outcome.status === 403 ? Math.max(1, due.attempt) : due.attempt + 1",
      },
    ],
  }),
  // ResearchHub/researchhub-backend#3879: addresses are looked up in the case in which they were written.
  defineMutant({
    id: 'server/finds-no-inbox-by-a-domain-in-capitals',
    title: 'mail to an inbox whose domain is written in capitals is not received',
    breaks: ['EVT-003'],
    patch: [
      {
        file: 'server/store/directory.ts',
        find: 'const row = sql.inboxOfAddress.get(address.toLowerCase())',
        replace: 'const row = sql.inboxOfAddress.get(address)',
      },
    ],
  }),
  // dxos/dxos#8541: messages over a size limit of the socket are dropped.
  defineMutant({
    id: 'server/streams-no-large-frame',
    title: 'an event of more than 32 KB is listed and delivered but not streamed live',
    breaks: ['EVT-014', 'STR-003'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'let frame\n    for (const client of clients) {',
        replace: 'if (frameOf(event).length > 32_768) return\n    let frame\n    for (const client of clients) {',
      },
    ],
  }),
  // sillsdev/web-xforge#132, thenativeweb/node-cqrs-domain#88: names of members with a dot are stored as nested objects.
  defineMutant({
    id: 'server/nests-members-with-a-dot',
    title: 'a member of stats whose name has a dot becomes an object within an object',
    breaks: ['EVT-014', 'EVT-010'],
    policy: {
      eventData: (_type, data) => {
        const stats = data['stats']
        if (typeof stats !== 'object' || stats === null) return data
        const nested: Record<string, unknown> = {}
        for (const [name, value] of Object.entries(stats)) {
          const [head = '', ...rest] = name.split('.')
          nested[head] = rest.length === 0 ? value : { [rest.join('.')]: value }
        }
        return { ...data, stats: nested }
      },
    },
  }),
  // hyperliquid-dex/hyperliquid-python-sdk#145: subscriptions stop receiving updates after 24 to 48 hours.
  defineMutant({
    id: 'server/ends-silent-subscriptions-after-a-day',
    title: 'a stream that had no event for a day stays open and shows nothing more',
    breaks: ['STR-003', 'EVT-014'],
    patch: [
      {
        file: 'server/stream.ts',
        find: 'if (!client.isLive || !sees(client, event)) continue',
        replace: `if (!client.isLive || !sees(client, event)) continue
      const lastAt = client.lastAt ?? Date.now()
      client.lastAt = Date.parse(event.time)
      if (client.lastAt - lastAt > 86_400_000) client.isDead = true
      if (client.isDead) continue`,
      },
    ],
  }),
  // VATSIM-UK/uk-controller-plugin#252, kuzzleio/kuzzle#1051: who was idle for a while gets nothing more.
  defineMutant({
    id: 'server/retires-webhooks-that-were-idle-for-thirty-days',
    title: 'a webhook that had no event for thirty days gets no more events',
    breaks: ['EVT-014', 'WHK-006'],
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'for (const { id: webhookId, workspaceId } of matching) {',
        replace: `for (const { id: webhookId, workspaceId } of matching) {
      const lastAt = last.get(webhookId) ?? Date.now()
      if (at - lastAt > 30 * 86_400_000) continue
      last.set(webhookId, at)`,
      },
      {
        file: 'server/recorder.ts',
        find: 'function fanOut(event, at) {',
        replace: 'const last = new Map()\n  function fanOut(event, at) {',
      },
    ],
  }),
  // openclaw/clawsweeper#1295: a request in chunks is refused, since it has no Content-Length.
  defineMutant({
    id: 'server/reads-no-request-in-chunks',
    title: 'a request whose body is sent in chunks is read as empty',
    breaks: ['SND-001', 'WHK-001'],
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'if (request.body !== null) {',
        replace: 'if (request.body === null) {',
      },
    ],
  }),
  // dahlia/upyo#39: long encoded words split characters.
  defineMutant({
    id: 'server/splits-characters-of-long-subjects',
    title: 'the subject of received mail is decoded in pieces of 45 bytes, which splits characters',
    breaks: ['EVT-003'],
    policy: {
      eventData: (type, data) => {
        const subject = data['subject']
        if (type !== 'message.received' || typeof subject !== 'string') return data
        const bytes = Buffer.from(subject)
        let decoded = ''
        for (let at = 0; at < bytes.length; at += 45) decoded += bytes.toString('utf8', at, at + 45)
        return { ...data, subject: decoded }
      },
    },
  }),
  // chatwoot/chatwoot#15278, TRC-Loop/Pelton#314: what the header parser takes for a comment is lost.
  defineMutant({
    id: 'server/takes-parentheses-of-a-sender-for-a-comment',
    title: 'message.received has the sender without the parentheses of its display name',
    breaks: ['EVT-003'],
    policy: {
      eventData: (type, data) =>
        type === 'message.received' && typeof data['from'] === 'string'
          ? { ...data, from: data['from'].replace(/ *\([^)]*\)/, '') }
          : data,
    },
  }),
  // actionhero/node-resque#145: of jobs scheduled for one moment only one is kept.
  defineMutant({
    id: 'server/keeps-one-scheduled-email-a-moment',
    title: 'of emails scheduled one by one for the same millisecond the last is sent',
    breaks: ['SND-013'],
    patch: [
      {
        file: 'server/store/email-store.ts',
        find: 'insert.run(id, orgId, workspaceId, inboxId, dueAt, JSON.stringify(email), sequence)',
        replace: `if (dueAt !== null)
        store.prepare('update emails set due_at = null where workspace_id = ? and due_at = ?').run(workspaceId, dueAt)
      insert.run(id, orgId, workspaceId, inboxId, dueAt, JSON.stringify(email), sequence)`,
      },
    ],
  }),
  // NeuraLegion/bright-cli#292: an answer with a large header is a parse error.
  defineMutant({
    id: 'server/takes-answers-with-large-headers-for-none',
    title: 'a 2xx with more than 4 KB of headers counts as no answer',
    breaks: ['DLV-005'],
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'const answer = await unlessAborted(answering, request.signal)',
        replace: `const answer = await unlessAborted(answering, request.signal)
  if (JSON.stringify(answer.headers).length > 4_096) throw new Error('header overflow')`,
      },
    ],
  }),
  // OpenHands/OpenHands#17619, aipoch/open-science#1235: an answer is read once and served again.
  defineMutant({
    id: 'server/keeps-empty-pages-for-a-minute',
    title: 'an empty page of events is kept for a minute and shown again for the same cursor',
    breaks: ['POL-003', 'EVT-016'],
    patch: [
      {
        file: 'server/api/routes-events.ts',
        find: 'const nextAfter = policy.nextAfter({ lastId: page.lastId, after })',
        replace: `const nextAfter = policy.nextAfter({ lastId: page.lastId, after })
    const slot = JSON.stringify([key.orgId, key.inboxId, after, limit])
    const keptAt = empty.get(slot)
    if (keptAt !== undefined && Date.now() - keptAt < 60_000) return replyText(200, policy.pollEnvelope('', after ?? ''))
    if (after !== undefined && page.lastId === undefined) empty.set(slot, Date.now())`,
      },
      {
        file: 'server/api/routes-events.ts',
        find: 'const { policy, events } = services',
        replace: 'const { policy, events } = services\n  const empty = new Map()',
      },
    ],
  }),
  // clearcontainers/runtime#1018, smartstore/SmartStoreNET#1297: trailing zeros of a fraction are dropped.
  defineMutant({
    id: 'server/drops-trailing-zeros-of-milliseconds',
    title: 'timestamps have as many decimals as they need',
    breaks: ['EVT-002'],
    policy: { formatTime: (atMs) => new Date(atMs).toISOString().replace(/\.?0+Z$/, 'Z') },
  }),
  // langwatch/langwatch#7328: queued items of a paused thing are dropped.
  defineMutant({
    id: 'server/forgets-scheduled-mail-at-a-pause',
    title: 'a pause takes scheduled emails out of the queue, and they are not sent after it was over in time',
    breaks: ['SND-013'],
    patch: [
      {
        file: 'server/sending.ts',
        find: 'directory.setSending(workspaceId, status)',
        replace: `directory.setSending(workspaceId, status)
    if (status === 'paused') store.prepare('update emails set due_at = null where workspace_id = ?').run(workspaceId)`,
      },
    ],
  }),
  // open-metadata/OpenMetadata#29958: lower offsets become visible after higher ones.
  defineMutant({
    id: 'server/shows-simultaneous-events-out-of-order',
    title: 'of two events of one millisecond the list shows the second before the first',
    breaks: ['POL-003', 'EVT-016'],
    patch: [
      {
        file: 'server/store/event-store.ts',
        find: 'const sequence = nextNumber()\n      const event = { ...fields, id: policy.eventId(sequence) }\n      insert.run(event.id, event.type, event.time, event.orgId, event.inboxId, event.dataJson, sequence, listed(event))',
        replace: `const sequence = nextNumber()
      const event = { ...fields, id: policy.eventId(sequence) }
      const write = () => insert.run(event.id, event.type, event.time, event.orgId, event.inboxId, event.dataJson, sequence, listed(event))
      const previous = lastOf.get(event.orgId)
      lastOf.set(event.orgId, event.time)
      write()
      if (previous !== event.time || held.has(event.orgId)) return event
      held.add(event.orgId)
      setTimeout(() => held.delete(event.orgId), 2_000).unref()
      const earlier = store.prepare('select id from events where org_id = ? and id < ? order by id desc limit 1').get(event.orgId, event.id)?.[0]
      hidden.set(String(earlier), Date.now() + 2_000)`,
      },
      {
        file: 'server/store/event-store.ts',
        find: "const [json, lastId] = statement.get(...values) ?? []\n      return { json: text(json) ?? '', lastId: text(lastId) }",
        replace: `const [json, lastId] = statement.get(...values) ?? []
      const isHidden = (each) => (hidden.get(each.id) ?? 0) > Date.now()
      const shown = text(json) === undefined ? [] : JSON.parse('[' + text(json) + ']')
      const kept = shown.filter((each) => !isHidden(each)).map((each) => JSON.stringify(each)).join(',')
      return { json: kept, lastId: text(lastId) }`,
      },
      {
        file: 'server/store/event-store.ts',
        find: 'const listed = serializer(policy.pollMembers)',
        replace: `const listed = serializer(policy.pollMembers)
  const lastOf = new Map()
  const held = new Set()
  const hidden = new Map()`,
      },
    ],
  }),
  // brandhaug/b2b-saas-starter#274: a failure ladder counts attempts that were never made.
  defineMutant({
    id: 'server/counts-attempts-while-its-breaker-is-open',
    title: 'after ten failed attempts in a row the next ones of a webhook count as made and are not',
    breaks: ['RTY-001', 'RTY-005', 'RTY-008'],
    patch: [
      {
        file: 'server/engine/attempts.ts',
        find: 'return await makeAttempt({ due, url, secret, body, attemptAt: startedAt, signal, policy, egress, onSigned })',
        replace: `if ((failed.get(due.webhookId) ?? 0) >= 10) {
        failed.set(due.webhookId, 0)
        return { kind: 'connection', error: 'breaker_open' }
      }
      const made = await makeAttempt({ due, url, secret, body, attemptAt: startedAt, signal, policy, egress, onSigned })
      const isGood = made.kind === 'answer' && made.status < 300
      failed.set(due.webhookId, isGood ? 0 : (failed.get(due.webhookId) ?? 0) + 1)
      return made`,
      },
      {
        file: 'server/engine/attempts.ts',
        find: 'const bodyOf = serializer(policy.bodyMembers)',
        replace: 'const bodyOf = serializer(policy.bodyMembers)\n  const failed = new Map()',
      },
    ],
  }),
  // cds-snc/notification-terraform#269, foxcpp/maddy#94: recipients are grouped before they are handed over.
  defineMutant({
    id: 'server/delivers-once-a-domain',
    title: 'of recipients of one domain beyond the service message.delivered is raised for the first',
    breaks: ['EVT-005'],
    patch: [
      {
        file: 'server/mail.ts',
        find: "for (const event of policy.outcomeEvents[inbox ? 'delivered' : outcomeOf(address, orgId)]) {",
        replace: `const domain = address.slice(address.lastIndexOf('@') + 1)
      const isRepeated = !inbox && [...email.to, ...email.cc, ...email.bcc].find((each) => each.endsWith('@' + domain)) !== address
      for (const event of isRepeated ? [] : policy.outcomeEvents[inbox ? 'delivered' : outcomeOf(address, orgId)]) {`,
      },
    ],
  }),
  // fastify/fastify#894, safe-global/safe-client-gateway#3266: a DELETE that names a content type and has no body is refused.
  defineMutant({
    id: 'server/refuses-empty-bodies-that-are-called-json',
    title: 'a DELETE, a cancel and a replay with the content type of JSON and no body are refused with 400',
    breaks: ['WHK-014', 'SND-011', 'RPL-001'],
    patch: [
      {
        file: 'server/api/app.ts',
        find: "c.set('key', key)",
        replace: `c.set('key', key)
    const isEmpty = (c.req.header('content-length') ?? '0') === '0' && c.req.header('transfer-encoding') === undefined
    if (c.req.method !== 'GET' && isEmpty && c.req.header('content-type') === 'application/json') {
      throw new ApiError({ status: 400, code: 'invalid_request', message: 'The body is empty.', fix: 'Send JSON.' })
    }`,
      },
    ],
  }),
]
