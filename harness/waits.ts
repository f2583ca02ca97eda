// What a case waits for, by cause: where the time of a run goes that is neither work of ours nor a turn that others had.
import { AsyncLocalStorage } from 'node:async_hooks'

/** What can be waited for. */
export type WaitCause =
  | 'answers of the API'
  | 'answers of the endpoint'
  | 'workspaces (control)'
  | 'the clock (control)'
  | 'other answers (control)'
  | 'deliveries'
  | 'frames of a stream'
  | 'answers of the driver'
  | '--max-rps and limits of the target'
  | 'pauses before a request is sent again'
  | 'time that has to pass'
  | 'objects created just before'

/** How long one cause was waited for, and how often. */
export interface Waited {
  readonly ms: number
  readonly count: number
}

/** The waits of one case; those of one cause may be side by side. */
class CaseWaits {
  readonly #spans = new Map<WaitCause, [from: number, to: number][]>()

  add(cause: WaitCause, from: number, to: number): void {
    const spans = this.#spans.get(cause)
    if (spans === undefined) this.#spans.set(cause, [[from, to]])
    else spans.push([from, to])
  }

  /** Time in which each cause was waited for, however often at once; and in which any was. */
  get recorded(): { readonly causes: Readonly<Record<string, Waited>>; readonly ms: number } {
    const reported = [...this.#spans].map(
      ([cause, spans]) => [cause, { ms: covered(spans), count: spans.length }] as const,
    )
    return { causes: Object.fromEntries(reported), ms: covered([...this.#spans.values()].flat()) }
  }
}

const current = new AsyncLocalStorage<CaseWaits>()
let isOn = false

/** Counts the waits of each case from now on, for its measurements. */
export function profileWaits(): void {
  isOn = true
}

/** Counts the waits in each part of a case that `run` runs; `told` returns undefined while counting is off. */
export function caseWaits(): {
  readonly run: <T>(part: () => Promise<T>) => Promise<T>
  readonly recorded: () => CaseWaits['recorded'] | undefined
} {
  if (!isOn) return { run: (part) => part(), recorded: () => undefined }
  const waits = new CaseWaits()
  return { run: (part) => current.run(waits, part), recorded: () => waits.recorded }
}

/** The same promise; the time until it settles counts as a wait of the case under way. */
export function waiting<T>(cause: WaitCause, promise: Promise<T>): Promise<T> {
  const waits = isOn ? current.getStore() : undefined
  if (waits === undefined) return promise
  const from = performance.now()
  return promise.finally(() => waits.add(cause, from, performance.now()))
}

/** The length of the union of spans, in whole milliseconds. */
function covered(spans: readonly (readonly [number, number])[]): number {
  let [sum, end] = [0, -Infinity]
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return Math.round(sum)
}
