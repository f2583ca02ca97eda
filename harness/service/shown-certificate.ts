import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { bareHost } from '../wire/url.js'

/** Time in which a certificate must be shown, in milliseconds. */
const withinMs = 5_000

/**
 * Whether who connects to `host:port` and asks for `name`, which may be an address, is shown the certificate `pem`. A proxy that ends
 * TLS shows its own; of a place that cannot be connected to from here nothing is known, and the answer is no. Nothing is sent but the
 * handshake.
 */
export async function showsCertificate(
  { host, port }: { readonly host: string; readonly port: number },
  name: string,
  pem: string,
): Promise<boolean> {
  const wanted = new X509Certificate(pem).fingerprint256
  return new Promise((resolve) => {
    // It is looked at, not trusted: what is trusted here is nothing but what it is compared with.
    const named = isIP(bareHost(name)) === 0 ? { servername: name } : {}
    const socket = connect({ host, port, ...named, rejectUnauthorized: false, timeout: withinMs })
    const end = (isShown: boolean) => {
      socket.destroy()
      resolve(isShown)
    }
    socket.on('secureConnect', () => end(socket.getPeerX509Certificate()?.fingerprint256 === wanted))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
    socket.on('close', () => resolve(false))
  })
}
