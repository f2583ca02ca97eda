import type { IncomingMessage } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { createInflateRaw, type InflateRaw } from 'node:zlib'
import * as ws from 'ws'

/** The reader of frames that ws itself uses; its types leave it out. */
type Receiver = Writable
const { Receiver } = ws as unknown as { readonly Receiver: new (options: object) => Receiver }

/** Callbacks for one connection to the stream. */
export interface StreamListener {
  readonly onFrame: (data: Uint8Array, isText: boolean) => void
  readonly onEnd: () => void
}

const largestFrame = 4 * 1024 * 1024

/**
 * Reads the frames that a service sends on an upgraded connection, while they pass to the client. Resolves when the connection has ended
 * and every complete frame was reported, since inflating takes time.
 */
export function tapFrames(answer: IncomingMessage, service: Duplex, listener: StreamListener): Promise<void> {
  return new Promise((resolve) => {
    const onEnd = () => {
      listener.onEnd()
      resolve()
    }
    const tap = new FrameTap({ ...listener, onEnd }, answer.headers['sec-websocket-extensions'] ?? '')
    service.on('data', (chunk: Buffer) => tap.take(chunk))
    service.once('close', () => tap.end())
  })
}

/** Reads the frames of a service out of the bytes that pass. Whatever it cannot read it leaves alone. */
class FrameTap {
  readonly #listener: StreamListener
  readonly #receiver: Receiver
  #isEnded = false

  constructor(listener: StreamListener, extensions: string) {
    this.#listener = listener
    this.#receiver = this.#open(extensions)
  }

  /** Reads the bytes that pass. A mistake here ends the reading of this connection, and nothing else. */
  take(chunk: Buffer): void {
    if (this.#isEnded) return
    try {
      this.#receiver.write(chunk)
    } catch {
      this.end()
    }
  }

  /** Called once every whole frame was read. */
  end(): void {
    this.#isEnded = true
    this.#receiver.end(() => this.#receiver.destroy())
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
    let isOver = false
    const collect = (chunk: Buffer) => {
      length += chunk.length
      if (length <= largestFrame) chunks.push(chunk)
      else end(new Error('a frame is too long to be judged'))
    }
    const end = (error: Error | null) => {
      if (isOver) return
      isOver = true
      inflate.off('data', collect)
      if (error !== null) inflate.on('error', () => {}).destroy()
      inflate.off('error', end)
      if (isLast && this.#isForgetful) this.#inflate = undefined
      done(error, error === null ? Buffer.concat(chunks) : undefined)
    }
    inflate.on('data', collect)
    inflate.once('error', end)
    inflate.write(data)
    if (isLast) inflate.write(messageTail)
    inflate.flush(() => end(null))
  }
}
