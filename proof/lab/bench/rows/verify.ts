import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { sign, verifyWebhook } from '../../../../reference/verifier/index.js'
import { atLeast, contest, ratioOf, scaled, type Figure, type Row } from '../figure.js'
import { peer, peerHint } from '../child.js'

const limit = 0.9
const packages = new Map([
  ['standardwebhooks', 'standardwebhooks/dist/index.js'],
  ['svix', 'svix/dist/index.js'],
])
const sizes = { '300 B': 300, '2 KB': 2_048, '64 KB': 65_536 }

interface Message {
  readonly payload: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string
}

interface PeerModule {
  readonly Webhook: new (secret: string) => {
    verify(payload: string, headers: Readonly<Record<string, string>>): unknown
  }
}

/** One verification, compared with the least that node:crypto needs for the same answer: hash, compare, parse. */
export const verify: Row = {
  name: 'verify',
  title: '`verifyWebhook`',
  async run({ rounds, scale }) {
    const figures: Figure[] = []
    for (const [name, bytes] of Object.entries(sizes)) {
      const message = messageOf(bytes)
      const binary = { ...message, payload: Buffer.from(message.payload) }
      const count = scaled(bytes > 10_000 ? 3_000 : 30_000, scale, 50)
      const ours = { kit: () => verifyWebhook(message), 'kit, bytes': () => verifyWebhook(binary) }
      const bare = { bare: bareOf(message), 'bare, bytes': bareOf(binary) }
      const others = await peers(message)
      const calls: Record<string, () => unknown> = { ...ours, ...bare, ...others }
      const sides = await contest(
        Object.fromEntries(Object.entries(calls).map(([way, call]) => [way, () => microsOf(call, count)])),
        rounds * 2 + 1,
      )
      const figure = (what: string, way: string, against: string): Figure => {
        const [value, least] = [sides[way], sides[against]]
        if (value === undefined || least === undefined) return { what, unit: 'us', value, note: peerHint }
        const ratio = ratioOf(least, value)
        const bar = way in ours ? { bar: atLeast(limit, ratio, ' of it') } : {}
        return { what, unit: 'us', value, yardstick: { name: 'bare node:crypto', value: least }, ratio, ...bar }
      }
      figures.push(figure(`${name}, as text`, 'kit', 'bare'), figure(`${name}, as bytes`, 'kit, bytes', 'bare, bytes'))
      for (const way of packages.keys()) figures.push(figure(`\`${way}\`, ${name}, as text`, way, 'bare'))
    }
    return figures
  },
}

/** Verification as the installed packages do it. */
async function peers({ payload, headers, secret }: Message): Promise<Record<string, () => unknown>> {
  const calls: Record<string, () => unknown> = {}
  for (const [name, path] of packages) {
    const file = peer(path)
    if (file === undefined) continue
    const { Webhook } = (await import(pathToFileURL(file).href)) as PeerModule
    const webhook = new Webhook(secret)
    calls[name] = () => webhook.verify(payload, headers)
  }
  return calls
}

/** Microseconds of CPU time one call takes: wall time would count whatever else the machine does. */
function microsOf(call: () => unknown, count: number): number {
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

function messageOf(bytes: number): Message {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  const frame = JSON.stringify({
    id: 'evt_1',
    type: 'message.received',
    timestamp: '2026-01-02T03:04:05.678Z',
    data: { text: '' },
  })
  const payload = frame.replace('"text":""', `"text":"${'a'.repeat(bytes - frame.length)}"`)
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id: 'evt_1', timestamp, payload, secret }),
  }
  return { payload, headers, secret }
}

function bareOf({
  payload,
  headers,
  secret,
}: Message | (Omit<Message, 'payload'> & { payload: Buffer })): () => unknown {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return () => {
    const mac = createHmac('sha256', key)
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
      .update(payload)
      .digest()
    const given = Buffer.from((headers['webhook-signature'] ?? '').slice(3), 'base64')
    if (given.length !== mac.length || !timingSafeEqual(given, mac)) throw new Error('no match')
    if (Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) > 300) throw new Error('stale')
    return JSON.parse(payload.toString()) as unknown
  }
}
