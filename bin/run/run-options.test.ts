import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { accessWords } from '../cli/access.js'
import { readSettings } from '../cli/settings.js'
import { emptySelectionLine, reproductionLine } from './run-options.js'

/** The line that a failure of this run ends with. */
function lineOf(flags: Readonly<Record<string, unknown>>): string {
  const settings = readSettings('run', flags)
  const again = ['conformance run', ...accessWords(settings)].join(' ')
  return reproductionLine({
    settings,
    catalogue: [],
    again,
    after: undefined,
    caseId: 'service/polling/pages',
    seed: 7,
  })
}

it('repeats the options that a case needs to do the same again', () => {
  const flags = { retryDepth: '3', runs: '9', timeout: '2500', concurrency: '2', maxRps: '20' }
  expect(lineOf(flags)).toBe(
    'conformance run --retry-depth 3 --runs 9 --timeout 2500 --concurrency 2 --max-rps 20 --case service/polling/pages --seed 7',
  )
})

it('begins as the user called the program: with npx', () => {
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  vi.stubEnv('npm_lifecycle_event', 'npx')
  vi.stubEnv('npm_lifecycle_script', "'conformance'")
  expect(lineOf({})).toMatch(/^npx conformance run /)
  vi.stubEnv('npm_lifecycle_script', "'vitest'")
  expect(lineOf({})).toMatch(/^conformance run /)
})

it('omits the options that the file has, its headers too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'again-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'kit.yaml')
  writeFileSync(config, 'max_rps: 20\nconcurrency: 2\ninsecure: true\nheader:\n  - "x-tenant: blue"\n')
  expect(lineOf({ config })).toBe(`conformance run --config ${config} --case service/polling/pages --seed 7`)
  expect(lineOf({ config, header: ['x-tenant: red'] })).toContain('--header "x-tenant: $X_TENANT"')
})

it('a selection without a case names its options and the remedy', () => {
  const flags = { suite: ['service/retries'], exclude: ['service/*'] }
  expect(emptySelectionLine(readSettings('run', { ...flags, noConfig: true }))).toBe(
    "Nothing to run: --suite service/retries --exclude 'service/*' leave no case; remove or widen one of them (conformance list shows every id)",
  )
  expect(emptySelectionLine(readSettings('run', { shard: '9/9', noConfig: true }))).toMatch(
    /^Nothing to run: --shard 9\/9 leaves no case; remove or widen it /,
  )
})
