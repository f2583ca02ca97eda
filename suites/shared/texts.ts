// Texts that careless code changes, drops or breaks at, and what may become of them on their way.

import fc from 'fast-check'

/** Texts that look like a value of another type, or like the name of something. */
export const lookAlikes: readonly string[] = [
  'true',
  'false',
  'null',
  'undefined',
  'NaN',
  'yes',
  '12',
  '007',
  '0042',
  '-1',
  '+1',
  '1.50',
  '1e3',
  '0x1f',
  '1,000',
  '9007199254740993',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '2026-01-02T03:04:05.350Z',
  '2026-01-02T03:04:05.678901+02:00',
  '20260102T030405Z',
  'Fri, 02 Jan 2026 03:04:05 GMT',
  '03:04',
  '/Date(1767323045000)/',
  '[1]',
  '{"a":1}',
  '"quoted"',
  'a, b',
  'https://A.example',
  'Ada@Sender.example',
  'Ada <Ada@Sender.example>',
  'Bob@Recipient.example, Eve@Recipient.example',
  '=1+1',
  '$ref',
]

/** Letters of other scripts, and letters that have more than one form or more than one code unit. */
export const foreignLetters: readonly string[] = [
  'Grüße aus München',
  'Ÿ ß İ ı ſ',
  '件名：請求書',
  'مرحبا بالعالم',
  'שלום abc 12',
  'हिन्दी',
  'ｆｕｌｌ ﬁ \u212b',
  'Cafe\u0301',
  '👩‍👩‍👧 family 👋🏽 🇩🇪',
  '𝒳 𠮷 beyond',
  '\u200fright \u202eto\u202c left\u200e',
  'zero\u200bwidth soft\u00adhyphen',
  'It\u2019s \u201cthere\u201d\u2026 \u2013 €',
]

/** Signs with a meaning in JSON, HTML, SQL, templates, URLs, shells or mail. */
export const signs: readonly string[] = [
  'a < b && <i>"c"</i> > d',
  '</script><!--',
  '&amp; &#39; &lt;b&gt;',
  String.raw`C:\temp\new \u0041 \' \\ \0`,
  "Robert'); DROP TABLE events;--",
  '%s %d %n %(name)s ${x} {{y}} #{z} {0}',
  'caf%C3%A9 100%25 %0d%0a %00 a+b',
  '`a` $(b) | c; d',
  '~!@#$^*()_-=[]{}|:",./?',
  'Re: =?utf-8?q?a?= <b> & "c"',
]

/** Blanks, at the ends and in a row. */
export const blanks: readonly string[] = [' ', ' a', 'a ', 'a  b   c', 'a\u00a0b', 'a\u3000b', '\ufeffa']

/** Control characters and ends of lines, which JSON writes as escapes. */
export const controls: readonly string[] = [
  'tab\there',
  'line\nend',
  'line\r\nend',
  'line\rend',
  '\r\n\r\nafter an empty line',
  '.\r\n.\r\n',
  'mark\u2028 and\u2029',
  'next\u0085line',
  'bell\u0007 back\u0008 form\u000c',
  '\u001b[31mred\u001b[0m',
  'delete\u007f',
  'one\u0001two',
]

/** Texts that not every store or encoding can hold: NUL, and surrogates without their other half. */
export const unstorable: readonly string[] = [
  'one\u0000two',
  '\u0000',
  'end\u0000',
  'a\ud83d',
  '\udc4bb',
  'a\udc4b\ud83db',
]

/** Texts that every field must keep as they are. */
export const plainTexts: readonly string[] = [...lookAlikes, ...foreignLetters, ...signs]

const textOf = (texts: readonly string[]) => fc.constantFrom(...texts)

/** Random text that every field must keep as it is: without blanks at its ends. */
export const anyPlainText: fc.Arbitrary<string> = fc.oneof(
  textOf(plainTexts),
  fc.tuple(textOf(plainTexts), textOf(plainTexts)).map((texts) => texts.join(' ')),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text) && text.trim() === text),
)

/** Random text of any characters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: anyPlainText },
  { weight: 2, arbitrary: textOf([...blanks, ...controls]) },
  {
    weight: 1,
    arbitrary: fc.tuple(textOf(plainTexts), textOf([...controls, ...unstorable])).map((texts) => texts.join('')),
  },
  { weight: 1, arbitrary: textOf(unstorable) },
)

/** What a service may replace or leave out: control characters, ends of lines, surrogates without their other half. */
const replaceable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/u

/** Whether every field must keep the text as it is. */
export function isPlain(text: string): boolean {
  return !replaceable.test(text) && text.trim() === text && text !== ''
}

/** Whether a service may refuse mail with the text in it: it is not plain, or a filter in front of the service may consider it an attack. */
export function isRefusable(text: string): boolean {
  return !isPlain(text) || signs.some((sign) => text.includes(sign))
}

/**
 * Whether `shown` is the text that was sent. Control characters may be replaced or left out, and blanks at the ends too: mail carries
 * neither. Everything between them is the same.
 */
export function keepsText(sent: string, shown: unknown): boolean {
  if (typeof shown !== 'string') return false
  if (shown === sent) return true
  const parts = sent.trim().split(new RegExp(replaceable, 'gu'))
  const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  return new RegExp(`^\\s*${escaped.join(`[^]{0,${longestReplacement}}`)}\\s*$`, 'u').test(shown)
}

/** Characters that may replace a run of control characters, such as escapes. */
const longestReplacement = 24
