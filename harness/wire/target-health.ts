/** Time a target that was there is given to come back, as one that is being restarted does, in milliseconds. */
const absenceMs = 5_000
/** Requests in a row that get no byte of an answer, and the time that takes, before a target counts as hung. */
const silence = { requests: 4, ms: 30_000 } as const
/** Requests in a row without a complete, valid answer, after which a plain request checks whether the target answers anything at all. */
const maxCuts = 20
/**
 * How long a target may answer everything with 429, in milliseconds; and how often in a row, for how many different resources, it may
 * demand an unreasonable wait: a resource with a quota of its own proves nothing about the others.
 */
const limiting = { ms: 60_000, beyondReason: 8, resources: 2 } as const

/** Decides whether a target is still there, from the outcomes of the requests to it. */
export class TargetHealth {
  #hasAnswered = false
  #refusedSince: number | undefined
  #refusedAt: number | undefined
  #silent = 0
  #silentSince: number | undefined
  #cuts = 0
  #limitedSince: number | undefined
  #beyondReason: string[] = []
  #lost: string | undefined
  /** It is lost since requests got no answer, over connections that it took. */
  isSilent = false

  /** Why there is no point in asking on; undefined as long as there is. */
  get lost(): string | undefined {
    return this.#lost
  }

  /** Whether it has answered, and took each connection since. */
  get isThere(): boolean {
    return this.#hasAnswered && this.#refusedSince === undefined
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

  /** A whole answer, whatever its status. */
  answeredInWhole(): void {
    this.#cuts = 0
  }

  /** Records a connection that ended before a complete answer, or with an invalid one. Returns whether it is time for a plain request. */
  cut(): boolean {
    this.#cuts++
    return this.#lost === undefined && this.#cuts >= maxCuts
  }

  /** Records that even a plain request was cut off, or got an invalid answer: `failure`. */
  cutsEverything(host: string, failure?: string): void {
    // Others had whole answers meanwhile: it cuts off only some, as where connections beyond a number are closed.
    if (this.#cuts < maxCuts) return
    if (failure !== undefined && /\bE[MN]FILE\b/.test(failure))
      this.#lost ??= `this process may open no more connections (${failure}): raise the limit of descriptors (ulimit -n)`
    this.#lost ??=
      failure === undefined
        ? `${host} closed each of the last ${this.#cuts} connections before a complete answer`
        : `${host} sent no complete answer to any of the last ${this.#cuts} requests (${failure})`
  }

  /** An answer other than a 429. */
  recordAnswer(): void {
    this.#limitedSince = undefined
    this.#beyondReason = []
  }

  /** Records a 429 for `resource` that demands a wait; `isObeyed` when it is short enough. */
  limited(host: string, { resource, isObeyed }: { readonly resource: string; readonly isObeyed: boolean }): void {
    this.#limitedSince ??= performance.now()
    if (!isObeyed) this.#beyondReason.push(resource)
    const limitedMs = performance.now() - this.#limitedSince
    const isHopeless =
      this.#beyondReason.length >= limiting.beyondReason && new Set(this.#beyondReason).size >= limiting.resources
    if (limitedMs >= limiting.ms || isHopeless)
      this.#lost ??= `${host} answered nothing but 429 for ${Math.ceil(limitedMs / 1000)} s, with a longer Retry-After`
  }

  /** No connection could be had. Returns whether it is worth trying again: the target may be starting again. */
  refused(host: string, code: string): boolean {
    if (!this.#hasAnswered || this.#lost !== undefined) return false
    this.#refusedAt = performance.now()
    this.#refusedSince ??= this.#refusedAt
    if (performance.now() - this.#refusedSince < absenceMs) return true
    this.#lost = `${host} answered at first and then accepted no connection for ${absenceMs / 1000} s (${code})`
    return false
  }

  /** A request that was sent `waitedMs` ago got no answer. */
  recordSilence(host: string, waitedMs: number): void {
    this.#silent++
    this.#silentSince ??= performance.now() - waitedMs
    const silentMs = performance.now() - this.#silentSince
    if (this.#silent < silence.requests || silentMs < silence.ms || this.#lost !== undefined) return
    this.#lost = `${host} answered none of the last ${this.#silent} requests within ${Math.round(silentMs / 1000)} s`
    this.isSilent = true
  }
}
