// What `harness/diagnose` and `harness/schemes` use of node:crypto, for a browser: its own cryptography answers only later.
import * as ed25519 from '@noble/ed25519'
import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from 'buffer'

const hashes = { sha1, sha256, sha384, sha512 } as const
type Algorithm = keyof typeof hashes

interface Running {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

/** A hash or an HMAC, fed part by part. */
class Digest {
  readonly #running: Running

  constructor(running: Running) {
    this.#running = running
  }

  update(part: string | Uint8Array): this {
    this.#running.update(Buffer.from(part as string))
    return this
  }

  digest(): Buffer
  digest(encoding: 'hex'): string
  digest(encoding?: 'hex'): Buffer | string {
    const bytes = Buffer.from(this.#running.digest())
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
}

export function createHash(algorithm: Algorithm): Digest {
  return new Digest(hashes[algorithm].create())
}

export function createHmac(algorithm: Algorithm, key: Uint8Array): Digest {
  return new Digest(hmac.create(hashes[algorithm], key))
}

ed25519.hashes.sha512 = sha512

/** An Ed25519 key: the seed, where it is private. */
interface Key {
  readonly seed?: Uint8Array
  readonly bytes: Uint8Array
  export(): Buffer
}

/** Bytes of an Ed25519 key, at the end of its DER. */
const keyBytes = 32
/** Bytes before them in the DER of a public key. Source: RFC 8410. */
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

function keyOf(bytes: Uint8Array, seed?: Uint8Array): Key {
  return { bytes, ...(seed === undefined ? {} : { seed }), export: () => Buffer.concat([publicHead, bytes]) }
}

/** The private key in a DER of PKCS #8. */
export function createPrivateKey({ key }: { readonly key: Uint8Array }): Key {
  const seed = key.slice(-keyBytes)
  return keyOf(ed25519.getPublicKey(seed), seed)
}

/** The public key of a private one, or of a JSON Web Key. */
export function createPublicKey(given: Key | { readonly key: { readonly x: string } }): Key {
  return 'bytes' in given ? keyOf(given.bytes) : keyOf(Buffer.from(given.key.x, 'base64url'))
}

export function sign(_: null, message: Uint8Array, { seed = new Uint8Array() }: Key): Buffer {
  return Buffer.from(ed25519.sign(message, seed))
}

export function verify(_: null, message: Uint8Array, { bytes }: Key, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, bytes)
  } catch {
    return false
  }
}

export function randomBytes(count: number): Buffer {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(count)))
}
