// Certificates in DER (RFC 5280, X.690), as far as the sink needs them. A library for all of X.509 loads 190 files, a seventh of the start of
// a run.
import { createHash, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'

/** Both on P-256. */
export interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export interface CertificateFields {
  readonly publicKey: KeyObject
  /** A common name. */
  readonly subject: string
  /** Who signs: its common name, and its keys. */
  readonly issuer: { readonly name: string; readonly keys: KeyPair }
  readonly notBefore: Date
  /** Before 2050. */
  readonly notAfter: Date
  /** DNS names and IP addresses of a server; an authority has none. */
  readonly names?: readonly string[]
}

/**
 * Returns a signed certificate, in PEM. It has key identifiers: a client that checks by RFC 5280, as Python does from 3.13 on, refuses one
 * without.
 */
export function certificateOf(fields: CertificateFields): string {
  const { publicKey, subject, issuer, notBefore, notAfter, names } = fields
  const content = sequence(
    der(0xa0, der(tags.integer, Buffer.of(2))),
    der(tags.integer, newSerial()),
    sequence(ids.ecdsaWithSha256),
    distinguished(issuer.name),
    sequence(utcTime(notBefore), utcTime(notAfter)),
    distinguished(subject),
    spkiOf(publicKey),
    der(
      0xa3,
      sequence(
        ...(names === undefined ? authorityExtensions : serverExtensions(names)),
        extension(ids.subjectKeyIdentifier, der(tags.octets, keyIdOf(publicKey))),
        extension(ids.authorityKeyIdentifier, sequence(der(0x80, keyIdOf(issuer.keys.publicKey)))),
      ),
    ),
  )
  const signature = sign('sha256', content, issuer.keys.privateKey)
  const certificate = sequence(content, sequence(ids.ecdsaWithSha256), bitString(0, signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const tags = { boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, id: 0x06, utf8: 0x0c, time: 0x17 } as const

/** Returns a value with its tag and its length, which must be below 65,536. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const id = (hex: string) => der(tags.id, Buffer.from(hex, 'hex'))
const bitString = (unusedBits: number, bytes: Uint8Array) => der(tags.bits, Buffer.of(unusedBits), bytes)
const isTrue = der(tags.boolean, Buffer.of(0xff))

const ids = {
  commonName: id('550403'),
  subjectKeyIdentifier: id('551d0e'),
  keyUsage: id('551d0f'),
  subjectAlternativeName: id('551d11'),
  basicConstraints: id('551d13'),
  authorityKeyIdentifier: id('551d23'),
  extendedKeyUsage: id('551d25'),
  serverAuthentication: id('2b06010505070301'),
  ecdsaWithSha256: id('2a8648ce3d040302'),
} as const

const extension = (name: Buffer, value: Uint8Array) => sequence(name, der(tags.octets, value))
const criticalExtension = (name: Buffer, value: Uint8Array) => sequence(name, isTrue, der(tags.octets, value))

/** It signs digitally, and signs certificates and revocation lists. */
const authorityExtensions = [
  criticalExtension(ids.basicConstraints, sequence(isTrue)),
  criticalExtension(ids.keyUsage, bitString(1, Buffer.of(0b1000_0110))),
]

/** It signs digitally. */
const serverExtensions = (names: readonly string[]) => [
  criticalExtension(ids.basicConstraints, sequence()),
  criticalExtension(ids.keyUsage, bitString(7, Buffer.of(0b1000_0000))),
  extension(ids.extendedKeyUsage, sequence(ids.serverAuthentication)),
  extension(ids.subjectAlternativeName, sequence(...names.map(alternativeName))),
]

const alternativeName = (name: string) =>
  isIP(name) === 0 ? der(0x82, Buffer.from(name, 'latin1')) : der(0x87, addressBytes(name))

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // A URL has the one form of an address in which nothing but `::` is cut short.
  const [start = '', end = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [start, end].map((part) => part.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ]
  const zeros = Array<string>(8 - first.length - last.length).fill('0')
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const distinguished = (name: string) =>
  sequence(der(0x31, sequence(ids.commonName, der(tags.utf8, Buffer.from(name, 'utf8')))))

/** `YYMMDDhhmmssZ`. */
const utcTime = (date: Date) => der(tags.time, Buffer.from(`${date.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))

const spkiOf = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

/** The SHA-1 of the point of a key, which is the end of its SPKI. */
const keyIdOf = (key: KeyObject) => createHash('sha1').update(spkiOf(key).subarray(-65)).digest()

/** Positive, as serial numbers must be: the first bit is 0, the second 1. */
function newSerial(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes
}
