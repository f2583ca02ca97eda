import type { ExchangeRecord } from '../result.js'
import { cutBody } from './cut-body.js'
import { oneLine } from './text.js'

/** Headers curl sets by itself. */
const own = new Set(['host', 'content-length', 'connection', 'transfer-encoding'])

/** Characters of a body that a command line takes. */
const maxBody = 16_000

/** Shell lines for a recorded request: `resend` repeats it, `valid` sends the valid delivery that a forgery was made from. */
export function shellLines(exchange: ExchangeRecord): { readonly resend?: string; readonly valid?: string } {
  const { sends, command } = exchange.resend ?? {}
  const resend = sends === 'same' ? command : curlOf(exchange)
  return {
    ...(resend === undefined ? {} : { resend }),
    ...(sends === 'valid' && command !== undefined ? { valid: command } : {}),
  }
}

/** A command that repeats a recorded request, with keys as variables. Undefined for a request that curl cannot send. */
function curlOf({ direction, kind, request }: ExchangeRecord): string | undefined {
  if (direction !== 'sent' || (kind !== 'api' && kind !== 'receiver' && kind !== 'control')) return undefined
  if (!/^https?:/.test(request.url) || isCut(request.body)) return undefined
  const headers = Object.entries(request.headers).filter(([name]) => !own.has(name))
  const base64 = request.body_base64 ?? base64Of(request.body ?? '')
  const body = base64 === undefined ? request.body : '@-'
  const words = [
    `curl -sS -i -X ${quote(request.method)} ${quote(request.url)}`,
    ...headers.map(([name, value]) => `-H ${header(name, value, kind)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
  ]
  const input = base64 === undefined ? '' : `printf %s ${quote(base64)} | base64 -d | `
  return input + words.join(' \\\n  ')
}

/** A text in base64 where a line in a terminal would show other characters; else undefined. */
function base64Of(text: string): string | undefined {
  if (oneLine(text) === text) return undefined
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** A body that was cut for the report ends with a note; one that starts with @ would name a file to curl. */
function isCut(body: string | undefined): boolean {
  return body !== undefined && (cutBody(body) !== undefined || body.startsWith('@') || body.length > maxBody)
}

function header(name: string, value: string, kind: ExchangeRecord['kind']): string {
  if (!value.includes('[redacted]')) return quote(`${name}: ${value}`)
  if (name !== 'authorization' || kind === 'receiver')
    return `"${name}: $${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}"`
  return `"authorization: Bearer $${kind === 'control' ? 'CONFORMANCE_CONTROL_KEY' : 'CONFORMANCE_API_KEY'}"`
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
