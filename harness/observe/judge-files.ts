import { captureLines, inOrder } from './capture.js'
import { harLines, learnFrom, readHar, type HarContent, type ServiceAddress } from './har.js'
import { onServiceClock } from './host-clock.js'
import { isCapture, openFile, readText, type OpenedFile } from './opened-file.js'
import type { TrafficJudge } from './judge.js'
import { withoutMarked, type MarkedPath } from './marked-fields.js'
import type { TrafficLine } from './record.js'
import { Recorder } from './recorder.js'

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
    const file = await openFile(path)
    const har = isCapture(file) ? undefined : readHar(path, await readText(file), address)
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

/** Checks deliveries of a capture again with the secrets known now; those of a HAR file are checked already. */
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
