import { closeSync } from 'node:fs'
import { isIP } from 'node:net'
import { sinkCertificate } from '../../harness/webhook-sink.js'
import { isLoopback } from '../../harness/loopback.js'
import { describeSeen, type MarkedPath } from '../../harness/observe/index.js'
import { watchSignals } from '../cli/interrupt.js'
import { listening } from '../cli/listening.js'
import { systemReason } from '../cli/settings.js'
import type { ListenerTls } from '../cli/tls.js'
import { UsageError } from '../cli/usage.js'
import { Judging, type FromThread } from './judging.js'
import type { Listener } from './listener.js'
import { openGateway, openProxy, type Place } from './forwarding.js'
import { openPrivate } from '../cli/private-file.js'
import { closeAgents } from './upstream.js'

/** Where to listen, and where to forward to. */
export interface ForwardingRoute {
  readonly at: { readonly host: string; readonly port: number }
  readonly to: URL
}

export interface LiveOptions {
  readonly secrets: readonly string[]
  /** The inbox of each key that the configuration names, by the key's stable name. */
  readonly scopes: ReadonlyMap<string, string>
  readonly proxy: ForwardingRoute | undefined
  readonly gateway: ForwardingRoute | undefined
  readonly tls: ListenerTls
  /** Where the capture is written; undefined for none. */
  readonly record: string | undefined
  /** Body fields that are neither written, nor judged, nor shown. */
  readonly marked: readonly MarkedPath[]
  readonly durationMs: number | undefined
  readonly print: (line: string) => void
}

/** Seconds between two reports of how much was seen. */
const everySeconds = 10
/** Longest delay of a timer, in milliseconds. */
const longestTimerMs = 0x7fffffff

/** Passes traffic on and judges it, until the time is over or a signal arrives. Resolves to the findings. */
export async function watchLive(options: LiveOptions): Promise<FromThread> {
  const { proxy, gateway, record, durationMs, print } = options
  const tls = await certificateOf(options)
  if (record !== undefined) checkWritable(record)
  const judging = new Judging(options)
  const listeners: Listener[] = []
  let progress: NodeJS.Timeout | undefined
  let seen: FromThread
  try {
    if (proxy !== undefined) {
      const place = { ...proxy.at, tls }
      const listener = await listening('--listen', place, () => openProxy(place, proxy.to, judging))
      listeners.push(listener)
      print(`Listening on http://${listener.address} for ${proxy.to.origin}`)
    }
    if (gateway !== undefined) {
      const place = { ...gateway.at, tls }
      const listener = await listening('--webhook-listen', place, () => openGateway(place, gateway.to, judging))
      listeners.push(listener)
      print(`Listening on http://${listener.address} for deliveries to ${gateway.to.origin}`)
    }
    progress = reportProgress(judging, print)
    await watchSignals({ afterMs: durationMs && Math.min(durationMs, longestTimerMs) }).come
  } finally {
    clearInterval(progress)
    await Promise.all(listeners.map((listener) => listener.close()))
    closeAgents()
    seen = await judging.end()
    if (progress !== undefined) print(`Seen in total: ${describeSeen(judging.seen)}`)
  }
  return seen
}

/** The first traffic is reported within a second, later counts every ten seconds while they grow. */
function reportProgress(judging: Judging, print: LiveOptions['print']): NodeJS.Timeout {
  let [lastCounts, silentSeconds] = [describeSeen(judging.seen), everySeconds]
  return setInterval(() => {
    silentSeconds++
    const seen = describeSeen(judging.seen)
    if (seen === lastCounts || silentSeconds < everySeconds) return
    print(`Seen so far: ${seen}`)
    ;[lastCounts, silentSeconds] = [seen, 0]
  }, 1_000)
}

/** The user's own certificate, or one that is made for where it listens. */
async function certificateOf({ tls, proxy, gateway }: LiveOptions): Promise<Place['tls']> {
  if (tls.own !== undefined) return tls.own
  const hosts = [proxy, gateway].flatMap((listener) => listener?.at.host ?? [])
  const names = hosts.filter((host) => !isLoopback(host) && (isIP(host) !== 0 || /[a-z]/i.test(host)))
  const made = await sinkCertificate([...new Set(names)])
  tls.onAuthority?.(made.ca)
  return made
}

/** Throws `UsageError` where the file cannot be written: better now than when it is full. */
function checkWritable(path: string): void {
  try {
    closeSync(openPrivate(path))
  } catch (error) {
    throw new UsageError(`--record ${path}: cannot be written (${systemReason(error)})`)
  }
}
