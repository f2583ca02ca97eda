import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CaseResult } from '../../harness/result.js'
import type { RunNews, RunSnapshot } from '../data.js'

/** The state that a program sends to a page. */
export interface Followed<State> {
  readonly state: State | undefined
  /** Whether the program answers. */
  readonly isThere: boolean
}

/** Silence after which the program counts as gone, in milliseconds: it sends a sign of life every five seconds. */
const silenceMs = 12_000

/** Follows the state of the program at an address; redraws at most once a frame. */
export function useNews<State, News>(
  address: string,
  grown: (state: State | undefined, news: News) => State | undefined,
): Followed<State> {
  const [followed, setFollowed] = useState<Followed<State>>({ state: undefined, isThere: true })
  useEffect(() => {
    let state: State | undefined
    let isThere = true
    let frame: number | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        setFollowed({ state, isThere })
      })
    }
    const alive = (is: boolean) => {
      clearTimeout(timer)
      if (is) timer = setTimeout(() => alive(false), silenceMs)
      if (isThere !== is) draw()
      isThere = is
    }
    const source = new EventSource(address)
    source.addEventListener('message', (event: MessageEvent<string>) => {
      state = grown(state, JSON.parse(event.data) as News)
      alive(true)
      draw()
    })
    source.addEventListener('beat', () => alive(true))
    source.addEventListener('error', () => alive(false))
    return () => {
      source.close()
      clearTimeout(timer)
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [address])
  return followed
}

/** Follows the run that serves this page. */
export function useRun(address: string): { readonly snapshot: RunSnapshot | undefined; readonly isThere: boolean } {
  const followed = useNews<Growing, RunNews>(address, (run, news) =>
    news.kind === 'snapshot' ? new Growing(news.snapshot) : run?.taken(news),
  )
  const snapshot = useMemo(() => followed.state?.snapshot(), [followed])
  return { snapshot, isThere: followed.isThere }
}

/** A snapshot that grows by what happens. */
class Growing {
  readonly #first: RunSnapshot
  readonly #waiting: Set<string>
  readonly #running: Set<string>
  readonly #unconfirmed: Map<string, CaseResult>
  readonly #results: Map<string, CaseResult>
  readonly #left: Record<string, number>
  #ended: number

  constructor(snapshot: RunSnapshot) {
    this.#first = snapshot
    this.#waiting = new Set(snapshot.waiting)
    this.#running = new Set(snapshot.running)
    this.#unconfirmed = new Map(snapshot.unconfirmed.map((result) => [result.id, result]))
    this.#results = new Map(snapshot.results.map((result) => [result.id, result]))
    this.#left = { ...snapshot.left }
    this.#ended = snapshot.ended
  }

  taken(news: Exclude<RunNews, { kind: 'snapshot' }>): this {
    if (news.kind === 'started') {
      this.#waiting.delete(news.id)
      this.#running.add(news.id)
      return this
    }
    const { result, left } = news
    this.#waiting.delete(result.id)
    this.#running.delete(result.id)
    this.#left[result.id] = left
    if (news.kind === 'unconfirmed') {
      this.#unconfirmed.set(result.id, result)
      return this
    }
    this.#unconfirmed.delete(result.id)
    this.#results.set(result.id, result)
    this.#ended++
    return this
  }

  snapshot(): RunSnapshot {
    return {
      ...this.#first,
      ended: this.#ended,
      waiting: [...this.#waiting],
      running: [...this.#running],
      unconfirmed: [...this.#unconfirmed.values()],
      results: [...this.#results.values()],
      left: this.#left,
    }
  }
}
