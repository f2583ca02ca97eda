// How answers, frames and deliveries are written by stacks other than ours, and how strictly requests are read.
import type { ServerVariant } from './server-variant.js'

/** JSON as other libraries write it: members sorted, indented, all but ASCII and every slash escaped, counts as decimals. */
const writes = `ownState.writtenOtherwise ??= (value) => {
  const sorted = (each) =>
    Array.isArray(each)
      ? each.map(sorted)
      : each !== null && typeof each === 'object'
        ? Object.fromEntries(Object.keys(each).sort().map((name) => [name, sorted(each[name])]))
        : each
  return JSON.stringify(sorted(value), null, 4)
    .replace(/[\\u007f-\\uffff]/g, (sign) => '\\\\u' + sign.charCodeAt(0).toString(16).padStart(4, '0'))
    .replaceAll('/', '\\\\/')
    .replace(/"(attempt|response_code|index)": (\\d+)/g, '"$1": $2.0') + '\\n'
};`

export const serverFormats: readonly ServerVariant[] = [
  {
    id: 'server/writes-json-otherwise',
    title: 'JSON has sorted members, blanks and escapes; answers are chunked, with headers of gateways',
    openPoints: ['extra-fields'],
    policy: {
      deliveryContentType: 'application/json;charset=UTF-8',
      extraHeaders: {
        accept: '*/*',
        'accept-encoding': 'gzip, deflate, br',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        via: '1.1 envoy',
        'x-baggage': 'x'.repeat(6_000),
      },
    },
    patch: [
      {
        file: 'server/api/http.ts',
        find: 'return new Response(JSON.stringify(body), { status, headers: jsonHeaders })',
        replace: `${writes} return inChunks(status, ownState.writtenOtherwise(body))`,
      },
      {
        file: 'server/api/http.ts',
        find: 'return new Response(json, { status, headers: jsonHeaders })',
        replace: `${writes} return inChunks(status, ownState.writtenOtherwise(JSON.parse(json)))`,
      },
      {
        file: 'server/api/http.ts',
        find: "const utf8 = new TextDecoder('utf-8', { fatal: true })",
        replace: `const utf8 = new TextDecoder('utf-8', { fatal: true })
        let answered = 0
        function inChunks(status, text) {
          const bytes = new TextEncoder().encode(text)
          const body = new ReadableStream({
            start(chunks) {
              chunks.enqueue(bytes.slice(0, 7))
              chunks.enqueue(bytes.slice(7))
              chunks.close()
            },
          })
          const headers = {
            'Content-Type': (status < 400 ? 'application/json' : 'application/problem+json') + '; charset=utf-8',
            'X-RateLimit-Remaining': '0',
            'Retry-After': '120',
            'Set-Cookie': 'a=b',
            ETag: 'W/"1"',
            ...(++answered % 3 === 0 && { Connection: 'close' }),
          }
          return new Response(body, { status, headers })
        }`,
      },
      {
        file: 'server/api/http.ts',
        find: "response.headers.set('www-authenticate', 'Bearer')",
        replace: '{}',
      },
      {
        file: 'server/policy/members.ts',
        find: "return text + '}'",
        replace: `${writes} return ownState.writtenOtherwise(JSON.parse(text + '}'))`,
      },
    ],
  },
  {
    id: 'server/insists-on-plain-requests',
    title: 'unknown fields, queries and headers, odd content types and a missing user agent are refused',
    openPoints: ['wrong-types', 'batch-validation'],
    policy: { credentialOf: (authorization) => /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] },
    patch: [
      {
        file: 'server/api/app.ts',
        find: "const key = authenticate(services, c.req.header('authorization'))",
        replace: `const key = authenticate(services, c.req.header('authorization'))
        const refuse = (status, what) => {
          throw new ApiError({ status, code: 'odd_request', message: what + ' is not taken.', fix: 'Send less.' })
        }
        const [type, length] = ['content-type', 'content-length'].map((name) => c.req.header(name))
        const isSent = (length !== undefined && length !== '0') || c.req.header('transfer-encoding') !== undefined
        if (!c.req.header('user-agent')) refuse(403, 'a request without a user agent')
        if (!/json|[*]\\/[*]/.test(c.req.header('accept') ?? '*/*')) refuse(406, 'this accept')
        if (isSent && !/^application\\/json/.test(type ?? '')) refuse(415, 'this type')
        if (!isSent && type !== undefined) refuse(400, 'a type without a body')
        if (isSent && ['GET', 'DELETE'].includes(c.req.method)) refuse(400, 'a body')
        if (c.req.header('x-batch-validation')) refuse(400, 'this header')
        const known = { '/webhooks': ['limit', 'cursor'], '/events': ['limit', 'after'], '/emails': ['limit', 'cursor'] }
        const queries = known[path] ?? (path.endsWith('/deliveries') ? ['limit'] : [])
        if (Object.keys(c.req.query()).some((name) => !queries.includes(name))) refuse(400, 'this query')`,
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: "const url = fields['url']",
        replace: `const odd = Object.keys(fields).find((name) => !['url', 'event_types', 'inbox_id'].includes(name))
        if (odd !== undefined) throw invalidRequest(odd + ' is no field of a webhook.', 'Leave it out.')
        const url = fields['url']`,
      },
      {
        file: 'server/api/email-input.ts',
        find: "const from = text(fields, 'from')",
        replace: `const shown = ['from', 'to', 'subject', 'html', 'text', 'scheduled_at']
        const odd = Object.keys(fields).find((name) => !shown.includes(name))
        if (odd !== undefined) throw invalidRequest(odd + ' is no field of an email.', 'Leave it out.')
        const from = text(fields, 'from')`,
      },
    ],
  },
  {
    id: 'server/frames-in-pieces',
    title: 'sends compressed frames in small pieces, between unsolicited pings and pongs',
    openPoints: ['other-frames'],
    policy: {},
    patch: [
      { file: 'server/stream.ts', find: 'perMessageDeflate: false', replace: 'perMessageDeflate: { threshold: 0 }' },
      {
        file: 'server/stream.ts',
        find: 'client.socket.send(frame, { binary: false })',
        replace: `for (let at = 0; at < frame.length; at += 127)
          client.socket.send(frame.subarray(at, at + 127), { binary: false, fin: at + 127 >= frame.length })`,
      },
      {
        file: 'server/stream.ts',
        find: 'clients.add(client)',
        replace: `clients.add(client)
        const pinging = setInterval(() => { socket.ping('are you there'); socket.pong('I am') }, 50).unref()
        socket.on('close', () => clearInterval(pinging))`,
      },
    ],
  },
  {
    id: 'server/strangers-are-told-and-cut-off',
    title: 'opens a stream without a valid key, sends the reason, and drops it',
    openPoints: ['stream-refusal', 'other-frames'],
    policy: { streamRefusal: 'close-after-upgrade' },
    patch: [
      {
        file: 'server/stream.ts',
        find: "opened.close(4401, 'unauthorized')",
        replace: `setTimeout(() => {
          opened.send('{"type":"error","code":"unauthorized","message":"no key","fix":"send one"}')
          setTimeout(() => opened.terminate(), 20)
        }, 500)`,
      },
    ],
  },
  {
    id: 'server/limits-in-all-forms',
    title: 'limits a key to 30 requests a second, with various forms of 429',
    openPoints: ['limits-and-quotas'],
    policy: {},
    patch: [
      {
        file: 'server/api/app.ts',
        find: "c.set('key', key)",
        replace: `c.set('key', key)
        const now = Date.now()
        const bucket = (ownState.bucketOfKey ??= new Map()).get(key.id) ?? { level: 0, at: now }
        bucket.level = Math.max(0, bucket.level - (now - bucket.at) * 0.03)
        bucket.at = now
        ownState.bucketOfKey.set(key.id, bucket)
        if (bucket.level > 30) {
          const ways = [
            { 'retry-after': '1' },
            { 'retry-after': new Date(now + 1_000).toUTCString() },
            { 'x-ratelimit-reset': String(Math.ceil(now / 1_000) + 1) },
            { 'retry-after': '0' },
            {},
          ]
          ownState.toldToWait = (ownState.toldToWait ?? 0) + 1
          const headers = { 'content-type': 'application/json', ...ways[ownState.toldToWait % ways.length] }
          return new Response('{"error":"Too Many Requests"}', { status: 429, headers })
        }
        bucket.level++`,
      },
    ],
  },
]
