// Forgeries of which a part is missing, was changed after signing, or is too old or too new.

import type { Delivery, SchemeFeature } from '../../../harness/authoring.js'
import { wrongEntryFor, type Forgery, type ForgeryGroup } from './forgery.js'
import { withBitChanged } from './signatures.js'

type Row = Omit<Forgery, 'group' | 'expected'>

const refused = (group: ForgeryGroup, needs: readonly SchemeFeature[], rows: readonly Row[]): readonly Forgery[] =>
  rows.map((row) => ({ ...row, group, expected: 'refused', needs: [...needs, ...(row.needs ?? [])] }))

/** The rows of a header that is missing or empty, and of one that is missing and signed as a program reads it. */
function missing(part: 'id' | 'timestamp', needs: readonly SchemeFeature[]): readonly Forgery[] {
  const name = `webhook-${part}`
  return refused(`missing-${part}`, needs, [
    { name: `no-${part}`, title: `a delivery without its ${part}`, make: (good) => good.with({ without: [name] }) },
    {
      name: `empty-${part}`,
      title: `a delivery whose ${part} is empty`,
      make: (good) => good.with({ extra: { [name]: '' } }),
    },
    ...['', 'undefined'].map((text): Row => ({
      name: `no-${part}-signed-as-${text === '' ? 'nothing' : text}`,
      title: `a delivery without its ${part}, signed with ${text === '' ? 'nothing' : `"${text}"`} instead`,
      lenience: 'header-undefined',
      make: (good) => good.with({ without: [name], signed: { [part]: text } }),
    })),
  ])
}

export const missingParts: readonly Forgery[] = [
  ...missing('id', ['signed-id', 'id-header']),
  ...missing('timestamp', ['timestamp-header']),
  ...refused(
    'missing-timestamp',
    ['timestamp-entry'],
    [
      {
        name: 'no-timestamp-entry',
        title: 'a signature header without its timestamp',
        make: (good) => {
          const { header } = good.scheme.data.signature
          return good.with({ extra: { [header]: good.scheme.entryOf(good.mac) } })
        },
      },
      {
        name: 'empty-timestamp-entry',
        title: 'a signature header whose timestamp is empty',
        make: (good) => {
          const { scheme } = good
          return good.with({
            extra: { [scheme.data.signature.header]: scheme.signatureText(scheme.entryOf(good.mac), '') },
          })
        },
      },
    ],
  ),
  ...refused(
    'missing-signature',
    [],
    [
      {
        name: 'no-signature',
        title: 'a delivery without its signature',
        make: (good) => good.with({ without: ['webhook-signature'] }),
      },
      {
        name: 'empty-signature',
        title: 'a delivery whose signature header is empty',
        make: (good) => good.with({ extra: { 'webhook-signature': '' } }),
      },
      {
        name: 'no-signature-entry',
        title: 'a signature header with a timestamp and no signature',
        needs: ['timestamp-entry'],
        make: (good) => good.with({ signature: '' }),
      },
    ],
  ),
]

const secondsOf = ({ fields: { timestamp } }: Delivery) => Number(timestamp)

export const changedParts = refused(
  'changed',
  [],
  [
    {
      name: 'other-id',
      title: 'another id than the signed one',
      needs: ['signed-id'],
      make: (good) => good.tampered({ id: `${good.fields.id}x` }),
    },
    {
      name: 'earlier-timestamp',
      title: 'an earlier timestamp than the signed one',
      needs: ['timestamp'],
      make: (good) => good.tampered({ timestamp: secondsOf(good) - 3 }),
    },
    {
      name: 'later-timestamp',
      title: 'a later timestamp than the signed one',
      needs: ['timestamp'],
      make: (good) => good.tampered({ timestamp: secondsOf(good) + 1 }),
      isDense: true,
    },
    {
      name: 'old-with-fresh-timestamp',
      title: 'an old delivery with a fresh timestamp',
      needs: ['timestamp'],
      make: (good) => good.with({ timestamp: secondsOf(good) - 7_200 }).tampered({ timestamp: secondsOf(good) }),
    },
    body('space-after', 'a space after the signed body', (bytes) => Buffer.concat([bytes, Buffer.from(' ')])),
    body(
      'newline-after',
      'a line feed after the signed body',
      (bytes) => Buffer.concat([bytes, Buffer.from('\n')]),
      true,
    ),
    body('last-byte-missing', 'the signed body without its last byte', (bytes) => bytes.subarray(0, -1)),
    body('no-body', 'no body where one was signed', () => Buffer.alloc(0)),
    body(
      'body-bit',
      'a bit of the body changed after signing',
      (bytes) => withBitChanged(bytes, Math.floor(bytes.length / 2) * 8),
      true,
    ),
    body('nul-after', 'a NUL after the signed body', (bytes) => Buffer.concat([bytes, Buffer.from('\0')]), true),
  ],
)

