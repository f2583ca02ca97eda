import { readdirSync, readFileSync } from 'node:fs'
import { requirements, type RequirementId } from '../../spec/index.js'
import type { ReferenceKind } from '../patching/load.js'
import type { Patch } from '../patching/patch.js'
import { changeAt } from '../seams/index.js'
import type { Mutant } from './define.js'

/** `retries-without-id (SIG-002, RTY-001): the title`, without the kind that its folder or file names. */
const head = /^([a-z0-9-]+) \(([A-Z0-9, -]+)\): (.+)$/

/**
 * Reads the mutants of a kind that are written as text, in `<kind>.mutants` and `<kind>/*.mutants`: for each its head line, then for each
 * place that it changes `@@ <seam>` and the new code after `+ `, in which `$&` is the code of the seam; a seam that is a change needs none. A line with `#` is a comment.
 * Throws for a line of another form, and for a seam or a requirement that does not exist.
 */
export function mutantsOf<Kind extends ReferenceKind>(kind: Kind): readonly Mutant<Kind>[] {
  const folder = new URL('./', import.meta.url)
  return readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.startsWith(kind) && name.endsWith('.mutants'))
    .sort()
    .flatMap((name) => readMutants(kind, readFileSync(new URL(name, folder), 'utf8'), name))
}

/** Reads the mutants of one text; `name` is what an error calls it. */
export function readMutants<Kind extends ReferenceKind>(kind: Kind, text: string, name: string): Mutant<Kind>[] {
  const blocks = text
    .replaceAll(/^#.*\n/gm, '')
    .split(/\n{2,}/)
    .map((block) => block.trim())
  return blocks.filter((block) => block !== '').map((block) => readMutant(kind, block, name))
}

function readMutant<Kind extends ReferenceKind>(kind: Kind, block: string, name: string): Mutant<Kind> {
  const [first = '', ...hunks] = block.split(/\n@@ /)
  const [, id, ids = '', title] = head.exec(first) ?? []
  const breaks = ids.split(', ').filter((word): word is RequirementId => word in requirements)
  const [one, ...others] = breaks
  if (title === undefined || one === undefined || breaks.length !== ids.split(', ').length)
    throw new Error(`${name}: expected "<id> (<requirements>): <title>", got ${first}`)
  const [patch, ...patches] = hunks.map((hunk) => readHunk(hunk, `${name}: ${id}`))
  if (patch === undefined) throw new Error(`${name}: ${id} changes nothing: expected "@@ <seam>"`)
  return { id: `${kind}/${id}`, title, breaks: [one, ...others], patch: [patch, ...patches] }
}

function readHunk(hunk: string, name: string): Patch {
  const [seam = '', ...lines] = hunk.split('\n')
  const wrong = lines.find((line) => !/^\+(?: |$)/.test(line))
  if (wrong !== undefined) throw new Error(`${name}, ${seam}: expected "+ <code>", got ${wrong}`)
  return changeAt(seam, lines.length === 0 ? undefined : lines.map((line) => line.slice(2)).join('\n'))
}
