// The package as others get it: packed, installed into an empty project, its command run, its entries loaded and typed.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'consumer-'))
const installed = join(project, 'node_modules/webhook-conformance')

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const entries = Object.entries(manifest.exports).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [{ name: name.replace(/^\./, 'webhook-conformance'), ...entry }],
)

/** Packed size above which a maintainer should check the list, in bytes. */
const maxBytes = 1_900_000

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

let packed: Packed

beforeAll(() => {
  // The build writes none: they are for the package alone.
  if (!existsSync(join(root, entries[0]?.types ?? '')))
    execFileSync('npm', ['run', 'declarations'], { cwd: root, stdio: quiet })
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', project]
  const [first] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: quiet })) as Packed[]
  if (first === undefined) throw new Error('npm pack made nothing')
  packed = first
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const archive = join(project, packed.filename)
  try {
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0', archive]
    execFileSync('npm', install, { cwd: project, stdio: quiet, timeout: 60_000 })
  } catch {
    process.stderr.write('no registry and no cache: the packed files are unpacked, their dependencies linked\n')
    unpack(archive)
  }
}, 300_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

const quiet = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore']

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text)
}

/** What npm would have done, with the dependencies of this checkout and no others. */
function unpack(archive: string): void {
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
  for (const name of Object.keys(manifest.dependencies)) link(name)
}

function link(name: string): void {
  const path = join(project, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), path)
}

interface Ended {
  readonly code: number
  readonly out: string
}

function node(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((done) => {
    const environment = { ...process.env, NO_COLOR: '1', ...env }
    execFile(process.execPath, [...args], { cwd: project, env: environment }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out: out + err }),
    )
  })
}

