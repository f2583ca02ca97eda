import { readdirSync, readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import { requirements, type RequirementId } from '../../spec/index.js'
import type { ReferenceKind, References } from '../patching/load.js'
import type { Patch } from '../patching/patch.js'
import { changeAt } from '../seams/index.js'
import type { Mutant } from './define.js'

/** `retries-without-id (SIG-002, RTY-001): the title`, without the kind that its folder or file names. */
const head = /^([a-z0-9-]+) \(([A-Z0-9, -]+)\): (.+)$/

/** The names that the policy entries of mutants use: `policy`, the reference's own, and the helpers of their kind. */
export type Names = Readonly<Record<string, unknown>>

/** One mutant as it is written. */
interface Block {
  readonly name: string
  readonly head: string
  /** The lines below the head, which begin with `@@`, `+` or `=`. */
  readonly lines: readonly string[]
}

/**
 * Reads the mutants of a kind that are written as text, in `<kind>.mutants` and `<kind>/*.mutants`: for each its head line, then what it
 * changes. `@@ <seam>` and the new code after `+ `, in which `$&` is the code of the seam, change a place; a seam that is a change needs no
 * code. `= <entry>: <value>` replaces an entry of the policy. A line with `#` is a comment.
 * Throws for a line of another form, and for a seam or a requirement that does not exist.
 */
export function mutantsOf<Kind extends ReferenceKind>(kind: Kind, names: Names = {}): readonly Mutant<Kind>[] {
  return blocksOf(kind).map((block) => readMutant(kind, block, names))
}

/** Reads the mutants of one text; `name` is what an error calls it. */
export function readMutants<Kind extends ReferenceKind>(
  kind: Kind,
  text: string,
  name: string,
  names: Names = {},
): Mutant<Kind>[] {
  return readBlocks(text, name).map((block) => readMutant(kind, block, names))
}

/** Returns the code of the policies of a kind, for a compiler to check. */
export function policyCodesOf(kind: ReferenceKind): readonly string[] {
  return blocksOf(kind)
    .filter(({ lines: [first] }) => first?.startsWith('=') === true)
    .map(({ lines }) => codeOf(lines))
}

function blocksOf(kind: ReferenceKind): readonly Block[] {
  const folder = new URL('./', import.meta.url)
  return readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.startsWith(kind) && name.endsWith('.mutants'))
    .sort()
    .flatMap((name) => readBlocks(readFileSync(new URL(name, folder), 'utf8'), name))
}

function readBlocks(text: string, name: string): readonly Block[] {
  const blocks = text.replaceAll(/^#.*\n/gm, '').split(/\n{2,}/)
  return blocks
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => {
      const [first = '', ...rest] = block.split(/\n(?=@@ |= )/)
      return { name, head: first, lines: rest.join('\n').split('\n') }
    })
}

function readMutant<Kind extends ReferenceKind>(kind: Kind, block: Block, names: Names): Mutant<Kind> {
  const { name, lines } = block
  const [, id, ids = '', title] = head.exec(block.head) ?? []
  const breaks = ids.split(', ').filter((word): word is RequirementId => word in requirements)
  const [one, ...others] = breaks
  if (title === undefined || one === undefined || breaks.length !== ids.split(', ').length)
    throw new Error(`${name}: expected "<id> (<requirements>): <title>", got ${block.head}`)
  const mutant = { id: `${kind}/${id}`, title, breaks: [one, ...others] } as const
  if (lines[0]?.startsWith('=') === true) return { ...mutant, policy: readPolicy<Kind>(lines, names, `${name}: ${id}`) }
  const hunks = ['', ...lines].join('\n').split('\n@@ ').slice(1)
  const [patch, ...patches] = hunks.map((hunk) => readHunk(hunk, `${name}: ${id}`))
  if (patch === undefined)
    throw new Error(`${name}: ${id} changes nothing: expected "@@ <seam>" or "= <entry>: <value>"`)
  return { ...mutant, patch: [patch, ...patches] }
}

function readPolicy<Kind extends ReferenceKind>(lines: readonly string[], names: Names, name: string) {
  const wrong = lines.find((line) => !line.startsWith('= '))
  if (wrong !== undefined) throw new Error(`${name}: expected "= <code>", got ${wrong}`)
  const code = `'use strict'; return {\n${codeOf(lines)}\n}`
  const read = compileFunction(code, Object.keys(names), { filename: name })
  return read(...Object.values(names)) as Partial<References[Kind]['policy']>
}

function codeOf(lines: readonly string[]): string {
  return lines.map((line) => line.slice(2)).join('\n')
}

function readHunk(hunk: string, name: string): Patch {
  const [seam = '', ...lines] = hunk.split('\n')
  const wrong = lines.find((line) => !/^\+(?: |$)/.test(line))
  if (wrong !== undefined) throw new Error(`${name}, ${seam}: expected "+ <code>", got ${wrong}`)
  return changeAt(seam, lines.length === 0 ? undefined : codeOf(lines))
}
