// The body: raw bytes, verified before any parsing.

import type { VectorFlagName } from '../flags.js'
import type { VectorResult } from '../vector.js'
import { bytesOf, eventText, first, secretOf, type Open, type Topic } from './message.js'

const head = '"type":"message.received","timestamp":"2027-01-15T08:00:00.000Z"'
const withSubject = (subject: string) => `{"id":"evt_1",${head},"data":{"subject":${subject}}}`
const plain = eventText('evt_1')
const around = (middle: string | readonly number[]) =>
  Buffer.concat([
    Buffer.from('{"id":"evt_1","data":{"subject":"'),
    typeof middle === 'string' ? Buffer.from(middle) : Buffer.from(middle),
    Buffer.from('"}}'),
  ])

export const bodies: Topic = [
  { from: 260, isFirst: true, build: firstTests },
  { from: 1401, build: laterTests },
]

const json = (data: string) =>
  `{"id":"evt_1","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z","data":${data}}`

type BodyRow = readonly [name: string, body: string, result?: VectorResult, flag?: VectorFlagName]

function firstTests(open: Open): void {
  const add = open(first.secret)
  const pretty = JSON.stringify(JSON.parse(first.body), null, 2)
  for (const [name, body, result = 'valid', flag = 'RawBody'] of [
    ['blanks after colons', first.body.replaceAll('":', '": ')],
    ['pretty', pretty],
    ['tabs', JSON.stringify(JSON.parse(first.body), null, '\t')],
    ['a line break at the end', `${first.body}\n`],
    ['carriage returns', pretty.replaceAll('\n', '\r\n')],
    ['blanks around it', `  ${first.body}  `],
    ['escaped slashes', json('{"subject":"a\\/b"}')],
    ['escaped letters', json('{"subject":"caf\\u00e9"}')],
    ['letters beyond ASCII', json('{"subject":"café, 你好, Grüße"}'), 'valid', 'TextBody'],
    ['an emoji', json('{"subject":"👋🏽"}'), 'valid', 'TextBody'],
    ['an escaped emoji', json('{"subject":"\\ud83d\\udc4b"}')],
    ['U+2028 as it is', json('{"subject":"\u2028"}'), 'valid', 'TextBody'],
    ['escaped control characters', json('{"subject":"\\u0000\\u007f"}')],
    ['1.0', json('{"n":1.0}')],
    ['1e2', json('{"n":1e2}')],
    ['-0', json('{"n":-0}')],
    ['an integer beyond 2^53', json('{"n":9007199254740993}')],
    ['a long decimal', json('{"n":0.1000000000000000055511151231257827}')],
    ['integer-like keys out of order', json('{"10":1,"9":2,"1":3}')],
    ['a key __proto__', json('{"__proto__":{"admin":true}}'), 'acceptable'],
    ['an empty key', json('{"":1}')],
    ['deep nesting', json(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`)],
    ['HTML', json('{"subject":"<script>alert(1)</script>&amp;"}')],
    ['20 KB', json(`{"text":"${'lorem ipsum '.repeat(1_700)}"}`), 'valid', 'LargeBody'],
    ['256 KB', json(`{"text":"${'x'.repeat(256 * 1024)}"}`), 'valid', 'LargeBody'],
  ] as readonly BodyRow[])
    add(result, flag, name, { body })
  add('acceptable', 'RawBody', 'a duplicate key', { body: json('{"a":1,"a":2}') })
  add('acceptable', 'RawBody', 'a lone surrogate, escaped', { body: json('{"subject":"\\ud83d"}') })
  for (const [name, signed, body] of [
    ['compact signed, pretty sent', first.body, pretty],
    ['pretty signed, compact sent', pretty, first.body],
    ['blanks signed, none sent', first.body.replaceAll('":', '": '), first.body],
    ['an escaped letter signed, the letter sent', json('{"subject":"caf\\u00e9"}'), json('{"subject":"café"}')],
    ['1.0 signed, 1 sent', json('{"n":1.0}'), json('{"n":1}')],
    ['keys in another order', json('{"a":1,"b":2}'), json('{"b":2,"a":1}')],
    ['composed letters signed, decomposed sent', json('{"subject":"é"}'), json('{"subject":"e\u0301"}')],
  ] as const)
    add('invalid', 'Reserialized', name, { signedBody: signed, body })
  for (const [name, body] of [
    ['empty', ''],
    ['plain text', 'hello'],
    ['form data', 'a=1&b=2'],
    ['null', 'null'],
    ['a number', '42'],
    ['a string', '"text"'],
    ['a list', '[1,2,3]'],
    ['half a JSON text', '{"id":'],
    ['a byte order mark and JSON', `\ufeff${first.body}`],
    ['a NUL byte', Buffer.from([0x7b, 0x00, 0x7d])],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    [
      'JSON with a byte that is not UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}')]),
    ],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
    ['all 256 bytes', Buffer.from(Array.from({ length: 256 }, (_, index) => index))],
  ] as const)
    add('acceptable', 'BodyBytes', `${name}, signed as sent`, { body })
  add('invalid', 'Utf8Collision', 'signed with replacement characters, sent with bytes that are not UTF-8', {
    signedBody: '{"a":"\ufffd"}',
    body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]),
  })
}

function laterTests(open: Open): void {
  const key = bytesOf('bodies', 24)
  const add = open(secretOf(key), key)

  const raw = (comment: string, body: string) => add('valid', 'RawBody', comment, { body })
  raw('line feeds at the beginning', `\n\n${plain}`)
  raw('a blank at either end', ` ${plain} `)
  raw('two line feeds at the end', `${plain}\n\n`)
  raw('an escaped slash', withSubject('"a\\/b"'))
  raw('an escaped letter with capital digits', withSubject('"caf\\u00E9"'))
  raw('an escaped ASCII letter', withSubject('"\\u0061"'))
  raw('escaped HTML, as some libraries write it', withSubject('"\\u003cb\\u003e \\u0026"'))
  raw('an exponent with a capital E and a sign', withSubject('1E+2'))
  raw('keys out of alphabetical order', '{"type":"message.received","id":"evt_1","data":{"z":1,"a":2}}')
  raw('blanks within empty lists and objects', '{"id":"evt_1","data":{"a":[ ],"b":{ }}}')

  const text = (comment: string, body: string) => add('valid', 'TextBody', comment, { body })
  text('letters of Latin-1', eventText('evt_1', 'Gr\u00fc\u00dfe aus K\u00f6ln, na\u00efve caf\u00e9'))
  text('letters of three bytes', eventText('evt_1', '\u4f60\u597d\uff0c\u4e16\u754c'))
  text('an emoji of four bytes with a modifier', eventText('evt_1', '\u{1f44b}\u{1f3fd}'))
  text('a composed letter as two code points', eventText('evt_1', 'cafe\u0301'))
  text('the replacement character itself', eventText('evt_1', 'a\ufffdb'))
  text('a zero-width no-break space within', eventText('evt_1', 'a\ufeffb'))
  text('right-to-left text', eventText('evt_1', '\u05e9\u05dc\u05d5\u05dd'))
  text('the greatest code point', eventText('evt_1', '\u{10ffff}'))

  const other = (
    flag: 'Reserialized' | 'Utf8Collision',
    comment: string,
    signedBody: string | Uint8Array,
    body: string | Uint8Array,
  ) => add('invalid', flag, comment, { signedBody, body })
  const same = (comment: string, signedBody: string, body: string) => other('Reserialized', comment, signedBody, body)
  same('signed compact, sent with blanks after colons', plain, plain.replaceAll('":', '": '))
  same('signed compact, sent with a line feed at the end', plain, `${plain}\n`)
  same('signed with a line feed at the end, sent without it', `${plain}\n`, plain)
  same('signed with a blank in front, sent without it', ` ${plain}`, plain)
  same('signed with CR LF, sent with LF', '{\r\n"id":"evt_1"\r\n}', '{\n"id":"evt_1"\n}')
  same('signed with LF, sent with CR LF', '{\n"id":"evt_1"\n}', '{\r\n"id":"evt_1"\r\n}')
  same('signed with the letter, sent escaped', withSubject('"\u00e9"'), withSubject('"\\u00e9"'))
  same('signed with an escaped slash, sent with the slash', withSubject('"a\\/b"'), withSubject('"a/b"'))
  same('signed with 1e2, sent with 100', withSubject('1e2'), withSubject('100'))
  same('two integers beyond 2^53 that are one double', withSubject('9007199254740993'), withSubject('9007199254740992'))
  same('signed with a key twice, sent with the last one', '{"a":1,"a":2}', '{"a":2}')

  const collides = (comment: string, signedBody: string | Uint8Array, body: string | Uint8Array) =>
    other('Utf8Collision', comment, signedBody, body)
  collides('an invalid byte instead of another invalid byte', around([0xff]), around([0xfe]))
  collides('an invalid byte instead of the replacement character', around('\ufffd'), around([0xff]))
  collides('the replacement character instead of an invalid byte', around([0xff]), around('\ufffd'))
  collides('one invalid sequence instead of another', around([0xc3, 0x28]), around([0xc4, 0x28]))
  collides('a byte order mark taken away', `\ufeff${plain}`, plain)
  collides('two byte order marks instead of one', `\ufeff${plain}`, `\ufeff\ufeff${plain}`)
  collides('Latin-1 bytes instead of UTF-8 ones', around('\u00fc'), around([0xfc]))
  collides('UTF-8 bytes instead of Latin-1 ones', around([0xfc]), around('\u00fc'))
  collides('UTF-8 encoded twice instead of once', around('\u00fc'), around('\u00c3\u00bc'))
  collides('a NUL byte at the end', plain, `${plain}\0`)
  collides('another text after a NUL byte', `${plain}\0a`, `${plain}\0b`)
  collides('a byte that differs in its eighth bit', around([0x61]), around([0xe1]))
  collides('a question mark instead of a letter beyond ASCII', around('\u00e9'), around('?'))

  const odd = (comment: string, body: string | Uint8Array) => add('acceptable', 'BodyBytes', comment, { body })
  odd('two JSON documents, signed as sent', '{"id":"evt_1"}{"id":"evt_2"}')
  odd('an encoded surrogate in a JSON string, signed as sent', around([0xed, 0xa0, 0x80]))
  odd('blanks alone, signed as sent', '   ')

  add('valid', 'Plain', 'the smallest object', { body: '{}' })
  add('valid', 'LargeBody', 'a body of 64 bytes: one block of the hash', { body: padded(64) })
  add('valid', 'LargeBody', 'a body of 16,385 bytes: one more than a TLS record', { body: padded(16_385) })
  add('valid', 'LargeBody', 'a body of 65,537 bytes: one more than 64 KB', { body: padded(65_537) })
  add('invalid', 'TamperedBody', 'a body of 65,537 bytes, the last letter of which was changed', {
    signedBody: padded(65_537),
    body: padded(65_537).replace('a"}}', 'b"}}'),
  })
  // U+007F is the one control character that a JSON string may contain unescaped.
  text('U+007F, as it is', withSubject('"a\x7fb"'))
  collides('U+007F taken out of a text', withSubject('"a\x7fb"'), withSubject('"ab"'))
  collides('U+007F put into a text', withSubject('"ab"'), withSubject('"a\x7fb"'))
  collides('a character of no width put into a text', withSubject('"ab"'), withSubject('"a\u200bb"'))
  collides('a character of no width taken out of a text', withSubject('"a\u200bb"'), withSubject('"ab"'))
  collides('a byte that is not UTF-8 put into a text', around([0x61, 0x62]), around([0x61, 0xff, 0x62]))
  collides('a byte that is not UTF-8 taken out of a text', around([0x61, 0xff, 0x62]), around([0x61, 0x62]))
  collides('half a letter at the end of a body', plain, Buffer.concat([Buffer.from(plain), Buffer.from([0xc3])]))
  // A signed string that is made from a pattern or a template reads signs of the body as its own.
  raw('signs that String.replace of JavaScript reads', withSubject('"$& $$ $` $\' $1 $<id>"'))
  raw('signs that printf reads', withSubject('"100 %% of %s, %d, %1$s, %41%2B"'))
  raw('signs that templates read', withSubject('"{0} {} {{body}} ${body} #{body} <%= body %>"'))
  raw('signs that patterns read', withSubject('"a\\\\b \\\\0 \\\\1 \\\\n \\\\E"'))
}

/** Returns an event with exactly this many bytes. */
function padded(length: number): string {
  const [start, end] = ['{"id":"evt_9","data":{"text":"', '"}}'] as const
  return start + 'a'.repeat(length - start.length - end.length) + end
}
