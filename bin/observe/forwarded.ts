// What passed, as plain data: it goes from the thread that passes it on to the one that judges it.
import { decodeContent, headerOf, type HeaderList, type RawExchange } from '../../harness/observe/index.js'

/** What passed of one request. */
export interface ForwardedRequest {
  readonly startedAt: number
  readonly endedAt: number
  readonly url: string
  readonly method: string
  readonly headers: HeaderList
  /** Undefined for a body that was too long to be judged, or was answered before all of it was here. */
  readonly body: Uint8Array | undefined
  /** Absent where the other side gave no whole answer, or the client had given up. */
  readonly answer?: { readonly status: number; readonly headers: HeaderList; readonly body: Uint8Array | undefined }
  readonly note?: string
}

/** A connection to the stream. */
export interface StreamOpening {
  readonly startedAt: number
  readonly url: string
  readonly prefix: string
  readonly headers: HeaderList
}

/** Receives the traffic that passes, in the order in which it ended. */
export interface Listening {
  /** A request that may create a webhook is under way: deliveries before its answer may be signed with its secret. */
  creating(): void
  exchange(passed: ForwardedRequest, prefix: string, isCreating: boolean): void
  delivery(passed: ForwardedRequest): void
  streamOpened(name: string, opening: StreamOpening): void
  frame(name: string, at: number, data: Uint8Array, isText: boolean): void
  streamEnded(name: string, at: number): void
}

/** Converts what passed into the exchange that a recorder takes. */
export function exchangeOf(passed: ForwardedRequest, prefix: string): RawExchange {
  const { answer, note, headers, body } = passed
  return {
    startedAt: passed.startedAt,
    endedAt: passed.endedAt,
    method: passed.method,
    url: new URL(passed.url),
    prefix,
    request: { headers, body, missing: 'too long to be kept, or answered before all of it was here' },
    ...(answer === undefined
      ? {}
      : { response: { status: answer.status, headers: answer.headers, ...bodyOf(answer) } }),
    ...(note === undefined ? {} : { note }),
  }
}

/** Returns the body of an answer without its content coding. */
function bodyOf({ headers, body }: NonNullable<ForwardedRequest['answer']>): { body?: Uint8Array; missing?: string } {
  if (body === undefined) return { missing: 'too long to be kept' }
  return decodeContent(body, headerOf({ headers }, 'content-encoding'))
}
