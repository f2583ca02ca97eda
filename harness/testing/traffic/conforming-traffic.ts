// Conversations that break nothing, each with what may look as if it did.
import {
  hookUrl,
  at,
  call,
  created,
  deliveriesList,
  delivery,
  event,
  listed,
  page,
  secret,
  stream,
  type Entry,
} from './har.js'

export const inboxKey = 'sk_inbox_0123456789abcdef'
export const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

export const [e1, e2, e3, e4, e5] = [event(1), event(2), event(3), event(4), event(5)]
export const list = (...events: Record<string, unknown>[]) => events.map((event) => listed(event))
export const withId = (id: string, n: number) => event(n, { id })
export const secondWebhook = { other: { id: 'whk_2', secret: otherSecret } }
export const inSecondInbox = (n: number) => event(n, { data: { ...(event(n)['data'] as object), inbox_id: 'ibx_2' } })
export const paused = event(6, {
  type: 'sending.paused',
  data: { workspace_id: 'w', status: 'paused', reason: null, paused_at: at(6), stats: null },
})
const whk = { id: 'whk_1', url: hookUrl, event_types: [], inbox_id: null }
const noBounce = { message_id: 'msg_1', recipient: 'b@x.example', status: 'delivered' }

/** Returns a page of which only the beginning arrived, with the marks of that. */
function brokenOff({ ofEntry = {}, ofResponse = {} }: { ofEntry?: object; ofResponse?: object }): Entry {
  const entry = page(5, undefined, list(e1))
  const content = { size: 20, mimeType: 'application/json', text: '{"data":[{"id":"evt_' }
  return { ...entry, ...ofEntry, response: { ...(entry['response'] as object), content, ...ofResponse } }
}

