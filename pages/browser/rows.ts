import type { CaseResult, Outcome } from '../../harness/result.js'
import type { Level } from '../../spec/types.js'
import { searchFor } from './text.js'

/** What a case is in: an outcome, or on its way to one. */
export type RowStatus = Outcome | 'unconfirmed' | 'running' | 'waiting'

/** One case as the page knows it; while a run is under way it may have no result. */
export interface Row {
  readonly id: string
  readonly suite: string
  readonly title: string
  readonly level: Level
  readonly requirements: readonly string[]
  readonly status: RowStatus
  readonly isKnown: boolean
  readonly result?: CaseResult
}

export function rowOf(result: CaseResult): Row {
  const { id, suite, title, level, requirements, status, known_failure } = result
  return { id, suite, title, level, requirements, status, isKnown: known_failure, result }
}

/** In the order in which a reader wants them. */
export const rowStatuses = [
  'failed',
  'errored',
  'unconfirmed',
  'running',
  'waiting',
  'skipped',
  'passed',
] as const satisfies readonly RowStatus[]

/** How many cases have each status. */
export type Counted = Readonly<Partial<Record<RowStatus, number>>>

export function countsOf(rows: readonly Row[]): Counted {
  const counts: Partial<Record<RowStatus, number>> = {}
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export function needsAttention({ status, isKnown }: Row): boolean {
  return (status === 'failed' || status === 'errored') && !isKnown
}

/** A status as it is shown. */
export function wordOf({ status, isKnown }: Pick<Row, 'status' | 'isKnown'>): string {
  return isKnown ? 'known failure' : status
}

/** A group of rows under one heading. */
export interface Group {
  readonly name: string
  readonly about: string
  readonly rows: readonly Row[]
}

function isBad(row: Row): boolean {
  return needsAttention(row) || row.status === 'unconfirmed'
}

function badFirst<Item>(items: readonly Item[], isBad: (item: Item) => boolean): readonly Item[] {
  return [...items.filter(isBad), ...items.filter((item) => !isBad(item))]
}

/** Rows by suite, or by requirement; groups that need attention are first, and in them the rows that do. */
export function groupsOf(
  rows: readonly Row[],
  by: 'suite' | 'requirement',
  sentences: ReadonlyMap<string, string>,
): readonly Group[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    for (const name of by === 'suite' ? [row.suite] : row.requirements) {
      const members = groups.get(name)
      if (members === undefined) groups.set(name, [row])
      else members.push(row)
    }
  }
  const all = [...groups].map(([name, members]): Group => ({
    name,
    about: by === 'suite' ? '' : (sentences.get(name) ?? ''),
    rows: badFirst(members, isBad),
  }))
  return badFirst(all, (group) => group.rows.some(isBad))
}

/** Everything a search looks through, in lower case; made once for each row. */
const searched = new WeakMap<object, string>()

function searchedText(row: Row): string {
  const key = row.result ?? row
  let text = searched.get(key)
  if (text === undefined) {
    const { id, title, requirements, result } = row
    const checks = result?.checks?.flatMap((mismatch) => [mismatch.what, mismatch.expected, mismatch.got]) ?? []
    text = [id, title, ...requirements, result?.message ?? '', result?.reason ?? '', ...checks].join('\n').toLowerCase()
    searched.set(key, text)
  }
  return text
}

/** The filter: the selected outcomes, and every word of the search. */
export interface Wanted {
  readonly statuses: ReadonlySet<string>
  readonly words: string
}

export function matches(row: Row, { statuses, words }: Wanted): boolean {
  if (!statuses.has(row.status)) return false
  return searchFor(words)(searchedText(row))
}
