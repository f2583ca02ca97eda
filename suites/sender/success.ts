// SDR-020  "Any 2xx counts as success: the delivery is not attempted again."
// SDR-034  "Any 2xx counts as success, as the Standard Webhooks specification advises."

import { redirect, senderCase, status, type SenderContext } from '../../harness/authoring.js'

/** Statuses of which a careless sender knows the first alone. */
const successes: readonly number[] = [200, 202, 201, 203, 204, 205, 206, 207, 208, 218, 226, 250, 299]
/** A body or a header does not change the meaning of the status. */
const successesInOtherWords = [
  status(200, { headers: { 'content-type': 'application/json' }, body: '{"ok":false,"status":500,"error":"later"}' }),
  status(200, { headers: { 'content-type': 'text/html' }, body: '<h1>500 Internal Server Error</h1>' }),
  status(202, { headers: { 'retry-after': '5' } }),
  status(200, { body: 'taken', isBare: true }),
  // Longer than what a sender keeps of it.
  status(200, {
    headers: { 'content-type': 'text/html' },
    body: `<pre>${'A line of the answer.\n'.repeat(10_000)}</pre>`,
  }),
  // No JSON, and no text.
  status(200, { headers: { 'content-type': 'application/json' }, body: 'OK' }),
  status(200, { headers: { 'content-type': 'application/json' } }),
  status(200, { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from([0xe9, 0xff, 0x00]) }),
]
/** Time in which a sender without a known schedule would try again, in milliseconds. */
const usualDelayMs = 5_000

async function expectOneAttempt({ send, expectNoMore, schedule, isByHand, check }: SenderContext): Promise<void> {
  const events = []
  const plain = successes.map((code) => status(code))
  for (const answer of isByHand ? plain.slice(1, 2) : [...plain, ...successesInOtherWords])
    events.push(await send({ answers: [answer] }))
  // It names the place of a new resource, and is not a redirect.
  if (!isByHand) events.push(await send({ answers: (movedUrl) => [redirect(movedUrl, 201)] }))
  await Promise.all(events.map((event) => expectNoMore(event, 1, schedule[0] ?? usualDelayMs)))
  const followed = events.flatMap((event) => event.followed)
  check.equal('requests that followed the location of a success', followed.length, 0)
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

  // RFC 9110, 15.2. Advice: Python's http.client and libraries on it read a 103 as the answer (open point informational-answers).
  senderCase({
    id: 'sender/success/an-informational-answer-is-no-answer-yet',
    requirements: ['SDR-020', 'SDR-026'],
    level: 'should',
    title: 'a 103 before the final 200 or 500 changes nothing',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    async run({ send, next, expectNoMore, check, skip, schedule, isByHand, isDirect }) {
      if (!isDirect) return skip('needs a listener that the sender connects to directly: a proxy may change a 103')
      const [delayMs = 0] = schedule
      const good = await send({ answers: [status(200, { isAnnounced: true })] })
      const bad = isByHand ? undefined : await send({ answers: [status(500, { isAnnounced: true }), status(200)] })
      await Promise.all([
        expectNoMore(good, 1, delayMs),
        bad === undefined ? undefined : next(bad, 2, delayMs, check.of('SDR-026')),
      ])
    },
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
