// The official packages, with drivers that call them as their READMEs show: conformant, and their differences are advice.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Report } from '../../harness/index.js'
import type { RequirementId } from '../../spec/index.js'

const root = join(import.meta.dirname, '../..')

const advice: Readonly<Record<string, readonly RequirementId[]>> = {
  standardwebhooks: ['VFY-021', 'VFY-023', 'VFY-024'],
  svix: ['VFY-015', 'VFY-021', 'VFY-023', 'VFY-024', 'VFY-025'],
}

it.each(
  Object.keys(advice).flatMap((name) => [
    { name, driver: [join(root, `fixtures/drivers/${name}.mjs`)] },
    { name, driver: [join(root, 'proof/lab/libraries/driver.mjs'), name] },
  ]),
)('the npm package $name conforms, with advice: $driver', { timeout: 240_000 }, ({ name, driver }) => {
  const args = ['verifier', '--quiet', '--reporter', 'json', '--', process.execPath, ...driver]
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'bin/conformance.js'), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const report = JSON.parse(stdout) as Report
  const violated = report.requirements.filter((requirement) => requirement.status === 'violated')
  expect({ status, verdict: report.verdict, advice: violated.map(({ id }) => id) }).toEqual({
    status: 0,
    verdict: 'conformant',
    advice: advice[name],
  })
})
