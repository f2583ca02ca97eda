import { answerTimeMs } from '../../spec/index.js'
import type { Exchange } from '../wire/exchange.js'

/** How slow the answers of one case were: while it waits for one, a delay may pass by itself. */
export class Slowness {
  #slowestMs = 0

  /** Told each exchange of the case, once it is over. */
  saw({ request, durationMs }: Exchange): void {
    const { pathname } = new URL(request.url)
    // Nothing is under way in a workspace that is being made; a move of the clock waits for attempts that get no answer.
    if (pathname.endsWith('/workspaces')) return
    this.#slowestMs = Math.max(this.#slowestMs, durationMs - (pathname.endsWith('/clock') ? answerTimeMs : 0))
  }

  /** In milliseconds. */
  get slowestMs(): number {
    return this.#slowestMs
  }
}
