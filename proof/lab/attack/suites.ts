// The tests that are attacks of another sort: kills, resources taken away, endless files, parsers under random input.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFolder } from '../../../bin/cli/package.js'

export interface SuiteEnd {
  readonly title: string
  readonly tests: number
  readonly failed: number
  readonly seconds: number
}

interface Suite {
  readonly title: string
  readonly files: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** With so many kills, and so many inputs for each parser. */
export function suitesOf({ kills, inputs }: { readonly kills: number; readonly inputs: number }): readonly Suite[] {
  return [
    {
      title: `${kills} signals of four kinds at random moments, each with its cleanup`,
      files: ['bin/blackbox/kills'],
      env: { KILLS: String(kills) },
    },
    { title: 'every resource taken away from every command', files: ['bin/blackbox/resources'], env: {} },
    { title: 'endless files and lines, malformed state files', files: ['bin/blackbox/bounded-files'], env: {} },
    {
      title: `every parser of files and of outside input, ${inputs} random inputs each`,
      files: ['bin/blackbox/parsers', 'harness/outside-input'],
      env: { FUZZ_INPUTS: String(inputs) },
    },
    {
      title: 'forty secrets in twenty places, and everything that is written',
      files: ['bin/blackbox/planted-secrets', 'bin/blackbox/secrets', 'harness/credentials'],
      env: {},
    },
    { title: 'interrupts, kills and resumed runs', files: ['bin/blackbox/interrupt', 'bin/blackbox/state'], env: {} },
  ]
}

/** Longest time of one test, in milliseconds: ten thousand inputs take a quarter of an hour on a busy machine. */
const testMs = 1_800_000

/** Runs the tests of one suite; unfinished ones count as failed. */
export async function runTests({ title, files, env }: Suite): Promise<SuiteEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'))
  const report = join(folder, 'report.json')
  const started = performance.now()
  const paths = files.map((file) => `${file}.test.ts`)
  const options = ['--reporter=json', `--outputFile=${report}`, `--testTimeout=${testMs}`]
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...options, ...paths]
  await new Promise<void>((done) => {
    const place = { cwd: packageFolder(), env: { ...process.env, ...env }, stdio: 'ignore' } as const
    spawn(process.execPath, args, place).once('close', () => done())
  })
  const { numTotalTests, numPassedTests } = read(report)
  rmSync(folder, { recursive: true, force: true })
  const seconds = Math.round((performance.now() - started) / 1_000)
  return { title, tests: numTotalTests, failed: numTotalTests - numPassedTests, seconds }
}

function read(path: string): { readonly numTotalTests: number; readonly numPassedTests: number } {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { numTotalTests: number; numPassedTests: number }
  } catch {
    return { numTotalTests: 1, numPassedTests: 0 }
  }
}
