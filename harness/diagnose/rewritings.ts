// The same JSON as other libraries write it: each aspect of a writing is a table, and a writing is one choice of each.
import type { Fault } from './finding.js'
import {
  asParsed,
  readJson,
  writeJson,
  type Escape,
  type JsonNode,
  type JsonStyle,
  type MemberOrder,
} from './json-text.js'
import { changeDates, dateStyles } from './date-styles.js'

/** One choice of an aspect; the empty name is the usual choice. */
interface Choice<Value> {
  readonly name: string
  readonly value: Value
}

type Spacing = Pick<JsonStyle, 'comma' | 'colon' | 'indent'>

const spacings: readonly Choice<Spacing>[] = [
  { name: 'compact', value: { comma: '', colon: '' } },
  { name: 'with a space after commas and colons', value: { comma: ' ', colon: ' ' } },
  { name: 'with a space after colons', value: { comma: '', colon: ' ' } },
  { name: 'pretty, one space', value: { comma: '', colon: ' ', indent: ' ' } },
  { name: 'pretty, two spaces', value: { comma: '', colon: ' ', indent: '  ' } },
  { name: 'pretty, four spaces', value: { comma: '', colon: ' ', indent: '    ' } },
  { name: 'pretty, tabs', value: { comma: '', colon: ' ', indent: '\t' } },
]

const orders: readonly Choice<MemberOrder>[] = [
  { name: '', value: 'as-read' },
  { name: 'sorted', value: 'sorted' },
  { name: 'with shorter names first, as jsonb of Postgres does', value: 'jsonb' },
]

type Escapes = readonly Escape[]

const markup: readonly Choice<Escapes>[] = [
  { name: '', value: [] },
  { name: '<, > and & as \\u escapes', value: ['html', 'line-separators'] },
  { name: 'line separators as \\u escapes', value: ['line-separators'] },
  { name: '& as \\u0026', value: ['ampersand'] },
  { name: '< and > as \\u escapes', value: ['angles'] },
  { name: '< and > as \\u escapes in capitals', value: ['angles-upper'] },
  { name: 'as Gson does: <, >, &, = and apostrophes as \\u escapes', value: ['gson', 'line-separators'] },
  { name: 'as PHP with JSON_HEX_*: quotes, apostrophes, <, > and & as \\u escapes', value: ['php-hex'] },
  {
    name: 'as .NET does: quotes, &, +, <, > and non-ASCII characters as \\u escapes',
    value: ['control-upper', 'dotnet'],
  },
]
const slashes: readonly Choice<Escapes>[] = [
  { name: '', value: [] },
  { name: 'slashes escaped', value: ['slash'] },
]
const nonAscii: readonly Choice<Escapes>[] = [
  { name: '', value: [] },
  { name: 'non-ASCII characters as \\u escapes', value: ['non-ascii'] },
  { name: 'non-ASCII characters as \\u escapes in capitals', value: ['non-ascii-upper'] },
]
const controls: readonly Choice<Escapes>[] = [
  { name: '', value: [] },
  { name: 'control characters as escapes in capitals', value: ['control-upper'] },
  { name: 'backspace and form feed as \\u escapes', value: ['control-long'] },
]

interface Style {
  readonly names: readonly string[]
  readonly order: MemberOrder
  readonly spacing: Spacing
  readonly escapes: Escapes
  /** How many of its choices are unusual; the writing of a known library counts as one. */
  readonly weight: number
}

/** What well-known libraries write by default, where that is more than one unusual choice. */
const dialects: readonly Omit<Style, 'weight'>[] = [
  dialect(1, 'as-read', 'non-ascii'),
  dialect(1, 'sorted', 'non-ascii'),
  dialect(0, 'as-read', 'slash', 'non-ascii'),
  dialect(4, 'as-read', 'slash', 'non-ascii'),
  dialect(0, 'sorted', 'html', 'line-separators'),
  dialect(1, 'jsonb'),
]

