// A file of recorded traffic: a capture, or a HAR file.
import { statSync } from 'node:fs'
import { unreadable } from '../config/unreadable.js'
import { readOnce, wholeOf, type FileReadOnce } from '../read-once.js'
import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { CaptureProblem, withoutMark } from './capture.js'

/** Longest HAR file that is read, in bytes; a capture of our own has no limit. */
const maxHarBytes = 256 * 1024 * 1024
/** Bytes in which the first line of a capture ends. */
const firstBytes = 4_096

export interface OpenedFile extends FileReadOnce {
  readonly path: string
}

/** Opens a file. Throws {@link CaptureProblem} if it is unreadable. */
export async function openFile(path: string): Promise<OpenedFile> {
  try {
    if (statSync(path).isDirectory()) throw new CaptureProblem(`${path}: this is a folder; name the files in it`)
    return { path, ...(await readOnce(path, firstBytes)) }
  } catch (error) {
    if (error instanceof CaptureProblem) throw error
    throw new CaptureProblem(`${path}: ${unreadable(path, error)}`)
  }
}

/** Returns true if the first line names the format of a capture, of any version. */
export function isCapture({ start }: OpenedFile): boolean {
  const first = start.toString('utf8').split('\n')[0] ?? ''
  return memberOf(parseJson(withoutMark(first)), 'capture') !== undefined
}

/** Returns the text of a HAR file. Throws {@link CaptureProblem}. */
export async function readText({ path, chunks }: OpenedFile): Promise<string> {
  const whole = await wholeOf(chunks, maxHarBytes).catch((error: unknown) => {
    throw new CaptureProblem(`${path}: ${unreadable(path, error)}`)
  })
  if (whole === undefined)
    throw new CaptureProblem(`${path}: cannot be read (it has more than ${maxHarBytes} bytes); is it the right file?`)
  return whole.toString('utf8')
}
