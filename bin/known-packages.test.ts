import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Where the packages are looked for: they are no dependency of the kit. */
const folder = process.env['KNOWN_PACKAGES'] ?? root
const drivers = join(root, 'fixtures/drivers')

function isInstalled(name: string): boolean {
  try {
    createRequire(pathToFileURL(join(folder, 'x.mjs'))).resolve(name)
    return true
  } catch {
    return false
  }
}

describe.each(['standardwebhooks', 'svix'])('the npm package %s', (name) => {
  it.skipIf(!isInstalled(name))(
    'has exactly its known failures (skipped unless it is installed: npm install it in a folder, and name that folder in KNOWN_PACKAGES)',
    () => {
      const known = join(drivers, `${name}.known-failures.yaml`)
      const args = [
        'verifier',
        '--quiet',
        '--known-failures',
        known,
        '--',
        process.execPath,
        join(drivers, `${name}.mjs`),
      ]
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/conformance.js'), ...args], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      expect(stdout).toContain('partial')
      expect(status).toBe(0)
    },
    60_000,
  )
})
