// Traffic between a client, a service and a receiver, as it is checked and stored in a capture: without keys and secrets.

/** The format in the first line of a capture. */
export const captureFormat = 'conformance-capture/1'

export type HeaderList = readonly (readonly [name: string, value: string])[]

/** A request or an answer without its first line. */
export interface RecordedMessage {
  readonly headers: HeaderList
  /** The body as text, decoded from its content coding; secrets and marked fields replaced. */
  readonly body?: string
  /** A body that is not UTF-8. */
  readonly body_base64?: string
  /** Why there is no body to judge: it was too long, cut off, or not recorded. */
  readonly body_missing?: string
}

export interface RecordedAnswer extends RecordedMessage {
  readonly status: number
}

/** One request to the service and its answer. */
export interface ExchangeLine {
  readonly kind: 'exchange'
  readonly at: string
  readonly duration_ms: number
  /** Host of the service. */
  readonly service: string
  readonly method: string
  /** Path below the base URL, with its query. */
  readonly path: string
  /** The stable name of the key; absent where none was sent or recorded. */
  readonly key?: string
  readonly request: RecordedMessage
  readonly response?: RecordedAnswer
  /** Why there is no answer. */
  readonly note?: string
}

/** A connection to the event stream that was upgraded. */
export interface StreamLine {
  readonly kind: 'stream'
  readonly at: string
  readonly stream: string
  readonly service: string
  readonly path: string
  readonly key?: string
}

/** One message of the service on a stream. */
export interface FrameLine {
  readonly kind: 'frame'
  readonly at: string
  readonly stream: string
  readonly body?: string
  /** A binary frame. */
  readonly body_base64?: string
  readonly body_missing?: string
}

export interface StreamEndLine {
  readonly kind: 'stream-end'
  readonly at: string
  readonly stream: string
}

/** The verdict on a delivery's signature when it was recorded. */
export interface SignatureFinding {
  /** `unknown`: no secret that could have made it was known. */
  readonly verdict: 'right' | 'wrong' | 'unknown'
  /** The stable name of the secret that made it. */
  readonly secret?: string
  readonly problem?: string
  /** How the secrets for the check were found: by the url of a webhook, by its path only, or given by the user. */
  readonly by?: 'url' | 'path' | 'given'
}

/** One delivery attempt and what the receiver answered. */
export interface DeliveryLine {
  readonly kind: 'delivery'
  readonly at: string
  readonly duration_ms: number
  readonly url: string
  readonly method: string
  readonly request: RecordedMessage
  readonly response?: RecordedAnswer
  readonly note?: string
  readonly signature: SignatureFinding
}

export type TrafficLine = ExchangeLine | StreamLine | FrameLine | StreamEndLine | DeliveryLine

export interface CaptureHeader {
  readonly capture: typeof captureFormat
  readonly tool: { readonly name: string; readonly version: string }
  readonly started_at: string
}

/** Replaces a field that the user marked. */
export const markedField = '[redacted]'

/** When a line was complete, in milliseconds since the epoch: lines of several captures follow each other by it. */
export function endOf(line: TrafficLine): number {
  const at = Date.parse(line.at)
  return line.kind === 'exchange' || line.kind === 'delivery' ? at + line.duration_ms : at
}

/** The values of a header, one for each line. */
export function headerValues({ headers }: Pick<RecordedMessage, 'headers'>, name: string): string[] {
  return headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value)
}

/** Returns the only value of a header; undefined if it is missing or repeated. */
export function headerOf(message: Pick<RecordedMessage, 'headers'>, name: string): string | undefined {
  const values = headerValues(message, name)
  return values.length === 1 ? values[0] : undefined
}
