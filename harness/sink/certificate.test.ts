import { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { describe, expect, it } from 'vitest'
import { sinkCertificate } from './certificate.js'

describe('the certificate of the sink', () => {
  it('is signed by its authority, and names loopback and the requested names', async () => {
    const { ca, cert } = await sinkCertificate(['hooks.example', '10.1.2.3'])
    const leaf = new X509Certificate(cert)
    expect(leaf.verify(new X509Certificate(ca).publicKey)).toBe(true)
    for (const name of ['localhost', 'one.conformance.test', 'hooks.example'])
      expect(leaf.checkHost(name), name).toBeDefined()
    for (const address of ['127.0.0.1', '127.0.0.2', '::1', '10.1.2.3'])
      expect(leaf.checkIP(address), address).toBe(address)
  })

  // RFC 5280, 4.2.1.1 and 4.2.1.2: Python from 3.13 on (VERIFY_X509_STRICT) makes no delivery to a certificate without them.
  it('has the key identifiers that strict clients require', async () => {
    const made = await sinkCertificate()
    const [ca, cert] = [new x509.X509Certificate(made.ca), new x509.X509Certificate(made.cert)]
    const own = (certificate: x509.X509Certificate) =>
      certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId
    const signer = (certificate: x509.X509Certificate) =>
      certificate.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId
    expect(own(ca)).toMatch(/^[0-9a-f]{40}$/)
    expect(own(cert)).toMatch(/^[0-9a-f]{40}$/)
    expect(own(cert)).not.toBe(own(ca))
    expect([signer(ca), signer(cert)]).toEqual([own(ca), own(ca)])
    expect(ca.getExtension(x509.BasicConstraintsExtension)).toMatchObject({ ca: true, critical: true })
    expect(cert.getExtension(x509.BasicConstraintsExtension)).toMatchObject({ ca: false, critical: true })
  })
})
