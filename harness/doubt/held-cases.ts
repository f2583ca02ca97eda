import type { Case } from '../case.js'
import type { CaseResult } from '../result.js'
import { doubtsOfSurroundings, reruns, type Doubt } from './doubts.js'
import { RerunResults, requirementOf } from './rerun-results.js'

/** A result that is not believed yet. */
export interface Held<Context> {
  readonly definition: Case<Context>
  readonly result: CaseResult
  readonly doubt: Doubt
}

/** A case that waits for its rerun. */
interface Waiting<Context> extends Held<Context> {
  /** Reruns so far, with the outcome of the case before each. */
  readonly reruns: NonNullable<CaseResult['reruns']>
  readonly since: number
  /** Whether the doubt needs a rerun without other cases. */
  readonly needsQuiet: boolean
}

export interface HeldOptions {
  /** How often a case is run again at most. */
  readonly maxRepeats: number
  /** Cases that may run at once where few should. */
  readonly few: number
  /** Whether failures that are known explain the whole of this one, so that a rerun could add nothing. */
  readonly isFolded: (result: CaseResult) => boolean
  /** The failure as one that was not evaluated, where other cases have shown each sentence that it contradicts. */
  readonly shownElsewhere: (result: CaseResult) => CaseResult | undefined
  /** Whether it is still open that such failures exist. */
  readonly isWaiting: (result: CaseResult) => boolean
}

/** Cases without a verdict that took longer, in milliseconds, are not run again. */
const longestMs = { lost: 80_000, late: 240_000 } as const
/** Reruns at once of failures of one requirement: what the first show decides on the others. */
const mostAlike = 3
/**
 * A failure that needs quiet waits so long, in milliseconds, before no new case is started for it; for running cases to end it is
 * waited so long, and the next time no sooner than that.
 */
const quiet = { afterMs: 4_000, drainMs: 6_000, everyMs: 30_000 } as const

/** The doubtful cases: which is rerun when, with how many others, and when a rerun is unnecessary. */
export class HeldCases<Context> {
  readonly #options: HeldOptions
  readonly #experience = new RerunResults()
  #waiting: Waiting<Context>[] = []
  readonly #running = new Set<Waiting<Context>>()
  #drainSince: number | undefined
  #notBefore = 0

  constructor(options: HeldOptions) {
    this.#options = options
  }

  add(held: Held<Context>): void {
    this.#waiting.push({ ...held, reruns: [], since: performance.now(), needsQuiet: false })
  }

  /** Takes the results that need no rerun, by what others showed or explain. */
  takeBelieved(): CaseResult[] {
    const believed = new Map<Waiting<Context>, CaseResult>()
    for (const held of this.#waiting) {
      const result = this.#isBelieved(held) ? held.result : this.#foldedInto(held)
      if (result !== undefined) believed.set(held, resultOf(held, result))
    }
    this.#waiting = this.#waiting.filter((held) => !believed.has(held))
    return [...believed.values()]
  }

  /** Returns the remaining results when the run ends: the doubtful ones that others confirm, and the lost answers. */
  takeRest(): CaseResult[] {
    const rest = [
      ...this.takeBelieved(),
      ...this.#waiting.filter(({ doubt }) => doubt === 'lost').map((held) => resultOf(held)),
    ]
    this.#waiting = []
    return rest
  }

