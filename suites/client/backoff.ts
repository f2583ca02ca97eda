// CLI-016  "Retries wait with exponential backoff: the waits grow."
// CLI-017  "Retries wait with jitter: the waits differ."
// CLI-018  "A `Retry-After` header in seconds is obeyed: the retry comes no earlier."
// CLI-019  "A `Retry-After` header with an HTTP date is obeyed: the retry comes no earlier."
//
// Reading: no base, factor or bound is stated. Jitter may shorten a wait down to nothing, so one wait proves little:
// growth and jitter are read off many calls. Waits are measured from our answer to the next arrival, which is never
// shorter than what the client waited; only the lower side is asserted. A busy machine makes waits longer, never shorter:
// without jitter many of them still crowd at the shortest one, and with any jitter they do not.

import { clientCase, json, refusal, timingMark, type Heard } from '../../harness/authoring.js'
import { email, send, valueOf, waitsBetween } from './expectations.js'

/** Drivers side by side, and the calls each of them makes one after the other. */
const drivers = 12
const callsOfADriver = 3
const calls = drivers * callsOfADriver
const retries = 3
/** Growth from the first wait to the third: doubling makes 4, and waits of one bound with full jitter hardly make 1.3. */
const leastGrowth = 1.5
/** Share of the waits near the shortest one from which on they are taken for alike; jitter over 50 ms puts a tenth there. */
const crowdedShare = 0.3
/** A timer may fire this much early against the clock of another process, in milliseconds. */
const earlyMs = 30

export const backoff = [
  clientCase({
    id: 'client/backoff/waits-grow-and-differ',
    requirements: ['CLI-016', 'CLI-017'],
    level: 'must',
    title: 'over many calls the third wait is on the whole longer than the first, and first waits are not all alike',
    timeoutMs: 180_000,
    async run({ fleet, server, check, measure }) {
      const attempts = new Map<string, Heard[]>()
      server.script((heard) => {
        const subject = String((heard.json as { subject?: unknown } | undefined)?.subject)
        const list = attempts.get(subject) ?? []
        list.push(heard)
        attempts.set(subject, list)
        return list.length > retries ? json(200, { id: 'em_1' }) : refusal(503, 'try_again')
      })
      const handles = await fleet(drivers, { max_retries: retries })
      await Promise.all(
        handles.map(async (handle, index) => {
          for (let count = 0; count < callsOfADriver; count++)
            await handle.call('emails.send', [{ ...email, subject: `call ${index}.${count}` }])
        }),
      )
      const waits = [...attempts.values()].filter((list) => list.length > retries).map(waitsBetween)
      check.of('CLI-016').equal(`calls with ${retries} retries`, waits.length, calls)
      const nth = (index: number) => waits.map((each) => each[index] ?? 0).sort((a, b) => a - b)
      const sorted = Array.from({ length: retries }, (_, index) => nth(index))
      const [first = [], last = []] = [sorted[0], sorted.at(-1)]
      measure(
        'waits_ms',
        sorted.map((each) => ({
          min: Math.round(each[0] ?? 0),
          median: Math.round(median(each)),
          max: Math.round(each.at(-1) ?? 0),
          crowded: Number(crowdOf(each).toFixed(2)),
        })),
      )
      const growth = meanOf(last) / Math.max(1, meanOf(first))
      check
        .of('CLI-016')
        .ok(
          `mean of wait ${retries} against that of wait 1 ${timingMark}`,
          growth >= leastGrowth,
          `at least ${leastGrowth} times`,
          Number(growth.toFixed(2)),
        )
      const alike = sorted.filter((each) => crowdOf(each) >= crowdedShare).length
      check
        .of('CLI-017')
        .ok(
          `retries whose waits are alike over ${calls} calls`,
          alike <= 1,
          `at most 1 of ${retries}`,
          `${alike}: of their waits ${crowdedShare * 100} % and more are within 4 ms of the shortest`,
        )
    },
  }),

  ...[429, 503].map((status) =>
    clientCase({
      id: `client/backoff/obeys-retry-after-in-seconds-of-a-${status}`,
      requirements: ['CLI-018'],
      level: 'must',
      title: `a ${status} with Retry-After: 3 is retried no earlier than 3 seconds later, every time`,
      async run({ client, server, check, require }) {
        server.replies(refusal(status, 'slow_down', { 'retry-after': '3' }), json(200, { id: 'em_1' }))
        valueOf(require, 'emails.send', await send(await client()))
        check.equal('number of requests', server.requests.length, 2)
        const [wait = 0] = waitsBetween(server.requests)
        check.ok(`milliseconds before the retry`, wait >= 3_000 - earlyMs, 'at least 3000', Math.round(wait))
        check.ok('milliseconds before the retry', wait <= 15_000, 'at most 15000', Math.round(wait))
      },
    }),
  ),

  clientCase({
    id: 'client/backoff/obeys-retry-after-with-a-date',
    requirements: ['CLI-019'],
    level: 'must',
    title: 'a 429 whose Retry-After is an HTTP date is retried no earlier than that date',
    async run({ client, server, check, require }) {
      let dueAt = 0
      server.script((_heard, number) => {
        if (number > 1) return json(200, { id: 'em_1' })
        dueAt = Math.ceil(Date.now() / 1000) * 1000 + 3_000
        return refusal(429, 'slow_down', { 'retry-after': new Date(dueAt).toUTCString() })
      })
      valueOf(require, 'emails.send', await send(await client()))
      check.equal('number of requests', server.requests.length, 2)
      const arrivedAt = performance.timeOrigin + (server.requests[1]?.arrivedAt ?? 0)
      check.ok(
        'milliseconds between the date and the retry',
        arrivedAt >= dueAt - earlyMs - 50,
        'at least 0',
        Math.round(arrivedAt - dueAt),
      )
      check.ok(
        'milliseconds between the date and the retry',
        arrivedAt <= dueAt + 12_000,
        'at most 12000',
        Math.round(arrivedAt - dueAt),
      )
    },
  }),

  clientCase({
    id: 'client/backoff/retry-after-of-zero-does-not-stop-the-retry',
    requirements: ['CLI-018'],
    level: 'must',
    title: 'a Retry-After of 0 or of a past date is followed by a retry',
    async run({ client, server, check, require }) {
      const handle = await client()
      for (const value of ['0', 'Wed, 21 Oct 2015 07:28:00 GMT']) {
        const start = server.requests.length
        server.replies(refusal(429, 'slow_down', { 'retry-after': value }), json(200, { id: 'em_1' }))
        valueOf(require, `emails.send after Retry-After: ${value}`, await send(handle))
        check.equal('number of requests', server.requests.length - start, 2)
      }
    },
  }),
]

/** The mean without the longest quarter, which a busy machine may have made. */
function meanOf(sorted: readonly number[]): number {
  const kept = sorted.slice(0, Math.ceil(sorted.length * 0.75))
  return kept.reduce((sum, each) => sum + each, 0) / Math.max(1, kept.length)
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** The share of the waits, sorted, that are as good as the shortest one. */
function crowdOf(sorted: readonly number[]): number {
  const limit = (sorted[0] ?? 0) + Math.max(4, median(sorted) * 0.005)
  return sorted.filter((each) => each <= limit).length / Math.max(1, sorted.length)
}
