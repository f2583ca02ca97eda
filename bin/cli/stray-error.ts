/** Names of what a case throws to end itself. */
const endings = ['CheckFailed', 'CaseErrored', 'CaseSkipped']

/**
 * Whether an error that nobody caught comes from a case that has ended: something it began beside itself, such as raising
 * events, failed afterwards, when its workspace or its connections were gone. It says nothing of the target nor of the run.
 */
export function isOfEndedCase(error: unknown): boolean {
  return error instanceof Error && endings.includes(error.name)
}
