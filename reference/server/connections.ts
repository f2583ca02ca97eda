import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorRecord, Policy } from './policy.js'

/** Concurrent connections, streams included; more are closed at once. */
const maxConnections = 4096

/** Time for the head of a request, and for the whole of it. */
const headersTimeoutMs = 15_000
const requestTimeoutMs = 60_000

/** Bounds the resources of one client, and answers non-HTTP with the interface's error fields. */
export function boundConnections(server: Server, policy: Policy): void {
  server.maxConnections = maxConnections
  server.headersTimeout = headersTimeoutMs
  server.requestTimeout = requestTimeoutMs
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable) answerRaw(socket, { reason: reasons[error.code ?? ''] ?? malformed, policy })
    else socket.destroy()
  })
}

/** Writes an error as a whole HTTP answer, and ends the connection: for sockets that no request handler has. */
export function answerRaw(
  socket: Duplex,
  { reason, policy }: { reason: ErrorRecord & { readonly phrase: string }; policy: Pick<Policy, 'errorBody'> },
): void {
  const { phrase, ...error } = reason
  const body = JSON.stringify(policy.errorBody(error))
  socket.end(
    `HTTP/1.1 ${error.status} ${phrase}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const malformed = {
  status: 400,
  phrase: 'Bad Request',
  code: 'malformed_request',
  message: 'The request is not HTTP.',
  fix: 'Send a well-formed HTTP/1.1 request.',
}

const reasons: Readonly<Record<string, typeof malformed>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    code: 'headers_too_large',
    message: 'The head of the request is too large.',
    fix: 'Send at most 16 KB of request line and headers.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    code: 'request_timeout',
    message: 'The request did not arrive in time.',
    fix: `Send the whole request within ${requestTimeoutMs / 1000} seconds.`,
  },
}
