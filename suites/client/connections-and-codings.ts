// CLI-004  "`baseUrl` sets the API origin."
// CLI-007  "`maxRetries` is the number of retries after the first attempt."
// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-013  "A 429 is retried."
// CLI-014  "A 5xx is retried."
// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
//
// Reading: connections are kept, and answers are coded, as in HTTP: a client that names a coding in Accept-Encoding gets it from many
// services, and must read it. Options of one client do not affect another.

import { clientCase, json, refusal, type Reply } from '../../harness/authoring.js'
import { clearerResult, shapes } from './errors.js'
import { email, errorOf, send, valueOf } from './expectations.js'

const atOnce = { 'retry-after': '0' }
/** Calls side by side, and rounds of them: more failed attempts than a pool has connections. */
const [together, rounds] = [15, 3] as const
const manyRetries = 8
/** A library that waits longer than necessary is cut off after this many milliseconds. */
const enoughMs = 60_000
const shortMs = 400
const generousMs = 30_000

const answer = { id: 'em_1', object: 'email', data: [{ subject: 'Grüße, 你好 👋 ', text: 'and so on '.repeat(300) }] }
const fields = { code: 'not_today', message: 'Nicht heute: über 你好 👋.', fix: 'Frag morgen: ñ 😀.' }

/** Returns the codings in `header`, an Accept-Encoding, that the server of the run knows. */
function codingsOf(header: string | undefined): readonly ('gzip' | 'br')[] {
  const requested = (header ?? '').split(',').map((offer) => offer.trim().toLowerCase())
  return (['gzip', 'br'] as const).filter((coding) =>
    requested.some((offer) => offer.split(';')[0]?.trim() === coding && !/;\s*q=0(?:\.0*)?\s*$/.test(offer)),
  )
}

const coded = (reply: Reply, coding: 'gzip' | 'br'): Reply =>
  reply.kind === 'json' ? { kind: 'coded', status: reply.status, body: reply.body, coding } : reply

