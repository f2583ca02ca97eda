// A server on a file is killed at random moments under load, again and again. What it acknowledged must be there after
// the restart, deliveries must end, the stream must resume without gap or repeat.
// CRASHES=200 npx vitest run reference/server/crash.test.ts  runs the long campaign, SEED=n repeats one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { sinkAuthority, startSink, type Sink } from './testing/sink.js'
import { serveProcess, type Served } from './testing/served.js'

const crashes = Number(process.env['CRASHES'] ?? 8)
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const folder = mkdtempSync(join(tmpdir(), 'reference-crash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const apiKey = 'key_crash_campaign'
const controlKey = 'ctl_crash_campaign'
const day = 86_400_000
const batchSize = 20

/** Numbers from 0 up to 1, the same for the same seed. */
function randomNumbers(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Acknowledged {
  readonly events: string[]
  readonly emails: string[]
  readonly webhooks: Set<string>
  readonly deleted: Set<string>
  readonly batches: string[]
}

async function call(server: Served, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const isControl = path.startsWith('/_control')
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${isControl ? controlKey : apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`)
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

function raise(server: Served, subject: string): Promise<Record<string, unknown>> {
  const inbox = server.inboxes[0]
  const data = { message_id: 'msg_1', inbox_id: inbox?.id, thread_id: 'thr_1', from: inbox?.address, subject }
  return call(server, 'POST', '/_control/events', { org_id: server.orgId, type: 'message.received', data })
}

async function logOf(server: Served): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const page = await call(server, 'GET', `/v1/events?limit=100${ids.length === 0 ? '' : `&after=${ids.at(-1)}`}`)
    const items = page['data'] as readonly { id: string }[]
    if (items.length === 0) return ids
    ids.push(...items.map(({ id }) => id))
  }
}

/** Loads the server from several sides until `enough` requests were acknowledged, then kills it in the middle of the others. */
async function loadAndKill(
  server: Served,
  kept: Acknowledged,
  options: { sink: Sink; random: () => number; enough: number },
): Promise<void> {
  const { sink, random, enough } = options
  let acknowledged = 0
  let stop = (): void => undefined
  const isEnough = new Promise<void>((resolve) => (stop = resolve))
  const did = (): void => {
    if (++acknowledged >= enough) stop()
  }
  const loop = async (step: () => Promise<void>): Promise<void> => {
    try {
      for (;;) {
        await step()
        did()
      }
    } catch (error) {
      // The kill; a refusal would be the server's fault.
      if (error instanceof Error && error.message.includes('answered')) throw error
    }
  }
  let batchSent = (): void => undefined
  const batch = async (): Promise<void> => {
    batchSent()
    const subject = `batch ${kept.batches.length}`
    kept.batches.push(subject)
    const email = { from: `probe@${server.domain}`, to: 'delivered@simulator.example', subject, text: 'x' }
    await call(
      server,
      'POST',
      '/v1/emails/batch',
      Array.from({ length: batchSize }, () => email),
    )
  }
  const loops = [
    loop(batch),
    loop(async () => void kept.events.push(String((await raise(server, 'one'))['id']))),
    loop(async () => {
      const to = random() < 0.5 ? (server.inboxes[1]?.address ?? '') : 'bounced@simulator.example'
      const email = { from: `probe@${server.domain}`, to, subject: 'x', text: 'x' }
      kept.emails.push(String((await call(server, 'POST', '/v1/emails', email))['id']))
    }),
    loop(async () => {
      const webhook = await call(server, 'POST', '/v1/webhooks', { url: sink.url, event_types: ['message.received'] })
      const id = String(webhook['id'])
      kept.webhooks.add(id)
      kept.deleted.add(id) // From here on it is unknown whether the deletion was carried out.
      await call(server, 'DELETE', `/v1/webhooks/${id}`)
    }),
    loop(async () => {
      const path = `/_control/workspaces/${server.workspaceId}/clock`
      await call(server, 'POST', path, { advance_ms: random() < 0.5 ? 5_000 : 300_000 })
    }),
  ]
  await isEnough
  // What takes longest is written in the middle of.
  await new Promise<void>((resolve) => (batchSent = resolve))
  await new Promise((resolve) => setTimeout(resolve, random() * 10))
  await server.end('SIGKILL')
  await Promise.all(loops)
}

/** Follows the stream from the last frame it saw. */
function follow(server: Served, seen: string[]): WebSocket {
  const after = seen.length === 0 ? '' : `?after=${seen.at(-1)}`
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/events/ws${after}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  socket.on('message', (data: Buffer) => seen.push((JSON.parse(data.toString('utf8')) as { id: string }).id))
  socket.on('error', () => undefined)
  return socket
}

test(`killed ${crashes} times under load, it keeps its word (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  const random = randomNumbers(seed)
  const sink = await startSink()
  sink.script = () => ({ status: random() < 0.2 ? 503 : 200 })
  const data = join(folder, 'data.db')
  const start = (): Promise<Served> =>
    serveProcess(['--data', data, '--api-key', apiKey, '--control', '--control-key', controlKey])
  const kept: Acknowledged = { events: [], emails: [], webhooks: new Set(), deleted: new Set(), batches: [] }
  const seen: string[] = []

  let server = await start()
  await call(server, 'POST', '/_control/egress', { allow: [sink.pair], ca: await sinkAuthority() })
  const first = await raise(server, 'first')
  kept.events.push(String(first['id']))
  seen.push(String(first['id']))
  const lasting = String((await call(server, 'POST', '/v1/webhooks', { url: sink.url }))['id'])
  kept.webhooks.add(lasting)

  for (let crash = 0; crash < crashes; crash++) {
    const socket = follow(server, seen)
    await loadAndKill(server, kept, { sink, random, enough: 1 + Math.floor(random() * 30) })
    socket.terminate()
    if (random() < 0.25) await (await start()).end('SIGKILL')
    server = await start()
  }

  const log = await logOf(server)
  expect(new Set(log).size).toBe(log.length)
  expect(log).toEqual([...log].sort())
  expect(kept.events.filter((id) => !log.includes(id))).toEqual([])
  expect(kept.events).toEqual([...kept.events].sort())
  for (const id of kept.emails) expect(await call(server, 'GET', `/v1/emails/${id}`)).toMatchObject({ id })
  const listed = await call(server, 'GET', '/v1/webhooks')
  const ids = new Set((listed['data'] as readonly { id: string }[]).map(({ id }) => id))
  expect([...kept.webhooks].filter((id) => !ids.has(id) && !kept.deleted.has(id))).toEqual([])

  const socket = follow(server, seen)
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(log.length)
  socket.terminate()
  expect(seen).toEqual(log)

  sink.script = () => ({ status: 200 })
  await call(server, 'POST', `/_control/workspaces/${server.workspaceId}/clock`, { advance_ms: 2 * day })
  expect(await server.end('SIGTERM')).toBe(0)

  const file = new Libsql(data, { readonly: true })
  const rows = (sql: string): unknown[] => file.prepare(sql).raw().all()
  expect(
    rows(
      "select id from deliveries where status = 'pending' and webhook_id in (select id from webhooks where deleted = 0)",
    ),
  ).toEqual([])
  expect(rows('select id from deliveries where event_id not in (select id from events)')).toEqual([])
  expect(rows('select webhook_id, event_id from deliveries group by 1, 2 having count(*) > 1')).toEqual([])
  const sizes =
    "select json_extract(email_json, '$.subject') as subject, count(*) from emails group by 1 having subject like 'batch%'"
  expect(rows(sizes).filter((row) => (row as unknown[])[1] !== batchSize)).toEqual([])
  const queued = "select json_extract(data_json, '$.message_id') from events where type = 'message.queued'"
  expect(rows(`select id from emails where id not in (${queued})`)).toEqual([])
  const delivered = rows(`select event_id from deliveries where webhook_id = '${lasting}' order by event_id`).flat()
  file.close()
  expect(delivered).toEqual(log.slice(1))
  const arrived = new Set(sink.requests.map(({ headers }) => headers['webhook-id']))
  expect(delivered.filter((id) => !arrived.has(String(id)))).toEqual([])
  await sink.close()
  console.log(`${crashes} crashes, ${log.length} events, ${kept.emails.length} emails, ${kept.webhooks.size} webhooks`)
})
