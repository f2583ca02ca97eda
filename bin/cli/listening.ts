import { listeningAs, ListenRefused } from '../../harness/listening.js'
import { systemCode } from './settings.js'
import { UsageError } from './usage.js'

/** Why an address cannot be listened on, and what to do. */
const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: choose another port, or 0 for any that is free',
  EACCES: 'may not be listened on: choose a port from 1024 up',
  EADDRNOTAVAIL: 'is not an address of this machine: choose another host',
  ENOTFOUND: 'has no address: choose another host',
  EAI_AGAIN: 'has no address: choose another host',
  EMFILE: 'needs a free file descriptor, and this process may not have more: raise the limit (ulimit -n)',
}

/** What `start` starts on an address that `setting` names; a {@link UsageError} of one line says why it cannot. */
export function listening<T>(
  setting: string,
  place: { readonly host: string; readonly port: number },
  start: () => Promise<T>,
): Promise<T> {
  return usable(() => listeningAs(setting, place, start))
}

/** The same for what knows its settings itself, and throws {@link ListenRefused}. */
export async function usable<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof ListenRefused)) throw error
    const { setting, host, port, cause } = error
    if (cause instanceof UsageError) throw cause
    const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
    throw new UsageError(
      `${setting} ${place} ${problems[systemCode(cause)] ?? `cannot be listened on (${systemCode(cause)})`}`,
    )
  }
}
