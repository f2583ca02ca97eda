import { listeningAs, ListenRefused } from '../../harness/webhook-sink.js'
import { systemCode } from './settings.js'
import { UsageError } from './usage.js'

/** What the user calls the two parts of an address. */
interface Names {
  readonly host: string
  readonly port: string
}

const noAddress = ({ host }: Names) => `has no address: choose another ${host}`

/** Why an address cannot be listened on, and what to do. */
const problems: Readonly<Record<string, (names: Names) => string>> = {
  EADDRINUSE: ({ port }) => `is in use: choose another ${port}, or 0 for any that is free`,
  EACCES: ({ port }) => `may not be listened on: choose a ${port} from 1024 up`,
  EADDRNOTAVAIL: ({ host }) => `is not an address of this machine: choose another ${host}`,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
  EMFILE: () => 'needs a free file descriptor, and this process may not have more: raise the limit (ulimit -n)',
}

/** An address as a URL writes it. */
export function addressText({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Returns why listening on an address failed, with the remedy; undefined for another problem. */
export function listenProblem(error: unknown, names: Names = { host: 'host', port: 'port' }): string | undefined {
  return problems[systemCode(error)]?.(names)
}

/** Runs `start` for an address from `setting`; a {@link UsageError} of one line explains a failure. */
export function listening<T>(
  setting: string,
  place: { readonly host: string; readonly port: number },
  start: () => Promise<T>,
): Promise<T> {
  return usableAddress(() => listeningAs(setting, place, start))
}

/** The same for what knows its settings itself, and throws {@link ListenRefused}. */
export async function usableAddress<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof ListenRefused)) throw error
    const { setting, cause } = error
    if (cause instanceof UsageError) throw cause
    throw new UsageError(
      `${setting} ${addressText(error)} ${listenProblem(cause) ?? `cannot be listened on (${systemCode(cause)})`}`,
    )
  }
}
