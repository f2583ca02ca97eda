// CLI-025  "The `Idempotency-Key` is identical on every attempt of a call."
// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
// CLI-029  "Every method takes a last options argument with `signal`: an aborted call ends with `aborted`."
// CLI-030  "Every method takes a last options argument with `timeoutMs`, which replaces that of the client."
// CLI-052  "A caller-supplied or automatic `Idempotency-Key` is new for each call: two calls do not share one."
//
// Reading: a rule for a call holds for each, whatever other calls of its client are under way: its key, its body, its attempts and its end
// are its own. A driver that answers one call after the other does so here too.

import { clientCase, json, refusal, type Reply } from '../../harness/authoring.js'
import { email, errorOf, keyedMethods, pathOf, valueOf, type KeyedMethod } from './shared/expectations.js'

const together = 6
/** So long the first answers are held back, so that every call has begun, in milliseconds. */
const gatheringMs = 1_500
const shortMs = 400
/** So long after one call has ended the other one is answered, in milliseconds. */
const laterMs = 500
/** Longest time that a call is held back, in milliseconds. */
const longestMs = 20_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Arguments with a mark that identifies the requests of one call. */
const marked: Readonly<Record<KeyedMethod, (mark: string) => readonly unknown[]>> = {
  'emails.send': (mark) => [{ ...email, subject: mark }],
  'emails.batch': (mark) => [[email, { ...email, subject: mark }]],
  'messages.send': (mark) => ['ibx_1', { ...keyedMethods['messages.send'][1], subject: mark }],
  'messages.reply': (mark) => ['msg_1', { text: mark, reply_all: false }],
}
const requirementOf = {
  'emails.send': 'CLI-025',
  'emails.batch': 'CLI-025',
  'messages.send': 'CLI-023',
  'messages.reply': 'CLI-024',
} as const

export const concurrentCalls = [
  ...(Object.keys(keyedMethods) as KeyedMethod[]).map((method) =>
    clientCase({
      id: `client/idempotency/${method.replace('.', '-')}-keeps-its-key-beside-others`,
      requirements: [requirementOf[method]],
      level: 'must',
      title: `concurrent calls of ${method}, first answered 503, keep their own key, body and answer`,
      async run({ client, isConcurrent, server, check, require, unique }) {
        const marks = Array.from({ length: together }, (_, index) => `mark-${unique()}-${index}.`)
        const markOf = (body: string) => marks.find((mark) => body.includes(mark))
        const made = new Map<string, number>()
        let gather = () => {}
        const gathered = new Promise<void>((resolve) => (gather = resolve))
        server.script(({ body }): Reply => {
          const mark = markOf(body) ?? ''
          const number = (made.get(mark) ?? 0) + 1
          made.set(mark, number)
          if (number > 1) return json(200, { id: mark, data: [{ id: mark }] })
          if (made.size >= together) gather()
          const again = refusal(503, 'try_again', { 'retry-after': '0' })
          return isConcurrent
            ? { kind: 'held', until: Promise.race([gathered, pause(gatheringMs)]), reply: again }
            : again
        })
        const handle = await client({ max_retries: 2 })
        const results = await Promise.all(marks.map((mark) => handle.call(method, marked[method](mark))))
        for (const [index, mark] of marks.entries()) {
          const what = `call ${index + 1} of ${together} of ${method} side by side`
          const result = results[index] ?? { kind: 'broken', how: 'no result' }
          check.equal(`value of ${what}`, valueOf(require, what, result), { id: mark, data: [{ id: mark }] })
          const keys = server.requests
            .filter(({ body }) => markOf(body) === mark)
            .map(({ headers }) => headers['idempotency-key'])
          check.equal(`different keys over the ${keys.length} attempts of ${what}`, new Set(keys).size, 1)
        }
        const all = new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size
        check.equal(`different keys of ${together} calls of ${method} side by side`, all, together)
      },
    }),
  ),

  ...(
    [
      ['an-abort', 'CLI-029', 'is aborted', { abort_after_ms: shortMs }, 'aborted'],
      ['a-time-out', 'CLI-030', 'gets no answer within its timeoutMs', { timeout_ms: shortMs }, 'timeout'],
    ] as const
  ).map(([what, requirement, happens, options, code]) =>
    clientCase({
      id: `client/time/${what}-ends-one-call`,
      requirements: [requirement],
      level: 'must',
      title: `if a concurrent call ${happens}, the other returns its answer`,
      async run({ client, server, check, require }) {
        let end = () => {}
        const ended = new Promise<void>((resolve) => (end = resolve))
        const isEnded = (request: { readonly path: string }) => pathOf(request).includes('em_ended')
        server.script((request) =>
          isEnded(request)
            ? { kind: 'hang' }
            : { kind: 'held', until: Promise.race([ended, pause(longestMs)]), reply: json(200, { id: 'em_other' }) },
        )
        const handle = await client({ timeout_ms: 40_000, max_retries: 0 })
        const first = handle.call('emails.get', ['em_ended'], options)
        const others = [handle.call('emails.get', ['em_other']), handle.call('emails.send', [email])]
        const error = errorOf(require, `emails.get that ${happens}`, await first)
        setTimeout(end, laterMs)
        check.equal(`code of the error of emails.get that ${happens}`, error.code, code)
        for (const [index, other] of (await Promise.all(others)).entries()) {
          const withConcurrentCall = `${index === 0 ? 'emails.get' : 'emails.send'} with a concurrent call that ${happens}`
          check.equal(`value of ${withConcurrentCall}`, valueOf(require, withConcurrentCall, other), { id: 'em_other' })
        }
        const sent = server.requests.filter((request) => !isEnded(request)).length
        check.equal('requests of the two others', sent, 2)
      },
    }),
  ),
]
