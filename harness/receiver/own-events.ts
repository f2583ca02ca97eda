// The user's own event bodies: the bytes are sent as in the file, except for the id at the top.

import { parseJson } from '../wire/json.js'

/** One body, cut at the id at its top: the signed body is `parts` joined by the id of the delivery, written as JSON. */
export interface OwnEvent {
  /** Its place: `orders.json`, `events.ndjson line 3`. */
  readonly name: string
  readonly parts: readonly string[]
  /** Headers of its own. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A file that holds no event bodies. */
export class OwnEventsProblem extends Error {
  override readonly name = 'OwnEventsProblem'
}

/** The bodies of a file: one JSON body, an array of bodies, or one a line; cut at the id at the top. Throws {@link OwnEventsProblem}. */
export function ownEventsOf(name: string, text: string, { isIdCut = true } = {}): OwnEvent[] {
  const eventOf = (own: string, body: string): OwnEvent => ({ name: own, parts: isIdCut ? partsOf(body) : [body] })
  const content = text.startsWith('\ufeff') ? text.slice(1) : text
  if (content.trim() === '') throw new OwnEventsProblem(`${name} is empty: expected a JSON event body`)
  const whole = parseJson(content)
  if (Array.isArray(whole)) {
    if (whole.length === 0) throw new OwnEventsProblem(`${name} contains an empty list: expected JSON event bodies`)
    return elementsOf(content).map((element, index) => eventOf(`${name} item ${index + 1}`, element))
  }
  if (whole !== undefined) return [eventOf(name, content)]
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const body = line.endsWith('\r') ? line.slice(0, -1) : line
    if (parseJson(body) === undefined)
      throw new OwnEventsProblem(
        `${name} line ${index + 1} is not JSON: expected one body, an array, or one body a line`,
      )
    return [eventOf(`${name} line ${index + 1}`, body)]
  })
}

/** The bytes of an event under this id. */
export function bodyOf({ parts }: OwnEvent, id: string): Buffer {
  return Buffer.from(parts.join(JSON.stringify(id)))
}

function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of idsOf(text)) {
    parts.push(text.slice(from, start))
    from = end
  }
  return [...parts, text.slice(from)]
}

const token = /"(?:[^"\\]|\\.)*(?:"|$)|[[\]{},:]/g

/** Returns the places of the strings that are the value of `id` at the top of an object. */
function idsOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.trimStart().startsWith('{')) return []
  const found: { start: number; end: number }[] = []
  let depth = 0
  let key: unknown
  let before = ''
  for (const match of text.matchAll(token)) {
    const [word] = match
    if (word === '{' || word === '[') depth++
    else if (word === '}' || word === ']') depth--
    else if (depth === 1 && word.startsWith('"')) {
      if (before === ':' && key === 'id') found.push({ start: match.index, end: match.index + word.length })
      else if (before !== ':') key = JSON.parse(word)
    }
    before = word
  }
  return found
}

/** Returns the unchanged texts of the elements of a JSON array. */
function elementsOf(text: string): readonly string[] {
  const elements: string[] = []
  let depth = 0
  let start = text.indexOf('[') + 1
  for (const { 0: word, index } of text.matchAll(token)) {
    if (word === '{' || word === '[') depth++
    const isEnd = depth === 1 && (word === ',' || word === ']')
    if (isEnd) {
      elements.push(text.slice(start, index).trim())
      start = index + 1
    }
    if (word === '}' || word === ']') depth--
  }
  return elements
}
