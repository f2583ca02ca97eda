import { CaseErrored } from '../check.js'
import { memberOf } from '../wire/exchange.js'

/** Longest id, secret or cursor that is used, in characters: a longer one would be kept and sent back with every request. */
export const maxNameLength = 1_024
/** Members by which a later request names something. */
const names = ['id', 'secret', 'next', 'next_cursor', 'cursor'] as const
/** Items of a list whose ids are looked at. */
const maxItems = 500

/** Returns the member of an answer, or of an item of it, that is too long to be used; undefined where none is. */
export function longNameIn(value: unknown): { readonly name: string; readonly length: number } | undefined {
  const lists = typeof value === 'object' && value !== null ? [value, ...Object.values(value)] : []
  const items = lists.flatMap((list: unknown) => (Array.isArray(list) ? list.slice(0, maxItems) : []))
  for (const item of [value, ...items])
    for (const name of names) {
      const text = memberOf(item, name)
      if (typeof text === 'string' && text.length > maxNameLength) return { name, length: text.length }
    }
  return undefined
}

/** Ends the case where an answer holds such a member: the always-on checks have booked it by then. */
export function refuseLongNames(what: string, value: unknown): void {
  const long = longNameIn(value)
  if (long === undefined) return
  throw new CaseErrored(
    `${what}: "${long.name}" has ${long.length} characters; more than ${maxNameLength} are never sent back, so the case could not go on`,
  )
}
