// What a signal at any moment leaves on a target, and what cleanup makes of it; the runs are real processes of the built program.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { memberOf } from '../../harness/parsing.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { keyMark } from '../run/journal.js'
import { ownIdentity } from '../run/process-identity.js'
import { commandHere, program } from '../testing/command.js'
import { isWhole } from '../testing/whole.js'

/** How many runs are ended: six in every run of the tests; `npm run lab -- attack` uses a hundred. */
const kills = Number(process.env['KILLS'] ?? (isWhole ? 24 : 6))
const limit = { timeout: 60_000 + kills * 20_000 }

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A shared org of the reference, and a user with a state folder of its own. */
async function place() {
  const server = await startReferenceServer({ control: true, capabilities: [] })
  onTestFinished(() => server.close())
  const home = mkdtempSync(join(tmpdir(), 'conformance-kills-'))
  const folder = join(home, 'webhook-conformance')
  const configuration = { base_url: server.url, api_key: server.apiKey, from: `probe@${server.domain}` }
  writeFileSync(join(home, 'conformance.config.json'), JSON.stringify(configuration))
  const start = (...args: readonly string[]) => {
    const env = { ...process.env, XDG_STATE_HOME: home }
    const child = spawn(process.execPath, [program, ...args], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [out, err]: [string[], string[]] = [[], []]
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text))
    const ended = new Promise<Outcome>((done) =>
      child.once('close', (code) => done({ code, out: out.join(''), err: err.join('') })),
    )
    return { child, ended }
  }
  const cleanup = (...args: readonly string[]) => commandHere(home, { XDG_STATE_HOME: home })(['cleanup', ...args])
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const list = async (path: string) => {
    const answer = await fetch(`${server.url}/v1/${path}`, { headers })
    return memberOf(await answer.json(), 'data') as Readonly<Record<'id' | 'url' | 'status', string>>[]
  }
  const urls = async () => (await list('webhooks')).map((webhook) => webhook.url)
  const waiting = async () => (await list('emails?limit=100')).filter(({ status }) => status === 'scheduled')
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}/v1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const create = (target: string) => post('webhooks', { url: target, event_types: ['sending.resumed'] })
  const email = { from: `probe@${server.domain}`, to: 'somebody@example.com', text: '.' }
  const schedule = (subject: string) =>
    post('emails', { ...email, subject, scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  const journals = () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [])
  /** A journal of a run that is over, with these lines after its first one. */
  const journal = (lines: readonly object[], over: object = {}) => {
    mkdirSync(folder, { recursive: true })
    const mark = 'abcdefghij'
    const process = { ...ownIdentity(), started: 1 }
    const head = { journal: 2, base_url: server.url, mark, process, key: keyMark(server.apiKey, mark), ...over }
    writeFileSync(join(folder, 'left.jsonl'), [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  return { server, folder, start, cleanup, list, urls, waiting, post, create, email, schedule, journals, journal }
}

const suites = (...names: readonly string[]) => [
  'run',
  '--quiet',
  ...names.flatMap((name) => ['--suite', `service/${name}`]),
]
const hooks = suites('webhooks', 'address-spellings', 'refused-addresses')
const mails = suites('schedules', 'batches', 'emails', 'errors', 'malformed-requests')

/** The last line of a run that ended by itself. */
const verdictLine = /^Verdict .*seed \d+\)$/m

const signals = ['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Resolves once a process handles signals: Node itself takes a moment to start. */
async function handlesSignals({ pid }: ChildProcess): Promise<void> {
  const isThere = () => {
    const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
    // SIGHUP is signal 1; Node handles SIGINT before its program does.
    return BigInt(`0x${mask}`) % 2n === 1n
  }
  while (!isThere()) await pause(1)
}

test.each([
  ['webhooks on every sort of url', hooks, kills / 2],
  ['scheduled emails, and invalid requests', mails, kills / 2],
])(
  'whenever a signal ends a run of %s, cleanup leaves nothing of it, and all of another run',
  limit,
  async (_, args, times) => {
    const here = await place()
    // As another run on the same org would have it, under way at this very moment.
    const other = `https://example.com/c1abcx0123456789x0x${Date.now().toString(36)}`
    await here.create(other)
    for (let round = 0; round < times; round++) {
      const signal = signals[round % signals.length] ?? 'SIGKILL'
      const { child, ended } = here.start(...args, '--seed', String(round + 1))
      await handlesSignals(child)
      // A third of them before the run has begun, or as it begins.
      const waitMs = Math.random() * 2_000
      if (round % 3 !== 0) while (here.journals().length === 0) await pause(5)
      await pause(waitMs)
      const isRunning = child.exitCode === null && child.kill(signal)
      const { code, out, err } = await ended
      const at = `round ${round + 1}, ${signal} after ${Math.round(waitMs)} ms`
      // A process that Node is already taking down handles no signal: its run was over, with its verdict printed.
      const isOver = isRunning && code !== (signal === 'SIGKILL' ? null : 3)
      if (isOver) expect(out, `${at}: exit ${code}, ${err}`).toMatch(verdictLine)
      const cleaned = await here.cleanup()
      const output = `${at}: ${cleaned.out}${cleaned.err}`
      expect(await here.urls(), output).toEqual([other])
      expect(await here.waiting(), output).toEqual([])
      expect(cleaned.code, output).toBe(0)
      expect(here.journals()).toEqual([])
    }
  },
)

test('a webhook whose create request was never answered is found by the mark', limit, async () => {
  const here = await place()
  const { child, ended } = here.start(...hooks)
  while (here.journals().length === 0) await pause(5)
  child.kill('SIGKILL')
  await ended
  const [name = ''] = here.journals()
  const journal = join(here.folder, name)
  const mark = /"mark":"(\w+)"/.exec(readFileSync(journal, 'utf8'))?.[1] ?? ''
  // The service carried out the request of the killed process, in another spelling.
  await here.create(`https://example.com/C1ABCX${mark.toUpperCase()}X0X1/`)
  const { code, out } = await here.cleanup()
  expect(out).toMatch(/1 found by the mark of the run/)
  expect(code).toBe(0)
  expect(await here.urls()).toEqual([])
})

test('an email is found behind thousands of others', limit, async () => {
  const { cleanup, waiting, journal, post, email, schedule } = await place()
  const mark = 'cx1xabcdefghijx0x0'
  await schedule(mark)
  const batch = Array.from({ length: 100 }, () => ({ ...email, subject: 'of somebody else' }))
  for (let count = 0; count < 51; count++) await post('emails/batch', batch)
  journal([{ intends: 1, kind: 'email', isMarked: true, name: mark }])
  const { code, out, err } = await cleanup()
  expect(out + err).toMatch(/removed 1 of 1 \(1 found by the mark of the run\)/)
  expect([code, await waiting()]).toEqual([0, []])
})

test('cleanup reads a page of 250,000 items', limit, async () => {
  const here = await place()
  const hostile = createServer((request, response) => {
    const count = request.url?.startsWith('/v1/emails') === true ? 250_000 : 1
    response.end(`{"data":[${'0,'.repeat(count - 1)}0]}`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void hostile.close())
  await once(hostile, 'listening')
  const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
  here.journal([{ intends: 1, kind: 'email', isMarked: true, name: 'cx1xabcdefghijx0x0' }], { base_url: url })
  const { code, out, err } = await here.cleanup('--base-url', url)
  expect([code, err]).toEqual([0, expect.not.stringContaining('not found out')])
  expect(out).toMatch(/removed 0 of 0/)
})

test('an email whose removal the target only reported is found by the mark', limit, async () => {
  const { cleanup, waiting, journal, journals, schedule } = await place()
  const mark = 'cx1xabcdefghijx0x0'
  const id = memberOf(await (await schedule(mark)).json(), 'id')
  expect((await waiting()).map((email) => email.id)).toEqual([id])
  journal([
    { intends: 1, kind: 'email', isMarked: true, name: mark },
    { made: { kind: 'email', id }, intent: 1 },
    { removed: { kind: 'email', id } },
  ])
  const { code, out, err } = await cleanup()
  expect(out + err).toMatch(/removed 1 of 1 \(1 found by the mark of the run\)/)
  expect([code, await waiting(), journals()]).toEqual([0, [], []])
})

test('a workspace that may or may not exist is reported, and cleanup exits with 3', limit, async () => {
  const here = await place()
  here.journal([{ intends: 1, kind: 'workspace', isMarked: false }])
  const { code, out, err } = await here.cleanup()
  expect(code).toBe(3)
  expect(err).toMatch(/not found out: whether a workspace was created/)
  expect(out).toMatch(/remove it once nothing of it is left on the target: .*left\.jsonl/)
  expect(here.journals()).toEqual(['left.jsonl'])
})

test(
  'a webhook without a mark that may belong to the run is reported and kept, and blocks a clean end',
  limit,
  async () => {
    const here = await place()
    here.journal([{ intends: 1, kind: 'webhook', name: 'https://8.8.8.8', isMarked: false }])
    await here.create('https://example.com/of-somebody-else')
    await here.create('https://8.8.8.8/')
    const first = await here.cleanup()
    expect(first.code).toBe(3)
    expect(first.err).toMatch(/left alone: webhook whk_\w+ on "https:\/\/8\.8\.8\.8\/" has no mark/)
    expect(first.err).not.toContain('of-somebody-else')
    const [id] = (await here.list('webhooks')).flatMap((webhook) =>
      webhook.url === 'https://8.8.8.8/' ? [webhook.id] : [],
    )
    const headers = { authorization: `Bearer ${here.server.apiKey}` }
    await fetch(`${here.server.url}/v1/webhooks/${id}`, { method: 'DELETE', headers })
    expect((await here.cleanup()).code).toBe(0)
    expect(here.journals()).toEqual([])
  },
)

test('a 404 proves nothing with another key than that of the run', limit, async () => {
  const here = await place()
  const other = await startReferenceServer({ data: join(here.folder, '..', 'other.db') })
  onTestFinished(() => other.close())
  here.journal([{ made: { kind: 'webhook', id: 'whk_1' } }], { base_url: other.url })
  const args = ['--base-url', other.url, '--api-key', other.apiKey]
  const wrong = await here.cleanup(...args)
  expect(wrong.err).toMatch(/404 for 1 things of the run proves nothing with a key other than that of the run/)
  expect(wrong.code).toBe(3)
  expect(here.journals()).toEqual(['left.jsonl'])
  const mark = 'abcdefghij'
  here.journal([{ made: { kind: 'webhook', id: 'whk_1' } }], { base_url: other.url, key: keyMark(other.apiKey, mark) })
  const right = await here.cleanup(...args)
  expect(right.out).toMatch(/removed 0 of 1 .*gone already: 1/)
  expect(right.code).toBe(0)
})

test('cleanup passes over bad files in the folder of journals, and over runs under way', limit, async () => {
  const here = await place()
  const head = (over: object) =>
    `${JSON.stringify({
      journal: 2,
      base_url: here.server.url,
      mark: 'abcdefghij',
      key: keyMark(here.server.apiKey, 'abcdefghij'),
      process: { ...ownIdentity(), ...over },
    })}\n`
  mkdirSync(here.folder, { recursive: true })
  const put = (name: string, text: string) => writeFileSync(join(here.folder, name), text)
  put('empty.jsonl', '')
  put('foreign.jsonl', '{"hello":1}\nnot json')
  put('living.jsonl', head({}))
  // The pid lives, but it is another process that has it now.
  put('recycled.jsonl', head({ started: 1 }))
  appendFileSync(join(here.folder, 'recycled.jsonl'), '{"made":{"kind":"webhook","id":"whk_gone"}}\n{"made":{"kin')
  const { code, out, err } = await here.cleanup()
  expect(err).toMatch(/passed over: .*empty\.jsonl: this is not the journal[^]*passed over: .*foreign\.jsonl/)
  expect(out).toMatch(/living\.jsonl: its run is still under way; left alone/)
  expect(out).toMatch(/recycled\.jsonl: removed 0 of 1 .*gone already: 1/)
  expect(code).toBe(0)
  expect(here.journals().toSorted()).toEqual(['empty.jsonl', 'foreign.jsonl', 'living.jsonl'])
})

test('only its user can read the folder of journals', limit, async () => {
  const here = await place()
  const { child, ended } = here.start(...hooks)
  while (here.journals().length === 0) await pause(5)
  expect(statSync(here.folder).mode & 0o777).toBe(0o700)
  for (const name of here.journals()) expect(statSync(join(here.folder, name)).mode & 0o777).toBe(0o600)
  child.kill('SIGTERM')
  await ended
})

test('cleanup escapes control characters of a target, and no id leads to another path', limit, async () => {
  const here = await place()
  mkdirSync(here.folder, { recursive: true })
  const ids = ['whk_1\n::error::PWNED\n##[error]x \u001b[2J', '..', '']
  const lines = ids.map((id) => JSON.stringify({ made: { kind: 'webhook', id } }))
  const head = JSON.stringify({
    journal: 2,
    base_url: here.server.url,
    mark: 'abcdefghij',
    process: { ...ownIdentity(), started: 1 },
  })
  writeFileSync(join(here.folder, 'a.jsonl'), `${[head, ...lines].join('\n')}\n`)
  await here.server.close()
  const { code, out, err } = await here.cleanup()
  expect(code).toBe(3)
  expect(err).toContain('not removed: webhook whk_1')
  for (const text of [out, err]) {
    expect(text).not.toMatch(/^\s*::/m)
    expect(text).not.toMatch(/\u001b|##\[/)
    expect(text).not.toContain('/v1/cancel')
  }
})
