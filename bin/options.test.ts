// Every option of every command, as a flag and as its variable: each has an effect, and nothing is in the help that is not here.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sinkCertificate } from '../harness/sink/certificate.js'

const program = resolve(import.meta.dirname, 'conformance.js')
const folder = mkdtempSync(join(tmpdir(), 'options-'))
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

interface Ended {
  readonly code: number
  readonly text: string
}

function conformance(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const environment = { ...process.env, NO_COLOR: '1', ...env }
  if (args[0] === 'serve') return served(args, environment)
  return new Promise((done) => {
    const child = execFile(process.execPath, [program, ...args], { cwd: folder, env: environment }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, text: out + err }),
    )
    child.stdin?.end()
  })
}

/** A server is told to end as soon as it has said where it is. */
function served(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.includes('Interrupt to stop') || text.includes('"url"')) child.kill('SIGTERM')
      })
    child.once('close', (code) => done({ code: code ?? -1, text }))
  })
}

interface Row {
  readonly command: string
  readonly option: string
  /** Absent for a switch. */
  readonly value?: string
  /** What the command is given beside it, before and after `--`. */
  readonly with?: readonly string[]
  readonly after?: readonly string[]
  /** What is seen with the option, and not without it. */
  readonly says?: RegExp
  readonly code?: number
  /** A file that is there afterwards. */
  readonly writes?: string
}

/** A verifier that accepts everything: most cases fail. */
const wrongDriver = ['--', process.execPath, 'wrong-driver.mjs']
const one = ['--reference', '--case', 'service/webhooks/creates-with-201', '--seed', '1']
const wrongVerifier = {
  with: ['--concurrency', '1', '--suite', 'verifier/signing', '--suite', 'verifier/state'],
  after: wrongDriver,
}
const target = ['--base-url', 'http://127.0.0.1:9']
const endpoint = ['--url', 'http://127.0.0.1:9', '--secret', secret]
let tlsUrl = ''

/** The options every kind of run takes; the commands share the code that reads them. */
const shared: readonly Row[] = [
  {
    command: 'run',
    option: 'suite',
    value: 'service/nope',
    with: ['--reference'],
    says: /--suite service\/nope matches nothing/,
    code: 2,
  },
  {
    command: 'run',
    option: 'case',
    value: 'service/no/pe',
    with: ['--reference'],
    says: /--case service\/no\/pe matches nothing/,
    code: 2,
  },
  { command: 'run', option: 'level', value: 'may', with: one, says: /--level may: expected/, code: 2 },
  { command: 'run', option: 'seed', value: 'x', with: ['--reference'], says: /--seed x: expected/, code: 2 },
  { command: 'run', option: 'runs', value: '0', with: one, says: /--runs 0: expected/, code: 2 },
  { command: 'run', option: 'concurrency', value: '0', with: one, says: /--concurrency 0: expected/, code: 2 },
  { command: 'run', option: 'timeout', value: 'soon', with: one, says: /--timeout soon: expected/, code: 2 },
  { command: 'run', option: 'shard', value: '3/2', with: one, says: /--shard 3\/2: expected/, code: 2 },
  { command: 'verifier', option: 'bail', ...wrongVerifier, says: /\b1 failed/, code: 1 },
  { command: 'run', option: 'strict', with: one, code: 1 },
  {
    command: 'run',
    option: 'known-failures',
    value: '/nowhere.yaml',
    with: one,
    says: /--known-failures \/nowhere\.yaml: cannot be read/,
    code: 2,
  },
  {
    command: 'verifier',
    option: 'write-known-failures',
    value: 'written.yaml',
    ...wrongVerifier,
    writes: 'written.yaml',
    code: 1,
  },
  { command: 'run', option: 'reporter', value: 'smoke', with: one, says: /--reporter smoke: expected/, code: 2 },
  { command: 'run', option: 'badge', value: 'badge.svg', with: one, writes: 'badge.svg', code: 0 },
  {
    command: 'run',
    option: 'config',
    value: '/nowhere.yaml',
    with: one,
    says: /--config \/nowhere\.yaml: cannot be read/,
    code: 2,
  },
  { command: 'run', option: 'dry-run', with: one, says: /1 cases? would run/, code: 0 },
  { command: 'run', option: 'verbose', with: one, says: /service\/webhooks\/creates-with-201/, code: 0 },
]

