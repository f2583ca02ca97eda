// The entries of the package and their pages: none without an example.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../testing/source-tree.js'

const text = (path: string) => readFileSync(join(root, path), 'utf8')
const { exports } = JSON.parse(text('package.json')) as { exports: Record<string, string | { default: string }> }
const entries = Object.entries(exports).flatMap(([name, target]) =>
  typeof target === 'string'
    ? []
    : [{ name, source: target.default.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts') }],
)

describe.each(entries)('$name', ({ name, source }) => {
  const [module = ''] = /^\/\*\*.*?\*\//s.exec(text(source)) ?? []

  it('begins with what it is for, and an example that imports it', () => {
    expect(module).toMatch(/@module/)
    expect(module).toMatch(new RegExp(`@example\\n[^]* from '${name.replace(/^\./, 'webhook-conformance')}'`))
  })
})

it('every entry has a page (npm run docs)', () => {
  const { entryPoints } = JSON.parse(text('typedoc.json')) as { entryPoints: string[] }
  expect(entryPoints).toEqual(expect.arrayContaining(entries.map(({ source }) => source)))
})