export const conformingTraffic: Record<string, readonly Entry[]> = {
  'a stream that sends a greeting and a heartbeat': [
    stream(0.5, [
      [0.5, { type: 'stream.opened', timestamp: at(0.5) }],
      [1.1, e1],
      [1.2, { type: 'heartbeat' }],
      [2.1, e2],
    ]),
    page(5, undefined, list(e1, e2)),
  ],
  'a walk, a stream and deliveries of the same events': [
    created(0),
    stream(0.5, [
      [1.1, e1],
      [2.1, e2],
      [3.1, e3],
    ]),
    delivery(1.2, e1),
    delivery(2.2, e2),
    delivery(3.2, e3),
    page(4, undefined, list(e1, e2)),
    page(5, e2['id'] as string, list(e3)),
    page(6, e3['id'] as string, []),
  ],
  'a capture that starts late and ends early': [
    page(3, e2['id'] as string, list(e3)),
    delivery(1, e1, { secret }),
    stream(2, [[3.5, e3]]),
    delivery(4.5, e4),
    delivery(5.5, e5),
  ],
  'ids that no text comparison orders': [
    page(11, undefined, list(withId('evt_9', 1), withId('evt_10', 2), withId('evt_11', 3))),
    stream(0.1, [
      [1.1, withId('evt_9', 1)],
      [2.1, withId('evt_10', 2)],
      [3.1, withId('evt_11', 3)],
    ]),
  ],
  'ids without a recognisable order': [
    page(11, undefined, list(withId('evt_k3', 1), withId('evt_a9', 2), withId('evt_z1', 3))),
    delivery(12, withId('evt_m5', 12)),
  ],
  'lateness, and an attempt under way during a delete': [
    created(0),
    delivery(1, e1, { status: 500 }),
    delivery(60, e1, { status: 500 }),
    delivery(99.95, e2, { tookMs: 4_000 }),
    call({ at: 99, method: 'DELETE', path: '/v1/webhooks/whk_1', status: 204, tookMs: 1_000 }),
    delivery(100.4, e3),
  ],
  'an unrecorded replay': [
    created(0),
    delivery(1, e1),
    delivery(9, e1),
    delivery(10, e2, { status: 500 }),
    delivery(11.5, e2),
    deliveriesList(20, [
      { id: 'd3', status: 'succeeded', attempt: 1, replay_of: 'd1' },
      { id: 'd2', status: 'succeeded', attempt: 1, replay_of: 'd0' },
      { id: 'd1', status: 'succeeded', attempt: 1 },
    ]),
  ],
  'a delivery that the HTTP library sends again by itself, since it got no answer': [
    created(0),
    delivery(1, e1, { status: 0 }),
    delivery(1.2, e1, { signedAt: 1 }),
    delivery(2, e2, { status: 0 }),
    delivery(2.2, e2, { signedAt: 2, status: 500 }),
    delivery(7.5, e2),
    deliveriesList(20, [
      { id: 'd2', status: 'succeeded', attempt: 2 },
      { id: 'd1', status: 'succeeded', attempt: 1 },
    ]),
  ],
  'a delivery that the HTTP library sends again by itself after a 408, another after a 421': [
    created(0),
    delivery(1, e1, { status: 408 }),
    delivery(1.2, e1, { signedAt: 1 }),
    delivery(2, e2, { status: 421 }),
    delivery(2.2, e2, { signedAt: 2, status: 500 }),
    delivery(7.5, e2),
    deliveriesList(20, [
      { id: 'd2', status: 'succeeded', attempt: 2 },
      { id: 'd1', status: 'succeeded', attempt: 1 },
    ]),
  ],
  'an unrecorded replay, and a list that does not show it yet': [
    created(0),
    delivery(1, e1),
    delivery(9, e1),
    deliveriesList(9.5, [{ id: 'd1', status: 'succeeded', attempt: 1 }]),
  ],
  'replays that were seen, in a list that names the event of the originals alone': [
    created(0),
    delivery(1, e1),
    call({ at: 5, method: 'POST', path: '/v1/webhooks/whk_1/deliveries/d1/replay', status: 202 }),
    delivery(5.2, e1),
    call({ at: 7, method: 'POST', path: '/v1/webhooks/whk_1/deliveries/d2/replay', status: 202 }),
    delivery(7.2, e1),
    deliveriesList(20, [
      { id: 'd3', status: 'succeeded', attempt: 1, replay_of: 'd2' },
      { id: 'd2', status: 'succeeded', attempt: 1, replay_of: 'd1' },
      { id: 'd1', event_id: 'evt_0001', status: 'succeeded', attempt: 1 },
    ]),
  ],
  'attempts too early where no list settles it': [created(0), delivery(1, e1, { status: 500 }), delivery(2, e1)],
  'a replay of a replay, by the id of either, and lists that may not show one': [
    created(0),
    delivery(1, e1),
    call({ at: 2, method: 'POST', path: '/v1/webhooks/whk_1/deliveries/d2/replay', status: 202 }),
    deliveriesList(4, [{ id: 'd1', status: 'succeeded', attempt: 1 }]),
    call({
      at: 8,
      path: '/v1/webhooks/whk_1/deliveries?status=failed',
      answer: { data: [{ id: 'd0', status: 'failed', attempt: 7 }] },
    }),
    deliveriesList(9, [
      { id: 'd3', status: 'succeeded', attempt: 1, replay_of: 'd1' },
      { id: 'd2', status: 'succeeded', attempt: 1, replay_of: 'd1' },
      { id: 'd1', status: 'succeeded', attempt: 1 },
    ]),
  ],
  'a replay that was seen': [
    created(0),
    delivery(1, e1),
    call({
      at: 5,
      method: 'POST',
      path: '/v1/webhooks/whk_1/deliveries/d1/replay',
      status: 202,
      answer: {},
      tookMs: 900,
    }),
    delivery(5.2, e1),
    deliveriesList(20, [
      { id: 'd2', status: 'succeeded', attempt: 1, replay_of: 'd1' },
      { id: 'd1', status: 'succeeded', attempt: 1 },
    ]),
  ],
  'a moved clock': [
    created(0),
    delivery(1, e1, { status: 500 }),
    delivery(1.2, e1, { signedAt: 6.1 }),
    deliveriesList(20, [{ id: 'd1', status: 'succeeded', attempt: 2 }]),
  ],
  'fields without a value': [
    created(0, { got: { event_types: null, inbox_id: undefined } }),
    stream(0.5, [[1, event(1, { type: 'message.delivered', data: noBounce })]]),
    page(
      3,
      undefined,
      list(event(1, { type: 'message.delivered', data: { ...noBounce, response: null, permanent: null, cc: null } })),
    ),
    page(4, 'evt_0001', [], { next: null }),
    deliveriesList(5, [{ id: 'd1', status: 'pending', attempt: null }]),
  ],
  'two webhooks of one url': [
    created(0),
    created(0.5, secondWebhook.other),
    delivery(1, e1),
    delivery(1.1, e1, { secret: otherSecret }),
  ],
  'a webhook with an unknown secret': [
    created(0),
    delivery(1, e1),
    delivery(1, e1, { url: 'https://hooks.customer.example/old', secret: otherSecret }),
  ],
  'keys of two orgs whose ids are the same': [
    page(5, undefined, list(e1, e2)),
    page(
      5.1,
      undefined,
      [e1, e2].map((event) => listed({ ...event, data: inSecondInbox(9)['data'] }, 'org_2')),
      { key: inboxKey },
    ),
  ],
  'a key of one inbox next to one of the org': [
    created(0, { requested: { inbox_id: null }, got: { inbox_id: 'ibx_1' }, key: inboxKey }),
    page(5, undefined, list(e1, e3), { key: inboxKey }),
    page(5.1, undefined, list(e1, inSecondInbox(2), e3)),
    stream(
      0.5,
      [
        [1.1, e1],
        [3.1, e3],
      ],
      { key: inboxKey },
    ),
  ],
  'a poll repeated with the same cursor': [
    page(5, undefined, list(e1, e2)),
    page(6, undefined, list(e1, e2, e3)),
    page(7, 'evt_0001', list(e2, e3)),
  ],
  'a delete by a key that does not see the webhook, which succeeds and deletes nothing': [
    created(0),
    call({ at: 1, method: 'DELETE', path: '/v1/webhooks/whk_1', status: 204, key: 'sk_org_another_0123456789' }),
    call({
      at: 9,
      path: '/v1/webhooks',
      answer: [{ id: 'whk_1', url: 'https://hooks.customer.example/in', event_types: [], inbox_id: null }],
    }),
  ],
  'a webhook that is listed as deleted': [
    created(0),
    call({ at: 1, path: '/v1/webhooks', answer: { data: [whk] } }),
    call({ at: 2, method: 'DELETE', path: '/v1/webhooks/whk_1', status: 204 }),
    call({ at: 9, path: '/v1/webhooks', answer: { data: [{ ...whk, deleted_at: at(2) }] } }),
  ],
  'a secret that is another after a request the interface does not know': [
    created(0),
    delivery(1, e1),
    call({
      at: 2,
      method: 'POST',
      path: '/v1/webhooks/whk_1/rotate-secret',
      answer: { id: 'whk_1', secret: otherSecret },
    }),
    delivery(3, e3, { secret: otherSecret }),
  ],
  'an empty text as inbox_id, taken as none': [created(0, { requested: { inbox_id: '' }, got: { inbox_id: null } })],
  'events that are listed no more': [
    page(5, undefined, list(e1, e2, e3)),
    page(5_000_000, undefined, list(e4, e5)),
    page(5_000_001, 'evt_0004', list(e5)),
  ],
  'event_types that make no sense, taken as missing': [
    created(0, { requested: { event_types: 42 }, got: { event_types: [] } }),
  ],
  'an answer too late by a clock that was moved': [
    created(0),
    delivery(1, e1, { tookMs: 400 }),
    delivery(1.5, e1, { signedAt: 16 }),
    deliveriesList(20, [{ id: 'd1', status: 'succeeded', attempt: 2 }]),
  ],
  'an answer that arrived when the sender had given up, and a retry that left before the delete': [
    created(0),
    delivery(3.4, e1, { signedAt: 1, tookMs: 7_800 }),
    delivery(16, e1),
    deliveriesList(20, [{ id: 'd1', status: 'succeeded', attempt: 2 }]),
    delivery(21, e2, { status: 500 }),
    call({ at: 26, method: 'DELETE', path: '/v1/webhooks/whk_1', status: 204 }),
    delivery(28, e2, { signedAt: 26 }),
  ],
  'two cursors in one request': [
    page(5, undefined, list(e1, e2, e3)),
    call({
      at: 6,
      path: '/v1/events?after=evt_0002&after=evt_0001&limit=1&limit=9',
      answer: { data: list(e2, e3), next_after: 'evt_0003' },
    }),
    stream(7, [[7.1, e2]], { after: 'evt_0002&after=evt_0001' }),
  ],
  'an event of the workspace in two of its projects, under one id': [
    stream(0.5, [[6.1, paused]]),
    stream(0.6, [[6.2, { ...paused, timestamp: at(6.002) }]], { key: inboxKey }),
  ],
  'answers that broke off, as browsers write them': [
    brokenOff({ ofEntry: { _error: 'net::ERR_CONNECTION_RESET' } }),
    brokenOff({ ofResponse: { _error: 'net::ERR_HTTP2_PROTOCOL_ERROR' } }),
    brokenOff({ ofResponse: { _failureText: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING' } }),
    brokenOff({ ofResponse: { headers: [{ name: 'content-length', value: '4096' }] } }),
  ],
  'times of a next attempt as languages write them, and none': [
    deliveriesList(
      9,
      ['2026-01-02 03:00:06.5 +0000 UTC', '2026-01-02T03:00:06Z', 1767322806, '1767322806', '', null].map(
        (next_attempt_at, index) => ({ id: `d${index}`, status: 'pending', attempt: 1, next_attempt_at }),
      ),
    ),
  ],
  'a filter of the service': [
    page(5, undefined, list(e1, e2, e3)),
    call({ at: 6, path: '/v1/events?type=message.received', answer: { data: list(e1, e3), next_after: 'evt_0003' } }),
  ],
}
