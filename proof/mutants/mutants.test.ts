import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { requirements } from '../../spec/index.js'
import { mutants } from './index.js'
import { patched, placesOf } from '../patching/patch.js'
import { clientVariants } from '../variants/client.js'
import { receiverVariants } from '../variants/receiver.js'
import { senderVariants } from '../variants/sender.js'
import { serverVariants } from '../variants/server.js'

const reference = join(import.meta.dirname, '../../reference')

/** Many mutants patch one file: it is compiled once. */
const builtFiles = new Map<string, string>()

/** Returns a file of the reference as the build compiles it, which is what a patch is applied to. */
function compileFile(file: string): string {
  const source = readFileSync(join(reference, file), 'utf8')
  const built = builtFiles.get(file) ?? transformSync(source, { loader: 'ts', format: 'esm', target: 'es2023' }).code
  builtFiles.set(file, built)
  return built
}

describe('mutants', () => {
  it('have a title, and break requirements that exist', () => {
    const broken = mutants.filter(
      ({ title, breaks }) => title.trim() === '' || breaks.length === 0 || breaks.some((id) => !(id in requirements)),
    )
    expect(broken.map(({ id }) => id)).toEqual([])
  })

  it('have ids of their own, in kebab case', () => {
    const ids = mutants.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(ids.filter((id) => !/^(server|receiver|verifier|client|sender)\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual(
      [],
    )
  })

  it('deviate in exactly one way', () => {
    const ways = mutants.map(({ id, policy, wrap, patch }) => ({
      id,
      count: [policy, wrap, patch].filter((part) => part !== undefined).length,
    }))
    expect(ways.filter(({ count }) => count !== 1)).toEqual([])
  })
})

/** Variants are patched as mutants are. */
const patchedMutants = [...mutants, ...serverVariants].flatMap(({ id, patch }) =>
  patch === undefined ? [] : [[id, patch] as const],
)

describe('patches', () => {
  it.each(patchedMutants)('%s: every find occurs once in its file, and the result is JavaScript', (_, patches) => {
    for (const file of new Set(patches.map((patch) => patch.file))) {
      const built = compileFile(file)
      const own = patches.filter((patch) => patch.file === file)
      const result = patched(built, own)
      expect(() => transformSync(result, { loader: 'js' }), file).not.toThrow()
      expect(result, file).not.toBe(built)
    }
  })
})

it('no patch keeps anything where another copy would see it', () => {
  const all = [...mutants, ...serverVariants, ...clientVariants, ...receiverVariants, ...senderVariants]
  const shared = all.filter(({ patch = [] }) => patch.some(({ replace }) => /\bglobal(This)?\b/.test(replace)))
  expect(shared.map(({ id }) => id)).toEqual([])
})

describe('a find', () => {
  const source = "const a = f('x', [1_000,],) // why\nif (a) { return `${a}.` }\n"

  it.each([
    ['f("x", [1000])', 1],
    ['const a=f( "x" ,[ 1e3 ] );', 1],
    ['if (a) { return `${a}.`; }', 1],
    ['a', 3],
    ['b', 0],
    ['return undefined', 0],
    ["f('y')", 0],
    ['', 0],
  ])('%j occurs in it %i times', (find, count) => {
    expect(placesOf(find, source)).toHaveLength(count)
  })

  it('of undefined is found where a compiler wrote void 0', () => {
    expect(placesOf('return undefined', 'return void 0;')).toEqual([{ start: 0, end: 13 }])
  })

  it('is replaced where it occurs, and nothing else', () => {
    const patch = { file: 'x.ts', find: 'if (a)', replace: 'if (!a)' }
    expect(patched(source, [patch])).toBe(source.replace('if (a)', 'if (!a)'))
  })

  it.each(['a', 'b'])('%s, which does not occur there exactly once, is an error', (find) => {
    expect(() => patched(source, [{ file: 'x.ts', find, replace: 'c' }])).toThrow(/found [03] times in x\.ts/)
  })
})
