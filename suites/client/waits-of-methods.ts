// CLI-016  "Retries wait with exponential backoff: the waits grow."
// CLI-059  "The methods of webhooks and events that the endpoints have beside those the client library names behave as every method does."
//
// Reading: the sentence makes no difference between methods, so whatever is retried is retried after a wait. How waits grow
// is judged of `emails.send` (backoff.ts); of another method only that there is a wait where `emails.send` has one, in the
// same way as for other causes (causes.ts). A busy machine makes waits longer, never shorter.

import { clientCase, json, refusal, type ReceivedRequest } from '../../harness/authoring.js'
import { email, waitsBetween } from './expectations.js'
import { slugOf } from './methods.js'
import { isWithout, paceMs, sizesOfCalls, somethingMs } from './causes.js'

type ArgsOf = (mark: string) => readonly unknown[]
const usual: ArgsOf = (mark) => [{ ...email, subject: mark }]
const when = '2030-01-02T03:04:05.000Z'

/** Some other method may wait less, so what counts as no wait does not grow with the waits of `emails.send`; in milliseconds. */
const maxCompared = 1_000

/** Methods that can be told a mark by which their requests are known, and what they are booked on. */
const methods = [
  ['emails.batch', (mark) => [[{ ...email, subject: mark }]], 'CLI-016'],
  ['emails.get', (mark) => [mark], 'CLI-016'],
  ['emails.list', (mark) => [{ cursor: mark }], 'CLI-016'],
  ['emails.update', (mark) => [mark, { scheduled_at: when }], 'CLI-016'],
  ['webhooks.deliveries', (mark) => [mark], 'CLI-016'],
  ['webhooks.delete', (mark) => [mark], 'CLI-059'],
  ['events.list', (mark) => [{ after: mark }], 'CLI-059'],
] as const satisfies readonly (readonly [string, ArgsOf, string])[]

export const waitsOfMethods = methods.map(([method, argsOf, requirement]) =>
  clientCase({
    id: `client/backoff/${slugOf({ name: method })}-waits-before-its-retries`,
    requirements: [requirement],
    level: 'must',
    title: `before the last retry of ${method} there is a wait as before that of emails.send`,
    timeoutMs: 180_000,
    async run({ client, isConcurrent, server, check, measure }) {
      const { calls, retries } = isConcurrent ? sizesOfCalls.concurrent : sizesOfCalls.serial
      const heard = new Map<string, ReceivedRequest[]>()
      server.script((request) => {
        const text = `${request.path} ${request.query.toString()} ${request.body}`
        const mark = /mark\d+(?:usual|other)/.exec(text)?.[0] ?? ''
        const attempts = heard.get(mark) ?? []
        attempts.push(request)
        heard.set(mark, attempts)
        return attempts.length > retries ? json(200, { id: 'em_1', data: [] }) : refusal(503, 'try_again')
      })
      const handle = await client({ max_retries: retries })
      const indices = Array.from({ length: calls }, (_, index) => index)
      await Promise.all(
        indices.map(async (index) => {
          await new Promise((resolve) => setTimeout(resolve, isConcurrent ? index * paceMs : 0))
          await handle.call('emails.send', usual(`mark${index}usual`))
          return handle.call(method, argsOf(`mark${index}other`))
        }),
      )
      const lastWaits = (kind: 'usual' | 'other') =>
        indices
          .flatMap((index) => waitsBetween(heard.get(`mark${index}${kind}`) ?? []).slice(retries - 1, retries))
          .map(Math.round)
          .sort((one, other) => one - other)
      const [usualMs, others] = [lastWaits('usual'), lastWaits('other')]
      measure('last_waits_ms', { usual: usualMs, others })
      const typicalMs = usualMs[Math.floor(usualMs.length / 2)] ?? 0
      // A client that does not retry, or waits for next to nothing, is told so elsewhere.
      if (typicalMs < somethingMs || others.length < calls) return
      check.ok(
        `milliseconds before the last retry of ${method}`,
        !isWithout(others, Math.min(typicalMs, maxCompared)),
        `waits, as those of emails.send (${usualMs.join(', ')})`,
        others.join(', '),
      )
    },
  }),
)
