import picomatch from 'picomatch'
import type { Level } from '../spec/index.js'
import { suiteOf, type Case } from './case.js'

export interface Selection {
  /** Ids or globs of suites: `service/retries`, `service/*`. */
  readonly suites: readonly string[]
  /** Ids or globs of cases: `service/retries/*`. */
  readonly cases: readonly string[]
  /** `must` leaves out the cases of level `should`. */
  readonly level?: Level
  /** Part of the cases, `index` from 1 to `count`. */
  readonly shard?: { readonly index: number; readonly count: number }
}

/** A pattern that names no case; carries what the user may have meant. */
export class UnmatchedPattern extends Error {
  override readonly name = 'UnmatchedPattern'
}

/** The cases that `selection` names, in catalogue order. Throws {@link UnmatchedPattern} for a pattern that matches none. */
export function selectCases<C>(catalogue: readonly Case<C>[], selection: Selection): Case<C>[] {
  const byCase = selection.cases.map((pattern) =>
    matcher(catalogue, '--case', pattern, (each) => [each.id, ...(each.formerly ?? [])]),
  )
  const bySuite = selection.suites.map((pattern) => matcher(catalogue, '--suite', pattern, (each) => suitesOf(each.id)))
  const chosen = catalogue.filter(
    (each) =>
      (byCase.length === 0 && bySuite.length === 0) ||
      byCase.some((match) => match(each)) ||
      bySuite.some((match) => match(each)),
  )
  const levelled = selection.level === 'must' ? chosen.filter((each) => each.level === 'must') : chosen
  const { shard } = selection
  return shard === undefined ? levelled : levelled.filter((_, index) => index % shard.count === shard.index - 1)
}

/** `service/retries/x` belongs to `service/retries` and to `service`. */
function suitesOf(id: string): string[] {
  const suite = suiteOf(id)
  return [suite, suite.slice(0, suite.indexOf('/')), suite.slice(suite.indexOf('/') + 1)]
}

function matcher<C>(
  catalogue: readonly Case<C>[],
  option: string,
  pattern: string,
  namesOf: (each: Case<C>) => readonly string[],
): (each: Case<C>) => boolean {
  const isMatch = picomatch(pattern, { bash: true })
  const match = (each: Case<C>) => namesOf(each).some((name) => name === pattern || isMatch(name))
  if (!catalogue.some(match)) throw new UnmatchedPattern(unmatchedMessage(catalogue, option, pattern, namesOf))
  return match
}

function unmatchedMessage<C>(
  catalogue: readonly Case<C>[],
  option: string,
  pattern: string,
  namesOf: (each: Case<C>) => readonly string[],
): string {
  const last = pattern.split('/').at(-1) ?? pattern
  const names = new Set(catalogue.flatMap((each) => [...namesOf(each)]))
  const near = [...names].find((name) => last.length > 2 && name.includes(last.slice(0, 8)))
  return `${option} ${pattern} matches nothing${near === undefined ? '' : `; did you mean ${near}?`} (conformance list shows every id)`
}