/** Bodies that were never signed, at which a parser breaks that reads them before their signature is verified. */
const hostile: readonly (readonly [name: string, title: string, body: string | Uint8Array])[] = [
  ['deep-lists', 'a body of 20,000 nested lists', `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ['deep-objects', 'a body of 10,000 nested objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['unclosed-lists', 'a body of 50,000 lists without an end', '['.repeat(50_000)],
  ['long-number', 'a body with a number of 20,000 digits', `{"data":1${'0'.repeat(20_000)}}`],
  ['large-exponent', 'a body with a number that no type holds', '{"data":1e400000}'],
  ['null-body', 'the body null', 'null'],
  ['list-body', 'a body that is a list', '[]'],
  ['text-body', 'a body that is one text', '"evt_1"'],
  ['other-types', 'a body whose members have other types', '{"id":1,"type":{},"timestamp":[],"data":null}'],
  ['no-members', 'a body without members', '{}'],
  [
    'prototype',
    'a body with the members of a prototype',
    '{"__proto__":{"id":"x"},"constructor":{"prototype":{"id":"x"}}}',
  ],
  ['half-surrogate', 'a body with half a surrogate and a NUL', String.raw`{"id":"evt_\ud800\u0000","type":"\udc00"}`],
  ['no-json', 'a body that is not JSON', 'id=evt_1&type=message.received'],
  ['no-utf-8', 'a body that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
  ['utf-16', 'a body in UTF-16', Buffer.from('\ufeff{"id":"evt_1"}', 'utf16le')],
]

export const hostileBodies = refused(
  'hostile-body',
  [],
  hostile.map(([name, title, bytes]) => body(name, `${title}, under another signature`, () => Buffer.from(bytes))),
)

function body(name: string, title: string, change: (bytes: Buffer) => Uint8Array, isDense = false): Row {
  const make = (good: Delivery) => good.tampered({ body: change(Buffer.from(good.fields.body)) })
  return { name, title, make, ...(isDense ? { isDense } : {}) }
}

/** Spellings of the signed number. Blanks around it are left out: HTTP cuts them off. */
const spellings: readonly (readonly [name: string, spell: (number: number) => string, isDense?: true])[] = [
  ['plus', (number) => `+${number}`],
  ['leading-zero', (number) => `0${number}`],
  ['point-zero', (number) => `${number}.0`],
  ['point-nine', (number) => `${number}.9`],
  ['exponent', (number) => `${number}e0`],
  ['hexadecimal', (number) => `0x${number.toString(16)}`],
  ['letters-after', (number) => `${number}abc`],
  ['number-after', (number) => `${number} 1`],
  ['joined', (number) => `${number},1`],
  ['minus', (number) => `-${number}`, true],
  ['point', (number) => `${number}.`, true],
  ['large-exponent', (number) => `${number / 1e9}e9`, true],
  ['binary', (number) => `0b${number.toString(2)}`, true],
  ['octal', (number) => `0o${number.toString(8)}`, true],
  ['underscore', (number) => `1_${String(number).slice(1)}`, true],
  ['n-after', (number) => `${number}n`, true],
  ['quoted', (number) => `"${number}"`, true],
  ['in-a-list', (number) => `[${number}]`, true],
]

export const respelledTimestamps = refused(
  'respelled-timestamp',
  ['timestamp-header'],
  spellings.map(([name, spell, isDense]) => ({
    name: `timestamp-${name}`,
    title: `the signed timestamp spelt ${spell(1_700_000_000)}`,
    lenience: 'timestamp-respelled',
    ...(isDense === undefined ? {} : { isDense }),
    make: (good) => good.tampered({ timestamp: spell(good.scheme.timestampAt(secondsOf(good))) }),
  })),
)

export const malformedTimestamps = refused(
  'malformed-timestamp',
  ['timestamp-header', 'past'],
  (
    [
      ['letters', 'now'],
      ['iso-8601', '2026-01-02T03:04:05Z'],
      ['nan', 'NaN'],
      ['infinity', 'Infinity'],
      ['negative', '-1'],
      ['huge', '99999999999999999999'],
      ['minimum-of-64-bits', '-9223372036854775808'],
      ['hexadecimal', '0x65a0bc00'],
    ] as const
  ).map(([name, timestamp]) => ({
    name,
    title: `the timestamp ${timestamp}`,
    lenience: 'timestamp-malformed',
    make: (good) => good.with({ timestamp }),
  })),
)

const daySeconds = 86_400

/** Ages that no tolerance allows, in seconds. */
const tooFar = [daySeconds, 2 * daySeconds, 30 * daySeconds] as const

export const staleDeliveries = refused(
  'stale',
  ['past'],
  [
    ...tooFar.map((seconds): Row => ({
      name: `${seconds / daySeconds}-days-old`,
      title: `a delivery signed ${seconds / daySeconds} days ago`,
      make: (good) => good.with({ timestamp: secondsOf(good) - seconds }),
    })),
    {
      name: 'timestamp-twice',
      title: 'a signature header with two timestamps: an old one that was signed, and a fresh one',
      needs: ['timestamp-entry'],
      make: (good) => {
        const { scheme } = good
        const old = good.with({ timestamp: secondsOf(good) - 86_400 })
        const entries = scheme.entryOf(old.mac)
        const { entry = '{timestamp}' } = scheme.data.timestamp ?? {}
        const fresh = entry.replace('{timestamp}', String(scheme.timestampAt(secondsOf(good))))
        const separator = scheme.data.signature.separator ?? ','
        return old.with({ signature: `${fresh}${separator}${entries}` })
      },
    },
    {
      name: 'other-timestamp-header',
      title: 'an old delivery with a fresh time in another header',
      make: (good) =>
        good.with({
          timestamp: secondsOf(good) - 2 * 86_400,
          extra: {
            date: new Date(secondsOf(good) * 1000).toUTCString(),
            'x-timestamp': String(secondsOf(good)),
            'x-request-timestamp': String(secondsOf(good)),
          },
        }),
    },
  ],
)

export const futureDeliveries = refused(
  'future',
  ['future'],
  tooFar.map((seconds) => ({
    name: `${seconds / daySeconds}-days-ahead`,
    title: `a delivery signed ${seconds / daySeconds} days ahead`,
    make: (good) => good.with({ timestamp: secondsOf(good) + seconds }),
  })),
)

/** No number of entries is stated; these are fewer than the headers of any server are long. */
const manyEntries = 12

/** A row whose header has the good entry among others. */
const arranged = (
  name: string,
  title: string,
  arrange: (good: string, bad: string, others: readonly string[]) => readonly string[],
): Forgery => ({
  name,
  title,
  group: 'several',
  expected: 'accepted',
  needs: ['several'],
  make: (good) => {
    const others = Array.from({ length: manyEntries }, (_, index) => wrongEntryFor(good, `other ${index}`))
    const separator = good.scheme.data.signature.separator ?? ' '
    return good.with({ signature: (entry) => arrange(entry, wrongEntryFor(good), others).join(separator) })
  },
})

export const severalEntries: readonly Forgery[] = [
  arranged('good-first', 'the right entry before a wrong one', (good, bad) => [good, bad]),
  arranged('good-last', 'the right entry after a wrong one', (good, bad) => [bad, good]),
  arranged('good-between', 'the right entry between wrong ones', (good, bad) => [bad, good, bad]),
  arranged('good-after-many', `the right entry after ${manyEntries} wrong ones`, (good, bad) => [
    ...Array.from({ length: manyEntries }, () => bad),
    good,
  ]),
  arranged('good-before-many', `the right entry before ${manyEntries} wrong ones`, (good, bad) => [
    good,
    ...Array.from({ length: manyEntries }, () => bad),
  ]),
  arranged(
    'good-among-different',
    'the right entry after the entries of a dozen other secrets',
    (good, bad, others) => [...others, good, bad],
  ),
]

/** A malformed entry next to the right one. */
const nextToMalformed = (name: string, title: string, entry: (bare: string) => string, isLast = false): Forgery => ({
  name,
  title: `${title} next to the right one`,
  group: 'beside-malformed',
  expected: 'accepted',
  needs: ['several'],
  make: (good) => {
    const malformed = entry(good.scheme.entryOf(''))
    const separator = good.scheme.data.signature.separator ?? ' '
    return good.with({ signature: (right) => (isLast ? [right, malformed] : [malformed, right]).join(separator) })
  },
})

export const malformedEntries: readonly Forgery[] = [
  nextToMalformed('garbage-beside', 'an entry without a label', () => 'garbage'),
  nextToMalformed('bare-label-beside', 'an entry of a label alone', (bare) => bare.replace(/\W+$/, '')),
  nextToMalformed('no-encoding-beside', 'an entry that no decoder reads', (bare) => `${bare}***`),
  nextToMalformed('short-beside', 'an entry of four characters', (bare) => `${bare}AAAA`),
  nextToMalformed('garbage-after', 'an entry without a label after it', () => 'garbage', true),
]

/** A row with an entry of another version with the right one. */
const besideOther = (
  name: string,
  title: string,
  arrange: (good: string, other: string) => readonly string[],
  bytes: number,
): Forgery => ({
  name,
  title,
  group: 'beside',
  expected: 'accepted',
  needs: ['other-entries'],
  make: (good) => {
    const { others = [], separator = ' ' } = good.scheme.data.signature
    const value = Buffer.alloc(bytes, 5).toString(good.scheme.data.encoding)
    const other = (others[0] ?? '').replace('{signature}', value)
    return good.with({ signature: (entry) => arrange(entry, other).join(separator) })
  },
})

export const otherVersionEntries: readonly Forgery[] = [
  besideOther(
    'other-version-first',
    'an entry of another version before the right one',
    (good, other) => [other, good],
    64,
  ),
  besideOther(
    'other-version-last',
    'an entry of another version after the right one',
    (good, other) => [good, other],
    32,
  ),
]
