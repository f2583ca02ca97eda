// CLI-029, CLI-036  an aborted call ends with `aborted`, status 0: also in the wait after an attempt that got no answer in time.

import { clientCase, refusal } from '../../harness/authoring.js'
import { email, errorOf, send, valueOf } from './expectations.js'
import {
  abortedInWaitMs,
  ampleMs,
  generousMs,
  growingMs,
  checkAbortedAtOnce,
  neverAnswered,
  manyRetries,
} from './time.js'

/** When calls that wait after a time-out are aborted: waits that have grown last for seconds, and one of them is under way. */
const abortedAfterTimeOutMs = [10_500, 12_000, 13_500, 15_000]
/** Time between the time-out of an attempt and the later abort of its call, in milliseconds. */
const isOverMs = 400

export const timeAfterTimeOuts = [
  // Whether a library tries again after a time-out is open: of one that does, calls are aborted at several moments, and those are judged that
  // were waiting then.
  clientCase({
    id: 'client/time/aborts-while-it-waits-after-a-time-out',
    requirements: ['CLI-029', 'CLI-036'],
    level: 'must',
    title: 'a call aborted in the wait after a time-out ends with aborted at once',
    timeoutMs: 120_000,
    async run({ client, server, check, require, isConcurrent, skip }) {
      valueOf(require, 'emails.send', await send(await client()))
      const patient = await client({ timeout_ms: 45_000, max_retries: 0 })
      const handle = await client({ timeout_ms: ampleMs, max_retries: manyRetries })
      const begunAt = new Map<unknown, number>()
      const lastAt = new Map<unknown, number>()
      server.script(({ json: sent, arrivedAt }) => {
        const subject = (sent as { readonly subject?: unknown } | undefined)?.subject
        const beganAt = begunAt.get(subject) ?? arrivedAt
        begunAt.set(subject, beganAt)
        lastAt.set(subject, arrivedAt)
        return subject === neverAnswered || arrivedAt - beganAt >= growingMs
          ? { kind: 'hang' }
          : refusal(503, 'try_again')
      })
      const aborted = async (subject: string, abortMs: number) => {
        const startedAt = performance.now()
        const options = { abort_after_ms: abortMs }
        const of = subject === neverAnswered ? patient : handle
        const result = await of.call('emails.send', [{ ...email, subject }], options, generousMs + abortMs)
        const lateMs = Math.round(performance.now() - startedAt - abortMs)
        const isWaiting = startedAt + abortMs - (lastAt.get(subject) ?? Infinity) > ampleMs + isOverMs
        return { result, lateMs, isWaiting: isWaiting && lateMs > -50 }
      }
      const rows = abortedAfterTimeOutMs.map((abortMs) => [`After ${abortMs}`, abortMs] as const)
      const [control, ...calls] = isConcurrent
        ? await Promise.all([aborted(neverAnswered, abortedInWaitMs), ...rows.map((row) => aborted(...row))])
        : [await aborted(neverAnswered, ampleMs), await aborted('After all', abortedInWaitMs)]
      const what = 'emails.send that was aborted after its attempts got no answer in time'
      // Control: there is a call that can be aborted.
      errorOf(require, 'emails.send that was aborted', control?.result ?? { kind: 'broken', how: 'it was not called' })
      const waiting = calls.filter(({ isWaiting }) => isWaiting)
      if (waiting.length === 0) skip('needs a wait of seconds after an attempt that got no answer in time')
      checkAbortedAtOnce({ check, require }, what, { calls: waiting, control })
    },
  }),
]
