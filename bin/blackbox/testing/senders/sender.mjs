// A sender of webhooks that signs with a package: `node sender.mjs standardwebhooks right <folder>`. It sends the event in each file of the
// folder, `<type> <url>`, and ends with its standard input.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'

const [, , library, behaviour, outbox] = process.argv
const webhook = new { standardwebhooks: Standard, svix: Svix }[library](process.env.WEBHOOK_SECRET)
/** The names of the headers that consumers of the package look for. */
const prefix = { standardwebhooks: 'webhook', svix: 'svix' }[library]
const delaysMs = [2_000]
const answerMs = 10_000

const samples = join(import.meta.dirname, '../../../../fixtures/events')
const events = readdirSync(samples).map((name) => JSON.parse(readFileSync(join(samples, name), 'utf8')))

/** The difference of each mistake to the correct sender. */
const behaviours = {
  right: {},
  'signs-another-text': { signedText: (event) => JSON.stringify(event, null, 2) },
  'signs-once': { signsOnce: true },
  'names-each-attempt': { idOf: () => `evt_${randomUUID()}` },
  'follows-redirects': { redirect: 'follow' },
  'retries-server-errors-alone': { isOver: (status) => status < 500 },
}
const {
  signedText = (event) => JSON.stringify(event),
  signsOnce = false,
  idOf = (event) => event.id,
  redirect = 'manual',
  isOver = (status) => status >= 200 && status < 300,
} = behaviours[behaviour]

async function attempt(event, url, signedAt) {
  const id = idOf(event)
  const headers = {
    'content-type': 'application/json',
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(signedAt.getTime() / 1000)),
    [`${prefix}-signature`]: webhook.sign(id, signedAt, signedText(event)),
  }
  const signal = AbortSignal.timeout(answerMs)
  const request = { method: 'POST', headers, body: JSON.stringify(event), redirect, signal }
  try {
    const response = await fetch(url, request)
    await response.body?.cancel()
    return isOver(response.status)
  } catch {
    return false
  }
}

async function send(type, url) {
  const sample = events.find((event) => event.type === type) ?? events[0]
  const now = new Date()
  const event = { ...sample, id: `evt_${randomUUID()}`, timestamp: now.toISOString() }
  for (const delayMs of [0, ...delaysMs]) {
    await pause(delayMs)
    if (await attempt(event, url, signsOnce ? now : new Date())) return
  }
}

const taken = new Set()
function look() {
  for (const name of readdirSync(outbox).filter((file) => !taken.has(file))) {
    taken.add(name)
    const [type, url] = readFileSync(join(outbox, name), 'utf8').trim().split(' ')
    void send(type, url.replace(/^https:/, 'http:'))
  }
}

watch(outbox, look)
look()
process.stdin.resume().on('end', () => process.exit(0))
