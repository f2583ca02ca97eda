// Four targets of `npm run lab -- attack`, one of each kind, whose answers are composed at random.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageFolder } from '../../../bin/cli/package.js'
import { composeAnswer, Composer } from './random-values.js'
import { kindOf, runRandom } from './random-targets.js'

test.each([8, 5, 6, 7])('the program holds on the target of seed %i', { timeout: 300_000 }, async (seed) => {
  const { problem, code } = await runRandom(seed, 500)
  expect(problem, `${kindOf(seed)}, exit ${code}`).toBeUndefined()
})

test('the built campaign starts', async () => {
  const lab = join(packageFolder(), 'dist/proof/lab/main.js')
  const { stdout } = await promisify(execFile)(process.execPath, [lab, 'attack', '--help'])
  expect(stdout).toContain('--random <n>')
})

test('a seed gives the same answers again, and another seed others', () => {
  const compose = (seed: number) => JSON.stringify(composeAnswer(new Composer(seed)))
  expect(compose(1)).toBe(compose(1))
  expect(compose(1)).not.toBe(compose(2))
})

test('the answers of each of the 200 seeds can be composed', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const composer = new Composer(seed)
    for (let count = 0; count < 20; count++) composeAnswer(composer)
  }
})
