// CLI-007  "`maxRetries` is the number of retries after the first attempt."
// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-015  "A network failure is retried."
// CLI-020  "Other errors (e.g. 400, 403) are thrown at once, without a retry."
//
// Reading: the sentences are about every failure, and do not distinguish a first attempt from a later one. So each two kinds of failure are
// answered one after the other, to every method that is repeated. A reset connection is never third, since a wait follows it. It is open
// whether a client retries its own time-out (open point retry-of-timeouts); that there are no more attempts than maxRetries allows is not.
// An HTTP library may repeat a request at once whose connection ended without an answer, if that does no harm (open point resends-of-http);
// the library above it does not know, so such a request belongs to the attempt before.

import { json, refusal, clientCase, type ReceivedRequest, type Reply } from '../../harness/authoring.js'
import { errorOf } from './expectations.js'
import { requirementsOf, isRepeated, methods, slugOf, type Method } from './methods.js'

const atOnce = { 'retry-after': '0' }
const good = json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })
const shortMs = 400
/** Time in which an HTTP library sends a request again, in milliseconds; a wait of the client is one of backoff. */
const resentWithinMs = 100

const kinds = [
  { what: 'a 429', reply: refusal(429, 'slow_down', atOnce), requirement: 'CLI-013' },
  { what: 'a 503', reply: refusal(503, 'try_again', atOnce), requirement: 'CLI-014' },
  { what: 'a reset connection', reply: { kind: 'reset' }, requirement: 'CLI-015' },
] as const satisfies readonly { what: string; reply: Reply; requirement: string }[]
const pairs = kinds.flatMap((first) => kinds.map((second) => ({ first, second })))

/** What fails each time: the replies, one after the other and from the beginning again, and the retries that are allowed. */
const endless: readonly {
  readonly what: string
  readonly maxRetries: number
  readonly replies: readonly Reply[]
  readonly timeoutMs?: number
}[] = [
  { what: 'a 429 each time', maxRetries: 1, replies: [kinds[0].reply] },
  { what: 'a reset connection each time', maxRetries: 1, replies: [kinds[2].reply] },
  {
    what: 'a reset connection, a 429 and a 503 in turn',
    maxRetries: 2,
    replies: kinds.map(({ reply }) => reply).toReversed(),
  },
  {
    what: 'a 503, a reset connection and a 429 in turn',
    maxRetries: 2,
    replies: [kinds[1].reply, kinds[2].reply, kinds[0].reply],
  },
  { what: 'nothing', maxRetries: 0, replies: [{ kind: 'hang' }], timeoutMs: shortMs },
]

/** A method without a shown path may make other requests too, so its attempts cannot be counted. */
const isCounted = ({ reportedUnder }: Method) => reportedUnder !== 'CLI-060'

export const failures = methods.filter(isRepeated).flatMap((method) => [
  clientCase({
    id: `client/failures/${slugOf(method)}-is-retried-after-any-two`,
    requirements: requirementsOf(method, 'CLI-013', 'CLI-014', 'CLI-015'),
    level: 'must',
    title: `${method.name} makes a third attempt after any two of 429, 503 and a reset connection`,
    timeoutMs: 120_000,
    async run({ client, server, check }) {
      const handle = await client({ max_retries: 2 })
      for (const { first, second } of pairs) {
        const before = server.requests.length
        server.replies(first.reply, second.reply, good)
        const result = await handle.call(method.name, method.args)
        const made = server.requests.length - before
        const failed = made < 2 ? first : second
        const on = check.of(method.reportedUnder ?? failed.requirement)
        on.ok(`requests of ${method.name} after ${first.what} and ${second.what}`, made >= 3, 'at least 3', made)
        if (made >= 3) on.equal(`result of ${method.name} after ${first.what} and ${second.what}`, result.kind, 'value')
      }
    },
  }),

  clientCase({
    id: `client/failures/${slugOf(method)}-throws-other-errors-after-a-retry`,
    requirements: requirementsOf(method, 'CLI-020'),
    level: 'must',
    title: `${method.name} whose second attempt is answered 400, 403 or 409 ends with that error`,
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 3 })
      for (const [{ what, reply, requirement }, status] of [
        [kinds[0], 400],
        [kinds[1], 403],
        [kinds[2], 409],
      ] as const) {
        const before = server.requests.length
        server.replies(reply, refusal(status, 'no_use', atOnce))
        const callText = `${method.name} answered ${what} and then ${status}`
        const error = errorOf(require, callText, await handle.call(method.name, method.args))
        const made = server.requests.length - before
        // Control: there is a second attempt.
        if (made < 2)
          require
            .of(method.reportedUnder ?? requirement)
            .fail(`requests of ${method.name} after ${what}`, 'at least 2', made)
        check.equal(`status of the error of ${callText}`, error.status, status)
        if (isCounted(method)) check.equal(`requests of ${callText}`, made, 2)
      }
    },
  }),
])

export const countedFailures = methods.filter(isCounted).map((method) =>
  clientCase({
    id: `client/failures/${slugOf(method)}-counts-them-all`,
    requirements: requirementsOf(method, 'CLI-007'),
    level: 'must',
    title: `${method.name} that keeps failing, in one way or several, is retried at most maxRetries times`,
    timeoutMs: 120_000,
    async run({ client, server, check, require }) {
      for (const { what, maxRetries, replies, timeoutMs } of endless) {
        const before = server.requests.length
        server.script((_request, number) => replies[(number - before - 1) % replies.length] ?? good)
        const handle = await client({
          max_retries: maxRetries,
          ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
        })
        errorOf(require, `${method.name} answered ${what}`, await handle.call(method.name, method.args))
        const requests = server.requests.slice(before)
        const made = attemptsOf(requests, replies, resentWithinMs)
        const most = maxRetries + 1
        // Immediate requests arrive later on a busy machine.
        const isOfTime = attemptsOf(requests, replies, Infinity) <= most
        const counted = isOfTime ? check.measured : check
        counted.ok(
          `attempts of ${method.name} answered ${what}, with maxRetries ${maxRetries}`,
          made <= most,
          `at most ${most}`,
          made,
        )
      }
    },
  }),
)

/** Counts the attempts; a request that an HTTP library may have repeated by itself, within `withinMs`, does not count. */
function attemptsOf(requests: readonly ReceivedRequest[], replies: readonly Reply[], withinMs: number): number {
  let attempts = 0
  let isFirstOfAttempt = false
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1]
    const wasReset = before !== undefined && replies[(index - 1) % replies.length]?.kind === 'reset'
    const isResent: boolean = wasReset && isFirstOfAttempt && isSentAgain(before, request, withinMs)
    isFirstOfAttempt = !isResent
    if (!isResent) attempts++
  }
  return attempts
}

/** Whether `request` is `before` once more, at once, and may be: it changes nothing, or carries the key by which a server knows it again. */
function isSentAgain(before: ReceivedRequest, request: ReceivedRequest, withinMs: number): boolean {
  const key = request.headers['idempotency-key']
  const isHarmless = ['GET', 'HEAD'].includes(request.method) || key !== undefined
  const isSame =
    request.method === before.method &&
    request.path === before.path &&
    request.body === before.body &&
    before.headers['idempotency-key'] === key
  return isHarmless && isSame && request.arrivedAt - (before.answeredAt ?? before.arrivedAt) < withinMs
}