const rows: readonly Row[] = [
  ...shared,
  { command: 'run', option: 'base-url', value: 'nonsense', says: /--base-url nonsense: expected a URL/, code: 2 },
  { command: 'run', option: 'reference', with: one.slice(1), says: /1 passed/, code: 0 },
  { command: 'run', option: 'api-key', value: 'a b', with: target, says: /--api-key: the key holds a space/, code: 2 },
  {
    command: 'run',
    option: 'control-url',
    value: 'http://127.0.0.1:9',
    with: target,
    says: /--control-url needs --control-key/,
    code: 2,
  },
  {
    command: 'run',
    option: 'control-key',
    value: 'c',
    with: target,
    says: /--control-key needs --control-url/,
    code: 2,
  },
  { command: 'run', option: 'retry-depth', value: '8', with: target, says: /--retry-depth 8: expected/, code: 2 },
  { command: 'run', option: 'max-rps', value: '0', with: target, says: /--max-rps 0: expected/, code: 2 },
  {
    command: 'receiver',
    option: 'url',
    value: 'nonsense',
    with: endpoint.slice(2),
    says: /--url nonsense: expected a URL/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'secret',
    value: 'nonsense',
    with: endpoint.slice(0, 2),
    says: /--secret: expected whsec_/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'header',
    value: 'nonsense',
    with: endpoint,
    says: /--header .*expected "name: value"/,
    code: 2,
  },
  { command: 'receiver', option: 'max-rps', value: '0', with: endpoint, says: /--max-rps 0: expected/, code: 2 },
  { command: 'receiver', option: 'rps', value: '0', with: endpoint, says: /--rps 0: expected/, code: 2 },
  { command: 'receiver', option: 'duration', value: '0', with: endpoint, says: /--duration 0: expected/, code: 2 },
  {
    command: 'serve',
    option: 'host',
    value: '192.0.2.1',
    says: /192\.0\.2\.1:0 is no address of this machine/,
    code: 2,
  },
  { command: 'serve', option: 'port', value: 'x', says: /--port x: expected/, code: 2 },
  { command: 'serve', option: 'api-key', value: 'k_one', says: /API key +k_one\n/, code: 0 },
  { command: 'serve', option: 'control', says: /Control key/, code: 0 },
  {
    command: 'serve',
    option: 'control-key',
    value: 'c_one',
    with: ['--control'],
    says: /Control key +c_one\n/,
    code: 0,
  },
  { command: 'serve', option: 'data', value: 'kept.db', writes: 'kept.db', code: 0 },
  { command: 'serve', option: 'allow', value: '127.0.0.1:9', says: /Deliveries go to +127\.0\.0\.1:9\n/, code: 0 },
  { command: 'serve', option: 'ca', value: '/nowhere.pem', says: /--ca \/nowhere\.pem: cannot be read/, code: 2 },
  { command: 'serve', option: 'public-egress', says: /may leave this machine/, code: 0 },
  { command: 'serve', option: 'secret', value: secret, with: ['receiver'], says: new RegExp(secret), code: 0 },
  { command: 'serve', option: 'tls', value: 'authority.pem', with: ['receiver'], writes: 'authority.pem', code: 0 },
  { command: 'serve', option: 'json', says: /^\{"url":/, code: 0 },
  { command: 'vectors generate', option: 'count', value: '0', says: /--count 0: expected/, code: 2 },
  { command: 'vectors generate', option: 'seed', value: 'x', says: /--seed x: expected/, code: 2 },
  { command: 'vectors generate', option: 'format', value: 'xml', says: /--format xml: expected/, code: 2 },
  { command: 'vectors generate', option: 'out', value: 'vectors.json', writes: 'vectors.json', code: 0 },
  { command: 'list', option: 'subject', value: 'nobody', says: /--subject nobody: expected/, code: 2 },
  { command: 'list', option: 'requirements', says: /^AUTH-001  service/m, code: 0 },
  { command: 'list', option: 'coverage', says: /requirements have a case/, code: 0 },
  { command: 'list', option: 'json', says: /^\[\n/, code: 0 },
  { command: 'coverage', option: 'subject', value: 'nobody', says: /--subject nobody: expected/, code: 2 },
  { command: 'coverage', option: 'json', says: /^\[\n/, code: 0 },
  { command: 'selftest', option: 'subject', value: 'nobody', says: /--subject nobody: expected/, code: 2 },
  { command: 'selftest', option: 'mutant', value: 'no/such', says: /no\/such: matches no mutant/, code: 2 },
  { command: 'selftest', option: 'sample', value: '0', says: /--sample 0: expected/, code: 2 },
  { command: 'selftest', option: 'seeds', value: '0', says: /--seeds 0: expected/, code: 2 },
  { command: 'selftest', option: 'jobs', value: '0', says: /--jobs 0: expected/, code: 2 },
  { command: 'selftest', option: 'format', value: 'xml', says: /--format xml: expected/, code: 2 },
  { command: 'selftest', option: 'seed', value: 'x', says: /--seed x: expected/, code: 2 },
  {
    command: 'report',
    option: 'reporter',
    value: 'smoke',
    with: ['report.json'],
    says: /--reporter smoke: expected/,
    code: 2,
  },
  { command: 'report', option: 'badge', value: 'badge.json', with: ['report.json'], writes: 'badge.json', code: 0 },
  { command: 'report', option: 'compare', with: ['report.json', 'second.json'], says: /report\.json/, code: 0 },
  { command: 'report', option: 'strict', with: ['report.json'], code: 1 },
  { command: 'init', option: 'dir', value: 'made', writes: 'made', code: 0 },
  { command: 'init', option: 'base-url', value: 'nonsense', says: /--base-url nonsense: expected/, code: 2 },
  { command: 'init', option: 'control-url', value: 'nonsense', says: /--control-url nonsense: expected/, code: 2 },
  { command: 'init', option: 'ci', value: 'jenkins', says: /--ci jenkins: expected/, code: 2 },
  { command: 'init', option: 'force', with: ['--dir', 'full'], says: /wrote/, code: 0 },
]

/** Options whose effect is not seen in one short run. */
const elsewhere: Readonly<Record<string, string>> = {
  watch: 'stays until it is interrupted',
  quiet: 'tested below, beside its opposite',
  insecure: 'tested below, with a server of its own',
  state: 'tested in state.test.ts, with runs that are stopped',
  journal: 'tested in state.test.ts, with runs that are killed',
  full: 'takes minutes: npm run selftest',
  load: 'takes minutes: npm run selftest',
  yes: 'asks nothing, which is seen on a terminal alone',
  help: 'tested below',
  version: 'tested below',
}

beforeAll(async () => {
  writeFileSync(
    join(folder, 'wrong-driver.mjs'),
    `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op } = JSON.parse(line)
  const about = op === 'hello' ? { name: 'wrong', version: '1', language: 'js' } : op === 'sign' ? { signature: 'v1,AAAA' } : { ok: true, event: {} }
  process.stdout.write(JSON.stringify({ id, ...about }) + '\\n')
}
`,
  )
  await conformance(['init', '--dir', 'full'])
  await conformance(['run', ...one, '--reporter', 'json=report.json'])
  await conformance(['run', ...one, '--reporter', 'json=second.json'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function variableOf(option: string): string {
  return `CONFORMANCE_${option.toUpperCase().replaceAll('-', '_')}`
}

async function seen(row: Row, form: 'flag' | 'variable' | 'neither'): Promise<Ended> {
  if (row.writes !== undefined) rmSync(join(folder, row.writes), { recursive: true, force: true })
  const flag = form === 'flag' ? [`--${row.option}`, ...(row.value === undefined ? [] : [row.value])] : []
  const env = form === 'variable' ? { [variableOf(row.option)]: row.value ?? 'true' } : {}
  return conformance([...row.command.split(' '), ...flag, ...(row.with ?? []), ...(row.after ?? [])], env)
}

/** All of it takes a minute of two cores: CI has it. Elsewhere each variable that is refused at once speaks for its option. */
const isWhole = process.env['CI'] !== undefined
const tried = isWhole ? rows : rows.filter((row) => row.code === 2)
const forms = isWhole ? (['flag', 'variable'] as const) : (['variable'] as const)

describe.concurrent('has its effect, as a flag and as a variable', () => {
  it.each(tried)('$command --$option', async (row) => {
    for (const form of forms) {
      const { code, text } = await seen(row, form)
      if (row.says !== undefined) expect(text).toMatch(row.says)
      if (row.writes !== undefined) expect(existsSync(join(folder, row.writes)), text).toBe(true)
      if (row.code !== undefined) expect(code, text).toBe(row.code)
    }
  })
})

describe.runIf(isWhole)('without the option (in CI)', () => {
  const cheap = rows.filter((row) => row.code !== 2 && row.command !== 'serve' && row.option !== 'dir')
  it.each(cheap)('$command does otherwise than with --$option', async (row) => {
    const { code, text } = await seen(row, 'neither')
    const isSame =
      code === row.code &&
      (row.says === undefined || row.says.test(text)) &&
      (row.writes === undefined || existsSync(join(folder, row.writes)))
    expect(isSame, text).toBe(false)
  })
})

describe.concurrent('the rest', () => {
  const commands = [
    'run',
    'receiver',
    'verifier',
    'client',
    'serve',
    'vectors',
    'vectors generate',
    'vectors check',
    'list',
    'explain',
    'coverage',
    'selftest',
    'report',
    'init',
    'completion',
  ]

  it('is nothing: every option of every help is in the table', async () => {
    const known = new Set(rows.map((row) => `${row.command} ${row.option}`))
    const runs = new Set(['run', 'receiver', 'verifier', 'client'])
    const missing: string[] = []
    for (const command of commands) {
      const { code, text } = await conformance([...command.split(' '), '--help'])
      expect(code, command).toBe(0)
      for (const [, option = ''] of text.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)) {
        const isShared = runs.has(command) && shared.some((row) => row.option === option)
        if (!known.has(`${command} ${option}`) && !isShared && elsewhere[option] === undefined)
          missing.push(`${command} --${option}`)
      }
    }
    expect(missing).toEqual([])
    const all = (await conformance(['--help'])).text
    for (const command of commands) expect(all).toContain(command.split(' ')[0])
  })

  it('a flag beats a variable, which beats the file; an empty variable is none', async () => {
    writeFileSync(join(folder, 'level.yaml'), 'level: must\nseed: 7\n')
    const args = ['run', ...one.slice(0, 3), '--config', 'level.yaml']
    expect((await conformance(args)).text).toMatch(/seed 7\b/)
    expect((await conformance(args, { CONFORMANCE_SEED: '8' })).text).toMatch(/seed 8\b/)
    expect((await conformance([...args, '--seed', '9'], { CONFORMANCE_SEED: '8' })).text).toMatch(/seed 9\b/)
    expect((await conformance(args, { CONFORMANCE_SEED: '' })).text).toMatch(/seed 7\b/)
    const vectors = ['vectors', 'generate', '--count', '1', '--seed']
    const seeded = await conformance([...vectors, '5'])
    expect((await conformance([...vectors, '5'], { CONFORMANCE_SEED: '6' })).text).toBe(seeded.text)
    expect((await conformance(['list'], { CONFORMANCE_JSON: 'maybe' })).text).toMatch(/CONFORMANCE_JSON=maybe/)
  })

  it.runIf(isWhole)('--quiet says less (in CI)', async () => {
    const loud = (await conformance(['verifier', ...wrongVerifier.with, ...wrongDriver])).text
    for (const quiet of [
      await conformance(['verifier', '--quiet', ...wrongVerifier.with, ...wrongDriver]),
      await conformance(['verifier', ...wrongVerifier.with, ...wrongDriver], { CONFORMANCE_QUIET: 'true' }),
    ])
      expect(quiet.text.length).toBeLessThan(loud.length / 2)
  })

  it.runIf(isWhole)('--insecure takes a certificate nobody vouches for (in CI)', async () => {
    const { key, cert } = await sinkCertificate()
    const server = createServer({ key, cert }, (_request, response) => void response.writeHead(418).end())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    tlsUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const args = ['receiver', '--url', tlsUrl, '--secret', secret, '--case', 'receiver/acceptance/*', '--bail']
    expect((await conformance(args)).text).not.toMatch(/418/)
    expect((await conformance([...args, '--insecure'])).text).toMatch(/418/)
    expect((await conformance(args, { CONFORMANCE_INSECURE: 'true' })).text).toMatch(/418/)
    await new Promise((done) => server.close(done))
  })

  it('--version and -V print the version', async () => {
    const { text } = await conformance(['--version'])
    expect(text).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await conformance(['-V'])).text).toBe(text)
  })
})

describe.concurrent('list and explain', () => {
  it('a requirement without a case has a reason in words', async () => {
    const { text } = await conformance(['list', '--coverage', '--json'])
    const covered = JSON.parse(text) as { id: string; level: string; cases: string[]; untestable?: string }[]
    expect(covered.length).toBeGreaterThan(160)
    expect(covered.filter((row) => row.cases.length === 0 && row.untestable === undefined)).toEqual([])
    expect(covered.filter((row) => row.untestable !== undefined && row.untestable.trim().length < 8)).toEqual([])
    const whole = (await conformance(['list', '--coverage'])).text
    for (const { id } of covered) expect(whole).toContain(`${id}  `)
  })

  it.each([
    ['RTY-002', /5 seconds/, 0],
    ['service/retries', /service\/retries\/second-attempt-after-5-seconds/, 0],
    ['service/retries/second-attempt-after-5-seconds', /RTY-002/, 0],
    ['service/retrys', /did you mean service\/retries\?/, 2],
    ['second-attempt-after-5-second', /did you mean service\/retries\/second-attempt-after-5-seconds/, 2],
    ['toString', /neither a case, a suite nor a requirement/, 2],
  ])('explain %s', async (id, says, code) => {
    const ended = await conformance(['explain', id])
    expect(ended.text).toMatch(says)
    expect(ended.code).toBe(code)
  })
})
