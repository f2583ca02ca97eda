// CLI-060  "Methods whose path is not shown behave like every other method."
//
// Reading: the interface shows neither the path of `messages.wait` nor the answer while nothing arrives, and a library may send one request
// or many. So the case tests the rules for any request: other errors, the key, the options, and a 503 that is not the end. The text names
// no inbox; a library may need one, and gets one if it sends no request without it.

import { clientCase, json, refusal, type CallResult } from '../../harness/authoring.js'
import { clearerResult, shapes } from './shared/error-shapes.js'
import { argumentsFor, method } from './shared/message-waits.js'
import { callersKey, credentialOf, errorOf } from './shared/expectations.js'

const shortMs = 400
const generousMs = 30_000
const given = { code: 'not_today', message: 'The request was refused by the test.', fix: 'Ask tomorrow.' }
const nothing = json(200, { data: [], next_cursor: null })

export const messagesWait = [
  clientCase({
    id: 'client/unshown/messages-wait-throws-other-errors-at-once',
    requirements: ['CLI-060'],
    level: 'must',
    title: 'messages.wait throws a 4xx; its request has the key and extra headers',
    async run(context) {
      const { client, server, check, require, apiKey, unique } = context
      const args = await argumentsFor(context, 20)
      const probe = unique()
      const handle = await client({ max_retries: 2, headers: { 'x-probe': probe } })
      for (const status of [400, 401, 403, 422]) {
        const before = server.requests.length
        const results: CallResult[] = []
        for (const reply of shapes(status, given)) {
          server.replies(reply)
          results.push(await handle.call(method, args))
        }
        const { status: reported, code } = errorOf(
          require,
          `${method} answered ${status}`,
          clearerResult(results, given.code),
        )
        check.equal(`error of ${method} answered ${status}`, { status: reported, code }, { status, code: given.code })
        for (const request of server.requests.slice(before)) {
          check.equal(`header authorization of ${method}`, credentialOf(request), `Bearer ${apiKey}`)
          check.equal(`header x-probe of ${method}, an extra header of the client`, request.headers['x-probe'], probe)
        }
      }
    },
  }),

  clientCase({
    id: 'client/unshown/messages-wait-is-retried',
    requirements: ['CLI-060'],
    level: 'must',
    title: 'messages.wait retries after a 503, a 429 or no answer',
    async run(context) {
      const { client, server, check, require } = context
      const args = await argumentsFor(context, 20)
      const handle = await client({ max_retries: 2 })
      for (const [what, reply] of [
        ['a 503', refusal(503, 'try_again', { 'retry-after': '0' })],
        ['a 429', refusal(429, 'slow_down', { 'retry-after': '0' })],
        ['a reset connection', { kind: 'reset' }],
      ] as const) {
        const before = server.requests.length
        server.replies(reply, refusal(403, 'no_use'))
        const error = errorOf(require, `${method} answered ${what} and then 403`, await handle.call(method, args))
        const made = server.requests.length - before
        check.ok(`requests of ${method} answered ${what} and then 403`, made >= 2, 'at least 2', made)
        check.equal(`status of the error of ${method} answered ${what} and then 403`, error.status, 403)
      }
    },
  }),

  clientCase({
    id: 'client/unshown/messages-wait-takes-its-options',
    requirements: ['CLI-060'],
    level: 'must',
    title: "messages.wait sends the caller's key and ends at an abort or after timeoutMs",
    async run(context) {
      const { client, server, check, require, unique } = context
      const args = await argumentsFor(context, 20)
      const handle = await client({ timeout_ms: 40_000, max_retries: 0 })
      const lasting = async (what: string, options: Parameters<typeof handle.call>[2]) => {
        const startedAt = performance.now()
        const result = await handle.call(method, args, options)
        check.between(`milliseconds until ${method} ${what}`, Math.round(performance.now() - startedAt), 0, generousMs)
        return result
      }
      server.replies({ kind: 'hang' })
      const aborted = errorOf(
        require,
        `${method} that was aborted`,
        await lasting('that was aborted ended', { abort_after_ms: shortMs }),
      )
      check.equal(`error of ${method}`, { status: aborted.status, code: aborted.code }, { status: 0, code: 'aborted' })
      // A library with one request, which leaves the wait to the service, ends with the first answer.
      server.replies(nothing)
      const between = await lasting('that finds nothing and was aborted ended', { abort_after_ms: 3 * shortMs })
      if (between.kind !== 'value')
        check.equal(`error of ${method} that finds nothing`, errorOf(require, method, between).code, 'aborted')
      // While nothing arrives there is nothing to return: a library may end with null instead of an error.
      server.replies({ kind: 'hang' })
      const timedOut = await lasting('with timeoutMs ended', { timeout_ms: shortMs })
      check.ok(`result of ${method} with timeoutMs`, timedOut.kind !== 'broken', 'an end', timedOut)
      if (timedOut.kind === 'error') check.equal(`code of the error of ${method}`, timedOut.error.code, 'timeout')
      const key = callersKey(unique())
      server.replies(refusal(403, 'no_use'))
      const before = server.requests.length
      await handle.call(method, args, { idempotency_key: key })
      const requests = server.requests.slice(before)
      const keys = requests.map(({ headers }) => headers['idempotency-key'])
      const isLeftOut = requests.some((request) => request.method === 'POST') && !keys.includes(key)
      check.ok(`header idempotency-key of ${method}`, !isLeftOut, key, keys)
    },
  }),
]
