import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { TLSSocket, type SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { isTrusted } from './trust.js'

/** The certificate of the consumer is not one that is trusted, or names another host. */
class UntrustedCertificate extends Error {
  override readonly name = 'UntrustedCertificate'
  readonly code: string

  constructor(code: string) {
    super(`certificate refused (${code})`)
    this.code = code
  }
}

/** A session of a connection that was accepted, and how long its certificate is in date. */
interface KeptSession {
  readonly session: Buffer
  readonly untilMs: number
}

/**
 * Connects to one checked address as one host, and accepts a TLS connection only with a certificate that is trusted for that host. A
 * session is kept only of accepted connections, and offered only here, while their certificate is in date: a resumed connection shows none,
 * so the certificate seen at the beginning of the session counts for it.
 */
export function checkedConnector(options: {
  readonly address: string
  /** Without brackets and final dot. */
  readonly host: string
  readonly timeoutMs: number
  readonly secureContext: SecureContext
  readonly authorities: () => readonly X509Certificate[]
}): buildConnector.connector {
  const { address, host, timeoutMs, secureContext, authorities } = options
  let kept: KeptSession | undefined

  function refusalOf(socket: TLSSocket): Error | undefined {
    if (socket.authorized || isTrusted(socket, { host, authorities: authorities() })) return undefined
    return new UntrustedCertificate(String(socket.authorizationError))
  }

  function keepSessions(socket: TLSSocket, untilMs: number): void {
    const keep = (session: Buffer): void => {
      kept = { session, untilMs }
    }
    socket.on('session', keep)
    // Before TLS 1.3 the session came with the handshake; there is no ticket to wait for.
    const session = socket.getProtocol() === 'TLSv1.3' ? undefined : socket.getSession()
    if (session !== undefined) keep(session)
  }

  return function connect(request, callback) {
    if (kept !== undefined && !(Date.now() < kept.untilMs)) kept = undefined
    const offered = kept
    const connectOnce = buildConnector({
      secureContext,
      autoSelectFamily: false,
      timeout: timeoutMs,
      // Whether the certificate will do is decided below.
      rejectUnauthorized: false,
      maxCachedSessions: 0,
      ...(offered !== undefined && { session: offered.session }),
    })
    const named = { ...request, hostname: address, ...(isIP(host) === 0 && { servername: host }) }
    connectOnce(named, (error, socket) => {
      if (error !== null) {
        if (offered !== undefined) kept = undefined
        return callback(error, null)
      }
      if (!(socket instanceof TLSSocket)) return callback(null, socket)
      if (offered !== undefined && socket.isSessionReused()) {
        keepSessions(socket, offered.untilMs)
        return callback(null, socket)
      }
      const refusal = refusalOf(socket)
      if (refusal !== undefined) {
        kept = undefined
        socket.destroy()
        return callback(refusal, null)
      }
      keepSessions(socket, Date.parse(socket.getPeerX509Certificate()?.validTo ?? ''))
      return callback(null, socket)
    })
  }
}
