import {
  isDelivery,
  withoutMarked,
  type MarkedPath,
  type Recorder,
  type TrafficJudge,
  type TrafficLine,
} from '../../harness/observe/index.js'
import type { CaptureFile } from './capture-file.js'
import { exchangeOf, type Listening, type ForwardedRequest, type StreamOpening } from './forwarded.js'

/** Time a create answer has until deliveries that may rest on its secret are judged without it. */
const patienceMs = 5_000

export interface WatchOptions {
  readonly judge: Pick<TrafficJudge, 'take'>
  readonly recorder: Recorder
  /** Where the capture goes; undefined for none. */
  readonly capture?: CaptureFile | undefined
  /** JSON paths of body fields that are neither written, nor judged, nor shown. */
  readonly marked?: readonly MarkedPath[]
}

/** Records and judges the traffic. An error here never reaches the caller. */
export class TrafficWatch implements Listening {
  readonly #options: WatchOptions
  /** Requests under way that may make a webhook: deliveries wait for their secrets. */
  #creating = 0
  readonly #waiting: (() => void)[] = []
  /** Why nothing more is judged. */
  failure: string | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  creating(): void {
    this.#creating++
  }

  exchange(passed: ForwardedRequest, prefix: string, isCreating: boolean): void {
    this.#guard(() => this.#keep(this.#options.recorder.exchange(exchangeOf(passed, prefix))))
    if (!isCreating) return
    this.#creating--
    if (this.#creating === 0) this.#flush()
  }

  delivery(passed: ForwardedRequest): void {
    const take = () =>
      this.#guard(() => {
        const raw = exchangeOf(passed, '')
        if (isDelivery(raw.request)) this.#keep(this.#options.recorder.delivery(raw))
      })
    if (this.#creating === 0) take()
    else {
      this.#waiting.push(take)
      setTimeout(() => this.#flush(), patienceMs).unref()
    }
  }

  streamOpened(name: string, { startedAt, url, prefix, headers }: StreamOpening): void {
    this.#guard(() =>
      this.#keep(this.#options.recorder.stream(name, { startedAt, url: new URL(url), prefix, request: { headers } })),
    )
  }

  frame(name: string, at: number, data: Uint8Array, isText: boolean): void {
    this.#guard(() => this.#keep(this.#options.recorder.frame(name, at, data, isText)))
  }

  streamEnded(name: string, at: number): void {
    this.#guard(() => this.#keep({ kind: 'stream-end', at: new Date(at).toISOString(), stream: name }))
  }

  /** Judges the records that still wait. */
  end(): void {
    this.#flush()
  }

  #flush(): void {
    for (const take of this.#waiting.splice(0)) take()
  }

  #keep(whole: TrafficLine): void {
    const { judge, capture, marked = [] } = this.#options
    const line = withoutMarked(whole, marked)
    capture?.write(line)
    if (this.failure === undefined) judge.take(line)
  }

  #guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.failure ??= `judging ended before the traffic did: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}
