import { createSecureContext } from 'node:tls'
import { writeOutputFile } from './output-file.js'
import { readFile, systemReason, type Settings } from './settings.js'
import { UsageError } from './usage.js'

/** How a listener speaks TLS. */
export interface ListenerTls {
  /** The user's own certificate and its key (PEM); one is made where absent. */
  readonly own: { readonly key: string; readonly cert: string } | undefined
  /** Called with the authority of the certificate that was made. */
  readonly onAuthority: ((pem: string) => void) | undefined
}

/** `--tls-cert`, `--tls-key` and `--ca-out`. */
export function listenerTls(settings: Settings): ListenerTls {
  const own = certificateOf(settings)
  const caOut = settings.path('ca-out')
  if (caOut !== undefined && own !== undefined)
    throw new UsageError('--ca-out is for the certificate that is made: leave it out with --tls-cert')
  return { own, onAuthority: caOut === undefined ? undefined : (pem) => writeAuthority(caOut, pem) }
}

function certificateOf(settings: Settings): ListenerTls['own'] {
  const [certPath, keyPath] = [settings.path('tls-cert'), settings.path('tls-key')]
  if (certPath === undefined && keyPath === undefined) return undefined
  if (certPath === undefined || keyPath === undefined)
    throw new UsageError('--tls-cert and --tls-key belong together: give both')
  const tls = { cert: pemOf('--tls-cert', certPath), key: pemOf('--tls-key', keyPath) }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw new UsageError(
      `--tls-cert ${certPath}, --tls-key ${keyPath}: no certificate with its key in PEM (${error instanceof Error ? error.message : ''})`,
    )
  }
  return tls
}

/** Without this an empty file would be taken for no certificate at all. */
function pemOf(option: string, path: string): string {
  const text = readFile(option, path)
  if (!text.includes('-----BEGIN ')) throw new UsageError(`${option} ${path}: expected a file in PEM (-----BEGIN …)`)
  return text
}

function writeAuthority(path: string, pem: string): void {
  try {
    writeOutputFile(path, pem)
  } catch (error) {
    throw new UsageError(`--ca-out ${path}: cannot be written (${systemReason(error)})`)
  }
}
