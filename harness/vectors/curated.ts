// The vectors of fixtures/vectors/signature.json. Their MACs are computed here once; a test computes them again with openssl.
import { hmac, keyOf, sign } from '../wire/signing.js'
import { furtherGroups } from './curated/index.js'
import { vectorFlags, type VectorFlagName } from './flags.js'
import { vectorSchema, type Vector, type VectorDocument, type VectorResult } from './vector.js'

const now = 1_700_000_000
const mainSecret = `whsec_${Buffer.from('conformance-vectors-key-0001').toString('base64')}`
const otherSecret = `whsec_${Buffer.from('conformance-vectors-key-0002').toString('base64')}`
const event =
  '{"id":"evt_1","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z","data":{"message_id":"msg_1","inbox_id":"ibx_1","thread_id":"thr_1","from":"a@b.example","subject":"Hello"}}'

interface Draft {
  readonly secret?: string
  readonly id?: string
  readonly timestamp?: string
  readonly body?: string | Uint8Array
  readonly now?: number
  /** Replaces the header; a function is given the good entry. */
  readonly signature?: string | ((entry: string) => string)
  /** What was signed where it is not what is sent. */
  readonly signed?: { readonly id?: string; readonly timestamp?: string; readonly body?: string | Uint8Array }
  readonly headers?: (headers: Readonly<Record<string, string>>) => Record<string, string>
}

type Row = readonly [
  flag: VectorFlagName | readonly VectorFlagName[],
  comment: string,
  result: VectorResult,
  draft?: Draft,
]

const wrong = (mark: string) => `v1,${hmac(keyOf(otherSecret), mark)}`
const without = (name: string) => (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))
const withValue = (name: string, value: string) => (headers: Readonly<Record<string, string>>) => ({
  ...headers,
  [name]: value,
})
const macOf = (entry: string) => Buffer.from(entry.slice(3), 'base64')

