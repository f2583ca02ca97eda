// JSON of strangers: text that is nested too deep, or contains too many values, would exhaust the stack or the memory of the code that
// reads it. No answer of the interface is near these limits.

/** Levels of nesting; the deepest value of the interface has six. */
const maxLevels = 256
/** Values and member names of one text; a page of 100 events has some 3,000. */
const maxValues = 300_000
/** Texts below this length cannot pass either limit. */
const harmlessLength = maxLevels

/** Returns the value of a JSON text; undefined for invalid JSON, or JSON beyond the limits above. */
export function parseJson(text: string): unknown {
  if (text.length > harmlessLength && valuesOf(text) === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
/** `[` and `{`, `]` and `}`, each pair apart by one bit. */
const opening = 0x5b
const closing = 0x5d
const pairBit = 0x20

/** How many values and member names a JSON text has; undefined beyond the limits above. */
export function valuesOf(text: string): number | undefined {
  let level = 0
  let values = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      index = endOfString(text, index)
      continue
    }
    const bracket = code & ~pairBit
    if (bracket === opening) {
      if (++level > maxLevels) return undefined
      values++
    } else if (bracket === closing) level--
    else if (code === comma || code === colon) values++
    if (values > maxValues) return undefined
  }
  return values
}

/** Whether a JSON text has more levels of nesting. */
export function isDeeperThan(text: string, levels: number): boolean {
  let level = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if ((code & ~pairBit) === opening && ++level > levels) return true
    else if ((code & ~pairBit) === closing) level--
  }
  return false
}

/** Index of the quote that ends the string which begins at `start`; the last index where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** A value of foreign JSON as text, which `String` cannot give of `{"toString": 1}`; of an object or list its JSON. */
export function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
