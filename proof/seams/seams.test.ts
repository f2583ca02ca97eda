import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'
import { placesOf } from '../patching/patch.js'
import { seams } from './index.js'

const root = join(import.meta.dirname, '../..')
const texts = new Map<string, string>()

function built(file: string): string {
  const known = texts.get(file)
  if (known !== undefined) return known
  const source = readFileSync(join(root, 'reference', file), 'utf8')
  const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'es2023' })
  texts.set(file, code)
  return code
}

function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

it('every seam occurs once in its file', () => {
  const counts = [...seams].map(([name, { file, code }]) => [name, placesOf(code, built(file)).length] as const)
  expect(counts.length).toBeGreaterThan(100)
  expect(counts.filter(([, count]) => count !== 1)).toEqual([])
})

it('every seam is used', () => {
  const folders = ['mutants', 'variants', 'held-out'].map((folder) => join(root, 'proof', folder))
  const written = folders.map(allText).join('\n')
  const unused = [...seams.keys()].filter((name) => !written.includes(`@@ ${name}\n`) && !written.includes(`'${name}'`))
  expect(unused).toEqual([])
})
