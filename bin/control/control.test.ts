// `conformance control check` on right control interfaces and on ones with a mistake; the examples; a control interface on standard
// input; and docs/control.md, whose figures are counted here.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command, execute } from '../../harness/testing/hostile/command.js'
import { commandHere, type Ended } from '../testing/command.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { startIndependent } from '../../proof/lab/independent-services.js'
import { root } from '../testing/source-tree.js'
import { questions } from './check.js'
import { buildingOrder, verifiableWith, withFigures } from './capability-gains.js'

const folder = mkdtempSync(join(tmpdir(), 'control-'))
const conformance = commandHere(folder)
afterAll(() => rmSync(folder, { recursive: true }))

let server: Awaited<ReturnType<typeof startReferenceServer>>
const servers: Server[] = []
beforeAll(async () => {
  server = await startReferenceServer({ control: true })
})
afterAll(async () => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
  await server.close()
})

const reference = () => ({ url: server.controlUrl ?? '', key: server.controlKey ?? '', baseUrl: server.url })

function check(at: { readonly url: string; readonly key: string; readonly baseUrl?: string }): Promise<Ended> {
  const base = at.baseUrl === undefined ? [] : ['--base-url', at.baseUrl]
  return conformance(['control', 'check', at.url, '--control-key', at.key, ...base])
}

const wrongLines = ({ out }: Ended) => out.split('\n').filter((line) => line.startsWith('WRONG'))

describe('right control interfaces', () => {
  it('the reference server offers everything, rightly', async () => {
    const end = await check(reference())
    expect(wrongLines(end)).toEqual([])
    expect(end.code).toBe(0)
    expect(end.out).toContain(`${questions.length} right, 0 wrong, 0 not run; reference-server 1`)
    expect(end.out).toContain(`${verifiableWith(buildingOrder)} requirements of a service can be verified`)
    expect(end.out).not.toContain(reference().key)
  })

  it('so does an independent service; missing capabilities are listed with what they would add', async () => {
    const service = await startIndependent('node', ['clock'])
    try {
      const { controlUrl, controlKey, url } = service.facts
      const end = await check({ url: controlUrl ?? '', key: controlKey ?? '', baseUrl: url })
      expect(wrongLines(end)).toEqual([])
      expect(end.code).toBe(0)
      expect(end.out).toContain('clock is not offered')
      expect(end.out).toMatch(/^ {2}add clock: \+\d+ requirements$/m)
    } finally {
      await service.close()
    }
  })

  it('without --base-url only the form is checked', async () => {
    const end = await check({ url: reference().url, key: reference().key })
    expect([end.code, wrongLines(end)]).toEqual([0, []])
    expect(end.out).toContain('needs --base-url')
  })
})

/** Returns the answer of a broken control interface; undefined if it equals the correct one. */
type Mistake = (requested: {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly key: string | undefined
  /** What the right one answers. */
  readonly right: (body?: string, key?: string) => Promise<Reply>
}) => Promise<Reply | undefined> | Reply | undefined

interface Reply {
  readonly status: number
  readonly body: string
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}

/** The reference's control interface with one mistake; resolves to its URL. */
async function withMistake(mistake: Mistake): Promise<string> {
  const { url, key } = reference()
  const wrong = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url: path = '/' } = request
      const body = await textOf(request)
      const right = async (sent = body, given = request.headers.authorization): Promise<Reply> => {
        const headers = { ...(given === undefined ? {} : { authorization: given }), 'content-type': 'application/json' }
        const answer = await fetch(`${url}${path}`, { method, headers, ...(sent === '' ? {} : { body: sent }) })
        return { status: answer.status, body: await answer.text() }
      }
      const { authorization } = request.headers
      const reply = (await mistake({ method, path, body, key: authorization, right })) ?? (await right())
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
    })()
  })
  servers.push(wrong)
  await new Promise<void>((resolve) => wrong.listen(0, '127.0.0.1', resolve))
  expect(key).not.toBe('')
  return `http://127.0.0.1:${(wrong.address() as AddressInfo).port}`
}

const json = (status: number, body: unknown): Reply => ({ status, body: JSON.stringify(body) })

it('an interface without capabilities gets them in the order to build, with what each adds', async () => {
  const root = { control: 1, name: 'none', version: '1', capabilities: [] }
  const url = await withMistake(({ path }) => (path === '/' ? json(200, root) : undefined))
  const { out } = await check({ url, key: reference().key })
  const reported = out.match(/^ {2}(add|then) \w+: \+\d+ requirements?$/gm)?.map((line) => line.trim().split(':')[0])
  expect(reported).toEqual(['add workspaces', ...buildingOrder.slice(1).map((capability) => `then ${capability}`)])
})

