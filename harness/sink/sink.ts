import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { pause } from '../wire/pace.js'
import { Attempt } from './attempt.js'
import { sinkCertificate, unfitCertificates } from './certificate.js'
import { Endpoint, type RefusedHandshakes } from './endpoint.js'
import { listen } from './listener.js'
import type { FromThread, ListenOptions, ToThread } from './protocol.js'

const greetingEveryMs = 5
/** This many aborted handshakes, without a successful one, rule out coincidence. */
const manyHandshakes = 10
/** Longest wait until the thread has read what the system holds for it, in milliseconds. */
const catchUpMs = 5_000

export interface SinkOptions {
  readonly host: string
  readonly port: number
  /** What deliveries are addressed to; the sink's own origin where absent. */
  readonly publicUrl?: string
  /** Accepts plain HTTP as well as TLS: a tunnel or proxy in front of the sink may end TLS, or pass it on. */
  readonly takesPlain?: boolean
  /** The user's own certificate and its key, in PEM; one of the sink's own where absent. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Receives requests for unknown paths; without it they get 410. */
  readonly onStray?: (attempt: Attempt) => void
  /** Called when a slow body is complete, or never will be. */
  readonly onRead?: () => void
  /** Names on the certificate besides the usual ones, such as `*.rebind.example.net`. */
  readonly names?: readonly string[]
  /** Shows certificates that do not hold under the names of {@link unfitCertificates}. */
  readonly showsUnfit?: boolean
}

/**
 * A webhook receiver of our own: one port, one path for each endpoint, each attempt answered by script. A thread of its own
 * listens and answers, so that no delivery waits for what the run computes meanwhile.
 */
export class Sink {
  readonly #line: MessagePort
  readonly #greeting: ListenOptions['greeting']
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #attempts = new Map<number, Attempt>()
  readonly #catchingUp = new Map<number, () => void>()
  #rounds = 0
  #isReceiving = false
  #onListening: (answer: { port: number } | { error: Error }) => void = () => {}
  #onEnded: () => void = () => {}
  #closing: Promise<void> | undefined
  readonly host: string
  port = 0
  readonly #publicUrl: string | undefined
  readonly #onStray: SinkOptions['onStray']
  readonly #refusedHandshakes: string[] = []
  #wasReached = false
  /**
   * True if a tunnel or a gateway ends TLS in front of the sink, or may: then a reset or bytes other than HTTP reach senders as the
   * gateway's answer.
   */
  isBehindGateway = false
  readonly #onRead: SinkOptions['onRead']
  /** The number of slow bodies, by the path of their endpoint. */
  readonly #slow = new Map<string | undefined, number>()
  #brokenOff: string | undefined

  private constructor(line: MessagePort, greeting: ListenOptions['greeting'], options: SinkOptions) {
    this.#line = line
    this.#greeting = greeting
    this.host = options.host
    this.#publicUrl = options.publicUrl
    this.#onStray = options.onStray
    this.#onRead = options.onRead
    line.on('message', (message: FromThread) => {
      this.#handle(message)
      this.readPending()
    })
  }

