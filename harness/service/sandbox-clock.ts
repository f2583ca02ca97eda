import type { RequirementId } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import type { Endpoint } from '../sink/endpoint.js'
import type { Sink } from '../sink/sink.js'
import type { Evidence } from '../wire/evidence.js'
import { pause } from '../wire/pace.js'
import { ClockLog, type ClockReading } from './clock-log.js'
import type { Control } from './control.js'
import type { ListReads } from './list-reads.js'
import { waiting } from '../waits.js'

/** Longest waits for expected events, in milliseconds; generous, since machines are busy. */
const arrivesWithinMs = { virtual: 10_000, real: 30_000 } as const
/**
 * The same in virtual time if a rerun follows before a failure counts: due attempts have ended when a move of the clock is answered, and
 * lists lag by two seconds at most (open point lagging-lists).
 */
const arrivesSoonMs = 2_200
/** The same while a counterexample is shrunk, in virtual time. */
const lookOnceMs = 500
/** Pause between two reads of a lagging list, in milliseconds. */
const pollMs = 100
/** Longest wait for connections that are being made when the clock is to be moved, in milliseconds. */
const greetedWithinMs = 2_000
/** Real time that an attempt in flight gets before an advance moves the clock past its answer time, in milliseconds. */
const graceMs = 500
/** How much earlier than ours a service's timer may fire, in milliseconds. */
const gracePrecisionMs = 50
/** Real time in which an unexpected event would arrive, in milliseconds. */
const quietMs = 1_500

export interface ClockParts {
  readonly tools: CaseTools
  readonly evidence: Evidence
  /** The reads of the case. */
  readonly lists: ListReads
  /** When the case last changed something by a request, in milliseconds since the epoch; -Infinity before that. */
  readonly changedAt: () => number
  readonly control: Control | undefined
  readonly sink: Sink | undefined
  /** Undefined where the run plays in the org of the configuration. */
  readonly workspaceId: string | undefined
  readonly hasClock: boolean
}

/** How time passes for a case: the clock of its workspace is moved, or real time is waited for. */
export class SandboxClock {
  /** `virtual`: the workspace's clock is moved; `real`: time is waited for. */
  readonly time: 'virtual' | 'real'
  readonly #parts: ClockParts
  readonly #clock = new ClockLog()
  readonly #endpoints = new Set<Endpoint>()
  /** The longest wait that failed since the last change: when it began, since the epoch, and how long it was, in milliseconds. */
  #failedWait = { at: -Infinity, withinMs: 0 }

  constructor(parts: ClockParts) {
    this.#parts = parts
    this.time = parts.hasClock && parts.workspaceId !== undefined ? 'virtual' : 'real'
  }

