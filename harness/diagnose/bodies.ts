import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Candidate, CauseId, Fault } from './finding.js'
import { readJson } from './json-text.js'
import { unchunked } from './request.js'
import { rewritings, rewritingsOfPart, type RewritingLimits } from './rewritings.js'
import { alterations } from './alterations.js'
import { heldBodies, pythonValue, substitutes } from './substitutes.js'

/** A body that may have been signed instead of the present one. */
export interface BodyCandidate extends Candidate<Uint8Array> {
  /** How many unusual choices it takes; 1 for most mistakes. */
  readonly weight: number
}

/** A body to which two things happened: `fault` last, `earlier` before it. */
export interface ComposedBody extends Candidate<Uint8Array> {
  readonly earlier: Fault
}

/** Longer bodies are not written again in every way, in bytes. */
const maxRewritten = 1024 * 1024

interface BodyLimits {
  readonly contentLength?: number | undefined
  /** Bytes of JSON that are written again at most. */
  readonly maxWritten?: number
}

/** Every body of which a careless program makes this one, or for which it signs this one; the body itself first. */
export function bodiesOf(
  body: Uint8Array,
  { contentLength, maxWritten = Number.POSITIVE_INFINITY }: BodyLimits = {},
): BodyCandidate[] {
  const bytes = Buffer.from(body)
  const found = new Candidates(bytes)
  addChanged(bytes, { contentLength, maxWritten }, found.add)
  if (bytes.length <= maxRewritten) for (const [text, standIn] of substitutes(bytes)) found.add(text, standIn)
  return found.list()
}

/**
 * The bodies to which two usual things happened, one after the other. Takes the result of {@link bodiesOf}; some bodies occur twice. A
 * long body is left out: each of some hundred bodies is changed in some hundred ways.
 */
export function* composedBodies(bodies: readonly BodyCandidate[]): Generator<ComposedBody> {
  const known = new Set(bodies.map(({ value }) => keyOf(value)))
  for (const { value, fault: last, weight } of bodies) {
    if (last === undefined || weight > 1 || value.length === 0 || value.length > maxComposed) continue
    const found = new Candidates(Buffer.from(value))
    // To write JSON twice is to write it once, in the other style.
    addChanged(Buffer.from(value), { maxWeight: last.cause === 'body-rewritten' ? -1 : 1 }, found.add)
    for (const { value: signed, fault: earlier } of found.list())
      if (earlier !== undefined && !known.has(keyOf(signed))) yield { value: signed, fault: last, earlier }
  }
}

/** Longest body to which two things may have happened, in bytes. */
const maxComposed = 32 * 1024

function keyOf(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
}

/** Candidates that differ; the first fault that makes a body is kept. */
class Candidates {
  readonly #found: Map<string, BodyCandidate>

  constructor(body: Buffer) {
    this.#found = new Map([[keyOf(body), { value: body, weight: 0 }]])
  }

