import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request, as the server received it. */
interface SeenRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** How one request is answered. `stall` and `cut` write half a body, and then nothing, or a reset. */
export type Reply =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
      /** The answer waits for it. */
      readonly after?: Promise<unknown>
    }
  | { readonly status: number; readonly end: 'stall' | 'cut' }
  | 'reset'
  | 'hang'

export interface ScriptedServer {
  readonly url: string
  readonly requests: SeenRequest[]
  /** The first request from now on gets the first reply, and so on; the last one stays. */
  replies(...replies: readonly Reply[]): void
  /** Called with the count of all requests as soon as one is complete, before it is answered. */
  onRequest: ((count: number) => void) | undefined
  close(): Promise<void>
}

/** An API on 127.0.0.1 that answers by script. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  let script: Reply[] = []
  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
    const { method = '', url: path = '' } = request
    const headers = request.headers as SeenRequest['headers']
    requests.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
    scripted.onRequest?.(requests.length)
    const reply = (script.length > 1 ? script.shift() : script[0]) ?? { status: 200, body: {} }
    if (typeof reply === 'object' && 'after' in reply) await reply.after
    write(response, reply)
  }

  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    replies: (...replies) => {
      script = [...replies]
    },
    onRequest: undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return scripted
}

function write(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if ('end' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"id":', () => {
      if (reply.end === 'cut') response.socket?.resetAndDestroy()
    })
    return
  }
  const { status, headers, body } = reply
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))
}
