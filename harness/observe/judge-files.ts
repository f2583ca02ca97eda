import { statSync } from 'node:fs'
import { unreadable } from '../config/unreadable.js'
import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { readOnce, wholeOf, type FileReadOnce } from '../read-once.js'
import { CaptureProblem, captureLines, inOrder, withoutMark } from './capture.js'
import { harLines, learnFrom, readHar, type HarContent, type ServiceAddress } from './har.js'
import { onServiceClock } from './host-clock.js'
import type { TrafficJudge } from './judge.js'
import { withoutMarked, type MarkedPath } from './marked.js'
import type { TrafficLine } from './record.js'
import { Recorder } from './recorder.js'

/** Longest HAR file that is read, in bytes; a capture of our own has no limit. */
const maxHarBytes = 256 * 1024 * 1024
/** Bytes in which the first line of a capture ends. */
const firstBytes = 4_096

export interface FilesOptions {
  readonly paths: readonly string[]
  /** Where the service is; every host that answers below the paths of the interface where absent. */
  readonly address: ServiceAddress | undefined
  readonly secrets: readonly string[]
  /** Body fields that are neither judged nor shown. */
  readonly marked?: readonly MarkedPath[]
  readonly signal?: AbortSignal
  /** Receives notes for the user about a file. */
  readonly onNote: (note: string) => void
}

/** Judges several files as one capture. Throws `FileProblem` for what cannot be read as one. */
export async function judgeFiles(judge: TrafficJudge, options: FilesOptions): Promise<void> {
  const { paths, address, secrets, marked = [], signal, onNote } = options
  const recorder = new Recorder(secrets)
  const files: (OpenedFile & { readonly har?: HarContent })[] = []
  for (const path of paths) {
    const file = await opened(path)
    const har = isCapture(file) ? undefined : readHar(path, await textOf(file), address)
    files.push(har === undefined ? file : { ...file, har })
    if (har?.note !== undefined) onNote(har.note)
  }
  // A secret of one file may have signed what another holds.
  for (const { har } of files) if (har !== undefined) learnFrom(har, recorder)
  const sources = files.map(({ path, chunks, har }, index) => {
    const prefix = `${index}:`
    if (har !== undefined) return once(harLines(har, recorder, prefix))
    const onCut = () => onNote(`the last line of ${path} is cut off`)
    return again(captureLines({ path, chunks, onCut, prefix }), recorder)
  })
  for await (const lines of inOrder(sources.length > 1 ? sources.map(onServiceClock) : sources)) {
    if (signal?.aborted === true) return
    for (const line of lines) if (isOfService(line, address)) judge.take(withoutMarked(line, marked))
  }
}

/** Deliveries of a capture, judged by what is known now; those of a HAR file were, and know whether their bytes are exact. */
async function* again(source: AsyncGenerator<TrafficLine[]>, recorder: Recorder): AsyncGenerator<TrafficLine[]> {
  for await (const lines of source) yield lines.map((line) => (line.kind === 'delivery' ? recorder.again(line) : line))
}

async function* once(lines: TrafficLine[]): AsyncGenerator<TrafficLine[]> {
  yield lines
}

/** Whether a line is of the service that is judged; a frame is where its stream is. */
function isOfService(line: TrafficLine, address: ServiceAddress | undefined): boolean {
  if (address === undefined || (line.kind !== 'exchange' && line.kind !== 'stream')) return true
  return line.service === address.host
}

interface OpenedFile extends FileReadOnce {
  readonly path: string
}

async function opened(path: string): Promise<OpenedFile> {
  try {
    if (statSync(path).isDirectory()) throw new CaptureProblem(`${path}: this is a folder; name the files in it`)
    return { path, ...(await readOnce(path, firstBytes)) }
  } catch (error) {
    if (error instanceof CaptureProblem) throw error
    throw new CaptureProblem(`${path}: ${unreadable(path, error)}`)
  }
}

/** Whether the first line marks the file as a capture, of any version. */
function isCapture({ start }: OpenedFile): boolean {
  const first = start.toString('utf8').split('\n')[0] ?? ''
  return memberOf(parseJson(withoutMark(first)), 'capture') !== undefined
}

async function textOf({ path, chunks }: OpenedFile): Promise<string> {
  const whole = await wholeOf(chunks, maxHarBytes).catch((error: unknown) => {
    throw new CaptureProblem(`${path}: ${unreadable(path, error)}`)
  })
  if (whole === undefined)
    throw new CaptureProblem(`${path}: cannot be read (it has more than ${maxHarBytes} bytes); is it the right file?`)
  return whole.toString('utf8')
}
