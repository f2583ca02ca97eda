// SDR-020  "Any 2xx counts as success: the delivery is not attempted again."
// SDR-034  "Any 2xx counts as success, as the Standard Webhooks specification advises."

import { senderCase, status, type SenderContext } from '../../harness/authoring.js'

/** Statuses of which a careless sender knows the first alone. */
const successes: readonly number[] = [200, 202, 201, 203, 204, 206, 299]
/** Time in which a sender without a known schedule would try again, in milliseconds. */
const usualDelayMs = 5_000

async function expectOneAttempt({ send, expectNoMore, schedule, isByHand }: SenderContext): Promise<void> {
  const events = []
  for (const code of isByHand ? successes.slice(1, 2) : successes) events.push(await send({ answers: [status(code)] }))
  await Promise.all(events.map((event) => expectNoMore(event, 1, schedule[0] ?? usualDelayMs)))
}

export const success = [
  senderCase({
    id: 'sender/success/any-2xx-ends-a-delivery',
    requirements: ['SDR-020'],
    level: 'must',
    title: 'a delivery that is answered with any 2xx is not attempted again',
    needs: ['interface'],
    timeoutMs: 300_000,
    run: expectOneAttempt,
  }),

  senderCase({
    id: 'sender/success/any-2xx-should-end-a-delivery',
    requirements: ['SDR-034'],
    level: 'should',
    title: 'a delivery that is answered with any 2xx is not attempted again',
    needs: ['standard-webhooks'],
    timeoutMs: 300_000,
    run: expectOneAttempt,
  }),
]
