// Which configuration a command reads: one that another user may have planted runs nothing.
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findConfig } from '../../harness/parsing.js'
import { commandHere } from '../testing/command.js'

let root: string
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'configuration-'))))
afterEach(() => rmSync(root, { recursive: true }))

/** A configuration whose module leaves a trace where it is imported. */
function plant(folder: string): string {
  writeFileSync(join(folder, 'planted.mjs'), `import { writeFileSync } from 'node:fs'\nwriteFileSync('ran', '')\n`)
  const path = join(folder, 'conformance.config.yaml')
  writeFileSync(path, `cases: planted.mjs\n`)
  return path
}

function below(...names: readonly string[]): string {
  const folder = join(root, ...names)
  mkdirSync(folder, { recursive: true })
  return folder
}

const run = ['run', '--base-url', 'http://127.0.0.1:9', '--api-key', 'k_012345678']

it('is searched up to the root of the repository or the home folder, and outside of both nowhere else', () => {
  const folder = below('repository', 'packages', 'api')
  const planted = plant(root)
  expect(findConfig(folder, '/nowhere')).toBeUndefined()
  expect(findConfig(root, '/nowhere')).toBe(planted)
  mkdirSync(join(root, 'repository', '.git'))
  expect(findConfig(folder, '/nowhere')).toBeUndefined()
  expect(findConfig(folder, join(root, 'repository', 'packages'))).toBeUndefined()
  const own = plant(join(root, 'repository'))
  expect(findConfig(folder, '/nowhere')).toBe(own)
  expect(findConfig(folder, join(root, 'repository', 'packages'))).toBeUndefined()
})

const strangers: Readonly<Record<string, (path: string) => void>> = {
  'a file that everybody may write': (path) => chmodSync(path, 0o666),
  'a folder that everybody may write': () => chmodSync(root, 0o1777),
  ...(process.getuid?.() === 0 ? { 'a file of another user': (path: string) => chownSync(path, 65_534, 65_534) } : {}),
}

it.each(Object.entries(strangers))('%s is refused with its reason', { timeout: 60_000 }, async (_, spoil) => {
  const path = plant(root)
  spoil(path)
  const conformance = commandHere(root)
  const { code, err } = await conformance(run)
  expect(err).toMatch(/^conformance: the configuration \S+ was found, but \S+ (?:belongs to user|may be written by)/)
  expect(err).toContain(`name it with --config ${path}, else use --no-config`)
  expect(code).toBe(2)
  expect((await conformance([...run, '--dry-run', '--quiet', '--no-config'])).code).toBe(0)
  expect(existsSync(join(root, 'ran'))).toBe(false)
})

it('a link to a file that everybody may write is refused', { timeout: 60_000 }, async () => {
  const folder = below('mine')
  const path = plant(below('theirs'))
  chmodSync(path, 0o666)
  symlinkSync(path, join(folder, 'conformance.config.yaml'))
  const { code, err } = await commandHere(folder)(run)
  expect([code, err]).toEqual([2, expect.stringContaining('may be written by everybody')])
})

it(
  'a file of 40,000 keys, one with a key twice, and a deep one are refused in words',
  { timeout: 60_000 },
  async () => {
    const conformance = commandHere(root)
    const refusal = async (text: string) => {
      writeFileSync(join(root, 'odd.yaml'), text)
      const { code, err } = await conformance([...run, '--config', 'odd.yaml'])
      expect(code).toBe(2)
      return err
    }
    expect(await refusal(Array.from({ length: 40_000 }, (_, index) => `k${index}: 1\n`).join(''))).toContain(
      'odd.yaml: cannot be read (it has more than 262144 bytes)',
    )
    expect(await refusal('seed: 1\nseed: 2\n')).toContain('odd.yaml:2:1: Map keys must be unique')
    expect(await refusal('['.repeat(100_000))).toMatch(/odd\.yaml: nested too deep to be read/)
  },
)

it('a report never overwrites the journal', { timeout: 60_000 }, async () => {
  const { code, err } = await commandHere(root)([...run, '--journal', 'j.jsonl', '--reporter', 'json=j.jsonl'])
  expect([code, err]).toEqual([2, expect.stringContaining('--journal j.jsonl: a report would overwrite this file')])
})

it('the file is printed, and a dry run imports no module', { timeout: 60_000 }, async () => {
  const path = plant(root)
  const conformance = commandHere(root)
  const { code, out, err } = await conformance([...run, '--dry-run', '--quiet'])
  expect(err).toContain(`Configuration: ${path}\n`)
  expect(err).toContain('a dry run loads no module')
  expect(out).toMatch(/would run/)
  expect(code).toBe(0)
  expect(existsSync(join(root, 'ran'))).toBe(false)
  const without = await conformance([...run, '--dry-run', '--quiet', '--no-config'])
  expect([without.code, without.err]).toEqual([0, ''])
  await conformance(run)
  expect(existsSync(join(root, 'ran'))).toBe(true)
})
