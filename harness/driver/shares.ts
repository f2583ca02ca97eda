import { availableParallelism } from 'node:os'
import { AnswerLost } from '../check.js'
import { cut } from '../wire/cut.js'
import type { DriverLink, DriverReply } from './link.js'
import type { DriverPool } from './pool.js'

/** A driver that runs, and how many cases use it. */
interface Running {
  readonly link: DriverLink
  users: number
  /** How often a case began to use it. */
  joins: number
  isAlone: boolean
  isWell: boolean
  answeredAt: number
}

/** One that other cases may use too, one that none does meanwhile, or one that is started for the purpose. */
type Sharing = 'shared' | 'alone' | 'new'

interface Wanted {
  readonly count: number
  readonly sharing: Sharing
  readonly grant: (drivers: readonly Running[]) => void
}

/** A driver failed after this many requests while several cases used it. */
export class DriverFailed extends AnswerLost {
  readonly requestCount: number

  constructor(message: string, requestCount: number) {
    super(message)
    this.requestCount = requestCount
  }
}

/** One case's part in a driver. */
export interface DriverShare {
  /** Requests the driver was given so far, by whomever. */
  readonly requestCount: number
  call(request: Readonly<Record<string, unknown>>, withinMs: number): Promise<DriverReply>
  end(): void
}

/**
 * The drivers of a run, at most one more than processors. A driver that handles concurrent requests serves many cases at once; any other
 * serves one case after the other. If several cases shared a driver that failed, the guilty request is unknown: each case starts again, and
 * from then on no two share one.
 */
export class DriverShares {
  readonly #pool: DriverPool
  readonly #running: Running[] = []
  readonly #queue: Wanted[] = []
  readonly max: number
  /** Drivers that were ended and still run. */
  #ending = 0
  #perDriver = 1

  /** `isFree`: a driver costs nothing, so that each case has one of its own. */
  constructor(pool: DriverPool, { isFree = false }: { readonly isFree?: boolean } = {}) {
    this.#pool = pool
    this.max = isFree ? Infinity : availableParallelism() + 1
  }

  /** Cases that one driver serves at once. */
  get perDriver(): number {
    return this.#perDriver
  }

  set perDriver(count: number) {
    this.#perDriver = count
    this.#pool.isConcurrent = count > 1
  }

  /** A part in a driver, as soon as there is room. */
  async share(): Promise<DriverShare> {
    const [share] = await this.#take(1, 'shared')
    if (share === undefined) throw new Error('a share of no driver')
    return share
  }

  /** So many drivers of which no other case uses any, as soon as there is room. */
  async alone(count: number): Promise<readonly DriverShare[]> {
    return this.#take(Math.min(count, this.max), 'alone')
  }

  /** So many drivers that are started now and that no other case uses, as soon as there is room; idle ones make room. */
  async withFresh(count: number): Promise<readonly DriverShare[]> {
    return this.#take(Math.min(count, this.max), 'new')
  }

  #take(count: number, sharing: Sharing): Promise<readonly DriverShare[]> {
    return new Promise((resolve) => {
      this.#queue.push({ count, sharing, grant: (drivers) => resolve(drivers.map((driver) => this.#shareOf(driver))) })
      this.#serve()
    })
  }

  /** Serves who waits, in order: who wants several drivers is not overtaken for ever. */
  #serve(): void {
    for (let wanted = this.#queue[0]; wanted !== undefined; wanted = this.#queue[0]) {
      const drivers = this.#driversFor(wanted)
      if (drivers === undefined) return
      this.#queue.shift()
      for (const driver of drivers) {
        driver.users++
        driver.joins++
        driver.isAlone = wanted.sharing !== 'shared'
      }
      wanted.grant(drivers)
    }
  }

  #driversFor({ count, sharing }: Wanted): readonly Running[] | undefined {
    if (sharing === 'new') this.#makeRoom(count)
    const usable = this.#running.filter((driver) => driver.isWell && driver.link.isAlive)
    const shared = usable.find(({ users, isAlone: isTaken }) => users > 0 && !isTaken && users < this.#perDriver)
    if (sharing === 'shared' && shared !== undefined) return [shared]
    const idle = sharing === 'new' ? [] : usable.filter(({ users }) => users === 0).slice(0, count)
    if (idle.length + this.max - this.#running.length - this.#ending < count) return undefined
    while (idle.length < count) {
      const started: Running = {
        link: this.#pool.borrow(),
        users: 0,
        joins: 0,
        isAlone: sharing !== 'shared',
        isWell: true,
        answeredAt: performance.now(),
      }
      this.#running.push(started)
      idle.push(started)
    }
    return idle
  }

  /** Ends idle drivers if this many must start and the processes are used up. */
  #makeRoom(count: number): void {
    const idle = this.#running.filter(({ users }) => users === 0)
    const needed = Math.min(this.#running.length + count - this.max, this.#running.length)
    if (needed > idle.length) return
    for (const driver of idle.slice(0, Math.max(0, needed))) this.#drop(driver)
  }

  #drop(driver: Running): void {
    this.#running.splice(this.#running.indexOf(driver), 1)
    this.#pool.giveBack(driver.link, false)
    this.#ending++
    void driver.link.close().finally(() => {
      this.#ending--
      this.#serve()
    })
  }

  #shareOf(driver: Running): DriverShare {
    let isOver = false
    const pool = this.#pool
    return {
      get requestCount() {
        return pool.requestCount(driver.link)
      },
      call: (request, withinMs) => this.#send(driver, request, withinMs),
      end: () => {
        if (isOver) return
        isOver = true
        driver.users--
        if (driver.users === 0 && (!driver.isWell || !driver.link.isAlive || driver.link.isBusy)) this.#drop(driver)
        this.#serve()
      },
    }
  }

  async #send(driver: Running, request: Readonly<Record<string, unknown>>, withinMs: number): Promise<DriverReply> {
    const { joins } = driver
    const hadOthers = driver.users > 1
    const reply = await this.#pool.call(driver.link, request, withinMs)
    if (reply.kind === 'answer' || reply.kind === 'unsupported') {
      driver.answeredAt = performance.now()
      return reply
    }
    const isShared = hadOthers || driver.joins !== joins
    // A driver that answers others is not held up by them, nor is it by this one.
    const isOwn = reply.kind === 'silent' && performance.now() - driver.answeredAt < withinMs / 2
    if (isShared && isOwn) return reply
    driver.isWell = false
    if (!isShared) return reply
    this.perDriver = 1
    const how = `the driver failed while several cases used it: ${cut(JSON.stringify(reply), 300)}`
    throw new DriverFailed(how, this.#pool.requestCount(driver.link))
  }
}
