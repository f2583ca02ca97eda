// A shell line that sends a delivery again: it signs when it runs, with the secret of a variable.
import { hmacCommand, keyOfVariable, shellQuoted } from '../schemes/openssl.js'
import type { ExchangeRecord } from '../result.js'
import { oneLine } from '../reporters/text.js'
import type { Delivery } from './delivery.js'
import type { ReceiverTarget } from './target.js'

/** What the line is made for. */
export type ResendTarget = Pick<ReceiverTarget, 'url' | 'secret' | 'access' | 'schemeWord'> & {
  /** When the delivery was sent, in Unix seconds. */
  readonly sentAt: number
}

type Resend = NonNullable<ExchangeRecord['resend']>

/** The variables of the line. Digits, since a timestamp in a JSON body is a number. */
const marks = { timestamp: '1000000000000000007', signature: '_0signature_mark0_' } as const
/** Longest body in a line, in bytes. */
const maxBody = 4_096
/** Seconds that a delivery may be from the time at which it was made, to count as signed then. */
const presentSeconds = 5
/** Beyond this many seconds from now a timestamp is a number of its own, such as 0. */
const relativeSeconds = 10 * 365 * 86_400
const variable = 'CONFORMANCE_SECRET'

/** Returns the line for a delivery, or of a forgery for the valid delivery that it was made from; undefined if a shell line cannot send it. */
export function resendOf(delivery: Delivery, target: ResendTarget): Resend | undefined {
  const isSame = isSignedAsSent(delivery, target)
  const sent = isSame ? delivery : delivery.validAt(target.sentAt, target.secret)
  if (sent.fields.body.length > maxBody) return undefined
  const command = sent.scheme.isAsymmetric ? sendCommand(sent, target) : signingCommand(sent, target)
  return { sends: isSame ? 'same' : 'valid', command }
}

/** Whether a line that signs the sent values anew sends the same delivery. */
function isSignedAsSent(delivery: Delivery, { secret }: ResendTarget): boolean {
  const { fields, scheme } = delivery
  const { timestamp, method = 'POST', repeated, cuts, breaksOffAfter } = fields
  if (typeof timestamp !== 'number' || fields.secret !== secret || fields.key !== undefined) return false
  if (method !== 'POST' || (repeated ?? cuts ?? breaksOffAfter) !== undefined) return false
  const marked = Object.entries(markedOf(delivery).headers)
  if (!marked.some(([, value]) => value.includes(marks.signature))) return false
  const filled = marked.map(([name, value]) => [
    name,
    value
      .replaceAll(marks.timestamp, String(scheme.timestampAt(timestamp)))
      .replaceAll(marks.signature, () => delivery.mac),
  ])
  return JSON.stringify(filled) === JSON.stringify(Object.entries(delivery.headers))
}

/** The delivery with marks instead of the timestamp and the signature. */
function markedOf(delivery: Delivery): Delivery {
  const { signature, signed } = delivery.fields
  const entry = delivery.scheme.entryOf(marks.signature)
  const marked = typeof signature === 'function' ? signature(entry, marks.signature) : (signature ?? entry)
  const { signed: _, ...fields } = delivery.fields
  return delivery.with({
    ...fields,
    ...(signed === undefined ? {} : { signed }),
    timestamp: marks.timestamp,
    signature: marked,
  })
}

/** The line of an HMAC scheme: openssl signs, and curl sends. */
function signingCommand(delivery: Delivery, { url, access, sentAt }: ResendTarget): string {
  const { scheme, fields } = delivery
  const zeros = scheme.data.timestamp?.unit === 'milliseconds' ? '000' : ''
  const marked = markedOf(delivery)
  const parts = scheme.signedOf(marked.message)
  const at = parts.indexOf(marked.fields.body)
  const printed = (some: typeof parts) => (some.length === 0 ? [] : [`printf %s ${word(some.join(''))}`])
  const signed = [...printed(parts.slice(0, at)), 'b', ...printed(parts.slice(at + 1))]
  const message = signed.length === 1 ? 'b' : `{ ${signed.join('; ')}; }`
  const headers = Object.entries(marked.headers).map(([name, value]) => ` -H ${word(`${name}: ${value}`)}`)
  const chunked = fields.chunkBytes === undefined ? '' : " -H 'transfer-encoding: chunked'"
  return [
    `(: "\${${variable}:?}"`,
    ...(scheme.has('timestamp') ? [`t=${timeOf(fields.timestamp, sentAt)}${zeros}`] : []),
    bodyFunction(marked.fields.body),
    `s=$(${message} | ${hmacCommand(scheme.data, keyOfVariable(scheme.data, variable))})`,
    `b | curl -sS -i ${urlWord(url)}${accessWords(access)}${headers.join('')}${chunked} --data-binary @-)`,
  ].join('; ')
}

