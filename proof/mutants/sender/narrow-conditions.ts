import { senderPolicy } from '../../../reference/sender/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { body, headerTimestamp, isSuccess } = senderPolicy

/** Deviations in the attempts of one type of event, or after one kind of broken connection or answer. */
export const narrowConditions: readonly Mutant<'sender'>[] = [
  defineMutant({
    id: 'sender/takes-an-answer-without-a-length-for-a-cut-one',
    title: 'treats an answer that ends with its connection as a failure',
    breaks: ['SDR-020'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'status: response.statusCode ?? 0',
        replace:
          "status: response.headers['content-length'] ?? response.headers['transfer-encoding'] ?? response.statusCode === 204 ? (response.statusCode ?? 0) : 599",
      },
    ],
  }),
  defineMutant({
    id: 'sender/retries-no-late-reset',
    title: 'a connection lost after half a second counts as a success',
    breaks: ['SDR-027'],
    patch: [
      {
        file: 'sender/index.ts',
        find: "const isSecure = url.startsWith('https:')",
        replace: "const [isSecure, begunAt] = [url.startsWith('https:'), Date.now()]",
      },
      {
        file: 'sender/index.ts',
        find: "resolve({ kind: 'broken' })",
        replace: "resolve(Date.now() - begunAt > 500 ? { kind: 'answered', status: 200 } : { kind: 'broken' })",
      },
    ],
  }),
  defineMutant({
    id: 'sender/retries-no-real-reset',
    title: 'a reset connection is not retried, a closed one is',
    breaks: ['SDR-027'],
    patch: [
      {
        file: 'sender/index.ts',
        find: "request.on('error', () => {",
        replace: "request.on('error', ({ syscall }) => {",
      },
      {
        file: 'sender/index.ts',
        find: "resolve({ kind: 'broken' })",
        replace: "resolve(syscall === 'read' ? { kind: 'answered', status: 200 } : { kind: 'broken' })",
      },
    ],
  }),
  defineMutant({
    id: 'sender/repeats-a-broken-attempt-at-once',
    title: 'an attempt whose connection breaks is followed by the next at once',
    breaks: ['SDR-027', 'SDR-028'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'Math.max(0, delay - spentMs)',
        replace: "end.kind === 'broken' ? 0 : Math.max(0, delay - spentMs)",
      },
    ],
  }),
  defineMutant({
    id: 'sender/retries-later-what-is-no-message',
    title: 'events of the workspace wait three times as long for their second attempt',
    breaks: ['SDR-028'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'Math.max(0, delay - spentMs)',
        replace: "Math.max(0, delay - spentMs) * (event.type.startsWith('sending.') ? 4 : 1)",
      },
    ],
  }),
  defineMutant({
    id: 'sender/retries-no-bounce',
    title: 'of a bounce there is one attempt',
    breaks: ['SDR-028'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'delay === undefined',
        replace: "delay === undefined || event.type === 'message.bounced'",
      },
    ],
  }),
  defineMutant({
    id: 'sender/rebuilds-a-retry-from-the-message',
    title: 'a retry contains the current status of the message',
    breaks: ['SDR-031'],
    policy: {
      body: (facts) => {
        const { event, number } = facts
        const isMoved = number > 1 && event.type.startsWith('message.') && 'status' in event.data
        return body(isMoved ? { ...facts, event: { ...event, data: { ...event.data, status: 'archived' } } } : facts)
      },
    },
  }),
  defineMutant({
    id: 'sender/renames-a-retry-of-the-workspace',
    title: 'a retry of an event of the workspace has its own id',
    breaks: ['SDR-029'],
    policy: {
      headerId: ({ event, number }) =>
        number > 1 && event.type.startsWith('sending.') ? `${event.id}_${number}` : event.id,
    },
  }),
  defineMutant({
    id: 'sender/signs-a-queued-email-once',
    title: 'a retry of message.queued carries the timestamp and signature of the first attempt',
    breaks: ['SDR-030'],
    policy: {
      headerTimestamp: (facts) =>
        headerTimestamp(
          facts.event.type === 'message.queued' ? { ...facts, now: Date.parse(facts.event.timestamp) } : facts,
        ),
    },
  }),
  defineMutant({
    id: 'sender/takes-an-informational-answer-for-the-answer',
    title: 'treats a 103 as the final answer, a failure',
    breaks: ['SDR-020'],
    patch: [
      {
        file: 'sender/index.ts',
        find: "request.on('error', () => {",
        replace: `request.on('information', ({ statusCode: status }) => resolve({ kind: 'answered', status }))
    request.on('error', () => {`,
      },
    ],
  }),
  defineMutant({
    id: 'sender/takes-an-informational-answer-for-a-success',
    title: 'a 103 is treated as the answer, and as a success',
    breaks: ['SDR-026'],
    patch: [
      {
        file: 'sender/index.ts',
        find: "request.on('error', () => {",
        replace: `request.on('information', () => resolve({ kind: 'answered', status: 200 }))
    request.on('error', () => {`,
      },
    ],
  }),
  defineMutant({
    id: 'sender/falls-back-to-plain-http',
    title: 'a retry goes to the url by the other of http and https',
    breaks: ['SDR-001'],
    patch: [
      {
        file: 'sender/index.ts',
        find: 'const end = await post(url,',
        replace: "const end = await post(number > 1 ? url.replace(/^http:/, 'https:') : url,",
      },
      {
        file: 'sender/index.ts',
        find: 'httpsRequest(url, {',
        replace: 'httpsRequest(url, { rejectUnauthorized: false,',
      },
    ],
  }),
  ...([416, 418, 430, 498] as const).map((code) =>
    defineMutant({
      id: `sender/retries-no-${code}`,
      title: `a delivery that gets a ${code} is not repeated`,
      breaks: ['SDR-025'],
      policy: { retries: (end) => end.kind !== 'answered' || end.status !== code },
    }),
  ),
  ...([509, 525, 529] as const).map((code) =>
    defineMutant({
      id: `sender/retries-no-${code}`,
      title: `a delivery that gets a ${code} is not repeated`,
      breaks: ['SDR-026'],
      policy: { retries: (end) => end.kind !== 'answered' || end.status !== code },
    }),
  ),
  ...([305, 399] as const).map((code) =>
    defineMutant({
      id: `sender/takes-a-${code}`,
      title: `a ${code} ends a delivery, as a 2xx does`,
      breaks: ['SDR-024'],
      policy: { isSuccess: (end) => end.kind === 'answered' && (end.status === code || isSuccess(end)) },
    }),
  ),
  defineMutant({
    id: 'sender/knows-the-registered-successes',
    title: 'accepts only registered 2xx as success, not 218 or 250',
    breaks: ['SDR-020'],
    policy: { isSuccess: (end) => isSuccess(end) && end.kind === 'answered' && ![218, 250].includes(end.status) },
  }),
]
