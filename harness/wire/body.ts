// Reading the body of an answer whose length and coding a stranger chose.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib'

/** Longest body that is judged, in bytes, after decoding. */
const maxBytes = 4 * 1024 * 1024
/** The kept part of a longer one: its start, in bytes. */
const startBytes = 64 * 1024
/** A body that goes on beyond this many bytes has no end. */
const endlessBytes = 32 * 1024 * 1024

/** The body is unusable: it has no end, or its coding is broken. */
export class UnusableBody extends Error {
  override readonly name = 'UnusableBody'
}

/** The body is longer than the checks handle: the interface sets no limit, so this is not a fault. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong'
}

type Decode = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>

/** Content codings: a service may compress a body without a request for it (RFC 9110, 12.5.3). */
const decoders: ReadonlyMap<string, Decode> = new Map([
  ['gzip', promisify(gunzip) as Decode],
  ['x-gzip', promisify(gunzip) as Decode],
  ['deflate', promisify(inflate) as Decode],
  ['br', promisify(brotliDecompress) as Decode],
])

/** The body of one answer as it arrives: no more of it is kept than is judged. */
export class BodyReader {
  readonly #kept: Uint8Array[] = []
  #length = 0

  /** Takes the next piece; returns whether it may go on. */
  take(chunk: Uint8Array): boolean {
    this.#length += chunk.length
    if (this.#length <= maxBytes) this.#kept.push(chunk)
    else if (this.#kept.length > 1) this.#forgetButTheStart()
    return this.#length <= endlessBytes
  }

  #forgetButTheStart(): void {
    const start = Buffer.from(Buffer.concat(this.#kept).subarray(0, startBytes))
    this.#kept.splice(0, this.#kept.length, start)
  }

  /** The error once {@link take} returned false. */
  get endless(): UnusableBody {
    return new UnusableBody(`a body of more than ${endlessBytes} bytes`)
  }

  /** Returns the kept bytes undecoded: enough for an answer whose status decides. */
  start(): Uint8Array {
    return Buffer.concat(this.#kept)
  }

  /**
   * The whole body without its `content-encoding`. Throws, or rejects with, {@link UnusableBody} for one that cannot be
   * decoded, and {@link BodyTooLong} for one that is too long to be judged.
   */
  whole(encoding: string | undefined): Uint8Array | Promise<Uint8Array> {
    if (this.#length > maxBytes) throw tooLong(`${this.#length}`)
    const [only] = this.#kept
    const body = this.#kept.length === 1 && only !== undefined ? only : Buffer.concat(this.#kept)
    const decode = encoding === undefined ? undefined : decoders.get(encoding.trim().toLowerCase())
    return decode === undefined || body.length === 0 ? body : decoded(body, decode, encoding ?? '')
  }
}

async function decoded(body: Uint8Array, decode: Decode, encoding: string): Promise<Uint8Array> {
  try {
    return await decode(body, { maxOutputLength: maxBytes })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(`more than ${maxBytes}`)
    throw new UnusableBody(`a body that is not ${encoding} as its content-encoding claims (${code})`)
  }
}

function tooLong(bytes: string): BodyTooLong {
  return new BodyTooLong(`an answer of ${bytes} bytes is not judged: ${maxBytes} are read at most`)
}
