// `npm run lab -- libraries [--providers] [<folder>]`: installs the packages in a folder of their own, runs the verifier suite on each, and
// writes docs/libraries.md. Then the endpoints with the libraries of providers; with --providers these alone, the rest of the page stays.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Report } from '../../../harness/index.js'
import { packageFolder } from '../../../bin/cli/package.js'
import { librariesPage, type LibraryResult } from './page.js'
import { libraries, type Library } from './packages.js'
import { providersHeading, providersPart } from './providers.js'

const root = packageFolder()
const date = new Date().toISOString().slice(0, 10)
const args = process.argv.slice(2)
const isOfProviders = args.includes('--providers')
const [given] = args.filter((word) => word !== '--providers')
const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'libraries-')) : resolve(given)

/** Runs the suite on one; its exit code for failures is not an error here. */
function send(library: Library): LibraryResult {
  const file = join(folder, `${library.name.replace('/', '-')}.json`)
  const driver = ['--', process.execPath, join(root, 'proof/lab/libraries/driver.mjs'), library.name]
  const names = library.headerNames === undefined ? [] : ['--header-names', library.headerNames]
  const words = ['verifier', '--quiet', '--seed', '1', '--reporter', `json=${file}`, ...names, ...driver]
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/conformance.js'), ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0 && status !== 1) throw new Error(`${library.name}: exit code ${status}\n${stderr}`)
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  const { version, dependencies = {} } = manifestOf(library.name) ?? { version: 'unknown' }
  const verifiesBy =
    dependencies['standardwebhooks'] === undefined
      ? undefined
      : (manifestOf(`${library.name}/node_modules/standardwebhooks`) ?? manifestOf('standardwebhooks'))?.version
  const { passed, failed } = report.summary.cases
  process.stdout.write(`${library.name} ${version}: ${passed} passed, ${failed} failed\n`)
  return { library, version, report, ...(verifiesBy === undefined ? {} : { verifiesBy }) }
}

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function manifestOf(name: string): Manifest | undefined {
  const path = join(folder, 'node_modules', name, 'package.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : undefined
}

/** Installs the packages, and runs the suite on each. */
function packagesPart(): string {
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const names = libraries.map(({ name }) => `${name}@latest`)
  process.stdout.write(`installing ${names.length} packages in ${folder}\n`)
  // Nothing of theirs runs while they are installed, and what only their other parts need is left out.
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...names]
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return librariesPage(libraries.map(send), { date, node: process.versions.node.replace(/\..*/, '') })
}

mkdirSync(folder, { recursive: true })
const path = join(root, 'docs/libraries.md')
const [known = ''] = readFileSync(path, 'utf8').split(`\n${providersHeading}\n`)
const first = isOfProviders ? known.trimEnd() : packagesPart()
writeFileSync(path, `${first}\n\n${await providersPart(folder, { root, date })}\n`)
execFileSync('npx', ['prettier', '--write', path], { cwd: root, stdio: 'ignore' })