function flipped(entry: string, bit: number): string {
  const mac = macOf(entry)
  mac[bit >> 3] = (mac[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return `v1,${mac.toString('base64')}`
}

const plain: readonly Row[] = [
  ['Plain', 'a delivery as the service sends it', 'valid'],
  ['Plain', 'signed one second ago', 'valid', { timestamp: String(now - 1) }],
  ['Plain', 'signed one second ahead of the clock', 'valid', { timestamp: String(now + 1) }],
  ['Plain', 'signed two minutes ago', 'valid', { timestamp: String(now - 120) }],
  ['ReplayedId', 'the first delivery again: each is judged by itself', 'valid'],
  ['ReplayedId', 'the same event signed later, as a retry', 'valid', { timestamp: String(now - 5) }],
]

const timestamps: readonly Row[] = [
  ...([299, 300] as const).flatMap((age): Row[] => [
    ['BoundaryTimestamp', `${age} seconds old: not more than 300`, 'valid', { timestamp: String(now - age) }],
    ['BoundaryFutureTimestamp', `${age} seconds ahead: not more than 300`, 'valid', { timestamp: String(now + age) }],
  ]),
  ...[301, 302, 360, 600, 3_600, 86_400, 31_536_000].flatMap((age): Row[] => [
    [
      age === 301 ? 'BoundaryTimestamp' : 'StaleTimestamp',
      `${age} seconds old`,
      'invalid',
      { timestamp: String(now - age) },
    ],
    [
      age === 301 ? 'BoundaryFutureTimestamp' : 'FutureTimestamp',
      `${age} seconds ahead`,
      'invalid',
      { timestamp: String(now + age) },
    ],
  ]),
  ['StaleTimestamp', 'the timestamp 0', 'invalid', { timestamp: '0' }],
  ['StaleTimestamp', 'the timestamp 1', 'invalid', { timestamp: '1' }],
  ['FutureTimestamp', 'milliseconds in place of seconds', 'invalid', { timestamp: String(now * 1000) }],
  ['FutureTimestamp', 'microseconds in place of seconds', 'invalid', { timestamp: String(now * 1_000_000) }],
  ['FutureTimestamp', 'the greatest number of 32 bits', 'invalid', { timestamp: '4294967295' }],
  ['FutureTimestamp', 'the greatest number of 64 bits', 'invalid', { timestamp: '9223372036854775807' }],
  ['FutureTimestamp', 'a number beyond 64 bits', 'invalid', { timestamp: '18446744073709551616' }],
  ['FutureTimestamp', 'four thousand digits', 'invalid', { timestamp: '9'.repeat(4_000) }],
  ['StaleTimestamp', 'a negative number', 'invalid', { timestamp: '-1' }],
  ['StaleTimestamp', 'the clock with a minus sign', 'invalid', { timestamp: `-${now}` }],
  ['StaleTimestamp', 'the least number of 64 bits', 'invalid', { timestamp: '-9223372036854775808' }],
  ...['abc', 'now', 'NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', '{}', '[]'].map((text): Row => [
    'MalformedTimestamp',
    `the text ${text}`,
    'invalid',
    { timestamp: text },
  ]),
  ['MalformedTimestamp', 'ISO 8601', 'invalid', { timestamp: '2023-11-14T22:13:20Z' }],
  ['MalformedTimestamp', 'an HTTP date', 'invalid', { timestamp: 'Tue, 14 Nov 2023 22:13:20 GMT' }],
  ['MalformedTimestamp', 'a blank between the digits, signed as sent', 'invalid', { timestamp: '17000 00000' }],
  ...(
    [
      ['a decimal .9', `${now}.9`],
      ['a decimal point', `${now}.`],
      ['letters after the digits', `${now}abc`],
      ['twice, joined by a comma', `${now}, ${now}`],
      ['a semicolon and more', `${now};1`],
      ['an exponent', '1.7e9'],
      ['underscores', '1_700_000_000'],
      ['hexadecimal', `0x${now.toString(16)}`],
      ['octal', `0o${now.toString(8)}`],
      ['binary', `0b${now.toString(2)}`],
    ] as const
  ).flatMap(([name, text]): Row[] => [
    [
      'MalformedTimestamp',
      `${name}, the plain number signed`,
      'invalid',
      { timestamp: text, signed: { timestamp: String(now) } },
    ],
    ['TimestampSpelling', `${name}, signed as sent`, 'acceptable', { timestamp: text }],
  ]),
  ...(
    [
      ['a plus sign', `+${now}`],
      ['a leading zero', `0${now}`],
      ['a leading blank', ` ${now}`],
      ['a trailing blank', `${now} `],
      ['full-width digits', '１７００００００００'],
      ['Arabic-Indic digits', '١٧٠٠٠٠٠٠٠٠'],
      ['a decimal .0', `${now}.0`],
    ] as const
  ).flatMap(([name, text]): Row[] => [
    [
      ['TimestampSpelling', 'TamperedTimestamp'],
      `${name}, the plain number signed`,
      'invalid',
      { timestamp: text, signed: { timestamp: String(now) } },
    ],
    ['TimestampSpelling', `${name}, signed as sent`, 'acceptable', { timestamp: text }],
  ]),
]

const entries: readonly Row[] = [
  ['SeveralEntries', 'matching, wrong', 'valid', { signature: (good) => `${good} ${wrong('a')}` }],
  ['SeveralEntries', 'wrong, matching', 'valid', { signature: (good) => `${wrong('a')} ${good}` }],
  ['SeveralEntries', 'wrong, matching, wrong', 'valid', { signature: (good) => `${wrong('a')} ${good} ${wrong('b')}` }],
  ['SeveralEntries', 'wrong, wrong, matching', 'valid', { signature: (good) => `${wrong('a')} ${wrong('b')} ${good}` }],
  ['SeveralEntries', 'matching twice', 'valid', { signature: (good) => `${good} ${good}` }],
  [
    'SeveralEntries',
    'ten wrong ones, then the matching one: as many old keys as a sender keeps',
    'valid',
    { signature: (good) => [...Array.from({ length: 10 }, (_, index) => wrong(String(index))), good].join(' ') },
  ],
  ['NoMatchingEntry', 'two wrong ones', 'invalid', { signature: `${wrong('a')} ${wrong('b')}` }],
  [
    'NoMatchingEntry',
    'eleven wrong ones',
    'invalid',
    { signature: Array.from({ length: 11 }, (_, index) => wrong(String(index))).join(' ') },
  ],
  ['UnknownVersion', 'v2 before a matching v1', 'valid', { signature: (good) => `v2,${wrong('a').slice(3)} ${good}` }],
  ['UnknownVersion', 'v2 after a matching v1', 'valid', { signature: (good) => `${good} v2,${wrong('a').slice(3)}` }],
  [
    'UnknownVersion',
    'v1a, an ed25519 signature, before a matching v1',
    'valid',
    { signature: (good) => `v1a,${Buffer.alloc(64, 7).toString('base64')} ${good}` },
  ],
  [
    'UnknownVersion',
    'v1a after a matching v1',
    'valid',
    { signature: (good) => `${good} v1a,${Buffer.alloc(64, 7).toString('base64')}` },
  ],
  [
    'UnknownVersion',
    'v0, v2 and v99 around a matching v1',
    'valid',
    { signature: (good) => `v0,AAAA ${good} v2,AAAA v99,AAAA` },
  ],
  ...['v2', 'v0', 'v1a', 'v10', 'v11', 'V1', 'v', '1', 'x', ''].map((label): Row => [
    'UnknownVersion',
    `the right value under the version "${label}"`,
    'invalid',
    { signature: (good) => `${label},${good.slice(3)}` },
  ]),
  ['UnknownVersion', 'the right value without a version', 'invalid', { signature: (good) => good.slice(3) }],
  [
    'UnknownVersion',
    'the right value under v2 beside a wrong v1',
    'invalid',
    { signature: (good) => `${wrong('a')} v2,${good.slice(3)}` },
  ],
  ...(
    [
      ['two blanks between entries', (good: string) => `${wrong('a')}  ${good}`],
      ['a leading blank', (good: string) => ` ${good}`],
      ['a trailing blank', (good: string) => `${good} `],
      ['a tab between entries', (good: string) => `${wrong('a')}\t${good}`],
      ['a comma and a blank between entries, as joined header lines', (good: string) => `${wrong('a')}, ${good}`],
      ['the matching entry first of joined header lines', (good: string) => `${good}, ${wrong('a')}`],
      ['a comma between entries', (good: string) => `${good},${wrong('a')}`],
      ['a third field', (good: string) => `${good},x`],
    ] as const
  ).map(([name, signature]): Row => ['HeaderGrammar', name, 'acceptable', { signature }]),
  ...(
    [
      ['an entry without a comma before the matching one', (good: string) => `garbage ${good}`],
      ['an entry without a comma after the matching one', (good: string) => `${good} garbage`],
      ['a bare version before the matching one', (good: string) => `v1 ${good}`],
      ['an empty value before the matching one', (good: string) => `v1, ${good}`],
      ['a comma alone before the matching one', (good: string) => `, ${good}`],
      ['a value that is no base64 before the matching one', (good: string) => `v1,*** ${good}`],
      ['letters beyond ASCII before the matching one', (good: string) => `v1,Grüße ${good}`],
    ] as const
  ).map(([name, signature]): Row => [['HeaderGrammar', 'SeveralEntries'], name, 'valid', { signature }]),
  ...(
    [
      ['a blank after the comma', (good: string) => `v1, ${good.slice(3)}`],
      ['a blank before the comma', (good: string) => `v1 ,${good.slice(3)}`],
      ['quotation marks around it', (good: string) => `"${good}"`],
    ] as const
  ).map(([name, signature]): Row => ['HeaderGrammar', name, 'acceptable', { signature }]),
  [
    ['HeaderGrammar', 'SeveralEntries'],
    'two hundred wrong entries before the matching one',
    'valid',
    { signature: (good) => [...Array.from({ length: 200 }, (_, index) => wrong(String(index))), good].join(' ') },
  ],
  ...(
    [
      'garbage',
      'v1',
      'v1,',
      ',',
      ',,,',
      'v1,A',
      'v1,***',
      'v1,====',
      'v1 v1 v1',
      'v1,v1,v1',
      'v1=abc',
      't=1700000000,v1=abc',
    ] as const
  ).map((text): Row => ['MalformedEntry', `only ${text}`, 'invalid', { signature: text }]),
  [
    'MalformedEntry',
    'a signature of a hundred thousand letters',
    'invalid',
    { signature: `v1,${'A'.repeat(100_000)}` },
  ],
]

const macs: readonly Row[] = [
  ...[0, 7, 8, 63, 127, 128, 200, 247, 255].map((bit): Row => [
    'ModifiedMac',
    `bit ${bit} of the MAC changed`,
    'invalid',
    { signature: (good) => flipped(good, bit) },
  ]),
  [
    'ModifiedMac',
    'all bits of the MAC changed',
    'invalid',
    { signature: (good) => `v1,${Buffer.from(macOf(good).map((byte) => byte ^ 255)).toString('base64')}` },
  ],
  ['ModifiedMac', 'zeros', 'invalid', { signature: `v1,${Buffer.alloc(32).toString('base64')}` }],
  ['ModifiedMac', 'ones', 'invalid', { signature: `v1,${Buffer.alloc(32, 255).toString('base64')}` }],
  [
    'ModifiedMac',
    'the bytes of the MAC in reverse',
    'invalid',
    { signature: (good) => `v1,${Buffer.from(macOf(good).toReversed()).toString('base64')}` },
  ],
  ...[0, 1, 4, 8, 10, 16, 20, 24, 31].map((length): Row => [
    'TruncatedMac',
    `the first ${length} bytes of the MAC`,
    'invalid',
    { signature: (good) => `v1,${macOf(good).subarray(0, length).toString('base64')}` },
  ]),
  ...[1, 8, 22, 42].map((length): Row => [
    'TruncatedMac',
    `the first ${length} characters of the entry's value`,
    'invalid',
    { signature: (good) => good.slice(0, 3 + length) },
  ]),
  [
    'TruncatedMac',
    'a byte more than the MAC',
    'invalid',
    { signature: (good) => `v1,${Buffer.concat([macOf(good), Buffer.alloc(1)]).toString('base64')}` },
  ],
  [
    'TruncatedMac',
    'the MAC twice',
    'invalid',
    { signature: (good) => `v1,${Buffer.concat([macOf(good), macOf(good)]).toString('base64')}` },
  ],
  ['EncodedMac', 'hexadecimal', 'invalid', { signature: (good) => `v1,${macOf(good).toString('hex')}` }],
  [
    'EncodedMac',
    'hexadecimal in capitals',
    'invalid',
    { signature: (good) => `v1,${macOf(good).toString('hex').toUpperCase()}` },
  ],
  ['EncodedMac', 'lower case', 'invalid', { signature: (good) => good.toLowerCase() }],
  [
    'EncodedMac',
    'base64 of the base64',
    'invalid',
    { signature: (good) => `v1,${Buffer.from(good.slice(3)).toString('base64')}` },
  ],
  [
    'EncodedMac',
    'base64 of the hexadecimal form',
    'invalid',
    { signature: (good) => `v1,${Buffer.from(macOf(good).toString('hex')).toString('base64')}` },
  ],
  ['EncodedMac', 'percent-encoded', 'invalid', { signature: (good) => `v1,${encodeURIComponent(good.slice(3))}` }],
  ['HeaderGrammar', 'without its padding', 'acceptable', { signature: (good) => good.replace(/=+$/, '') }],
  ['HeaderGrammar', 'with more padding', 'acceptable', { signature: (good) => `${good}=` }],
]

const signedStrings: readonly Row[] = [
  ...(
    [
      ['the body alone', (body: string) => body],
      ['timestamp and body', (body: string) => `${now}.${body}`],
      ['id and body', (body: string) => `evt_1.${body}`],
      ['id and timestamp without the body', () => `evt_1.${now}.`],
      ['timestamp, id and body: the first two swapped', (body: string) => `${now}.evt_1.${body}`],
      ['colons for full stops', (body: string) => `evt_1:${now}:${body}`],
      ['no separators', (body: string) => `evt_1${now}${body}`],
      ['the timestamp in milliseconds', (body: string) => `evt_1.${now}000.${body}`],
      ['a line break at the end', (body: string) => `evt_1.${now}.${body}\n`],
      ['the SHA-256 of the body in its place', () => `evt_1.${now}.9f86d081884c7d659a2feaa0c55ad015`],
    ] as const
  ).map(([name, text]): Row => [
    'WrongSignedString',
    `signed: ${name}`,
    'invalid',
    { signature: `v1,${hmac(keyOf(mainSecret), text(event))}` },
  ]),
  ...[0, 1, 17, event.length - 1].map((at): Row => [
    'TamperedBody',
    `a bit of byte ${at} changed`,
    'invalid',
    { signed: { body: event }, body: changed(event, at) },
  ]),
  ['TamperedBody', 'a blank at the end', 'invalid', { signed: { body: event }, body: `${event} ` }],
  ['TamperedBody', 'a line break at the end', 'invalid', { signed: { body: event }, body: `${event}\n` }],
  ['TamperedBody', 'the last byte missing', 'invalid', { signed: { body: event }, body: event.slice(0, -1) }],
  ['TamperedBody', 'no body', 'invalid', { signed: { body: event }, body: '' }],
  ['TamperedBody', 'another event', 'invalid', { signed: { body: event }, body: event.replace('Hello', 'Hallo') }],
  ['TamperedBody', 'a byte order mark before it', 'invalid', { signed: { body: event }, body: `\ufeff${event}` }],
  ['TamperedBody', 'the body twice', 'invalid', { signed: { body: event }, body: event + event }],
  ...['evt_2', 'evt_', 'EVT_1', 'evt_1 ', 'evt_11', 'msg_1'].map((id): Row => [
    'TamperedId',
    `the id ${JSON.stringify(id)} in place of evt_1`,
    id === 'evt_1 ' ? 'acceptable' : 'invalid',
    { id, signed: { id: 'evt_1' } },
  ]),
  ...[-1, 1, -60, 60, -299, 299].map((shift): Row => [
    'TamperedTimestamp',
    `moved by ${shift} seconds after signing`,
    'invalid',
    { timestamp: String(now + shift), signed: { timestamp: String(now) } },
  ]),
  [
    'TamperedTimestamp',
    'an old delivery with a fresh timestamp',
    'invalid',
    { timestamp: String(now), signed: { timestamp: String(now - 7_200) } },
  ],
]

function changed(text: string, at: number): Uint8Array {
  const bytes = Buffer.from(text)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

const secrets: readonly Row[] = [
  ...[24, 25, 26, 31, 32, 33, 48, 63, 64].map((length): Row => [
    'KeyLength',
    `a key of ${length} bytes`,
    'valid',
    { secret: `whsec_${Buffer.alloc(length, 0x5a).toString('base64')}` },
  ]),
  ...[1, 8, 16, 23, 65, 128].map((length): Row => [
    'SecretForm',
    `a key of ${length} bytes, beyond what senders make`,
    'acceptable',
    { secret: `whsec_${Buffer.alloc(length, 0x5a).toString('base64')}` },
  ]),
  [
    'BinaryKey',
    'a key with + and / in its base64',
    'valid',
    { secret: `whsec_${Buffer.from('fbefbefbefbefbefbeffffffffffffffffffffffffffffff', 'hex').toString('base64')}` },
  ],
  ['SecretForm', 'a secret without its prefix', 'acceptable', { secret: mainSecret.slice('whsec_'.length) }],
  [
    'SecretForm',
    'base64 without padding',
    'acceptable',
    { secret: `whsec_${Buffer.alloc(25, 1).toString('base64').replace(/=+$/, '')}` },
  ],
  ['WrongSecret', 'signed with another secret', 'invalid', { signature: wrong('x') }],
  ['WrongSecret', 'the whole text of the secret as the key', 'invalid', { signature: keyed(Buffer.from(mainSecret)) }],
  [
    'WrongSecret',
    'the base64 text after the prefix as the key',
    'invalid',
    { signature: keyed(Buffer.from(mainSecret.slice(6))) },
  ],
  [
    'WrongSecret',
    'the secret decoded with its prefix',
    'invalid',
    { signature: keyed(Buffer.from(mainSecret, 'base64')) },
  ],
  [
    'WrongSecret',
    'the hexadecimal text of the key as the key',
    'invalid',
    { signature: keyed(Buffer.from(keyOf(mainSecret).toString('hex'))) },
  ],
  [
    'WrongSecret',
    'the key decoded twice',
    'invalid',
    { signature: keyed(Buffer.from(keyOf(mainSecret).toString('latin1'), 'base64')) },
  ],
  ['WrongSecret', 'the empty key', 'invalid', { signature: keyed(Buffer.alloc(0)) }],
  ['WrongSecret', 'a key of bytes that are all 1', 'invalid', { signature: keyed(Buffer.alloc(24, 1)) }],
  ['WrongSecret', 'the key cut to 16 bytes', 'invalid', { signature: keyed(keyOf(mainSecret).subarray(0, 16)) }],
  [
    'EmptyKey',
    'whsec_ alone, signed with the empty key',
    'acceptable',
    { secret: 'whsec_', signature: keyed(Buffer.alloc(0)) },
  ],
  [
    'EmptyKey',
    'an empty secret, signed with the empty key',
    'acceptable',
    { secret: '', signature: keyed(Buffer.alloc(0)) },
  ],
  [
    'EmptyKey',
    'padding alone, signed with the empty key',
    'acceptable',
    { secret: 'whsec_====', signature: keyed(Buffer.alloc(0)) },
  ],
  [
    'EmptyKey',
    'letters that are no base64, signed with the empty key',
    'acceptable',
    { secret: 'whsec_!!!!', signature: keyed(Buffer.alloc(0)) },
  ],
]

function keyed(key: Uint8Array): string {
  return `v1,${hmac(key, `evt_1.${now}.`, event)}`
}

const headerRows: readonly Row[] = [
  ...(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).flatMap((name): Row[] => [
    ['MissingHeader', `${name} is missing`, 'invalid', { headers: without(name) }],
    ['MissingHeader', `${name} is empty`, 'invalid', { headers: withValue(name, '') }],
  ]),
  ['MissingHeader', 'no header at all', 'invalid', { headers: () => ({}) }],
  [
    'MissingHeader',
    'only headers of another family',
    'invalid',
    {
      headers: (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'svix'), value])),
    },
  ],
  [
    'HeaderCase',
    'title case',
    'valid',
    {
      headers: (headers) =>
        Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase()),
            value,
          ]),
        ),
    },
  ],
  [
    'HeaderCase',
    'capitals',
    'valid',
    {
      headers: (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    },
  ],
  [
    'HeaderCase',
    'further headers around',
    'valid',
    { headers: (headers) => ({ host: 'a.example', 'content-type': 'application/json', ...headers, 'x-more': '1' }) },
  ],
  [
    'HeaderCase',
    'in another order',
    'valid',
    { headers: (headers) => Object.fromEntries(Object.entries(headers).toReversed()) },
  ],
  ...(
    [
      ['an id with a full stop', 'evt.1'],
      ['an id of one letter', 'a'],
      ['an id of 10 kB', 'e'.repeat(10_000)],
      ['an id with a blank', 'evt 1'],
      ['an id beyond ASCII', 'evt_ü'],
    ] as const
  ).map(([name, id]): Row => [id === 'a' ? 'UsualId' : 'OddId', name, id === 'a' ? 'valid' : 'acceptable', { id }]),
]

