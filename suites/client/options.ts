// CLI-058  "Every method takes a last options argument with `idempotencyKey`: it is sent."
// CLI-067  "The `idempotencyKey` of a caller is sent with requests other than POST too."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-029  "Every method takes a last options argument with `signal`: an aborted call ends with `aborted`."
// CLI-012  "`headers` are extra headers sent with every request."
// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-060  "Methods whose path is not shown behave like every other method."

import type { RequirementId } from '../../spec/index.js'
import { clientCase, json, refusal, type CallResult, type Reply } from '../../harness/authoring.js'
import { callersKey, errorOf, isNothing, valueOf } from './expectations.js'
import { requirementsOf, isPost, isRepeated, methods, slugOf, type Method } from './methods.js'

const shortMs = 400
/** Enough above the need of a busy machine, and enough below the client's own limit, that a miss is not our delay. */
const generousMs = 30_000
/** The other one of two times, long after the first, in milliseconds. */
const lateMs = 20_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const good = json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })

/** Whether a call waited for no body: what it is answered is not shown, and it returned nothing of it. */
function isWithoutBody({ isAnswerOpen }: Method, result: CallResult): boolean {
  return isAnswerOpen === true && result.kind === 'value' && isNothing(result.value)
}

export const options = methods.flatMap((method) => [
  clientCase({
    id: `client/options/${slugOf(method)}-takes-an-idempotency-key`,
    requirements: isPost(method) ? requirementsOf(method, 'CLI-058', 'CLI-012') : ['CLI-067', 'CLI-012'],
    level: isPost(method) ? 'must' : 'should',
    title: `${method.name} sends the caller's key and the extra headers${isRepeated(method) ? ', also when retried' : ''}`,
    async run({ client, server, check, require, unique }) {
      const key = callersKey(unique())
      const failures: readonly Reply[] = [
        { kind: 'reset' },
        refusal(503, 'try_again', { 'retry-after': '0' }),
        refusal(429, 'slow_down', { 'retry-after': '0' }),
      ]
      const answers = isRepeated(method) ? [...failures, good] : [good]
      server.replies(answers[0] ?? good, ...answers.slice(1))
      const probe = `probe-${unique()}`
      const handle = await client({ max_retries: answers.length - 1, headers: { 'x-probe': probe } })
      valueOf(require, method.name, await handle.call(method.name, method.args, { idempotency_key: key }))
      // A method without a shown path may make other requests too.
      const carrying = server.requests.find(({ headers }) => headers['idempotency-key'] === key)
      const attempts = server.requests.filter(
        (request) => carrying === undefined || (request.method === carrying.method && request.path === carrying.path),
      )
      const keys = attempts.map(({ headers }) => headers['idempotency-key'])
      check.ok(
        `header idempotency-key of each attempt of ${method.name}`,
        keys.length > 0 && keys.every((other) => other === key),
        key,
        keys,
      )
      for (const { headers } of attempts)
        check
          .of(method.reportedUnder ?? 'CLI-012')
          .equal(`header x-probe of ${method.name} with a key of its caller`, headers['x-probe'], probe)
    },
  }),

  clientCase({
    id: `client/options/${slugOf(method)}-takes-a-time-out`,
    requirements: requirementsOf(method, 'CLI-030'),
    level: 'must',
    title: `${method.name} that gets no answer ends with timeout after its own timeoutMs`,
    async run({ client, server, check, require }) {
      server.replies({ kind: 'hang' })
      const handle = await client({ timeout_ms: 40_000, max_retries: 0 })
      const startedAt = performance.now()
      const error = errorOf(
        require,
        `${method.name} with timeoutMs`,
        await handle.call(method.name, method.args, { timeout_ms: shortMs }),
      )
      const tookMs = Math.round(performance.now() - startedAt)
      check.equal(`error of ${method.name}`, { status: error.status, code: error.code }, { status: 0, code: 'timeout' })
      check.between(`milliseconds until ${method.name} ended`, tookMs, shortMs - 50, generousMs)
      server.replies({ kind: 'stall-in-body', status: 200 })
      const half = await handle.call(method.name, method.args, { timeout_ms: shortMs })
      if (!isWithoutBody(method, half))
        errorOf(require, `${method.name} with timeoutMs, whose answer stops half-way`, half)
      // It was that of those calls alone.
      server.script(() => ({ kind: 'held', until: pause(3 * shortMs), reply: good }))
      valueOf(require, `${method.name} after calls that timed out`, await handle.call(method.name, method.args))
      // The other way round: the client is the one that waits for a short time.
      const hasty = await client({ timeout_ms: shortMs, max_retries: 0 })
      const answered = await hasty.call(method.name, method.args, { timeout_ms: generousMs })
      check.equal(`${method.name} with a timeoutMs beyond that of its client`, answered.kind, 'value')
    },
  }),

  clientCase({
    id: `client/options/${slugOf(method)}-takes-a-signal`,
    requirements: requirementsOf(method, 'CLI-029'),
    level: 'must',
    title: `${method.name} aborted before an answer ends with status 0 and code aborted, without a retry`,
    async run({ client, server, check, require }) {
      server.replies({ kind: 'hang' })
      const handle = await client({ timeout_ms: 40_000, max_retries: 1 })
      const startedAt = performance.now()
      const error = errorOf(
        require,
        `${method.name} that was aborted`,
        await handle.call(method.name, method.args, { abort_after_ms: shortMs }),
      )
      const tookMs = Math.round(performance.now() - startedAt)
      check.equal(`error of ${method.name}`, { status: error.status, code: error.code }, { status: 0, code: 'aborted' })
      check.between(`milliseconds until ${method.name} ended`, tookMs, 0, generousMs)
      check.ok(`requests of ${method.name}`, server.requests.length <= 1, 'at most 1', server.requests.length)
      server.script(() => ({ kind: 'stall-in-body', status: 200 }))
      const half = await handle.call(method.name, method.args, { abort_after_ms: shortMs })
      if (!isWithoutBody(method, half)) {
        const { code } = errorOf(require, `${method.name} aborted while its answer arrived`, half)
        check.equal(`error of ${method.name} aborted while its answer arrived`, code, 'aborted')
      }
      server.replies(good)
      valueOf(require, `${method.name} after calls that were aborted`, await handle.call(method.name, method.args))
    },
  }),
])

