import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'

export interface SinkCertificate {
  /** PEM of the authority to trust. */
  readonly ca: string
  readonly key: string
  readonly cert: string
}

const week = 7 * 24 * 3600 * 1000

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

async function issue(names: readonly string[]): Promise<SinkCertificate> {
  const { generate } = await import('selfsigned')
  const notBeforeDate = new Date(Date.now() - week)
  const notAfterDate = new Date(Date.now() + 4 * week)
  const authority = await generate([{ name: 'commonName', value: `Conformance sink authority ${randomUUID()}` }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  const leaf = await generate([{ name: 'commonName', value: 'conformance.test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: '*.conformance.test' },
          ...names.map((value) => (isIP(value) === 0 ? { type: 2 as const, value } : { type: 7 as const, ip: value })),
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '127.0.0.2' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { ca: authority.cert, key: leaf.private, cert: leaf.cert }
}
