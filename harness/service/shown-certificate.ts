import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { bareHost } from '../wire/url.js'

/** Time in which a certificate must be shown, in milliseconds. */
const withinMs = 5_000

/**
 * Resolves to whether `host:port` shows the certificate `pem` for `name`, which may be an address. A proxy that ends TLS shows its own;
 * false also if this machine cannot connect. Sends nothing but the handshake.
 */
export async function showsCertificate(
  { host, port }: { readonly host: string; readonly port: number },
  name: string,
  pem: string,
): Promise<boolean> {
  const wanted = new X509Certificate(pem).fingerprint256
  return new Promise((resolve) => {
    // The certificate is compared, not trusted: only an equal one counts.
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
