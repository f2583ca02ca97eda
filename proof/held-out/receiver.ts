import { defineMutant, type Mutant } from '../mutants/define.js'

/** Mistakes of webhook receivers, each with the public report above it. */
export const heldOutOfReceiver: readonly Mutant<'receiver'>[] = [
  // bytedance/deer-flow#4274: deliveries are remembered for a while only.
  defineMutant({
    id: 'receiver/remembers-the-last-hundred-ids',
    title: 'an event is handled again once a hundred others arrived after it',
    breaks: ['RCV-019'],
    patch: [{ file: 'receiver/receiver.ts', find: 'const maxIds = 10_000', replace: 'const maxIds = 100' }],
  }),
  // frain-dev/convoy#2392: the signature is checked against the raw body, then against the JSON written again.
  defineMutant({
    id: 'receiver/falls-back-to-json-that-is-written-again',
    title: 'a body that differs from the signed one in blanks alone is accepted',
    breaks: ['RCV-008', 'RCV-005'],
    patch: [
      {
        file: 'receiver/receiver.ts',
        find: 'return { event: verifyWebhook({ payload: body, headers, secret, ...clock }) }',
        replace: `try {
        return { event: verifyWebhook({ payload: body, headers, secret, ...clock }) }
      } catch (error) {
        let written
        try {
          written = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
        } catch {
          throw error
        }
        return { event: verifyWebhook({ payload: written, headers, secret, ...clock }) }
      }`,
      },
    ],
  }),
  // heroku/vegur#13, postmanlabs/httpbin#429: Expect: 100-continue is not handled.
  defineMutant({
    id: 'receiver/refuses-who-expects-to-continue',
    title: 'a delivery that expects 100-continue is answered 417',
    breaks: ['RCV-001'],
    patch: [
      {
        file: 'receiver/index.ts',
        find: 'server.requestTimeout = requestTimeoutMs',
        replace: `server.requestTimeout = requestTimeoutMs
  server.on('checkContinue', (_request, response) => response.writeHead(417).end())`,
      },
    ],
  }),
  // reapit/foundations#11108 and many: buffers of different lengths cannot be compared in constant time.
  defineMutant({
    id: 'receiver/fails-on-signatures-of-another-length',
    title: 'a signature that is shorter than one of SHA-256 is a server error',
    breaks: ['RCV-021', 'RCV-015'],
    patch: [
      {
        file: 'receiver/receiver.ts',
        find: 'const { headers, body } = delivery\n    const clock = now === undefined ? {} : { now: now() }',
        replace: `const { headers, body } = delivery
    const clock = now === undefined ? {} : { now: now() }
    const entries = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1,'))
    if (entries.some((each) => Buffer.from(each.slice(3), 'base64').length !== 32)) return 500`,
      },
    ],
  }),
  // WebexSamples/hookbuster#5: large bodies arrive in pieces, and the last ones are lost.
  defineMutant({
    id: 'receiver/reads-ten-pieces-of-a-body',
    title: 'a body that arrives in more than ten pieces is read up to the tenth',
    breaks: ['RCV-018', 'RCV-001'],
    patch: [
      {
        file: 'receiver/body.ts',
        find: 'if (length <= maxBytes) chunks.push(chunk)',
        replace: 'if (chunks.length >= 10) return\n      if (length <= maxBytes) chunks.push(chunk)',
      },
    ],
  }),
  // PagerDuty/developer-docs#101 and schemes in milliseconds: a timestamp is taken in either unit.
  defineMutant({
    id: 'receiver/takes-timestamps-in-milliseconds-too',
    title: 'a timestamp of thirteen digits is read in milliseconds',
    breaks: ['RCV-006', 'RCV-007'],
    patch: [
      {
        file: 'verifier/verifier.ts',
        find: 'function secondsOf(timestamp) {',
        replace: `function secondsOf(timestamp) {
  if (/^\\d{13}$/.test(timestamp)) return Math.floor(Number(timestamp) / 1000)`,
      },
    ],
  }),
  // prebid/salesagent#863, repeats are recognized by a column that is too narrow.
  defineMutant({
    id: 'receiver/tells-ids-by-their-first-32-characters',
    title: 'events whose ids agree in their first 32 characters are taken for one',
    breaks: ['RCV-025'],
    patch: [
      {
        file: 'receiver/receiver.ts',
        find: "const id = delivery.headers['webhook-id'] ?? ''",
        replace: "const id = (delivery.headers['webhook-id'] ?? '').slice(0, 32)",
      },
    ],
  }),
  // octokit/webhooks.js#1155: the raw body crosses a decoder before it is verified.
  defineMutant({
    id: 'receiver/reads-the-time-of-a-repeated-header',
    title: 'of a timestamp header that is sent twice the age of the first and the signature of the second count',
    breaks: ['RCV-006'],
    patch: [
      {
        file: 'receiver/receiver.ts',
        find: 'return { event: verifyWebhook({ payload: body, headers, secret, ...clock }) }',
        replace: `const [first = '', second] = (headers['webhook-timestamp'] ?? '').split(', ')
      if (second !== undefined && Math.abs(Number(first) - (clock.now ?? Date.now() / 1000)) <= 300)
        return {
          event: verifyWebhook({ payload: body, headers: { ...headers, 'webhook-timestamp': second }, secret, now: Number(second) }),
        }
      return { event: verifyWebhook({ payload: body, headers, secret, ...clock }) }`,
      },
    ],
  }),
]
