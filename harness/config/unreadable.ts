import { isAbsolute } from 'node:path'

/** The system's word for an error, such as `ENOENT`. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  return error instanceof Error ? error.message : String(error)
}

/** The same with what it means, for people: `ENOENT: there is no such file or folder`. */
export function systemReason(error: unknown): string {
  const code = systemCode(error)
  const meaning = meanings[code]
  return meaning === undefined ? code : `${code}: ${meaning}`
}

/** Why a file cannot be read, and what to do: it follows the name of the file. */
export function unreadable(path: string, error: unknown): string {
  const code = systemCode(error)
  const seenFrom = isAbsolute(path) ? '' : `, which is seen from ${process.cwd()}`
  return `cannot be read (${systemReason(error)}); ${remedies[code] ?? `check the path${seenFrom}`}`
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, where a file is expected',
  ENOTDIR: 'a part of the path is a file, where a folder is expected',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'nothing can be written there',
  ELOOP: 'its symbolic links lead round in a circle',
  ENAMETOOLONG: 'the name is longer than the system takes',
  EIO: 'the disk or the device failed',
  ENXIO: 'it is a socket or a device, where a file is expected',
}

const remedies: Readonly<Record<string, string>> = {
  EISDIR: 'name a file in it',
  EACCES: 'let this user read it, or name another file',
  EPERM: 'let this user read it, or name another file',
  ELOOP: 'name the file itself',
  EIO: 'name another file',
  ENXIO: 'name a file',
}
