// Decides when a requirement counts as verified although some of its cases did not run: a case that decides it has passed.
import { requirements, type RequirementId } from '../spec/index.js'
import type { Case } from './case.js'

/** The state of a case for its requirements; `lacking`: the target has no means to run it. */
export type CaseState = 'passed' | 'lacking' | 'open'

type Deciding = Pick<Case, 'level' | 'requirements' | 'decides'>

export interface RequirementDecision {
  readonly isVerified: boolean
  readonly notRun: number
}

/**
 * A requirement is verified when all cases that decide it passed. A case that cannot run for want of a capability leaves it verified if
 * another case passed that decides it: that one tests the whole sentence, and this one repeats it with data, at a depth or in a combination
 * that the target does not offer.
 */
export function decideRequirement<C extends Deciding>(
  id: RequirementId,
  catalogue: readonly C[],
  standing: (testCase: C) => CaseState,
): RequirementDecision {
  const cases = catalogue.filter((testCase) => testCase.requirements.includes(id))
  const must = cases.filter((testCase) => testCase.level === 'must')
  const deciding = must.length > 0 ? must : cases
  const missing = deciding.filter((testCase) => standing(testCase) === 'lacking')
  const others = deciding.filter((testCase) => standing(testCase) !== 'lacking')
  const isGood = others.length > 0 && others.every((testCase) => standing(testCase) === 'passed')
  if (missing.length === 0 || requirements[id].needsEveryCase === true) return { isVerified: isGood, notRun: 0 }
  const settling = deciding.filter((testCase) => testCase.decides?.includes(id) === true)
  const isSettled = settling.some((testCase) => standing(testCase) === 'passed')
  return isGood && isSettled ? { isVerified: true, notRun: missing.length } : { isVerified: false, notRun: 0 }
}
