// The state of one call of the command. A process makes one call; a test makes many in one process.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'

export interface Invocation {
  /** The words after `conformance`. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Emits the signals that the invocation receives. */
  readonly signals: Signals
  /** True if nothing else runs in this process: then a stuck invocation may end it. */
  readonly ownsProcess: boolean
}

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }

interface Signals {
  on(name: NodeJS.Signals, listener: () => void): unknown
  off(name: NodeJS.Signals, listener: () => void): unknown
}

const ofProcess: Invocation = {
  args: process.argv.slice(2),
  env: process.env,
  // Each stream is opened at its first use.
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  signals: process,
  ownsProcess: true,
}

const storage = new AsyncLocalStorage<Invocation>()

/** Returns the invocation that the calling code works for: the process, unless {@link invokedAs} gave another. */
export function invocation(): Invocation {
  return storage.getStore() ?? ofProcess
}

/** Runs `work`, and whatever it starts, as a part of `given`. */
export function invokedAs<Result>(given: Invocation, work: () => Result): Result {
  return storage.run(given, work)
}

/** Returns a function that gives the state of the current invocation; `create` makes it at the first call. */
export function perInvocation<State extends object>(create: () => State): () => State {
  const states = new WeakMap<Invocation, State>()
  return () => {
    const current = invocation()
    const state = states.get(current) ?? create()
    states.set(current, state)
    return state
  }
}