const json = (data: string) =>
  `{"id":"evt_1","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z","data":${data}}`

type BodyRow = readonly [name: string, body: string, result?: VectorResult, flag?: VectorFlagName]

const bodies: readonly Row[] = [
  ...(
    [
      ['blanks after colons', event.replaceAll('":', '": ')],
      ['pretty', JSON.stringify(JSON.parse(event), null, 2)],
      ['tabs', JSON.stringify(JSON.parse(event), null, '\t')],
      ['a line break at the end', `${event}\n`],
      ['carriage returns', JSON.stringify(JSON.parse(event), null, 2).replaceAll('\n', '\r\n')],
      ['blanks around it', `  ${event}  `],
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
      ['deep nesting', json(`${'['.repeat(40)}${']'.repeat(40)}`)],
      ['HTML', json('{"subject":"<script>alert(1)</script>&amp;"}')],
      ['20 KB', json(`{"text":"${'lorem ipsum '.repeat(1_700)}"}`), 'valid', 'LargeBody'],
      ['256 KB', json(`{"text":"${'x'.repeat(256 * 1024)}"}`), 'valid', 'LargeBody'],
    ] as readonly BodyRow[]
  ).map(([name, body, result = 'valid', flag = 'RawBody']): Row => [flag, name, result, { body }]),
  ['RawBody', 'a key that stands twice', 'acceptable', { body: json('{"a":1,"a":2}') }],
  ['RawBody', 'a lone surrogate, escaped', 'acceptable', { body: json('{"subject":"\\ud83d"}') }],
  ...(
    [
      ['compact signed, pretty sent', event, JSON.stringify(JSON.parse(event), null, 2)],
      ['pretty signed, compact sent', JSON.stringify(JSON.parse(event), null, 2), event],
      ['blanks signed, none sent', event.replaceAll('":', '": '), event],
      ['an escaped letter signed, the letter sent', json('{"subject":"caf\\u00e9"}'), json('{"subject":"café"}')],
      ['1.0 signed, 1 sent', json('{"n":1.0}'), json('{"n":1}')],
      ['keys in another order', json('{"a":1,"b":2}'), json('{"b":2,"a":1}')],
      ['composed letters signed, decomposed sent', json('{"subject":"é"}'), json('{"subject":"e\u0301"}')],
    ] as const
  ).map(([name, signed, body]): Row => ['Reserialized', name, 'invalid', { signed: { body: signed }, body }]),
  ...(
    [
      ['empty', ''],
      ['plain text', 'hello'],
      ['form data', 'a=1&b=2'],
      ['null', 'null'],
      ['a number', '42'],
      ['a string', '"text"'],
      ['a list', '[1,2,3]'],
      ['half a JSON text', '{"id":'],
      ['a byte order mark and JSON', `\ufeff${event}`],
      ['a NUL byte', Buffer.from([0x7b, 0x00, 0x7d])],
      ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
      [
        'JSON with a byte that is not UTF-8',
        Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}')]),
      ],
      ['an overlong form', Buffer.from([0xc0, 0xaf])],
      ['all 256 bytes', Buffer.from(Array.from({ length: 256 }, (_, index) => index))],
    ] as const
  ).map(([name, body]): Row => ['BodyBytes', `${name}, signed as sent`, 'acceptable', { body }]),
  [
    'Utf8Collision',
    'signed with replacement characters, sent with bytes that are not UTF-8',
    'invalid',
    {
      signed: { body: '{"a":"\ufffd"}' },
      body: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    },
  ],
]

