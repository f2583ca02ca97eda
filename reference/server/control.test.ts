import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { testBench, type Json } from './testing/bench.js'

const bench = testBench()
const folders: string[] = []
afterEach(async () => {
  await bench.closeAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

test('the control interface lists its capabilities and requires its own key', async () => {
  const server = await bench.server()
  const about = await server.control('GET', '/')
  expect(about).toMatchObject({ status: 200, body: { control: 1, name: expect.any(String) } })
  expect(about.body['capabilities']).toEqual(['workspaces', 'events', 'sending', 'clock', 'dns', 'egress'])
  const refused = await fetch(`${server.controlUrl}/`, { headers: { authorization: `Bearer ${server.apiKey}` } })
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ code: 'unauthorized', fix: expect.any(String) })
})

test('without control there is nothing at its path; a withdrawn capability is gone', async () => {
  const closed = await bench.server({ control: false })
  expect((await fetch(`${closed.url}/_control/`)).status).toBe(404)
  const partial = await bench.server({ capabilities: ['events'] })
  expect((await partial.control('GET', '/')).body['capabilities']).toEqual(['events'])
  expect((await partial.control('POST', '/dns', { host: 'a.b', answers: [[]] })).status).toBe(404)
})

test.each([
  ['POST', '/events', { org_id: 'org_no', type: 'message.queued', data: {} }, 404],
  ['POST', '/events', { type: 'message.queued', data: {} }, 400],
  ['POST', '/workspaces/wks_no/clock', { advance_ms: 0 }, 404],
  ['POST', '/workspaces/wks_no/sending', { status: 'paused' }, 404],
  ['DELETE', '/workspaces/wks_no', undefined, 404],
  ['POST', '/workspaces', { projects: 'two' }, 400],
  ['POST', '/workspaces', { inboxes: -1 }, 400],
  ['POST', '/dns', { host: 'a.example', answers: ['127.0.0.1'] }, 400],
  ['POST', '/dns', { host: 'a.example', answers: [['nonsense']] }, 400],
  ['POST', '/egress', { allow: ['127.0.0.1'] }, 400],
  ['POST', '/egress', { allow: [], ca: 'no certificate' }, 400],
  ['POST', '/nothing', {}, 404],
  ['PUT', '/dns', {}, 405],
])('%s %s %j answers %i', async (method, path, body, status) => {
  const server = await bench.server()
  const refused = await server.control(method, path, body)
  expect(refused.status).toBe(status)
  expect(refused.body).toMatchObject({ code: expect.any(String), message: expect.any(String), fix: expect.any(String) })
})

test('an event of an unknown type, without data, or with a wrong inbox is refused', async () => {
  const server = await bench.server()
  const org_id = server.orgId
  for (const body of [
    { org_id, type: 'message.scheduled', data: {} },
    { org_id, type: 'message.queued' },
    { org_id, type: 'message.queued', data: [] },
    { org_id, type: 'message.queued', data: { inbox_id: 7 } },
  ]) {
    expect((await server.control('POST', '/events', body)).status).toBe(400)
  }
  expect((await server.control('POST', `/workspaces/${server.workspaceId}/clock`, { advance_ms: -1 })).status).toBe(400)
  expect((await server.control('POST', `/workspaces/${server.workspaceId}/sending`, { status: 'off' })).status).toBe(
    400,
  )
})

test('workspaces are apart; a workspace event goes once to each project; a dropped one is gone', async () => {
  const server = await bench.server()
  const made = await server.control('POST', '/workspaces', { projects: 2, inboxes: 1 })
  expect(made.status).toBe(201)
  const projects = made.body['projects'] as { api_key: string; inboxes: unknown[] }[]
  expect(projects.map(({ inboxes }) => inboxes.length)).toEqual([1, 1])
  const path = `/workspaces/${String(made.body['workspace_id'])}`
  expect((await server.control('POST', `${path}/sending`, { status: 'paused' })).body).toEqual({ status: 'paused' })
  for (const { api_key: key } of projects) {
    const polled = await server.api('GET', '/v1/events', { key })
    expect((polled.body['data'] as Json[]).map(({ type }) => type)).toEqual(['sending.paused'])
  }
  expect((await server.api('GET', '/v1/events')).body['data']).toEqual([])
  expect((await server.control('DELETE', path)).status).toBe(204)
  expect((await server.api('GET', '/v1/events', { key: projects[0]?.api_key ?? '' })).status).toBe(401)
})

test('after a restart on the same file events, keys and pending retries go on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-server-'))
  folders.push(folder)
  const data = join(folder, 'data.db')
  const { server, sink } = await bench.pair({ data })
  sink.script = (_request, count) => (count === 1 ? { status: 500 } : 'hang')
  const webhook = await server.createWebhook(sink.url)
  const id = await server.raise()
  await server.advance(0)
  const inFlight = await server.raise()
  await expect.poll(() => sink.requests.length).toBe(2)
  await server.close()

  sink.script = () => ({ status: 200 })
  const again = await bench.server({ data })
  expect(again.apiKey).toBe(server.apiKey)
  expect(again.inboxes).toEqual(server.inboxes)
  await again.advance(5_000)
  expect(await again.deliveries(webhook['id'])).toMatchObject([
    { event_id: inFlight, status: 'succeeded', attempt: 1 },
    { event_id: id, status: 'succeeded', attempt: 2 },
  ])
  expect((await again.raise()) > inFlight).toBe(true)
})

test('a file left by a killed process has lost nothing: the attempt in flight is made again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reference-server-'))
  folders.push(folder)
  const { server, sink } = await bench.pair({ data: join(folder, 'live.db') })
  sink.script = () => 'hang'
  const webhook = await server.createWebhook(sink.url)
  const id = await server.raise()
  await expect.poll(() => sink.requests.length).toBe(1)
  for (const end of ['', '-wal']) copyFileSync(join(folder, `live.db${end}`), join(folder, `copy.db${end}`))

  sink.script = () => ({ status: 200 })
  const again = await bench.server({ data: join(folder, 'copy.db') })
  await again.advance(0)
  expect(sink.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
  expect(await again.deliveries(webhook['id'])).toMatchObject([{ event_id: id, status: 'succeeded', attempt: 1 }])
})
