// The retry of vitest.config.ts, and its report: a real vitest on tests that fail once, always, or never.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { executed } from './command.js'
import { root } from './source-tree.js'

const folder = mkdtempSync(join(tmpdir(), 'flaky-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

writeFileSync(
  join(folder, 'once.test.ts'),
  `let asked = 0
it('fails at the first asking', () => {
  if (++asked === 1) throw new Error('the first answer was late')
})
it('passes', () => {})
`,
)
writeFileSync(join(folder, 'always.test.ts'), `it('fails each time', () => { throw new Error('always so') })\n`)

/** The output of vitest on one of the files, by the configuration of this repository, and its exit code. */
async function tested(file: string, ci: string) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', file, '--globals', '--config', join(root, 'vitest.config.ts'), '--root', folder]
  const { code, out, err } = await executed(process.execPath, args, {
    cwd: root,
    // Variables of vitest for its own processes must not reach another; an empty CI counts as set.
    env: { CI: ci, GITHUB_ACTIONS: '', VITEST: '', VITEST_POOL_ID: '', VITEST_WORKER_ID: '' },
  })
  return {
    code,
    flaky: out.split('\n').filter((line, at, all) => /^FLAKY /.test(line) || /^FLAKY /.test(all[at - 1] ?? '')),
    text: out + err,
  }
}

it('names a test that passed at the second asking alone, with why the first failed', async () => {
  const { code, flaky, text } = await tested('once', '1')
  expect(code, text).toBe(0)
  expect(flaky).toEqual([
    expect.stringMatching(/^FLAKY .*once\.test\.ts > fails at the first asking$/),
    '  the first answer was late',
  ])
})

it('names no test that fails each time', async () => {
  const { code, flaky, text } = await tested('always', '1')
  expect([code, flaky], text).toEqual([1, []])
})
