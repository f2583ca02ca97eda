import { CaseErrored } from './check.js'

export type Ending =
  | { readonly kind: 'ended' }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }

/** So much of each wait for an answer is time of the case itself, in milliseconds: what a service nearby takes. */
const usualAnswerMs = 100
/** A case may last at most this many times its own limit, however slow the answers are. */
const maxTimes = 10

/** The time of one case. The interface sets no answer time for the API, so waiting for a slow answer does not count. */
export class CaseTime {
  readonly #limitMs: number
  readonly #startedAt = performance.now()
  /** When each pending request was sent. */
  readonly #open = new Map<object, number>()
  #waitedMs = 0

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** An answer is waited for; to be called with its end. */
  readonly waiting = (): (() => void) => {
    const key = {}
    this.#open.set(key, performance.now())
    return () => {
      this.#waitedMs += this.#lateOf(this.#open.get(key))
      this.#open.delete(key)
    }
  }

  /** Milliseconds left, counting pending requests as answered now; 0 or less when the time is over. */
  get leftMs(): number {
    const passedMs = performance.now() - this.#startedAt
    const underWayMs = Math.max(0, ...[...this.#open.values()].map((startedAt) => this.#lateOf(startedAt)))
    const creditMs = Math.min(this.#waitedMs + underWayMs, this.#limitMs * (maxTimes - 1))
    return this.#limitMs + creditMs - passedMs
  }

  /** Runs `action` until it ends, its time is over (then `end` is aborted), or `signal` is. */
  async run(signal: AbortSignal, end: AbortController, action: () => Promise<void>): Promise<Ending> {
    let timer: NodeJS.Timeout | undefined
    let onAbort = (): void => {}
    const over = new Promise<Ending>((resolve) => {
      const look = () => {
        const { leftMs } = this
        if (leftMs > 0) timer = setTimeout(look, Math.max(leftMs, 10))
        else resolve({ kind: 'timeout', timeoutMs: this.#limitMs })
      }
      timer = setTimeout(look, this.#limitMs)
      onAbort = () => resolve({ kind: 'threw', error: new CaseErrored('the run was interrupted') })
      signal.addEventListener('abort', onAbort, { once: true })
    })
    const ran = action().then(
      (): Ending => ({ kind: 'ended' }),
      (error: unknown): Ending => ({ kind: 'threw', error }),
    )
    const ending = await Promise.race([ran, over])
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    if (ending.kind === 'timeout') end.abort()
    return ending
  }

  #lateOf(askedAt: number | undefined): number {
    return askedAt === undefined ? 0 : Math.max(0, performance.now() - askedAt - usualAnswerMs)
  }
}
