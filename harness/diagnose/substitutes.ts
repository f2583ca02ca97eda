// Texts that are signed, or kept, instead of the bytes of a body if a program writes a value as text by mistake.
import type { Fault } from './finding.js'
import type { JsonNode } from './json-text.js'
import type { Alteration } from './alterations.js'

const rawBytes =
  'Sign and verify the bytes of the body as they are sent: neither an object, nor how a language shows one.'

const shown = (explanation: string): Fault => ({ cause: 'body-rewritten', explanation, remedy: rawBytes })
const nothing = (word: string): Fault => ({
  cause: 'signed-content',
  explanation: `The body is not signed: ${JSON.stringify(word)} was signed instead of it.`,
  remedy: rawBytes,
})

/** How languages write an object without a text form. */
const objectsAsText = ['[object Object]', '[object ArrayBuffer]', 'System.Byte[]', 'Array'] as const
/** How they write that there is none. */
const nothings = ['undefined', 'null', 'None', 'nil', '{}'] as const

/** Yields texts that may have been signed instead of any body. */
export function* substitutes(body: Uint8Array): Generator<Alteration> {
  for (const text of objectsAsText) yield [text, shown(`An object was signed as text, ${text}, not the body.`)]
  for (const word of nothings) yield [word, nothing(word)]
  const latin1 = Buffer.from(body).toString('latin1')
  yield [`b${pythonText(latin1, /[^ -~]/g)}`, shown("The body was signed as Python shows bytes: b'…'.")]
}

/** Returns the text that may have been signed instead of a body with this JSON. */
export function pythonValue(read: JsonNode): Alteration {
  return [pythonShows(read), shown('The body was parsed, and signed as Python shows a dictionary, not as JSON.')]
}

function pythonShows(node: JsonNode): string {
  if (node.kind === 'string') return pythonText(node.text, /[\p{C}\p{Z}]/gu)
  if (node.kind === 'literal') return { true: 'True', false: 'False', null: 'None' }[node.text] ?? node.text
  if (node.kind === 'array') return `[${node.items.map(pythonShows).join(', ')}]`
  return `{${node.members.map(([name, value]) => `${pythonShows({ kind: 'string', text: name })}: ${pythonShows(value)}`).join(', ')}}`
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text in the quotes that Python takes for it. */
function pythonText(text: string, escaped: RegExp): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inner = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(escaped, (character) => {
      const code = character.codePointAt(0) ?? 0
      if (character === ' ') return character
      const digits = code.toString(16)
      return (
        short[character] ??
        (code <= 0xff
          ? `\\x${digits.padStart(2, '0')}`
          : code <= 0xffff
            ? `\\u${digits.padStart(4, '0')}`
            : `\\U${digits.padStart(8, '0')}`)
      )
    })
  return `${quote}${inner}${quote}`
}

const kept = (explanation: string): Fault => ({
  cause: 'body-encoded',
  explanation,
  remedy: 'Verify the bytes that this JSON stands for, as they were sent.',
})

/** Bodies that a JSON document holds, of which a log or a gateway has made it. */
export function* heldBodies(parsed: unknown): Generator<readonly [body: Uint8Array, fault: Fault]> {
  if (typeof parsed !== 'object' || parsed === null) return
  const { type, data, body, isBase64Encoded } = parsed as Readonly<Record<string, unknown>>
  if (type === 'Buffer' && Array.isArray(data) && data.every((byte) => typeof byte === 'number'))
    yield [Buffer.from(data), kept('The body is a Buffer of Node.js written as JSON, not its bytes.')]
  if (typeof body === 'string')
    yield [
      Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'),
      kept('The signed body is in `body` of this JSON, as a gateway passes it to a function.'),
    ]
}
