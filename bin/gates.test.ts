// Tests each gate of `npm test` with a planted violation, and with the arguments of the script.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './testing/source-tree.js'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

const clean = {
  'main.ts': "import { used } from './used.js'\n\nused()\n",
  'used.ts': 'export function used(): void {}\n',
}

/** Runs a script of package.json in a small project that has our configuration, and these files. */
function gate(
  script: string,
  files: Readonly<Record<string, string>>,
): { readonly code: number | null; readonly out: string } {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-gate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['tsconfig.json', '.oxlintrc.json', '.prettierrc.json'])
    cpSync(join(root, name), join(folder, name))
  const tsconfig = readFileSync(join(root, 'tsconfig.json'), 'utf8')
    .replace(/"include": \[[^\]]*\]/, '"include": ["*.ts"]')
    .replace(
      '"types": ["node"]',
      `"types": ["node"], "typeRoots": [${JSON.stringify(join(root, 'node_modules/@types'))}]`,
    )
  const written = {
    ...clean,
    '.prettierignore': '*.json\n',
    'tsconfig.json': tsconfig,
    'package.json': JSON.stringify({ name: 'planted', type: 'module' }) + '\n',
    'knip.json': JSON.stringify({ entry: ['main.ts'], ignoreDependencies: ['@types/node'] }) + '\n',
    ...files,
  }
  for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text)
  const [program = '', ...args] = (scripts[script] ?? '').split(' ')
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
  })
  return { code: status, out: stdout + stderr }
}

it('npm test runs every gate', () => {
  expect(scripts['test']).toBe('npm run check && npm run build && vitest run')
  expect(scripts['check']).toBe('node bin/packaging/parallel.js format:check lint unused words')
})

it('a gate that fails makes the whole check fail, and prints its output', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-gate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const planted = { good: 'node -e 0', bad: `node -e "console.log('first'); console.error('second'); process.exit(3)"` }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: planted }))
  const check = (...names: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'bin/packaging/parallel.js'), ...names], { cwd: folder, encoding: 'utf8' })
  expect(check('good').status).toBe(0)
  const { status, stdout } = check('bad', 'good')
  expect(status).toBe(1)
  for (const line of [/^first$/m, /^second$/m, /^failed {2}bad {2}/m, /^passed {2}good {2}/m])
    expect(stdout).toMatch(line)
})

it.each([
  [
    'lint',
    { 'used.ts': "export function used(): void {\n  const text: string = ['x'][0]\n  text.trim()\n}\n" },
    'TS2322',
  ],
  ['lint', { 'used.ts': 'export function used(): void {\n  debugger\n}\n' }, 'no-debugger'],
  [
    'lint',
    { 'main.ts': "import { used } from './used.js'\n\nused()\nPromise.reject(new Error('unheard'))\n" },
    'no-floating-promises',
  ],
  ['unused', { 'used.ts': 'export function used(): void {}\nexport function spare(): void {}\n' }, 'spare'],
  ['format:check', { 'used.ts': 'export function used(): void {};\n' }, 'used.ts'],
])('%s finds the planted problem', { timeout: 300_000 }, (script, files, problem) => {
  const before = gate(script, {})
  expect(before.code, before.out).toBe(0)
  const { code, out } = gate(script, files)
  expect(code, out).not.toBe(0)
  expect(out).toContain(problem)
})