export const connectionsAndCodings = [
  clientCase({
    id: 'client/retries/retries-on-connections-that-are-kept',
    requirements: ['CLI-013', 'CLI-014'],
    level: 'must',
    title: `${together * rounds} calls, each answered 503, 429 and 200 over kept connections, all return the answer`,
    timeoutMs: 120_000,
    async run({ client, server, check }) {
      server.keepsConnections()
      const made = new Map<unknown, number>()
      server.script(({ json: body }) => {
        const { subject } = (body ?? {}) as { subject?: unknown }
        const number = (made.get(subject) ?? 0) + 1
        made.set(subject, number)
        const long = { detail: 'An unread body keeps a connection. '.repeat(200) }
        if (number < 3) return refusal(number === 1 ? 503 : 429, 'try_again', atOnce, long)
        return json(200, { id: `em_${String(subject)}` })
      })
      const handle = await client({ max_retries: 2, timeout_ms: generousMs })
      for (let round = 0; round < rounds; round++) {
        const subjects = Array.from({ length: together }, (_, index) => `${round}-${index}`)
        const results = await Promise.all(
          subjects.map((subject) => handle.call('emails.send', [{ ...email, subject }])),
        )
        const missed = subjects.filter((subject) => (made.get(subject) ?? 0) < 3)
        const on = check.of(missed.some((subject) => (made.get(subject) ?? 0) < 2) ? 'CLI-014' : 'CLI-013')
        const failed = results.find((result) => result.kind !== 'value')
        const isRight = on.ok(
          `results of calls ${round * together + 1} to ${(round + 1) * together} answered 503, 429 and 200`,
          failed === undefined,
          'values',
          failed,
        )
        if (!isRight) return
      }
    },
  }),

  clientCase({
    id: `client/retries/obeys-max-retries-${manyRetries}`,
    requirements: ['CLI-007'],
    level: 'must',
    title: `with maxRetries ${manyRetries}, ${manyRetries + 1} attempts are made, as far as a minute allows`,
    timeoutMs: 120_000,
    async run({ client, server, check, require }) {
      server.replies(refusal(503, 'try_again', atOnce))
      const handle = await client({ max_retries: manyRetries })
      const startedAt = performance.now()
      const error = errorOf(
        require,
        'emails.send answered 503',
        await send(handle, { abort_after_ms: enoughMs }, enoughMs + generousMs),
      )
      const { length } = server.requests
      // Control: if nothing at all is retried, the number of retries proves nothing.
      if (length === 1) require.of('CLI-014').fail('requests of emails.send answered 503', 'at least 2', length)
      // A wait longer than Retry-After has not ended yet.
      const isCut = error.code === 'aborted' && performance.now() - startedAt >= enoughMs - 1_000
      const most = manyRetries + 1
      check.ok('number of requests', isCut ? length <= most : length === most, String(most), length)
    },
  }),

  clientCase({
    id: 'client/construction/keeps-the-options-of-clients-apart',
    requirements: ['CLI-004', 'CLI-007', 'CLI-009'],
    level: 'must',
    title: 'a client keeps its base address, maxRetries and timeoutMs when other clients are built',
    timeoutMs: 120_000,
    async run({ construct, server, check, require, apiKey }) {
      const own = { api_key: apiKey, base_url: server.url }
      const first = await construct({ ...own, max_retries: 3, timeout_ms: 40_000 }, {})
      const hasty = await construct({ ...own, max_retries: 0, timeout_ms: shortMs }, {})
      const elsewhere = await construct(
        { api_key: apiKey, base_url: 'http://127.0.0.1:9', max_retries: 1, timeout_ms: 35_000 },
        {},
      )
      require.equal('a client with options of its own', elsewhere.kind, 'value')
      // A first call may take long for what a library does once.
      server.replies(json(200, answer))
      valueOf(require.of('CLI-004'), 'emails.send of the first client', await send(first.handle))
      await send(hasty.handle)
      server.replies(refusal(503, 'try_again', atOnce))
      for (const [what, { handle }, expected] of [
        ['the first client', first, 4],
        ['the second client', hasty, 1],
      ] as const) {
        const before = server.requests.length
        errorOf(require.of('CLI-007'), `emails.send of ${what}`, await send(handle))
        const made = server.requests.length - before
        if (made === 0) check.of('CLI-004').fail(`requests of ${what} at its base address`, 'some', 'none')
        else check.of('CLI-007').equal(`requests of ${what}, answered 503`, made, expected)
      }
      server.replies({ kind: 'hang' })
      const startedAt = performance.now()
      errorOf(require.of('CLI-009'), 'emails.send of the second client', await send(hasty.handle))
      const tookMs = Math.round(performance.now() - startedAt)
      check.of('CLI-009').between(`milliseconds of the second client, with timeoutMs ${shortMs}`, tookMs, 0, generousMs)
    },
  }),

  clientCase({
    id: 'client/errors/reads-json-in-a-coding-it-asks-for',
    requirements: ['CLI-028', 'CLI-031'],
    level: 'must',
    title: 'answers and errors in gzip or brotli are read if Accept-Encoding requests it',
    async run({ client, server, check, require }) {
      const handle = await client({ max_retries: 0 })
      for (const [method, args] of [
        ['emails.get', ['em_1']],
        ['emails.send', [email]],
      ] as const) {
        const before = server.requests.length
        server.replies(json(200, answer))
        valueOf(require, method, await handle.call(method, args))
        for (const coding of codingsOf(server.requests[before]?.headers['accept-encoding'])) {
          const what = `${method} answered in ${coding}`
          server.replies(coded(json(200, answer), coding))
          check.of('CLI-028').equal(`value of ${what}`, valueOf(require, what, await handle.call(method, args)), answer)
          const results = []
          for (const reply of shapes(409, fields)) {
            server.replies(coded(reply, coding))
            results.push(await handle.call(method, args))
          }
          const { status, code, message, fix } = errorOf(
            require.of('CLI-031'),
            what,
            clearerResult(results, fields.code),
          )
          check.of('CLI-031').equal(`error of ${what}`, { status, code, message, fix }, { status: 409, ...fields })
        }
      }
    },
  }),
]
