import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { distrustOfLink, systemCode } from '../../harness/parsing.js'

/**
 * Opens a file that the user named for output, and keeps what it holds. A link is followed only if no other user can have planted it
 * (SECURITY.md). Returns the descriptor.
 */
export function openOutput(path: string, { append = false }: { readonly append?: boolean } = {}): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  const flags = O_WRONLY | O_CREAT | (append ? O_APPEND : 0)
  try {
    return openSync(path, flags | O_NOFOLLOW)
  } catch (error) {
    if (systemCode(error) !== 'ELOOP') throw error
    const distrust = distrustOfLink(path)
    if (distrust !== undefined) throw new Error(`it is a link, and ${distrust}; name the file itself`, { cause: error })
    return openSync(path, flags)
  }
}

/** Drops what an opened file holds. Devices and pipes hold nothing. */
export function emptyOutput(descriptor: number): void {
  if (fstatSync(descriptor).isFile()) ftruncateSync(descriptor)
}

/** Writes a whole file, as {@link openOutput} opens it. */
export function writeOutputFile(path: string, text: string): void {
  const descriptor = openOutput(path)
  try {
    emptyOutput(descriptor)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
  } finally {
    closeSync(descriptor)
  }
}
