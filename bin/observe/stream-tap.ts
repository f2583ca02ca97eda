import { connect as connectTcp } from 'node:net'
import type { IncomingMessage } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createInflateRaw, type InflateRaw } from 'node:zlib'
import * as ws from 'ws'
import { pairsOf } from './upstream.js'

/** The reader of frames that ws itself uses; its types leave it out. */
type Receiver = Writable
const { Receiver } = ws as unknown as { readonly Receiver: new (options: object) => Receiver }

/** What is told of one connection to the stream. */
export interface StreamListener {
  readonly onOpen: () => void
  readonly onFrame: (data: Uint8Array, isText: boolean) => void
  readonly onEnd: () => void
}

const headEnd = '\r\n\r\n'
const largestHead = 64 * 1024
const largestFrame = 4 * 1024 * 1024

/** Passes an upgrade on, and every byte after it in both directions; reads the service's frames beside. */
export function passStream(
  { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  { url, target }: { readonly url: URL; readonly target: string },
  listener: StreamListener,
): void {
  const isSecure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const to = { host, port: Number(url.port || (isSecure ? 443 : 80)) }
  const service = isSecure ? connectTls({ ...to, servername: host }) : connectTcp(to)
  service.setNoDelay(true)
  let isReached = false
  service.once(isSecure ? 'secureConnect' : 'connect', () => (isReached = true))
  service.on('error', (error: NodeJS.ErrnoException) => {
    if (isReached) socket.destroy()
    else socket.end(badGateway(`${url.host} cannot be reached: ${error.code ?? error.message}`))
  })
  socket.on('error', () => service.destroy())
  socket.on('close', () => service.destroy())
  service.on('close', () => isReached && socket.destroy())
  const lines = pairsOf(request.rawHeaders)
    .filter(([name]) => name.toLowerCase() !== 'host')
    .map(([name, value]) => `${name}: ${value}`)
  service.write(`GET ${target} HTTP/1.1\r\n${[`Host: ${url.host}`, ...lines].join('\r\n')}${headEnd}`)
  service.write(head)
  const tap = new FrameTap(listener)
  service.on('data', (chunk: Buffer) => tap.take(chunk))
  service.on('close', () => tap.end())
  service.pipe(socket)
  socket.pipe(service)
}

function badGateway(reason: string): string {
  const body = JSON.stringify({
    code: 'bad_gateway',
    message: `conformance observe: ${reason}`,
    fix: 'Start the other side, or correct its address.',
  })
  const head = [
    'HTTP/1.1 502 Bad Gateway',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${[...head, 'connection: close'].join('\r\n')}${headEnd}${body}`
}

/** Reads the frames of a service out of the bytes that pass. Whatever it cannot read it leaves alone. */
class FrameTap {
  readonly #listener: StreamListener
  #head = Buffer.alloc(0)
  #receiver: Receiver | undefined
  #isEnded = false

  constructor(listener: StreamListener) {
    this.#listener = listener
  }

  /** Takes what passes. A mistake here ends the reading of this connection, and nothing else. */
  take(chunk: Buffer): void {
    if (this.#isEnded) return
    try {
      this.#read(chunk)
    } catch {
      this.end()
    }
  }

  #read(chunk: Buffer): void {
    if (this.#receiver !== undefined) {
      this.#receiver.write(chunk)
      return
    }
    this.#head = Buffer.concat([this.#head, chunk])
    const end = this.#head.indexOf(headEnd)
    if (end === -1) {
      if (this.#head.length > largestHead) this.#isEnded = true
      return
    }
    const text = this.#head.toString('latin1', 0, end)
    if (!/^HTTP\/1\.1 101/.test(text)) {
      this.#isEnded = true
      return
    }
    this.#receiver = this.#open(/^sec-websocket-extensions:(.*)$/im.exec(text)?.[1] ?? '')
    this.#listener.onOpen()
    const rest = this.#head.subarray(end + headEnd.length)
    if (rest.length > 0) this.#receiver.write(rest)
  }

  /** Told once every frame that came whole was read. */
  end(): void {
    this.#isEnded = true
    const receiver = this.#receiver
    receiver?.end(() => receiver.destroy())
  }

  #open(extensions: string): Receiver {
    const isDeflated = extensions.includes('permessage-deflate')
    const inflate = isDeflated ? new Inflate(/server_no_context_takeover/.test(extensions)) : undefined
    const receiver = new Receiver({
      isServer: false,
      maxPayload: largestFrame,
      ...(inflate === undefined ? {} : { extensions: { 'permessage-deflate': inflate } }),
    })
    receiver.on('message', (data: Buffer, isBinary: boolean) => this.#listener.onFrame(new Uint8Array(data), !isBinary))
    // A frame that breaks the protocol ends the reading of this connection, and nothing else.
    receiver.on('error', () => (this.#isEnded = true))
    receiver.once('close', () => this.#listener.onEnd())
    return receiver
  }
}

/** What ends the data of a compressed message (RFC 7692, 7.2.2). */
const messageTail = Buffer.from([0x00, 0x00, 0xff, 0xff])

/** Inflates messages; the window lives on from one to the next unless that was ruled out. */
class Inflate {
  readonly #isForgetful: boolean
  #inflate: InflateRaw | undefined

  constructor(isForgetful: boolean) {
    this.#isForgetful = isForgetful
  }

  decompress(data: Buffer, isLast: boolean, done: (error: Error | null, result?: Buffer) => void): void {
    const inflate = (this.#inflate ??= createInflateRaw())
    const chunks: Buffer[] = []
    let length = 0
    const collect = (chunk: Buffer) => {
      length += chunk.length
      if (length <= largestFrame) chunks.push(chunk)
      else inflate.destroy(new Error('a frame is too long to be judged'))
    }
    const fail = (error: Error) => done(error)
    inflate.on('data', collect)
    inflate.once('error', fail)
    inflate.write(data)
    if (isLast) inflate.write(messageTail)
    inflate.flush(() => {
      inflate.off('data', collect)
      inflate.off('error', fail)
      if (isLast && this.#isForgetful) this.#inflate = undefined
      done(null, Buffer.concat(chunks))
    })
  }
}
