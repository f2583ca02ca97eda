import { startReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../index.js'
import { sinkAuthority, startSink, type Sink, type SinkOptions } from './sink.js'

export interface Json {
  readonly [name: string]: unknown
}

export interface Answered {
  readonly status: number
  readonly body: Json
  readonly text: string
}

/** A running server with one client for its API and one for its control interface. */
export interface TestServer extends ReferenceServer {
  api(method: string, path: string, options?: CallOptions): Promise<Answered>
  control(method: string, path: string, body?: unknown): Promise<Answered>
  /** Raises `message.received` in the first inbox; the event's id. */
  raise(data?: Json, type?: string): Promise<string>
  advance(byMs: number): Promise<Date>
  createWebhook(url: string, fields?: Json): Promise<Json>
  deliveries(webhookId: unknown): Promise<Json[]>
}

export interface CallOptions {
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

type Closing = { close(): Promise<void> }

/** Starts servers and sinks, and closes them all. */
export function testBench() {
  const opened: Closing[] = []
  return {
    async server(options: ReferenceServerOptions = {}): Promise<TestServer> {
      const server = clientOf(await startReferenceServer({ control: true, ...options }))
      opened.push(server)
      return server
    },
    async sink(options: SinkOptions = {}): Promise<Sink> {
      const sink = await startSink(options)
      opened.push(sink)
      return sink
    },
    /** A server that may deliver to a sink. */
    async pair(options: ReferenceServerOptions = {}): Promise<{ server: TestServer; sink: Sink }> {
      const [server, sink] = await Promise.all([this.server(options), this.sink()])
      await server.control('POST', '/egress', { allow: [sink.pair], ca: await sinkAuthority() })
      return { server, sink }
    },
    async closeAll(): Promise<void> {
      for (const item of opened.splice(0)) await item.close()
    },
  }
}

function clientOf(server: ReferenceServer): TestServer {
  const client: TestServer = {
    ...server,
    api: (method, path, options = {}) => call(server.url + path, method, { key: server.apiKey, ...options }),
    control: (method, path, body) =>
      call((server.controlUrl ?? '') + path, method, { key: server.controlKey ?? null, body }),
    async raise(data = {}, type = 'message.received') {
      const { id, address } = server.inboxes[0] ?? { id: '', address: '' }
      const full = { message_id: 'msg_1', inbox_id: id, thread_id: 'thr_1', from: address, subject: 'Hello', ...data }
      const raised = await client.control('POST', '/events', { org_id: server.orgId, type, data: full })
      if (raised.status !== 201) throw new Error(`raise answered ${raised.status} ${raised.text}`)
      return String(raised.body['id'])
    },
    async advance(byMs) {
      const path = `/workspaces/${server.workspaceId}/clock`
      const answered = await client.control('POST', path, { advance_ms: byMs })
      if (answered.status !== 200) throw new Error(`advance answered ${answered.status} ${answered.text}`)
      return new Date(String(answered.body['now']))
    },
    async createWebhook(url, fields = {}) {
      const created = await client.api('POST', '/v1/webhooks', { body: { url, ...fields } })
      if (created.status !== 201) throw new Error(`create answered ${created.status} ${created.text}`)
      return created.body
    },
    async deliveries(webhookId) {
      const listed = await client.api('GET', `/v1/webhooks/${String(webhookId)}/deliveries`)
      return listed.body['data'] as Json[]
    },
  }
  return client
}

async function call(url: string, method: string, options: CallOptions): Promise<Answered> {
  const { key, body, headers } = options
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? (JSON.parse(text) as Json) : {} }
}
