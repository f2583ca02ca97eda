let isBroken = false

/**
 * Keeps a closed standard output or error from crashing the process; see {@link isStandardOutputBroken}. `mayBeCut`: a reader that closes
 * the pipe early has what it wanted.
 */
export function watchStandardOutput({ mayBeCut = false }: { readonly mayBeCut?: boolean } = {}): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (mayBeCut && code === 'EPIPE') return
    isBroken = true
    process.exitCode = 2
  })
  process.stderr.on('error', () => {})
}

/** Whether something written to standard output got lost. */
export function isStandardOutputBroken(): boolean {
  return isBroken
}

/** Columns of the terminal; undefined where standard output is none. */
export function terminalColumns(): number | undefined {
  return process.stdout.columns
}

/** Whether standard output is a terminal. */
export function isTerminal(): boolean {
  return process.stdout.isTTY
}
