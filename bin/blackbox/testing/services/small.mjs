// A small service without a control interface: `node small.mjs right`, or with a slip instead. It prints its address, and ends with
// its standard input. It trusts every certificate, so that it delivers to a sink on this machine.
import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { request } from 'node:https'

const slip = process.argv[2] ?? 'right'
const key = 'key_small'
const delaysMs = [
  0,
  slip === 'retries-after-10-s' ? 10_000 : 5_000,
  300_000,
  1_800_000,
  7_200_000,
  18_000_000,
  36_000_000,
]
const isSuccess = (status) => (slip === 'takes-200-alone' ? status === 200 : status >= 200 && status < 300)
const isAfter = (id, after) => (slip === 'inclusive-cursor' ? id >= after : id > after)
const inboxes = [{ id: 'ibx_1', address: 'one@in.example' }]
const [webhooks, events, deliveries, emails, sent] = [[], [], [], new Map(), new Map()]
let count = 1_000_000
const newId = (prefix) => `${prefix}_${++count}`

function raise(type, data) {
  const event = { id: newId('evt'), type, timestamp: new Date().toISOString(), data }
  events.push(event)
  for (const webhook of webhooks) if (wants(webhook, event)) deliver(webhook, event)
}

function wants({ isDeleted, event_types: types = [], inbox_id: inbox = null }, { type, data }) {
  return (
    !isDeleted &&
    (types.length === 0 || types.includes('*') || types.includes(type)) &&
    (inbox ?? data.inbox_id) === data.inbox_id
  )
}

function deliver(webhook, event, replayOf) {
  const delivery = {
    id: newId('dlv'),
    status: 'pending',
    attempt: 1,
    response_code: null,
    response_body_snippet: null,
    next_attempt_at: new Date().toISOString(),
    ...(replayOf && { replay_of: replayOf }),
  }
  deliveries.unshift({ delivery, webhook, event })
  setImmediate(() => attempt(webhook, event, delivery))
  return delivery
}

function attempt(webhook, event, delivery) {
  if (webhook.isDeleted) return
  const body = JSON.stringify(event)
  const at = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', Buffer.from(webhook.secret.slice(6), 'base64'))
    .update(`${event.id}.${at}.${body}`)
    .digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${signature}`,
  }
  const end = (status, text) => {
    Object.assign(delivery, {
      response_code: status,
      response_body_snippet: text?.slice(0, 500) ?? null,
      next_attempt_at: null,
    })
    const delayMs = delaysMs[delivery.attempt]
    if (status !== null && isSuccess(status)) return (delivery.status = 'succeeded')
    if (delayMs === undefined) return (delivery.status = 'failed')
    delivery.next_attempt_at = new Date(Date.now() + delayMs).toISOString()
    return setTimeout(() => {
      if (webhook.isDeleted) return
      delivery.attempt++
      attempt(webhook, event, delivery)
    }, delayMs)
  }
  const made = request(webhook.url, {
    method: 'POST',
    headers,
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(10_000),
    agent: false,
  })
  made.on('error', () => delivery.next_attempt_at === null || end(null, null))
  made.on('response', (response) => {
    let text = ''
    response
      .on('data', (part) => (text += part))
      .on('error', () => {})
      .on('end', () => end(response.statusCode, text))
  })
  made.end(body)
}

/** An email to an inbox is received there; every email is queued and delivered. */
function send(email, idempotencyKey) {
  const earlier = idempotencyKey === undefined ? undefined : sent.get(idempotencyKey)
  if (earlier !== undefined) return earlier
  const to = [email.to].flat()
  const answer = { id: newId('msg') }
  emails.set(answer.id, { id: answer.id, status: 'sent', recipients: to, scheduled_at: null })
  if (idempotencyKey !== undefined) sent.set(idempotencyKey, answer)
  const base = { message_id: answer.id, inbox_id: null, thread_id: `thr_${answer.id}` }
  raise('message.queued', { ...base, to, cc: [], subject: email.subject })
  for (const inbox of inboxes)
    if (to.includes(inbox.address))
      raise('message.received', { ...base, inbox_id: inbox.id, from: email.from, subject: email.subject })
  return answer
}

const refuse = (status, code, message) => ({ status, body: { code, message, fix: 'see the interface' } })
const bounded = (query) => Math.min(Math.max(Number(query.get('limit') ?? 50) || 50, 1), 100)

function answer(method, url, { headers, body }) {
  const [, , resource, id, more, deliveryId] = url.pathname.split('/')
  if (headers.authorization !== `Bearer ${key}`) return refuse(401, 'unauthorized', 'no such key')
  if (slip === 'dies-of-a-body-that-is-not-json' && method === 'POST') void body.url
  if (method === 'POST' && (typeof body !== 'object' || body === null))
    return refuse(400, 'invalid_request', 'the body is not an object')
  const webhook = webhooks.find((other) => other.id === id)
  if (resource === 'events') {
    const all = events
      .filter((event) => isAfter(event.id, url.searchParams.get('after') ?? ''))
      .slice(0, bounded(url.searchParams))
    const data = all.map(({ timestamp, ...event }) => ({ ...event, org_id: 'org_1', created_at: timestamp }))
    return { status: 200, body: { data, next_after: data.at(-1)?.id ?? url.searchParams.get('after') ?? '' } }
  }
  if (resource === 'emails' && method === 'POST' && id === undefined)
    return { status: 200, body: send(body, headers['idempotency-key']) }
  if (resource === 'emails' && emails.has(id)) return { status: 200, body: emails.get(id) }
  if (resource === 'webhooks' && method === 'POST' && id === undefined) {
    if (typeof body.url !== 'string' || !body.url.startsWith('https://') || !URL.canParse(body.url))
      return refuse(400, 'invalid_url', 'an https URL')
    if (![body.event_types ?? []].flat().every((type) => typeof type === 'string'))
      return refuse(400, 'invalid_request', 'event_types is a list of names')
    const made = {
      id: newId('whk'),
      url: body.url,
      event_types: body.event_types ?? [],
      inbox_id: body.inbox_id ?? null,
      secret: `whsec_${randomBytes(24).toString('base64')}`,
    }
    webhooks.push(made)
    return { status: 201, body: made }
  }
  if (resource === 'webhooks' && id === undefined)
    return {
      status: 200,
      body: { data: webhooks.filter((other) => !other.isDeleted).map(({ secret: _secret, ...shown }) => shown) },
    }
  if (webhook === undefined) return refuse(404, 'not_found', 'no such thing')
  if (method === 'DELETE' && !webhook.isDeleted) {
    webhook.isDeleted = true
    return { status: 204 }
  }
  const own = deliveries.filter((other) => other.webhook === webhook)
  if (more === 'deliveries' && method === 'GET')
    return { status: 200, body: { data: own.slice(0, bounded(url.searchParams)).map(({ delivery }) => delivery) } }
  const replayed = own.find(({ delivery }) => delivery.id === deliveryId)
  if (replayed === undefined || method !== 'POST') return refuse(404, 'not_found', 'no such thing')
  return { status: 202, body: deliver(webhook, replayed.event, deliveryId) }
}

const server = createServer((incoming, response) => {
  let text = ''
  incoming
    .on('data', (part) => (text += part))
    .on('end', () => {
      let body = {}
      if (text !== '')
        try {
          body = JSON.parse(text)
        } catch {
          body = undefined
        }
      const { status, body: reported } = answer(incoming.method, new URL(incoming.url, 'http://small'), {
        headers: incoming.headers,
        body,
      })
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(reported === undefined ? undefined : JSON.stringify(reported))
    })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.stdin.resume().on('end', () => process.exit())
