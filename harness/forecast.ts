import type { ReportKind, RequirementId } from '../spec/index.js'
import { requirementIds, requirements } from '../spec/index.js'
import type { Case } from './case.js'
import { counted } from './counted.js'
import { findMissingOfCase, applicableCases } from './missing-capability.js'
import type { Addition } from './result.js'
import { decideRequirement } from './requirement-decision.js'
import type { Subject } from './subject.js'

type FindMissing = Subject<never>['findMissing']
type CatalogueCase = Pick<Case, 'requirements' | 'decides' | 'needs' | 'level' | 'timeoutMs'>

/** The additions that would let more cases run against a target. */
export interface CoverageForecast {
  /** What can be added, as it is called where it is added. */
  readonly additions: readonly string[]
  /** An alternative to all of the additions, if there is one. */
  readonly instead?: string
  /** The missing capabilities once these are added. */
  readonly findMissingWith: (added: readonly string[]) => FindMissing
}

/** Additions that the forecast lists at most. */
const maxShown = 3

/** The requirements of a kind that a run could verify. */
export function verifiable(
  kind: ReportKind,
  catalogue: readonly CatalogueCase[],
  findMissing: FindMissing,
): ReadonlySet<RequirementId> {
  const missingOf = new Map(catalogue.map((testCase) => [testCase, findMissingOfCase(testCase, findMissing)]))
  return new Set(
    requirementIds.filter((id) => {
      const { subject, untestable } = requirements[id]
      if (subject !== kind || untestable !== undefined) return false
      const cases = applicableCases(
        catalogue.filter((testCase) => testCase.requirements.includes(id)),
        (testCase) => missingOf.get(testCase)?.isForOthers === true,
      )
      return decideRequirement(id, cases, (testCase) => (missingOf.get(testCase) === undefined ? 'passed' : 'lacking'))
        .isVerified
    }),
  )
}

/** Counts the other requirements that have some cases that can run. */
export function countVerifiableInPart(
  kind: ReportKind,
  catalogue: readonly CatalogueCase[],
  findMissing: FindMissing,
): number {
  const whole = verifiable(kind, catalogue, findMissing)
  const runnable = catalogue.filter((testCase) => findMissingOfCase(testCase, findMissing) === undefined)
  const touched = new Set(runnable.flatMap((testCase) => testCase.requirements))
  return [...touched].filter((id) => requirements[id].subject === kind && !whole.has(id)).length
}

/**
 * Returns the three additions that would verify most requirements, each counted on top of the ones before it, and the alternative to them;
 * of the `open` requirements only, if given.
 */
export function bestAdditions(
  kind: ReportKind,
  catalogue: readonly CatalogueCase[],
  { forecast, open }: { readonly forecast: CoverageForecast; readonly open?: ReadonlySet<string> },
): Addition[] {
  const counts = new Map<string, number>()
  const countWith = (added: readonly string[]): number => {
    const key = added.toSorted().join('\n')
    const known = counts.get(key)
    if (known !== undefined) return known
    const all = [...verifiable(kind, catalogue, forecast.findMissingWith(added))]
    const count = all.filter((id) => open === undefined || open.has(id)).length
    counts.set(key, count)
    return count
  }
  const { additions, instead } = forecast
  const [best = []] = subsets(additions, maxShown).toSorted(
    (a, b) => countWith(b) - countWith(a) || a.length - b.length,
  )
  const shown: Addition[] = []
  const names: string[] = []
  for (let left = [...best]; left.length > 0; left = left.filter((name) => !names.includes(name))) {
    const [next = ''] = left.toSorted((a, b) => countWith([...names, b]) - countWith([...names, a]))
    shown.push({ name: next, requirements: countWith([...names, next]) - countWith(names) })
    names.push(next)
  }
  const whole = instead === undefined ? 0 : countWith([instead]) - countWith([])
  return [
    ...shown,
    ...(instead === undefined || whole === 0 ? [] : [{ name: instead, requirements: whole, instead: true as const }]),
  ]
}

/** Yields every choice of at most this many, smaller ones first. */
function subsets(names: readonly string[], most: number): (readonly string[])[] {
  const withOne = (all: (readonly string[])[], name: string) => [
    ...all,
    ...all.filter((subset) => subset.length < most).map((subset) => [...subset, name]),
  ]
  return names.reduce(withOne, [[]])
}

/** The additions in words, one line each. */
export function additionLines(additions: readonly Addition[]): string[] {
  return additions.map(({ name, requirements: count, instead }, index) => {
    const lead = instead === true ? (index === 0 ? 'add' : 'or, alone, add') : index === 0 ? 'add' : 'then'
    return `${lead} ${name}: +${counted(count, 'requirement')}`
  })
}
