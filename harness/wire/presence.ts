/** Time a target that was there is given to come back, as one that is being restarted does, in milliseconds. */
const absenceMs = 5_000
/** Requests in a row that get no byte of an answer, and the time that takes, before a target counts as hung. */
const silence = { requests: 8, ms: 30_000 } as const

/** Whether a target is still there, told from what became of the requests sent to it. */
export class Presence {
  #hasAnswered = false
  #refusedSince: number | undefined
  #refusedAt: number | undefined
  #silent = 0
  #silentSince: number | undefined
  #lost: string | undefined

  /** Why there is no point in asking on; undefined as long as there is. */
  get lost(): string | undefined {
    return this.#lost
  }

  /** Whether a connection was refused at `since` (of `performance.now()`) or later by a target that had been there. */
  wasAway(since: number): boolean {
    return this.#refusedAt !== undefined && this.#refusedAt >= since
  }

  /** Something came back, whatever it was. */
  answered(): void {
    this.#hasAnswered = true
    this.#refusedSince = undefined
    this.#silent = 0
    this.#silentSince = undefined
  }

  /** No connection could be had. Returns whether it is worth trying again: the target may be starting anew. */
  refused(host: string, code: string): boolean {
    if (!this.#hasAnswered || this.#lost !== undefined) return false
    this.#refusedAt = performance.now()
    this.#refusedSince ??= this.#refusedAt
    if (performance.now() - this.#refusedSince < absenceMs) return true
    this.#lost = `${host} answered at first and then took no connection for ${absenceMs / 1000} s (${code})`
    return false
  }

  /** A request that was sent `waitedMs` ago got no answer. */
  stayedSilent(host: string, waitedMs: number): void {
    this.#silent++
    this.#silentSince ??= performance.now() - waitedMs
    const silentMs = performance.now() - this.#silentSince
    if (this.#silent >= silence.requests && silentMs >= silence.ms)
      this.#lost ??= `${host} answered none of the last ${this.#silent} requests within ${Math.round(silentMs / 1000)} s`
  }
}
