import { createPrivateKey, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { describe, expect, it } from 'vitest'
import { sinkCertificate, unfitCertificates } from './certificate.js'

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

  it('is for a server, and its authority for certificates, for some weeks from last week on', async () => {
    const made = await sinkCertificate()
    const [ca, cert] = [new x509.X509Certificate(made.ca), new x509.X509Certificate(made.cert)]
    const { digitalSignature, keyCertSign, cRLSign } = x509.KeyUsageFlags
    const usages = (certificate: x509.X509Certificate) => certificate.getExtension(x509.KeyUsagesExtension)
    expect(usages(ca)).toMatchObject({ usages: digitalSignature | keyCertSign | cRLSign, critical: true })
    expect(usages(cert)).toMatchObject({ usages: digitalSignature, critical: true })
    expect(cert.getExtension(x509.ExtendedKeyUsageExtension)?.usages).toEqual([x509.ExtendedKeyUsage.serverAuth])
    expect([cert.subject, cert.issuer]).toEqual(['CN=conformance.test', ca.subject])
    expect(cert.serialNumber).toMatch(/^[4-7][0-9a-f]{31}$/)
    expect(cert.serialNumber).not.toBe(ca.serialNumber)
    const now = new Date()
    for (const { notBefore, notAfter } of [ca, cert]) {
      expect(notBefore.getTime()).toBeLessThan(now.getTime() - 6 * 24 * 3_600_000)
      expect(notAfter.getTime()).toBeGreaterThan(now.getTime() + 20 * 24 * 3_600_000)
    }
  })

  it('names addresses of every form, and a hundred names', async () => {
    const addresses = [
      '255.0.10.1',
      '::',
      '2001:db8::1:0:0:1',
      '::ffff:10.1.2.3',
      'FE80:0:0:0:0:0:0:0',
      '1:2:3:4:5:6:7:8',
    ]
    const many = Array.from({ length: 100 }, (_, index) => `name-${index}.example`)
    const { cert } = await sinkCertificate([...addresses, ...many])
    const leaf = new X509Certificate(cert)
    for (const address of addresses) expect(leaf.checkIP(address), address).toBeDefined()
    for (const name of many) expect(leaf.checkHost(name), name).toBeDefined()
    expect(new x509.X509Certificate(cert).getExtension(x509.SubjectAlternativeNameExtension)?.names.items).toHaveLength(
      many.length + addresses.length + 5,
    )
  })

  it('has unfit ones next to it: expired, self-signed, and of another authority', async () => {
    const { ca } = await sinkCertificate()
    const unfit = await unfitCertificates()
    const { publicKey } = new X509Certificate(ca)
    const [expired, selfSigned, stranger] = (['expired', 'self-signed', 'stranger'] as const).map((kind) => {
      const certificate = new X509Certificate(unfit[kind].cert)
      expect(certificate.checkHost(`h1.${kind}.conformance.test`)).toBeDefined()
      expect(certificate.checkPrivateKey(createPrivateKey(unfit[kind].key))).toBe(true)
      return certificate
    })
    expect([expired, selfSigned, stranger].map((certificate) => certificate?.verify(publicKey))).toEqual([
      true,
      false,
      false,
    ])
    expect(Date.parse(expired?.validTo ?? '')).toBeLessThan(Date.now())
    expect(selfSigned?.verify(selfSigned.publicKey)).toBe(true)
    expect(stranger?.verify(stranger.publicKey)).toBe(false)
  })
})
