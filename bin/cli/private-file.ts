import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs'

/**
 * Opens a file that may hold secrets, and empties it unless `append` is set. A link is not followed, and the mode of an old file
 * becomes 0600. Devices such as /dev/null keep theirs. Returns the descriptor.
 */
export function openPrivate(path: string, { append = false }: { readonly append?: boolean } = {}): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | (append ? O_APPEND : O_TRUNC), 0o600)
  try {
    if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return descriptor
}

/** Writes a whole private file, as {@link openPrivate} opens it. */
export function writePrivate(path: string, text: string, options?: { readonly append?: boolean }): void {
  const descriptor = openPrivate(path, options)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
  } finally {
    closeSync(descriptor)
  }
}
