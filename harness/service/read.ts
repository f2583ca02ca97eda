// Readers of answers whose envelope the interface leaves open. They take every shape the registry's open points accept.
import { memberOf, type Exchange } from '../wire/exchange.js'

/** The items of a list: the body itself, its `data`, or its only array. Undefined when there is no such array. */
export function itemsOf(exchange: Exchange): unknown[] | undefined {
  const { json } = exchange
  if (Array.isArray(json)) return json
  const data = memberOf(json, 'data')
  if (Array.isArray(data)) return data
  if (typeof json !== 'object' || json === null) return undefined
  const arrays = Object.values(json).filter((each) => Array.isArray(each))
  if (arrays.length === 1) return arrays[0]
  return typeof data === 'object' && data !== null ? Object.values(data).find((each) => Array.isArray(each)) : undefined
}

/** `code`, `message` and `fix` of an error body, flat or under `error`. */
export function errorOf(exchange: Exchange): { code: unknown; message: unknown; fix: unknown; errors: unknown } {
  const nested = exchange.field('error')
  const from = typeof nested === 'object' && nested !== null ? nested : exchange.json
  return {
    code: memberOf(from, 'code'),
    message: memberOf(from, 'message'),
    fix: memberOf(from, 'fix'),
    errors: memberOf(from, 'errors') ?? exchange.field('errors'),
  }
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

/** A timestamp of any usual form as milliseconds since the epoch; NaN when it is none. */
export function instantOf(value: unknown): number {
  if (typeof value === 'number') return value > 1e11 ? value : value * 1000
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** Whether any string inside `value` holds `text`. */
export function mentions(value: unknown, text: string): boolean {
  return JSON.stringify(value)?.includes(text) ?? false
}
