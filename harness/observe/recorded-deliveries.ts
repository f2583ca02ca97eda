import { captureLines } from './capture.js'
import { hasHiddenPart } from './confidential.js'
import { readExchanges } from './har.js'
import { isCapture, openFile, readText } from './opened-file.js'
import { markedField, type DeliveryLine, type HeaderList } from './record.js'
import type { RawExchange } from './recorder.js'

/** A delivery of a capture or a HAR file. */
export interface RecordedDelivery {
  readonly startedAt: number
  /** Without headers whose value was hidden when it was recorded. */
  readonly headers: HeaderList
  /** Undefined if the file does not have it, for the reason of `missing`. */
  readonly body: Uint8Array | undefined
  readonly missing?: string
  /** True if a secret in it was hidden when it was recorded: its signature is of other bytes. */
  readonly isAltered: boolean
}

export interface DeliveriesOptions {
  readonly paths: readonly string[]
  /** Which requests of a HAR file are deliveries. */
  readonly isDelivery: (request: RawExchange['request']) => boolean
  readonly onNote: (note: string) => void
}

/** Reads the deliveries of several files, the oldest first. Throws `CaptureProblem` for an unreadable file. */
export async function readDeliveries({ paths, isDelivery, onNote }: DeliveriesOptions): Promise<RecordedDelivery[]> {
  const deliveries: RecordedDelivery[] = []
  for (const path of paths) {
    const file = await openFile(path)
    if (!isCapture(file)) {
      const { exchanges, note } = readExchanges(path, await readText(file))
      if (note !== undefined) onNote(note)
      const signed = exchanges.filter(({ method, request }) => method === 'POST' && isDelivery(request))
      deliveries.push(...signed.map(ofExchange))
      continue
    }
    const onCut = () => onNote(`the last line of ${path} is cut off`)
    for await (const lines of captureLines({ path, chunks: file.chunks, onCut, prefix: '' }))
      for (const line of lines) if (line.kind === 'delivery') deliveries.push(ofLine(line))
  }
  return deliveries.toSorted((one, other) => one.startedAt - other.startedAt)
}

function ofExchange({
  startedAt,
  request: { headers, body, missing = 'not recorded' },
}: RawExchange): RecordedDelivery {
  const kept = withoutHidden(headers)
  const delivery = { startedAt, headers: kept, body, isAltered: false }
  return body === undefined ? { ...delivery, missing } : delivery
}

function ofLine({ at, request }: DeliveryLine): RecordedDelivery {
  const { headers, body = '', body_base64: coded, body_missing: missing } = request
  const bytes = coded === undefined ? Buffer.from(body) : Buffer.from(coded, 'base64')
  const kept = withoutHidden(headers)
  const isAltered = hasHiddenPart(bytes.toString('latin1')) || kept.some(([, value]) => hasHiddenPart(value))
  const delivery = { startedAt: Date.parse(at), headers: kept, isAltered }
  return missing === undefined ? { ...delivery, body: bytes } : { ...delivery, body: undefined, missing }
}

function withoutHidden(headers: HeaderList): HeaderList {
  return headers.filter(([, value]) => value !== markedField)
}
