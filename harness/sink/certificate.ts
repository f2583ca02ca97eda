import { randomBytes, randomUUID, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'

export interface SinkCertificate {
  /** PEM of the authority to trust. */
  readonly ca: string
  readonly key: string
  readonly cert: string
}

const day = 24 * 3600 * 1000
const week = 7 * day
/** A zone whose names are never anybody's: where a control interface answers for names, they are of it. */
export const testZone = 'conformance.test'
const usualNames: readonly string[] = ['localhost', `*.${testZone}`, '127.0.0.1', '127.0.0.2', '::1']
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Why any client that validates refuses a certificate. */
export type UnfitKind = 'expired' | 'self-signed' | 'stranger'

/** The label of names to which the sink answers no handshake. */
export const silentKind = 'silent'

/** A certificate and its key, in PEM. */
export type KeyAndCertificate = Pick<SinkCertificate, 'key' | 'cert'>

interface Issued {
  readonly fit: SinkCertificate
  readonly unfit: () => Promise<Readonly<Record<UnfitKind, KeyAndCertificate>>>
}

/** A name and the keys that sign with it. */
interface Signer {
  readonly name: string
  readonly keys: webcrypto.CryptoKeyPair
}

const shared = new Map<string, Promise<Issued>>()

/**
 * Returns a certificate for loopback addresses, names under `conformance.test` and other `names`, signed by an authority of its own; one a
 * process and set of names.
 */
export async function sinkCertificate(names: readonly string[] = []): Promise<SinkCertificate> {
  return (await issuedFor(names)).fit
}

/**
 * Returns certificates that fail validation even by clients that trust the authority of {@link sinkCertificate}: an expired one of that
 * authority, a self-signed one, and one of another authority. Each is valid for one label under its kind in each zone:
 * `*.expired.conformance.test`.
 */
export async function unfitCertificates(
  names: readonly string[] = [],
): Promise<Readonly<Record<UnfitKind, KeyAndCertificate>>> {
  return (await issuedFor(names)).unfit()
}

function issuedFor(wanted: readonly string[]): Promise<Issued> {
  const names = wanted.filter((name) => !usualNames.includes(name))
  const known = shared.get(names.join(' ')) ?? issue(names)
  shared.set(names.join(' '), known)
  return known
}

async function issue(names: readonly string[]): Promise<Issued> {
  const authority = await newSigner()
  const fit = await leafOf(authority, [...usualNames, ...names])
  const zones = [`*.${testZone}`, ...names].filter((name) => name.startsWith('*.')).map((name) => name.slice(2))
  const under = (kind: UnfitKind) => zones.map((zone) => `*.${kind}.${zone}`)
  return {
    fit: { ca: await certificateOf(authority), ...fit },
    unfit: async () => ({
      expired: await leafOf(authority, under('expired'), new Date(Date.now() - day)),
      'self-signed': await leafOf(undefined, under('self-signed')),
      stranger: await leafOf(await newSigner(), under('stranger')),
    }),
  }
}

async function newSigner(): Promise<Signer> {
  return { name: `CN=Conformance sink authority ${randomUUID()}`, keys: await newKeys() }
}

/** The certificate of an authority, in PEM. */
async function certificateOf({ name, keys }: Signer): Promise<string> {
  const x509 = await import('@peculiar/x509')
  const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags
  const ca = await x509.X509CertificateGenerator.create({
    ...lifeUntil(new Date(Date.now() + 4 * week)),
    issuer: name,
    signingKey: keys.privateKey,
    signingAlgorithm: algorithm,
    serialNumber: newSerial(),
    subject: name,
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature | keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return ca.toString('pem')
}

/** A certificate for `names`, signed by the authority, or by itself. It has key identifiers: who checks by RFC 5280, as Python does from 3.13 on, refuses one without. */
async function leafOf(
  authority: Signer | undefined,
  names: readonly string[],
  until = new Date(Date.now() + 4 * week),
): Promise<KeyAndCertificate> {
  const x509 = await import('@peculiar/x509')
  const leaf = await newKeys()
  const subject = 'CN=conformance.test'
  const by = authority ?? { name: subject, keys: leaf }
  const cert = await x509.X509CertificateGenerator.create({
    ...lifeUntil(until),
    issuer: by.name,
    signingKey: by.keys.privateKey,
    signingAlgorithm: algorithm,
    serialNumber: newSerial(),
    subject,
    publicKey: leaf.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(leaf.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(by.keys.publicKey),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey)
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: cert.toString('pem') }
}

function lifeUntil(notAfter: Date): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(Date.now() - week), notAfter }
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

/** Positive, as serial numbers must be: the first bit is 0, the second 1. */
function newSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes.toString('hex')
}
