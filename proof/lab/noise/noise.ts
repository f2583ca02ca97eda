import type { IncomingHttpHeaders } from 'node:http'
import { parseJson } from '../../../harness/parsing.js'

/** A request on its way to the service. */
export interface NoisyRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Whether it requests a stream. */
  readonly isUpgrade: boolean
  /** Counts from 0 over the connections to the proxy. */
  readonly connection: number
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What a gateway or a network does to the traffic of an API. What it does not define passes unchanged. */
export interface Noise {
  /** An answer instead of the service's, or the end of the connection. */
  instead?(request: NoisyRequest): Reply | 'reset' | undefined
  /** Delay of the answer, in milliseconds. */
  delayMs?(request: NoisyRequest): number
  /** Looks at an answer of the API or of the control interface, and may change it. */
  after?(request: NoisyRequest, reply: Reply): Reply | Promise<Reply>
  /** A connection to the proxy has ended. */
  connectionClosed?(connection: number): void
  /** A stream was opened; called again when it has ended. */
  streamOpened?(request: NoisyRequest): () => void
  /** Answers as HTTP/1.0 does, and ends the connection. */
  readonly isOld?: boolean
  /** Requests that one connection may carry; unlimited by default. */
  readonly maxRequests?: number
  /** How often it has struck. */
  hits(): number
  close?(): void
}

/** The server before the kit's sink, to which deliveries are sent. */
export interface Intermediary {
  /** On 127.0.0.1. */
  readonly port: number
  /** PEM of the authority to trust where it has a certificate of its own. */
  readonly ca?: string
  /** What it has led to the sink. */
  hits(): number
  close(): Promise<void>
}

/** The service behind the proxy. */
export interface Upstream {
  readonly url: string
}

export function isApi({ path }: Pick<NoisyRequest, 'path'>): boolean {
  return path.startsWith('/v1/')
}

/** The key a request carries, as Bearer or in the query of a stream. */
export function keyOf({ headers, path }: NoisyRequest): string {
  const token = new URLSearchParams(path.split('?')[1] ?? '').get('token')
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? token ?? ''
}

export function jsonOf({ body }: { readonly body: Buffer }): unknown {
  return parseJson(body.toString('utf8'))
}

export function jsonReply(status: number, value: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) }
}

/** The page of a gateway. */
export function page(status: number, title: string): Reply {
  const body = `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>gateway</center>\r\n</body>\r\n</html>\r\n`
  return { status, headers: { 'content-type': 'text/html' }, body: Buffer.from(body) }
}
