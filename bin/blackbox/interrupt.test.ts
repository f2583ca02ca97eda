// What an interrupted or killed run leaves on a target, and what removes it; real processes of the built program.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { memberOf } from '../../harness/parsing.js'
import { behaviours } from '../../harness/testing/hostile/behaviours.js'
import { startHostile } from '../../harness/testing/hostile/proxy.js'
import { startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { program } from '../testing/command.js'

const limit = { timeout: 120_000 }

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>
}

interface Place {
  readonly folder: string
  readonly journal: string
  readonly server: ReferenceServer
  start(...args: readonly string[]): Started
}

/** A reference server, and a folder with the configuration that reaches it at `baseUrl`; `shared` has no workspaces. */
async function place(options: {
  readonly isShared: boolean
  readonly baseUrl?: string
  readonly server?: ReferenceServer
}): Promise<Place> {
  const server = options.server ?? (await reference(options.isShared))
  const folder = mkdtempSync(join(tmpdir(), 'conformance-interrupt-'))
  const journal = join(folder, 'journal.jsonl')
  const { url, apiKey, domain, inboxes, controlUrl, controlKey } = server
  const configuration = {
    base_url: options.baseUrl ?? url,
    api_key: apiKey,
    from: `probe@${domain}`,
    inboxes: inboxes.map((inbox) => ({ id: inbox.id, address: inbox.address, api_key: inbox.apiKey })),
    control: { url: controlUrl, key: controlKey },
    journal,
  }
  writeFileSync(join(folder, 'conformance.config.json'), JSON.stringify(configuration))
  return {
    server,
    folder,
    journal,
    start: (...args) => {
      const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      let err = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
      return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, err }))) }
    },
  }
}

async function reference(isShared: boolean): Promise<ReferenceServer> {
  const server = await startReferenceServer(isShared ? { control: true, capabilities: ['egress'] } : { control: true })
  onTestFinished(() => server.close())
  return server
}

/** A place whose service leaves some requests without an answer as long as `hang.isOn`. */
async function hanging(
  isVictim: (request: { readonly method: string; readonly path: string }) => boolean,
  { isShared = true } = {},
) {
  const server = await reference(isShared)
  const hang = { isOn: true, count: 0 }
  const proxy = await startHostile({
    behaviour: behaviours.silent,
    isVictim: (request) => hang.isOn && isVictim(request) && ++hang.count > 0,
    upstream: server.url,
  })
  onTestFinished(() => proxy.close())
  return { here: await place({ isShared, baseUrl: proxy.url, server }), server, hang }
}

/** Returns the things that the journal records as made and not removed. */
function left(journal: string): { kind: string; id: string }[] {
  const things = new Map<string, { kind: string; id: string }>()
  for (const line of existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'))
    : []) {
    const entry: unknown = JSON.parse(line)
    const [made, removed] = [memberOf(entry, 'made'), memberOf(entry, 'removed')]
    if (made !== undefined) things.set(JSON.stringify(made), made as { kind: string; id: string })
    if (removed !== undefined) things.delete(JSON.stringify(removed))
  }
  return [...things.values()]
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(10)
}