function dialect(spacing: number, order: MemberOrder, ...escapes: Escapes): Omit<Style, 'weight'> {
  const aspects: readonly (readonly Choice<Escapes>[])[] = [slashes, markup, nonAscii, controls]
  const names = aspects.flatMap((choices) =>
    choices
      .filter(({ value }) => value.length > 0 && value.every((escape) => escapes.includes(escape)))
      .slice(0, 1)
      .map(({ name }) => name),
  )
  const chosen = spacings[spacing]
  if (chosen === undefined) throw new Error(`there is no spacing ${spacing}`)
  const orderName = orders.find(({ value }) => value === order)?.name ?? ''
  return { names: [chosen.name, orderName, ...names], order, spacing: chosen.value, escapes }
}

/** Every choice of one value of each aspect, with the number of unusual ones. */
function* styles(): Generator<Style> {
  for (const known of dialects) yield { ...known, weight: 1 }
  for (const [orderAt, order] of orders.entries())
    for (const [markupAt, marks] of markup.entries())
      for (const [slashAt, slash] of slashes.entries())
        for (const [controlAt, control] of controls.entries())
          for (const [nonAsciiAt, beyond] of nonAscii.entries())
            for (const [spacingAt, spacing] of spacings.entries())
              yield {
                names: [spacing, order, slash, marks, control, beyond].map(({ name }) => name),
                order: order.value,
                spacing: spacing.value,
                escapes: [...control.value, ...marks.value, ...slash.value, ...beyond.value],
                weight: [orderAt, markupAt, slashAt, controlAt, nonAsciiAt, spacingAt].filter((at) => at > 0).length,
              }
}

let madeStyles: readonly Style[] | undefined

/** The list of styles, made at the first use: a run that explains nothing does not need it. */
function allStyles(): readonly Style[] {
  return (madeStyles ??= [...styles()])
}

/** A body as another library writes its JSON. */
export interface Rewriting {
  readonly text: string
  readonly fault: Fault
  /** How many unusual choices it takes. */
  readonly weight: number
}

export interface RewritingLimits {
  /** Bytes that are written at most. */
  readonly maxWritten?: number
  /** Unusual choices at most. */
  readonly maxWeight?: number
}

const rawBytes =
  'Keep the raw bytes of the body, and sign or verify those before any parsing. A JSON library writes the same value in other bytes.'

/** Yields the JSON of a text in every writing, the usual ones first; throws where the text is not JSON. */
export function* rewritings(
  text: string,
  { maxWritten = Number.POSITIVE_INFINITY, maxWeight = 4 }: RewritingLimits = {},
): Generator<Rewriting> {
  const nodes = readingsOf(text)
  const needless = needlessEscapes(nodes[0]?.node)
  const applicable = allStyles().filter((style) => !style.escapes.some((escape) => needless.has(escape)))
  let left = maxWritten
  for (let weight = 0; weight <= maxWeight; weight++)
    for (const reading of nodes)
      for (const style of applicable) {
        if (style.weight + reading.weight !== weight) continue
        if (left <= 0) return
        const written = writeJson(reading.node, {
          name: '',
          ...style.spacing,
          order: style.order,
          escapes: style.escapes,
        })
        left -= written.length
        const how = [...style.names, reading.name].filter((name) => name !== '')
        const explanation = `The body was parsed and serialized again: the signature is that of the same JSON written ${how.join(', ')}.`
        yield { text: written, weight, fault: { cause: 'body-rewritten', explanation, remedy: rawBytes } }
      }
}

/** Yields a part of the JSON as it may have been written alone, with the number of unusual choices, that it is alone included. */
export function* rewritingsOfPart(
  node: JsonNode,
  { maxWritten = Number.POSITIVE_INFINITY, maxWeight = 3 }: RewritingLimits = {},
): Generator<Pick<Rewriting, 'text' | 'weight'>> {
  const needless = needlessEscapes(node)
  let left = maxWritten
  for (const style of allStyles()) {
    const weight = style.weight + 1
    if (left <= 0) return
    if (weight > Math.min(maxWeight, 3) || style.order !== 'as-read') continue
    if (style.escapes.some((escape) => needless.has(escape))) continue
    const text = writeJson(node, { name: '', ...style.spacing, escapes: style.escapes })
    left -= text.length
    yield { text, weight }
  }
}

