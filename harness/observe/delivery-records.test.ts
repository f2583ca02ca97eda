// Deliveries of a list compared with what passed: each fault with its correct or open counterpart.
import { expect, test } from 'vitest'
import {
  at,
  call,
  created,
  deliveriesList,
  delivery,
  event,
  har,
  hookUrl,
  listed,
  page,
  stream,
  type Entry,
} from '../testing/traffic/har.js'
import { broken, linesOf } from '../testing/traffic/traffic-verdict.js'

const [first, second, third] = [event(1), event(2), event(3)]
const record = (changes: Record<string, unknown>) => ({
  id: 'dlv_1',
  event_id: 'evt_0001',
  status: 'succeeded',
  attempt: 1,
  response_code: 200,
  response_body_snippet: 'ok',
  next_attempt_at: null,
  ...changes,
})
const pending = (changes: Record<string, unknown> = {}) =>
  record({ status: 'pending', response_code: 500, next_attempt_at: at(6), ...changes })

/** The delivery of the first event, answered so. */
function answered(
  status: number,
  more: { text?: string; tookMs?: number; headers?: unknown[]; when?: number } = {},
): Entry {
  const { text = 'ok', tookMs = 30, headers = [], when = 1 } = more
  const content = { size: Buffer.byteLength(text), mimeType: 'text/plain', text }
  return { ...delivery(when, first, { status, tookMs }), response: { status, headers, content } }
}

const replayed = call({ at: 3, method: 'POST', path: '/v1/webhooks/whk_1/deliveries/dlv_1/replay', status: 202 })
const redirect = { headers: [{ name: 'location', value: 'https://elsewhere.example/in' }] }
const send = (when: number, id: string, more: object = {}): Entry => {
  const entry = call({
    at: when,
    method: 'POST',
    path: '/v1/emails',
    body: { to: 'a@x.example' },
    answer: { id },
    ...more,
  })
  const request = entry['request'] as { headers: unknown[] }
  return { ...entry, request: { ...request, headers: [...request.headers, { name: 'Idempotency-Key', value: 'k1' }] } }
}

