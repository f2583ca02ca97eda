// One attempt: a signed POST over TLS to an address that was checked.
import { createHmac } from 'node:crypto'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { assertLoopback, portOf } from './egress.js'

export interface Outcome {
  /** Absent if no answer arrived. */
  readonly code?: number
  readonly snippet?: string
}

export interface Letter {
  readonly url: URL
  readonly address: string
  readonly authorities: readonly string[]
  readonly eventId: string
  readonly secret: string
  readonly signedAt: number
  readonly body: string
}

const snippetCharacters = 500
/** Enough for 500 characters of any width. */
const maxBytes = 2_000
/** How long the body of an answer is listened to once its status is there, in milliseconds. */
const bodyMs = 1_000

/** Sends; `timeOut` ends it without an answer. Never rejects. */
export function send(letter: Letter): { readonly outcome: Promise<Outcome>; readonly timeOut: () => void } {
  let finish: (outcome: Outcome) => void = () => {}
  let cut = () => {}
  const outcome = new Promise<Outcome>((resolve) => {
    finish = resolve
  }).finally(() => cut())
  try {
    cut = post(letter, finish)
  } catch {
    finish({})
  }
  return { outcome, timeOut: () => finish({}) }
}

function post(letter: Letter, finish: (outcome: Outcome) => void): () => void {
  const { url, address, authorities, body } = letter
  assertLoopback(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const outgoing = request({
    host: address,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    agent: false,
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    ...(authorities.length === 0 ? {} : { ca: [...authorities] }),
    headers: { Host: url.host, ...signed(letter), 'Content-Length': Buffer.byteLength(body) },
  })
  outgoing.on('error', () => finish({}))
  outgoing.on('close', () => finish({}))
  outgoing.on('response', (response) => {
    const code = response.statusCode ?? 0
    const pieces: Buffer[] = []
    let size = 0
    const conclude = () => finish({ code, snippet: snippetOf(Buffer.concat(pieces)) })
    const timer = setTimeout(conclude, bodyMs)
    response.on('data', (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > maxBytes) conclude()
    })
    response.on('error', conclude)
    response.on('close', () => {
      clearTimeout(timer)
      conclude()
    })
  })
  outgoing.end(body)
  return () => outgoing.destroy()
}

function signed({ eventId, secret, signedAt, body }: Letter): Record<string, string> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(`${eventId}.${signedAt}.${body}`).digest('base64')
  return {
    'Webhook-Id': eventId,
    'Webhook-Timestamp': String(signedAt),
    'Webhook-Signature': `v2,${mac.slice(0, 12)} v1,${mac}`,
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'independent/1',
  }
}

function snippetOf(bytes: Buffer): string {
  return [...bytes.toString('utf8')].slice(0, snippetCharacters).join('')
}
