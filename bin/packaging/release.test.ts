// The contents and the tools of a release: the actions of every workflow, the verifier as a package of its own, the list of parts.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { initFiles } from '../init/files.js'

const root = resolve(import.meta.dirname, '../..')
const verifier = join(root, 'reference/verifier')
const project = mkdtempSync(join(tmpdir(), 'verifier-'))
afterAll(() => rmSync(project, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = (path: string) =>
  JSON.parse(read(path)) as Readonly<{ version: string; dependencies?: Readonly<Record<string, string>> }>
const pinned = /^(?:[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/actions\/[\w-]+)$/

/** Returns the actions of a workflow, with the comment after each. */
function actionsOf(workflow: string): string[] {
  return [...workflow.matchAll(/^\s*(?:- )?uses: *(.*)$/gm)].map(([, action = '']) => action)
}

it('every action, of ours and of those that init writes, is pinned by its commit', () => {
  const answers = {
    subject: 'service',
    baseUrl: 'https://api.example',
    controlUrl: undefined,
    trigger: '',
    ci: 'github',
  } as const
  const workflows: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      readdirSync(join(root, '.github/workflows')).map((name) => [name, read(`.github/workflows/${name}`)]),
    ),
    'action.yml': read('action.yml'),
    init: [...initFiles({ ...answers, shards: 1 }, '1.0.0').values()].join('\n'),
    'init of shards': [...initFiles({ ...answers, shards: 2 }, '1.0.0').values()].join('\n'),
  }
  for (const [name, text] of Object.entries(workflows))
    expect(
      actionsOf(text).filter((action) => !pinned.test(action)),
      name,
    ).toEqual([])
  for (const name of ['ci.yml', 'release.yml', 'init', 'init of shards'])
    expect(actionsOf(workflows[name] ?? '').length, name).toBeGreaterThan(1)
  expect(actionsOf('      - uses: actions/checkout@v4').filter((action) => !pinned.test(action))).toHaveLength(1)
})

it('no input and no secret is pasted into a script of a workflow', () => {
  for (const name of readdirSync(join(root, '.github/workflows')))
    for (const [, script = ''] of read(`.github/workflows/${name}`).matchAll(
      /^ *(?:- )?run: (\|\n(?: {10}.*\n)+|.*)/gm,
    ))
      expect(script, name).not.toContain('${{')
})

it('the verifier is a package of its own: nothing else is installed, and it verifies elsewhere', () => {
  const pack = ['pack', '--json', '--pack-destination', project]
  const quiet = ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore']
  const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: verifier, encoding: 'utf8', stdio: quiet })) as {
    filename: string
    files: { path: string }[]
  }[]
  const paths = packed?.files.map(({ path }) => path) ?? []
  expect(paths.filter((path) => !/^(?:package\.json|README\.md|LICENSE|dist\/\w+\.(?:js|d\.ts))$/.test(path))).toEqual(
    [],
  )
  const own = manifest('reference/verifier/package.json')
  expect(own.dependencies).toBeUndefined()
  expect(own.version).toBe(manifest('package.json').version)
  expect(readFileSync(join(verifier, 'LICENSE'), 'utf8')).toBe(read('LICENSE'))
  const installed = join(project, 'node_modules/webhook-conformance-verifier')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(project, packed?.filename ?? ''), '-C', installed, '--strip-components=1'])
  writeFileSync(join(project, 'vectors.json'), read('fixtures/vectors/signature.json'))
  writeFileSync(
    join(project, 'check.mjs'),
    `import { readFileSync } from 'node:fs'
import { verify } from 'webhook-conformance-verifier'
import * as subtle from 'webhook-conformance-verifier/subtle'
const { groups } = JSON.parse(readFileSync('vectors.json', 'utf8'))
let count = 0
for (const { secret, tests } of groups)
  for (const { headers, payload_base64, now, result } of tests) {
    if (result === 'acceptable') continue
    const request = { payload: Buffer.from(payload_base64, 'base64'), headers, secret, now }
    const holds = async (check) => { try { await check(request); return 'valid' } catch { return 'invalid' } }
    for (const check of [verify, subtle.verify]) if ((await holds(check)) === result) count++; else console.log(headers, result)
  }
console.log(count > 500 ? 'right' : count)
`,
  )
  expect(execFileSync(process.execPath, ['check.mjs'], { cwd: project, encoding: 'utf8' })).toBe('right\n')
}, 120_000)

it('the list of parts names every dependency with its checksum', () => {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const { bomFormat, components } = JSON.parse(text) as {
    bomFormat: string
    components: { name: string; hashes?: unknown[] }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(manifest('package.json').dependencies ?? {})))
  expect(components.filter(({ hashes = [] }) => hashes.length === 0).map(({ name }) => name)).toEqual([])
}, 120_000)
