import type { ExchangeRecord } from '../result.js'
import { cutBody } from './cut-body.js'

/** Headers curl sets by itself. */
const own = new Set(['host', 'content-length', 'connection', 'transfer-encoding'])

/** Characters of a body that a command line takes. */
const maxBody = 16_000

/** A command that repeats a recorded request, with keys as variables. Undefined for a request that curl cannot send. */
export function curlOf({ direction, kind, request }: ExchangeRecord): string | undefined {
  if (direction !== 'sent' || (kind !== 'api' && kind !== 'receiver' && kind !== 'control')) return undefined
  if (!/^https?:/.test(request.url) || isCut(request.body)) return undefined
  const headers = Object.entries(request.headers).filter(([name]) => !own.has(name))
  const body = request.body ?? (request.body_base64 === undefined ? undefined : '@-')
  const words = [
    `curl -sS -i -X ${quote(request.method)} ${quote(request.url)}`,
    ...headers.map(([name, value]) => `-H ${header(name, value, kind)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
  ]
  const input = request.body_base64 === undefined ? '' : `printf %s ${quote(request.body_base64)} | base64 -d | `
  return input + words.join(' \\\n  ')
}

/** A body that was cut for the report ends with a note; one that starts with @ would name a file to curl. */
function isCut(body: string | undefined): boolean {
  return body !== undefined && (cutBody(body) !== undefined || body.startsWith('@') || body.length > maxBody)
}

function header(name: string, value: string, kind: ExchangeRecord['kind']): string {
  if (name !== 'authorization' || !value.includes('[redacted]')) return quote(`${name}: ${value}`)
  return `"authorization: Bearer $${kind === 'control' ? 'CONFORMANCE_CONTROL_KEY' : 'CONFORMANCE_API_KEY'}"`
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