/** The line of an Ed25519 scheme: openssl signs no bytes of a pipe with such a key, so the program itself signs. */
function sendCommand(delivery: Delivery, { url, access, schemeWord, sentAt }: ResendTarget): string {
  const { scheme, fields } = delivery
  const { insecure = false, headers = {} } = access
  const own = { ...fields.eventHeaders, ...fields.extra }
  return [
    `(: "\${${variable}:?}"; ${bodyFunction(fields.body)}; b | conformance send --url ${urlWord(url)}`,
    `--scheme ${word(schemeWord ?? scheme.name)} --secret "$${variable}" --id ${word(fields.id)}`,
    ...(isPresent(fields.timestamp, sentAt) ? [] : [`--timestamp ${timeOf(fields.timestamp, sentAt)}`]),
    ...Object.entries(own)
      .filter(([name]) => name !== 'content-type')
      .map(([name, value]) => `--header ${word(`${name}: ${value}`)}`),
    ...Object.keys(headers).map((name) => `--header ${headerWord(name)}`),
    ...(insecure ? ['--insecure'] : []),
    '--body -)',
  ].join(' ')
}

/** `b() { printf %s '{"a":1}'; }`: the function that prints the body. In base64 where a terminal would show it differently. */
function bodyFunction(body: Uint8Array): string {
  const pieces = Buffer.from(body).toString('latin1').split(marks.timestamp)
  const lines = pieces.flatMap((piece, index) => [
    ...(index > 0 ? ['printf %s "$t"'] : []),
    ...(piece === '' ? [] : [printOf(Buffer.from(piece, 'latin1'))]),
  ])
  return `b() { ${lines.length === 0 ? ':' : lines.join('; ')}; }`
}

function printOf(bytes: Buffer): string {
  const text = bytes.toString()
  const isPlain = oneLine(text) === text && Buffer.from(text).equals(bytes)
  return isPlain ? `printf %s ${shellQuoted(text)}` : `printf %s ${bytes.toString('base64')} | base64 -d`
}

/** Unix seconds: those at which the line runs, or as far from them as the delivery was from its own time. */
function timeOf(timestamp: number | string, sentAt: number): string {
  const ahead = Number(timestamp) - sentAt
  if (isPresent(timestamp, sentAt)) return '$(date +%s)'
  if (Math.abs(ahead) > relativeSeconds) return String(timestamp)
  return `$(($(date +%s)${ahead < 0 ? '-' : '+'}${Math.abs(ahead)}))`
}

function isPresent(timestamp: number | string, sentAt: number): boolean {
  return Math.abs(Number(timestamp) - sentAt) <= presentSeconds
}

function urlWord(url: string): string {
  // A query may contain a token.
  return new URL(url).search === '' ? word(url) : '"$CONFORMANCE_URL"'
}

/** The headers for a gateway as variables, and `-k`. */
function accessWords({ headers = {}, insecure = false }: ReceiverTarget['access']): string {
  return [...(insecure ? [' -k'] : []), ...Object.keys(headers).map((name) => ` -H ${headerWord(name)}`)].join('')
}

function headerWord(name: string): string {
  return `"${name}: $${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}"`
}

/** A word of the shell in which the marks are variables. */
function word(text: string): string {
  const pieces = text.split(new RegExp(`(${marks.timestamp}|${marks.signature})`))
  if (pieces.length === 1) return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text)
  const variables = pieces.map((piece, index) => {
    if (index % 2 === 0) return piece
    const name = piece === marks.timestamp ? 't' : 's'
    return /^\w/.test(pieces[index + 1] ?? '') ? `\${${name}}` : `$${name}`
  })
  const isHarmless = pieces.every((piece) => /^[\w @%+=:,./-]*$/.test(piece))
  if (isHarmless) return `"${variables.join('')}"`
  return variables.map((piece, index) => (index % 2 === 0 ? shellQuoted(piece) : `"${piece}"`)).join('')
}
