/** Codes of node:tls for a certificate of an unknown authority. */
const unknownAuthority = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/
/** Codes of node:tls for other certificates that are not to be trusted. */
const badCertificate = /CERT|ALTNAME/
/** Codes of node:tls for an answer other than a TLS record. */
const noTls = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_LAYER_FAILURE)$/

/** What went wrong below HTTP, in words, and what may help; undefined where the code of an error speaks of no TLS. */
export function tlsFault(code: string): string | undefined {
  if (unknownAuthority.test(code))
    return `the certificate is not trusted (${code}): --ca, or the variable NODE_EXTRA_CA_CERTS, names a file of more authorities`
  if (isAboutTrust(code)) return `the certificate is not trusted (${code})`
  if (noTls.test(code)) return `what listens there does not speak TLS (${code}): is it an http:// address?`
  return code.startsWith('ERR_SSL_') ? `the TLS handshake failed (${code})` : undefined
}

/** Whether the code is one of node:tls for a certificate that cannot be trusted. */
export function isAboutTrust(code: string): boolean {
  return !code.startsWith('ERR_SSL_') && (unknownAuthority.test(code) || badCertificate.test(code))
}
