// A sender that signs as a provider does: `node send.mjs <provider> <behaviour>` sends one event to CONFORMANCE_WEBHOOK_URL and repeats it
// until it gets a 2xx. It knows the providers from their pages alone, and node:crypto. `behaviour` is `right`, or the mistake it makes.
import { createHmac, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { request } from 'node:https'

const [provider, behaviour] = process.argv.slice(2)
const key = behaviour === 'has-another-secret' ? `another ${process.env.WEBHOOK_SECRET}` : process.env.WEBHOOK_SECRET
const delayMs = 2_000
const attempts = 3

const hmac = (text) => createHmac('sha256', key).update(text).digest('hex')
const ed25519 = (text) => sign(null, Buffer.from(text), createPrivateKey(process.env.PRIVATE_KEY))

const providers = {
  stripe: {
    event: (id) => ({
      id: `evt_${id}`,
      object: 'event',
      type: 'customer.created',
      data: { object: { name: 'Grüße' } },
    }),
    headers: (time, body) => ({ 'Stripe-Signature': `t=${time},v1=${hmac(`${time}.${body}`)},v0=${'0'.repeat(64)}` }),
  },
  github: {
    event: () => ({ zen: 'Keep it logically awesome.', hook_id: 1 }),
    headers: (_, body, id) => ({
      'X-GitHub-Event': 'ping',
      'X-GitHub-Delivery': id,
      'X-Hub-Signature-256': `sha256=${hmac(body)}`,
    }),
  },
  slack: {
    event: (id) => ({ token: 'unused', type: 'event_callback', event_id: `Ev${id}`, event: { text: '<@U1> Grüße' } }),
    headers: (time, body) => ({
      'X-Slack-Request-Timestamp': time,
      'X-Slack-Signature': `v0=${hmac(`v0:${time}:${body}`)}`,
    }),
  },
  discord: {
    event: (id) => ({ id, type: 2, data: { name: 'order' } }),
    headers: (time, body) => ({
      'X-Signature-Timestamp': time,
      'X-Signature-Ed25519': ed25519(time + body).toString('hex'),
    }),
  },
  'standard-webhooks-v1a': {
    event: (id) => ({ type: 'invoice.paid', data: { invoice_id: id } }),
    headers: (time, body, id) => ({
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1a,${ed25519(`${id}.${time}.${body}`).toString('base64')}`,
    }),
  },
  // No id: only the bytes distinguish events.
  zoom: {
    event: (id) => ({
      event: 'meeting.started',
      payload: { object: { uuid: behaviour === 'repeats-itself' ? '1' : id } },
    }),
    headers: (time, body) => ({
      'x-zm-request-timestamp': time,
      'x-zm-signature': `v0=${hmac(`v0:${time}:${body}`)}`,
    }),
  },
}

const contentTypes = {
  'sends-a-form': 'application/x-www-form-urlencoded; charset=utf-8',
  'sends-plain-text-of-a-form': 'text/plain',
}
const { event, headers } = providers[provider]
const id = randomUUID()
const firstAt = Date.now()

function post(number) {
  const ms = behaviour === 'keeps-the-time' ? firstAt : Date.now()
  const time = behaviour === 'takes-milliseconds' ? String(ms) : String(Math.floor(ms / 1000))
  const value = event(behaviour === 'names-each-attempt' ? randomUUID() : id)
  const isForm = behaviour.endsWith('a-form')
  const body = isForm
    ? String(new URLSearchParams({ command: '/order', text: 'Grüße', trigger_id: id }))
    : JSON.stringify(value)
  const signed = behaviour === 'writes-it-again' ? JSON.stringify(value, null, 2) : body
  const own = headers(time, signed, behaviour === 'names-each-attempt' ? randomUUID() : id)
  const again = () => number < attempts && setTimeout(() => post(number + 1), delayMs)
  const sent = request(process.env.CONFORMANCE_WEBHOOK_URL, {
    method: 'POST',
    headers: { ...own, 'Content-Type': contentTypes[behaviour] ?? 'application/json' },
    rejectUnauthorized: false,
  })
  sent.on('response', (response) => {
    response.resume()
    if (response.statusCode < 200 || response.statusCode > 299) again()
  })
  sent.on('error', again)
  sent.end(body)
}

post(1)
