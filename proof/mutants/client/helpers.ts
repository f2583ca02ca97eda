// The names that the mutants of the client use in the entries of a policy that they replace, next to `policy`, the reference's own.
import { createHmac } from 'node:crypto'
import { operations, type OperationName, type OperationRule } from '../../../reference/client/operations.js'
import type { ClientPolicy } from '../../../reference/client/policy.js'
import type { Query } from '../../../reference/client/policy/requests.js'
import type { RetryPolicy } from '../../../reference/client/policy/retries.js'
import { parsedEvent } from '../../../reference/client/verify-webhook.js'
import { verify, type SubtleVerifyOptions } from '../../../reference/verifier/subtle.js'

export { fallbackFields, readErrorFields } from '../../../reference/client/error-fields.js'
export { verificationError } from '../../../reference/client/verify-webhook.js'
export { unshownPaths } from '../../variants/unshown-paths.js'
export { createHmac, operations, parsedEvent, verify }

/** The operations with one that goes elsewhere. */
export function operation(name: OperationName, rule: OperationRule): Partial<ClientPolicy> {
  return { operations: { ...operations, [name]: rule } }
}

/** Hands out each value one call late. */
export function latecomer(): (json: unknown) => unknown {
  let last: unknown
  return (json) => {
    const earlier = last ?? json
    last = json
    return earlier
  }
}

/** The list of an answer, with or without an envelope, as `change` makes it. */
export function inLists(json: unknown, change: (items: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(json)) return change(json as unknown[])
  const { data } = (json ?? {}) as { readonly data?: unknown }
  return Array.isArray(data) ? { ...(json as object), data: change(data as unknown[]) } : json
}
export const idOf = (item: unknown) => String((item as { readonly id?: unknown } | null)?.id)

type Read = (value: unknown) => unknown

/** Maps a JSON value and each of its members with `read`. */
export function readAs(value: unknown, read: Read): unknown {
  if (Array.isArray(value)) return read(value.map((element) => readAs(element, read)))
  if (typeof value !== 'object' || value === null) return read(value)
  return read(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readAs(member, read)])))
}

export const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
export const asList: Read = (value) => (isEmptyObject(value) ? [] : value)
export const asWord: Read = (value) => (value === 'true' ? true : value === 'false' ? false : value)
export const asNumber: Read = (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)
/** Rewrites every text of a JSON value. */
export function inTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((element) => inTexts(element, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inTexts(member, change)]))
}

/** Leaves members out of a JSON value. */
export function without(value: unknown, isLeftOut: (member: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => without(element, isLeftOut))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, member]) => !isLeftOut(member))
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, isLeftOut)]))
}

export function keepingTheKey(): ClientPolicy['key'] {
  let kept: string | undefined
  return (context) => {
    kept = context.given ?? kept
    return context.isAutomatic ? (kept ?? context.ofCall) : context.given
  }
}

type Fields = Readonly<Record<string, unknown>>
type Name = Parameters<ClientPolicy['body']>[0]

/** A method with its body, or each email of it, changed. */
export const sending = (name: Name, change: (fields: Fields) => Fields) => ({
  body: (operation: Name, body: unknown): unknown => {
    if (operation !== name) return body
    return Array.isArray(body) ? body.map((element) => change(element as Fields)) : change(body as Fields)
  },
})
/** A method with its query changed. */
export const asking = (name: Name, change: (query: Query) => Query) => ({
  query: (operation: Name, query: Query) => (operation === name ? change(query) : query),
})
export const snooze = (fields: Fields) => (fields['status'] === 'snoozed' ? { ...fields, status: 'snooze' } : fields)
export const withoutField = (fields: Fields, name: string) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

/** The automatic key, left out where the condition holds. */
export const keyedUnless =
  (isLeftOut: (call: { readonly operation: string; readonly body: string }) => boolean): RetryPolicy['key'] =>
  ({ operation, isAutomatic, given, ofCall, body = '' }) =>
    given ?? (isAutomatic && !isLeftOut({ operation, body }) ? ofCall : undefined)

export const isBatch = (
  { operation, body }: { readonly operation: string; readonly body: string },
  count: (made: number) => boolean,
) => operation === 'emails.batch' && count((JSON.parse(body) as unknown[]).length)

type Data = Record<string, unknown>

