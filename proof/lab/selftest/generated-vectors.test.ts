// What the curated vectors find, a thousand generated ones of any seed find too. Mutants are patches of the built reference, so
// that the question is put by a program of its own.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const built = (path: string) => JSON.stringify(new URL(`../../../dist/${path}`, import.meta.url).href)

const program = `
import { generateVectors } from ${built('harness/vectors/generate.js')}
import { loadSignatureVectors } from ${built('fixtures/index.js')}
import { verifierMutants } from ${built('proof/mutants/index.js')}
import { withMutant } from ${built('bin/reference/deviations.js')}
import { verifierHandler } from ${built('proof/lab/selftest/verifier-driver.js')}

const curated = loadSignatureVectors().groups.flatMap(({ secret, tests }) => tests.map((test) => ({ ...test, secret })))
const generated = [1, 42, 0xffffffff].map((seed) => [...generateVectors({ count: 1_000, seed })])

async function isFailed(mutant, vectors) {
  const handler = verifierHandler((await withMutant('verifier', mutant)).entry)
  for (const { secret, headers, payload_base64, now, result } of vectors) {
    if (result === 'acceptable') continue
    const { ok } = await handler({ op: 'verify', secret, headers, payload_base64, now }).catch(() => ({}))
    if (ok !== (result === 'valid')) return true
  }
  return false
}

const failed = []
const missed = []
for (const mutant of verifierMutants) {
  if (!(await isFailed(mutant, curated))) continue
  failed.push(mutant.id)
  for (const vectors of generated) if (!(await isFailed(mutant, vectors))) missed.push(mutant.id)
}
console.log(JSON.stringify({ failed, missed }))
`

it('a thousand generated vectors fail every mutant of the verifier that the curated ones fail', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const { failed, missed } = JSON.parse(stdout) as { failed: string[]; missed: string[] }
  expect(failed.length).toBeGreaterThan(40)
  expect(missed).toEqual([])
}, 240_000)
