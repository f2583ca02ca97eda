// The package as others get it: packed, installed into an empty project, its command run, its entries loaded and typed.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
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

/** Packed size beyond which somebody ought to look at the list, in bytes. */
const mostBytes = 1_200_000

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

let packed: Packed

beforeAll(() => {
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
}, 120_000)

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
    /^(package\.json|README\.md|LICENSE|bin\/conformance\.js)$/,
    /^dist\/(bin|fixtures|harness|pages|reference|spec|suites)\/.*\.(js|d\.ts)$/,
    /^dist\/pages\/style\.css$/,
    /^fixtures\/(events|schemas|tables|vectors)\/[\w.-]+\.json$/,
    /^fixtures\/drivers\/[\w.-]+\.(mjs|py|pl|md|yaml)$/,
    /^spec\/[\w.-]+\.(yaml|md)$/,
  ]

  it('are what a user needs, and nothing else', () => {
    const paths = packed.files.map((each) => each.path)
    expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([])
    expect(paths.filter((path) => /\.test\.|\.map$|\/testing\//.test(path))).toEqual([])
    for (const pattern of wanted)
      expect(
        paths.some((path) => pattern.test(path)),
        String(pattern),
      ).toBe(true)
    expect(packed.size).toBeLessThan(mostBytes)
  })

  it('hold every file the manifest names', () => {
    const targets = entries.flatMap((each) => [each.types, each.default])
    expect(targets.filter((path) => !existsSync(join(installed, path)))).toEqual([])
  })
})

describe('in an empty project', () => {
  it('the command runs', async () => {
    const program = 'node_modules/webhook-conformance/bin/conformance.js'
    expect((await node([program, '--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
    const { code, out } = await node([program, 'run', '--reference', '--case', 'service/webhooks/*', '--seed', '1'])
    expect(out).toMatch(/6 passed/)
    expect(code).toBe(0)
  })

  it('every entry loads', async () => {
    const names = entries.map((each) => each.name).filter((name) => !name.endsWith('/vitest'))
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
    expect(await node(['judge.js'])).toEqual({ code: 0, out: 'partial passed,skipped,passed,passed,passed,skipped\n' })
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

  /** Runs vitest on a reference with one decision taken wrongly; `webhookCreatedStatus` is what WHK-001 asks for. */
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
      /ConformanceFailure: WHK-001 .*answers `201`.*\n.*expected 201, got 200.*\n(.*\n)*again: CONFORMANCE_SEED=5 npx vitest run -t 'service\/webhooks\/creates-with-201'/,
    )
    expect(out).toMatch(/↓ .*service\/deliveries\/.*\[.+\]/)
    expect(code).toBe(1)
  })

  it('are selected by a filter of vitest, side by side too', async () => {
    const { code, out } = await vitest(['-t', 'service/webhooks/lists'], 'concurrent: true,')
    expect(out).toMatch(/2 passed \| 4 skipped/)
    expect(code).toBe(0)
  })

  it('are forgiven by a known failure, with its reason', async () => {
    const entry = "knownFailures: [{ case: 'service/webhooks/creates-with-201', reason: 'until the next release' }],"
    const { code, out } = await vitest([], entry)
    expect(out).toMatch(/↓ .*creates-with-201.*\[known failure: until the next release\]/)
    expect(code).toBe(0)
  })
})

const program = `import { judge } from 'webhook-conformance'
import { startReferenceServer } from 'webhook-conformance/reference'
const server = await startReferenceServer()
const report = await judge('service', { baseUrl: server.url, apiKey: server.apiKey }, { cases: ['service/webhooks/*'] })
console.log(report.verdict, report.cases.map((each) => each.status).join())
await server.close()
`

const typedProgram = `import { judge, type Report } from 'webhook-conformance'
import { serviceCase } from 'webhook-conformance/authoring'
import { EmailClient, ServiceError } from 'webhook-conformance/client'
import { startReferenceReceiver } from 'webhook-conformance/receiver'
import { startReferenceServer, type ReferenceServer } from 'webhook-conformance/reference'
import { sign, verifyWebhook } from 'webhook-conformance/verifier'
import { verify } from 'webhook-conformance/verifier/subtle'
import { conformanceTests } from 'webhook-conformance/vitest'

export async function main(): Promise<Report> {
  const server: ReferenceServer = await startReferenceServer({ control: true })
  const client = new EmailClient(server.apiKey, { baseUrl: server.url })
  const receiver = await startReferenceReceiver({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  await receiver.close()
  conformanceTests('verifier', { command: ['python3', 'driver.py'] }, { level: 'must' })
  // @ts-expect-error a service has no command
  conformanceTests('service', { command: ['python3', 'driver.py'] })
  const unused = [client, ServiceError, sign, verifyWebhook, verify, serviceCase]
  return judge('service', { baseUrl: server.url, apiKey: server.apiKey }, { seed: unused.length })
}
`