  /**
   * The case to run again now, and the most that may run with it; undefined where none is ready, `wait` where one is and no other
   * case should start before it.
   */
  next(
    mayStart: (company: number) => boolean,
    areOthersLeft: boolean,
  ): { readonly held: Held<Context>; readonly company: number } | 'wait' | undefined {
    const start = (held: Waiting<Context>) => {
      this.#waiting = this.#waiting.filter((other) => other !== held)
      this.#running.add(held)
      return { held, company: this.#companyOf(held) }
    }
    const ready = this.#waiting.filter((held) => this.#isReady(held)).toSorted(bySimplicity)
    const unrestricted = ready.find((held) => this.#companyOf(held) === Infinity && mayStart(Infinity))
    if (unrestricted !== undefined) return start(unrestricted)
    const calm = ready.find((held) => this.#companyOf(held) < Infinity)
    if (calm !== undefined && !areOthersLeft) return mayStart(this.#companyOf(calm)) ? start(calm) : 'wait'
    if (calm !== undefined && this.#isQuietDue()) {
      if (!mayStart(this.#companyOf(calm))) return 'wait'
      return start(calm)
    }
    const [any] = this.#waiting
    // Each waits for what another is to show, and nothing else is left that could.
    return any !== undefined && !areOthersLeft && mayStart(1) && this.#running.size === 0 ? start(any) : undefined
  }

  /** Records the result of a rerun; returns the result if it is final. */
  ended(
    held: Held<Context>,
    {
      result,
      doubt,
      company,
      isCutOff,
    }: Pick<Held<Context>, 'result'> & {
      readonly doubt: Doubt | undefined
      readonly company: number
      /** The run is ending, and the rerun showed nothing. */
      readonly isCutOff: boolean
    },
  ): CaseResult | undefined {
    const earlier = held as Waiting<Context>
    this.#running.delete(earlier)
    if (isCutOff) return undefined
    const { evidence } = reruns[earlier.doubt]
    const made = [...earlier.reruns, { reason: earlier.doubt, evidence, earlier: earlier.result.status }]
    const next = this.#nextDoubt(earlier, { result, doubt, company, count: made.length })
    if (next !== undefined) {
      this.#waiting.push({ ...earlier, result, doubt: next, reruns: made, needsQuiet: true })
      return undefined
    }
    if (earlier.doubt === 'lost') this.#experience.learnLost(doubt === 'lost')
    else this.#experience.learn(earlier.result, result)
    return { ...result, reruns: made }
  }

  /** Returns why a case needs another rerun; undefined if its result is final. */
  #nextDoubt(
    earlier: Waiting<Context>,
    {
      result,
      doubt,
      company,
      count,
    }: {
      readonly result: CaseResult
      readonly doubt: Doubt | undefined
      readonly company: number
      readonly count: number
    },
  ): Doubt | undefined {
    if (doubt === undefined && result.status !== 'errored') return undefined
    const { times } = reruns[earlier.doubt]
    const isBeside = company > 1
    if (count >= this.#options.maxRepeats + (isBeside && times === 'once' ? 1 : 0)) return undefined
    if (earlier.doubt === 'stale') return 'stale'
    if (doubt === undefined) return undefined
    const isSame = doubt === earlier.doubt && times === 'until certain'
    return isSame || (doubtsOfSurroundings.has(doubt) && (isBeside || reruns[doubt].times === 'until certain'))
      ? doubt
      : undefined
  }

  #isBelieved({ result, doubt }: Waiting<Context>): boolean {
    if (this.#experience.isConvinced(result, doubt)) return true
    if (doubt === 'lost') return result.duration_ms >= longestMs.lost
    if (result.status === 'errored') return result.duration_ms >= longestMs.late
    return this.#options.isFolded(result)
  }

  /** A failure that was found twice on a busy machine, where it could only confirm what other cases have shown. */
  #foldedInto({ result, doubt, reruns: made }: Waiting<Context>): CaseResult | undefined {
    return doubt === 'late' && made.length > 0 ? this.#options.shownElsewhere(result) : undefined
  }

  #isReady({ result }: Waiting<Context>): boolean {
    if (this.#options.isWaiting(result)) return false
    const requirement = requirementOf(result)
    return [...this.#running].filter((held) => requirementOf(held.result) === requirement).length < mostAlike
  }

  #companyOf({ doubt, needsQuiet, reruns: made }: Waiting<Context>): number {
    const { company } = reruns[doubt]
    if (company === 'any') return needsQuiet ? 1 : Infinity
    if (company === 'few') return needsQuiet ? 1 : this.#options.few
    const isLast = made.length + 1 >= this.#options.maxRepeats
    return company === 'none' || needsQuiet || isLast ? 1 : Infinity
  }

  /** Whether new cases wait now, until what runs has ended and the failures that need quiet were run again. */
  #isQuietDue(): boolean {
    const now = performance.now()
    if (this.#drainSince !== undefined && now - this.#drainSince < quiet.drainMs) return true
    if (this.#drainSince !== undefined) {
      this.#drainSince = undefined
      this.#notBefore = now + quiet.everyMs
    }
    const isOld = (held: Waiting<Context>) => held.result.status === 'failed' && now - held.since > quiet.afterMs
    if (now < this.#notBefore || !this.#waiting.some(isOld)) return false
    this.#drainSince = now
    return true
  }
}

/** The simplest first: what others depend on is checked by the simplest cases. */
function bySimplicity<Context>(a: Held<Context>, b: Held<Context>): number {
  return a.definition.requirements.length - b.definition.requirements.length
}

/** The result with the reruns that were made. */
function resultOf<Context>({ result, reruns: made }: Waiting<Context>, final: CaseResult = result): CaseResult {
  return made.length === 0 ? final : { ...final, reruns: made }
}
