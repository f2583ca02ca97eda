import { CaseErrored } from '../check.js'
import { waiting } from '../waits.js'
import { cut } from '../wire/cut.js'
import type { DriverLink, DriverReply, DriverSource } from './link.js'

/** A driver's description of itself. */
export interface DriverIntroduction {
  readonly name: string
  readonly version: string
  readonly language: string
}

type Request = Readonly<Record<string, unknown>>

/** Longest time for a running driver to answer `hello`, in milliseconds. */
const greetsWithinMs = 1_000
/** Characters kept of a driver's description of itself. */
const longestName = 120
/** Requests in a row that no driver answered in time, after which no more are sent. */
const maxSilent = 8
/** Once it hung so often, a driver has this many times its slowest answer, and at least so many milliseconds. */
const hanging = { from: 2, times: 20, leastMs: 1_000 } as const
/** Number and length, in milliseconds, of slow answers in a row, after which no more requests are sent: the run would not end. */
const slow = { maxInARow: 24, ms: 2_000 } as const
/** Longest start of another driver, in milliseconds, and as a multiple of the first one's. */
const restarts = { leastMs: 5_000, times: 5 } as const

/** Requests of a look whether a new driver fails as an earlier one did: at most so many, and so long for each, in milliseconds. */
const look = { most: 400, more: 4, withinMs: 6_000 } as const

/** Driver processes of one command: each case borrows one alone, so that a crash is blamed on the case that caused it. */
export class DriverPool {
  readonly #source: DriverSource
  readonly #idle: DriverLink[] = []
  readonly #busy = new Set<DriverLink>()
  readonly #isPrompt: boolean
  /** The drivers take many requests at once. */
  isConcurrent = false
  #silent = 0
  #slow = 0
  #hangs = 0
  #slowestMs = 0
  /** A driver's invalid output instead of an answer: it does not follow the protocol, so its answers prove nothing. */
  #stray: string | undefined
  /** Requests each driver was given. */
  readonly #requestCounts = new WeakMap<DriverLink, number>()
  /** Longest start of another driver; the default of the link until one has started. */
  #startMs: number | undefined

  /** `isPrompt`: no request has a reason to take long, so that slow answers in a row end the run. */
  constructor(source: DriverSource, { isPrompt = false }: { readonly isPrompt?: boolean } = {}) {
    this.#source = source
    this.#isPrompt = isPrompt
  }

  /** Starts one driver and requests its description. Throws {@link CaseErrored} when it does not answer `hello`. */
  async introduce(): Promise<DriverIntroduction> {
    const driver = this.borrow()
    const startedAt = performance.now()
    const reply = await driver.call({ op: 'hello' }, greetsWithinMs)
    this.#startMs = Math.max(restarts.leastMs, restarts.times * (performance.now() - startedAt))
    const command = this.#source.label
    switch (reply.kind) {
      case 'answer': {
        const text = (name: string) => {
          const value = reply.fields[name]
          return typeof value === 'string' ? cut(value, longestName) : 'unknown'
        }
        this.giveBack(driver)
        if (typeof reply.fields['name'] !== 'string')
          throw new CaseErrored(
            `the driver "${command}" answered hello without a "name": ${cut(JSON.stringify(reply.fields), 200)}`,
          )
        return { name: text('name'), version: text('version'), language: text('language') }
      }
      case 'died':
        throw new CaseErrored(
          `the driver "${command}" ${reply.how}${reply.how.startsWith('exited') ? ' before it answered hello' : ''}${reply.stderr === '' ? '' : `: ${reply.stderr.trim()}`}`,
        )
      case 'silent':
        driver.kill()
        throw new CaseErrored(`the driver "${command}" did not answer hello within ${reply.afterMs} ms`)
      case 'unsupported':
        driver.kill()
        throw new CaseErrored(
          `the driver "${command}" answered hello with unsupported (${cut(reply.why, 200)}): expected its name`,
        )
      default:
        driver.kill()
        throw new CaseErrored(
          `the driver "${command}" did not answer hello with one JSON object a line: ${cut(JSON.stringify(reply), 500)}`,
        )
    }
  }

