import { createPrivateKey, createPublicKey, randomBytes, type KeyObject } from 'node:crypto'
import type { SchemeData } from '../../fixtures/index.js'

/** The bytes before the 32 of an Ed25519 key in DER. Source: RFC 8410. */
const der = {
  seed: Buffer.from('302e020100300506032b657004220420', 'hex'),
  public: Buffer.from('302a300506032b6570032100', 'hex'),
} as const
const ed25519Bytes = 32

/** A secret that holds no key of the scheme. The message never shows the secret. */
export class SecretProblem extends Error {
  override readonly name = 'SecretProblem'
}

/** The bytes that a secret stands for. */
export function secretBytes({ key: { form, prefix = '' } }: Pick<SchemeData, 'key'>, secret: string): Buffer {
  const bare = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  return form === 'text' ? Buffer.from(secret) : Buffer.from(bare, form)
}

/** Throws {@link SecretProblem} unless the secret has the form that the scheme gives out. */
export function checkSecret({ key: { form, prefix = '' }, algorithm, title }: SchemeData, secret: string): void {
  const bare = secret.startsWith(prefix) ? secret.slice(prefix.length) : undefined
  const wrapped = /^[\s'"]|[\s'"]$/.test(secret) ? ', and blanks or quotes are around it' : ''
  const fail = (expected: string): never => {
    throw new SecretProblem(`expected ${expected}${wrapped}; give it as ${title} gives it out`)
  }
  if (secret === '' || wrapped !== '') fail('a secret without blanks or quotes around it')
  if (form === 'text') return
  const pattern = form === 'hex' ? /^(?:[0-9a-f]{2})+$/i : /^[A-Za-z0-9+/]+={0,2}$/
  const encoded = form === 'hex' ? 'hexadecimal digits' : 'base64'
  if (bare === undefined || !pattern.test(bare)) fail(prefix === '' ? encoded : `${prefix} followed by ${encoded}`)
  if (algorithm === 'ed25519' && Buffer.from(bare ?? '', form).length !== ed25519Bytes)
    fail(`the private seed of an Ed25519 key: ${ed25519Bytes} bytes, as ${encoded}`)
}

/** A fresh secret in the form of the scheme. `bytes` is ignored for Ed25519, whose seeds have 32. */
export function freshSecret(
  { key: { form, prefix = '' }, algorithm }: Pick<SchemeData, 'key' | 'algorithm'>,
  bytes = 24,
): string {
  const random = randomBytes(algorithm === 'ed25519' ? ed25519Bytes : bytes)
  return prefix + random.toString(form === 'base64' ? 'base64' : 'hex')
}

/** The private key of an Ed25519 seed. */
export function privateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([der.seed, seed]), format: 'der', type: 'pkcs8' })
}

/** The 32 bytes of the public key of an Ed25519 seed. */
export function publicBytes(seed: Uint8Array): Buffer {
  return createPublicKey(privateKey(seed)).export({ format: 'der', type: 'spki' }).subarray(der.public.length)
}
