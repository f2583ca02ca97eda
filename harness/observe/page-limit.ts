// How many items a page may hold.
import { defaultPageSize, maxPageSize, type RequirementId } from '../../spec/index.js'
import { labelOf } from './operation.js'
import type { Ledger } from './ledger.js'
import type { ExchangeLine } from './record.js'

/** Requirements of a page: its default size, its `limit`, its maximum. */
type LimitRequirements = readonly [usual: RequirementId, limit: RequirementId, maximum: RequirementId]

/** Checks the number of items of a list against `limit`; returns the number it may have. */
export function checkLimit(
  ledger: Ledger,
  {
    line,
    count,
    query,
    ids,
  }: {
    readonly line: ExchangeLine
    readonly count: number
    readonly query: URLSearchParams
    readonly ids: LimitRequirements
  },
): number {
  const [text = '', another] = query.getAll('limit')
  if (another !== undefined) return maxPageSize
  const given = /^\d+$/.test(text) && Number(text) >= 1 ? Number(text) : undefined
  const [requirement, most] =
    given !== undefined && given <= maxPageSize
      ? ([ids[1], given] as const)
      : text === ''
        ? ([ids[0], defaultPageSize] as const)
        : ([ids[2], maxPageSize] as const)
  const isTooMany = count > maxPageSize
  ledger.checked(requirement)
  if (count > most)
    ledger.violated(isTooMany && text !== '' && given === undefined ? ids[2] : requirement, {
      what: `items of ${labelOf(line)}${text === '' ? '' : `?limit=${text}`}`,
      expected: `at most ${most}`,
      got: count,
      fault: `limit:${ids[0]}`,
      lines: [line],
    })
  return most
}
