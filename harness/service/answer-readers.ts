// Readers of answers whose envelope the interface leaves open. They take every shape the registry's open points accept.
import { memberOf, type Exchange } from '../wire/exchange.js'
import { millisecondsFrom, parseInstant, parseNumber } from '../wire/numbers.js'

/** How deep an envelope may be nested: `{ result: { page: { items: [] } } }`. */
const deepestEnvelope = 3

/**
 * Returns the items of a list: the body itself, its `data`, or the topmost array whose items have ids; links and notes next to it have
 * none. Without such an array: an object that maps ids to items, an empty array, or else the only array of objects. Undefined without such
 * a list, and for an answer other than a 2xx, whose arrays contain errors. Wrappers of items are removed, except in a list of events, whose
 * shape is shown.
 */
export function itemsOf(
  exchange: Pick<Exchange, 'json'> & { readonly status?: number | undefined },
): unknown[] | undefined {
  const { status = 200, json } = exchange
  if (status < 200 || status > 299) return undefined
  return memberOf(json, 'next_after') === undefined ? listIn(json)?.map(unwrapped) : listIn(json)
}

function listIn(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json
  const levels = arraysByDepth(json)
  const listed = nearest(levels, (items) => items.some((item) => memberOf(unwrapped(item), 'id') !== undefined))
  if (listed !== undefined) return listed
  const byId = envelopesOf(json).find(isById)
  if (byId !== undefined) return Object.values(byId)
  // Of several empty arrays it does not matter which is the list.
  if (levels.flat().some(([, items]) => items.length === 0)) return []
  return nearest(levels, (items) => items.some(isObject)) ?? nearest(levels, () => true)
}

/** Returns the item in `{ cursor, node }`, or a webhook with its fields from `attributes` merged with its id. */
function unwrapped(item: unknown): unknown {
  if (!isPlain(item)) return item
  const [node, attributes] = [memberOf(item, 'node'), memberOf(item, 'attributes')]
  if (memberOf(item, 'id') === undefined) return isPlain(node) && memberOf(node, 'id') !== undefined ? node : item
  return isPlain(attributes) && memberOf(attributes, 'url') !== undefined ? { ...attributes, ...item } : item
}

/** `{ whk_1: { id: 'whk_1', … }, … }` */
function isById(envelope: object): boolean {
  const entries = Object.entries(envelope)
  return entries.length > 0 && entries.every(([key, value]) => memberOf(value, 'id') === key)
}

type NamedArray = readonly [name: string, items: unknown[]]

/** The arrays that are members of a body, then those one deeper, and so on. */
function arraysByDepth(body: unknown): readonly (readonly NamedArray[])[] {
  return envelopesByDepth(body).map((level) =>
    level.flatMap((envelope) =>
      Object.entries(envelope).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1])),
    ),
  )
}

/** Returns the body, if it is an object, and the objects around or next to a list in it, the topmost first. */
export function envelopesOf(body: unknown): readonly object[] {
  return envelopesByDepth(body).flat()
}

function envelopesByDepth(body: unknown): readonly (readonly object[])[] {
  const levels: object[][] = []
  let level = [body].filter(isPlain)
  for (let depth = 0; depth < deepestEnvelope && level.length > 0; depth += 1) {
    levels.push(level)
    level = level.flatMap((envelope) => Object.values(envelope) as unknown[]).filter(isPlain)
  }
  return levels
}

/** At the depth nearest to the top that has one: `data`, or the only array of its kind. */
function nearest(
  levels: readonly (readonly NamedArray[])[],
  isOfKind: (items: readonly unknown[]) => boolean,
): unknown[] | undefined {
  for (const arrays of levels) {
    const named = arrays.find(([name]) => name === 'data')
    const [chosen, another] = named === undefined ? arrays.filter(([, items]) => isOfKind(items)) : [named]
    if (chosen !== undefined && another === undefined) return chosen[1]
  }
  return undefined
}

/**
 * `code`, `message` and `fix` of an error body, wherever the body has them together: flat, under `error`, or in another
 * envelope. An array is looked into only where it holds one error: several are the bad items of something larger.
 */
export function errorOf(exchange: Pick<Exchange, 'json' | 'field'>): {
  code: unknown
  message: unknown
  fix: unknown
  errors: unknown
} {
  const nested = exchange.field('error')
  const usual = isObject(nested) ? nested : exchange.json
  const from = memberOf(usual, 'code') === undefined ? (nearestError(exchange.json) ?? usual) : usual
  return {
    code: memberOf(from, 'code'),
    message: memberOf(from, 'message'),
    fix: memberOf(from, 'fix'),
    errors: memberOf(from, 'errors') ?? exchange.field('errors'),
  }
}

function nearestError(body: unknown): unknown {
  let level: readonly unknown[] = [body]
  for (let depth = 0; depth <= deepestEnvelope && level.length > 0; depth += 1) {
    const found = level.find((candidate) =>
      ['code', 'message', 'fix'].every((name) => memberOf(candidate, name) !== undefined),
    )
    if (found !== undefined) return found
    level = level
      .filter((container) => isObject(container) && (!Array.isArray(container) || container.length === 1))
      .flatMap((container) => Object.values(container as object) as unknown[])
  }
  return undefined
}

function isPlain(value: unknown): value is object {
  return isObject(value) && !Array.isArray(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** One item of the deliveries list, as far as the interface names its fields. */
export interface DeliveryItem {
  readonly id: unknown
  readonly status: unknown
  readonly attempt: unknown
  readonly response_code: unknown
  readonly response_body_snippet: unknown
  readonly next_attempt_at: unknown
  readonly replay_of: unknown
  /** The whole item. */
  readonly raw: unknown
}

/** The delivery fields of a list item. */
export function deliveryOf(item: unknown): DeliveryItem {
  return {
    id: memberOf(item, 'id'),
    status: memberOf(item, 'status'),
    attempt: memberOf(item, 'attempt'),
    response_code: memberOf(item, 'response_code'),
    response_body_snippet: memberOf(item, 'response_body_snippet'),
    next_attempt_at: memberOf(item, 'next_attempt_at'),
    replay_of: memberOf(item, 'replay_of'),
    raw: item,
  }
}

/** Returns the cursor in an answer, as a query needs it: a text or a number. Undefined at the end of the list. */
export function cursorOf(reported: unknown): string | undefined {
  if (typeof reported === 'number') return reported === 0 ? undefined : String(reported)
  return typeof reported === 'string' && reported !== '' ? reported : undefined
}

/** An answer of `/v1/emails` with the ids that are numbers as the texts that a path takes (open point email-id-form). */
export function withIdsAsText(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withIdsAsText)
  if (typeof answer !== 'object' || answer === null) return answer
  const members = Object.entries(answer).map(([name, value]) => {
    if (name === 'id') return [name, idAsText(value)]
    // An entry of a batch may be its id alone (open point batch-entries).
    const values = name === 'data' && Array.isArray(value) ? value.map(idAsText) : value
    return [name, withIdsAsText(values)]
  })
  return Object.fromEntries(members)
}

function idAsText(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value
}

/** Parses a timestamp of any usual form, in UTC if it names no zone, to milliseconds since the epoch; NaN if it is invalid. */
export function instantOf(value: unknown): number {
  if (typeof value === 'string') return parseInstant(value)
  const number = parseNumber(value)
  return number > millisecondsFrom ? number : number * 1000
}

/** Whether any string inside `value` holds `text`. */
export function mentions(value: unknown, text: string): boolean {
  return JSON.stringify(value)?.includes(text) ?? false
}
