// The misbehaviours of a hostile or broken peer. Each writes to the raw socket, so that no library repairs it.
import type { Socket } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** One request that is to be answered badly. */
export interface RequestToMishandle {
  readonly socket: Socket
  readonly method: string
  readonly path: string
  /** Names and values, unchanged. */
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export type Behaviour = (provocation: RequestToMishandle) => void

const json = 'content-type: application/json\r\n'
const ok = 'HTTP/1.1 200 OK\r\n'
const bad = 'HTTP/1.1 400 Bad Request\r\n'
const block = 'x'.repeat(16_384)
/** Bytes that an endless peer sends at most, so that a reader that never stops is found and the test ends anyway. */
const endlessBytes = 2 * 1024 ** 3
const dripMs = 40

/** Writes `piece` again and again, as fast as it is read. */
export function pour(socket: Socket, piece: string | Uint8Array): void {
  let sent = 0
  const more = () => {
    while (!socket.destroyed && sent < endlessBytes) {
      sent += piece.length
      if (!socket.write(piece)) return
    }
  }
  socket.on('drain', more)
  more()
}

function drip(socket: Socket, text: string): void {
  let index = 0
  const timer = setInterval(() => socket.write(text.charAt(index++ % text.length)), dripMs)
  socket.once('close', () => clearInterval(timer))
}

function whole(socket: Socket, head: string, body: string | Uint8Array): void {
  socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`)
  socket.end(body)
}

let gzipBomb: Buffer | undefined
let brotliBomb: Buffer | undefined
const bombBytes = 256 * 1024 * 1024

/** Text that a terminal, a page, a build log or a spreadsheet would obey. */
export const injections = [
  '\u001b]0;owned\u0007\u001b[2J\u001b[31m',
  '\u009b31m\u202eowned',
  '\n::error title=owned::owned\n##[error]owned\n##vso[task.complete result=Succeeded;]owned\n',
  '\r\n::stop-commands::owned\r\n::set-output name=a::owned',
  '<script>owned()</script><img src=x onerror=owned()>',
  '"><svg onload=owned()>]]></failure><!--',
  '\n1..0\nok 1 - owned\nBail out! owned',
  '\n| owned | [owned](javascript:owned()) |\n</details>\n\n# owned',
  '\u2028owned\u2029\u0085\ud800\u0000',
].join(' ')

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** Every way to answer a request badly, by name. */
export const behaviours = {
  'endless-body': ({ socket }) => {
    socket.write(`${ok}${json}\r\n[`)
    pour(socket, `"${block}",`)
  },
  'endless-chunks': ({ socket }) => {
    socket.write(`${ok}${json}transfer-encoding: chunked\r\n\r\n`)
    pour(socket, `${block.length.toString(16)}\r\n${block}\r\n`)
  },
  'endless-headers': ({ socket }) => {
    socket.write(ok)
    pour(socket, `x-more: ${block}\r\n`)
  },
  'endless-informational': ({ socket }) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(200)),
  'endless-trailers': ({ socket }) => {
    socket.write(`${ok}${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`)
    pour(socket, `x-more: ${block}\r\n`)
  },
  'drip-head': ({ socket }) => {
    socket.write(ok)
    drip(socket, 'x-slow: aaaa\r\n')
  },
  'drip-body': ({ socket }) => {
    socket.write(`${ok}${json}content-length: 100000\r\n\r\n`)
    drip(socket, ' ')
  },
  'gzip-bomb': ({ socket }) => {
    gzipBomb ??= gzipSync(Buffer.alloc(bombBytes, ' '))
    whole(socket, `${ok}${json}content-encoding: gzip\r\n`, gzipBomb)
  },
  'brotli-bomb': ({ socket }) => {
    brotliBomb ??= brotliCompressSync(Buffer.alloc(bombBytes, ' '), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
    })
    whole(socket, `${ok}${json}content-encoding: br\r\n`, brotliBomb)
  },
  'broken-gzip': ({ socket }) => whole(socket, `${ok}${json}content-encoding: gzip\r\n`, 'no gzip at all'),
  'length-too-long': ({ socket }) => socket.end(`${ok}${json}content-length: 5000\r\n\r\n{"data":[]}`),
  'length-too-short': ({ socket }) => socket.end(`${ok}${json}content-length: 3\r\n\r\n{"data":[]}`),
  'length-negative': ({ socket }) => socket.end(`${ok}${json}content-length: -1\r\n\r\n{"data":[]}`),
  'two-lengths': ({ socket }) => socket.end(`${ok}${json}content-length: 11\r\ncontent-length: 5\r\n\r\n{"data":[]}`),
  'length-and-chunks': ({ socket }) =>
    socket.end(`${ok}${json}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\nb\r\n{"data":[]}\r\n0\r\n\r\n`),
  'bad-chunk': ({ socket }) => socket.end(`${ok}${json}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  'answer-twice': ({ socket }) => {
    const one = `${ok}${json}content-length: 11\r\n\r\n{"data":[]}`
    socket.write(one + one.repeat(50))
  },
  'invalid-utf8': ({ socket }) => whole(socket, `${ok}${json}`, Buffer.from('{"data":["\xff\xfe\xc0"]}', 'latin1')),
  'big-json': ({ socket }) => {
    const item = { id: 'evt_0001', type: 'message.received', org_id: 'o', created_at: 'x', data: { subject: 'y' } }
    const body = JSON.stringify({ data: Array.from({ length: 100_000 }, () => item), next_after: 'evt_0001' })
    whole(socket, `${ok}${json}`, body)
  },
  /** As many values as are read of one body, each of which takes more than its text. */
  'many-values': ({ socket }) =>
    whole(socket, `${ok}${json}`, `{"id":"whk_1","secret":"whsec_eA==","data":[${'[],'.repeat(140_000)}0]}`),
  'long-ids': ({ socket }) => {
    const long = 'x'.repeat(3_000_000)
    whole(
      socket,
      `HTTP/1.1 201 Created\r\n${json}`,
      `{"id":"whk_${long}","secret":"whsec_eA==","data":[{"id":"${long}"}]}`,
    )
  },
  'empty-object': ({ socket }) => whole(socket, `${ok}${json}`, '{}'),
  'empty-list': ({ socket }) => whole(socket, `${ok}${json}`, '{"data":[]}'),
  'deep-json': ({ socket }) => whole(socket, `${ok}${json}`, deep),
  'deep-fields': ({ socket }) =>
    whole(
      socket,
      `HTTP/1.1 201 Created\r\n${json}`,
      `{"id":${deep},"secret":${deep},"url":${deep},"data":${deep},"next_after":${deep},"code":${deep},"error":{"code":${deep}}}`,
    ),
  'deep-error': ({ socket }) => whole(socket, `${bad}${json}`, `{"code":${deep},"message":${deep},"fix":${deep}}`),
  'prototype-keys': ({ socket }) =>
    whole(
      socket,
      `${ok}${json}__proto__: owned\r\nconstructor: owned\r\ntoString: owned\r\n`,
      '{"__proto__":{"owned":true},"constructor":{"prototype":{"owned":true}},"toString":1,"hasOwnProperty":1,"data":[{"__proto__":{"owned":true},"id":"__proto__","type":"constructor","data":{"__proto__":{"owned":true}}}],"next_after":"__proto__","id":"__proto__","secret":"__proto__"}',
    ),
  injections: ({ socket }) => {
    const text = JSON.stringify(injections)
    const header = injections.replace(/[^\x20-\x7e]/g, '')
    whole(
      socket,
      `HTTP/1.1 418 ${header}\r\n${json}x-owned: ${header}\r\n`,
      `{"code":${text},"message":${text},"fix":${text},"id":${text},"secret":${text},"data":[{"id":${text},"type":${text}}],"next_after":${text},${text}:1}`,
    )
  },
  'reset-at-once': ({ socket }) => socket.resetAndDestroy(),
  'reset-in-head': ({ socket }) => socket.write('HTTP/1.1 20', () => socket.resetAndDestroy()),
  'reset-in-body': ({ socket }) =>
    socket.write(`${ok}${json}content-length: 100\r\n\r\n{"data":`, () => socket.resetAndDestroy()),
  'close-at-once': ({ socket }) => socket.destroy(),
  silent: () => {},
  'not-http': ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'status-000': ({ socket }) => whole(socket, `HTTP/1.1 000 Nothing\r\n${json}`, '{}'),
  'status-999': ({ socket }) => whole(socket, `HTTP/1.1 999 Much\r\n${json}`, '{}'),
  'status-101': ({ socket }) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
  'redirect-to-itself': ({ socket, path }) =>
    whole(socket, `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${path}\r\n`, ''),
  'retry-after-short': ({ socket }) => whole(socket, `HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\n`, '{}'),
  'retry-after-long': ({ socket }) => whole(socket, `HTTP/1.1 429 Too Many Requests\r\nretry-after: 110\r\n`, '{}'),
  'retry-after-huge': ({ socket }) =>
    whole(socket, `HTTP/1.1 429 Too Many Requests\r\nretry-after: ${'9'.repeat(400)}\r\n`, '{}'),
  'always-500': ({ socket }) => whole(socket, `HTTP/1.1 500 Internal Server Error\r\n${json}`, '{}'),
  'always-401': ({ socket }) =>
    whole(socket, `HTTP/1.1 401 Unauthorized\r\n${json}`, '{"code":"unauthorized","message":"No.","fix":"Ask."}'),
  /** Echoes the whole request, as a debugging page does. */
  echo: ({ socket, method, path, rawHeaders, body }) => {
    const lines = rawHeaders.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\n`)).join('')
    whole(
      socket,
      `HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain\r\nx-echo: ${rawHeaders.join(' ').replace(/[^\x20-\x7e]/g, '')}\r\n`,
      `${method} ${path}\n${lines}\n${body}`,
    )
  },
} as const satisfies Readonly<Record<string, Behaviour>>

export type BehaviourName = keyof typeof behaviours

/** Answers with a webhook whose secret is in JSON as PHP and .NET write it. */
export function created(secret: string): Behaviour {
  const escaped = secret.replaceAll('/', '\\/').replaceAll('+', '\\u002B')
  const body = `{"id":"whk_1","secret":"${escaped}","url":7,"note":"${secret}"}`
  return ({ socket }) => whole(socket, `HTTP/1.1 201 Created\r\n${json}`, body)
}
