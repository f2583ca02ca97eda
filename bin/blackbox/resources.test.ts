// Every command without one of its resources: it names the missing one in words, and shows no internal error.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { execute } from '../../harness/testing/hostile/command.js'
import { startHostile } from '../../harness/testing/hostile/proxy.js'
import { startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { expectPlainError } from './testing/intact-run.js'
import { commandHere, program } from '../testing/command.js'

const limit = { timeout: 120_000 }
const folder = mkdtempSync(join(tmpdir(), 'resources-'))
const conformance = commandHere(folder, { XDG_STATE_HOME: folder })
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='

let server: ReferenceServer
/** An occupied port, over TCP and UDP. */
let busy = 0
const taken = createServer()
const takenToo = createSocket('udp4')
beforeAll(async () => {
  mkdirSync(join(folder, 'a-folder'))
  writeFileSync(join(folder, 'a-file'), '')
  server = await startReferenceServer({ control: true })
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  busy = (taken.address() as AddressInfo).port
  await new Promise<void>((done) => takenToo.bind(busy, '127.0.0.1', done))
})
afterAll(async () => {
  await server.close()
  taken.close()
  takenToo.close()
  rmSync(folder, { recursive: true, force: true })
})

const quick = ['--case', 'service/webhooks/creates-with-201', '--quiet']
const run = (...more: readonly string[]) => [
  'run',
  ...quick,
  '--base-url',
  server.url,
  '--api-key',
  server.apiKey,
  ...more,
]
const sender = (...more: readonly string[]) => ['sender', '--secret', secret, '--trigger', 'true', ...more]
const receiver = (...more: readonly string[]) => [
  'receiver',
  '--url',
  'http://127.0.0.1:9/',
  '--secret',
  secret,
  ...more,
]

/** Checks that the command ends with `code`, and prints the reason in a few lines. */
async function expectComplaint(args: readonly string[], codes: readonly number[]) {
  const { code, out, err } = await conformance(args)
  expectPlainError({ out, err })
  expect(codes, `${args.join(' ')}\n${out}${err}`).toContain(code)
  return err
}

function configured(name: string, more: object): string {
  const path = join(folder, `${name}.json`)
  writeFileSync(path, JSON.stringify({ base_url: server.url, api_key: server.apiKey, ...more }))
  return path
}

it('a port that is in use', limit, async () => {
  const receives = configured('receives', {
    receiver: { listen: `127.0.0.1:${busy}`, public_url: 'https://127.0.0.1/' },
  })
  const names = configured('names', { dns: { zone: 'rebind.example', listen: `127.0.0.1:${busy}` } })
  const place = `127.0.0.1:${busy}`
  for (const args of [
    ['run', ...quick, '--config', receives],
    ['run', ...quick, '--config', names],
    sender('--listen', place),
    ['observe', '--base-url', server.url, '--listen', place],
    ['observe', '--webhooks', 'http://127.0.0.1:9/', '--webhook-listen', place],
    ['serve', '--port', String(busy)],
    ['serve', 'receiver', '--port', String(busy)],
  ])
    expect(await expectComplaint(args, [2])).toMatch(new RegExp(`127\\.0\\.0\\.1:${busy} is in use: choose another`))
})

/** Commands that are given a path to read or to write. */
const withPath: Readonly<Record<string, (path: string) => readonly string[]>> = {
  config: (path) => run('--config', path),
  'known failures': (path) => run('--known-failures', path),
  state: (path) => run('--state', path),
  journal: (path) => run('--journal', path),
  report: (path) => run('--reporter', `json=${path}`),
  badge: (path) => run('--badge', `${path}.svg/x.svg`),
  'journal of cleanup': (path) => ['cleanup', '--base-url', server.url, '--api-key', server.apiKey, '--journal', path],
  events: (path) => receiver('--events', path),
  certificate: (path) => sender('--tls-cert', path, '--tls-key', path),
  authority: (path) => sender('--listen', '127.0.0.1:0', '--ca-out', path),
  'data of serve': (path) => ['serve', '--data', path],
  'authority of serve': (path) => ['serve', '--ca', path],
  'certificate of serve': (path) => ['serve', 'receiver', '--tls', path],
  request: (path) => ['diagnose', '--secret', secret, '--request', path],
  'headers and body': (path) => ['diagnose', '--secret', secret, '--headers', path, '--body', path],
  capture: (path) => ['observe', '--from', path],
  recording: (path) => ['observe', '--base-url', server.url, '--duration', '1', '--record', path],
  vectors: (path) => ['vectors', 'generate', '--count', '1', '--out', path],
  'vectors to check': (path) => ['vectors', 'check', path],
  'report to read': (path) => ['report', path],
}

describe.each([
  ['a folder', join(folder, 'a-folder')],
  ['below a file', join(folder, 'a-file', 'below')],
])('a path that is %s', (_, path) => {
  it.each(Object.keys(withPath))('%s', limit, async (name) => {
    await expectComplaint(withPath[name]?.(path) ?? [], [2, 3])
  })
})

it('init in a folder below a file', limit, async () => {
  await expectComplaint(['init', '--yes', '--dir', join(folder, 'a-file', 'below')], [2])
})

it('a disk that is full', limit, async () => {
  const full = '/dev/full'
  for (const args of [
    run('--reporter', `json=${full}`),
    run('--journal', full),
    ['vectors', 'generate', '--count', '1000', '--out', full],
    ['serve', 'receiver', '--tls', full],
    sender('--listen', '127.0.0.1:0', '--ca-out', full),
  ])
    await expectComplaint(args, [2])
})

it('standard output that cannot be written', limit, async () => {
  for (const args of [['list'], ['vectors', 'generate', '--count', '1000'], ['explain', 'SIG-001']]) {
    const { code, err } = await shell(`exec "$0" "$@" > /dev/full`, [process.execPath, program, ...args])
    expect(err).not.toMatch(/unexpected|^\s+at /m)
    expect(code, args.join(' ')).toBe(2)
  }
})

it('a reader that closes the pipe early ends the command quietly', limit, async () => {
  for (const args of [['list'], ['vectors', 'generate', '--count', '20000']]) {
    const script = 'bash -c \'"$0" "$@" | head -1 > /dev/null; exit ${PIPESTATUS[0]}\' "$0" "$@"'
    expect(await shell(script, [process.execPath, program, ...args])).toEqual({ code: 0, out: '', err: '' })
  }
})

it('a working folder that is gone', limit, async () => {
  for (const args of [['list', '--json'], ['init', '--yes'], run('--journal', join(folder, 'journal-of-nowhere'))]) {
    const script = 'd=$(mktemp -d) && cd "$d" && rmdir "$d" && exec "$0" "$@"'
    const { code, out, err } = await shell(script, [process.execPath, program, ...args])
    expect(`${out}${err}`).not.toMatch(/unexpected:|^\s+at |node:internal/m)
    expect([0, 2, 3]).toContain(code)
  }
})

it('a folder for journals that cannot be created: the run reports it and continues', limit, async () => {
  writeFileSync(join(folder, 'no-folder'), '')
  const env = { XDG_STATE_HOME: join(folder, 'no-folder'), TMPDIR: join(folder, 'no-folder') }
  const { code, err } = await execute(run(), { cwd: folder, env })
  expect(err).toMatch(/no folder can be made for the journal of this run.*--journal/)
  expect(code).toBe(0)
})

it('names that have no address', limit, async () => {
  // A label of more than 63 characters: no question leaves this machine.
  const nowhere = `${'x'.repeat(64)}.example`
  for (const args of [
    ['run', ...quick, '--base-url', `http://${nowhere}`, '--api-key', 'key_0123456789'],
    run('--control-url', `http://${nowhere}/_control`, '--control-key', 'key_0123456789'),
    receiver('--url', `http://${nowhere}/`),
    sender('--listen', `${nowhere}:0`),
    ['serve', '--host', nowhere],
    ['serve', 'receiver', '--host', nowhere],
    ['observe', '--base-url', server.url, '--listen', `${nowhere}:0`],
  ])
    await expectComplaint(args, [2, 3])
})

it.each([
  ['a heap of 64 MB', 'exec "$0" --max-old-space-size=64 "$@"'],
  ['40 descriptors', 'ulimit -n 40; exec "$0" "$@"'],
  ['70 descriptors', 'ulimit -n 70; exec "$0" "$@"'],
])('%s', limit, async (_, script) => {
  const suite = ['--suite', 'service/webhooks', '--quiet']
  for (const args of [
    ['run', ...suite, '--base-url', server.url, '--api-key', server.apiKey],
    ['run', ...suite, '--reference'],
    ['list'],
    ['vectors', 'generate', '--count', '1000'],
  ]) {
    const { code, err } = await shell(script, [process.execPath, program, ...args])
    expect(err).not.toMatch(/unexpected|^\s+at |node:internal/m)
    expect([0, 2, 3], `${args.join(' ')}\n${err}`).toContain(code)
  }
})

it.each([3_600_000, -30_000])(
  'a clock that is set by %s ms changes no verdict and no duration',
  limit,
  async (jumpMs) => {
    const jump = `data:text/javascript,const now=Date.now,at=performance.now()+400;Date.now=()=>now()+(performance.now()>at)*(${jumpMs})`
    const report = join(folder, `report-${jumpMs}.json`)
    const started = performance.now()
    const { code } = await execute(run('--suite', 'service/emails', '--reporter', `json=${report}`), {
      cwd: folder,
      env: { NODE_OPTIONS: `--import "${jump}"` },
    })
    expect(code).toBe(0)
    const { duration_ms: durationMs } = JSON.parse(readFileSync(report, 'utf8')) as { duration_ms: number }
    expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(durationMs).toBeLessThanOrEqual(performance.now() - started)
  },
)

it('a clock that is set while a delivery is under way fails no correct service', limit, async () => {
  const isSet = join(folder, 'clock-is-set')
  const service = await startHostile({
    upstream: server.url,
    behaviour: () => {},
    isVictim: ({ method, path }) => {
      if (method === 'POST' && path === '/v1/webhooks') writeFileSync(isSet, '')
      return false
    },
  })
  const jump = `data:text/javascript,import{existsSync}from'node:fs';const now=Date.now;Date.now=()=>now()+(existsSync('${isSet}')&&3_600_000)`
  const target = ['--base-url', service.url, '--control-url', server.controlUrl ?? '']
  const report = join(folder, 'report-of-a-set-clock.json')
  const { code, out, err } = await execute(
    ['run', ...target, '--case', 'service/signatures/signs-a-delivery', '--reporter', `json=${report}`],
    { cwd: folder, env: { NODE_OPTIONS: `--import "${jump}"`, CONFORMANCE_CONTROL_KEY: server.controlKey ?? '' } },
  )
  await service.close()
  expect(code, out + err).toBe(3)
  const { cases } = JSON.parse(readFileSync(report, 'utf8')) as { cases: { status: string; message?: string }[] }
  expect(cases).toEqual([
    expect.objectContaining({
      status: 'errored',
      message: expect.stringContaining('the clock of this machine was set 3600 s forward') as string,
    }),
  ])
})

function shell(script: string, args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, NO_COLOR: '1', XDG_STATE_HOME: folder }
  const child = spawn('sh', ['-c', script, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text))
  return new Promise((done) =>
    child.once('close', (code) => done({ code: code ?? -1, out: out.join(''), err: err.join('') })),
  )
}
