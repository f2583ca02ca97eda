// Texts that mean the same event but are not what a JSON library writes. Each reveals a receiver that verifies what it wrote
// again. Of an event of the user's own the text is spelt again: nothing is added to it.

export interface BodyForm {
  readonly name: string
  readonly title: string
  /** The JSON text of an event of the interface, with `mark` in it. */
  readonly text: (mark: string) => string
  /** Another spelling of a JSON text. */
  readonly respell: (text: string) => string
}

const head = (mark: string) => `"id":"evt_${mark}","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z"`
const message = (mark: string, from = 'a@b.example') =>
  `"message_id":"msg_${mark}","inbox_id":"ibx_1","thread_id":"thr_1","from":"${from}"`

/** Maps the strings of a JSON text, and the text between them, separately. */
function mapped(
  text: string,
  { strings = same, rest = same }: { strings?: (s: string) => string; rest?: (s: string) => string },
) {
  return text.replace(/("(?:[^"\\]|\\.)*")|([^"]+)/g, (part: string, string?: string) =>
    string === undefined ? rest(part) : strings(part),
  )
}

const same = (text: string) => text
const spaced = (text: string) => mapped(text, { rest: (part) => part.replace(/[,:{[]/g, '$& ') })
const escapedLetters = (text: string) =>
  mapped(text, { strings: (part) => part.replace(/(?<!\\)[a](?=[^"]*"$)/g, '\\u0061') })

export const bodyForms: readonly BodyForm[] = [
  {
    name: 'spaces',
    title: 'spaces after colons and commas',
    text: (mark) => `{ ${head(mark).replaceAll(':"', ': "')}, "data": { ${message(mark)}, "subject": "x" } }`,
    respell: spaced,
  },
  {
    name: 'spaced-unicode',
    title: 'spaces, and characters beyond ASCII',
    text: (mark) =>
      `{ ${head(mark).replaceAll(':"', ': "')}, "data": { ${message(mark)}, "subject": "Grüße 你好 👋" } }`,
    respell: spaced,
  },
  {
    name: 'line-breaks',
    title: 'line breaks and a trailing one',
    text: (mark) => `{\r\n${head(mark)},\r\n"data":{${message(mark)},"subject":"x"}}\n`,
    respell: (text) => `${mapped(text, { rest: (part) => part.replaceAll(',', ',\r\n') })}\n`,
  },
  {
    name: 'escaped-slash',
    title: 'an escaped slash',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"a\\/b"}}`,
    respell: (text) => spaced(mapped(text, { strings: (part) => part.replace(/(?<!\\)\//g, '\\/') })),
  },
  {
    name: 'unicode-escapes',
    title: 'escaped letters',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"caf\\u00e9 \\u007f"}}`,
    respell: escapedLetters,
  },
  {
    name: 'numbers',
    title: 'numbers in other spellings',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"x","a":1.0,"b":1e2,"c":-0}}`,
    respell: (text) => `${text} `,
  },
  {
    name: 'large-integers',
    title: 'integers beyond 2^53',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"x","n":9007199254740993}}`,
    respell: (text) => ` ${text}`,
  },
  {
    name: 'decomposed-letters',
    title: 'decomposed letters',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"cafe\u0301 \u212b"}}`,
    respell: (text) => `${text}\t`,
  },
  {
    name: 'template-signs',
    title: 'characters of patterns and templates',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"100 %% of $& %s {0} \\\\1 \${id} $'"}}`,
    respell: (text) => `${text}\n`,
  },
  {
    name: 'entities',
    title: 'characters that HTML escapes, and entities',
    text: (mark) =>
      `{${head(mark)},"data":{${message(mark)},"subject":"Tom & Jerry &amp; <b> &lt;b&gt; &quot;x&quot; &#39; &#x27; &nbsp;"}}`,
    respell: (text) => ` ${text}\n`,
  },
  {
    name: 'percent-escapes',
    title: 'percent escapes and plus signs',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"caf%C3%A9 100%25 a+b%2Fc =3D"}}`,
    respell: (text) => `\t${text}`,
  },
  {
    name: 'characters-like-others',
    title: 'unusual blanks and quotation marks',
    text: (mark) =>
      `{\t${head(mark)},\t"data":{${message(mark)},"subject":"a\u00a0b\u2009c \u2019d\u201c \u00ade\u200bf\u200dg\ufeffh \u2013\u2026"}}`,
    respell: (text) => mapped(text, { rest: (part) => part.replaceAll(',', ',\t') }),
  },
  {
    name: 'key-order',
    title: 'integer-like keys out of order',
    text: (mark) => `{${head(mark)},"data":{${message(mark)},"subject":"x","m":{"10":1,"9":2}}}`,
    respell: (text) => `\n${text}`,
  },
  {
    name: 'unicode',
    title: 'characters beyond ASCII and beyond the basic plane',
    // The sender's name too: code that handles addresses may assume ASCII.
    text: (mark) =>
      `{${head(mark)},"data":{${message(mark, 'Zoë 你好 <a@b.example>')},"subject":"Grüße 你好 👋 \u2028"}}`,
    respell: (text) => text,
  },
]

/** An event of the interface whose text holds characters of two, three and four bytes. */
export function beyondAscii(mark: string): string {
  return `{${head(mark)},"data":{${message(mark)},"subject":"Grüße 你好 👋 naïve"}}`
}

/** Returns offsets within characters of more than one byte: code that decodes piece by piece loses them. */
export function cutsWithinCharacters(body: Uint8Array): readonly number[] {
  return [...body.keys()].filter((index) => ((body[index] ?? 0) & 0xc0) === 0x80).slice(0, 8)
}
