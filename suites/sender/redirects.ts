// SDR-023  "Redirects are not followed."
// SDR-024  "Redirects count as failures: the delivery is attempted again."
// SDR-035  "Redirects are not followed, as the Standard Webhooks specification advises."
//
// Each redirect leads to a path of the same listener, which sees a sender that follows it.

import { redirect, senderCase, status, type SenderContext, type SentEvent } from '../../harness/authoring.js'

const codes: readonly number[] = [300, 301, 302, 303, 307, 308]
/** Time in which a sender that follows would have, in milliseconds. */
const followsWithinMs = 3_000

async function redirected({ send, isByHand }: SenderContext): Promise<SentEvent[]> {
  const events = []
  for (const code of isByHand ? codes.slice(4, 5) : codes)
    events.push(await send({ answers: (movedUrl) => [redirect(movedUrl, code), status(200)] }))
  return events
}

async function expectNotFollowed(context: SenderContext): Promise<void> {
  await expectNoneFollowed(context, await redirected(context))
}

async function expectNoneFollowed({ check, signal }: SenderContext, events: readonly SentEvent[]): Promise<void> {
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, followsWithinMs)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true })
  })
  const followed = events.flatMap((event) => event.followed)
  check.equal('requests that followed a redirect', followed.length, 0)
}

export const redirects = [
  senderCase({
    id: 'sender/redirects/are-not-followed',
    requirements: ['SDR-023'],
    level: 'must',
    title: 'the target of a 300, 301, 302, 303, 307 or 308 gets no request',
    needs: ['interface'],
    timeoutMs: 180_000,
    run: expectNotFollowed,
  }),

  senderCase({
    id: 'sender/redirects/are-not-followed-by-a-retry',
    requirements: ['SDR-023'],
    level: 'must',
    title: 'the target of a 302 or 307 to a second attempt gets no request',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    async run(context) {
      const { send, next, require, schedule, isByHand } = context
      const events: SentEvent[] = []
      for (const code of isByHand ? [307] : [302, 307])
        events.push(await send({ answers: (movedUrl) => [status(500), redirect(movedUrl, code), status(200)] }))
      await Promise.all(events.map((event) => next(event, 2, schedule[0] ?? 0, require.of('SDR-028'))))
      await expectNoneFollowed(context, events)
    },
  }),

  senderCase({
    id: 'sender/redirects/count-as-failures',
    requirements: ['SDR-024'],
    level: 'must',
    title: 'after any 3xx the second attempt goes to the same url, on schedule',
    needs: ['interface', 'retries'],
    timeoutMs: 7_200_000,
    async run(context) {
      const events = await redirected(context)
      // They lead to no place, but are not a 2xx either.
      for (const code of context.isByHand ? [] : [304, 305, 399])
        events.push(await context.send({ answers: [status(code), status(200)] }))
      await Promise.all(events.map((event) => context.next(event, 2, context.schedule[0] ?? 0)))
    },
  }),

  senderCase({
    id: 'sender/redirects/should-not-be-followed',
    requirements: ['SDR-035'],
    level: 'should',
    title: 'the target of a 300, 301, 302, 303, 307 or 308 gets no request',
    needs: ['standard-webhooks'],
    timeoutMs: 180_000,
    run: expectNotFollowed,
  }),
]