/** Changes the data of one type that `verifyWebhook` returns. */
export function changingData(type: string, change: (data: Data) => Data): Partial<ClientPolicy> {
  return {
    verifiedEvent: (payload) => {
      const event = parsedEvent(payload) as { readonly type: string; readonly data: Data }
      return event.type === type ? { ...event, data: change(event.data) } : event
    },
  }
}
/** An email with its time under another name. */
export function inCamelCase(email: unknown): unknown {
  const { scheduled_at: scheduledAt, ...rest } = email as { readonly scheduled_at?: unknown }
  return { ...rest, scheduledAt }
}

/** An email with its time in words, like `Wed Jan 02 2030`. */
export function inWords(email: unknown): unknown {
  const { scheduled_at: at } = email as { readonly scheduled_at?: string }
  return at === undefined ? email : { ...(email as object), scheduled_at: new Date(at).toDateString() }
}

/** One email or several, with each `scheduled_at` that is a text as `change` makes it. */
export function inEmails(body: unknown, change: (at: string) => string): unknown {
  if (Array.isArray(body)) return body.map((email: unknown) => inEmails(email, change))
  const { scheduled_at: at } = (body ?? {}) as { readonly scheduled_at?: unknown }
  return typeof at === 'string' ? { ...(body as object), scheduled_at: change(at) } : body
}

/** Limits a query to fifty if `isOne`. */
export function capped(isOne: boolean, query: Query): Query {
  return isOne && query['limit'] !== undefined ? { ...query, limit: Math.min(50, Number(query['limit'])) } : query
}

/** Formats with `hh` instead of `HH`. */
export function hoursOfTwelve(iso: string): string {
  return iso.replace(/T(\d\d)/, (_, hours: string) => `T${String(((Number(hours) + 11) % 12) + 1).padStart(2, '0')}`)
}

/** Formats with `YYYY` instead of `yyyy`: the last days of a year may be in the first week of the next one. */
export function yearOfWeek(iso: string): string {
  const thursday = new Date(Date.parse(iso) + (4 - (new Date(iso).getUTCDay() || 7)) * 86_400_000)
  return `${thursday.getUTCFullYear()}${iso.slice(4)}`
}

type Headers = Readonly<Record<string, string>>

/** A delivery with its signature header changed. */
export function withSignature(delivery: SubtleVerifyOptions, change: (entries: string) => string): SubtleVerifyOptions {
  const headers = delivery.headers as Headers
  return { ...delivery, headers: { ...headers, 'webhook-signature': change(headers['webhook-signature'] ?? '') } }
}

/** What a slip looks at: the delivery, its three headers, and the entry that its headers and body should have. */
interface Look {
  readonly delivery: SubtleVerifyOptions
  readonly id: string | undefined
  readonly timestamp: string
  readonly given: string
  readonly right: string
}

export function entryFor({ secret, payload }: SubtleVerifyOptions, id: string, timestamp: string): string {
  const key = Buffer.from(String(secret).slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key)
    .update(`${id}.${timestamp}.${String(payload)}`)
    .digest('base64')}`
}

/** Accepts a delivery if `isTaken` holds, and else verifies it, or the result of `change`. */
export function slip({
  isTaken = () => false,
  change = ({ delivery }) => delivery,
}: {
  readonly isTaken?: (look: Look) => boolean
  readonly change?: (look: Look) => SubtleVerifyOptions
}): Partial<ClientPolicy> {
  return {
    verifySignature: async (delivery) => {
      const headers = delivery.headers as Record<string, string | undefined>
      const id = headers['webhook-id']
      const { 'webhook-timestamp': timestamp = '', 'webhook-signature': given = '' } = headers
      const look = { delivery, id, timestamp, given, right: entryFor(delivery, id ?? '', timestamp) }
      if (!isTaken(look)) await verify(change(look))
    },
  }
}

/** Returns the delivery as a verifier judges it that signs `made` instead of its id. */
export const underId = ({ delivery, id = '', timestamp }: Look, made: string): SubtleVerifyOptions => {
  const [expected, right] = [entryFor(delivery, made, timestamp), entryFor(delivery, id, timestamp)]
  const judged = (entry: string) => (entry === expected ? right : entry === right ? 'v1,' : entry)
  return withSignature(delivery, (entries) => entries.split(' ').map(judged).join(' '))
}

export function hashCodeOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(31, hash) + text.charCodeAt(at)) | 0
  return hash
}
