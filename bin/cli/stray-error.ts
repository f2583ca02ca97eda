/** Names of what a case throws to end itself. */
const endings = ['CheckFailed', 'CaseErrored', 'CaseSkipped']

/**
 * Returns whether an uncaught error is from an ended case: background work of it, such as raising events, failed when its workspace or its
 * connections were gone. It proves nothing about the target or the run.
 */
export function isOfEndedCase(error: unknown): boolean {
  return error instanceof Error && endings.includes(error.name)
}
