import { expect, test } from 'vitest'
import { trafficCases } from '../../suites/traffic/index.js'
import { nameOf, trafficReport } from '../../harness/observe/index.js'
import {
  at,
  call,
  created,
  deliveriesList,
  delivery,
  event,
  har,
  hookUrl,
  key,
  listed,
  page,
  secret,
  stream,
  type Entry,
} from '../../harness/testing/traffic/har.js'
import { judgedLines, linesOf, type Given } from '../../harness/testing/traffic/traffic-verdict.js'
import {
  e1,
  e2,
  e3,
  e4,
  e5,
  inboxKey,
  inSecondInbox,
  list,
  otherSecret,
  paused,
  conformingTraffic,
  secondWebhook,
} from '../../harness/testing/traffic/conforming-traffic.js'

function judged(entries: readonly Entry[], given: Given = {}) {
  return trafficReport(judgedLines(linesOf(har(entries), given), given), {
    cases: trafficCases,
    tool: { name: 't', version: '0' },
    name: 'test',
    startedAt: new Date(),
  })
}

function broken(entries: readonly Entry[], given: Given = {}): string[] {
  return judged(entries, given)
    .cases.filter((result) => result.status === 'failed')
    .flatMap((result) => [result.id, ...(result.violates ?? [])])
}

test.each(Object.entries(conformingTraffic))('right: %s', (_name, entries) => {
  expect(broken(entries)).toEqual([])
})

/** A delivery as Stripe sends it: its events look like those of the interface. */
const ofStripe = (url: string) => {
  const entry = delivery(
    2,
    { id: 'evt_1PqStripe', object: 'event', type: 'charge.captured', data: { object: {} } },
    { url },
  )
  const { headers, ...request } = entry['request'] as { readonly headers: readonly { readonly name: string }[] }
  const others = headers.filter(({ name }) => !/^webhook-/i.test(name))
  return { ...entry, request: { ...request, headers: [...others, { name: 'Stripe-Signature', value: 't=1,v1=00' }] } }
}

test('deliveries of another scheme are not judged, and a note reports it', () => {
  const stripe = ofStripe('https://shop.example/stripe')
  const report = judged([created(0), stripe, stripe])
  expect(report.cases.filter(({ status }) => status === 'failed')).toEqual([])
  expect(report.note).toMatch(
    /2 deliveries were not judged: signed as Stripe signs \(stripe-signature\).*diagnose --scheme stripe/,
  )
  // Nothing of the interface was seen.
  expect(judged([stripe]).verdict).toBe('none')
})

test('a delivery to a webhook of the service is judged, whatever it is signed as', () => {
  expect(broken([created(0), ofStripe(hookUrl)])).toContain('DLV-003')
})

const short = (changes: Record<string, unknown>) => event(1, { data: { ...(e1['data'] as object), ...changes } })
const whole = [{ id: 'd1', status: 'succeeded', attempt: 2 }]

