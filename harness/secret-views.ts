// A text after decoding the escapes that hide a secret in it, and the original place of each character.

/** A text with one layer of escapes decoded, and the place of each character in the original text. */
export interface View {
  readonly text: string
  readonly starts: readonly number[] | undefined
  /** Where each character ends, where that is not where the next one begins. */
  readonly ends?: readonly number[]
}

/** The last alternative is what a cut left of an escape. */
const escapes =
  /\\u([0-9a-fA-F]{4})|\\(?:u\{|x)([0-9a-fA-F]{1,4})\}?|\\([0-3][0-7]{2})|\\(["\\/nrt])|%([0-9a-fA-F]{2})|&#x([0-9a-fA-F]{1,4});|&#(\d{1,5});|&(amp|quot|apos|lt|gt);|(?:\\(?:u[0-9a-fA-F]{0,3})?|%[0-9a-fA-F]?|&(?:#x?[0-9a-fA-F]{0,5}|[a-z]{0,4}))(?=…)/g
const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

/** One layer of JSON, URL or HTML escapes taken off; undefined where there is none. */
export function decodedView({ text, starts }: View): View | undefined {
  if (!/[\\%&]/.test(text)) return undefined
  let decoded = ''
  const positions: number[] = []
  let copied = 0
  const copy = (until: number) => {
    for (let index = copied; index < until; index++) positions.push(starts === undefined ? index : (starts[index] ?? 0))
    decoded += text.slice(copied, until)
  }
  for (const match of text.matchAll(escapes)) {
    const [whole, unicode, braced, octal, plain, percent, hexEntity, entity, name] = match
    copy(match.index)
    const code = unicode ?? braced ?? percent ?? hexEntity
    const isLeftOver = [code, octal, plain, entity, name].every((form) => form === undefined)
    if (isLeftOver) {
      copied = match.index + whole.length
      continue
    }
    decoded +=
      plainOf(plain) ?? (name === undefined ? String.fromCharCode(codeOf({ code, octal, entity })) : named[name])
    positions.push(starts === undefined ? match.index : (starts[match.index] ?? 0))
    copied = match.index + whole.length
  }
  if (copied === 0) return undefined
  copy(text.length)
  positions.push(starts === undefined ? text.length : (starts[text.length] ?? 0))
  return { text: decoded, starts: positions }
}

const breaks: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function plainOf(character: string | undefined): string | undefined {
  return character === undefined ? undefined : (breaks[character] ?? character)
}

function codeOf({ code, octal, entity }: Readonly<Record<'code' | 'octal' | 'entity', string | undefined>>): number {
  if (code !== undefined) return Number.parseInt(code, 16)
  return octal === undefined ? Number(entity) : Number.parseInt(octal, 8)
}

/**
 * Removes the characters that may separate those of a secret: the line breaks of wrapped base64, the colons of hexadecimal, the zeros of
 * UTF-16, characters without a width. Undefined without such characters.
 */
export function squeezedView({ text, starts }: View): View | undefined {
  if (!/[\s\0:\u00ad\u200b-\u200d\u2060]/.test(text)) return undefined
  const positions: number[] = []
  const ends: number[] = []
  let squeezed = ''
  let copied = 0
  const copy = (until: number) => {
    for (let index = copied; index < until; index++) {
      positions.push(starts?.[index] ?? index)
      ends.push(starts?.[index + 1] ?? index + 1)
    }
    squeezed += text.slice(copied, until)
  }
  for (const match of text.matchAll(/[\s\0:\u00ad\u200b-\u200d\u2060]+/g)) {
    copy(match.index)
    copied = match.index + match[0].length
  }
  copy(text.length)
  return { text: squeezed, starts: positions, ends }
}
