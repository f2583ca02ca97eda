// What careless programs do to the text of a body, undone in every way that can be tried in one go.
import type { Fault } from './finding.js'
import { quoted, type Escape } from './json-text.js'

const asSent = 'Sign and verify the bytes of the body as they are sent, before anything reads or changes them.'

/** A body that may have been signed, and what must have happened to it. */
export type Alteration = readonly [text: string, fault: Fault]

const letters = (explanation: string): Fault => ({
  cause: 'body-rewritten',
  explanation,
  remedy: `Never change the letters of a body: compare values after the signature was verified. ${asSent}`,
})
const encoded = (explanation: string): Fault => ({ cause: 'body-encoded', explanation, remedy: asSent })

export const lowerCased = letters('The capital letters of the body were made small after it was signed.')
export const plusDecoded = encoded(
  'Each + of the body became a blank after it was signed: it was read as a form, or as a part of a URL.',
)
export const numbersWritten: Fault = {
  cause: 'body-rewritten',
  explanation: 'The body was parsed and serialized again: a number such as 1.0 was signed, and is 1 here.',
  remedy:
    'Keep the raw bytes of the body, and sign or verify those before any parsing. A JSON library writes the same value in other bytes.',
}

/** The text with one thing undone, or as who signed it may have had it. */
export function* alterations(text: string): Generator<Alteration> {
  yield [text.toLowerCase(), letters('The body was signed with its capital letters made small, and sent as it is.')]
  yield [text.toUpperCase(), letters('The body was signed in capital letters, and sent as it is.')]
  yield [text.replaceAll('+', ' '), encoded('The body was signed with a blank instead of each +, as forms are read.')]
  yield [text.replaceAll(' ', '+'), plusDecoded]
  yield* entities(text)
  yield [withFractions(text), numbersWritten]
  yield* stringEscapes(text)
}

/** Escapes of a JSON string as libraries write them by default. */
const stringStyles: readonly (readonly Escape[])[] = [
  [],
  ['non-ascii'],
  ['slash', 'non-ascii'],
  ['slash'],
  ['html', 'line-separators'],
]

/** The text of the body before or after code treated it as the inside of a string. */
function* stringEscapes(text: string): Generator<Alteration> {
  const added = encoded(
    'Quotes and other characters of the body have backslashes before them, as in a JavaScript string; they were added after it was signed.',
  )
  if (text.includes('\\')) {
    yield [text.replace(/\\([^])/g, (_, escaped: string) => controlEscapes[escaped] ?? escaped), added]
    yield [text.replace(/\\([^])/g, '$1'), added]
    yield [text.replace(/\\(["'`\\])/g, '$1'), added]
    yield [text.replace(/\\(["'`])/g, '$1'), added]
  }
  const once = encoded(
    'The body was written as JSON once more before it was signed: the signature is over a JSON string that contains the body.',
  )
  for (const escapes of stringStyles) yield [quoted(text, escapes), once]
  const lost = encoded(
    'The body was signed with backslashes before its quotes, as in a JavaScript string, and sent without them.',
  )
  for (const escapes of stringStyles) yield [quoted(text, escapes).slice(1, -1), lost]
  yield [text.replace(/[\\"'`]|(?<=<)\//g, (character) => `\\${character}`).replaceAll('\n', '\\n'), lost]
  yield [text.replace(/[\\"']/g, (character) => `\\${character}`), lost]
}

const controlEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** `&` is written first and read last, so that nothing is taken twice. */
const signs = [
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
] as const
const apostrophes = ['&#39;', '&#039;', '&#x27;', '&apos;'] as const

function* entities(text: string): Generator<Alteration> {
  const added = encoded('Characters such as " and & became HTML entities (&quot;, &amp;) after the body was signed.')
  const read = unescaped(text, '"')
  yield [read, added]
  // In a JSON string the quote was escaped before.
  yield [unescaped(text, '\\"'), added]
  yield [unescaped(read, '"'), { ...added, explanation: `${added.explanation.slice(0, -1)}, twice.` }]
  const lost = encoded('The body was signed with HTML entities (&quot;, &amp;) in it, and sent without them.')
  for (const quotes of [true, false]) {
    const most = signs
      .filter(([sign]) => quotes || sign !== '"')
      .reduce((all, [sign, name]) => all.replaceAll(sign, `&${name};`), text)
    yield [most, lost]
    for (const apostrophe of apostrophes) yield [most.replaceAll("'", apostrophe), lost]
  }
  yield [text.replaceAll('&', '&amp;'), lost]
  yield [text.replaceAll('\\"', '&quot;'), lost]
}

function unescaped(text: string, quote: string): string {
  const plain = signs.toReversed().reduce((all, [sign, name]) => {
    if (sign === '&') return all
    return all.replaceAll(`&${name};`, sign === '"' ? quote : sign)
  }, text)
  return plain
    .replace(/&#(?:x0*27|0*39);|&apos;/gi, "'")
    .replace(/&#(?:x0*22|0*34);/gi, quote)
    .replaceAll('&amp;', '&')
}

/** A number of JSON without a fraction, outside of strings; the fraction it may have had replaces its end. */
// A string without an end goes on to the end of the text: else it would be read again from each quote in it.
const wholeNumbers = /"(?:[^"\\]|\\[^])*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Where whole numbers end, in the text of JSON. */
export function endsOfWholeNumbers(text: string): readonly number[] {
  return [...text.matchAll(wholeNumbers)]
    .filter(([token]) => /^-?\d+$/.test(token))
    .map(({ index, 0: token }) => index + token.length)
}

/** Adds `.0` to each whole number. */
function withFractions(text: string): string {
  return inserted(text, endsOfWholeNumbers(text), '.0')
}

/** The text with something put in at each place. */
export function inserted(text: string, places: readonly number[], what: string): string {
  let result = ''
  let from = 0
  for (const place of places) {
    result += text.slice(from, place) + what
    from = place
  }
  return result + text.slice(from)
}
