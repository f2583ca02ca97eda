// The import rules: which folder may import which, through which entry, and which packages.
import { posix } from 'node:path'
import { fileOf, importsOf, isOfTests, type SourceTree } from './source-tree.js'

interface Rule {
  /** Folders and files of the repository, besides its own. */
  readonly files: readonly string[]
  /** Product code only: what tests import, the check of unused packages sees. */
  readonly packages: readonly string[]
}

const all = ['spec', 'fixtures', 'examples', 'pages', 'harness', 'suites', 'reference', 'proof', 'bin']

/** The longest prefix of a file's path holds for it. */
const rules: Readonly<Record<string, Rule>> = {
  spec: { files: [], packages: ['@asyncapi/parser', 'ajv', 'openapi-typescript', 'yaml'] },
  fixtures: { files: [], packages: [] },
  // The drivers are written as a user would write them, with the package as it is installed.
  'fixtures/drivers': { files: [], packages: ['webhook-conformance'] },
  // Examples are copied: they import nothing of ours.
  examples: { files: [], packages: ['webhook-conformance'] },
  // What a page shows is typed as the engine types it.
  pages: {
    files: ['spec', 'fixtures/index.ts', 'harness/result.ts', 'harness/diagnose/index.ts'],
    packages: ['esbuild'],
  },
  // The worker of the `diagnose` page, and the packages that replace Node there.
  'pages/worker': {
    files: ['pages/data.ts', 'fixtures/schemes', 'harness/diagnose/index.ts', 'harness/schemes/scheme.ts'],
    packages: ['@noble/ed25519', '@noble/hashes', 'buffer', 'fflate'],
  },
  'pages/browser': {
    files: [
      'spec',
      'fixtures/index.ts',
      'pages/data.ts',
      'harness/result.ts',
      'harness/diagnose/index.ts',
      'harness/causes/reading-order.ts',
      'harness/breaks-requirement.ts',
      'harness/counted.ts',
      'harness/reporters/exchange-of-check.ts',
      'harness/reporters/exchanges-shown.ts',
      'harness/reporters/summary-text.ts',
      'harness/reporters/text.ts',
      'harness/reporters/curl.ts',
    ],
    packages: ['preact'],
  },
  'pages/testing': { files: all, packages: ['axe-core', 'playwright-core'] },
  harness: {
    files: ['spec', 'fixtures/index.ts', 'pages/index.ts', 'pages/data.ts'],
    packages: [
      '@peculiar/x509',
      'ajv',
      'ajv-formats',
      'dns-packet',
      'fast-check',
      'https-proxy-agent',
      'p-limit',
      'picocolors',
      'picomatch',
      'selfsigned',
      'undici',
      'ws',
      'yaml',
    ],
  },
  suites: { files: ['spec', 'fixtures', 'harness/authoring.ts'], packages: ['fast-check'] },
  reference: { files: ['spec'], packages: ['webhook-conformance'] },
  'reference/verifier': { files: [], packages: [] },
  'reference/client': { files: ['spec', 'reference/verifier'], packages: [] },
  'reference/receiver': { files: ['spec', 'reference/verifier'], packages: [] },
  'reference/sender': { files: ['spec'], packages: [] },
  'reference/server': {
    files: ['spec', 'pages/index.ts', 'pages/data.ts'],
    packages: ['@hono/node-server', 'hono', 'libsql', 'undici', 'ws'],
  },
  proof: { files: ['spec', 'reference'], packages: [] },
  'proof/lab': { files: all, packages: ['@hono/node-server', 'hono', 'p-limit', 'picomatch', 'undici', 'ws', 'yaml'] },
  'proof/independent/node': { files: [], packages: ['ws'] },
  'proof/patching': { files: ['spec', 'reference'], packages: ['js-tokens'] },
  bin: {
    files: all,
    packages: ['@hono/node-server', 'commander', 'hono', 'p-limit', 'picomatch', 'undici', 'ws', 'yaml'],
  },
  'bin/library': { files: all, packages: ['vitest'] },
  'bin/packaging': { files: all, packages: ['esbuild'] },
  'bin/words': { files: all, packages: ['js-tokens'] },
  'proof/lab/bench/peers': {
    files: [],
    packages: ['standardwebhooks', 'svix', 'undici', 'vitest', 'webhook-conformance'],
  },
}

interface Unit {
  readonly unit: string
  /** Files of the unit. */
  readonly entries: readonly string[]
  /** Folders and files that may import past the entries. */
  readonly insiders: readonly string[]
}

/** Entries of the references besides `index.ts`. */
const furtherEntries: Readonly<Record<string, readonly string[]>> = {
  verifier: ['subtle.ts'],
  server: ['stream-upgrades.ts'],
}

