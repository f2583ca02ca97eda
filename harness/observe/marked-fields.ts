// Fields of bodies that a user marked: they are neither written, nor judged, nor shown.
import { parseJson } from '../wire/json.js'
import { markedField, type RecordedMessage, type TrafficLine } from './record.js'

/** The names on the way to a field; `*` is any name. */
export type MarkedPath = readonly string[]

/** `.name`, `..name`, `.*`, `['name']`, `[0]` and `[*]`. */
const step = /^(?:\.{1,2}([^.[\]'"\s/*]+|\*)|\[(?:\*|-?\d+)\]|\[(['"])(.+?)\2\])/

/**
 * Parses a JSON path such as `$.data.subject` to its names; array elements need no name. Returns undefined for other texts.
 */
export function markedPath(text: string): MarkedPath | undefined {
  let rest = text.startsWith('$') ? text.slice(1) : /^[.[]/.test(text) ? text : `.${text}`
  const names: string[] = []
  while (rest !== '') {
    const [found, name, , quoted] = step.exec(rest) ?? []
    if (found === undefined) return undefined
    const own = name ?? quoted
    if (own !== undefined) names.push(own)
    rest = rest.slice(found.length)
  }
  return names
}

/** A line without the fields that lie on one of `paths`, at whatever depth a path begins. */
export function withoutMarked(line: TrafficLine, paths: readonly MarkedPath[]): TrafficLine {
  if (paths.length === 0) return line
  if (line.kind === 'frame') return messageWithout(line, paths)
  if (line.kind !== 'exchange' && line.kind !== 'delivery') return line
  const request = messageWithout(line.request, paths)
  return line.response === undefined
    ? { ...line, request }
    : { ...line, request, response: messageWithout(line.response, paths) }
}

type Body = Pick<RecordedMessage, 'body' | 'body_base64' | 'body_missing'>

function messageWithout<Message extends Body>(message: Message, paths: readonly MarkedPath[]): Message {
  const { body, body_base64: bytes, ...rest } = message
  if (body === undefined && bytes === undefined) return message
  const clean = body === undefined ? undefined : textWithout(body, paths)
  // Invalid JSON may contain a marked value anywhere.
  return { ...rest, ...(clean === undefined ? { body_missing: 'marked to be left out' } : { body: clean }) } as Message
}

/** Returns the unchanged text if nothing in it is marked, since its bytes may be signed; undefined if all of it is marked. */
function textWithout(text: string, paths: readonly MarkedPath[]): string | undefined {
  const value = text === '' ? '' : parseJson(text)
  if (value === undefined) return undefined
  let isMarked = false
  const clean = (part: unknown, at: readonly string[]): unknown => {
    if (paths.some((path) => endsWith(at, path))) {
      isMarked = true
      return markedField
    }
    if (Array.isArray(part)) return part.map((one) => clean(one, at))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, clean(one, [...at, name])]))
  }
  const cleaned = clean(value, [])
  if (!isMarked) return text
  return cleaned === markedField ? undefined : JSON.stringify(cleaned)
}

function endsWith(at: readonly string[], path: MarkedPath): boolean {
  const from = at.length - path.length
  return from >= 0 && path.every((name, index) => name === '*' || name === at[from + index])
}
