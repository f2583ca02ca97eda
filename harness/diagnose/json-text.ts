// JSON as text: numbers, the order of members and repeated names stay as they are written, which `JSON.parse` loses.

/** A JSON value; a scalar is its written text, a string its characters. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, JsonNode])[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'literal'; readonly text: string }

/** Orders in which a library writes the members of an object. */
export type MemberOrder = 'as-read' | 'sorted' | 'jsonb'

/** How a library writes JSON. */
export interface JsonStyle {
  readonly name: string
  /** After each comma, and after each colon, where the text has one line. */
  readonly comma: string
  readonly colon: string
  /** Each level of a text of several lines. */
  readonly indent?: string
  readonly order?: MemberOrder
  readonly escapes: readonly Escape[]
}

/** Characters a library writes as an escape although none is needed, or in another way than `JSON.stringify`. */
export type Escape =
  | 'control-upper'
  | 'control-long'
  | 'slash'
  | 'html'
  | 'ampersand'
  | 'angles'
  | 'angles-upper'
  | 'gson'
  | 'php-hex'
  | 'dotnet'
  | 'line-separators'
  | 'non-ascii'
  | 'non-ascii-upper'

function unicodeEscape(character: string): string {
  const digits = character.charCodeAt(character.length - 1).toString(16)
  return `\\u${digits.padStart(4, '0')}`
}

function capitalEscape(character: string): string {
  return `\\u${unicodeEscape(character).slice(2).toUpperCase()}`
}

/** A plain character or an escaped quote becomes an escape in capitals; other escapes stay. */
function escapeUnlessEscaped(token: string): string {
  return token.startsWith('\\') && token !== '\\"' ? token : capitalEscape(token)
}

const replacements: Readonly<Record<Escape, readonly [pattern: RegExp, replace: (token: string) => string]>> = {
  // Patterns with a backslash read an escape whole: an escaped backslash before a quote is not the escape of the quote.
  'control-upper': [
    /\\(?:u[0-9a-f]{4}|[^])/g,
    (token) => (token.length === 6 ? `\\u${token.slice(2).toUpperCase()}` : token),
  ],
  'control-long': [/\\[^]/g, (token) => (token === '\\b' ? '\\u0008' : token === '\\f' ? '\\u000c' : token)],
  slash: [/\//g, () => '\\/'],
  html: [/[<>&]/g, unicodeEscape],
  ampersand: [/&/g, unicodeEscape],
  angles: [/[<>]/g, unicodeEscape],
  'angles-upper': [/[<>]/g, capitalEscape],
  gson: [/[<>&=']/g, unicodeEscape],
  'php-hex': [/\\[^]|[&'<>]/g, escapeUnlessEscaped],
  dotnet: [/\\[^]|[&'+<>`\u007f-\uffff]/g, escapeUnlessEscaped],
  'line-separators': [/[\u2028\u2029]/g, unicodeEscape],
  'non-ascii': [/[\u0080-\uffff]/g, unicodeEscape],
  'non-ascii-upper': [/[\u0080-\uffff]/g, capitalEscape],
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

function ordered(members: readonly (readonly [string, JsonNode])[], { order = 'as-read' }: JsonStyle) {
  if (order === 'as-read') return members
  const isByLength = order === 'jsonb'
  return [...members].sort(([one], [other]) => {
    const difference = isByLength ? Buffer.byteLength(one) - Buffer.byteLength(other) : 0
    return difference !== 0 ? difference : one < other ? -1 : one > other ? 1 : 0
  })
}

/** Returns a JSON string with the escapes of a style. */
export function quoted(text: string, escapes: readonly Escape[]): string {
  return escapes.reduce((result, escape) => result.replace(...replacements[escape]), JSON.stringify(text))
}

/** Reads a text that `JSON.parse` takes; throws a SyntaxError where that would. */
export function readJson(text: string): JsonNode {
  JSON.parse(text)
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
