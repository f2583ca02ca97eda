import { randomUUID } from 'node:crypto'
import { senderPolicy } from '../sender/index.js'
import { writesRepeatsSlowly } from '../variants/slow-bodies.js'
import { defineMutant, type Mutant } from './define.js'

const { body, headers, headerTimestamp, isSuccess, signed } = senderPolicy

/** Deviations of programs that send webhooks. */
export const senderMutants: readonly Mutant<'sender'>[] = [
  defineMutant({ id: 'sender/uses-put', title: 'deliveries are PUTs', breaks: ['SDR-001'], policy: { method: 'PUT' } }),
  defineMutant({
    id: 'sender/sends-no-id',
    title: 'the header webhook-id is missing',
    breaks: ['SDR-002'],
    policy: { headers: (three) => headers(without(three, 'webhook-id')) },
  }),
  defineMutant({
    id: 'sender/sends-no-timestamp',
    title: 'the header webhook-timestamp is missing',
    breaks: ['SDR-002'],
    policy: { headers: (three) => headers(without(three, 'webhook-timestamp')) },
  }),
  defineMutant({
    id: 'sender/sends-milliseconds',
    title: 'the timestamp is in milliseconds',
    breaks: ['SDR-003'],
    policy: { headerTimestamp: ({ now }) => String(now) },
  }),
  defineMutant({
    id: 'sender/signs-with-a-slow-clock',
    title: 'the timestamp is six minutes old',
    breaks: ['SDR-003'],
    policy: { headerTimestamp: ({ now }) => String(Math.floor(now / 1000) - 360) },
  }),
  defineMutant({
    id: 'sender/writes-local-time-as-utc',
    title: 'the timestamp in the body is that of a zone nine hours ahead, with a Z behind it',
    breaks: ['SDR-008'],
    policy: {
      body: (facts) => {
        const local = new Date(Date.parse(facts.event.timestamp) + 9 * 3_600_000).toISOString()
        return body({ ...facts, event: { ...facts.event, timestamp: local } })
      },
    },
  }),
  defineMutant({
    id: 'sender/writes-the-time-of-new-york-as-utc',
    title: 'the timestamp in the body is that of a zone five hours behind, with a Z behind it',
    breaks: ['SDR-008'],
    policy: {
      body: (facts) => {
        const local = new Date(Date.parse(facts.event.timestamp) - 5 * 3_600_000).toISOString()
        return body({ ...facts, event: { ...facts.event, timestamp: local } })
      },
    },
  }),
  defineMutant({
    id: 'sender/writes-no-version',
    title: 'the signature has no version prefix',
    breaks: ['SDR-004'],
    policy: { signature: (mac) => mac },
  }),
  defineMutant({
    id: 'sender/writes-hex',
    title: 'the signature is hexadecimal',
    breaks: ['SDR-004'],
    policy: { signature: (mac) => `v1,${Buffer.from(mac, 'base64').toString('hex')}` },
  }),
  defineMutant({
    id: 'sender/joins-entries-with-commas',
    title: 'a comma stands between two entries',
    breaks: ['SDR-004'],
    policy: { signature: (mac) => `v1,${mac},v1,${mac}` },
  }),
  defineMutant({
    id: 'sender/signs-the-body-alone',
    title: 'only the body is signed',
    breaks: ['SDR-005'],
    policy: { signed: ({ body: text }) => text },
  }),
  defineMutant({
    id: 'sender/signs-without-the-id',
    title: 'the id is not signed',
    breaks: ['SDR-005'],
    policy: { signed: ({ timestamp, body: text }) => `${timestamp}.${text}` },
  }),
  defineMutant({
    id: 'sender/uses-the-secret-as-text',
    title: 'the key is the text of the secret',
    breaks: ['SDR-005'],
    policy: { key: (secret) => Buffer.from(secret) },
  }),
  defineMutant({
    id: 'sender/signs-another-spelling',
    title: 'the body is written again after it was signed',
    breaks: ['SDR-005'],
    policy: { signed: (parts) => signed({ ...parts, body: JSON.stringify(JSON.parse(parts.body), null, 1) }) },
  }),
  defineMutant({
    id: 'sender/names-the-delivery',
    title: 'webhook-id is that of the delivery, not of the event',
    breaks: ['SDR-006'],
    policy: { headerId: ({ event }) => event.id.replace('evt_', 'dlv_') },
  }),
  defineMutant({
    id: 'sender/has-one-id-for-all',
    title: 'every event has the same id',
    breaks: ['SDR-007'],
    policy: {
      headerId: () => 'evt_1',
      body: (facts) => body({ ...facts, event: { ...facts.event, id: 'evt_1' } }),
    },
  }),
  defineMutant({
    id: 'sender/cuts-milliseconds',
    title: 'the timestamp in the body has no milliseconds',
    breaks: ['SDR-008'],
    policy: {
      body: (facts) =>
        body({ ...facts, event: { ...facts.event, timestamp: facts.event.timestamp.replace(/\.\d+/, '') } }),
    },
  }),
  defineMutant({
    id: 'sender/sends-a-form',
    title: 'the body is a form',
    breaks: ['SDR-009'],
    policy: { body: ({ event }) => new URLSearchParams({ id: event.id, type: event.type }).toString() },
  }),
  defineMutant({
    id: 'sender/begins-with-a-mark',
    title: 'a byte order mark stands before the JSON, and is signed with it',
    breaks: ['SDR-009'],
    policy: { body: (facts) => `\uFEFF${body(facts)}` },
  }),
  defineMutant({
    id: 'sender/says-no-content-type',
    title: 'the content type is missing',
    breaks: ['SDR-010'],
    policy: { headers: (three) => three },
  }),
  defineMutant({
    id: 'sender/forgets-the-recipient',
    title: 'events of a delivery lack the recipient',
    breaks: ['SDR-013', 'SDR-014', 'SDR-015', 'SDR-016', 'SDR-017'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, data: without(facts.event.data, 'recipient') } }),
    },
  }),
  defineMutant({
    id: 'sender/forgets-the-subject',
    title: 'events of a message lack the subject',
    breaks: ['SDR-011', 'SDR-012'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, data: without(facts.event.data, 'subject') } }),
    },
  }),
  defineMutant({
    id: 'sender/forgets-the-status',
    title: 'events of the workspace lack its status',
    breaks: ['SDR-018', 'SDR-019'],
    policy: {
      body: (facts) => body({ ...facts, event: { ...facts.event, data: without(facts.event.data, 'status') } }),
    },
  }),
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
    policy: { followsRedirects: true },
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
    title: 'the second attempt comes at once',
    breaks: ['SDR-028'],
    policy: { schedule: [100, 2_500] },
  }),
  defineMutant({
    id: 'sender/retries-too-late',
    title: 'the third attempt comes late',
    breaks: ['SDR-028'],
    policy: { schedule: [2_000, 8_000] },
  }),
  defineMutant({
    id: 'sender/repeats-a-success-slowly',
    title: 'what succeeded is sent again, by a request whose body takes six seconds',
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
    title: 'an answer is waited for 9 seconds, and a delay counts from the start of the attempt',
    breaks: ['SDR-021'],
    policy: { answerTimeMs: 9_000, countsFrom: 'start' },
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
    title: 'a Retry-After of the consumer is obeyed in place of the schedule',
    breaks: ['SDR-028'],
    patch: [
      {
        file: 'sender/index.ts',
        find: "resolve({ kind: 'answered', status })",
        replace: "resolve({ kind: 'answered', status, asked: response.headers['retry-after'] })",
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
      title: `a retry after ${what.replaceAll('-', ' ')} has an id of its own`,
      breaks: ['SDR-029', 'SDR-031'],
      patch: [
        {
          file: 'sender/index.ts',
          find: 'void attempt(url, event, number + 1, firstAt)',
          replace: `void attempt(url, ${isOne} ? { ...event, id: event.id + number } : event, number + 1, firstAt)`,
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
    title: 'a retry has an id of its own',
    breaks: ['SDR-029'],
    policy: { headerId: ({ event, number }) => (number === 1 ? event.id : `evt_${randomUUID()}`) },
  }),
  defineMutant({
    id: 'sender/calls-every-event-received',
    title: 'every event has the type message.received, whatever its data',
    breaks: ['SDR-011'],
    policy: { body: (facts) => body({ ...facts, event: { ...facts.event, type: 'message.received' } }) },
  }),
  defineMutant({
    id: 'sender/keeps-the-first-timestamp',
    title: 'a retry carries the timestamp and signature of the first attempt',
    breaks: ['SDR-030'],
    policy: { headerTimestamp: (facts) => headerTimestamp({ ...facts, now: facts.firstAt }) },
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
    id: 'sender/adds-the-time-to-the-url',
    title: 'the url has the time of the event in its query',
    breaks: ['SDR-001'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'const end = await post(url,',
        replace: 'const end = await post(`${url}?at=${firstAt}`,',
      },
    ],
  }),
  defineMutant({
    id: 'sender/sends-the-secret',
    title: 'the secret goes along in a header of its own',
    breaks: ['SDR-036'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'headers: policy.headers(three),',
        replace: "headers: { ...policy.headers(three), 'x-webhook-secret': secret },",
      },
    ],
  }),
]

function without<Value>(fields: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))
}
