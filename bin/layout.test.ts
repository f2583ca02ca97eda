// Checks the map of CONTRIBUTING, the import rules, the size of files and functions, and the paths in documents; each rule is also checked
// on a tree with a planted violation.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryFiles, importCircles, importViolations } from './testing/import-rules.js'
import { missingPaths, readDocuments, readPaths } from './testing/document-paths.js'
import { longFiles, longFunctions, maxFileLines, maxFunctionLines } from './testing/sizes.js'
import { fileOf, importsOf, readSources, root } from './testing/source-tree.js'

const sources = readSources()

/** The tree with a file added or replaced. */
const planted = (file: string, text: string) => new Map([...sources, [file, text]])

/** Longer than a file should be, each with its reason. */
const longFilesWithReason: Readonly<Record<string, string>> = {
  'proof/held-out/service.ts': 'a table: one row a mistake',
  'spec/open-points.ts': 'a table: one row an open point',
}

/** Folders that npm, the build or a tool writes. */
const outsideMap: ReadonlySet<string> = new Set(['node_modules', 'dist', 'reports', 'coverage'])

/** Longer than a function should be, each with its reason; three at most. */
const longFunctionsWithReason: Readonly<Record<string, string>> = {}

it('the map of CONTRIBUTING names every folder, once', () => {
  const map = /## Map[^]*?```\n([^]*?)```/.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? ''
  const named = [...map.matchAll(/(?<![\w/])([a-z]+)\/ /g)].map(([, folder]) => folder)
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !outsideMap.has(entry.name))
    .map(({ name }) => name)
  expect(named.toSorted()).toEqual(folders.toSorted())
})

describe('imports', () => {
  it('every file imports only what it may', () => {
    expect(sources.size).toBeGreaterThan(500)
    expect(importViolations(sources)).toEqual([])
  })

  it.each([
    ['a folder it may not know', 'suites/service/planted.ts', "import x from '../../bin/main.js'", 'bin/main.ts'],
    [
      'by import()',
      'harness/planted.ts',
      "const y = import('../suites/service/delivery/deliveries.js')",
      'suites/service/delivery/deliveries.ts',
    ],
    ['by a type', 'spec/planted.ts', "type Z = import('../harness/run.js').Run", 'harness/run.ts'],
    ['by an export', 'reference/server/planted.ts', "export * from '../../harness/run.js'", 'harness/run.ts'],
    ['from JavaScript', 'fixtures/planted.mjs', "import '../bin/main.js'", 'bin/main.ts'],
    ['by require', 'fixtures/planted.js', "const x = require('../bin/main.js')", 'bin/main.ts'],
    ['the harness past its entry', 'suites/planted.ts', "import '../harness/run.js'", 'harness/run.ts'],
    [
      'a reference past its entry',
      'bin/planted.ts',
      "import '../reference/server/mail.js'",
      'reference/server/mail.ts',
    ],
    [
      'the sender past its entry',
      'bin/planted.ts',
      "import '../reference/sender/policy.js'",
      'reference/sender/policy.ts',
    ],
    [
      'the sender and the server',
      'reference/sender/planted.ts',
      "import '../server/index.js'",
      'reference/server/index.ts',
    ],
    [
      'a suite past its entry',
      'bin/planted.ts',
      "import '../suites/service/webhooks/webhooks.js'",
      'suites/service/webhooks/webhooks.ts',
    ],
    ['the engine past its entry', 'bin/planted.ts', "import '../harness/run.js'", 'harness/run.ts'],
    ['a room past its entry', 'bin/planted.ts', "import '../harness/sink/sink.js'", 'harness/sink/sink.ts'],
    ['a type past its entry', 'bin/planted.ts', "import type { R } from '../harness/result.js'", 'harness/result.ts'],
    ['a package in the verifier', 'reference/verifier/planted.ts', "import 'undici'", 'the package undici'],
    ['a package in the client', 'reference/client/planted.ts', "import 'ws'", 'the package ws'],
    ['a package in a suite', 'suites/planted.ts', "import 'ws'", 'the package ws'],
    ['a package of a scope', 'bin/planted.ts', "import '@foreign/part/x'", 'the package @foreign/part/x'],
    ['a file that is not there', 'bin/planted.ts', "import './gone.js'", 'bin/gone.js, which is not there'],
  ])('finds %s', (_, file, text, imported) => {
    expect(importViolations(planted(file, text), [file])).toEqual([`${file} imports ${imported}`])
  })

  it('every entry is there, and is one of the package or used from outside', () => {
    const published = readFileSync(join(root, 'package.json'), 'utf8')
    const entered = [...sources].flatMap(([file, text]) =>
      importsOf(file, text)
        .filter(({ isPackage }) => !isPackage)
        .map(({ target }) => fileOf(target, sources))
        .filter((target) => target !== undefined && target.split('/')[0] !== file.split('/')[0]),
    )
    const isPublished = (entry: string) => published.includes(`/dist/${entry.replace(/ts$/, 'js')}`)
    expect(entryFiles.filter((entry) => !sources.has(entry))).toEqual([])
    expect(entryFiles.filter((entry) => !entered.includes(entry) && !isPublished(entry))).toEqual([])
  })

  it('no file imports itself through others', () => {
    expect(importCircles(sources)).toEqual([])
  })

  it('finds a cycle, and ignores imports of types', () => {
    const tree = (first: string) =>
      new Map([
        ['bin/one.ts', first],
        ['bin/two.ts', "export * from './three.js'"],
        ['bin/three.ts', "const x = await import('./one.js')"],
      ])
    expect(importCircles(tree("import { x } from './two.js'"))).toEqual([
      'bin/one.ts -> bin/two.ts -> bin/three.ts -> bin/one.ts',
    ])
    expect(importCircles(tree("import type { X } from './two.js'"))).toEqual([])
    expect(importCircles(tree("import { type X } from './two.js'"))).toEqual([])
  })
})

