let isBroken = false

/** From here on a reader of standard output or error that goes away is no crash; see {@link isStandardOutputBroken}. */
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
