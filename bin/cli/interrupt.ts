import { exitCodes } from './usage.js'

export interface Interrupt {
  readonly signal: AbortSignal
  end(): void
}

/** The first SIGINT or SIGTERM ends what is under way in order; the second ends the process at once. */
export function watchSignals(): Interrupt {
  const interrupt = new AbortController()
  const onSignal = () => {
    if (interrupt.signal.aborted) process.exit(exitCodes.noVerdict)
    interrupt.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return { signal: interrupt.signal, end: () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal) }
}
