import type { Environment } from './policy.js'

/** What the client takes from where it runs; tests replace it. */
export interface ClientRuntime {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** From 0 to below 1. */
  readonly random: () => number
  /** Resolves after `ms` milliseconds, never earlier, or as soon as `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Makes an idempotency key. */
  readonly newKey: () => string
}

/** The longest time that timers of every runtime can hold; a longer one would fire at once. */
export const longestTimerMs = 2_147_483_647

export const systemRuntime: ClientRuntime = { now: Date.now, random: Math.random, wait, newKey }

/** The environment of a runtime that has one; empty elsewhere, and where reading it is not allowed. */
export function systemEnvironment(): Environment {
  try {
    return (globalThis as { process?: { env?: Environment } }).process?.env ?? {}
  } catch {
    return {}
  }
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const endsAt = performance.now() + ms
  for (;;) {
    // Timers may fire a little early, and hold only so long.
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0 || signal?.aborted === true) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, Math.min(Math.ceil(leftMs), longestTimerMs))
      signal?.addEventListener('abort', end)
    })
  }
}

/** A UUID of version 4. Browsers have no `randomUUID` outside secure contexts, and some runtimes no Web Crypto. */
function newKey(): string {
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } }
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID()
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = Math.floor(Math.random() * 16)
    return (place === 'x' ? digit : (digit % 4) + 8).toString(16)
  })
}
