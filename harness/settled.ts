// When a sentence counts as verified although some of its cases were not asked: one that settles it has passed.
import { requirements, type RequirementId } from '../spec/index.js'
import type { Case } from './case.js'

/** What became of a case, as far as its requirements are concerned; `lacking`: the target gives no means to ask it. */
export type Standing = 'passed' | 'lacking' | 'open'

type Deciding = Pick<Case, 'level' | 'requirements' | 'settles'>

/** Whether a requirement is verified, and how many cases that ask more of it were not asked. */
export interface Settled {
  readonly isVerified: boolean
  readonly notAsked: number
}

/**
 * A requirement is verified when all cases that decide it passed. One that cannot be asked for want of a power leaves it
 * verified where another passed that settles it: that asks the whole sentence, and this one asks it again with data, at a depth
 * or in a company that the target does not give.
 */
export function settled<Each extends Deciding>(
  id: RequirementId,
  catalogue: readonly Each[],
  standing: (each: Each) => Standing,
): Settled {
  const cases = catalogue.filter((each) => each.requirements.includes(id))
  const must = cases.filter((each) => each.level === 'must')
  const deciding = must.length > 0 ? must : cases
  const lacking = deciding.filter((each) => standing(each) === 'lacking')
  const others = deciding.filter((each) => standing(each) !== 'lacking')
  const isGood = others.length > 0 && others.every((each) => standing(each) === 'passed')
  if (lacking.length === 0 || requirements[id].asksApart === true) return { isVerified: isGood, notAsked: 0 }
  const settling = deciding.filter((each) => each.settles?.includes(id) === true)
  const isSettled = settling.some((each) => standing(each) === 'passed')
  return isGood && isSettled ? { isVerified: true, notAsked: lacking.length } : { isVerified: false, notAsked: 0 }
}