test.each<[string, readonly string[], readonly Entry[]]>([
  ['the code of the answer', [], [answered(500), deliveriesList(20, [pending()])]],
  ['another code', ['DLV-018'], [answered(503), deliveriesList(20, [pending()])]],
  ['another 2xx', ['DLV-018'], [answered(204), deliveriesList(20, [record({})])]],
  [
    'the code of an unseen attempt',
    [],
    [answered(503), deliveriesList(20, [pending({ attempt: 2, next_attempt_at: null })])],
  ],
  ['another code, after a replay', [], [answered(503), replayed, deliveriesList(6, [pending()])]],
  [
    'another code, of a late answer',
    [],
    [answered(503, { tookMs: 12_000 }), deliveriesList(40, [pending({ response_code: 0 })])],
  ],
  [
    'the beginning of the answer',
    [],
    [
      answered(500, { text: `${'x'.repeat(600)}` }),
      deliveriesList(20, [pending({ response_body_snippet: 'x'.repeat(500) })]),
    ],
  ],
  [
    'other words than the answer',
    ['DLV-019'],
    [answered(500, { text: 'down' }), deliveriesList(20, [pending({ response_body_snippet: 'up' })])],
  ],
  [
    'the end of the answer',
    ['DLV-019'],
    [answered(500, { text: 'a long story' }), deliveriesList(20, [pending({ response_body_snippet: 'story' })])],
  ],
  ['no words', [], [answered(500, { text: 'down' }), deliveriesList(20, [pending({ response_body_snippet: '' })])]],
  ['success after a 500', ['DLV-011'], [answered(500), deliveriesList(20, [record({ response_code: null })])]],
  [
    'success after a 200 that took 12 s',
    ['DLV-008'],
    [answered(200, { tookMs: 12_000 }), deliveriesList(40, [record({})])],
  ],
  [
    'success after a 200 that took 10 s, on whatever clock',
    [],
    [answered(200, { tookMs: 10_000 }), deliveriesList(40, [record({})])],
  ],
  ['pending long after a 200', ['DLV-005'], [answered(200), deliveriesList(20, [pending({ response_code: 200 })])]],
  ['pending right after a 200', [], [answered(200), deliveriesList(1.5, [pending({ response_code: 200 })])]],
  [
    'failure after the first of seven attempts, as a retry that was blocked leaves it',
    [],
    [answered(500), deliveriesList(20, [pending({ status: 'failed' })])],
  ],
  [
    'failure after an unseen attempt',
    [],
    [answered(500), deliveriesList(20, [pending({ status: 'failed', attempt: 2 })])],
  ],
  [
    'a next attempt before the one it follows',
    ['DLV-020'],
    [answered(500), deliveriesList(20, [pending({ next_attempt_at: at(-60) })])],
  ],
  [
    'a next attempt after success',
    ['DLV-020'],
    [answered(200), deliveriesList(20, [record({ next_attempt_at: at(300) })])],
  ],
  [
    'a next attempt after a replay that failed',
    ['DLV-020'],
    [
      answered(200),
      replayed,
      answered(500, { when: 4 }),
      deliveriesList(20, [
        record({ id: 'dlv_2', status: 'failed', response_code: 500, replay_of: 'dlv_1', next_attempt_at: at(60) }),
        record({}),
      ]),
    ],
  ],
  [
    'the time of its last attempt after success',
    [],
    [answered(200), deliveriesList(20, [record({ next_attempt_at: at(1) })])],
  ],
  [
    'a time ahead of our clock, after a failure on a clock that was moved',
    [],
    [
      answered(500),
      delivery(3, second, { signedAt: 7_200 }),
      deliveriesList(20, [record({ status: 'failed', response_code: 500, next_attempt_at: at(3_600) })]),
    ],
  ],
  [
    'a next attempt after success on a clock that was moved',
    ['DLV-020'],
    [
      answered(200),
      delivery(3, second, { signedAt: 7_200 }),
      deliveriesList(20, [record({ next_attempt_at: at(301) })]),
    ],
  ],
  [
    'a next attempt after twice its delay',
    ['RTY-010'],
    [answered(500), deliveriesList(20, [pending({ next_attempt_at: at(60) })])],
  ],
  [
    'a next attempt as late as a slow answer allows',
    [],
    [answered(500, { tookMs: 8_000 }), deliveriesList(20, [pending({ next_attempt_at: at(15) })])],
  ],
  [
    'no next attempt while retries remain',
    ['RTY-010'],
    [answered(500), deliveriesList(20, [pending({ next_attempt_at: null })])],
  ],
  ['no next attempt yet', [], [answered(500), deliveriesList(2, [pending({ next_attempt_at: null })])]],
  [
    'success, and pending again',
    ['DLV-005'],
    [deliveriesList(1, [record({ id: 'dlv_9' })]), deliveriesList(20, [pending({ id: 'dlv_9' })])],
  ],
  [
    'success, and pending in a list that lags',
    [],
    [deliveriesList(1, [record({ id: 'dlv_9' })]), deliveriesList(3, [pending({ id: 'dlv_9' })])],
  ],
  [
    'failure, and success later',
    ['RTY-009'],
    [
      deliveriesList(1, [record({ id: 'dlv_9', status: 'failed', response_code: 500 })]),
      deliveriesList(20, [record({ id: 'dlv_9' })]),
    ],
  ],
  [
    'a redirect that is followed',
    ['DLV-009'],
    [answered(307, redirect), delivery(1.2, first, { url: 'https://elsewhere.example/in', signedAt: 1 })],
  ],
  ['a redirect, and a retry at the same url', [], [answered(307, redirect), delivery(6.2, first, { url: hookUrl })]],
])('a list that shows %s breaks %j', (_name, breaks, entries) => {
  expect(broken(linesOf(har([created(0), ...entries])))).toEqual(breaks)
})

test.each<[string, readonly string[], readonly Entry[]]>([
  ['the first result', [], [send(1, 'eml_1'), send(2, 'eml_1')]],
  ['another email', ['IDM-001'], [send(1, 'eml_1'), send(2, 'eml_2')]],
  ['another email, for another body', [], [send(1, 'eml_1'), send(2, 'eml_2', { body: { to: 'b@x.example' } })]],
  ['another email, a day later', [], [send(1, 'eml_1'), send(86_400, 'eml_2')]],
])('a repeated Idempotency-Key that gets %s breaks %j', (_name, breaks, entries) => {
  expect(broken(linesOf(har(entries)))).toEqual(breaks)
})

const all = [
  stream(0.5, [
    [1.1, first],
    [2.1, second],
    [3.1, third],
  ]),
  created(0),
]
test.each<[string, readonly string[], readonly Entry[]]>([
  [
    'the last event of the page',
    [],
    [
      page(
        5,
        undefined,
        [first, second, third].map((one) => listed(one)),
      ),
    ],
  ],
  [
    'an event that is on no page',
    ['POL-008'],
    [
      page(
        5,
        undefined,
        [first, second].map((one) => listed(one)),
        { next: 'evt_0003' },
      ),
    ],
  ],
  [
    'its own text',
    [],
    [
      page(
        5,
        undefined,
        [first, second].map((one) => listed(one)),
        { next: 'cursor-3' },
      ),
    ],
  ],
])('a walk that goes on after %s breaks %j', (_name, breaks, entries) => {
  expect(broken(linesOf(har([...all, ...entries])))).toEqual(breaks)
})
