import { readFileSync } from 'node:fs'
import type { Patch } from '../patching/patch.js'

/** A place of a reference that mutants and variants change. */
export interface Seam {
  /** The file below `reference/`, as it is written: `server/mail.ts`. */
  readonly file: string
  /** The code of this place, once in its file. Blanks, comments, quotes, semicolons and trailing commas do not matter. */
  readonly code: string
  /** The code that takes its place, if the seam is a change that several mutants share. */
  readonly change?: string
}

const references = ['server', 'client', 'receiver', 'sender', 'verifier'] as const

/** Every seam by its name, `mail/accept-all`: the file without its folder and ending, and what happens at this place. */
export const seams: ReadonlyMap<string, Seam> = readSeams()

/**
 * Returns the change of a seam. `$&` in `replace` is the seam's own code; without `replace` it is the change that the seam names.
 * Throws if there is no such seam, or none with a change.
 */
export function changeAt(name: string, replace?: string): Patch {
  const seam = seams.get(name)
  const code = replace ?? seam?.change
  if (seam === undefined || code === undefined) throw new Error(`no seam ${name} in proof/seams, or none with a change`)
  return { file: seam.file, find: seam.code, replace: code.replaceAll('$&', () => seam.code) }
}

/**
 * Reads the files of this folder: `@ file`, then for each of its seams the name, the code, indented by two, and after
 * `+ ` the change that it names, if it is one.
 */
function readSeams(): ReadonlyMap<string, Seam> {
  const all = new Map<string, Seam>()
  for (const reference of references) {
    const text = readFileSync(new URL(`${reference}.seams`, import.meta.url), 'utf8')
    for (const section of text.split(/^@ /m).slice(1)) {
      const [file = '', ...blocks] = section.trimEnd().split(/\n\n(?=\S)/)
      for (const block of blocks) {
        const [name = '', ...lines] = block.split('\n')
        const code = textOf(lines.filter((line) => !line.startsWith('+')))
        const changed = lines.filter((line) => line.startsWith('+'))
        if (code === '' || all.has(name)) throw new Error(`${reference}.seams: ${name}: twice, or without code`)
        all.set(name, { file, code, ...(changed.length > 0 ? { change: textOf(changed) } : {}) })
      }
    }
  }
  return all
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => line.slice(2)).join('\n')
}