/** {@link options}: none of them replaces another. */
export const optionsTogether = methods.map((method) =>
  clientCase({
    id: `client/options/${slugOf(method)}-takes-them-together`,
    requirements: requirementsOf(method, 'CLI-030', 'CLI-029', 'CLI-009'),
    level: 'must',
    title: `${method.name} with a signal ends with timeout or with aborted, whichever is first`,
    timeoutMs: 120_000,
    async run({ client, server, check, require, unique }) {
      server.replies({ kind: 'hang' })
      const patient = await client({ timeout_ms: 40_000, max_retries: 0 })
      const hasty = await client({ timeout_ms: shortMs, max_retries: 0 })
      for (const [handle, times, code, id, what] of [
        [patient, { timeout_ms: shortMs, abort_after_ms: lateMs }, 'timeout', 'CLI-030', 'timeoutMs and a signal'],
        [patient, { timeout_ms: lateMs, abort_after_ms: shortMs }, 'aborted', 'CLI-029', 'a signal and timeoutMs'],
        [hasty, { abort_after_ms: lateMs }, 'timeout', 'CLI-009', 'a signal and the time-out of its client'],
      ] as const) {
        const options = isPost(method) ? { ...times, idempotency_key: callersKey(unique()) } : times
        const on = (ofMethod: RequirementId) => method.reportedUnder ?? ofMethod
        const callText = `${method.name} without an answer, with ${what}`
        const error = errorOf(require.of(on(id)), callText, await handle.call(method.name, method.args, options))
        check.of(on(id)).equal(`error of ${callText}`, { status: error.status, code: error.code }, { status: 0, code })
      }
    },
  }),
)

/** {@link options}: what a call leaves out is that of its client. */
export const timeOutsOfClients = methods.map((method) =>
  clientCase({
    id: `client/options/${slugOf(method)}-has-the-time-out-of-its-client`,
    requirements: requirementsOf(method, 'CLI-009'),
    level: 'must',
    title: `${method.name} that gets no answer, or half of one, ends after timeoutMs of its client`,
    async run({ client, server, check, require }) {
      const handle = await client({ timeout_ms: shortMs, max_retries: 0 })
      for (const reply of [{ kind: 'hang' }, { kind: 'stall-in-body', status: 200 }] as const) {
        server.replies(reply)
        const startedAt = performance.now()
        const result = await handle.call(method.name, method.args)
        if (reply.kind === 'stall-in-body' && isWithoutBody(method, result)) continue
        const error = errorOf(require, `${method.name} without an answer`, result)
        const tookMs = Math.round(performance.now() - startedAt)
        if (reply.kind === 'hang') check.equal(`code of the error of ${method.name}`, error.code, 'timeout')
        check.between(`milliseconds until ${method.name} ended`, tookMs, shortMs - 50, generousMs)
      }
    },
  }),
)
