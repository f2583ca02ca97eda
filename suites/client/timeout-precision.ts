// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
//
// Reading: a time in milliseconds stays in milliseconds: it is not rounded to whole seconds, and neither a second nor a minute bounds it. A
// busy machine makes any attempt longer, so the shortest of a few counts, after subtracting the time of a call that is answered at once.

import { clientCase, json } from '../../harness/authoring.js'
import { email, errorOf, send, valueOf } from './expectations.js'

/** Each with what it is where it is rounded up to a second; rounded down they are another number too. */
const grains = [
  { ms: 250, roundedMs: 1_000 },
  { ms: 1_400, roundedMs: 2_000 },
] as const
/** So many attempts show the shortest. */
const tries = 5
/** A timer may fire this much early against the clock of another process, in milliseconds. */
const earlyMs = 50
/** The delay of the answer, and the longest wait for it; in milliseconds. */
const heldMs = 64_000
const reportedMs = 100_000
const days30Ms = 2_592_000_000

export const timeoutPrecision = [
  ...(
    [
      ['client', 'CLI-009'],
      ['call', 'CLI-030'],
    ] as const
  ).map(([whose, requirement]) =>
    clientCase({
      id: `client/time/keeps-the-milliseconds-of-the-${whose}`,
      requirements: [requirement],
      level: 'must',
      title: `a timeoutMs of the ${whose} counts milliseconds and is not rounded to seconds`,
      timeoutMs: 120_000,
      async run({ client, server, check, require }) {
        const took = async (act: () => Promise<void>) => {
          const startedAt = performance.now()
          await act()
          return performance.now() - startedAt
        }
        const plain = await client({ max_retries: 0 })
        server.replies(json(200, { id: 'em_1' }))
        const plainMs: number[] = []
        for (let count = 0; count < tries; count++)
          plainMs.push(await took(async () => void valueOf(require, 'emails.send', await send(plain))))
        const usualMs = plainMs.toSorted((one, other) => one - other)[Math.floor(tries / 2)] ?? 0
        server.replies({ kind: 'hang' })
        for (const { ms, roundedMs } of grains) {
          const handle = await client({ timeout_ms: whose === 'client' ? ms : 40_000, max_retries: 0 })
          const options = whose === 'client' ? {} : { timeout_ms: ms }
          const what = `emails.send without an answer, with timeoutMs ${ms} of its ${whose}`
          // Half-way to the next second.
          const mostMs = (ms + roundedMs) / 2 + usualMs
          let shortestMs = Infinity
          for (let count = 0; count < tries && shortestMs > mostMs; count++) {
            const ended = await took(async () => {
              const error = errorOf(require, what, await send(handle, options))
              check.equal(`code of the error of ${what}`, error.code, 'timeout')
            })
            shortestMs = Math.min(shortestMs, ended)
          }
          check.ok(`milliseconds of ${what}`, shortestMs >= ms - earlyMs, `at least ${ms}`, Math.round(shortestMs))
          check.measured.ok(
            `milliseconds of ${what}, at the least of ${tries} tries`,
            shortestMs <= mostMs,
            `about ${ms}, where a call that is answered at once takes ${Math.round(usualMs)}`,
            Math.round(shortestMs),
          )
        }
      },
    }),
  ),

  // The library beneath may have a limit of its own, which is a minute for many.
  clientCase({
    id: 'client/time/waits-for-more-than-a-minute-where-it-is-told',
    requirements: ['CLI-009', 'CLI-030'],
    level: 'must',
    title: `with a timeoutMs of ${reportedMs / 1_000} seconds an answer after ${heldMs / 1_000} seconds is returned`,
    timeoutMs: 180_000,
    phase: 'first',
    async run({ client, isConcurrent, server, check }) {
      server.script(() => ({
        kind: 'held',
        until: new Promise((resolve) => setTimeout(resolve, heldMs)),
        reply: json(200, { id: 'em_1' }),
      }))
      const ofClient = await client({ timeout_ms: reportedMs, max_retries: 0 })
      const ofCall = await client({ max_retries: 0 })
      // Concurrently, which costs no time; a driver that answers one call after the other would need a minute for each.
      const [reported, requested] = await Promise.all([
        send(ofClient, {}, reportedMs + 10_000),
        isConcurrent ? send(ofCall, { timeout_ms: reportedMs }, reportedMs + 10_000) : undefined,
      ])
      const resultOf = (result: typeof reported) => (result.kind === 'value' ? 'a value' : result)
      check.of('CLI-009').equal(`result of a client with timeoutMs ${reportedMs}`, resultOf(reported), 'a value')
      if (requested !== undefined)
        check.of('CLI-030').equal(`result of a call with timeoutMs ${reportedMs}`, resultOf(requested), 'a value')
    },
  }),

  // More milliseconds than the timers of many runtimes hold, which then fire at once.
  clientCase({
    id: 'client/time/takes-a-time-out-of-days',
    requirements: ['CLI-009'],
    level: 'should',
    title: 'with a timeoutMs of 30 days an answer after half a second is the result',
    async run({ client, server, check, require }) {
      server.script(() => ({
        kind: 'held',
        until: new Promise((resolve) => setTimeout(resolve, 500)),
        reply: json(200, { id: 'em_1' }),
      }))
      const handle = await client({ timeout_ms: days30Ms, max_retries: 0 })
      const value = valueOf(
        require,
        `emails.send with timeoutMs ${days30Ms}`,
        await handle.call('emails.send', [email]),
      )
      check.equal('value', value, { id: 'em_1' })
    },
  }),
]
