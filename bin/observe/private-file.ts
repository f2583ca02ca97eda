import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'

/**
 * Opens a file that may hold what others must not read, and empties it. A link is not followed, and an old file is taken from others.
 * Devices such as /dev/null stay as they are. Returns the descriptor.
 */
export function openPrivate(path: string): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  try {
    if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return descriptor
}
