// The import table of the README, enforced by TypeScript's own reading of import lines.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const folders = ['spec', 'fixtures', 'harness', 'suites', 'reference', 'bin'] as const
type Folder = (typeof folders)[number]

const mayImport: Readonly<Record<Folder, readonly string[]>> = {
  spec: [],
  fixtures: [],
  harness: ['spec'],
  suites: ['spec', 'fixtures', 'harness/authoring.ts'],
  reference: ['spec'],
  bin: folders,
}

/** Every file a source file imports, exports from, or loads by `import()`. */
function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(({ fileName }) => fileName)
}

function violations(folder: Folder, file: string): string[] {
  const isTest = file.endsWith('.test.ts') || file.includes('/testing/')
  return importsOf(join(root, file))
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, file, '..', name)).replace(/\.js$/, '.ts'))
    .filter((target) => {
      const isOwn = target.startsWith(`${folder}/`)
      const isAllowed = mayImport[folder].some((each) => target === each || target.startsWith(`${each}/`))
      return !isOwn && !isAllowed && !(isTest && target.startsWith('fixtures/'))
    })
    .map((target) => `${file} imports ${target}`)
}

it.each(folders)('%s imports only what it may', (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules/'))
    .map((name) => `${folder}/${name}`)
  expect(files.length).toBeGreaterThan(0)
  expect(files.flatMap((file) => violations(folder, file))).toEqual([])
})

it('finds a planted violation', () => {
  const planted = ts.preProcessFile("import x from '../bin/main.js'\nconst y = import('../bin/usage.js')\n", true, true)
  expect(planted.importedFiles.map(({ fileName }) => fileName)).toEqual(['../bin/main.js', '../bin/usage.js'])
})
