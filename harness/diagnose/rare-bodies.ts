// Bodies that can only be found by guessing: a guess at the lost part is reported only if the signature proves it. They are generated one
// at a time, since each is hashed once, and the caller stops at its budget.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { eventTypes, type DataKind } from '../../spec/index.js'
import type { Candidate, Fault } from './finding.js'
import { endsOfWholeNumbers, inserted, lowerCased, numbersWritten, plusDecoded } from './alterations.js'

/** Longer bodies are not guessed at, in characters: each guess is hashed whole. */
const longest = 64 * 1024
/** Up to this many places every combination is tried; with more, each place alone. */
const maxPlaces = 8
/** Places that are tried each alone, at most. */
const maxAlone = 200

interface Delivered {
  readonly id: string
  readonly timestamp: string
}

/** What may have been signed, where the body has lost something since. */
export function* rareBodies(body: Uint8Array, headers: Delivered): Generator<Candidate<Uint8Array>> {
  const text = Buffer.from(body).toString()
  if (text.length > longest) return
  const found = (value: string, fault: Fault): Candidate<Uint8Array> => ({ value: Buffer.from(value), fault })
  for (const signed of raised(text, headers.id)) yield found(signed, lowerCased)
  for (const places of choices(endsOfWholeNumbers(text))) yield found(inserted(text, places, '.0'), numbersWritten)
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index)
  for (const places of choices(blanks)) yield found(replaced(text, places, '+'), plusDecoded)
  for (const signed of withLetters(text)) yield found(signed, lettersLost)
  for (const signed of aroundData(text, headers)) yield found(signed, onlyDataKept)
  // Last: to compress costs more than to hash, and the caller counts hashes.
  for (const value of compressed(body)) yield { value, fault: decompressed }
}

const lettersLost: Fault = {
  cause: 'body-charset',
  explanation: 'A letter beyond ASCII became ? after the body was signed: it went through a charset that lacks it.',
  remedy:
    'Write the body as UTF-8 once. Sign and verify the bytes of the body as they are sent, before anything reads or changes them.',
}
const onlyDataKept: Fault = {
  cause: 'body-cut',
  explanation: 'Only the `data` of the event is here: the whole event was signed.',
  remedy: 'Verify the bytes of the whole body, and take `data` out of it afterwards.',
}

const decompressed: Fault = {
  cause: 'body-encoded',
  explanation: 'The body was signed compressed, and was decompressed on the way.',
  remedy: 'Sign the body before it is compressed: receivers verify what their framework has decompressed.',
}

/** The body compressed as common libraries do: the head of a gzip names the system, in most of them wrongly. */
function* compressed(body: Uint8Array): Generator<Uint8Array> {
  for (const level of [6, 9, 1]) {
    const whole = gzipSync(body, { level })
    for (const system of [3, 255, 0, 10, 19]) {
      const value = Buffer.from(whole)
      value[systemAt] = system
      yield value
    }
    yield deflateSync(body, { level })
  }
  for (const quality of [11, 4])
    yield brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

/** Place of the system in the head of a gzip (RFC 1952, 2.3). */
const systemAt = 9

/** Every choice of at least one place where they are few, else each alone. */
function* choices(places: readonly number[]): Generator<readonly number[]> {
  if (places.length > maxPlaces) {
    for (const place of places.slice(0, maxAlone)) yield [place]
    return
  }
  for (let mask = 1; mask < 2 ** places.length; mask++) yield places.filter((_, index) => (mask >> index) % 2 === 1)
}

function replaced(text: string, places: readonly number[], sign: string): string {
  let result = text
  for (const place of places) result = result.slice(0, place) + sign + result.slice(place + 1)
  return result
}

/** Values with words in them whose capitals are guessed at one by one, at most: there are three ways for each. */
const maxValues = 5

/** Times and the id in capitals again, and the words of values: none, the first, or each of them. */
function* raised(text: string, id: string): Generator<string> {
  if (text !== text.toLowerCase()) return
  const timed = text
    .replace(/\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)/g, (instant) => instant.toUpperCase())
    .replaceAll(JSON.stringify(id.toLowerCase()), JSON.stringify(id))
  if (timed !== text) yield timed
  // A value, not the name of a member; an address or an id has no capitals.
  const values = [...timed.matchAll(/(?<=:\s{0,9})"(?:[^"\\]|\\[^])*(?:"|$)/g)].filter(
    ([value]) => capitals(value, 2) !== value,
  )
  const isFew = values.length <= maxValues
  for (let choice = 1; choice < (isFew ? 3 ** values.length : 3); choice++) {
    let result = ''
    let from = 0
    for (const [at, { index, 0: value }] of values.entries()) {
      const how = isFew ? Math.floor(choice / 3 ** at) % 3 : choice
      result += timed.slice(from, index) + capitals(value, how)
      from = index + value.length
    }
    yield result + timed.slice(from)
  }
}

