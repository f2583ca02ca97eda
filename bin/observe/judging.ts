import { Worker } from 'node:worker_threads'
import type { JudgedTraffic, MarkedPath, SeenTraffic } from '../../harness/observe/index.js'
import type { Listening, ForwardedRequest, StreamOpening } from './forwarded.js'

export interface JudgingOptions {
  readonly secrets: readonly string[]
  /** The inbox of each key that the configuration names, by the key's stable name. */
  readonly scopes: ReadonlyMap<string, string>
  /** Where the capture is written; undefined for none. */
  readonly record: string | undefined
  readonly marked: readonly MarkedPath[]
}

/** One call for the thread: the name of a method of {@link Listening}, and its arguments. */
export type JudgedLine =
  { [Name in keyof Listening]: readonly [Name, ...Parameters<Listening[Name]>] }[keyof Listening] | readonly ['end']

/** The lines handed to the thread at once. */
export type Batch = readonly { readonly line: JudgedLine; readonly bytes: number }[]

/** The last message of the thread. */
export interface FromThread extends JudgedTraffic {
  /** Why not all of the traffic was judged. */
  readonly failure: string | undefined
  /** Why the capture could not be written. */
  readonly unwritten: string | undefined
}

/** The most traffic that may wait to be checked; more of it passes unchecked. */
const most = { lines: 100_000, bytes: 256 * 1024 * 1024 } as const
/** Memory that judging may take: what it keeps is bounded (harness/observe), and more is a mistake in it. */
const maxMegabytes = 1_024
/** Without progress for this long, the thread counts as stopped. */
const haltMs = 60_000

/**
 * Checks traffic in its own thread, so traffic passes however long the checks take and whatever happens to them. At the end it reports
 * the traffic that it could not check: too much at once, or after the thread stopped.
 */
export class Judging implements Listening {
  readonly #worker: Worker
  /** Written by the thread: lines and bytes that were judged, then exchanges, deliveries and frames. */
  readonly #judged = new BigInt64Array(new SharedArrayBuffer(40))
  readonly #ended: Promise<FromThread | undefined>
  /** Calls of this turn that are not handed over yet. */
  readonly #batch: Batch[number][] = []
  #sent = 0
  #bytes = 0
  #failure: string | undefined

  /** @param thread the program of the thread */
  constructor(
    { secrets, scopes, record, marked }: JudgingOptions,
    thread = new URL('./judging-thread.js', import.meta.url),
  ) {
    const options: JudgingOptions = { secrets, scopes, record, marked }
    this.#worker = new Worker(thread, {
      workerData: { options, judged: this.#judged },
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
      execArgv: [],
    })
    this.#ended = new Promise((resolve) => {
      this.#worker.once('message', resolve)
      this.#worker.on('error', (error) => this.#fail(error.message))
      this.#worker.once('exit', () => {
        this.#fail('its thread ended')
        resolve(undefined)
      })
    })
  }

  creating(): void {
    this.#send(['creating'])
  }

  exchange(passed: ForwardedRequest, prefix: string, isCreating: boolean): void {
    this.#send(['exchange', passed, prefix, isCreating], sizeOf(passed))
  }

  delivery(passed: ForwardedRequest): void {
    this.#send(['delivery', passed], sizeOf(passed))
  }

  streamOpened(name: string, opening: StreamOpening): void {
    this.#send(['streamOpened', name, opening])
  }

  frame(name: string, at: number, data: Uint8Array, isText: boolean): void {
    this.#send(['frame', name, at, data, isText], data.length)
  }

  streamEnded(name: string, at: number): void {
    this.#send(['streamEnded', name, at])
  }

  /** How much was judged so far. */
  get seen(): SeenTraffic {
    const [exchanges = 0, deliveries = 0, frames = 0] = [2, 3, 4].map((at) => Number(Atomics.load(this.#judged, at)))
    return { exchanges, deliveries, frames }
  }

  /** Resolves to the findings, once the thread has judged every record. */
  async end(): Promise<FromThread> {
    this.#batch.push({ line: ['end'], bytes: 0 })
    this.#handOver()
    const watch = this.#watchForHalt()
    const answer = await this.#ended
    clearInterval(watch)
    const failure = answer?.failure ?? this.#failure
    await this.#worker.terminate()
    return { ...(answer ?? nothing), failure }
  }

  #send(line: JudgedLine, bytes = 0): void {
    if (this.#failure !== undefined) return
    const waiting = this.#sent - Number(Atomics.load(this.#judged, 0))
    const waitingBytes = this.#bytes - Number(Atomics.load(this.#judged, 1))
    if (waiting >= most.lines || waitingBytes >= most.bytes)
      return this.#fail('more arrived than could be judged in time')
    this.#sent++
    this.#bytes += bytes
    // To hand things over one by one would cost more than to judge them.
    if (this.#batch.push({ line, bytes }) === 1) setImmediate(() => this.#handOver())
  }

  #handOver(): void {
    const batch = this.#batch.splice(0)
    if (batch.length > 0) this.#worker.postMessage(batch)
  }

  #fail(reason: string): void {
    this.#failure ??= `judging ended before the traffic did: ${reason}`
  }

  #watchForHalt(): NodeJS.Timeout {
    let [count, since] = [Atomics.load(this.#judged, 0), performance.now()]
    return setInterval(() => {
      const now = Atomics.load(this.#judged, 0)
      if (now !== count) [count, since] = [now, performance.now()]
      else if (performance.now() - since > haltMs) {
        this.#fail('it stopped')
        void this.#worker.terminate()
      }
    }, 1_000)
  }
}

const nothing = { counts: new Map(), findings: new Map(), notes: new Set<string>(), unwritten: undefined }

function sizeOf({ body, answer }: ForwardedRequest): number {
  return (body?.length ?? 0) + (answer?.body?.length ?? 0)
}
