let isBroken = false

/** From now on a closed standard output or error does not crash the process; see {@link isStandardOutputBroken}. */
export function watchStandardOutput({ mayBeCut = false }: { readonly mayBeCut?: boolean } = {}): void {
  process.stdout.on('error', () => {
    if (mayBeCut) return
    isBroken = true
    process.exitCode = 2
  })
  process.stderr.on('error', () => {})
}

/** Whether something written to standard output got lost. */
export function isStandardOutputBroken(): boolean {
  return isBroken
}
