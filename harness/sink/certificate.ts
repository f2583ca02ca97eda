import { randomBytes, randomUUID, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'

export interface SinkCertificate {
  /** PEM of the authority to trust. */
  readonly ca: string
  readonly key: string
  readonly cert: string
}

const week = 7 * 24 * 3600 * 1000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

const shared = new Map<string, Promise<SinkCertificate>>()

/**
 * A certificate for loopback addresses, names under `conformance.test` and further `names`, signed by an authority of
 * its own; one a process and set of names.
 */
export function sinkCertificate(names: readonly string[] = []): Promise<SinkCertificate> {
  const known = shared.get(names.join(' ')) ?? issue(names)
  shared.set(names.join(' '), known)
  return known
}

/** Both certificates have key identifiers: who checks by RFC 5280, as Python does from 3.13 on, refuses one without. */
async function issue(names: readonly string[]): Promise<SinkCertificate> {
  const x509 = await import('@peculiar/x509')
  const [authority, leaf] = await Promise.all([newKeys(), newKeys()])
  const name = `CN=Conformance sink authority ${randomUUID()}`
  const life = { notBefore: new Date(Date.now() - week), notAfter: new Date(Date.now() + 4 * week) }
  const signed = { ...life, issuer: name, signingKey: authority.privateKey, signingAlgorithm: algorithm }
  const authorityKeyId = await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey)
  const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags
  const ca = await x509.X509CertificateGenerator.create({
    ...signed,
    serialNumber: newSerial(),
    subject: name,
    publicKey: authority.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
      authorityKeyId,
    ],
  })
  const cert = await x509.X509CertificateGenerator.create({
    ...signed,
    serialNumber: newSerial(),
    subject: 'CN=conformance.test',
    publicKey: leaf.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(leaf.publicKey),
      authorityKeyId,
      new x509.SubjectAlternativeNameExtension(
        ['localhost', '*.conformance.test', ...names, '127.0.0.1', '127.0.0.2', '::1'].map((value) => ({
          type: isIP(value) === 0 ? 'dns' : 'ip',
          value,
        })),
      ),
    ],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey)
  return { ca: ca.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: cert.toString('pem') }
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
