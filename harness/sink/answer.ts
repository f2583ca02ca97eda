import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How the sink answers one attempt. */
export type Answer =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
      /** An informational answer (103) goes before it. */
      readonly isAnnounced?: true
      /** The body is sent in two pieces, the second a moment after the first, which has this many bytes. */
      readonly firstBytes?: number
      /** It has no date, no reason and no length: it ends with its connection (RFC 9112, 4 and 6.3). */
      readonly isBare?: true
      /** It is of HTTP/1.0, as that of the server that comes with Python is. */
      readonly isOld?: true
    }
  /** No byte of an answer, until the sender gives up or the case answers it. */
  | { readonly kind: 'hang' }
  /** The connection ends once the request was read; with `afterMs` it is reset that many milliseconds later. */
  | { readonly kind: 'reset'; readonly afterMs?: number }
  /** Bytes other than HTTP, then the end of the connection. */
  | { readonly kind: 'garbage' }
  /** The header never ends: a byte at a time, slowly. The status is 200 by default. */
  | { readonly kind: 'slow-headers'; readonly status?: number }
  /** A status, then a body that never ends. */
  | { readonly kind: 'endless-body'; readonly status: number }
  /** A status and a length, then a body that stops half-way, with the connection open. */
  | { readonly kind: 'stalled-body'; readonly status: number }
  /** A status and a length, then a shorter body and the end of the connection. */
  | { readonly kind: 'cut-body'; readonly status: number }

/** A plain answer with a status. */
export function status(
  code: number,
  options: Omit<Extract<Answer, { kind: 'status' }>, 'kind' | 'status'> = {},
): Answer {
  return { kind: 'status', status: code, ...options }
}

/** A redirect to `location`. */
export function redirect(location: string, code = 302): Answer {
  return status(code, { headers: { location } })
}

const dripMs = 200
/** Time between two pieces of a body, so that they are read one by one, in milliseconds. */
const pieceMs = 20
const chunk = Buffer.alloc(4_096, 'x')
/** Even an endless body ends after this many bytes, so that a sender that reads all of it harms no other case. */
const endlessBytes = 256 * 1024 * 1024

/** Writes `answer`; returns what stops it. */
export function writeAnswer(response: ServerResponse, answer: Answer): () => void {
  const socket = response.socket
  switch (answer.kind) {
    case 'status': {
      // None to HTTP/1.0, which knows no informational answer (RFC 9110, 15.2).
      if (answer.isAnnounced === true && response.req.httpVersion !== '1.0')
        response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      if (answer.isBare === true) {
        Object.assign(response, { sendDate: false, shouldKeepAlive: false, useChunkedEncodingByDefault: false })
        response.writeHead(answer.status, '', answer.headers)
      } else if (answer.isOld === true) {
        Object.assign(response, { shouldKeepAlive: false, useChunkedEncodingByDefault: false })
        response.writeHead(answer.status, answer.headers)
        // Node writes no other version, so the buffered header is changed.
        const head: unknown = Reflect.get(response, '_header')
        if (typeof head === 'string') Reflect.set(response, '_header', head.replace('HTTP/1.1', 'HTTP/1.0'))
      } else response.writeHead(answer.status, answer.headers)
      if (answer.firstBytes === undefined) {
        response.end(answer.body)
        return () => {}
      }
      const body = Buffer.from(answer.body ?? '')
      response.write(body.subarray(0, answer.firstBytes))
      const timer = setTimeout(() => response.end(body.subarray(answer.firstBytes)), pieceMs)
      return () => clearTimeout(timer)
    }
    case 'garbage':
      socket?.end('220 mail.example ready\r\n\r\n')
      return () => socket?.destroy()
    case 'hang':
      return () => socket?.destroy()
    case 'reset': {
      if (answer.afterMs === undefined) {
        socket?.destroy()
        return () => {}
      }
      const timer = setTimeout(() => reset(socket), answer.afterMs)
      return () => clearTimeout(timer)
    }
    case 'slow-headers': {
      socket?.write(`HTTP/1.1 ${answer.status ?? 200} Slow\r\nx-slow: `)
      const timer = setInterval(() => socket?.write('x'), dripMs)
      socket?.once('close', () => clearInterval(timer))
      return () => socket?.destroy()
    }
    case 'endless-body': {
      response.writeHead(answer.status, { connection: 'close', 'content-type': 'text/plain' })
      let sent = 0
      const pump = () => {
        while (!response.destroyed && sent < endlessBytes) {
          sent += chunk.length
          if (!response.write(chunk)) return
        }
      }
      response.on('drain', pump)
      pump()
      return () => socket?.destroy()
    }
    case 'stalled-body':
      response.writeHead(answer.status, { connection: 'close', 'content-length': '1000' })
      response.write('x')
      return () => socket?.destroy()
    case 'cut-body':
      response.writeHead(answer.status, { connection: 'close', 'content-length': '1000' })
      response.write('x', () => socket?.end())
      return () => socket?.destroy()
  }
}

/** Resets a connection; one of TLS is only destroyed, which no client takes for its proper end. */
function reset(socket: Socket | null): void {
  if (socket === null || 'encrypted' in socket) socket?.destroy()
  else socket.resetAndDestroy()
}
