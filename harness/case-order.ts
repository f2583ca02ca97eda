import type { RequirementId } from '../spec/index.js'
import type { Case } from './case.js'

/** So many of the simplest must cases of a requirement decide whether what depends on it is evaluated. */
const decisive = 2

type Ordered = Pick<Case, 'id' | 'requirements' | 'decides' | 'level' | 'timeoutMs' | 'isBasic' | 'phase'>

/** The simplest must cases of each requirement, the simplest first: what depends on the requirement waits for their results. */
export function simplestCases(cases: readonly Ordered[]): ReadonlyMap<RequirementId, readonly string[]> {
  const simplest = new Map<RequirementId, string[]>()
  for (const testCase of cases.filter(({ level }) => level === 'must').toSorted(bySimplicity))
    for (const id of testCase.requirements) {
      const ids = simplest.get(id) ?? []
      if (ids.length < decisive) simplest.set(id, [...ids, testCase.id])
    }
  return simplest
}

/**
 * Sorts cases by when they start: those that only wait, basic cases, then the simplest of each requirement, so that their failures are
 * known before the consequences; then the longest, which would delay the end of the run.
 */
export function startOrder<Each extends Ordered>(cases: readonly Each[]): Each[] {
  const first = new Set([...simplestCases(cases).values()].map(([id]) => id))
  const rank = ({ id, isBasic, timeoutMs, phase }: Each) => {
    if (phase === 'first') return 0
    if (isBasic === true) return 1
    return first.has(id) && timeoutMs === undefined ? 2 : 3
  }
  return cases.toSorted(
    (a, b) => rank(a) - rank(b) || (rank(a) === 2 ? bySimplicity(a, b) : 0) || (b.timeoutMs ?? 0) - (a.timeoutMs ?? 0),
  )
}

function bySimplicity(a: Ordered, b: Ordered): number {
  return weightOf(a) - weightOf(b)
}

/** A case without a time limit of its own is short. */
function weightOf({ requirements, timeoutMs }: Ordered): number {
  return requirements.length + (timeoutMs === undefined ? 0 : 100)
}