const mistakes: readonly (readonly [what: string, call: string, mistake: Mistake])[] = [
  ['takes any key', 'GET /', ({ right }) => right(undefined, `Bearer ${reference().key}`)],
  [
    'takes calls without a key',
    'POST /events',
    ({ path, key, right }) =>
      path === '/events' && key === undefined ? right('', `Bearer ${reference().key}`) : undefined,
  ],
  [
    'is another version',
    'GET /',
    ({ path }) => (path === '/' ? json(200, { control: 2, capabilities: [] }) : undefined),
  ],
  [
    'makes a workspace with 200',
    'POST /workspaces',
    async ({ path, right }) => (path === '/workspaces' ? { ...(await right()), status: 200 } : undefined),
  ],
  [
    'makes fewer inboxes',
    'POST /workspaces',
    ({ path, right }) => (path === '/workspaces' ? right(JSON.stringify({ projects: 1, inboxes: 1 })) : undefined),
  ],
  [
    'reports a workspace as dropped but keeps it',
    'DELETE /workspaces/{workspace_id}',
    ({ method }) => (method === 'DELETE' ? { status: 404, body: '{"code":"x","message":"x","fix":"x"}' } : undefined),
  ],
  [
    'raises the event in other words',
    'POST /events',
    ({ path, body, right }) => (path === '/events' ? right(body.replace('Grüße', 'Gruesse')) : undefined),
  ],
  [
    'raises it in no inbox',
    'POST /events',
    ({ path, body, right }) =>
      path === '/events' ? right(body.replace(/"inbox_id":"[^"]*"/, '"inbox_id":null')) : undefined,
  ],
  [
    'answers an unknown workspace with 500',
    'POST /workspaces/{workspace_id}/clock',
    ({ path }) => (path.includes('_unknown/clock') ? json(500, {}) : undefined),
  ],
  [
    'refuses without the fields of an error',
    'POST /dns',
    async ({ path, right }) => {
      const answer = path === '/dns' ? await right() : undefined
      return answer?.status === 400 ? { status: 400, body: 'bad request' } : answer
    },
  ],
  [
    'reports that sending is paused, and pauses nothing',
    'POST /workspaces/{workspace_id}/sending',
    ({ path, body, right }) =>
      path.endsWith('/sending') && !path.includes('_unknown') && /paused/.test(body)
        ? json(200, { status: 'paused' })
        : right(),
  ],
  [
    'moves the clock on in one jump',
    'POST /workspaces/{workspace_id}/clock',
    // What falls due within the last 10 s of an advance is made at its end.
    async ({ path, body, right }) => {
      if (!path.endsWith('/clock') || !body.includes('200000')) return undefined
      await right('{"advance_ms":4000}')
      return json(200, { now: new Date().toISOString() })
    },
  ],
  [
    'answers an advance before the attempts have ended',
    'POST /workspaces/{workspace_id}/clock',
    ({ path, body }) =>
      path.endsWith('/clock') && !path.includes('_unknown') && /"advance_ms":(0|200000|12000|10000)\}/.test(body)
        ? json(200, { now: new Date().toISOString() })
        : undefined,
  ],
  [
    'waits for attempts in flight before it moves the clock',
    'POST /workspaces/{workspace_id}/clock',
    async ({ path, body, right }) => {
      if (!path.endsWith('/clock') || !body.includes('12000')) return undefined
      await new Promise((resolve) => setTimeout(resolve, 6_000))
      return right()
    },
  ],
  [
    'reports the time as a number',
    'POST /workspaces/{workspace_id}/clock',
    async ({ path, body, right }) =>
      path.endsWith('/clock') && (await right()).status === 200 ? json(200, { now: body.length }) : undefined,
  ],
  [
    'sets other answers',
    'POST /dns',
    ({ path, body, right }) =>
      path === '/dns' && body.includes('[["127.0.0.1"]]') ? right(body.replace('127.0.0.1', '10.0.0.1')) : undefined,
  ],
  [
    'exempts the neighbours too',
    'POST /egress',
    ({ path, body, right }) => {
      const port = /127\.0\.0\.1:(\d+)/.exec(body)?.[1]
      return path === '/egress' && port !== undefined && body.includes('"allow":[')
        ? right(body.replace('"allow":[', `"allow":["127.0.0.2:${port}",`))
        : undefined
    },
  ],
]

describe('wrong control interfaces', () => {
  it.concurrent.each(mistakes)('%s', async (_, call, mistake) => {
    const end = await check({ ...reference(), url: await withMistake(mistake) })
    expect(wrongLines(end).filter((line) => line.includes(` ${call}: `)).length, end.out + end.err).toBeGreaterThan(0)
    expect(end.code).toBe(1)
    expect(end.out).toMatch(/expected {2}\S/)
  })

  it('exempts nothing', async () => {
    // Each check listens on a port of its own: an earlier exemption does not help.
    const url = await withMistake(({ path, body, key }) =>
      path === '/egress' && key !== undefined && body.includes('"allow":[') ? { status: 204, body: '' } : undefined,
    )
    const end = await check({ ...reference(), url })
    expect(
      wrongLines(end).filter((line) => line.includes(' POST /egress: ')),
      end.out,
    ).toHaveLength(1)
    expect(end.code).toBe(1)
  })
})

