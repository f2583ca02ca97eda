import { suiteOf } from '../case.js'
import type { CaseResult } from '../result.js'
import type { Doubt } from './doubts.js'

/** So many doubtful failures that were confirmed, and none that was not, are enough to believe the next without a rerun. */
const convincing = { inRun: 4, inSuite: 4, ofRequirement: 3 } as const
/** After this many cases lost their answer even when run alone, stop rerunning the others. */
const convincinglyLost = 4

/** The results of the reruns so far, which show the failures that another rerun would only confirm. */
export class RerunResults {
  #confirmed = 0
  #overturned = 0
  /** Confirmed failures by suite and by requirement; -Infinity once a rerun passed. */
  readonly #bySuite = new Map<string, number>()
  readonly #byRequirement = new Map<string, number>()
  /** Cases that lost their answer when run alone too; -Infinity once one got it then. */
  #stayedLost = 0

  /** Records the result of the rerun of a failure. */
  learn(earlier: CaseResult, result: CaseResult): void {
    const { id, status } = result
    const isConfirmed = status === 'failed'
    if (isConfirmed) this.#confirmed++
    else this.#overturned++
    const count = (counts: Map<string, number>, key: string) =>
      counts.set(key, isConfirmed ? (counts.get(key) ?? 0) + 1 : -Infinity)
    count(this.#bySuite, suiteOf(id))
    count(this.#byRequirement, requirementOf(isConfirmed ? result : earlier))
  }

  /** Notes whether a case lost its answer when it ran alone. */
  learnLost(isLostAgain: boolean): void {
    this.#stayedLost = isLostAgain ? this.#stayedLost + 1 : -Infinity
  }

  /** Whether a rerun for this doubt would most likely show what others of its kind showed. */
  isConvinced(result: CaseResult, doubt: Doubt): boolean {
    if (doubt === 'lost') return this.#stayedLost >= convincinglyLost
    const ofRequirement = this.#byRequirement.get(requirementOf(result)) ?? 0
    if (result.status === 'failed' && ofRequirement >= convincing.ofRequirement) return true
    if (doubt === 'stale') return false
    if ((this.#bySuite.get(suiteOf(result.id)) ?? 0) >= convincing.inSuite) return true
    return doubt !== 'late' && this.#confirmed >= convincing.inRun && this.#overturned === 0
  }
}

/** The requirement that a result contradicts first. */
export function requirementOf({ violates, requirements }: CaseResult): string {
  return violates?.[0] ?? requirements[0] ?? ''
}
