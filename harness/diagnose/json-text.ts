// JSON as text: numbers, the order of members and repeated names stay as they are written, which `JSON.parse` loses.

/** A JSON value; a scalar is its written text, a string its characters. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, JsonNode])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'literal'; readonly text: string }

/** How a library writes JSON. */
export interface JsonStyle {
  readonly name: string
  /** After each comma, and after each colon, where the text has one line. */
  readonly comma: string
  readonly colon: string
  /** Each level of a text of several lines. */
  readonly indent?: string
  readonly isSorted?: true
  readonly escapes: readonly Escape[]
}

/** Characters a library writes as an escape although none is needed. */
export type Escape = 'non-ascii' | 'non-ascii-upper' | 'slash' | 'html' | 'gson' | 'dotnet' | 'line-separators'

const patterns: Readonly<Record<Escape, RegExp>> = {
  'non-ascii': /[\u0080-\uffff]/g,
  'non-ascii-upper': /[\u0080-\uffff]/g,
  slash: /\//g,
  html: /[<>&]/g,
  gson: /[<>&=']/g,
  // An escape is read whole, so that an escaped backslash before a quote is not taken for that of the quote.
  dotnet: /\\[^]|[&'+<>`\u007f-\uffff]/g,
  'line-separators': /[\u2028\u2029]/g,
}

/** The text of a value in a style. Level is that of the value itself. */
export function writeJson(node: JsonNode, style: JsonStyle, level = 0): string {
  if (node.kind === 'literal') return node.text
  if (node.kind === 'string') return quoted(node.text, style.escapes)
  const isObject = node.kind === 'object'
  const parts = isObject
    ? ordered(node.members, style).map(
        ([name, value]) => `${quoted(name, style.escapes)}:${style.colon}${writeJson(value, style, level + 1)}`,
      )
    : node.items.map((item) => writeJson(item, style, level + 1))
  const [open, close] = isObject ? ['{', '}'] : ['[', ']']
  if (parts.length === 0) return `${open}${close}`
  if (style.indent === undefined) return `${open}${parts.join(`,${style.comma}`)}${close}`
  const inner = `\n${style.indent.repeat(level + 1)}`
  return `${open}${inner}${parts.join(`,${inner}`)}\n${style.indent.repeat(level)}${close}`
}

function ordered(members: readonly (readonly [string, JsonNode])[], { isSorted }: JsonStyle) {
  return isSorted === true ? [...members].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) : members
}

function quoted(text: string, escapes: readonly Escape[]): string {
  let result = JSON.stringify(text)
  for (const each of escapes)
    result = result.replace(patterns[each], (character) => {
      if (each === 'slash') return '\\/'
      if (each === 'dotnet' && character.startsWith('\\') && character !== '\\"') return character
      const digits = character
        .charCodeAt(character.length - 1)
        .toString(16)
        .padStart(4, '0')
      return `\\u${each === 'non-ascii-upper' || each === 'dotnet' ? digits.toUpperCase() : digits}`
    })
  return result
}

/** Reads a text that `JSON.parse` takes. */
export function readJson(text: string): JsonNode {
  const tokens = text.match(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? []
  let at = 0
  const value = (): JsonNode => {
    const token = tokens[at++] ?? ''
    if (token.startsWith('"')) return { kind: 'string', text: JSON.parse(token) as string }
    if (token !== '{' && token !== '[') return { kind: 'literal', text: token }
    const members: (readonly [string, JsonNode])[] = []
    const items: JsonNode[] = []
    while (tokens[at] !== '}' && tokens[at] !== ']') {
      if (tokens[at] === ',') at++
      if (token === '[') items.push(value())
      else {
        const name = JSON.parse(tokens[at] ?? '""') as string
        at += 2
        members.push([name, value()])
      }
    }
    at++
    return token === '{' ? { kind: 'object', members } : { kind: 'array', items }
  }
  return value()
}

/** The same value as `JSON.parse` and `JSON.stringify` leave it: numbers rewritten, repeated names once, whole ones first. */
export function asParsed(text: string): JsonNode {
  return readJson(JSON.stringify(JSON.parse(text)))
}
