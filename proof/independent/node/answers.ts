// Reading requests and writing answers on plain node:http.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** An error of the API: its fields are one level down, under `error`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly fix: string
  readonly more: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    code: string,
    { message, fix, more = {} }: { readonly message: string; readonly fix: string; readonly more?: object },
  ) {
    super(message)
    this.status = status
    this.code = code
    this.fix = fix
    this.more = { ...more }
  }
}

export interface Answer {
  readonly status: number
  /** JSON; no body where absent. */
  readonly value?: unknown
}

export function notFound(what: string): Refusal {
  return new Refusal(404, 'no_such_thing', { message: `no ${what}`, fix: 'Look at the id and the path.' })
}

export function invalid(what: string, fix: string): Refusal {
  return new Refusal(422, 'invalid_field', { message: what, fix })
}

const maxBodyBytes = 1_048_576

/** The whole body as text. Errors: a {@link Refusal} where it is too long. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size <= maxBodyBytes) pieces.push(piece)
  }
  if (size > maxBodyBytes)
    throw new Refusal(413, 'too_long', { message: 'the body is longer than 1 MiB', fix: 'Send less at once.' })
  return Buffer.concat(pieces).toString('utf8')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Refusal(400, 'not_json', { message: 'the body is not JSON', fix: 'Send JSON.' })
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('the body is not an object', 'Send a JSON object.')
  return value as Readonly<Record<string, unknown>>
}

export function writeAnswer(response: ServerResponse, { status, value }: Answer): void {
  if (value === undefined) {
    response.writeHead(status).end()
    return
  }
  const body = JSON.stringify(value)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

export function answerFor(error: unknown): Answer {
  const { status, code, message, fix, more } =
    error instanceof Refusal
      ? error
      : new Refusal(500, 'broken', { message: String(error), fix: 'Report it to the people who run this service.' })
  return { status, value: { error: { code, message, fix, ...more } } }
}
