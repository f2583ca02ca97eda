// Checks the sources of the installed packages in the lockfile.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Lockfile {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, Locked>>
}

const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<
  Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
>

/** Returns the faults of a lockfile, one line each. */
function problemsOf({ packages }: Pick<Lockfile, 'packages'>): string[] {
  return Object.entries(packages).flatMap(([path, locked]) => [
    ...(path !== '' && !path.includes('node_modules/') ? [`${path}: lies outside node_modules`] : []),
    ...(locked.link === true ? [`${path}: is a link`] : []),
    ...(locked.resolved === undefined ? [] : [`${path}: records where it was downloaded from`]),
    ...(path === '' || /^sha512-/.test(locked.integrity ?? '') ? [] : [`${path}: has no sha512 checksum`]),
    ...Object.entries({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter(([, range]) => /^(git|https?|file|link|github:)|\//.test(range.replace(/^npm:@?[^@]+@/, '')))
      .map(([name, range]) => `${path}: depends on ${name} at ${range}`),
  ])
}

it('every package is locked by a checksum, from the registry, and no place is recorded', () => {
  expect(lockfile.lockfileVersion).toBe(3)
  expect(Object.keys(lockfile.packages).length).toBeGreaterThan(100)
  expect(problemsOf(lockfile)).toEqual([])
})

it('the manifest requires only locked packages, by version alone', () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(ranges.filter(([, range]) => !/^[\^~]?\d+(\.\d+)*$/.test(range))).toEqual([])
  for (const [name] of ranges) expect(lockfile.packages[`node_modules/${name}`], name).toBeDefined()
})

it('nothing that a user installs runs a script', () => {
  const scripts = Object.entries(lockfile.packages).filter(
    ([path, locked]) => path !== '' && locked.hasInstallScript === true,
  )
  expect(scripts.filter(([, locked]) => locked.dev !== true).map(([path]) => path)).toEqual([])
})

it('finds a planted problem', () => {
  const planted = {
    'node_modules/a': { resolved: 'https://example.test/a.tgz', integrity: 'sha1-AAAA' },
    'node_modules/b': { integrity: 'sha512-AAAA', dependencies: { c: 'git+ssh://git@example.test/c.git', d: 'x/y' } },
    'packages/e': { link: true, integrity: 'sha512-AAAA' },
  }
  expect(problemsOf({ packages: planted })).toHaveLength(6)
})
