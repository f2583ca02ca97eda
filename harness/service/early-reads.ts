import { createHash } from 'node:crypto'
import { memberOf, type Exchange, type WireRequest } from '../wire/exchange.js'
import { pause } from '../wire/pace.js'
import { percentDecoded } from '../wire/percent.js'
import { waiting } from '../waits.js'
import { itemsOf } from './answer-readers.js'

/** Longest time after a change in which a read may return the earlier state, in milliseconds (open point lagging-lists). */
const lagMs = 2_000
/** Reads that are remembered; the oldest is forgotten first. */
const maxReads = 60
/** Longest answer that is looked at, in bytes. */
const maxBytes = 256 * 1024
/** Time that a rerun waits for all of its reads together, in milliseconds: a property reads hundreds of times. */
const maxWaitMs = 20_000
const lists = /^\/v1\/(?:webhooks|events|emails)(?:\/|$)/

/** The kept part of a read: no body, since many concurrent cases read up to sixty pages each. */
interface Read {
  readonly request: WireRequest
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number
  readonly ids: readonly string[]
  /** Digest of the body of an early read, which is compared with a later answer; undefined for other reads. */
  readonly digest: string | undefined
  /** Changes that the case had made by then. */
  readonly changes: number
}

/**
 * Reads of one case soon after a change that it made. A service may answer by turns from stores that lag each other, so that the next
 * answer misses a thing that one answer had. Findings over such an answer prove nothing.
 */
export class EarlyReads {
  #changedAt = -Infinity
  #changes = 0
  readonly #reads: Read[] = []
  /** When the answer to a change contained an id, in milliseconds since 1970. */
  readonly #shownAt = new Map<string, number>()
  readonly #deleted = new Set<string>()
  #waitedMs = 0

  /** When the case last changed something, in milliseconds since the epoch; -Infinity before that. */
  get changedAt(): number {
    return this.#changedAt
  }

  /** Records each exchange of the case, once it is over. */
  saw(exchange: Exchange): void {
    const { method, url } = exchange.request
    if (method !== 'GET') {
      this.#changedAt = Date.now()
      this.#changes++
      if (method === 'DELETE') this.#deleted.add(decoded(new URL(url).pathname.split('/').at(-1) ?? ''))
      const id = exchange.field('id')
      if (typeof id === 'string') this.#shownAt.set(id, this.#changedAt)
      return
    }
    if (exchange.status !== 200 || !lists.test(new URL(url).pathname) || exchange.bytes > maxBytes) return
    const { request, startedAt, durationMs } = exchange
    this.#reads.push({
      request,
      startedAt,
      endedAt: Math.floor(startedAt + durationMs),
      ids: idsIn(exchange),
      digest: startedAt < this.#changedAt + lagMs ? digestOf(exchange) : undefined,
      changes: this.#changes,
    })
    if (this.#reads.length > maxReads) this.#reads.shift()
  }

  /** Lets the time pass in which an answer may be from before; none is left once the case has waited for long. */
  async settle(signal: AbortSignal): Promise<void> {
    const leftMs = Math.min(this.#changedAt + lagMs - Date.now(), maxWaitMs - this.#waitedMs)
    if (leftMs <= 0) return
    this.#waitedMs += leftMs
    await waiting('time that has to pass', pause(leftMs, signal))
  }

  /** Returns whether an early answer was stale: `ask` sends the same request again, once nothing may lag any more. */
  async wereStale(send: (request: WireRequest) => Promise<Exchange>, signal: AbortSignal): Promise<boolean> {
    const early = this.#reads.filter((read) => read.digest !== undefined)
    if (early.length === 0) return false
    const shownAt = this.#allShownAt()
    await pause(Math.max(0, this.#changedAt + lagMs - Date.now()), signal)
    for (const read of early) {
      if (signal.aborted) return false
      if (this.#isStale(read, { now: await send(read.request), shownAt })) return true
    }
    return false
  }

  /**
   * Returns whether an answer was stale: nothing was changed since, and the answer differs now; or an id was missing that an earlier answer
   * contained. A surplus, such as the page of another key that is kept for a moment, is not stale. Things below one that the case has
   * deleted by now cannot be checked any more.
   */
  #isStale(
    read: Read,
    { now, shownAt }: { readonly now: Exchange; readonly shownAt: ReadonlyMap<string, number> },
  ): boolean {
    const there = idsIn(now)
    if (now.status !== 200) return this.#isBelowWhatWasDeleted(read)
    if (this.#showsMore(read, new Set(there))) return false
    if (read.changes === this.#changes && digestOf(now) !== read.digest) return true
    const shown = new Set(read.ids)
    return there.some((id) => !shown.has(id) && (shownAt.get(id) ?? Infinity) <= read.startedAt)
  }

  #isBelowWhatWasDeleted({ request }: Read): boolean {
    return new URL(request.url).pathname.split('/').some((segment) => this.#deleted.has(decoded(segment)))
  }

  /**
   * Returns whether an answer listed a missing thing that was neither deleted nor, in a list with the newest first, pushed off its page.
   */
  #showsMore({ request, ids }: Read, there: ReadonlySet<string>): boolean {
    const isPushed = new URL(request.url).pathname !== '/v1/events' && there.size >= ids.length
    return !isPushed && ids.some((id) => !there.has(id) && !this.#deleted.has(id))
  }

  /** Returns when each id first appeared: in the answer to a change, or in a list. */
  #allShownAt(): ReadonlyMap<string, number> {
    const shownAt = new Map(this.#shownAt)
    for (const { ids, endedAt } of this.#reads) for (const id of ids) if (!shownAt.has(id)) shownAt.set(id, endedAt)
    return shownAt
  }
}

/** The ids of a list, numbers as text. */
function idsIn(exchange: Exchange): string[] {
  return (itemsOf(exchange) ?? [])
    .map((item) => memberOf(item, 'id'))
    .filter((id) => typeof id === 'string' || typeof id === 'number')
    .map(String)
}

function digestOf(exchange: Exchange): string {
  return createHash('sha256')
    .update(exchange.response?.body ?? '')
    .digest('base64')
}

/** Decodes a part of a path; an invalid percent-encoding stays unchanged. */
function decoded(part: string): string {
  return percentDecoded(part) ?? part
}
