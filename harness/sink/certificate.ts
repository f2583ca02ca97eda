import { generateKeyPair, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { certificateOf, type CertificateFields, type KeyPair } from './x509.js'

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

type Signer = CertificateFields['issuer']

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
    fit: { ca: authorityOf(authority), ...fit },
    unfit: async () => ({
      expired: await leafOf(authority, under('expired'), new Date(Date.now() - day)),
      'self-signed': await leafOf(undefined, under('self-signed')),
      stranger: await leafOf(await newSigner(), under('stranger')),
    }),
  }
}

async function newSigner(): Promise<Signer> {
  return { name: `Conformance sink authority ${randomUUID()}`, keys: await newKeys() }
}

/** The certificate of an authority, in PEM. */
function authorityOf(signer: Signer): string {
  const { name: subject, keys } = signer
  return certificateOf({ subject, publicKey: keys.publicKey, issuer: signer, ...lifeUntil(inFourWeeks()) })
}

/** A certificate for `names`, signed by the authority, or by itself. */
async function leafOf(
  authority: Signer | undefined,
  names: readonly string[],
  until = inFourWeeks(),
): Promise<KeyAndCertificate> {
  const { privateKey, publicKey } = await newKeys()
  const subject = 'conformance.test'
  const issuer = authority ?? { name: subject, keys: { privateKey, publicKey } }
  const cert = certificateOf({ subject, publicKey, issuer, names, ...lifeUntil(until) })
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}

const inFourWeeks = () => new Date(Date.now() + 4 * week)

function lifeUntil(notAfter: Date): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(Date.now() - week), notAfter }
}

function newKeys(): Promise<KeyPair> {
  return promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
}