  /** Why there is no point in asking on: the drivers start, and then answer nothing. */
  get lost(): string | undefined {
    const driver = `the driver "${this.#source.label}"`
    if (this.#stray !== undefined)
      return `${driver} wrote a line that is not JSON with the id of a request: ${this.#stray}; print logs to standard error`
    if (this.#silent >= maxSilent) return `${driver} answered none of the last ${this.#silent} requests in time`
    if (this.#slow >= slow.maxInARow)
      return `${driver} took more than ${slow.ms / 1000} s for each of the last ${this.#slow} answers`
    return undefined
  }

  /** Whether a driver wrote an invalid answer. */
  get isUnfit(): boolean {
    return this.#stray !== undefined
  }

  /** Sends a request to a borrowed driver. */
  async call(driver: DriverLink, request: Readonly<Record<string, unknown>>, withinMs: number): Promise<DriverReply> {
    const startedAt = performance.now()
    this.#requestCounts.set(driver, this.requestCount(driver) + 1)
    const isCall = request['op'] === 'call'
    const answer = driver.call(request, isCall ? withinMs : this.#limitMs(withinMs), this.#startMs, this.isConcurrent)
    const reply = await waiting('answers of the driver', answer)
    if (reply.kind === 'garbage') {
      this.#stray ??= reply.line
      throw new CaseErrored(this.lost)
    }
    if (reply.kind === 'silent' && !isCall) this.#hangs++
    if (reply.kind === 'answer') this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt)
    this.#slow = this.#isPrompt && performance.now() - startedAt > slow.ms ? this.#slow + 1 : 0
    if (reply.kind !== 'silent') this.#silent = 0
    // A call may last as long as the library waits, which the cases test; no other request has a reason to be slow.
    else if (request['op'] !== 'call') this.#silent++
    return reply
  }

  /** A driver that hung twice is not waited for in full again: what hangs is known by then. */
  #limitMs(withinMs: number): number {
    if (this.#hangs < hanging.from) return withinMs
    return Math.min(withinMs, Math.max(hanging.leastMs, hanging.times * this.#slowestMs))
  }

  /** Requests a driver was given so far. */
  requestCount(driver: DriverLink): number {
    return this.#requestCounts.get(driver) ?? 0
  }

  /**
   * Resolves to whether a new driver falls silent, or ends, on plain requests too, by the number that the failed one was given: then the
   * request was not the reason, and the next driver will do the same. `begin` is sent first, if given.
   */
  async failsAnew(requestCount: number, plain: (index: number) => Request, begin?: Request): Promise<boolean> {
    const driver = this.#source.start()
    this.#busy.add(driver)
    try {
      const requests = Array.from({ length: Math.min(requestCount, look.most) + look.more }, (_, index) => plain(index))
      for (const request of begin === undefined ? requests : [begin, ...requests]) {
        const { kind } = await driver.call(request, look.withinMs, this.#startMs)
        if (kind !== 'answer' && kind !== 'unsupported') return kind !== 'garbage'
      }
      return false
    } finally {
      this.giveBack(driver, false)
    }
  }

  borrow(): DriverLink {
    let driver = this.#idle.pop()
    while (driver !== undefined && !driver.isAlive) driver = this.#idle.pop()
    driver ??= this.#source.start()
    this.#busy.add(driver)
    return driver
  }

  /** Returns a healthy driver without a pending request to the pool; ends any other. */
  giveBack(driver: DriverLink, isWell = true): void {
    this.#busy.delete(driver)
    if (isWell && driver.isAlive && !driver.isBusy) this.#idle.push(driver)
    else driver.kill()
  }

  async close(): Promise<void> {
    for (const driver of this.#busy) driver.kill()
    await Promise.all([...this.#idle, ...this.#busy].map((driver) => driver.close()))
  }
}