it('an interrupted check leaves no workspace', { timeout: 60_000 }, async () => {
  const made: string[] = []
  const dropped: string[] = []
  const url = await withMistake(async ({ method, path, right }) => {
    const answer = await right()
    if (method === 'POST' && path === '/workspaces' && answer.status === 201) {
      made.push((JSON.parse(answer.body) as { readonly workspace_id: string }).workspace_id)
      if (made.length === 1) child.kill('SIGINT')
    }
    if (method === 'DELETE') dropped.push(path.split('/').at(-1) ?? '')
    return answer
  })
  const { baseUrl, key } = reference()
  const args = ['control', 'check', url, '--control-key', key, '--base-url', baseUrl]
  const child = spawn(process.execPath, [join(root, 'bin/conformance.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  child.stdout.resume()
  const [code] = (await once(child, 'close')) as [number | null]
  expect([code, err]).toEqual([3, 'conformance: control check: interrupted\n'])
  expect(made).not.toEqual([])
  expect(dropped.toSorted()).toEqual(made.toSorted())
})

describe('usage', () => {
  it.each([
    [[], 'control check needs the control URL'],
    [['http://127.0.0.1:9'], 'control check needs --control-key'],
    [['ftp://127.0.0.1', '--control-key', 'k'], 'expected a URL that starts with http'],
    [['http://127.0.0.1:9', '--control-command', 'true'], 'name two control interfaces'],
    [['--control-url', 'http://127.0.0.1:9', '--control-command', 'true'], 'name two control interfaces'],
  ])('%j', async (args, message) => {
    const end = await conformance(['control', 'check', ...args])
    expect([end.code, end.err]).toEqual([2, expect.stringContaining(message)])
  })

  it('a control interface that is not there is no verdict', async () => {
    expect((await check({ url: 'http://127.0.0.1:9', key: 'k' })).code).toBe(3)
  })
})

const testing = join(import.meta.dirname, 'testing')
const environment = () => ({ CONTROL_URL: reference().url, CONTROL_KEY: reference().key })

describe('the examples', () => {
  it.each(['plain', 'express', 'parsed'])('the middleware is right (%s)', async (behaviour) => {
    const child = spawn(process.execPath, [join(testing, 'middleware.mjs'), behaviour], {
      env: { ...process.env, ...environment() },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const { url } = JSON.parse(line) as { url: string }
      const end = await check({ url, key: 'example-key', baseUrl: server.url })
      expect([wrongLines(end), end.code]).toEqual([[], 0])
      expect(end.out).toContain(`${questions.length} right`)
    } finally {
      child.stdin.end()
      await once(child, 'exit')
    }
  })

  it('the one on standard input is right, and a run can use it', async () => {
    const program = ['--control-command', `"${process.execPath}" "${join(testing, 'standard-input.mjs')}"`]
    const end = await execute(['control', 'check', '--base-url', server.url, ...program], { env: environment() })
    expect([wrongLines(end), end.code, end.err]).toEqual([[], 0, ''])
    const run = await command(
      [
        'run',
        '--base-url',
        server.url,
        ...program,
        '--case',
        'service/retries/second-attempt-after-5-seconds',
        '--seed',
        '1',
      ],
      { env: environment() },
    )
    expect(run.report?.cases, run.err).toMatchObject([{ status: 'passed' }])
    expect(run.code).toBe(0)
  })

  it('a command may be in the configuration, and a URL on the command line overrides it', async () => {
    const command = `"${process.execPath}" "${join(testing, 'standard-input.mjs')}"`
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ control: { command } }))
    // Its command inherits the variables of the process.
    const options = { cwd: folder, env: environment() }
    const end = await execute(['control', 'check', '--config', 'c.json'], options)
    expect([end.code, end.out]).toEqual([0, expect.stringContaining('; example 1')])
    const given = ['--control-url', reference().url, '--control-key', reference().key]
    const other = await execute(['control', 'check', '--config', 'c.json', ...given], options)
    expect([other.code, other.out]).toEqual([0, expect.stringContaining('; reference-server 1')])
  })

  it('a command that ends, is silent or prints too much is reported', async () => {
    const run = (program: string) => conformance(['control', 'check', '--control-command', program])
    const ended = await run('echo broken >&2; exit 7')
    expect([ended.code, ended.out]).toEqual([1, expect.stringContaining('exited with 7')])
    const talks = await run('while read line; do echo hello; done')
    expect([talks.code, talks.out]).toEqual([1, expect.stringContaining('expected one JSON object a line')])
  })
})

describe('docs/control.md', () => {
  const path = join(root, 'docs/control.md')

  it('has the figures of the catalogue (npx vitest run bin/control -u)', async () => {
    const page = withFigures(readFileSync(path, 'utf8'))
    const formatted = await format(page, { ...(await resolveConfig(path)), filepath: path })
    await expect(formatted).toMatchFileSnapshot(path)
  })

  it('names every call', () => {
    const page = readFileSync(path, 'utf8')
    for (const { call } of questions) expect(page).toContain(`\`${call}\``)
  })
})