describe('sizes', () => {
  const functions = longFunctions(sources)

  it(`product code has at most ${maxFileLines} lines a file, or a reason`, () => {
    expect(longFiles(sources).filter((file) => longFilesWithReason[file] === undefined)).toEqual([])
  })

  it(`functions have at most ${maxFunctionLines} lines, or a reason`, () => {
    expect(functions.filter((name) => longFunctionsWithReason[name] === undefined)).toEqual([])
  })

  it('every exception for a long function has a reason, and there are at most three', () => {
    const files = longFiles(sources)
    expect(Object.keys(longFilesWithReason).filter((file) => !files.includes(file))).toEqual([])
    expect(Object.keys(longFunctionsWithReason).filter((name) => !functions.includes(name))).toEqual([])
    expect(Object.keys(longFunctionsWithReason).length).toBeLessThanOrEqual(3)
  })

  it('finds one line too many', () => {
    const lines = (count: number) => 'x()\n'.repeat(count)
    const file = (count: number) => new Map([['bin/planted.ts', lines(count)]])
    expect(longFiles(file(maxFileLines))).toEqual([])
    expect(longFiles(file(maxFileLines + 1))).toEqual(['bin/planted.ts'])
    const withFunction = (head: string, count: number) => new Map([['bin/planted.ts', `${head} {\n${lines(count)}}\n`]])
    for (const head of ['function long()', 'const long = () =>', 'const x = async function long()']) {
      expect(longFunctions(withFunction(head, maxFunctionLines - 2))).toEqual([])
      expect(longFunctions(withFunction(head, maxFunctionLines - 1))).toEqual(['bin/planted.ts long'])
    }
  })
})

describe('documents', () => {
  const paths = readPaths()

  it('every path they name is there', () => {
    const documents = [...readDocuments(paths)]
    expect(documents.length).toBeGreaterThan(15)
    expect(documents.filter(([, text]) => text.trim() === '').map(([document]) => document)).toEqual([])
    expect(documents.flatMap(([document, text]) => missingPaths(document, text, paths))).toEqual([])
  })

  it.each([
    ['a file', 'see `bin/gone.ts`', 'bin/gone.ts'],
    ['a folder', 'see `gone/`', 'gone/'],
    ['a name', 'see `gone.test.ts`', 'gone.test.ts'],
    ['a link', 'see [there](gone.md#part)', 'gone.md'],
    ['one of several', 'see `bin/{main,gone}.ts`', 'bin/{main,gone}.ts'],
    ['any of a pattern', 'see `gone-*.ts`', 'gone-*.ts'],
  ])('finds %s that is not there', (_, text, named) => {
    expect(missingPaths('bin/README.md', text, paths)).toEqual([`bin/README.md: ${named}`])
  })

  it('accepts existing paths, from the root, from the folder or by name, and words that are not paths', () => {
    const text =
      '`bin/main.ts` `main.ts` `commands/` `commands/{run,list}.ts` `*.test.ts` [x](../README.md) `service/webhooks` `npm test` `GET /v1/webhooks` <https://example.com/gone.ts>'
    expect(missingPaths('bin/README.md', text, paths)).toEqual([])
  })
})

it('the independent services import nothing of the repository', () => {
  const folder = join(root, 'proof/independent')
  const node = readdirSync(join(folder, 'node'))
  expect(node.length).toBeGreaterThan(0)
  const foreign = node.flatMap((file) =>
    importsOf(file, readFileSync(join(folder, 'node', file), 'utf8')).filter(
      ({ target, isPackage }) => !(isPackage ? /^(node:.+|ws)$/ : /^[a-z-]+\.js$/).test(target),
    ),
  )
  expect(foreign).toEqual([])
})

it.each(['python', 'client'])(
  'an independent program in Python (%s) imports its own files and the standard library',
  (name) => {
    const folder = join(root, 'proof/independent', name)
    const files = readdirSync(folder).filter((name) => name.endsWith('.py'))
    expect(files.length).toBeGreaterThan(0)
    const standard =
      'asyncio base64 binascii contextlib dataclasses datetime email hashlib heapq hmac ipaddress itertools json math os random re secrets ssl struct sys threading time urllib uuid'
    const known = new Set([...standard.split(' '), ...files.map((file) => file.replace(/\.py$/, ''))])
    const imported = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^(?:import|from) (\w+)/gm)].map((match) => match[1] ?? ''),
    )
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((module) => !known.has(module))).toEqual([])
  },
)