  readonly add: Add = (value, fault, weight = 1) => {
    const candidate = Buffer.from(value as string)
    const key = keyOf(candidate)
    if (!this.#found.has(key)) this.#found.set(key, { value: candidate, fault, weight })
  }

  list(): BodyCandidate[] {
    return [...this.#found.values()]
  }
}

/** Adds what programs do to a body; one that replaces it is not among them. */
function addChanged(
  bytes: Buffer,
  { contentLength, ...limits }: RewritingLimits & { readonly contentLength?: number | undefined },
  add: Add,
): void {
  addLineEnds(bytes, add)
  addCharsets(bytes, add)
  addEncodings(bytes, contentLength, add)
  addRewritten(bytes, limits, add)
  if (bytes.length <= maxRewritten) for (const [text, spoilt] of alterations(bytes.toString())) add(text, spoilt)
}

type Add = (value: Uint8Array | string, fault: Fault, weight?: number) => void

function fault(cause: CauseId, explanation: string, remedy: string): Fault {
  return { cause, explanation, remedy }
}

const asSent = 'Sign and verify the bytes of the body as they are sent, before anything reads or changes them.'

function addLineEnds(bytes: Buffer, add: Add): void {
  const text = bytes.toString('latin1')
  const latin1 = (value: string) => Buffer.from(value, 'latin1')
  const added = fault('body-newline', 'A newline was added at the end of the body after it was signed.', asSent)
  const removed = fault('body-newline', 'A newline at the end of the body was removed after it was signed.', asSent)
  for (const end of ['\r\n', '\n', '\r']) if (text.endsWith(end)) add(latin1(text.slice(0, -end.length)), added)
  add(latin1(text.trimEnd()), { ...added, explanation: 'Blanks or a newline were added at the end of the body.' })
  add(latin1(text.trim()), { ...added, explanation: 'Blanks or newlines were added around the body.' })
  for (const end of ['\n', '\r\n']) add(latin1(text + end), removed)
  const changed = fault('body-newline', 'The line ends of the body were changed after it was signed.', asSent)
  add(latin1(text.replaceAll('\r\n', '\n')), changed)
  add(latin1(text.replace(/\r?\n/g, '\r\n')), changed)
}

/** More marks on one letter than any language writes (UAX #15, 13): to sort them takes the square of their number. */
const longMarks = /\p{M}{31}/u

function addCharsets(bytes: Buffer, add: Add): void {
  const charset = (what: string) =>
    fault('body-charset', `The body was signed in another charset: ${what}.`, `Write the body as UTF-8 once. ${asSent}`)
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const hasMark = bytes.subarray(0, 3).equals(mark)
  add(hasMark ? bytes.subarray(3) : Buffer.concat([mark, bytes]), charset('a byte order mark was added or removed'))
  add(Buffer.from(bytes.toString('latin1'), 'utf8'), charset('as UTF-8, and then sent as Latin-1'))
  const text = bytes.toString('utf8')
  // Bytes that are UTF-8 themselves were signed as such, and misread on their way.
  const misread = (signed: Buffer, name: string) =>
    isBeyondAscii(signed) && isUtf8(signed)
      ? fault(
          'body-charset',
          `The body went through another charset after it was signed: its UTF-8 was read as ${name}, and written as UTF-8 again.`,
          asSent,
        )
      : charset(`as ${name}, and then sent as UTF-8`)
  if ([...text].every((character) => (character.codePointAt(0) ?? 0) <= 0xff)) {
    const signed = Buffer.from(text, 'latin1')
    add(signed, misread(signed, 'Latin-1'))
  }
  const windows = windows1252(text)
  if (windows !== undefined) add(windows, misread(windows, 'Windows-1252'))
  const utf16 = Buffer.from(text, 'utf16le')
  add(utf16, charset('as UTF-16'))
  add(Buffer.from(utf16).swap16(), charset('as UTF-16'))
  if (bytes.length % 2 === 0) add(bytes.toString('utf16le'), charset('as UTF-8, and then sent as UTF-16'))
  add(Buffer.from(text, 'ascii'), charset('with each character cut to one byte'))
  add(text.replace(/[\u0080-\u{10ffff}]/gu, '?'), charset('as ASCII, with ? instead of other characters'))
  add(text.replace(/[\u0080-\uffff]/g, '?'), charset('as ASCII, with ? instead of other characters'))
  add(Buffer.from(bytes.map((byte) => (byte > 0x7f ? 0x3f : byte))), charset('as ASCII, with ? instead of other bytes'))
  add(text, charset('bytes that are not UTF-8 were replaced'))
  if (longMarks.test(text)) return
  add(text.normalize('NFC'), charset('with characters composed in another way (NFC)'))
  add(text.normalize('NFD'), charset('with characters composed in another way (NFD)'))
}

function isBeyondAscii(bytes: Buffer): boolean {
  return bytes.some((byte) => byte > 0x7f)
}

/** Bytes of Windows-1252 from 0x80 on that differ from Latin-1. */
const windowsCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function windows1252(text: string): Buffer | undefined {
  const codes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const special = windowsCharacters.indexOf(character)
    if (special !== -1) codes.push(0x80 + special)
    else if (code <= 0xff) codes.push(code)
    else return undefined
  }
  return Buffer.from(codes)
}

function addEncodings(bytes: Buffer, contentLength: number | undefined, add: Add): void {
  const text = bytes.toString('latin1')
  const encoded = (explanation: string) => fault('body-encoded', explanation, asSent)
  if (contentLength !== undefined && contentLength < bytes.length)
    add(
      bytes.subarray(0, contentLength),
      fault('body-cut', `By Content-Length, only the first ${contentLength} bytes are the body.`, asSent),
    )
  for (const between of ['', '\n', '\r\n']) {
    const half = (text.length - between.length) / 2
    if (half > 0 && Number.isInteger(half) && text === text.slice(0, half) + between + text.slice(0, half))
      add(bytes.subarray(0, half), fault('body-cut', 'The body is repeated here.', asSent))
  }
  const field = /^[\w[\].-]{1,64}=(.*)$/s.exec(text)?.[1]
  if (field !== undefined)
    add(
      Buffer.from(percentDecoded(field.replaceAll('+', ' ')), 'latin1'),
      encoded('The body that was signed was sent as a field of a form.'),
    )
  const whole = unchunked(bytes)
  if (whole !== undefined) add(whole, encoded('The body still contains the chunked framing.'))
  if (/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(text))
    add(Buffer.from(text, 'base64'), encoded('The body that was signed was written as base64 afterwards.'))
  for (const undo of [gunzipSync, inflateSync, brotliDecompressSync])
    try {
      add(undo(bytes, { maxOutputLength: maxRewritten }), encoded('The body was compressed after it was signed.'))
    } catch {
      // It is not compressed that way.
    }
  add(Buffer.from(percentDecoded(text), 'latin1'), encoded('The body was percent-encoded after it was signed.'))
}

/** Of a text whose characters are bytes. */
function percentDecoded(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))
}

function addRewritten(bytes: Buffer, limits: RewritingLimits, add: Add): void {
  const text = bytes.toString('utf8')
  if (bytes.length > maxRewritten || !/^\s*[[{"]/.test(text)) return
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
    if (typeof parsed === 'string')
      add(
        parsed,
        fault('body-rewritten', 'The body was written as JSON twice: it is a string that contains JSON.', asSent),
      )
    const source = typeof parsed === 'string' && /^\s*[[{]/.test(parsed) ? parsed : text
    for (const [held, why] of heldBodies(parsed)) add(held, why)
    addStyles(source, limits, add)
    if (/^\s*[[{]/.test(source)) add(...pythonValue(readJson(source)))
  } catch {
    // It is not JSON, or nested too deep to be written again.
  }
}

function addStyles(text: string, limits: RewritingLimits, add: Add): void {
  for (const { text: written, fault: rewritten, weight } of rewritings(text, limits)) {
    add(written, rewritten, weight)
    if (weight <= 1) add(`${written}\n`, rewritten, weight)
  }
  const read = readJson(text)
  const data = read.kind === 'object' ? read.members.find(([name]) => name === 'data')?.[1] : undefined
  const onlyData = fault('signed-content', 'Only the `data` of the event is signed, not the whole body.', asSent)
  if (data !== undefined)
    for (const written of rewritingsOfPart(data, limits)) add(written.text, onlyData, written.weight)
}
