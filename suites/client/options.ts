// CLI-058  "Every method takes a last options argument with `idempotencyKey`: it is sent."
// CLI-067  "The `idempotencyKey` of a caller is sent with requests other than POST too."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-029  "Every method takes a last options argument with `signal`: an aborted call ends with `aborted`."
// CLI-012  "`headers` are extra headers sent with every request."
// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."

import { failing, halfAnswer, reset, silence, success, type Answer } from './shared/answers.js'
import { isPost, isRepeated, methods, requirementsOf, slugOf } from './shared/methods.js'
import { scenario } from './shared/scenario.js'

const shortMs = 400
/** Enough above the need of a busy machine, and enough below the client's own limit, that a miss is not our delay. */
const generousMs = 30_000
const patientMs = 40_000
/** The other one of two times, long after the first, in milliseconds. */
const laterMs = 20_000
const lateSuccess: Answer = { kind: 'late', ms: 3 * shortMs, reply: success }

export const options = methods.flatMap((method) => [
  scenario({
    id: `client/options/${slugOf(method)}-takes-an-idempotency-key`,
    requirements: isPost(method) ? requirementsOf(method, 'CLI-058', 'CLI-012') : ['CLI-067', 'CLI-012'],
    level: isPost(method) ? 'must' : 'should',
    title: `${method.name} sends the caller's key and the extra headers${isRepeated(method) ? ', also when retried' : ''}`,
    calls: [
      {
        method,
        ownKey: 'usual',
        maxRetries: 3,
        answers: isRepeated(method) ? [reset, failing(503), failing(429), success] : [success],
      },
    ],
  }),

  scenario({
    id: `client/options/${slugOf(method)}-takes-a-time-out`,
    requirements: requirementsOf(method, 'CLI-030'),
    title: `${method.name} that gets no answer ends with timeout after its own timeoutMs`,
    calls: [
      { method, timeoutMs: patientMs, maxRetries: 0, options: { timeout_ms: shortMs }, answers: [silence] },
      { method, timeoutMs: patientMs, maxRetries: 0, options: { timeout_ms: shortMs }, answers: [halfAnswer] },
      // It was that of those calls alone.
      { method, timeoutMs: patientMs, maxRetries: 0, answers: [lateSuccess] },
      // The other way round: the client is the one that waits for a short time.
      { method, timeoutMs: shortMs, maxRetries: 0, options: { timeout_ms: generousMs }, answers: [lateSuccess] },
    ],
  }),

  scenario({
    id: `client/options/${slugOf(method)}-takes-a-signal`,
    requirements: requirementsOf(method, 'CLI-029'),
    title: `${method.name} aborted before an answer ends with status 0 and code aborted, without a retry`,
    calls: [
      { method, timeoutMs: patientMs, maxRetries: 1, options: { abort_after_ms: shortMs }, answers: [silence] },
      { method, timeoutMs: patientMs, maxRetries: 1, options: { abort_after_ms: shortMs }, answers: [halfAnswer] },
      { method, timeoutMs: patientMs, maxRetries: 1, answers: [success] },
    ],
  }),
])

/** {@link options}: none of them replaces another. */
export const optionsTogether = methods.map((method) => {
  const ownKey = isPost(method) ? ({ ownKey: 'usual' } as const) : {}
  return scenario({
    id: `client/options/${slugOf(method)}-takes-them-together`,
    requirements: requirementsOf(method, 'CLI-030', 'CLI-029', 'CLI-009'),
    title: `${method.name} with a signal ends with timeout or with aborted, whichever is first`,
    timeoutMs: 120_000,
    calls: [
      { timeoutMs: patientMs, options: { timeout_ms: shortMs, abort_after_ms: laterMs } },
      { timeoutMs: patientMs, options: { timeout_ms: laterMs, abort_after_ms: shortMs } },
      { timeoutMs: shortMs, options: { abort_after_ms: laterMs } },
    ].map((times) => ({ method, maxRetries: 0, answers: [silence], ...ownKey, ...times })),
  })
})

/** {@link options}: what a call leaves out is that of its client. */
export const timeOutsOfClients = methods.map((method) =>
  scenario({
    id: `client/options/${slugOf(method)}-has-the-time-out-of-its-client`,
    requirements: requirementsOf(method, 'CLI-009'),
    title: `${method.name} that gets no answer, or half of one, ends after timeoutMs of its client`,
    calls: [silence, halfAnswer].map((reply) => ({ method, timeoutMs: shortMs, maxRetries: 0, answers: [reply] })),
  }),
)
