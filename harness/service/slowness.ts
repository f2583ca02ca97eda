import { answerTimeMs } from '../../spec/index.js'
import type { Exchange } from '../wire/exchange.js'
import { mayBeOfGateway } from './persistence.js'

/** Longest pause before a request is repeated after an answer of a gateway or the network, on a busy machine, in milliseconds. */
const againMs = 5_000

/** How slow the answers of one case were: while it waits for one, a delay may pass by itself. */
export class Slowness {
  #slowestMs = 0

  /** Records each exchange of the case, once it is over. */
  saw({ request, durationMs, status }: Exchange): void {
    const { pathname } = new URL(request.url)
    // Nothing is under way in a workspace that is being made; a move of the clock waits for attempts that get no answer.
    if (pathname.endsWith('/workspaces')) return
    const ownMs = pathname.endsWith('/clock') ? answerTimeMs : 0
    const isRetried = status === undefined || mayBeOfGateway(status)
    this.#slowestMs = Math.max(this.#slowestMs, durationMs - ownMs, isRetried ? againMs : 0)
  }

  /** In milliseconds. */
  get slowestMs(): number {
    return this.#slowestMs
  }
}
