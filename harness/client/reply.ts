import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** How the scripted server answers one request of the client. */
export type Reply =
  | {
      readonly kind: 'json'
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** These bytes, whatever the content type. */
  | {
      readonly kind: 'text'
      readonly status: number
      readonly body: string
      readonly contentType: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** JSON in a coding that the request accepts. */
  | { readonly kind: 'coded'; readonly status: number; readonly body: unknown; readonly coding: 'gzip' | 'br' }
  /** A status and nothing else. */
  | { readonly kind: 'empty'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is reset before an answer. */
  | { readonly kind: 'reset' }
  /** The connection is closed in good order, without an answer. */
  | { readonly kind: 'close' }
  /** Bytes other than HTTP, then the end of the connection. */
  | { readonly kind: 'garbage' }
  /** JSON in pieces of a few bytes each, which cut characters. */
  | { readonly kind: 'pieces'; readonly status: number; readonly body: unknown }
  /** JSON byte by byte, `everyMs` milliseconds apart. */
  | { readonly kind: 'drip'; readonly status: number; readonly body: unknown; readonly everyMs: number }
  /** A status and half a body, then a reset. */
  | { readonly kind: 'reset-in-body'; readonly status: number }
  /** A status and half of the text, then the connection is closed in good order. */
  | { readonly kind: 'close-in-body'; readonly status: number; readonly body: string; readonly contentType: string }
  /** The answer is sent once `until` is over. */
  | { readonly kind: 'held'; readonly until: Promise<unknown>; readonly reply: Reply }
  /** No answer at all. */
  | { readonly kind: 'hang' }
  /** A status and half a body, then nothing. */
  | { readonly kind: 'stall-in-body'; readonly status: number }

/** A JSON answer. */
export function json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): Reply {
  return { kind: 'json', status, body, ...(headers === undefined ? {} : { headers }) }
}

/** An error of the interface: `{ code, message, fix }`. */
export function refusal(
  status: number,
  code: string,
  headers?: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  return json(
    status,
    { code, message: `The request was refused: ${code}.`, fix: `Mend ${code} and try again.`, ...more },
    headers,
  )
}

/** Writes `reply`. */
export function writeReply(response: ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case 'json':
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      response.end(JSON.stringify(reply.body))
      return
    case 'text':
      response.writeHead(reply.status, { 'content-type': reply.contentType, ...reply.headers })
      response.end(reply.body)
      return
    case 'coded': {
      const body = (reply.coding === 'gzip' ? gzipSync : brotliCompressSync)(JSON.stringify(reply.body))
      response.writeHead(reply.status, {
        'content-type': 'application/json',
        'content-encoding': reply.coding,
        'content-length': body.length,
      })
      response.end(body)
      return
    }
    case 'empty':
      response.writeHead(reply.status, reply.headers)
      response.end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'close':
      response.socket?.end()
      return
    case 'garbage':
      response.socket?.end('220 mail.example ready\r\n\r\n')
      return
    case 'pieces':
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      void writePieces(response, Buffer.from(JSON.stringify(reply.body)), { bytes: pieceBytes, everyMs: pieceMs })
      return
    case 'drip':
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      void writePieces(response, Buffer.from(JSON.stringify(reply.body)), { bytes: 1, everyMs: reply.everyMs })
      return
    case 'reset-in-body':
      response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"id":', () => response.socket?.resetAndDestroy())
      return
    case 'close-in-body': {
      const whole = Buffer.from(reply.body)
      response.writeHead(reply.status, { 'content-type': reply.contentType, 'content-length': whole.length })
      response.write(whole.subarray(0, Math.ceil(whole.length / 2)), () => response.socket?.end())
      return
    }
    case 'held':
      void reply.until.then(() => writeReply(response, reply.reply))
      return
    case 'hang':
      return
    case 'stall-in-body':
      response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"id":')
  }
}

/** Bytes of a piece, a number that divides the length of no character, and the time between two of them in milliseconds. */
const pieceBytes = 7
const pieceMs = 5

async function writePieces(
  response: ServerResponse,
  whole: Buffer,
  piece: { readonly bytes: number; readonly everyMs: number },
): Promise<void> {
  for (let at = 0; at < whole.length && !response.destroyed; at += piece.bytes) {
    response.write(whole.subarray(at, at + piece.bytes))
    await new Promise((resolve) => setTimeout(resolve, piece.everyMs))
  }
  response.end()
}