const characters: Readonly<Record<Escape, RegExp>> = {
  'control-upper': /[\u0000-\u001f\ud800-\udfff]/,
  'control-long': /[\b\f]/,
  slash: /\//,
  html: /[<>&]/,
  ampersand: /&/,
  angles: /[<>]/,
  'angles-upper': /[<>]/,
  gson: /[=']/,
  'php-hex': /[&'<>"]/,
  dotnet: /[&'+<>`"\u007f-\uffff]/,
  'line-separators': /[\u2028\u2029]/,
  'non-ascii': /[\u0080-\uffff]/,
  'non-ascii-upper': /[\u0080-\uffff]/,
}

/** Escapes that change nothing, since the JSON lacks their characters. */
function needlessEscapes(node: JsonNode | undefined): ReadonlySet<Escape> {
  const text = node === undefined ? '' : [...textsOf(node)].join('\n ')
  const isAbsent = (escape: Escape) => !characters[escape].test(text)
  const needless = new Set((Object.keys(characters) as Escape[]).filter(isAbsent))
  // These two go with others, whose characters are there.
  if (!needless.has('html') || !needless.has('gson')) needless.delete('line-separators')
  if (!needless.has('dotnet')) needless.delete('control-upper')
  return needless
}

function* textsOf(node: JsonNode): Generator<string> {
  if (node.kind === 'string') yield node.text
  if (node.kind === 'array') for (const item of node.items) yield* textsOf(item)
  if (node.kind !== 'object') return
  for (const [name, value] of node.members) {
    yield name
    yield* textsOf(value)
  }
}

interface Reading {
  readonly node: JsonNode
  readonly name: string
  readonly weight: number
}

/** The JSON as it was read, and as it may have been before another library changed its values. */
function readingsOf(text: string): readonly Reading[] {
  const read = readJson(text)
  const seen = new Set([compact(read)])
  const readings: Reading[] = [{ node: read, name: '', weight: 0 }]
  const add = (node: JsonNode, name: string, weight = 1) => {
    const key = compact(node)
    if (seen.has(key)) return
    seen.add(key)
    readings.push({ node, name, weight })
  }
  add(asParsed(text), 'numbers written anew')
  add(inOrder(read), 'members in the order of the interface')
  add(withoutNull(read), 'without the members that are null')
  for (const style of dateStyles) add(changeDates(read, style), style.name, style.weight)
  return readings
}

function compact(node: JsonNode): string {
  return writeJson(node, { name: '', comma: '', colon: '', escapes: [] })
}

function isNull(node: JsonNode): boolean {
  return node.kind === 'literal' && node.text === 'null'
}

/** Removes null members: libraries add one for a missing value. */
function withoutNull(node: JsonNode): JsonNode {
  if (node.kind === 'array') return { ...node, items: node.items.map(withoutNull) }
  if (node.kind !== 'object') return node
  const members = node.members.filter(([, value]) => !isNull(value))
  return { ...node, members: members.map(([name, value]) => [name, withoutNull(value)] as const) }
}

/** Members of an event, and of its data, in the order in which the interface lists them. */
const memberOrder =
  'id type timestamp data message_id inbox_id thread_id workspace_id recipient response bounce_classification permanent status from to cc subject reason paused_at stats'.split(
    ' ',
  )

/** Orders the members as the interface names them: code that sorts them by name has lost the signed order. */
function inOrder(node: JsonNode): JsonNode {
  if (node.kind !== 'object') return node
  const rank = (name: string) => (memberOrder.includes(name) ? memberOrder.indexOf(name) : memberOrder.length)
  const members = node.members.map(([name, value]) => [name, name === 'data' ? inOrder(value) : value] as const)
  return { kind: 'object', members: members.sort(([one], [other]) => rank(one) - rank(other)) }
}
