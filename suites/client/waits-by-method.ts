// CLI-016  "Retries wait with exponential backoff: the waits grow."
// CLI-017  "Retries wait with jitter: the waits differ."
// CLI-059  "Methods for the endpoints of webhooks and events that the client library section does not name behave like every other method."
// CLI-060  "Methods whose path is not shown behave like every other method."
//
// Reading: the sentence makes no difference between methods, so every retry follows a wait. Their growth is judged for `emails.send`
// (backoff.ts); another method fails only if its waits lack a property that those of `emails.send` have, just as for other causes
// (wait-causes.ts). A busy machine makes waits longer, never shorter.

import { clientCase, refusal } from '../../harness/authoring.js'
import { findWaitFaults, measureWaits, sortedColumn, measureUntilDecided } from './shared/compared-waits.js'
import { email } from './shared/expectations.js'
import { requirementsOf, isRepeated, methods, slugOf } from './shared/methods.js'

const reply = refusal(503, 'try_again')
const usualCalls = { method: 'emails.send', args: [email], reply }

export const waitsByMethod = methods
  .filter((method) => isRepeated(method) && method.name !== usualCalls.method)
  .map((method) =>
    clientCase({
      id: `client/backoff/${slugOf(method)}-waits-before-its-retries`,
      requirements: requirementsOf(method, 'CLI-016', 'CLI-017'),
      level: 'must',
      title: `the waits before the retries of ${method.name} grow and have jitter, as for emails.send`,
      timeoutMs: 180_000,
      async run(context) {
        const { check, measure } = context
        const startedAt = performance.now()
        const { name, args } = method
        const kinds = [usualCalls, { method: name, args, reply }] as const
        const [first, others] = await measureWaits(context, kinds)
        if (first === undefined || others === undefined) return
        const compared = await measureUntilDecided(context, kinds, { measured: [first, others], startedAt })
        measure(
          'first_and_last_waits_ms',
          compared.map(({ waits }) => [0, 2].map((column) => sortedColumn(waits, column))),
        )
        for (const { requirement, which, expected, got } of findWaitFaults(...compared))
          check
            .of(method.reportedUnder ?? requirement)
            .fail(`milliseconds before the ${which} retry of ${name}`, expected, got)
      },
    }),
  )
