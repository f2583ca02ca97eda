import type { Context, Env, Hono } from 'hono'
import { ApiError, invalidRequest } from './api-error.js'
import type { Key } from '../store/directory.js'
import type { Answer, ErrorRecord, Policy } from '../policy.js'

/** What a request carries to its handler. */
export interface ApiEnv extends Env {
  Variables: { key: Key }
}

export type ApiContext = Context<ApiEnv>

const jsonHeaders = { 'content-type': 'application/json' }

/** An answer with a JSON body, or without a body when there is none. */
export function reply({ status, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status })
  return new Response(JSON.stringify(body), { status, headers: jsonHeaders })
}

/** An answer whose JSON text is ready. */
export function replyText(status: number, json: string): Response {
  return new Response(json, { status, headers: jsonHeaders })
}

/** The answer of a refusal. */
export function replyError(error: ErrorRecord, policy: Policy): Response {
  const { status } = error
  const page = policy.gatewayPage(status)
  if (page !== undefined) return new Response(page, { status, headers: { 'content-type': 'text/html' } })
  const response = reply({ status, body: policy.errorBody(error) })
  if (status === 401) response.headers.set('www-authenticate', 'Bearer')
  return response
}

type Handler<E extends Env> = (c: Context<E>) => Response | Promise<Response>

/** Registers the methods of one path; any other method there is refused with 405. */
export function resource<E extends Env>(
  app: Hono<E>,
  path: string,
  methods: Readonly<Record<string, Handler<E>>>,
): void {
  for (const [method, handler] of Object.entries(methods)) app.on(method, path, (c) => handler(c))
  const allowed = Object.keys(methods).join(', ')
  app.all(path, () => {
    throw new ApiError({
      status: 405,
      code: 'method_not_allowed',
      message: 'This path does not take this method.',
      fix: `Use ${allowed}.`,
    })
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Levels of a JSON body at most: beyond some thousands JSON cannot be written again, so it is refused while it is read. */
const maxLevels = 100

/**
 * Reads a JSON body, whatever its Content-Type. Errors: `ApiError` 400 for a body that is not JSON in UTF-8 or is nested too deeply, 413
 * for one that is too large.
 */
export async function readJson(c: Context, policy: Pick<Policy, 'maxBodyBytes'>): Promise<unknown> {
  const bytes = await readBody(c.req.raw, policy.maxBodyBytes)
  if (levelsOf(bytes) > maxLevels) {
    throw invalidRequest('The body is nested too deeply.', `Send JSON of at most ${maxLevels} levels.`)
  }
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown
  } catch {
    throw invalidRequest('The body is not JSON.', 'Send a JSON body in UTF-8 with Content-Type: application/json.')
  }
}

/** The nesting depth of a JSON text. */
function levelsOf(json: Uint8Array): number {
  let [level, deepest, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isText) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) isText = false
    } else if (byte === 0x22) isText = true
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++level)
    else if (byte === 0x7d || byte === 0x5d) level--
  }
  return deepest
}

async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (length > maxBytes) throw tooLarge(maxBytes)
  // In one piece where the length is known: a web stream around each small body costs more than all the rest of a request.
  if (length >= 0) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (request.body !== null) {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  }
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError({
    status: 413,
    code: 'body_too_large',
    message: 'The request body is too large.',
    fix: `Send at most ${maxBytes} bytes.`,
  })
}

/** Page size from the query `limit`. Errors: `ApiError` 400 for anything but a whole number from 1. */
export function readLimit(
  c: Context,
  options: {
    defaultLimit: number
    maxLimit: number
    policy: Pick<Policy, 'limitAboveMaximum' | 'oddLimit'>
  },
): number {
  const { defaultLimit, maxLimit, policy } = options
  const text = c.req.query('limit')
  if (text === undefined || text === '') return defaultLimit
  const asked = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (asked < 1 && policy.oddLimit === 'default') return defaultLimit
  const isRefused = asked < 1 || (asked > maxLimit && policy.limitAboveMaximum === 'refuse')
  if (isRefused) throw invalidRequest('limit is out of range.', `Send a limit from 1 to ${maxLimit}.`)
  return Math.min(asked, maxLimit)
}
