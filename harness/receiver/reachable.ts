import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { CaseErrored } from '../check.js'
import { tlsOf, type Access } from '../wire/access.js'
import { connectionWords } from '../wire/connection-words.js'
import { isAboutTrust, tlsFault } from '../wire/tls-fault.js'
import { bareHost } from '../wire/url.js'

/** Time to get a connection, in milliseconds. */
const connectsWithinMs = 10_000

/**
 * Opens a connection to the receiver and closes it, so that an unreachable one is reported once and before the cases. Sends nothing: a
 * receiver need not support other methods. Throws {@link CaseErrored} when the connection is refused or the certificate is not trusted. A
 * target after a proxy is not checked.
 */
export async function checkReachable(url: URL, access: Access, signal?: AbortSignal): Promise<void> {
  if (access.proxy !== undefined) return
  const isSecure = url.protocol === 'https:'
  const host = bareHost(url.hostname)
  const port = Number(url.port === '' ? (isSecure ? 443 : 80) : url.port)
  const socket: Socket = isSecure
    ? connectSecure({ host, port, ...tlsOf(access), ...(isName(host) ? { servername: host } : {}) })
    : connectPlain({ host, port })
  const onAbort = () => void socket.destroy(new Error('interrupted'))
  signal?.addEventListener('abort', onAbort)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(connectsWithinMs, () => reject(new Error(`no connection within ${connectsWithinMs} ms`)))
      socket.once('error', reject)
      socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve())
    })
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string }
    const why = code ?? message
    throw new CaseErrored(
      isAboutTrust(why)
        ? `the certificate of ${url.host} is not trusted (${why}): --ca <file> trusts its authority, --insecure takes any`
        : `no connection to ${url.host} (${tlsFault(why) ?? connectionWords(why)})`,
    )
  } finally {
    signal?.removeEventListener('abort', onAbort)
    socket.destroy()
  }
}

function isName(host: string): boolean {
  return !/^[\d.]+$/.test(host) && !host.includes(':')
}
