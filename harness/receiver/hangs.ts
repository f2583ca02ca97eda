import { CheckFailed, type Checks } from '../check.js'
import type { Exchange } from '../wire/exchange.js'

/** From this number of confirmed hangs on, invalid deliveries need no whole patience. */
const enough = 3
/** From then on an invalid delivery is waited for this many times as long as the slowest answer took, and at least so long, in milliseconds. */
const patience = { times: 10, leastMs: 3_000 } as const

/** Ends the name of the check that shows a hang. */
export const whileAnswered = ', while a valid delivery is answered'

/** Invalid deliveries that get no answer while valid ones do: an endpoint whose refusal never ends its response. */
export class Hangs {
  #confirmed = 0
  #slowestMs = 0

  /** Records the time of an answer to any delivery. */
  answered(durationMs: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, durationMs)
  }

  /** Returns the time to wait for an answer to an invalid delivery, in milliseconds. */
  patienceMs(wholeMs: number): number {
    if (this.#confirmed < enough) return wholeMs
    return Math.min(wholeMs, Math.max(patience.leastMs, Math.ceil(patience.times * this.#slowestMs)))
  }

  /**
   * Ends the case with a must failure if the endpoint hangs on invalid deliveries: a valid one is answered, and the invalid one gets no
   * answer again. Each later one of the case would take as long.
   */
  async confirm(
    late: Exchange,
    {
      again,
      valid,
      check,
    }: { readonly again: () => Promise<Exchange>; readonly valid: () => Promise<Exchange>; readonly check: Checks },
  ): Promise<void> {
    if ((await valid()).status === undefined) return
    if (this.#confirmed < enough && !(await again()).isLate) return
    this.#confirmed++
    const what = `answer to ${late.label}${whileAnswered}`
    check.certain.fatal.fail(what, 'a refusal', `no answer (${late.failure ?? 'unknown'})`)
    throw new CheckFailed([])
  }
}