async function getJson(server: ReferenceServer, path: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/v1/${path}`, { headers: { authorization: `Bearer ${server.apiKey}` } })
  return answer.json()
}

const hooks = ['run', '--quiet', '--suite', 'service/webhooks', '--suite', 'service/deletion', '--concurrency', '2']

test.each([
  ['SIGTERM', 'a shared org', true],
  ['SIGTERM', 'workspaces of its own', false],
  ['SIGHUP', 'a shared org', true],
] as const)('%s ends a run in %s in order, with a report and nothing left', limit, async (signal, _, isShared) => {
  const here = await place({ isShared })
  const report = join(here.folder, 'report.json')
  const { child, ended } = here.start(...hooks, '--reporter', `json=${report}`)
  await until(() => left(here.journal).length > 0)
  child.kill(signal)
  expect((await ended).code).toBe(3)
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    verdict: 'none',
    note: expect.stringMatching(/interrupted/) as string,
  })
  expect(memberOf(await getJson(here.server, 'webhooks'), 'data')).toEqual([])
  expect(existsSync(here.journal)).toBe(false)
})

test.each([
  ['run', 'GET /v1/events'],
  ['run', 'GET /_control/'],
  ['control check', 'GET /_control/'],
])('SIGINT ends %s at once while %s is without an answer', limit, async (command, hanging) => {
  const server = await reference(false)
  let count = 0
  const proxy = await startHostile({
    behaviour: behaviours.silent,
    isVictim: ({ method, path }) => `${method} ${path.split('?')[0]}` === hanging && ++count > 0,
    upstream: server.url,
  })
  onTestFinished(() => proxy.close())
  const here = await place({
    isShared: false,
    baseUrl: proxy.url,
    server: { ...server, controlUrl: `${proxy.url}/_control` },
  })
  const { child, ended } = here.start(...command.split(' '))
  await until(() => count > 0)
  const startedAt = performance.now()
  child.kill('SIGINT')
  expect((await ended).code).toBe(3)
  // What held the process was ended after three seconds.
  expect(performance.now() - startedAt).toBeLessThan(2_500)
})

test('SIGINT ends a judgement of a receiver at once while its first delivery is without an answer', limit, async () => {
  let count = 0
  const endpoint = createServer(() => void count++).listen(0, '127.0.0.1')
  onTestFinished(() => endpoint.close().closeAllConnections())
  await once(endpoint, 'listening')
  const here = await place({ isShared: true })
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`
  const { child, ended } = here.start('receiver', '--url', url, '--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  await until(() => count > 0)
  const startedAt = performance.now()
  child.kill('SIGINT')
  expect((await ended).code).toBe(3)
  expect(performance.now() - startedAt).toBeLessThan(2_500)
})

test(
  'a second SIGINT ends a run whose clean-up hangs, and prints the command that removes the rest',
  limit,
  async () => {
    const { here, server, hang } = await hanging(({ method }) => method === 'DELETE')
    // One case at a time, so that nothing else is being made when the process ends.
    const { child, ended } = here.start(...hooks, '--concurrency', '1')
    await until(() => left(here.journal).length > 0)
    child.kill('SIGINT')
    await until(() => hang.count > 0)
    child.kill('SIGINT')
    const { code, err } = await ended
    expect(code).toBe(3)
    expect(err).toMatch(/left on the target: \d+(, and perhaps .*)?; conformance cleanup --journal /)
    expect(memberOf(await getJson(server, 'webhooks'), 'data')).not.toEqual([])
    hang.isOn = false
    expect((await here.start('cleanup').ended).code).toBe(0)
    expect(memberOf(await getJson(server, 'webhooks'), 'data')).toEqual([])
    expect(existsSync(here.journal)).toBe(false)
  },
)

