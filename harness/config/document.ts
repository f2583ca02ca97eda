import type { Document } from 'yaml'
import { yaml } from './packages.js'

/** A file that cannot be read as what it should be; the message names the file, the place and the remedy. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}

/** A parsed JSON or YAML file with the place of each value. */
export interface ParsedFile {
  readonly value: unknown
  /** `file:line:column` of the value at `path`, or of the nearest one above it. */
  readonly placeOf: (path: readonly string[]) => string
}

/** Longest file that is read, in characters: such files are written by hand. */
const longest = 4 * 1024 * 1024
/** Aliases that may be expanded; more is an attack on memory. */
const maxAliases = 20

/** A JSON or YAML text as a plain value. Throws {@link FileProblem} with line and column. Aliases are not expanded beyond reason. */
export function parseFile(file: string, text: string): ParsedFile {
  if (text.length > longest) throw new FileProblem(`${file}: larger than ${longest} characters`)
  if (text.includes('\0')) throw new FileProblem(`${file}: this is not text in UTF-8; save it as such`)
  const { LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  try {
    const document = parseDocument(text.replace(/^\ufeff/, ''), {
      lineCounter: lines,
      prettyErrors: false,
      // Looked for below: the package compares each key with every other.
      uniqueKeys: false,
    })
    const [error] = document.errors
    // The package catches what its own recursion throws.
    if (error?.message.startsWith('Maximum call stack') === true) throw new RangeError(error.message)
    if (error !== undefined)
      throw new FileProblem(`${at(error.pos[0])}: ${error.message.split('\n')[0] ?? 'not readable'}`)
    const repeated = repeatedKeyIn(document)
    if (repeated !== undefined) throw new FileProblem(`${at(repeated)}: Map keys must be unique`)
    const value: unknown = document.toJS({ maxAliasCount: maxAliases })
    return {
      value,
      placeOf: (path) => {
        const offset = offsetOf(document, path)
        return offset === undefined ? file : at(offset)
      },
    }
  } catch (cause) {
    if (cause instanceof FileProblem) throw cause
    if (cause instanceof RangeError) throw new FileProblem(`${file}: nested too deep to be read`)
    throw new FileProblem(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Returns where a map repeats a key; undefined where none does. */
function repeatedKeyIn(document: Document): number | undefined {
  const { isScalar, visit } = yaml()
  let found: number | undefined
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value) && key.value !== '<<') found ??= key.range?.[0]
        seen.add(key.value)
      }
      return undefined
    },
  })
  return found
}

function offsetOf(document: Document, path: readonly string[]): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const keys = path.slice(0, length).map((key) => (/^\d+$/.test(key) ? Number(key) : key))
    const node: unknown = document.getIn(keys, true)
    if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) continue
    const [offset]: unknown[] = node.range
    if (typeof offset === 'number') return offset
  }
  return undefined
}

/** Replaces `${NAME}` in every text of `value`. Throws {@link FileProblem} for a variable that is missing or empty. */
export function expandVariables(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  placeOf: ParsedFile['placeOf'],
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([^}]{0,1000})\}/g, (whole, name: string) => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        throw new FileProblem(`${placeOf(path)}: ${whole} names no environment variable`)
      const found = environment[name]
      if (found === undefined || found === '')
        throw new FileProblem(
          `${placeOf(path)}: the environment variable ${name} is ${found === undefined ? 'not set' : 'empty'}`,
        )
      return found
    })
  if (Array.isArray(value))
    return value.map((element, index) => expandVariables(element, environment, placeOf, [...path, String(index)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, expandVariables(member, environment, placeOf, [...path, key])]),
  )
}