/** Worked examples that were published for the scheme, with the signature that was published. */
const published = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
    timestamp: 1_649_367_553,
    body: '{"email":"test@example.com","username":"test_user"}',
    signature: 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
  },
] as const

/** The curated document. Ids are permanent: new tests go to a topic of the folder `curated`, at its end. */
export function curatedVectors(): VectorDocument {
  const bySecret = new Map<string, Vector[]>()
  let id = 0
  const add = (secret: string, vector: Omit<Vector, 'id'>) =>
    bySecret.set(secret, [...(bySecret.get(secret) ?? []), { id: ++id, ...vector }])
  for (const { secret, id: messageId, timestamp, body, signature } of published)
    add(secret, {
      comment: 'a published worked example',
      flags: ['PublishedExample'],
      now: timestamp,
      headers: { 'webhook-id': messageId, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
      payload_base64: Buffer.from(body).toString('base64'),
      result: 'valid',
    })
  for (const [flag, comment, result, draft = {}] of [
    ...plain,
    ...timestamps,
    ...entries,
    ...macs,
    ...signedStrings,
    ...secrets,
    ...headerRows,
    ...bodies,
  ])
    add(draft.secret ?? mainSecret, vectorOf(flag, comment, result, draft))
  const further = furtherGroups()
  return {
    schema: vectorSchema,
    seed: 0,
    count: further.reduce((sum, { tests }) => sum + tests.length, id),
    flags: vectorFlags,
    groups: [...[...bySecret].map(([secret, tests]) => ({ secret, tests })), ...further],
  }
}

function vectorOf(
  flag: VectorFlagName | readonly VectorFlagName[],
  comment: string,
  result: VectorResult,
  draft: Draft,
): Omit<Vector, 'id'> {
  const { secret = mainSecret, id = 'evt_1', timestamp = String(now), body = event, signed, signature } = draft
  const good = sign(secret, {
    id: signed?.id ?? id,
    timestamp: signed?.timestamp ?? timestamp,
    body: signed?.body ?? body,
  })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': typeof signature === 'function' ? signature(good) : (signature ?? good),
  }
  return {
    comment,
    flags: typeof flag === 'string' ? [flag] : flag,
    now: draft.now ?? now,
    headers: draft.headers?.(headers) ?? headers,
    payload_base64: Buffer.from(body).toString('base64'),
    result,
  }
}
