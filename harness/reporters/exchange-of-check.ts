// Finds the exchange of a failed check, and its difference to the similar one before it with another answer.
import type { CaseResult, ExchangeRecord, Mismatch } from '../result.js'
import { oneLine, shortened } from './text.js'

/** The exchange of a failed check, and the last similar one before it with another answer: its control. */
export interface CheckedExchange {
  readonly exchange: ExchangeRecord
  /** Nothing connects it with the check, except that it was the last before it. */
  readonly isOnlyLast: boolean
  readonly control?: ExchangeRecord
}

/** A shorter value may be in any exchange, in characters. */
const minLength = 8

/**
 * Finds the exchange that the check names; else the last one whose answer, or whose body where it was received, has the failed value, or
 * the most values of a failed list; else the one of its time, or the last before the check.
 */
export function exchangeOfCheck(
  check: Mismatch | undefined,
  { exchanges = [] }: Pick<CaseResult, 'exchanges'>,
): CheckedExchange | undefined {
  const own = exchanges.filter(({ kind }) => kind !== 'control')
  const before = own.filter(({ started_at: at }) => !(Date.parse(at) > Date.parse(check?.found_at ?? '')))
  const named = before.filter((exchange) => isNamedIn(check?.what ?? '', labelOf(exchange)))
  const showing = named.length > 0 ? [] : withMostOf(valuesIn(check?.got ?? ''), before)
  const found =
    [...named, ...showing].findLast(({ started_at: at }) => at === check?.exchange_at) ??
    showing.at(-1) ??
    own.findLast(({ started_at: at }) => at === check?.exchange_at) ??
    named.at(-1)
  const exchange = found ?? before.at(-1) ?? own.at(-1)
  if (exchange === undefined) return undefined
  const control = own.slice(0, own.indexOf(exchange)).findLast((other) => isControlOf(other, exchange))
  return { exchange, isOnlyLast: found === undefined, ...(control === undefined ? {} : { control }) }
}

/** A JSON string or a number, or the strings in a list or an object: those long enough to be found. */
function valuesIn(got: string): readonly string[] {
  const texts = /^[[{]/.test(got) ? [...got.matchAll(/"([^"\\]+)"/g)].map(([, text = '']) => text) : [unquoted(got)]
  return [...new Set(texts)].filter((text) => text.length >= minLength)
}

function unquoted(value: string): string {
  return value.replace(/^"(.*)"$/, '$1')
}

/** The exchanges in which the other side sent the most of these values; none if no exchange has one. */
function withMostOf(values: readonly string[], exchanges: readonly ExchangeRecord[]): readonly ExchangeRecord[] {
  const counts = exchanges.map(({ direction, request, response }) => {
    const body = (direction === 'received' ? request : response)?.body ?? ''
    return values.filter((value) => body.includes(value)).length
  })
  const most = Math.max(0, ...counts)
  return most === 0 ? [] : exchanges.filter((_, at) => counts[at] === most)
}

/** Returns the texts that lead to the failed value in a long answer: the value itself, and the fields that the check names. */
export function placesOf({ what, got }: Pick<Mismatch, 'what' | 'got'>): readonly string[] {
  const fields = [...what.matchAll(/[a-z][a-z_]{2,}/g)].map(([name]) => `"${name}":`)
  return [...valuesIn(got), ...fields]
}

/** Whether a text names a request, and not one of a longer path. */
function isNamedIn(text: string, label: string): boolean {
  return text
    .split(label)
    .slice(1)
    .some((rest) => !/^[\w/-]/.test(rest))
}

function labelOf({ request: { method, url } }: ExchangeRecord): string {
  return `${method} ${URL.canParse(url) ? new URL(url).pathname : url}`
}

function isControlOf(other: ExchangeRecord, exchange: ExchangeRecord): boolean {
  if (other.kind !== exchange.kind || labelOf(other) !== labelOf(exchange)) return false
  return Math.floor((other.response?.status ?? 0) / 100) !== Math.floor((exchange.response?.status ?? 0) / 100)
}

/** Differences of which a line can name each. */
const maxDifferences = 3
/** Characters of one value. */
const maxValue = 60
/** What differs between any two requests. */
const incidental = new Set(['idempotency-key', 'content-length', 'date', 'traceparent', 'x-request-id'])

/** What differs in an exchange from its control, in one line; undefined where nothing does, or too much. */
export function differenceInWords({ exchange, control }: CheckedExchange): string | undefined {
  if (control === undefined) return undefined
  const [own, other] = [partsOf(exchange), partsOf(control)]
  const names = [...new Set([...own.keys(), ...other.keys()])].filter((name) => own.get(name) !== other.get(name))
  if (names.length === 0 || names.length > maxDifferences) return undefined
  const value = (text: string | undefined) => (text === undefined ? 'nothing' : shortened(oneLine(text), maxValue))
  const status = control.response?.status
  const answered = status === undefined ? 'got no answer' : `was answered ${status}`
  return `${names.map((name) => `${name} ${value(own.get(name))} instead of ${value(other.get(name))}`).join('; ')} (which ${answered})`
}

/** Query, headers, and the members of a JSON body, by name. */
function partsOf({ request: { url, headers, body, body_base64: bytes } }: ExchangeRecord): Map<string, string> {
  const parts = new Map<string, string>()
  if (URL.canParse(url)) for (const [name, value] of new URL(url).searchParams) parts.set(`?${name}`, value)
  for (const [name, value] of Object.entries(headers)) if (!incidental.has(name)) parts.set(name, value)
  const members = membersOf(body)
  if (members !== undefined) for (const [name, value] of members) parts.set(name, JSON.stringify(value))
  else if (body !== undefined || bytes !== undefined) parts.set('body', body ?? bytes ?? '')
  return parts
}

function membersOf(body: string | undefined): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(body ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined
  } catch {
    return undefined
  }
}
