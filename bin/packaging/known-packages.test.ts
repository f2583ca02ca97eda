import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const drivers = join(root, 'fixtures/drivers')

it.each(['standardwebhooks', 'svix'])(
  'the verifier of the npm package %s has exactly its known failures',
  { timeout: 180_000 },
  (name) => {
    const known = join(drivers, `${name}.known-failures.yaml`)
    const driver = [process.execPath, join(drivers, `${name}.mjs`)]
    const args = ['verifier', '--quiet', '--known-failures', known, '--', ...driver]
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/conformance.js'), ...args], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout).toContain('partial')
    expect(status).toBe(0)
  },
)
