// CLI-029  "Every method takes a last options argument with `signal`: an aborted call ends with `aborted`."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
//
// Reading: the options are those of the call, whatever ended its first attempt. attempts.ts tests each method after a 503; here two are
// tested after failures that a library may handle elsewhere: a 429, and a lost connection. An HTTP library may repeat a request by itself
// whose connection ended without an answer (open point resends-of-http): that belongs to the first attempt, which has the options too.

import { clientCase, json, refusal, type Reply } from '../../harness/authoring.js'
import { email, errorOf } from './expectations.js'

const firsts = [
  { what: 'a 429', reply: refusal(429, 'slow_down', { 'retry-after': '0' }), requirement: 'CLI-013' },
  { what: 'a reset connection', reply: { kind: 'reset' }, requirement: 'CLI-015' },
  { what: 'a connection closed without an answer', reply: { kind: 'close' }, requirement: 'CLI-015' },
] as const satisfies readonly { what: string; reply: Reply; requirement: string }[]

/** Ends a second attempt, in milliseconds. */
const shortMs = 1_500
/** By then the second attempt is under way, in milliseconds. */
const abortedMs = 4_000
const generousMs = 30_000

export const optionsAfterFailures = (
  [
    ['emails.send', [email]],
    ['emails.get', ['em_1']],
  ] as const
).map(([method, args]) =>
  clientCase({
    id: `client/attempts/${method.replace('.', '-')}-keeps-its-options-after-any-failure`,
    requirements: ['CLI-030', 'CLI-029'],
    level: 'must',
    title: `after any failure ${method} keeps the timeoutMs and the signal of the call`,
    timeoutMs: 120_000,
    async run({ client, server, check, require }) {
      const handle = await client({ timeout_ms: 45_000, max_retries: 1 })
      // A first call may take long for what a library does once.
      server.replies(json(200, { id: 'em_1' }))
      await handle.call(method, args)
      for (const { what, reply, requirement: ofFirst } of firsts)
        for (const [code, requirement, options, leastMs] of [
          ['timeout', 'CLI-030', { timeout_ms: shortMs }, shortMs],
          ['aborted', 'CLI-029', { abort_after_ms: abortedMs }, abortedMs],
        ] as const) {
          const before = server.requests.length
          server.replies(reply, { kind: 'hang' })
          const startedAt = performance.now()
          const result = await handle.call(method, args, options)
          const tookMs = Math.round(performance.now() - startedAt)
          const made = server.requests.length - before
          const callText = `${method} whose first attempt gets ${what} and whose second one no answer`
          const error = errorOf(require.of(requirement), callText, result)
          // Control: there is a second attempt. A wait may last until the abort.
          if (made < 2 && code === 'timeout')
            require.of(ofFirst).fail(`requests of ${method} after ${what}`, 'at least 2', made)
          const on = check.of(requirement)
          on.equal(`error of ${callText}`, { status: error.status, code: error.code }, { status: 0, code })
          on.between(
            `milliseconds until the end of ${callText}, with ${Object.keys(options)[0]}`,
            tookMs,
            leastMs - 50,
            generousMs,
          )
        }
    },
  }),
)