const wrong: Record<string, readonly [readonly Entry[], ...string[]]> = {
  'an event lost in a page': [
    [
      stream(0.5, [
        [1.1, e1],
        [2.1, e2],
        [3.1, e3],
      ]),
      page(5, undefined, list(e1, e3)),
    ],
    'observe/polling/neither-loses-nor-repeats',
    'POL-003',
  ],
  'an event lost between two pages': [
    [
      stream(0.5, [
        [1.1, e1],
        [2.1, e2],
        [3.1, e3],
        [4.1, e4],
      ]),
      page(5, undefined, list(e1, e2)),
      page(6, 'evt_0002', list(e4)),
    ],
    'observe/polling/neither-loses-nor-repeats',
    'POL-008',
  ],
  'an event lost on a stream': [
    [
      stream(0.5, [
        [1.1, e1],
        [3.1, e3],
        [4.1, e4],
      ]),
      page(5, undefined, list(e1, e2, e3, e4)),
    ],
    'observe/stream/neither-loses-nor-repeats',
    'STR-006',
  ],
  'an event lost after the cursor of a stream': [
    [
      page(5, undefined, list(e1, e2, e3, e4)),
      stream(
        6,
        [
          [6.1, e3],
          [6.2, e4],
        ],
        { after: 'evt_0001' },
      ),
    ],
    'observe/stream/neither-loses-nor-repeats',
    'STR-005',
  ],
  'an event that was delivered and is not listed': [
    [
      created(0),
      delivery(1.1, e1),
      delivery(2.1, e2),
      delivery(3.1, e3),
      delivery(4.1, e4),
      page(5, undefined, list(e1, e3, e4)),
    ],
    'observe/polling/neither-loses-nor-repeats',
    'POL-003',
  ],
  'a page that repeats the cursor': [
    [page(5, 'evt_0001', list(e1, e2))],
    'observe/polling/neither-loses-nor-repeats',
    'POL-003',
  ],
  'a cursor that leads back': [
    [page(5, undefined, list(e1, e2, e3), { next: 'evt_0002' }), page(6, 'evt_0002', list(e3, e4))],
    'observe/polling/neither-loses-nor-repeats',
    'POL-008',
  ],
  'a frame twice': [
    [
      stream(0.5, [
        [1.1, e1],
        [1.2, e1],
      ]),
    ],
    'observe/stream/neither-loses-nor-repeats',
    'STR-006',
  ],
  'frames out of order': [
    [
      stream(0.5, [
        [1.1, e1],
        [3.1, e3],
        [3.2, e2],
        [4.1, e4],
      ]),
    ],
    'observe/stream/keeps-the-order',
    'STR-007',
  ],
  'newest first, over two pages': [
    [page(5, undefined, list(e2, e1)), page(6, 'evt_0001', list(e3, e2))],
    'observe/polling/lists-oldest-first',
    'POL-001',
  ],
  'a delivery before its replay': [
    [
      created(0),
      deliveriesList(9, [
        { id: 'd1', status: 'succeeded', attempt: 1, response_code: 200 },
        { id: 'd2', status: 'succeeded', attempt: 1, response_code: 200, replay_of: 'd1' },
      ]),
    ],
    'observe/delivery-list/has-the-shape-of-deliveries',
    'DLV-012',
  ],
  'newest first': [[page(5, undefined, list(e3, e2, e1))], 'observe/polling/lists-oldest-first', 'POL-001'],
  'an event that differs': [
    [stream(0.5, [[1.1, e1]]), page(5, undefined, list(short({ subject: 'another' })))],
    'observe/events/are-the-same-everywhere',
    'EVT-014',
  ],
  'an attempt that differs': [
    [created(0), delivery(1, e1, { status: 500 }), delivery(6.1, short({ subject: 'x' }))],
    'observe/events/are-the-same-everywhere',
    'RTY-014',
  ],
  'an unrequested backlog': [
    [
      page(5, undefined, list(e1, e2)),
      stream(9, [
        [9.1, e1],
        [9.2, e2],
      ]),
    ],
    'observe/stream/starts-from-now',
    'STR-004',
  ],
  'a signature of another secret': [
    [created(0), delivery(1, e1, { secret: otherSecret })],
    'observe/deliveries/are-signed',
    'SIG-004',
  ],
  'a signature of another secret, after an unseen change of a webhook': [
    [
      created(0),
      call({ at: 1, method: 'POST', path: '/v1/webhooks/whk_9/rotate-secret', answer: { id: 'whk_9' } }),
      delivery(2, e1, { secret: otherSecret }),
    ],
    'observe/deliveries/are-signed',
    'SIG-004',
  ],
  'a webhook-id of another event': [
    [created(0), delivery(1, e1, { id: 'msg_1' })],
    'observe/deliveries/carry-their-headers',
    'SIG-001',
  ],
  'a retry too early': [
    [created(0), delivery(1, e1, { status: 500 }), delivery(3.5, e1), deliveriesList(9, whole)],
    'observe/retries/keep-the-schedule',
    'RTY-002',
  ],
  'a retry too early, signed anew, after an attempt without an answer': [
    [created(0), delivery(1, e1, { status: 0 }), delivery(2.3, e1), deliveriesList(9, whole)],
    'observe/retries/keep-the-schedule',
    'RTY-002',
  ],
  'a request that is repeated after a status that does not allow it': [
    [created(0), delivery(1, e1, { status: 409 }), delivery(1.2, e1, { signedAt: 1 }), deliveriesList(9, whole)],
    'observe/retries/keep-the-schedule',
    'RTY-002',
  ],
  'a request that is sent again twice, since it got no answer': [
    [
      created(0),
      delivery(1, e1, { status: 0 }),
      delivery(1.2, e1, { signedAt: 1, status: 0 }),
      delivery(1.4, e1, { signedAt: 1 }),
      deliveriesList(9, whole),
    ],
    'observe/retries/keep-the-schedule',
    'RTY-002',
  ],
  'a retry too early, after the replay of another event': [
    [
      created(0),
      delivery(1, e1),
      call({ at: 2, method: 'POST', path: '/v1/webhooks/whk_1/deliveries/d1/replay', status: 202 }),
      delivery(2.2, e1),
      delivery(3, e2, { status: 500 }),
      delivery(5, e2),
      deliveriesList(9, [
        { id: 'd3', event_id: 'evt_0002', status: 'succeeded', attempt: 2 },
        { id: 'd2', status: 'succeeded', attempt: 1, replay_of: 'd1' },
        { id: 'd1', event_id: 'evt_0001', status: 'succeeded', attempt: 1 },
      ]),
    ],
    'observe/retries/keep-the-schedule',
    'RTY-002',
  ],
  'a third attempt too early': [
    [
      created(0),
      delivery(1, e1, { status: 500 }),
      delivery(6.1, e1, { status: 302 }),
      delivery(12, e1),
      deliveriesList(19, whole),
    ],
    'observe/retries/keep-the-schedule',
    'RTY-003',
  ],
  'an attempt after success': [
    [created(0), delivery(1, e1), delivery(6.1, e1), deliveriesList(9, whole)],
    'observe/retries/end-with-success',
    'DLV-006',
  ],
  'a retry with the signature of the first': [
    [created(0), delivery(1, e1, { status: 500 }), delivery(6.1, e1, { signedAt: 1 })],
    'observe/deliveries/are-signed-at-their-time',
    'SIG-005',
  ],
  'a retry after the delete': [
    [
      created(0),
      delivery(1, e1, { status: 500 }),
      call({ at: 2, method: 'DELETE', path: '/v1/webhooks/whk_1', status: 204 }),
      delivery(6.1, e1),
    ],
    'observe/webhooks/fall-silent-when-deleted',
    'WHK-015',
  ],
  'an event after the delete': [
    [created(0), call({ at: 1, method: 'DELETE', path: '/v1/webhooks/whk_1', status: 200 }), delivery(6, e5)],
    'observe/webhooks/fall-silent-when-deleted',
    'WHK-014',
  ],
  'a webhook that is listed as before': [
    [
      created(0),
      call({ at: 1, method: 'DELETE', path: '/v1/webhooks/whk_1', status: 204 }),
      call({
        at: 9,
        path: '/v1/webhooks',
        answer: [{ id: 'whk_1', url: 'https://hooks.customer.example/in', event_types: [], inbox_id: null }],
      }),
    ],
    'observe/webhooks/are-gone-when-deleted',
    'WHK-017',
  ],
  'a repeated secret': [
    [
      created(0),
      call({
        at: 3,
        path: '/v1/webhooks',
        answer: {
          data: [{ id: 'whk_1', url: 'https://hooks.customer.example/in', event_types: [], inbox_id: null, secret }],
        },
      }),
    ],
    'observe/webhooks/tell-their-secret-once',
    'WHK-012',
  ],
  'a secret in a header of a delivery': [
    [created(0), delivery(1, e1, { headers: { 'x-webhook-secret': secret } })],
    'observe/webhooks/tell-their-secret-once',
    'WHK-013',
  ],
  'a key of one inbox that sees another': [
    [
      created(0, { got: { inbox_id: 'ibx_1' }, key: inboxKey }),
      page(5, undefined, list(e1, inSecondInbox(2)), { key: inboxKey }),
    ],
    'observe/keys/see-their-inbox-only',
    'SCOPE-001',
  ],
  'the same, found out later, and a workspace event': [
    [stream(0.5, [[6.1, paused]], { key: inboxKey }), created(9, { got: { inbox_id: 'ibx_1' }, key: inboxKey })],
    'observe/keys/see-their-inbox-only',
    'SCOPE-002',
  ],
  'a key that is forced once and not again': [
    [
      created(0, { got: { inbox_id: 'ibx_1' }, key: inboxKey }),
      created(5, { ...secondWebhook.other, requested: { inbox_id: 'ibx_2' }, key: inboxKey }),
    ],
    'observe/keys/make-webhooks-of-their-inbox',
    'SCOPE-004',
  ],
  'a type that was filtered out': [
    [created(0, { requested: { event_types: ['message.bounced'] } }), delivery(1, e1)],
    'observe/webhooks/select-by-type',
    'WHK-009',
  ],
  'an unrequested inbox': [
    [created(0, { requested: { inbox_id: 'ibx_2' } }), delivery(1, e1)],
    'observe/webhooks/select-by-inbox',
    'SCOPE-005',
  ],
  'a timestamp without milliseconds': [
    [
      created(0),
      stream(0.5, [[1.1, { ...e1, timestamp: '2026-01-02T03:00:01Z' }]]),
      delivery(1, { ...e1, timestamp: '2026-01-02T03:00:01Z' }),
    ],
    'observe/events/have-their-ids-and-times',
    'EVT-002',
  ],
  'a field that is missing everywhere': [
    [
      created(0),
      stream(0.5, [[1.1, short({ thread_id: undefined })]]),
      delivery(1.2, short({ thread_id: undefined })),
      page(5, undefined, list(short({ thread_id: undefined }))),
    ],
    'observe/events/have-the-data-of-their-type',
    'EVT-003',
  ],
  'a field that is missing in deliveries alone': [
    [created(0), delivery(1.2, short({ thread_id: undefined })), page(5, undefined, list(e1))],
    'observe/events/have-the-data-of-their-type',
    'EVT-003',
  ],
  'a frame other than an event, which may contain the missing one': [
    [
      stream(0.5, [
        [1.1, e1],
        [2.1, { event: e2 }],
        [3.1, e3],
      ]),
      page(5, undefined, list(e1, e2, e3)),
    ],
    'observe/stream/sends-events',
    'STR-003',
  ],
  'a secret that two webhooks share, each of an inbox of its own': [
    [
      created(0, { requested: { inbox_id: 'ibx_1' } }),
      created(0.5, { id: 'whk_2', requested: { inbox_id: 'ibx_2', url: `${hookUrl}/2` } }),
      delivery(1.2, e1),
      delivery(2.2, inSecondInbox(2), { url: `${hookUrl}/2` }),
    ],
    'observe/webhooks/have-a-secret-of-their-own',
    'WHK-018',
  ],
  'a replay that the list of all deliveries does not name': [
    [
      created(0),
      delivery(1, e1),
      call({ at: 2, method: 'POST', path: '/v1/webhooks/whk_1/deliveries/d1/replay', status: 202 }),
      deliveriesList(9, [
        { id: 'd2', status: 'succeeded', attempt: 1, replay_of: 'd2' },
        { id: 'd1', status: 'succeeded', attempt: 1 },
      ]),
    ],
    'observe/delivery-list/has-the-shape-of-deliveries',
    'RPL-004',
  ],
  'a page with timestamp': [
    [page(5, undefined, [{ ...listed(e1), timestamp: at(1) }])],
    'observe/polling/has-the-shape-of-a-page',
    'POL-009',
  ],
  'more than the limit': [
    [call({ at: 9, path: '/v1/events?limit=1', answer: { data: list(e1, e2), next_after: 'evt_0002' } })],
    'observe/polling/keeps-to-the-limit',
    'POL-005',
  ],
  'a walk that begins with the newest events': [
    [page(5, undefined, list(e4, e5)), page(6, 'evt_0001', list(e2, e3, e4))],
    'observe/polling/lists-oldest-first',
    'POL-002',
  ],
  'a stream that begins before its cursor': [
    [
      page(4, undefined, list(e1, e2, e3)),
      stream(
        5,
        [
          [5.1, e1],
          [5.2, e2],
          [5.3, e3],
        ],
        { after: 'evt_0002' },
      ),
    ],
    'observe/stream/neither-loses-nor-repeats',
    'STR-005',
  ],
  'a secret in an answer the interface does not know': [
    [created(0), call({ at: 5, path: '/v1/webhooks/whk_1', answer: { id: 'whk_1', url: hookUrl, secret } })],
    'observe/webhooks/tell-their-secret-once',
    'WHK-013',
  ],
  'a secret without its prefix': [
    [created(0, { got: { secret: secret.slice(6) } })],
    'observe/webhooks/are-created-as-asked',
    'WHK-004',
  ],
  'a delivery that succeeded without an attempt': [
    [deliveriesList(9, [{ id: 'd1', status: 'succeeded', attempt: 0 }])],
    'observe/delivery-list/has-the-shape-of-deliveries',
    'DLV-017',
  ],
  'a delivery that succeeded with an error of the consumer': [
    [deliveriesList(9, [{ id: 'd1', status: 'succeeded', attempt: 1, response_code: 500 }])],
    'observe/delivery-list/has-the-shape-of-deliveries',
    'DLV-018',
  ],
  'a delivery that is its own replay': [
    [deliveriesList(9, [{ id: 'd1', status: 'succeeded', attempt: 1, replay_of: 'd1' }])],
    'observe/delivery-list/has-the-shape-of-deliveries',
    'RPL-004',
  ],
  'a batch of more than a hundred': [
    [
      call({
        at: 1,
        method: 'POST',
        path: '/v1/emails/batch',
        body: [],
        answer: { data: Array.from({ length: 101 }, (_, index) => ({ id: `email_${index}` })) },
      }),
    ],
    'observe/emails/have-their-answers',
    'SND-005',
  ],
  'an error without fix': [
    [call({ at: 1, path: '/v1/events', status: 401, answer: { code: 'x', message: 'y' } })],
    'observe/errors/are-complete',
    'ERR-005',
  ],
  'a webhook without TLS': [
    [created(0, { requested: { url: 'http://hooks.customer.example/in' } })],
    'observe/webhooks/are-created-as-asked',
    'WHK-019',
  ],
  'a next attempt at no time': [
    [deliveriesList(9, [{ id: 'd1', status: 'pending', attempt: 1, response_code: 500, next_attempt_at: 'soon' }])],
    'observe/delivery-list/has-the-shape-of-deliveries',
    'DLV-020',
  ],
  'a create answer of 200': [
    [
      call({
        at: 1,
        method: 'POST',
        path: '/v1/webhooks',
        body: { url: 'https://a.example/' },
        answer: { id: 'whk_1', url: 'https://a.example/', event_types: [], inbox_id: null, secret },
      }),
    ],
    'observe/webhooks/are-created-as-asked',
    'WHK-001',
  ],
}

test.each(Object.entries(wrong))('wrong: %s', (_name, [entries, ...expected]) => {
  expect(broken(entries)).toEqual(expected)
})

test('a given secret is judged, a key of the configuration is limited', () => {
  expect(broken([delivery(1, e1, { secret: otherSecret })], { secrets: [secret] })).toEqual([
    'observe/deliveries/are-signed',
    'SIG-004',
  ])
  expect(broken([delivery(1, e1)], { secrets: [otherSecret, secret] })).toEqual([])
  const scopes = new Map([[nameOf('key', key), 'ibx_2']])
  expect(broken([page(5, undefined, list(e1))], { scopes })).toEqual(['observe/keys/see-their-inbox-only', 'SCOPE-001'])
})

test('no traffic gives no verdict, and any other at most partial', () => {
  expect(judged([]).verdict).toBe('none')
  expect(judged([page(5, undefined, list(e1))]).verdict).toBe('partial')
})
