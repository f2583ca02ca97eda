import { expect, it } from 'vitest'
import type { CallResult, ReceivedRequest, Reply } from '../../../harness/authoring.js'
import { failing, page, reset, silence, success, type Answer } from './answers.js'
import { methodNamed, reading, sending } from './methods.js'
import { findFaults } from './model.js'
import type { Script } from './script.js'

type Ending = readonly [status: number, code?: string] | 'value'

/** An attempt: what it was answered, and the time until the next one or the end of the call, in milliseconds. */
type Attempt = readonly [reply: Reply, waitMs?: number]

const verbs: Readonly<Record<string, string>> = { 'emails.get': 'GET', 'emails.list': 'GET', 'messages.list': 'GET' }

function resultOf(ending: Ending): CallResult {
  if (ending === 'value') return { kind: 'value', value: { id: 'x_1', object: 'x', data: [], next_cursor: null } }
  const [status, code] = ending
  const none = { fix: undefined, errors: undefined, retry_after: undefined, raw: undefined }
  return { kind: 'error', error: { status, code, message: 'It failed.', ...none } }
}

/** Returns the requirements that a call breaks. */
function blamesOf(script: Script, attempts: readonly Attempt[], ending: Ending): readonly string[] {
  let at = 0
  const exchanges = attempts.map(([reply, waitMs = 500]) => {
    const [arrivedAt, retryAfterMs] = [
      at,
      Number('headers' in reply ? reply.headers?.['retry-after'] : undefined) * 1_000,
    ]
    at += waitMs
    const request = { method: verbs[script.method.name] ?? 'POST', path: '/v1/x', headers: {}, body: '', arrivedAt }
    return {
      request: { ...request, answeredAt: arrivedAt } as unknown as ReceivedRequest,
      reply,
      retryAfterMs: Number.isNaN(retryAfterMs) ? undefined : retryAfterMs,
    }
  })
  const call = { exchanges, result: resultOf(ending), beganAt: 0, endedAt: at, ownKey: undefined }
  return findFaults(script, call).flatMap(({ blames }) => blames.slice(0, 1))
}

const ask = (
  method: Script['method'],
  answers: readonly [Answer, ...Answer[]],
  more: Partial<Script> = {},
): Script => ({
  method,
  answers,
  ...more,
})
const creating = methodNamed('webhooks.create')
const [again, late] = [failing(503), failing(429, 3)]
const aborted = { options: { abort_after_ms: 1_000 } }
const short = { timeoutMs: 400 }

it.each<readonly [what: string, script: Script, attempts: readonly Attempt[], ending: Ending]>([
  ['a value', ask(sending, [success]), [[success]], 'value'],
  ['a retry', ask(sending, [again, success]), [[again], [success]], 'value'],
  ['two retries by default', ask(sending, [again]), [[again], [again], [again]], [503]],
  ['an error at once', ask(sending, [page(404)]), [[page(404)]], [404]],
  ['a wait of Retry-After', ask(reading, [late, success]), [[late, 3_000], [success]], 'value'],
  ['a read sent again by HTTP', ask(reading, [reset], { maxRetries: 0 }), [[reset, 5], [reset]], [0, 'network_error']],
  ['a create that is not made again', ask(creating, [again]), [[again]], [503]],
  ['a create after a 429, made again', ask(creating, [late, success]), [[late, 3_000], [success]], 'value'],
  ['a create after a 429, thrown', ask(creating, [failing(429)]), [[failing(429)]], [429]],
  ['no retry of a time-out', ask(reading, [silence, success], short), [[silence, 400]], [0, 'timeout']],
  ['a retry of a time-out', ask(reading, [silence, success], short), [[silence], [success]], 'value'],
  ['an abort', ask(reading, [silence], aborted), [[silence, 1_000]], [0, 'aborted']],
  ['an abort in a wait', ask(reading, [failing(503, 40)], aborted), [[failing(503, 40), 1_000]], [0, 'aborted']],
  ['an abort in a wait of its own', ask(reading, [again], aborted), [[again, 1_000]], [0, 'aborted']],
  ['a look-up before', ask(methodNamed('messages.list'), [success]), [[success], [success]], 'value'],
])('%s breaks nothing', (_what, script, attempts, ending) => {
  expect(blamesOf(script, attempts, ending)).toEqual([])
})

it.each<readonly [blamed: string, what: string, script: Script, attempts: readonly Attempt[], ending: Ending]>([
  ['CLI-053', 'a success sent twice', ask(sending, [success]), [[success], [success]], 'value'],
  ['CLI-014', 'no retry of a 503', ask(sending, [again, success]), [[again]], [503]],
  ['CLI-013', 'no retry of a 429', ask(sending, [late, success]), [[late]], [429]],
  ['CLI-015', 'no retry of a reset', ask(sending, [reset, success]), [[reset]], [0, 'network_error']],
  ['CLI-014', 'one retry of two', ask(sending, [again, again, success]), [[again], [again]], [503]],
  ['CLI-007', 'a retry too many', ask(sending, [again], { maxRetries: 0 }), [[again], [again]], [503]],
  ['CLI-020', 'a retry of a 404', ask(sending, [page(404)]), [[page(404)], [page(404)]], [404]],
  ['CLI-027', 'a create made again', ask(creating, [again, success]), [[again], [success]], 'value'],
  ['CLI-018', 'a retry too early', ask(reading, [late, success]), [[late, 2_000], [success]], 'value'],
  ['CLI-018', 'a retry too late', ask(reading, [late, success]), [[late, 16_000], [success]], 'value'],
  [
    'CLI-057',
    'the error of an earlier attempt',
    ask(sending, [page(500), page(503)]),
    [[page(500)], [page(503)], [page(503)]],
    [500],
  ],
  ['CLI-033', 'no retryAfter', ask(sending, [late], { maxRetries: 0 }), [[late]], [429]],
  ['CLI-035', 'a time-out under another code', ask(reading, [silence], short), [[silence, 400]], [0, 'network_error']],
  ['CLI-009', 'an early time-out', ask(reading, [silence], short), [[silence, 200]], [0, 'timeout']],
  ['CLI-009', 'a late time-out', ask(reading, [silence], short), [[silence, 40_000]], [0, 'timeout']],
  [
    'CLI-029',
    'an attempt after an abort',
    ask(reading, [silence], aborted),
    [[silence, 1_500], [silence]],
    [0, 'aborted'],
  ],
  ['CLI-036', 'an abort under another code', ask(reading, [silence], aborted), [[silence, 1_000]], [0, 'timeout']],
  [
    'CLI-028',
    'another value',
    ask(sending, [{ kind: 'json', status: 200, body: { id: 'x_2' } }]),
    [[{ kind: 'json', status: 200, body: { id: 'x_2' } }]],
    'value',
  ],
])('%s is broken by %s', (blamed, _what, script, attempts, ending) => {
  expect(blamesOf(script, attempts, ending)[0]).toBe(blamed)
})
