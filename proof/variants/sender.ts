import type { SenderPolicy } from '../../reference/sender/index.js'
import { writesRepeatsSlowly } from './slow-bodies.js'
import type { Variant } from './variant.js'

function variant(
  id: string,
  title: string,
  policy: Partial<SenderPolicy>,
  openPoints: Variant<'sender'>['openPoints'] = [],
): Variant<'sender'> {
  return { id: `sender/${id}`, title, openPoints, policy }
}

/** Conforming alternatives of the reference sender. */
export const senderVariants: readonly Variant<'sender'>[] = [
  variant('counts-from-the-start', 'a delay counts from the start of an attempt', { countsFrom: 'start' }, [
    'delay-origin',
  ]),
  variant('rotates-its-secret', 'sends an entry of an older secret before the right one', {
    signature: (mac) => `v1,${Buffer.alloc(32, 7).toString('base64')} v1,${mac}`,
  }),
  variant('signs-in-two-versions', 'sends an entry of another version after the right one', {
    signature: (mac) => `v1,${mac} v1a,${Buffer.alloc(64, 7).toString('base64')}`,
  }),
  variant('sends-more', 'sends more headers and fields, and a charset', {
    headers: (three) => ({ ...three, 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r1' }),
    body: ({ event }) =>
      JSON.stringify({ ...event, org_id: 'org_1', data: { ...event.data, spam_score: 0.1 } }, null, 2),
  }),
  {
    id: 'sender/writes-repeats-slowly',
    title: 'the body of a second or later attempt takes six seconds to be written',
    openPoints: [],
    policy: {},
    patch: [writesRepeatsSlowly],
  },
  {
    id: 'sender/ends-its-half-of-a-connection',
    title: 'the sender ends its side of the connection with the last byte of the request',
    openPoints: [],
    policy: {},
    patch: [
      {
        file: 'sender/index.ts',
        find: 'request.end(body)',
        replace: 'request.end(body, () => request.socket.end())',
      },
    ],
  },
  {
    id: 'sender/sends-again-beneath',
    title: 'the HTTP library repeats a request once if its connection ends without an answer',
    openPoints: ['resends-of-a-delivery'],
    policy: {},
    patch: [
      {
        file: 'sender/index.ts',
        find: 'function post(url, { body, headers, policy, ca })',
        replace: 'function post(url, { body, headers, policy, ca, isOver = false })',
      },
      {
        file: 'sender/index.ts',
        find: "resolve({ kind: 'timeout' })",
        replace: `isOver = true
      resolve({ kind: 'timeout' })`,
      },
      {
        file: 'sender/index.ts',
        find: "request.on('error', () => {",
        replace: "request.on('error', ({ code }) => {",
      },
      {
        file: 'sender/index.ts',
        find: "resolve({ kind: 'broken' })",
        replace: `if (isOver || code !== 'ECONNRESET') resolve({ kind: 'broken' })
      else resolve(post(url, { body, headers, policy, ca, isOver: true }))`,
      },
    ],
  },
  {
    id: 'sender/sends-again-after-a-408',
    title: 'the HTTP library repeats a request once after a 408 or 421',
    openPoints: ['resends-of-a-delivery'],
    policy: {},
    patch: [
      {
        file: 'sender/index.ts',
        find: 'function post(url, { body, headers, policy, ca })',
        replace: 'function post(url, { body, headers, policy, ca, isAgain = false })',
      },
      {
        file: 'sender/index.ts',
        find: "resolve({ kind: 'answered', status: response.statusCode ?? 0 })",
        replace: `const status = response.statusCode ?? 0
      if (!isAgain && (status === 408 || status === 421))
        return resolve(post(url, { body, headers, policy, ca, isAgain: true }))
      resolve({ kind: 'answered', status })`,
      },
    ],
  },
  variant('sends-what-was-recorded', 'every event has the time at which one like it was recorded', {
    body: ({ event }) => JSON.stringify({ ...event, timestamp: '2026-01-02T03:04:05.678Z' }),
  }),
  variant('sends-what-happened-before', 'an event happened up to a day before it is sent', {
    body: ({ event }) => {
      const before = Number.parseInt(event.id.slice('evt_'.length, 'evt_'.length + 6), 16) % 86_400
      return JSON.stringify({
        ...event,
        timestamp: new Date(Date.parse(event.timestamp) - before * 1_000).toISOString(),
      })
    },
  }),
  variant('writes-utc-as-an-offset', 'the timestamp of an event names UTC as +00:00', {
    body: ({ event }) => JSON.stringify({ ...event, timestamp: event.timestamp.replace('Z', '+00:00') }),
  }),
  variant('raises-one-type', 'raises message.received for every requested type', {
    body: ({ event }) => {
      const { message_id: id = event.id.replace('evt_', 'msg_') } = event.data
      const data = { message_id: id, inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'ada@sender.example', subject: 'Hi' }
      return JSON.stringify({ ...event, type: 'message.received', data })
    },
  }),
]
