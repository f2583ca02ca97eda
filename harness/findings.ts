import type { RequirementId } from '../spec/index.js'
import type { Ending } from './case-time.js'
import { CheckFailed } from './check.js'
import type { Mismatch } from './result.js'

/** The mismatches of one case, and the waits that timed out before them. */
export class Findings {
  readonly mismatches: Mismatch[] = []
  readonly #missed = new Set<RequirementId>()
  /** Mismatches found after a wait that was long enough for the load of this machine. */
  readonly #awaited = new WeakSet<Mismatch>()
  readonly #certain = new WeakSet<Mismatch>()
  #hasMissed = false
  #isCutOff = false
  /** By how much this run itself was late with what the case rests on, in milliseconds. */
  lateMs = 0
  readonly #dependsOn: readonly RequirementId[]

  /** `dependsOn`: what the case depends on from its beginning. */
  constructor(dependsOn: readonly RequirementId[] = []) {
    this.#dependsOn = dependsOn
  }

  /** `isCertain`: no wait and no lateness can have brought it about. */
  add(mismatch: Mismatch, isCertain = false): void {
    const found = isCertain ? this.#based(mismatch) : this.#seen(mismatch)
    if (isCertain) this.#certain.add(found)
    this.mismatches.push(found)
  }

  /** `isExcused`: the machine was so busy that no patience is enough. */
  miss(requirements: readonly RequirementId[], isExcused: boolean): void {
    this.#hasMissed = true
    this.#isCutOff ||= isExcused
    for (const requirement of requirements) this.#missed.add(requirement)
  }

  cutOff(): void {
    this.#hasMissed = true
    this.#isCutOff = true
  }

  late(ms: number): void {
    this.cutOff()
    this.lateMs = Math.max(this.lateMs, ms)
  }

  /** Whether a mismatch is about a time, so that it proves nothing where this run was late itself. */
  isOfTime(mismatch: Mismatch): boolean {
    return mismatch.kind === 'measured' && !this.#awaited.has(mismatch)
  }

  /** Whether neither a wait nor a late process can have caused a mismatch. */
  isCertain(mismatch: Mismatch): boolean {
    return this.#certain.has(mismatch)
  }

  /** Returns the ending, its last mismatches marked with the waits that had timed out by then. */
  ending(ended: Ending): Ending {
    if (ended.kind !== 'threw' || !(ended.error instanceof CheckFailed)) return ended
    const { mismatches, counterexample } = ended.error
    return {
      kind: 'threw',
      error: new CheckFailed(
        mismatches.map((mismatch) => this.#seen(mismatch)),
        counterexample,
      ),
    }
  }

  #seen(mismatch: Mismatch): Mismatch {
    if (!this.#hasMissed) return this.#based(mismatch)
    const seen: Mismatch = {
      ...this.#based(mismatch, this.#missed),
      kind: mismatch.kind === 'compared' ? 'measured' : mismatch.kind,
    }
    if (mismatch.kind === 'compared' && !this.#isCutOff) this.#awaited.add(seen)
    return seen
  }

  #based(mismatch: Mismatch, missed: Iterable<RequirementId> = []): Mismatch {
    const basis = new Set([...(mismatch.depends_on ?? []), ...this.#dependsOn, ...missed])
    return basis.size === 0 ? mismatch : { ...mismatch, depends_on: [...basis] }
  }
}
