import { exitCodes } from './usage.js'

export interface Interrupt {
  readonly signal: AbortSignal
  /** Resolves once the signal is aborted. */
  readonly come: Promise<void>
  end(): void
}

/**
 * The first SIGINT or SIGTERM ends what is under way in order; the second ends the process at once, as does the first where `afterMs`
 * milliseconds have ended it before.
 */
export function watchSignals({ afterMs }: { readonly afterMs?: number | undefined } = {}): Interrupt {
  const interrupt = new AbortController()
  const timer = afterMs === undefined ? undefined : setTimeout(() => interrupt.abort(), afterMs)
  const onSignal = () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.noVerdict)
    interrupt.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const { signal } = interrupt
  return {
    signal,
    come: new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    end() {
      clearTimeout(timer)
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    },
  }
}
