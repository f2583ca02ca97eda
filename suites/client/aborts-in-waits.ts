// CLI-029, CLI-036  an aborted call ends with `aborted`, status 0: also in the wait after a lost connection, or after an attempt that got no
// answer in time.

import { clientCase, refusal } from '../../harness/authoring.js'
import { checkAbortedAtOnce, neverAnswered } from './shared/aborted-calls.js'
import { email, errorOf, send, valueOf } from './shared/expectations.js'

/** Long enough for an attempt that is answered at once, in milliseconds. */
const ampleMs = 2_000
const generousMs = 30_000
/** Attempts of a call that is aborted in a wait: by then its waits have grown, and it goes on waiting. */
const manyRetries = 12
/** How long attempts are reset at once, when the call is aborted, and how long before that an attempt held until then is reset, in milliseconds. */
const growingMs = 4_000
const abortedInWaitMs = 15_000
const waitBeginsMs = 400
/** Calls that are aborted so, side by side: a wait may be drawn short. */
const abortedCalls = 3
/** When calls that wait after a time-out are aborted: waits that have grown last for seconds, and one of them is under way. */
const abortedAfterTimeOutMs = [10_500, 12_000, 13_500, 15_000]
/** Time between the time-out of an attempt and the later abort of its call, in milliseconds. */
const isOverMs = 400

export const abortsInWaits = [
  // No answer determines the wait, so it is made long: waits grow, and the last attempt before the abort is held until just before it. A
  // concurrent call that is aborted while it is unanswered measures how long an abort takes on this machine.
  clientCase({
    id: 'client/time/aborts-while-it-waits-after-a-lost-connection',
    requirements: ['CLI-029', 'CLI-036'],
    level: 'must',
    title: 'a call aborted in the wait after a lost connection ends with aborted at once',
    timeoutMs: 120_000,
    async run({ client, server, check, require, isConcurrent, skip }) {
      valueOf(require, 'emails.send', await send(await client()))
      const handle = await client({ timeout_ms: 45_000, max_retries: manyRetries })
      const lateness = async (subject: string) => {
        const startedAt = performance.now()
        const options = { abort_after_ms: abortedInWaitMs }
        const result = await handle.call('emails.send', [{ ...email, subject }], options, generousMs + abortedInWaitMs)
        return { result, lateMs: Math.round(performance.now() - startedAt - abortedInWaitMs) }
      }
      const begunAt = new Map<unknown, number>()
      server.script(({ json: sent }) => {
        const subject = (sent as { readonly subject?: unknown } | undefined)?.subject
        if (subject === neverAnswered) return { kind: 'hang' }
        const now = performance.now()
        const beganAt = begunAt.get(subject) ?? now
        begunAt.set(subject, beganAt)
        const untilMs = beganAt + abortedInWaitMs - waitBeginsMs - now
        if (now - beganAt < growingMs || untilMs < 0) return { kind: 'reset' }
        const until = new Promise((resolve) => setTimeout(resolve, untilMs))
        return { kind: 'held', until, reply: { kind: 'reset' } }
      })
      const subjects = Array.from({ length: isConcurrent ? abortedCalls : 1 }, (_, index) => `Lost ${index}`)
      const [control, ...waiting] = isConcurrent
        ? await Promise.all([neverAnswered, ...subjects].map((subject) => lateness(subject)))
        : [await lateness(neverAnswered), await lateness(subjects[0] ?? '')]
      const what = 'emails.send that was aborted after its connections were lost'
      // Control: there is a call that can be aborted, and goes on after its connection was lost.
      errorOf(require, 'emails.send that was aborted', control?.result ?? { kind: 'broken', how: 'it was not called' })
      if (server.requests.length <= subjects.length + 2)
        require.of('CLI-015').fail('attempts of emails.send whose connections are reset', 'at least 2', 1)
      const aborted = waiting.filter(({ lateMs }) => lateMs > -50)
      if (aborted.length === 0)
        skip(`needs waits that last: ${manyRetries} retries were over within ${abortedInWaitMs / 1000} seconds`)
      checkAbortedAtOnce({ check, require }, what, { calls: aborted, control })
    },
  }),

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
