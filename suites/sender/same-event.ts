// SDR-029  "`webhook-id` is identical on every retry."
// SDR-030  "Each attempt is signed at its own time: a retry carries the timestamp of the retry."
// SDR-031  "Every attempt carries the same event: `id`, `type`, `timestamp` and `data` do not change over retries."

import type { Checks, SeenAttempt } from '../../harness/authoring.js'

/** A shorter delay may be within one second of the clock, and an attempt may be a second early, in milliseconds. */
const clearDelayMs = 2_000

/**
 * Checks which headers of a retry equal those of the first attempt, and which must differ. `before` is the attempt that precedes it by
 * `delayMs`: a sender that keeps the signature of the first retry has signed that one at its own time.
 */
export function expectSameEvent(
  check: Checks,
  first: SeenAttempt,
  later: SeenAttempt,
  delayMs: number,
  before = first,
): void {
  check.of('SDR-029').equal(`${first.nameOf('id')} of the retry`, later.values.id, first.values.id)
  const apart = later.signedAt - before.signedAt
  const which = before === first ? 'first' : 'last'
  if (first.isSignedAnew && delayMs >= clearDelayMs && !Number.isNaN(apart))
    check
      .of('SDR-030')
      .between(`seconds from the ${which} ${first.nameOf('timestamp')} to that of the retry`, apart, 1, Infinity)
}

/** A mismatch unless the body of a retry holds the event of the first attempt. */
export function expectSameFields(check: Checks, first: SeenAttempt | undefined, later: SeenAttempt | undefined): void {
  for (const field of ['id', 'type', 'timestamp', 'data'])
    check.of('SDR-031').equal(`${field} of the retry`, later?.attempt.field(field), first?.attempt.field(field))
}
