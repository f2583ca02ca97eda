import { CaseErrored } from '../check.js'
import type { DriverLink, DriverSource } from './link.js'

/** What a driver says of itself. */
export interface DriverIntroduction {
  readonly name: string
  readonly version: string
  readonly language: string
}

/** Time a driver that runs has to say hello, in milliseconds. */
const greetsWithinMs = 1_000

/** Driver processes of one command: each case borrows one alone, so that a crash is blamed on the case that caused it. */
export class DriverPool {
  readonly #source: DriverSource
  readonly #idle: DriverLink[] = []
  readonly #busy = new Set<DriverLink>()

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
        const text = (name: string) => (typeof reply.fields[name] === 'string' ? reply.fields[name] : 'unknown')
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
          `the driver "${command}" did not answer hello with one JSON object a line: ${JSON.stringify(reply)}`,
        )
    }
  }

  borrow(): DriverLink {
    let driver = this.#idle.pop()
    while (driver !== undefined && !driver.isAlive) driver = this.#idle.pop()
    driver ??= this.#source.start()
    this.#busy.add(driver)
    return driver
  }

  /** A driver that is still well goes back; another is ended. */
  giveBack(driver: DriverLink, isWell = true): void {
    this.#busy.delete(driver)
    if (isWell && driver.isAlive) this.#idle.push(driver)
    else driver.kill()
  }

  async close(): Promise<void> {
    for (const driver of this.#busy) driver.kill()
    await Promise.all([...this.#idle, ...this.#busy].map((driver) => driver.close()))
  }
}