describe('the packed files', () => {
  const wanted = [
    /^(package\.json|README\.md|LICENSE|action\.yml|bin\/conformance\.js)$/,
    /^dist\/(bin|fixtures|harness|pages|reference|spec|suites)\/.*\.(js|d\.ts)$/,
    /^dist\/proof\/.*\.js$/,
    /^dist\/proof\/(mutants|seams)\/[\w/-]+\.(mutants|seams)$/,
    /^dist\/pages\/style\.css$/,
    /^fixtures\/(events|schemas|schemes|tables|vectors)\/[\w.-]+\.json$/,
    /^fixtures\/drivers\/[\w.-]+\.(mjs|py|pl|md|yaml)$/,
    /^examples\/[\w/-]+\.mjs$/,
    /^spec\/[\w.-]+\.(yaml|md)$/,
    /^CONTRIBUTING\.md$/,
    /^docs\/(tasks\/)?[\w-]+\.md$/,
    /^examples\/control\/[\w.-]+$/,
    /^(suites(\/\w+)*|(harness|bin)\/observe)\/README\.md$/,
    /^pages\/pictures\/[\w-]+\.png$/,
  ]

  it('hold every page and picture that the README links, also through other pages', () => {
    const paths = new Set(packed.files.map((file) => file.path))
    const pages = ['README.md']
    const missing: string[] = []
    for (const page of pages) {
      const text = readFileSync(join(installed, page), 'utf8')
      for (const [, link = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^\w+:/.test(link)) continue
        const path = posix.join(posix.dirname(page), link)
        const isPacked = paths.has(path) || [...paths].some((packedPath) => packedPath.startsWith(`${path}/`))
        if (!isPacked) missing.push(`${page}: ${link}`)
        else if (path.endsWith('.md') && !pages.includes(path)) pages.push(path)
      }
    }
    expect(missing).toEqual([])
    expect(pages.length).toBeGreaterThan(8)
  })

  it('have keywords', () => {
    const { keywords } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { keywords: string[] }
    expect(keywords.length).toBeGreaterThan(5)
    expect(new Set(keywords).size).toBe(keywords.length)
  })

  it('are what a user needs, and nothing else', () => {
    const paths = packed.files.map((file) => file.path)
    expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([])
    expect(paths.filter((path) => /\.test\.|\.map$|\/testing\//.test(path))).toEqual([])
    for (const pattern of wanted)
      expect(
        paths.some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true)
    expect(packed.size).toBeLessThan(maxBytes)
  })

  it('hold every file the manifest names', () => {
    const targets = entries.flatMap((entry) => [entry.types, entry.default])
    expect(targets.filter((path) => !existsSync(join(installed, path)))).toEqual([])
  })
})

describe('in an empty project', () => {
  it('the command runs', async () => {
    const program = 'node_modules/webhook-conformance/bin/conformance.js'
    expect((await node([program, '--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
    const { code, out } = await node([program, 'run', '--reference', '--case', 'service/webhooks/*', '--seed', '1'])
    expect(out).toMatch(/8 passed/)
    expect(code).toBe(0)
  })

  it('every entry loads', async () => {
    const names = entries.map((entry) => entry.name).filter((name) => !name.endsWith('/vitest'))
    expect(names.length).toBeGreaterThan(5)
    write(
      'load.js',
      names
        .map((name) => `if (Object.keys(await import('${name}')).length === 0) throw new Error('${name}')\n`)
        .join(''),
    )
    expect(await node(['load.js'])).toEqual({ code: 0, out: '' })
  })

  it('the reference starts in a test, and the runner judges it', async () => {
    write('judge.js', program)
    expect(await node(['judge.js'])).toEqual({
      code: 0,
      out: 'partial passed,skipped,passed,passed,passed,skipped,skipped,skipped\n',
    })
  })

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('a consumer type-checks (%s, %s)', async (module, moduleResolution) => {
    write('consumer.ts', typedProgram)
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          module,
          moduleResolution,
          target: 'es2022',
          lib: ['es2023'],
          strict: true,
          exactOptionalPropertyTypes: true,
          // Our declarations themselves take some seconds: CI has them.
          skipLibCheck: process.env['CI'] === undefined,
          noEmit: true,
          typeRoots: [join(root, 'node_modules/@types')],
          types: ['node'],
        },
        files: ['consumer.ts'],
      }),
    )
    expect(await node([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toEqual({ code: 0, out: '' })
  })
})

describe('the cases as tests of vitest', () => {
  beforeAll(() => {
    if (!existsSync(join(project, 'node_modules/vitest'))) link('vitest')
  })

  /** Runs vitest on a reference with one wrong decision; `webhookCreatedStatus` belongs to WHK-001. */
  async function vitest(args: readonly string[], options = ''): Promise<Ended> {
    write(
      'conformance.test.js',
      `import { startReferenceServer } from 'webhook-conformance/reference'
import { conformanceTests } from 'webhook-conformance/vitest'
import { afterAll } from 'vitest'
let server
conformanceTests('service', async () => {
  server = await startReferenceServer({ policy: { webhookCreatedStatus: 200 } })
  return { baseUrl: server.url, apiKey: server.apiKey }
}, { seed: 5, suites: ['service/webhooks'], ${options} })
afterAll(() => server?.close())
`,
    )
    const program = join(root, 'node_modules/vitest/vitest.mjs')
    return node([program, 'run', '--reporter', 'verbose', ...args], { CONFORMANCE_SEED: '' })
  }

  it('are one test a case, with a readable failure', async () => {
    const { code, out } = await vitest([], "cases: ['service/deliveries/*'],")
    expect(out).toMatch(/✓ .*service\/webhooks\/lists-what-was-created: a created webhook/)
    expect(out).toMatch(/× .*service\/webhooks\/creates-with-201/)
    expect(out).toMatch(
      /ConformanceFailure: WHK-001 .*answers `201`.*\n.*expected 201, got 200.*\n(.*\n)*rerun: CONFORMANCE_SEED=5 npx vitest run -t 'service\/webhooks\/creates-with-201'/,
    )
    expect(out).toMatch(/↓ .*service\/deliveries\/.*\[.+\]/)
    expect(code).toBe(1)
  })

  it('are selected by a filter of vitest, side by side too', async () => {
    const { code, out } = await vitest(['-t', 'service/webhooks/lists'], 'concurrent: true,')
    expect(out).toMatch(/2 passed \| 6 skipped/)
    expect(code).toBe(0)
  })

  it('are forgiven by a known failure, with its reason', async () => {
    const entry = "knownFailures: [{ case: 'service/webhooks/creates-with-201', reason: 'until the next release' }],"
    const { code, out } = await vitest([], entry)
    expect(out).toMatch(/↓ .*creates-with-201.*\[known failure: until the next release\]/)
    expect(code).toBe(0)
  })
})

describe("cases of one's own", () => {
  const program = 'node_modules/webhook-conformance/bin/conformance.js'
  const own = ['--case', '*/acme/*', '--seed', '1']
  beforeAll(() => write('cases.mjs', readFileSync(join(root, 'examples/own-cases/cases.mjs'), 'utf8')))

  it('run with those of the kit, with their own sentences, and decide the verdict', async () => {
    const args = [
      'run',
      '--reference',
      '--cases',
      'cases.mjs',
      ...own,
      '--reporter',
      'json=own.json',
      '--reporter',
      'pretty',
    ]
    const { code, out } = await node([program, ...args])
    expect(out).toMatch(
      /BROKEN +Every answer of the API carries a header x-request-id\.\n +X-ACME-001 handbook, part 3/,
    )
    expect(out).toMatch(
      /rerun +conformance run --reference --cases cases\.mjs --case service\/acme\/answers-with-a-request-id/,
    )
    expect(out).toMatch(/1 passed.*1 failed/)
    expect(code).toBe(1)
    const report = JSON.parse(readFileSync(join(project, 'own.json'), 'utf8')) as {
      requirements: { id: string; status: string; text: string }[]
    }
    expect(report.requirements).toContainEqual({
      id: 'X-ACME-001',
      level: 'must',
      text: 'Every answer of the API carries a header x-request-id.',
      source: 'handbook, part 3',
      status: 'violated',
      cases: ['service/acme/answers-with-a-request-id'],
    })
    // Of another kind of target.
    expect(report.requirements.map(({ id }) => id)).not.toContain('X-ACME-002')
    const converted = await node([program, 'report', 'own.json', '--reporter', 'markdown'])
    expect(converted.out).toContain('Every answer of the API carries a header x-request-id.')
    expect(converted.code).toBe(1)
  })

  it('are listed', async () => {
    expect((await node([program, 'list', '--cases', 'cases.mjs'])).out.split('\n').slice(0, 3)).toEqual([
      'must    service/acme/answers-with-a-request-id  X-ACME-001  needs org',
      'must    service/acme/keeps-the-query-of-a-url  WHK-005  needs org',
      'should  receiver/acme/answers-with-an-empty-body  X-ACME-002',
    ])
  })

  it('are judged by judge(), and in vitest', async () => {
    write(
      'own.mjs',
      `import { judge } from 'webhook-conformance'
import { startReferenceReceiver } from 'webhook-conformance/receiver'
import * as ownCases from './cases.mjs'
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const receiver = await startReferenceReceiver({ secret })
const options = { ownCases, cases: ['receiver/acme/*'] }
const report = await judge('receiver', { url: receiver.url, secret }, options)
const [own] = report.requirements.filter((requirement) => requirement.id.startsWith('X-'))
console.log(report.cases.map((result) => result.status).join(), own.id, own.status)
const without = await judge('receiver', { url: receiver.url, secret }, { cases: ['receiver/acceptance/*'] })
console.log(without.requirements.some((requirement) => requirement.id.startsWith('X-')))
await receiver.close()
`,
    )
    expect(await node(['own.mjs'])).toEqual({ code: 0, out: 'passed X-ACME-002 verified\nfalse\n' })
    if (!existsSync(join(project, 'node_modules/vitest'))) link('vitest')
    write(
      'own.test.js',
      `import { startReferenceServer } from 'webhook-conformance/reference'
import { conformanceTests } from 'webhook-conformance/vitest'
import { afterAll } from 'vitest'
import * as ownCases from './cases.mjs'
let server
conformanceTests('service', async () => {
  server = await startReferenceServer()
  return { baseUrl: server.url, apiKey: server.apiKey }
}, { seed: 5, cases: ['service/acme/*'], ownCases })
afterAll(() => server?.close())
`,
    )
    const { code, out } = await node([
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter',
      'verbose',
      'own',
    ])
    expect(out).toMatch(/✓ .*service\/acme\/keeps-the-query-of-a-url/)
    expect(out).toMatch(/× .*service\/acme\/answers-with-a-request-id/)
    expect(out).toMatch(/X-ACME-001 "Every answer of the API carries a header x-request-id\." handbook, part 3/)
    expect(code).toBe(1)
  })
})

const program = `import { judge } from 'webhook-conformance'
import { startReferenceServer } from 'webhook-conformance/reference'
const server = await startReferenceServer()
const report = await judge('service', { baseUrl: server.url, apiKey: server.apiKey }, { cases: ['service/webhooks/*'] })
console.log(report.verdict, report.cases.map((result) => result.status).join())
await server.close()
`

const typedProgram = `import { judge, type Report } from 'webhook-conformance'
import { serviceCase, type OwnCases } from 'webhook-conformance/authoring'
import { EmailClient, ServiceError } from 'webhook-conformance/client'
import { startReferenceReceiver } from 'webhook-conformance/receiver'
import { startReferenceServer, type ReferenceServer } from 'webhook-conformance/reference'
import { sign, verifyWebhook } from 'webhook-conformance/verifier'
import { verify } from 'webhook-conformance/verifier/subtle'
import { conformanceTests } from 'webhook-conformance/vitest'

const ownCase = serviceCase({
  id: 'service/acme/one',
  requirements: ['X-ACME-001', 'WHK-001'],
  level: 'must',
  title: 'a title',
  async run({ openSandbox, check }) {
    const answer = await (await openSandbox()).project.api.listWebhooks()
    check.of('X-ACME-001').status(answer, [200])
  },
})
// @ts-expect-error a misspelt requirement of the interface does not compile
export const misspelt = serviceCase({ ...ownCase, requirements: ['WHK-999'] })

export async function main(): Promise<Report> {
  const server: ReferenceServer = await startReferenceServer({ control: true })
  const client = new EmailClient(server.apiKey, { baseUrl: server.url })
  const receiver = await startReferenceReceiver({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  await receiver.close()
  conformanceTests('verifier', { command: ['python3', 'driver.py'] }, { level: 'must' })
  const own = { requirements: { 'X-ACME-001': { level: 'must', text: 'A sentence.' } }, cases: [ownCase] } satisfies OwnCases
  conformanceTests('service', { baseUrl: server.url, apiKey: server.apiKey }, { ownCases: own })
  // @ts-expect-error a service has no command
  conformanceTests('service', { command: ['python3', 'driver.py'] })
  const unused = [client, ServiceError, sign, verifyWebhook, verify, serviceCase]
  return judge('service', { baseUrl: server.url, apiKey: server.apiKey }, { seed: unused.length })
}
`
