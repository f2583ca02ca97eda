import { bearsCredential } from '../../harness/parsing.js'
import { httpUrl, UsageError } from '../cli/usage.js'

/** Reads a URL that `init` writes into a file to commit. One that contains a credential is refused, and not shown. */
export function urlToCommit(option: string, text: string): string {
  const url = httpUrl(option, text)
  if (bearsCredential(url))
    throw new UsageError(
      `${option}: the URL contains what looks like a secret, and init would write it into the configuration: put it into a variable, and write that as \${NAME}`,
    )
  return url
}