test('a paused sending is resumed when the run is interrupted', limit, async () => {
  const server = await startReferenceServer({ control: true, capabilities: ['workspaces', 'sending', 'egress'] })
  onTestFinished(() => server.close())
  const { controlUrl, controlKey, url } = server
  const headers = { authorization: `Bearer ${controlKey ?? ''}`, 'content-type': 'application/json' }
  const send = async (path: string, body: unknown) =>
    (await fetch(`${controlUrl ?? ''}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  const made = await send('/workspaces', { projects: 1, inboxes: 2 })
  const [project] = memberOf(made, 'projects') as { api_key: string; domain: string; inboxes: object[] }[]
  const folder = mkdtempSync(join(tmpdir(), 'conformance-paused-'))
  const log = join(folder, 'log')
  const sending = `${controlUrl ?? ''}/workspaces/${String(memberOf(made, 'workspace_id'))}/sending`
  const command = (status: string) =>
    `echo ${status} >> ${log}; ${process.execPath} -e "fetch('${sending}', { method: 'POST', headers: { authorization: 'Bearer ${controlKey ?? ''}', 'content-type': 'application/json' }, body: JSON.stringify({ status: '${status}' }) })"`
  const configuration = {
    base_url: url,
    api_key: project?.api_key,
    from: `probe@${project?.domain ?? ''}`,
    inboxes: project?.inboxes,
    triggers: { 'sending.paused': { command: command('paused') }, 'sending.resumed': { command: command('active') } },
  }
  writeFileSync(join(folder, 'conformance.config.json'), JSON.stringify(configuration))
  const args = ['run', '--quiet', '--case', 'service/workspace-events/are-not-shown-to-keys-of-one-inbox']
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise((done) => child.once('close', done))
  const changes = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
  await until(() => changes().length > 0)
  child.kill('SIGINT')
  expect(await ended).toBe(3)
  expect(changes().at(-1)).toBe('active')
  expect(changes()[0]).toBe('paused')
})

test('the emails that a killed run has scheduled are cancelled by cleanup', limit, async () => {
  const { here, server, hang } = await hanging(({ path }) => path.endsWith('/cancel'))
  const { child, ended } = here.start(
    'run',
    '--quiet',
    '--case',
    'service/schedules/answers-*',
    '--case',
    'service/schedules/reads-*',
  )
  await until(() => hang.count > 0)
  child.kill('SIGKILL')
  await ended
  hang.isOn = false
  const scheduled = left(here.journal).filter(({ kind }) => kind === 'email')
  const states = () =>
    Promise.all(scheduled.map(async ({ id }) => memberOf(await getJson(server, `emails/${id}`), 'status')))
  expect(await states()).toContain('scheduled')
  expect((await here.start('cleanup').ended).code).toBe(0)
  expect(new Set(await states())).toEqual(new Set(['canceled']))
  expect(existsSync(here.journal)).toBe(false)
})

test('the workspaces of a killed run are dropped by cleanup, with all that is in them', limit, async () => {
  // Killed while it waits for a list: a workspace that is just being made could not be found.
  const isList = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method === 'GET' && path.startsWith('/v1/webhooks')
  const { here, hang } = await hanging(isList, { isShared: false })
  const { child, ended } = here.start('run', '--quiet', '--case', 'service/webhooks/lists-what-was-created')
  await until(() => hang.count > 0)
  child.kill('SIGKILL')
  await ended
  hang.isOn = false
  const workspaces = left(here.journal)
  expect(workspaces.map(({ kind }) => kind)).toContain('workspace')
  expect(readFileSync(here.journal, 'utf8')).not.toContain(here.server.controlKey ?? '')
  const statusOf = async (id: string) => {
    const url = `${here.server.controlUrl}/workspaces/${id}/clock`
    const headers = { authorization: `Bearer ${here.server.controlKey}`, 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body: '{"advance_ms":0}' })).status
  }
  for (const { id } of workspaces) expect(await statusOf(id)).toBe(200)
  expect((await here.start('cleanup').ended).code).toBe(0)
  for (const { id } of workspaces) expect(await statusOf(id)).toBe(404)
  expect(existsSync(here.journal)).toBe(false)
})

test('a signal ends a run with exit code 3 before it has begun', limit, async () => {
  const here = await place({ isShared: true })
  const { child, ended } = here.start(...hooks)
  await until(() => handlesHangups(child))
  child.kill('SIGHUP')
  expect((await ended).code).toBe(3)
})

test('a signal after the end of a run, while its process ends, still makes the exit code 3', limit, async () => {
  const module = new URL('../../dist/bin/cli/interrupt.js', import.meta.url).href
  const script = `
    import { watchSignals } from ${JSON.stringify(module)}
    watchSignals().end()
    setInterval(() => {}, 1_000)
    process.on('SIGTERM', () => setImmediate(() => process.exit()))
    process.kill(process.pid, 'SIGTERM')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(await once(child, 'exit')).toEqual([3, null])
})

/** Whether a process handles SIGHUP, which is signal 1: bit 0 of the mask (Linux). Node handles SIGINT itself. */
function handlesHangups({ pid }: ChildProcess): boolean {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return BigInt(`0x${mask}`) % 2n === 1n
}
