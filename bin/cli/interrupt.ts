import { exitCodes } from './usage.js'
import { startWatchdog } from './watchdog.js'
import { invocation } from './invocation.js'

export interface Interrupt {
  readonly signal: AbortSignal
  /** Resolves once the signal is aborted. */
  readonly come: Promise<void>
  /** Called when the work is over. While the process ends, a signal still makes its exit code 3. */
  end(): void
}

/** A closed terminal and a dropped connection send SIGHUP. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal ends the work in order; the second ends the process at once, as does the first if `afterMs` milliseconds ended the work
 * before. If the main thread is stuck, so that no signal reaches it, the watchdog ends the process.
 */
export function watchSignals({ afterMs }: { readonly afterMs?: number | undefined } = {}): Interrupt {
  const interrupt = new AbortController()
  const timer = afterMs === undefined ? undefined : setTimeout(() => interrupt.abort(), afterMs)
  let isOver = false
  const onSignal = () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.noVerdict)
    interrupt.abort()
    if (isOver) process.once('exit', () => (process.exitCode = exitCodes.noVerdict))
  }
  const { signals, ownsProcess } = invocation()
  for (const name of endingSignals) signals.on(name, onSignal)
  const watchdog = ownsProcess ? startWatchdog() : undefined
  const { signal } = interrupt
  return {
    signal,
    come: new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    end() {
      clearTimeout(timer)
      watchdog?.end()
      isOver = true
      if (!ownsProcess) for (const name of endingSignals) signals.off(name, onSignal)
    },
  }
}
