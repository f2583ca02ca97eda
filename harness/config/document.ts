import { LineCounter, parseDocument } from 'yaml'

/** A file that cannot be read as what it should be; the message names the file, the place and the remedy. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
}

/** Longest file that is read, in characters. */
const longest = 4 * 1024 * 1024

/** A JSON or YAML text as a plain value. Throws {@link FileProblem} with line and column. Aliases are not expanded beyond reason. */
export function parseText(file: string, text: string): unknown {
  if (text.length > longest) throw new FileProblem(`${file}: larger than ${longest} characters`)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    throw new FileProblem(`${file}:${line}:${col}: ${error.message.split('\n')[0] ?? 'not readable'}`)
  }
  try {
    return document.toJS({ maxAliasCount: 20 }) as unknown
  } catch (cause) {
    throw new FileProblem(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Replaces `${NAME}` in every text of `value`. Throws {@link FileProblem} for a variable that is missing. */
export function expandVariables(
  file: string,
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = environment[name]
      if (found === undefined) throw new FileProblem(`${file}: the environment variable ${name} is not set`)
      return found
    })
  if (Array.isArray(value)) return value.map((each) => expandVariables(file, each, environment))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expandVariables(file, each, environment)]))
}
