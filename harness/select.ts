import picomatch from 'picomatch'
import { requirementIds, requirements, type Level, type ReportKind } from '../spec/index.js'
import { suiteOf, type Case } from './case.js'
import { nearest } from './nearest.js'
import { casesOfShard, type Shard } from './shards.js'

export interface Selection {
  /** Ids or globs of suites: `service/retries`, `service/*`. */
  readonly suites: readonly string[]
  /** Ids or globs of cases: `service/retries/*`. */
  readonly cases: readonly string[]
  /** Ids of requirements: selects the cases that test them. */
  readonly requirements?: readonly string[]
  /** Ids or globs of cases to leave out of what the other options select. */
  readonly exclude?: readonly string[]
  /** Keeps only the cases whose id or title contains this text, in any case. */
  readonly grep?: string
  /** Keeps only these of the cases that the other options select; absent keeps all. */
  readonly only?: ReadonlySet<string>
  /** `must` leaves out the cases of level `should`. */
  readonly level?: Level
  readonly shard?: Shard
}

/** A pattern that names no case; carries what the user may have meant. */
class UnmatchedPattern extends Error {
  override readonly name = 'UnmatchedPattern'
}

/** What a selection looks at. */
type SelectableCase = Pick<Case, 'title' | 'level' | 'requirements' | 'formerly'> & {
  readonly id: string
  readonly subject: ReportKind
}

/** The cases that `selection` names, in catalogue order. Throws {@link UnmatchedPattern} for a pattern that matches none. */
export function selectCases<Info extends SelectableCase>(catalogue: readonly Info[], selection: Selection): Info[] {
  const byCase = selection.cases.map((pattern) => matcher(catalogue, '--case', pattern, idsOf))
  const bySuite = selection.suites.map((pattern) =>
    matcher(catalogue, '--suite', pattern, (testCase) => suitesOf(testCase.id)),
  )
  const byRequirement = (selection.requirements ?? []).map((id) =>
    matcher(catalogue, '--requirement', id.toUpperCase(), (testCase) => testCase.requirements),
  )
  const matches = [...byCase, ...bySuite, ...byRequirement]
  const excluded = (selection.exclude ?? []).map((pattern) => matcher(catalogue, '--exclude', pattern, idsOf))
  const containsText = textMatcher(catalogue, selection.grep)
  const { only, level, shard } = selection
  const chosen = catalogue.filter(
    (testCase) =>
      (matches.length === 0 || matches.some((match) => match(testCase))) &&
      (only === undefined || only.has(testCase.id)) &&
      (level !== 'must' || testCase.level === 'must') &&
      containsText(testCase) &&
      !excluded.some((match) => match(testCase)),
  )
  return shard === undefined ? chosen : casesOfShard(chosen, shard)
}

/** Returns the id of a case, and those it had in earlier versions. */
function idsOf({ id, formerly = [] }: SelectableCase): readonly string[] {
  return [id, ...formerly]
}

function textMatcher(
  catalogue: readonly SelectableCase[],
  text: string | undefined,
): (testCase: SelectableCase) => boolean {
  if (text === undefined) return () => true
  const wanted = text.toLowerCase()
  const match = ({ id, title }: SelectableCase) => `${id}\n${title}`.toLowerCase().includes(wanted)
  if (!catalogue.some(match))
    throw new UnmatchedPattern(`--grep ${text}: no id or title contains it (conformance list shows them)`)
  return match
}

/** `service/retries/x` belongs to `service/retries` and to `service`. */
function suitesOf(id: string): string[] {
  const suite = suiteOf(id)
  return [suite, suite.slice(0, suite.indexOf('/')), suite.slice(suite.indexOf('/') + 1)]
}

function matcher<Info extends SelectableCase>(
  catalogue: readonly Info[],
  option: string,
  pattern: string,
  namesOf: (testCase: Info) => readonly string[],
): (testCase: Info) => boolean {
  const isMatch = picomatch(pattern, { bash: true })
  const match = (testCase: Info) => namesOf(testCase).some((name) => name === pattern || isMatch(name))
  if (!catalogue.some(match)) throw new UnmatchedPattern(unmatchedMessage(catalogue, option, pattern, namesOf))
  return match
}

function unmatchedMessage<Info extends SelectableCase>(
  catalogue: readonly Info[],
  option: string,
  pattern: string,
  namesOf: (testCase: Info) => readonly string[],
): string {
  const requirement = requirementIds.find((id) => option === '--requirement' && id === pattern)
  if (requirement !== undefined) {
    const kind = catalogue[0]?.subject ?? 'target'
    const { subject } = requirements[requirement]
    const owner = subject === kind ? '' : `; it applies to a ${subject}`
    return `${option} ${pattern}: no case for a ${kind} checks it${owner} (more: conformance explain ${pattern})`
  }
  const names = [...new Set(catalogue.flatMap((testCase) => [...namesOf(testCase)]))]
  const lastOf = (name: string) => name.split('/').at(-1) ?? name
  const byLast = new Set(nearest(lastOf(pattern), [...new Set(names.map(lastOf))]))
  const near = [...new Set([...nearest(pattern, names), ...names.filter((name) => byLast.has(lastOf(name)))])].slice(
    0,
    3,
  )
  const all = option === '--requirement' ? 'conformance list --requirements' : 'conformance list'
  return `${option} ${pattern} matches nothing${near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`} (${all} shows every id)`
}