/** A JSON string as it is (0), with its first word in a capital (1), or each (2). */
function capitals(value: string, how: number): string {
  if (how === 0) return value
  let isFirst = true
  return value.replace(/(?<=["\s])\p{Ll}[\p{L}'’-]*(?=["\s,;:!?])/gu, (word) => {
    if (how === 1 && !isFirst) return word
    isFirst = false
    return word.charAt(0).toUpperCase() + word.slice(1)
  })
}

/** Characters that are often lost: the letters of Latin-1 and its neighbours, and the signs that editors write. */
const beyondAscii = [...'äöüßÄÖÜéèêëáàâãåçñíìîïóòôõøúùûýæœÅÆØÉÇÑ€–—‘’“”…·°§²³½×«»¿¡£łŁśšžčćęąőűğışřěůńżź'] as const
/** Letters that are tried in pairs. */
const maxPaired = 40

/** A letter for each `?` of a word, or for each two: those of UTF-8 that were replaced byte by byte. */
function* withLetters(text: string): Generator<string> {
  for (const form of [/(?<=\p{L}\?{0,9})\?|\?(?=\?{0,9}\p{L})|\ufffd/gu, /\?{2,4}/g]) {
    const places = [...text.matchAll(form)].map(({ index, 0: token }) => ({ index, length: token.length }))
    if (places.length === 0) continue
    const written = (signs: readonly string[]) => {
      let result = ''
      let from = 0
      for (const [at, { index, length }] of places.entries()) {
        result += text.slice(from, index) + (signs[at] ?? '?')
        from = index + length
      }
      return result + text.slice(from)
    }
    for (const letter of beyondAscii) yield written(places.map(() => letter))
    if (places.length === 2)
      for (const one of beyondAscii.slice(0, maxPaired))
        for (const two of beyondAscii.slice(0, maxPaired)) yield written([one, two])
    // One of several was lost, and the others are questions.
    if (places.length > 1 && places.length <= maxPlaces)
      for (const lost of places.keys())
        for (const letter of beyondAscii) yield written(places.map((_, at) => (at === lost ? letter : '?')))
  }
}

/** Milliseconds of the second in which a first attempt is signed, and of the one before. */
const secondsBack = [0, 1] as const

/** The event that had this data: its id is in the headers, its time a moment before they were written. */
function* aroundData(text: string, { id, timestamp }: Delivered): Generator<string> {
  if (!/^\{[^]*\}$/.test(text) || !/^\d{1,11}$/.test(timestamp)) return
  const members = new Set([...text.matchAll(/"([a-z_]{2,30})" ?:/g)].map(([, name = '']) => name))
  if (members.has('data') && members.has('type')) return
  const types = Object.entries(eventTypes).filter(([, kind]) => isOfKind(kind, members))
  const instants = secondsBack.flatMap((back) => {
    const start = (Number(timestamp) - back) * 1000
    return Array.from({ length: 1000 }, (_, ms) => start + (back === 0 ? ms : 999 - ms))
  })
  for (const instant of instants)
    for (const [type] of types)
      yield `{"id":${JSON.stringify(id)},"type":"${type}","timestamp":"${new Date(instant).toISOString()}","data":${text}}`
}

/** A member that data of each kind has, and others do not. */
const informative: Readonly<Record<DataKind, (members: ReadonlySet<string>) => boolean>> = {
  received: (members) => members.has('from') && members.has('subject'),
  queued: (members) => members.has('to') && members.has('subject'),
  delivery: (members) => members.has('recipient') || members.has('reason'),
  workspace: (members) => members.has('workspace_id'),
}

function isOfKind(kind: DataKind, members: ReadonlySet<string>): boolean {
  return informative[kind](members)
}
