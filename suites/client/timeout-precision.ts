// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
//
// Reading: a time in milliseconds stays in milliseconds: it is not rounded to whole seconds, and neither a second nor a minute bounds it. A
// busy machine makes any attempt longer, so the shortest of a few counts, after subtracting the time of a call that is answered at once.

import { clientCase, json } from '../../harness/authoring.js'
import { success, type Answer } from './shared/answers.js'
import { errorOf, send, valueOf } from './shared/expectations.js'
import { sending } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

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

const lateAnswer = (ms: number): Answer => ({ kind: 'late', ms, reply: success })

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
  scenario({
    id: 'client/time/waits-for-more-than-a-minute-where-it-is-told',
    requirements: ['CLI-009', 'CLI-030'],
    title: `with a timeoutMs of ${reportedMs / 1_000} seconds an answer after ${heldMs / 1_000} seconds is returned`,
    timeoutMs: 180_000,
    phase: 'first',
    isSideBySide: true,
    calls: [
      { method: sending, timeoutMs: reportedMs, maxRetries: 0, answers: [lateAnswer(heldMs)] },
      { method: sending, options: { timeout_ms: reportedMs }, maxRetries: 0, answers: [lateAnswer(heldMs)] },
    ],
  }),

  // More milliseconds than the timers of many runtimes hold, which then fire at once.
  scenario({
    id: 'client/time/takes-a-time-out-of-days',
    requirements: ['CLI-009'],
    level: 'should',
    title: 'with a timeoutMs of 30 days an answer after half a second is the result',
    calls: [{ method: sending, timeoutMs: days30Ms, maxRetries: 0, answers: [lateAnswer(500)] }],
  }),
]