/** Units with entries: code outside the unit, and not named here, imports only these. */
const units: readonly Unit[] = [
  ...['client', 'receiver', 'sender', 'server', 'verifier'].map((name) => ({
    unit: `reference/${name}`,
    entries: ['index.ts', ...(furtherEntries[name] ?? [])],
    insiders: ['proof/mutants', 'proof/seams', 'proof/variants', 'proof/patching'],
  })),
  {
    unit: 'suites',
    entries: [
      ...['client', 'receiver', 'sender', 'service', 'traffic', 'verifier'].map((kind) => `${kind}/index.ts`),
      // Vectors of any scheme are made of the same catalogue.
      'shared/forgeries/index.ts',
    ],
    insiders: [],
  },
  {
    unit: 'harness',
    // Several, since a command loads no more than it uses: the README of the harness describes each.
    entries: [
      'authoring.ts',
      'index.ts',
      'service-calls.ts',
      'webhook-sink.ts',
      'loopback.ts',
      'own-cases.ts',
      'planning.ts',
      'parsing.ts',
      'safe-text.ts',
      'signing.ts',
      ...['client', 'receiver', 'sender', 'service', 'verifier', 'driver'].map((room) => `${room}/index.ts`),
      ...['diagnose', 'observe', 'reporters', 'schemes', 'vectors'].map((room) => `${room}/index.ts`),
    ],
    // Pages have a row of their own above; the probes time single parts, and the campaign sets what means harm upon the kit.
    insiders: ['pages', 'proof/lab/bench/probes', 'proof/lab/attack'],
  },
]

const isIn = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`)

function longestPrefix(file: string): string | undefined {
  return Object.keys(rules)
    .filter((prefix) => isIn(file, prefix))
    .sort((one, other) => other.length - one.length)[0]
}

/** The files by which units are entered. */
export const entryFiles = units.flatMap(({ unit, entries }) => entries.map((entry) => `${unit}/${entry}`))

/** Every import that the table does not allow, one line each; an import of a file that is not there is one too. */
export function importViolations(tree: SourceTree, files: Iterable<string> = tree.keys()): readonly string[] {
  return [...files].flatMap((file) => {
    const prefix = longestPrefix(file)
    const rule = prefix === undefined ? undefined : rules[prefix]
    if (prefix === undefined || rule === undefined) return [`${file} is in no folder of the table`]
    return importsOf(file, tree.get(file) ?? '').flatMap(({ target, isPackage }) => {
      if (isPackage) return isPackageAllowed(file, target, rule) ? [] : [`${file} imports the package ${target}`]
      const found = fileOf(target, tree)
      if (found === undefined) return isBuiltOrData(target) ? [] : [`${file} imports ${target}, which is not there`]
      return isFileAllowed(file, found, prefix, rule) && isThroughEntry(file, found) ? [] : [`${file} imports ${found}`]
    })
  })
}

/** Finds files that import each other, as the paths of the circles; type imports do not count. */
export function importCircles(tree: SourceTree): readonly string[] {
  const targets = new Map(
    [...tree].map(([file, text]) => [
      file,
      importsOf(file, text)
        .filter((imported) => !imported.isPackage && !imported.isTypeOnly)
        .map((imported) => fileOf(imported.target, tree))
        .filter((file) => file !== undefined),
    ]),
  )
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push([...path.slice(start), file].join(' -> '))
    if (start >= 0 || done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return circles
}

function isPackageAllowed(file: string, name: string, rule: Rule): boolean {
  if (name.startsWith('node:')) return true
  const parts = name.split('/')
  const packageName = name.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? name)
  return isOfTests(file) || rule.packages.includes(packageName)
}

function isFileAllowed(file: string, target: string, prefix: string, rule: Rule): boolean {
  if (isIn(target, prefix) || rule.files.some((allowed) => isIn(target, allowed))) return true
  const top = posix.normalize(file).split('/')[0] ?? ''
  // A test may use what its folder tests with, and data.
  return isOfTests(file) && (isIn(target, 'fixtures') || isIn(target, top))
}

function isThroughEntry(file: string, target: string): boolean {
  const entered = units.find(({ unit }) => isIn(target, unit))
  if (entered === undefined || isIn(file, entered.unit) || isOfTests(file)) return true
  if (entered.insiders.some((insider) => isIn(file, insider))) return true
  return entered.entries.some((entry) => target === `${entered.unit}/${entry}`)
}

/** What the build makes, and data: neither is a source file. */
function isBuiltOrData(target: string): boolean {
  return target.endsWith('.json') || target.startsWith('dist/')
}
