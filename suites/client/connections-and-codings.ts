// CLI-004  "`baseUrl` sets the API origin."
// CLI-007  "`maxRetries` is the number of retries after the first attempt."
// CLI-009  "`timeoutMs` limits each attempt, in milliseconds."
// CLI-028  "Methods return the API's JSON unchanged (snake case fields)."
// CLI-031  "The client library exposes `status`, `code`, `message` and `fix`."
//
// Reading: connections are kept, and answers are coded, as in HTTP: a client that names a coding in Accept-Encoding gets it from many
// services, and must read it. Options of one client do not affect another.

import { clientCase, json, refusal, type Reply } from '../../harness/authoring.js'
import { errorOf, send, valueOf } from './shared/expectations.js'
import { reading, sending } from './shared/methods.js'
import { Player } from './shared/scenario.js'

const atOnce = { 'retry-after': '0' }
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
    async run(context) {
      const player = new Player(context, ['CLI-028', 'CLI-031'])
      for (const method of [reading, sending]) {
        await player.playInTurn([{ method, maxRetries: 0, answers: [json(200, answer)] }])
        for (const coding of codingsOf(context.server.requests.at(-1)?.headers['accept-encoding'])) {
          const form = (reply: Reply) => coded(reply, coding)
          await player.playInTurn([{ method, maxRetries: 0, answers: [form(json(200, answer))] }])
          await player.playError({ method, status: 409, error: fields, form })
        }
      }
    },
  }),
]