  /**
   * Lets `ms` milliseconds pass; in virtual time every attempt due on the way is made and ended. Resolves to the milliseconds of real time
   * that it took. `unheard`: attempts on the way that get no answer and never reach an endpoint.
   */
  async advance(ms: number, { missedAttempts = 0 }: { readonly missedAttempts?: number } = {}): Promise<number> {
    const { control, workspaceId, evidence } = this.#parts
    if (this.time === 'virtual' && control !== undefined && workspaceId !== undefined) {
      const askedAt = performance.now()
      await this.receivedAll()
      const startedAt = Date.now()
      const end = this.#clock.begin(startedAt)
      // The clock runs on while connections are waited for.
      const leftMs = Math.max(0, ms - Math.round(performance.now() - askedAt))
      end(await control.advance(workspaceId, leftMs, evidence))
      const tookMs = Date.now() - startedAt
      this.#heedCutOffs(startedAt, tookMs, missedAttempts)
      for (const endpoint of this.#endpoints) endpoint.settle()
      return tookMs
    }
    await waiting('time that has to pass', pause(ms, this.#parts.tools.signal))
    return ms
  }

  /** Resolves once all requests sent to our sink by now have arrived, however busy this machine is. */
  async receivedAll(): Promise<void> {
    await this.#parts.sink?.caughtUp(greetedWithinMs)
  }

  /** Registers an endpoint: its attempts are awaited when time passes. */
  receives(endpoint: Endpoint): void {
    this.#endpoints.add(endpoint)
  }

  /**
   * An advance that took longer than the answers explain which the case holds back has run out of patience with some other
   * attempt: what the case finds from then on may follow from that.
   */
  #heedCutOffs(startedAt: number, tookMs: number, missedAttempts: number): void {
    if (tookMs < graceMs - gracePrecisionMs) return
    const held = [...this.#endpoints].flatMap(({ attempts }) =>
      attempts.filter((attempt) => attempt.wasHeldAt(startedAt)),
    )
    if (tookMs >= graceMs * (held.length + missedAttempts + 1) - gracePrecisionMs) this.#parts.tools.cutOff()
  }

  /** Waits until nothing is due or in flight; in real time, long enough for immediate attempts. */
  async settle(): Promise<void> {
    await this.advance(this.time === 'virtual' ? 0 : quietMs)
  }

  /** Lets real time pass in which an unexpected event would arrive. */
  async quiet(ms: number): Promise<void> {
    await waiting('time that has to pass', pause(ms, this.#parts.tools.signal))
  }

  /** The workspace's time in milliseconds since the epoch, from the last advance. */
  now(): number {
    const earliest = this.time === 'virtual' ? this.#clock.earliestSince() : Date.now()
    return Number.isFinite(earliest) ? earliest : Date.now()
  }

  /** The latest that the workspace's clock can show now; Infinity while it is moved. */
  latest(): number {
    return this.time === 'real' || this.#clock.isUnmoved ? Date.now() : this.#clock.at(Date.now()).latest
  }

  /** What the workspace's clock showed at `realMs` of this machine's; in real time they are the same. */
  clockAt(realMs: number): ClockReading {
    return this.time === 'virtual' ? this.#clock.at(realMs) : { earliest: realMs, latest: realMs, likelyLatest: realMs }
  }

  /** Longest wait for an expected event, in milliseconds. */
  get budgetMs(): number {
    return this.looksOnce ? lookOnceMs : this.patient(this.#soon(arrivesWithinMs[this.time]))
  }

  /** Whether a rerun with the usual patience follows where something is missed, and no attempt needs real time to arrive. */
  get stopsEarly(): boolean {
    return this.time === 'virtual' && this.#parts.tools.stopsEarly
  }

  #soon(ms: number): number {
    return this.stopsEarly ? Math.min(ms, arrivesSoonMs) : ms
  }

  /** What `ms` milliseconds on a calm machine are on this one now. */
  patient(ms: number): number {
    return ms * this.#parts.tools.patience()
  }

  /** A smaller counterexample is looked for: a settled workspace is complete, so that nothing is waited for long. */
  get looksOnce(): boolean {
    return this.time === 'virtual' && this.#parts.tools.property.isShrinking
  }

  #hasChangedSince(at: number): boolean {
    const ended = [...this.#endpoints].flatMap(({ attempts }) => attempts.map((attempt) => attempt.endedAt))
    return [this.#parts.changedAt(), ...ended].some((changedAt) => changedAt >= at)
  }

  /** Whether another wait was as long and failed, and nothing has changed since it began: a list shows now what it will ever show. */
  #isFinal(longestMs: number): boolean {
    const { at, withinMs } = this.#failedWait
    return this.time === 'virtual' && longestMs <= withinMs && !this.#hasChangedSince(at)
  }

  /**
   * Resolves to whether `condition` held within `longestMs` of a calm machine, for conditions that need polling: an answer of the API that
   * lags. Checked at once, then every 100 ms; ends early where waiting is useless ({@link ListReads}), and at once where a wait as long has failed since the last change. Findings after a timeout depend on `requirements`.
   */
  async until(
    condition: () => Promise<boolean>,
    longestMs: number = this.#soon(arrivesWithinMs[this.time]),
    ...requirements: readonly RequirementId[]
  ): Promise<boolean> {
    const [startedAt, at] = [performance.now(), Date.now()]
    const { tools, lists } = this.#parts
    const withinMs = this.#isFinal(longestMs) ? 0 : this.looksOnce ? Math.min(longestMs, lookOnceMs) : longestMs
    return lists.wait(async (wait) => {
      for (;;) {
        // The answer to a request sent after this is final, however long it takes.
        const isLast = performance.now() > startedAt + this.patient(withinMs)
        if (await condition()) return true
        if (isLast) {
          wait.failed(withinMs)
          if (withinMs >= this.#failedWait.withinMs || this.#hasChangedSince(this.#failedWait.at))
            this.#failedWait = { at, withinMs }
        }
        if (isLast || wait.useless !== undefined || tools.signal.aborted) {
          tools.missed(...requirements)
          return false
        }
        await waiting('time that has to pass', pause(pollMs, tools.signal))
      }
    })
  }
}
