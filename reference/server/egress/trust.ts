import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * Returns whether a server's certificate is one of `authorities`, or was issued by one of them, is in date, and names `host`. OpenSSL uses
 * the first authority with the right subject and ignores the others, so of two test authorities with the same subject (each run makes one
 * of its own) it knows only one; this checks all of them.
 */
export function isTrusted(
  socket: TLSSocket,
  options: { host: string; authorities: readonly X509Certificate[] },
): boolean {
  const { host, authorities } = options
  const peer = socket.getPeerX509Certificate()
  if (peer === undefined) return false
  const now = Date.now()
  if (now < Date.parse(peer.validFrom) || now > Date.parse(peer.validTo)) return false
  const named = isIP(host) === 0 ? peer.checkHost(host) : peer.checkIP(host)
  if (named === undefined) return false
  return authorities.some(
    (authority) =>
      authority.raw.equals(peer.raw) ||
      (authority.ca && peer.checkIssued(authority) && peer.verify(authority.publicKey)),
  )
}
