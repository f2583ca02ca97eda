// CLI-016  "Retries wait with exponential backoff: the waits grow."
// CLI-017  "Retries wait with jitter: the waits differ."
//
// Reading: "on 429, on 5xx and on network failure, … with exponential backoff and jitter": whatever the cause, there is a wait, with
// jitter, and it grows. How long is not stated. So the waits after a 503 are looked at, which backoff.ts judges, and only a client is failed
// whose waits after another cause lack what those have. A busy machine makes waits longer, never shorter.

import { clientCase, refusal, type Reply } from '../../harness/authoring.js'
import { email } from './shared/expectations.js'
import { findWaitFaults, measureWaits, sortedColumn, measureUntilDecided } from './shared/compared-waits.js'

const causes: readonly { readonly what: string; readonly reply: Reply }[] = [
  { what: 'a 503', reply: refusal(503, 'try_again') },
  { what: 'a 429 without Retry-After', reply: refusal(429, 'slow_down') },
  { what: 'a reset connection', reply: { kind: 'reset' } },
  { what: 'a connection closed without an answer', reply: { kind: 'close' } },
  ...[500, 502, 504].map((status) => ({ what: `a ${status}`, reply: refusal(status, 'try_again') })),
  // An unreadable Retry-After leaves the wait unchanged.
  { what: 'a 503 whose Retry-After is a word', reply: refusal(503, 'try_again', { 'retry-after': 'soon' }) },
]

export const causesOfWaits = [
  clientCase({
    id: 'client/backoff/waits-whatever-the-cause',
    requirements: ['CLI-016', 'CLI-017'],
    level: 'must',
    title: 'the waits after every retryable failure grow and have jitter, as after a 503',
    timeoutMs: 180_000,
    async run(context) {
      const { check, measure } = context
      const startedAt = performance.now()
      const kinds = causes.map(({ reply }) => ({ method: 'emails.send', args: [email], reply }))
      const [usual, ...others] = await measureWaits(context, kinds)
      if (usual === undefined) return
      measure(
        'first_and_last_waits_ms',
        [usual, ...others].map(({ waits }) => [0, 2].map((column) => sortedColumn(waits, column))),
      )
      const [usualKind, ...otherKinds] = kinds
      for (const [index, kind] of otherKinds.entries()) {
        const waits = others[index]
        if (usualKind === undefined || waits === undefined) continue
        const compared = await measureUntilDecided(context, [usualKind, kind], { measured: [usual, waits], startedAt })
        for (const { requirement, which, expected, got } of findWaitFaults(...compared))
          check
            .of(requirement)
            .fail(`milliseconds before the ${which} retry after ${causes[index + 1]?.what}`, expected, got)
      }
    },
  }),
]
