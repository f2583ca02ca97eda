import { invocation, perInvocation } from './invocation.js'

const output = perInvocation(() => ({ isBroken: false }))

/**
 * Keeps a closed standard output or error from crashing the process; see {@link isStandardOutputBroken}. `mayBeCut`: a reader that closes
 * the pipe early has what it wanted.
 */
export function watchStandardOutput({ mayBeCut }: { readonly mayBeCut: boolean }): void {
  const { stdout, stderr } = invocation()
  const state = output()
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (mayBeCut && code === 'EPIPE') return
    state.isBroken = true
  })
  stderr.on('error', () => {})
}

/** Whether something written to standard output got lost. */
export function isStandardOutputBroken(): boolean {
  return output().isBroken
}

/** Columns of the terminal; undefined if standard output is not a terminal. */
export function terminalColumns(): number | undefined {
  return invocation().stdout.columns
}

/** Whether standard output is a terminal. */
export function isTerminal(): boolean {
  return invocation().stdout.isTTY === true
}
