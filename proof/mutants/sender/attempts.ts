import { randomUUID } from 'node:crypto'
import { senderPolicy } from '../../../reference/sender/index.js'
import { writesRepeatsSlowly } from '../../variants/slow-bodies.js'
import { defineMutant, type Mutant } from '../define.js'

const { body, headerTimestamp, isSuccess } = senderPolicy

/** Where the reference reads an answer. */
const answered = "resolve({ kind: 'answered', status: response.statusCode ?? 0 })"

/** Deviations in what counts as success, in when attempts are made, and in what stays the same over them. */
export const attempts: readonly Mutant<'sender'>[] = [
  defineMutant({
    id: 'sender/takes-only-200',
    title: 'only 200 is success',
    breaks: ['SDR-020'],
    policy: { isSuccess: (end) => end.kind === 'answered' && end.status === 200 },
  }),
  defineMutant({
    id: 'sender/gives-up-after-five-seconds',
    title: 'an answer is waited for 5 seconds',
    breaks: ['SDR-021'],
    policy: { answerTimeMs: 5_000 },
  }),
  defineMutant({
    id: 'sender/waits-half-a-minute',
    title: 'an answer is waited for 30 seconds',
    breaks: ['SDR-022'],
    policy: { answerTimeMs: 30_000 },
  }),
  defineMutant({
    id: 'sender/retries-no-timeout',
    title: 'an attempt without an answer is not repeated',
    breaks: ['SDR-022'],
    policy: { retries: ({ kind }) => kind !== 'timeout' },
  }),
  defineMutant({
    id: 'sender/follows-redirects',
    title: 'redirects are followed',
    breaks: ['SDR-023'],
    patch: [
      {
        file: 'sender/index.ts',
        find: answered,
        replace: `const { statusCode: status = 0, headers: { location } } = response
      if (location !== undefined && status >= 300 && status < 400)
        resolve(post(new URL(location, url).href, { body, headers, policy, ca }))
      else resolve({ kind: 'answered', status })`,
      },
    ],
  }),
  defineMutant({
    id: 'sender/takes-redirects-for-success',
    title: 'a redirect is success',
    breaks: ['SDR-024'],
    policy: { isSuccess: (end) => isSuccess(end) || (end.kind === 'answered' && end.status < 400) },
  }),
  defineMutant({
    id: 'sender/retries-no-4xx',
    title: 'a delivery that gets a 4xx is not repeated',
    breaks: ['SDR-025'],
    policy: { retries: (end) => end.kind !== 'answered' || end.status < 400 || end.status >= 500 },
  }),
  defineMutant({
    id: 'sender/retries-no-408',
    title: 'a delivery that gets a 408 is not repeated',
    breaks: ['SDR-025'],
    policy: { retries: (end) => end.kind !== 'answered' || end.status !== 408 },
  }),
  defineMutant({
    id: 'sender/retries-no-503',
    title: 'a delivery that gets a 502 or 503 is not repeated',
    breaks: ['SDR-026'],
    policy: { retries: (end) => end.kind !== 'answered' || (end.status !== 502 && end.status !== 503) },
  }),
  defineMutant({
    id: 'sender/retries-no-reset',
    title: 'a delivery whose connection breaks is not repeated',
    breaks: ['SDR-027'],
    policy: { retries: ({ kind }) => kind !== 'broken' },
  }),
  defineMutant({
    id: 'sender/retries-too-early',
    title: 'makes the second attempt at once',
    breaks: ['SDR-028'],
    policy: { schedule: [100, 2_500] },
  }),
  defineMutant({
    id: 'sender/retries-too-late',
    title: 'makes the third attempt late',
    breaks: ['SDR-028'],
    policy: { schedule: [2_000, 8_000] },
  }),
  defineMutant({
    id: 'sender/repeats-a-success-slowly',
    title: 'a successful delivery is sent again, with a body that takes six seconds',
    breaks: ['SDR-020'],
    patch: [{ file: 'sender/index.ts', find: 'if (policy.isSuccess(end) ||', replace: 'if (' }, writesRepeatsSlowly],
  }),
  ...([300, 304, 401, 413, 501, 505] as const).map((taken) =>
    defineMutant({
      id: `sender/takes-a-${taken}`,
      title: `a ${taken} ends a delivery, as a 2xx does`,
      breaks: [taken < 400 ? 'SDR-024' : taken < 500 ? 'SDR-025' : 'SDR-026'],
      policy: { isSuccess: (end) => isSuccess(end) || (end.kind === 'answered' && end.status === taken) },
    }),
  ),
  defineMutant({
    id: 'sender/waits-nine-seconds',
    title: 'an attempt times out after 9 seconds; delays count from the start',
    breaks: ['SDR-021'],
    policy: { answerTimeMs: 9_000, countsFrom: 'start' },
  }),
  defineMutant({
    id: 'sender/waits-twelve-seconds',
    title: 'an answer is waited for 12 seconds',
    breaks: ['SDR-022'],
    policy: { answerTimeMs: 12_000 },
  }),
  defineMutant({
    id: 'sender/limits-each-wait-for-bytes',
    title: 'the ten seconds begin again with each byte of an answer',
    breaks: ['SDR-022'],
    patch: [
      {
        file: 'sender/index.ts',
        find: "request.on('error', () => {",
        replace: `request.on('socket', (socket) => socket.on('data', () => timer.refresh()))
    request.on('error', () => {`,
      },
    ],
  }),
  defineMutant({
    id: 'sender/knows-the-usual-successes',
    title: 'of 2xx those from 200 to 204 are success',
    breaks: ['SDR-020'],
    policy: { isSuccess: (end) => isSuccess(end) && end.kind === 'answered' && end.status <= 204 },
  }),
  defineMutant({
    id: 'sender/obeys-retry-after',
    title: 'follows Retry-After of the consumer instead of the schedule',
    breaks: ['SDR-028'],
    patch: [
      {
        file: 'sender/index.ts',
        find: answered,
        replace: "resolve({ kind: 'answered', status: response.statusCode, asked: response.headers['retry-after'] })",
      },
      {
        file: 'sender/index.ts',
        find: 'Math.max(0, delay - spentMs)',
        replace: 'end.asked === undefined ? Math.max(0, delay - spentMs) : Number(end.asked) * 1000',
      },
    ],
  }),
  ...(
    [
      ['a-time-out', "end.kind === 'timeout'"],
      ['a-reset', "end.kind === 'broken'"],
      ['a-redirect', "end.kind === 'answered' && end.status >= 300 && end.status < 400"],
      ['a-429', "end.kind === 'answered' && end.status === 429"],
    ] as const
  ).map(([what, isOne]) =>
    defineMutant({
      id: `sender/renames-a-retry-after-${what}`,
      title: `a retry after ${what.replaceAll('-', ' ')} has its own id`,
      breaks: ['SDR-029', 'SDR-031'],
      patch: [
        {
          file: 'sender/index.ts',
          find: 'void attempt(url, event, number + 1)',
          replace: `void attempt(url, ${isOne} ? { ...event, id: event.id + number } : event, number + 1)`,
        },
      ],
    }),
  ),
  defineMutant({
    id: 'sender/stops-too-early',
    title: 'the last attempt of the schedule is not made',
    breaks: ['SDR-028'],
    policy: { schedule: [2_000] },
  }),
  defineMutant({
    id: 'sender/renames-a-retry',
    title: 'a retry has its own id',
    breaks: ['SDR-029'],
    policy: { headerId: ({ event, number }) => (number === 1 ? event.id : `evt_${randomUUID()}`) },
  }),
  defineMutant({
    id: 'sender/keeps-the-first-timestamp',
    title: 'a retry carries the timestamp and signature of the first attempt',
    breaks: ['SDR-030'],
    policy: { headerTimestamp: (facts) => headerTimestamp({ ...facts, now: Date.parse(facts.event.timestamp) }) },
  }),
  defineMutant({
    id: 'sender/keeps-the-timestamp-of-the-first-retry',
    title: 'a second retry carries the timestamp and signature of the first',
    breaks: ['SDR-030'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'const attempt = async (url, event, number) => {',
        replace: 'const timestamps = new Map()\n  const attempt = async (url, event, number) => {',
      },
      {
        file: 'sender/index.ts',
        find: 'policy.headerTimestamp(facts), policy.body(facts)]',
        replace:
          'number > 2 ? timestamps.get(event) : policy.headerTimestamp(facts), policy.body(facts)]\n    timestamps.set(event, timestamp)',
      },
    ],
  }),
  defineMutant({
    id: 'sender/dates-a-retry-anew',
    title: 'the event of a retry has a timestamp of its own',
    breaks: ['SDR-031'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, timestamp: new Date(facts.now).toISOString() } }),
    },
  }),
  defineMutant({
    id: 'sender/never-stops',
    title: 'there is an attempt after the last of the schedule',
    breaks: ['SDR-032'],
    policy: { schedule: [2_000, 2_500, 2_500] },
  }),
  defineMutant({
    id: 'sender/repeats-a-success',
    title: 'a delivery that succeeded at a retry is attempted again',
    breaks: ['SDR-033'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'if (policy.isSuccess(end) ||',
        replace: 'if (number === 1 && policy.isSuccess(end) ||',
      },
    ],
  }),
  defineMutant({
    id: 'sender/numbers-retries-in-the-url',
    title: 'the url of a retry has the number of the attempt in its query',
    breaks: ['SDR-001'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'const end = await post(url,',
        replace: 'const end = await post(number === 1 ? url : `${url}?attempt=${number}`,',
      },
    ],
  }),
  defineMutant({
    id: 'sender/follows-redirects-of-a-retry',
    title: 'redirects of a second or later attempt are followed',
    breaks: ['SDR-023'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'const end = await post(url, {',
        replace: 'const end = await post(url, { follows: number > 1,',
      },
      {
        file: 'sender/index.ts',
        find: 'function post(url, { body, headers, policy, ca })',
        replace: 'function post(url, { body, headers, policy, ca, follows })',
      },
      {
        file: 'sender/index.ts',
        find: answered,
        replace: `const { statusCode: status = 0, headers: { location } } = response
      if (follows && location !== undefined && status >= 300 && status < 400)
        resolve(post(new URL(location, url).href, { body, headers, policy, ca }))
      else resolve({ kind: 'answered', status })`,
      },
    ],
  }),
  defineMutant({
    id: 'sender/gives-a-retry-five-seconds',
    title: 'an answer to a second or later attempt is waited for 5 seconds',
    breaks: ['SDR-021'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'headers: policy.headers(three), policy,',
        replace: 'headers: policy.headers(three), policy: number > 1 ? { ...policy, answerTimeMs: 5_000 } : policy,',
      },
    ],
  }),
  defineMutant({
    id: 'sender/gives-a-retry-a-minute',
    title: 'an answer to a second or later attempt is waited for a minute',
    breaks: ['SDR-022'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'headers: policy.headers(three), policy,',
        replace: 'headers: policy.headers(three), policy: number > 1 ? { ...policy, answerTimeMs: 60_000 } : policy,',
      },
    ],
  }),
  defineMutant({
    id: 'sender/empties-the-data-of-a-third-attempt',
    title: 'the third attempt has no data',
    breaks: ['SDR-031'],
    policy: {
      body: (facts) => body(facts.number < 3 ? facts : { ...facts, event: { ...facts.event, data: {} } }),
    },
  }),
  defineMutant({
    id: 'sender/follows-the-location-of-a-success',
    title: 'a 201 with a location is followed, as a redirect is',
    breaks: ['SDR-020'],
    patch: [
      {
        file: 'sender/index.ts',
        find: answered,
        replace: `const { statusCode: status = 0, headers: { location } } = response
      if (location !== undefined && status === 201)
        resolve(post(new URL(location, url).href, { body, headers, policy, ca }))
      else resolve({ kind: 'answered', status })`,
      },
    ],
  }),
  readingBodies({
    id: 'sender/reads-every-answer-as-json',
    title: 'parses the body of a success marked as JSON, and fails if it is invalid',
    breaks: ['SDR-020'],
    how: `try {
          if (response.headers['content-type'] === 'application/json') JSON.parse(Buffer.concat(pieces).toString())
        } catch {
          return resolve({ kind: 'answered', status: 500 })
        }`,
  }),
  readingBodies({
    id: 'sender/reads-every-answer-as-text',
    title: 'a body with invalid UTF-8 ends the worker and its delivery',
    breaks: ['SDR-026'],
    how: `try {
          new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
        } catch {
          return
        }`,
  }),
  readingBodies({
    id: 'sender/waits-for-the-body-of-a-failure',
    title: 'a body that stops half-way is waited for forever',
    breaks: ['SDR-026'],
    how: '',
  }),
  defineMutant({
    id: 'sender/takes-a-long-answer-for-a-failure',
    title: 'treats an answer with a body longer than 64 KiB as a failure',
    breaks: ['SDR-020'],
    patch: [
      {
        file: 'sender/index.ts',
        find: answered,
        replace: `let length = 0
      const end = () => resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      response.on('error', () => {})
      response.on('data', (piece) => {
        length += piece.length
        if (length <= 65_536) return
        resolve({ kind: 'broken' })
        request.destroy()
      })
      response.on('end', end)
      setTimeout(end, 1_000)`,
      },
    ],
  }),
]

/** A sender that reads the body of an answer, and does this with it at its end. */
function readingBodies({ how, ...reported }: Pick<Mutant<'sender'>, 'id' | 'title' | 'breaks'> & { how: string }) {
  return defineMutant({
    ...reported,
    patch: [
      {
        file: 'sender/index.ts',
        find: answered,
        replace: `const pieces = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('error', () => {})
      response.on('end', () => {
        ${how}
        resolve({ kind: 'answered', status: response.statusCode ?? 0 })
      })`,
      },
    ],
  })
}
