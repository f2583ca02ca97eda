import type { Outcome } from '../../harness/index.js'

/** Of several outcomes of one case the leftmost counts. */
const worstFirst: readonly Outcome[] = ['failed', 'errored', 'passed', 'skipped']

interface Judged {
  readonly status: Outcome
  readonly known_failure: boolean
}

/** Sorts outcomes of one case, the one that counts first; a failure precedes a known one. */
export function bySeverity(a: Judged, b: Judged): number {
  return (
    worstFirst.indexOf(a.status) - worstFirst.indexOf(b.status) || Number(a.known_failure) - Number(b.known_failure)
  )
}