  /** Starts a sink. Rejects with the system's error when the port cannot be had. */
  static async start(options: SinkOptions): Promise<Sink> {
    const { key, cert } = options.tls ?? (await sinkCertificate(options.names))
    const { port1, port2 } = new MessageChannel()
    const greeting = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
    const { host, port, takesPlain = false } = options
    const unfit = options.showsUnfit === true ? await unfitCertificates(options.names) : {}
    const sink = new Sink(port1, greeting, options)
    const listening = new Promise<{ port: number } | { error: Error }>((resolve) => (sink.#onListening = resolve))
    const takesStrays = options.onStray !== undefined
    startThread(port2, { host, port, takesPlain, takesStrays, key, cert, unfit, greeting })
    const answer = await listening
    if ('error' in answer) throw answer.error
    sink.port = answer.port
    return sink
  }

  /** What webhooks are registered under. */
  get publicUrl(): string {
    return this.#publicUrl ?? `https://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`
  }

  /** Returns a new endpoint; `path` must be unique to this run. `hostname` replaces the sink's name in its URL. */
  endpoint(path: string, hostname?: string): Endpoint {
    const url = new URL(this.publicUrl)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
    if (hostname !== undefined) url.hostname = hostname
    const endpoint = new Endpoint(url.href, url.pathname, {
      readPending: () => this.readPending(),
      refusedHandshakes: () => this.refusedHandshakes,
      isBehindGateway: () => this.isBehindGateway,
      isReading: () => (this.#slow.get(path) ?? 0) > 0,
      script: (script) => this.notify({ kind: 'script', path, script }),
      settled: () => this.notify({ kind: 'settled', path }),
    })
    this.notify({ kind: 'endpoint', path, closes: hostname !== undefined })
    this.#endpoints.set(path, endpoint)
    return endpoint
  }

  /** The TLS handshakes that senders ended with an alert, as those do that distrust the certificate, if nothing else arrived. */
  get refusedHandshakes(): RefusedHandshakes | undefined {
    this.readPending()
    const { length, [length - 1]: last } = this.#refusedHandshakes
    if (last === undefined || this.#wasReached) return undefined
    const text = `the sender ended ${length} of its TLS handshakes, the last with "${last}"`
    return { text, areMany: length >= manyHandshakes }
  }

  /** Whether the body of a request is slow and incomplete. */
  get isReading(): boolean {
    this.readPending()
    return [...this.#slow.values()].some((count) => count > 0)
  }

  /** Why the latest incomplete request led to no attempt, in words. */
  get brokenOff(): string | undefined {
    this.readPending()
    return this.#brokenOff
  }

  /** Sends a message to the thread. */
  notify(message: ToThread): void {
    this.#line.postMessage(message)
  }

  /** Processes the messages of the thread: an attempt is reported before its sender gets the answer. */
  readPending(): void {
    if (this.#isReceiving) return
    this.#isReceiving = true
    try {
      for (let next = receiveMessageOnPort(this.#line); next !== undefined; next = receiveMessageOnPort(this.#line))
        this.#handle(next.message as FromThread)
    } finally {
      this.#isReceiving = false
    }
  }

  /**
   * Resolves once the thread has read all data that the system held for it, and no connection made by then is still in its handshake, at
   * most `withinMs` later: then a missing request was not sent, and moving a clock shortens no attempt of the sender. Later connections,
   * mostly of other cases, are not awaited: a case would wait for all concurrent ones.
   */
  async caughtUp(withinMs: number): Promise<void> {
    const round = this.#rounds++
    const isRead = new Promise<void>((resolve) => this.#catchingUp.set(round, resolve))
    this.notify({ kind: 'catch-up', round })
    const end = new AbortController()
    await Promise.race([isRead, pause(catchUpMs, end.signal)])
    end.abort()
    const until = performance.now() + withinMs
    const connections = Atomics.load(this.#greeting, 0)
    while (Atomics.load(this.#greeting, 1) < connections && performance.now() < until) await pause(greetingEveryMs)
    this.readPending()
  }

  /** Forgets an endpoint; what still arrives for it is answered with 410. */
  forget(endpoint: Endpoint): void {
    for (const [path, known] of this.#endpoints)
      if (known === endpoint) {
        this.#endpoints.delete(path)
        this.notify({ kind: 'forget', path })
      }
  }

  async close(): Promise<void> {
    this.#closing ??= this.#end()
    await this.#closing
  }

  async #end(): Promise<void> {
    const ended = new Promise<void>((resolve) => (this.#onEnded = resolve))
    this.notify({ kind: 'close' })
    await ended
    this.#line.close()
  }

  #handle(message: FromThread): void {
    switch (message.kind) {
      case 'listening':
        this.#onListening({ port: message.port })
        return
      case 'refused':
        // An error keeps its code on no line between threads.
        this.#onListening({ error: Object.assign(new Error(message.message), { code: message.code }) })
        return
      case 'attempt':
        this.#receive(message)
        return
      case 'handshake-refused':
        this.#refusedHandshakes.push(message.reason)
        return
      case 'slow':
        this.#slow.set(message.path, (this.#slow.get(message.path) ?? 0) + message.more)
        if (message.more > 0) return
        this.#onRead?.()
        this.#endpoints.get(message.path ?? '')?.wake()
        return
      case 'broken-off':
        this.#brokenOff = message.how
        return
      case 'late':
        this.#endpoints.get(message.path)?.answeredLate(message.ms)
        return
      case 'closed':
        this.#attempts.get(message.attempt)?.ended(message.at, message.wasGivenUp)
        this.#attempts.delete(message.attempt)
        return
      case 'caught-up':
        this.#catchingUp.get(message.round)?.()
        this.#catchingUp.delete(message.round)
        return
      case 'ended':
        this.#onEnded()
    }
  }

  #receive({ path, attempt: number, record, answer }: Extract<FromThread, { kind: 'attempt' }>): void {
    this.#wasReached = true
    const attempt = Attempt.received(record, {
      answer,
      send: (given) => this.notify({ kind: 'answer', attempt: number, answer: given }),
    })
    this.#attempts.set(number, attempt)
    if (path === undefined) this.#onStray?.(attempt)
    else this.#endpoints.get(path)?.receive(attempt)
  }
}

/** In the same thread where this is not the built program, as in a test of its source. */
function startThread(line: MessagePort, options: ListenOptions): void {
  const file = new URL('./thread.js', import.meta.url)
  if (existsSync(fileURLToPath(file)))
    new Worker(file, {
      workerData: { port: line, options },
      transferList: [line],
      // What it makes is short-lived: with the usual room it is kept until there is much of it.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
      execArgv: [],
    })
  else listen(line, options)
}
