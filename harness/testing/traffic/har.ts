// Records a conversation with a service as a browser or a proxy would: for the tests of observed traffic.
import { sign } from '../../wire/signing.js'

export const host = 'https://api.mail.example'
export const hookUrl = 'https://hooks.customer.example/in'
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const key = 'sk_org_0123456789abcdef'

/** When the conversation begins. */
const start = Date.UTC(2026, 0, 2, 3, 0, 0)

export type Entry = Record<string, unknown>

/** The time `seconds` after the beginning. */
export function at(seconds: number): string {
  return new Date(start + seconds * 1_000).toISOString()
}

/** An event as a delivery carries it. */
export function event(n: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `evt_${String(n).padStart(4, '0')}`,
    type: 'message.received',
    timestamp: at(n),
    data: {
      message_id: `msg_${n}`,
      inbox_id: 'ibx_1',
      thread_id: `thr_${n}`,
      from: 'ada@x.example',
      subject: `S ${n}`,
    },
    ...changes,
  }
}

/** The same as the list shows it. */
export function listed(pushed: Record<string, unknown>, orgId = 'org_1'): Record<string, unknown> {
  const { timestamp, ...rest } = pushed
  return { ...rest, org_id: orgId, created_at: timestamp }
}

export interface Call {
  readonly at: number
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly status?: number
  readonly answer?: unknown
  readonly key?: string
  readonly tookMs?: number
}

/** One request to the API and its answer. */
export function call(of: Call): Entry {
  const { method = 'GET', path, body, status = 200, answer, tookMs = 20 } = of
  const text = answer === undefined ? '' : JSON.stringify(answer)
  return {
    startedDateTime: at(of.at),
    time: tookMs,
    request: {
      method,
      url: `${host}${path}`,
      headers: [{ name: 'Authorization', value: `Bearer ${of.key ?? key}` }],
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
      bodySize: -1,
    },
    response: { status, headers: [], content: { size: text.length, mimeType: 'application/json', text } },
  }
}

/** A page of events. */
export function page(
  when: number,
  after: string | undefined,
  events: readonly Record<string, unknown>[],
  more: Partial<Call> & { next?: unknown } = {},
): Entry {
  const last = events.at(-1)?.['id']
  const next = 'next' in more ? more.next : (last ?? after ?? '')
  const { next: _next, ...rest } = more
  return call({
    at: when,
    path: `/v1/events${after === undefined ? '' : `?after=${after}`}`,
    answer: { data: events, next_after: next },
    ...rest,
  })
}

/** The answer that makes a webhook. */
export function created(
  when: number,
  more: {
    id?: string
    secret?: string
    requested?: Record<string, unknown>
    got?: Record<string, unknown>
    key?: string
  } = {},
): Entry {
  const url = hookUrl
  return call({
    at: when,
    method: 'POST',
    path: '/v1/webhooks',
    body: { url, ...more.requested },
    status: 201,
    answer: {
      id: more.id ?? 'whk_1',
      url,
      event_types: [],
      inbox_id: null,
      secret: more.secret ?? secret,
      ...more.requested,
      ...more.got,
    },
    ...(more.key === undefined ? {} : { key: more.key }),
  })
}

/** A delivery attempt and its answer. */
export function delivery(
  when: number,
  of: Record<string, unknown>,
  more: {
    status?: number
    secret?: string
    url?: string
    signature?: string
    id?: string
    signedAt?: number
    tookMs?: number
    headers?: Readonly<Record<string, string>>
  } = {},
): Entry {
  const body = JSON.stringify(of)
  const id = more.id ?? String(of['id'])
  const timestamp = Math.floor((start + (more.signedAt ?? when) * 1_000) / 1_000)
  const signature = more.signature ?? sign(more.secret ?? secret, { id, timestamp, body })
  return {
    startedDateTime: at(when),
    time: more.tookMs ?? 30,
    request: {
      method: 'POST',
      url: more.url ?? hookUrl,
      headers: [
        { name: 'webhook-id', value: id },
        { name: 'webhook-timestamp', value: String(timestamp) },
        { name: 'webhook-signature', value: signature },
        ...Object.entries(more.headers ?? {}).map(([name, value]) => ({ name, value })),
      ],
      postData: { mimeType: 'application/json', text: body },
      bodySize: Buffer.byteLength(body),
    },
    response: { status: more.status ?? 200, headers: [], content: { size: 0, text: '' } },
  }
}

/** Returns a connection to the stream and its frames, each with the second of its arrival. */
export function stream(
  when: number,
  frames: readonly (readonly [number, unknown])[],
  more: { after?: string; key?: string } = {},
): Entry {
  const after = more.after === undefined ? '' : `&after=${more.after}`
  return {
    startedDateTime: at(when),
    time: 10,
    _resourceType: 'websocket',
    request: {
      method: 'GET',
      url: `${host.replace('https', 'wss')}/v1/events/ws?token=${more.key ?? key}${after}`,
      headers: [],
      bodySize: 0,
    },
    response: { status: 101, headers: [], content: { size: 0 } },
    _webSocketMessages: frames.map(([second, frame]) => ({
      type: 'receive',
      time: (start + second * 1_000) / 1_000,
      opcode: 1,
      data: typeof frame === 'string' ? frame : JSON.stringify(frame),
    })),
  }
}

export function deliveriesList(when: number, items: readonly Record<string, unknown>[], id = 'whk_1'): Entry {
  return call({ at: when, path: `/v1/webhooks/${id}/deliveries`, answer: { data: items } })
}

/** The HAR document of these entries. */
export function har(entries: readonly Entry[]): unknown {
  return { log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }
}
