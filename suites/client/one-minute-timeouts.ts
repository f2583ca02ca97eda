// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-010  "`timeoutMs` is 60000 by default."
// CLI-035  "When no response arrives in time, `status` is 0 and `code` is `timeout`."
//
// These cases take a minute of real time: they begin first, concurrently with the others. An answer that is late, but within the limit, is
// an answer, and the interface sets no limit for a call. A busy machine makes calls longer, never shorter.

import { clientCase, refusal, type CallResult, type Checks } from '../../harness/authoring.js'
import { success } from './shared/answers.js'
import { email, errorOf } from './shared/expectations.js'
import { methods, sending } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

/** A minute and what a busy machine adds to it, in milliseconds. */
const longestMinuteMs = 85_000
/** How late the answers of two attempts are: less than a minute, and together more; in milliseconds. */
const lateMs = 31_000

export const oneMinuteTimeouts = [
  clientCase({
    id: 'client/time/has-a-minute-by-default',
    requirements: ['CLI-010'],
    level: 'must',
    title: 'without timeoutMs, an unanswered attempt of any method ends with timeout after 60 seconds',
    timeoutMs: 150_000,
    phase: 'first',
    async run({ client, isConcurrent, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      server.replies({ kind: 'hang' })
      const hung = async (name: string, args: readonly unknown[]) => {
        const startedAt = performance.now()
        const result = await handle.call(name, args, {}, longestMinuteMs)
        return { result, tookMs: Math.round(performance.now() - startedAt) }
      }
      // Concurrently, which costs no time; a driver that answers one call after the other would need a minute for each.
      const others = isConcurrent ? methods.filter(({ name }) => name !== 'emails.send') : []
      const [sent, all] = await Promise.all([
        hung('emails.send', [email]),
        // A missing method throws.
        Promise.allSettled(others.map(({ name, args }) => hung(name, args))),
      ])
      const { result } = sent
      expectMinute(check, 'emails.send', sent)
      for (const [index, { name, reportedUnder }] of others.entries()) {
        const one = all[index]
        if (one?.status === 'fulfilled') expectMinute(check.of(reportedUnder ?? 'CLI-010'), name, one.value)
      }
      const error = errorOf(require.of('CLI-035'), 'emails.send without an answer', result)
      check.of('CLI-035').equal('code', error.code, 'timeout')
    },
  }),

  scenario({
    id: 'client/time/goes-on-after-a-minute',
    requirements: ['CLI-009'],
    dependsOn: ['CLI-008', 'CLI-014'],
    title: 'without timeoutMs, a call goes on past a minute if each attempt is shorter',
    timeoutMs: 150_000,
    phase: 'first',
    calls: [
      {
        method: sending,
        answers: [
          { kind: 'late', ms: lateMs, reply: refusal(503, 'try_again') },
          { kind: 'late', ms: lateMs, reply: refusal(503, 'try_again') },
          success,
        ],
      },
    ],
  }),
]

/** A mismatch unless a call without an answer lasted a minute. */
function expectMinute(
  check: Checks,
  name: string,
  { result, tookMs }: { readonly result: CallResult; readonly tookMs: number },
): void {
  const ended = result.kind === 'error' ? result.error.code : result
  const what = `milliseconds until ${name} without an answer ended`
  check.between(what, tookMs, 0, longestMinuteMs - 1)
  check.ok(what, tookMs >= 59_900, 'at least 60000', { milliseconds: tookMs, ended })
}
