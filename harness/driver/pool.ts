import { CaseErrored } from '../check.js'
import { cut } from '../wire/cut.js'
import type { DriverLink, DriverReply, DriverSource } from './link.js'

/** What a driver says of itself. */
export interface DriverIntroduction {
  readonly name: string
  readonly version: string
  readonly language: string
}

/** Time a driver that runs has to say hello, in milliseconds. */
const greetsWithinMs = 1_000
/** Characters that are kept of what a driver says of itself. */
const longestName = 120
/** Requests in a row that no driver answered in time, after which none is asked any more. */
const mostSilent = 8

/** Driver processes of one command: each case borrows one alone, so that a crash is blamed on the case that caused it. */
export class DriverPool {
  readonly #source: DriverSource
  readonly #idle: DriverLink[] = []
  readonly #busy = new Set<DriverLink>()
  #silent = 0

  constructor(source: DriverSource) {
    this.#source = source
  }

  /** Starts one driver and asks who it is. Throws {@link CaseErrored} when it does not answer `hello`. */
  async introduce(): Promise<DriverIntroduction> {
    const driver = this.borrow()
    const reply = await driver.ask({ op: 'hello' }, greetsWithinMs)
    const command = this.#source.label
    switch (reply.kind) {
      case 'answer': {
        const text = (name: string) => {
          const value = reply.fields[name]
          return typeof value === 'string' ? cut(value, longestName) : 'unknown'
        }
        this.giveBack(driver)
        return { name: text('name'), version: text('version'), language: text('language') }
      }
      case 'died':
        throw new CaseErrored(
          `the driver "${command}" ${reply.how}${reply.stderr === '' ? '' : `: ${reply.stderr.trim()}`}`,
        )
      case 'silent':
        driver.kill()
        throw new CaseErrored(`the driver "${command}" did not answer hello within ${reply.afterMs} ms`)
      default:
        driver.kill()
        throw new CaseErrored(
          `the driver "${command}" did not answer hello with one JSON object a line: ${cut(JSON.stringify(reply), 500)}`,
        )
    }
  }

  /** Why there is no point in asking on: the drivers start, and then answer nothing. */
  get lost(): string | undefined {
    return this.#silent < mostSilent
      ? undefined
      : `the driver "${this.#source.label}" answered none of the last ${this.#silent} requests in time`
  }

  /** Asks a borrowed driver. */
  async ask(driver: DriverLink, request: Readonly<Record<string, unknown>>, withinMs: number): Promise<DriverReply> {
    const reply = await driver.ask(request, withinMs)
    this.#silent = reply.kind === 'silent' ? this.#silent + 1 : 0
    return reply
  }

  borrow(): DriverLink {
    let driver = this.#idle.pop()
    while (driver !== undefined && !driver.isAlive) driver = this.#idle.pop()
    driver ??= this.#source.start()
    this.#busy.add(driver)
    return driver
  }

  /** A driver that is still well, and owes no answer, goes back; another is ended. */
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
