// The signature header: one or more entries `v1,<base64>`, separated by a blank; at least one v1 entry must match.

import {
  bytesOf,
  clock,
  entryFor,
  entryOf,
  eventText,
  first,
  firstWrong,
  secretOf,
  wrongEntry,
  type Changes,
  type Open,
  type Topic,
} from './message.js'

type Signature = NonNullable<Changes['signature']>

export const entries: Topic = [
  { from: 85, isFirst: true, build: firstTests },
  { from: 1101, build: laterTests },
]

function firstTests(open: Open): void {
  const add = open(first.secret)
  add('valid', 'SeveralEntries', 'matching, wrong', { signature: (good) => `${good} ${firstWrong('a')}` })
  add('valid', 'SeveralEntries', 'wrong, matching', { signature: (good) => `${firstWrong('a')} ${good}` })
  add('valid', 'SeveralEntries', 'wrong, matching, wrong', {
    signature: (good) => `${firstWrong('a')} ${good} ${firstWrong('b')}`,
  })
  add('valid', 'SeveralEntries', 'wrong, wrong, matching', {
    signature: (good) => `${firstWrong('a')} ${firstWrong('b')} ${good}`,
  })
  add('valid', 'SeveralEntries', 'matching twice', { signature: (good) => `${good} ${good}` })
  add('valid', 'SeveralEntries', 'ten wrong ones, then the matching one: as many old keys as a sender keeps', {
    signature: (good) => [...Array.from({ length: 10 }, (_, index) => firstWrong(String(index))), good].join(' '),
  })
  add('invalid', 'NoMatchingEntry', 'two wrong ones', { signature: `${firstWrong('a')} ${firstWrong('b')}` })
  add('invalid', 'NoMatchingEntry', 'eleven wrong ones', {
    signature: Array.from({ length: 11 }, (_, index) => firstWrong(String(index))).join(' '),
  })
  add('valid', 'UnknownVersion', 'v2 before a matching v1', {
    signature: (good) => `v2,${firstWrong('a').slice(3)} ${good}`,
  })
  add('valid', 'UnknownVersion', 'v2 after a matching v1', {
    signature: (good) => `${good} v2,${firstWrong('a').slice(3)}`,
  })
  add('valid', 'UnknownVersion', 'v1a, an ed25519 signature, before a matching v1', {
    signature: (good) => `v1a,${Buffer.alloc(64, 7).toString('base64')} ${good}`,
  })
  add('valid', 'UnknownVersion', 'v1a after a matching v1', {
    signature: (good) => `${good} v1a,${Buffer.alloc(64, 7).toString('base64')}`,
  })
  add('valid', 'UnknownVersion', 'v0, v2 and v99 around a matching v1', {
    signature: (good) => `v0,AAAA ${good} v2,AAAA v99,AAAA`,
  })
  for (const label of ['v2', 'v0', 'v1a', 'v10', 'v11', 'V1', 'v', '1', 'x', ''])
    add('invalid', 'UnknownVersion', `the right value under the version "${label}"`, {
      signature: (good) => `${label},${good.slice(3)}`,
    })
  add('invalid', 'UnknownVersion', 'the right value without a version', { signature: (good) => good.slice(3) })
  add('invalid', 'UnknownVersion', 'the right value under v2 next to a wrong v1', {
    signature: (good) => `${firstWrong('a')} v2,${good.slice(3)}`,
  })
  for (const [name, signature] of [
    ['two blanks between entries', (good: string) => `${firstWrong('a')}  ${good}`],
    ['a leading blank', (good: string) => ` ${good}`],
    ['a trailing blank', (good: string) => `${good} `],
    ['a tab between entries', (good: string) => `${firstWrong('a')}\t${good}`],
    ['a comma and a blank between entries, as joined header lines', (good: string) => `${firstWrong('a')}, ${good}`],
    ['the matching entry first of joined header lines', (good: string) => `${good}, ${firstWrong('a')}`],
    ['a comma between entries', (good: string) => `${good},${firstWrong('a')}`],
    ['a third field', (good: string) => `${good},x`],
  ] as const)
    add('acceptable', 'HeaderGrammar', name, { signature })
  for (const [name, signature] of [
    ['an entry without a comma before the matching one', (good: string) => `garbage ${good}`],
    ['an entry without a comma after the matching one', (good: string) => `${good} garbage`],
    ['a bare version before the matching one', (good: string) => `v1 ${good}`],
    ['an empty value before the matching one', (good: string) => `v1, ${good}`],
    ['a comma alone before the matching one', (good: string) => `, ${good}`],
    ['a value that is not base64 before the matching one', (good: string) => `v1,*** ${good}`],
    ['letters beyond ASCII before the matching one', (good: string) => `v1,Grüße ${good}`],
  ] as const)
    add('valid', ['HeaderGrammar', 'SeveralEntries'], name, { signature })
  for (const [name, signature] of [
    ['a blank after the comma', (good: string) => `v1, ${good.slice(3)}`],
    ['a blank before the comma', (good: string) => `v1 ,${good.slice(3)}`],
    ['quotation marks around it', (good: string) => `"${good}"`],
  ] as const)
    add('acceptable', 'HeaderGrammar', name, { signature })
  // 9,647 bytes: servers refuse a field of more than 8 KB, and a library may.
  add('acceptable', ['HeaderGrammar', 'SeveralEntries'], 'two hundred wrong entries before the matching one', {
    signature: (good) => [...Array.from({ length: 200 }, (_, index) => firstWrong(String(index))), good].join(' '),
  })
  for (const text of [
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
  ] as const)
    add('invalid', 'MalformedEntry', `only ${text}`, { signature: text })
  add('invalid', 'MalformedEntry', 'a signature of a hundred thousand letters', {
    signature: `v1,${'A'.repeat(100_000)}`,
  })
}

function laterTests(open: Open): void {
  const key = bytesOf('entries', 32)
  const add = open(secretOf(key), key)
  const [a, b, c] = ['a', 'b', 'c'].map(wrongEntry)
  const v2 = `v2,${bytesOf('v2', 32).toString('base64')}`

  const several = (comment: string, signature: Signature) => add('valid', 'SeveralEntries', comment, { signature })
  several('the matching entry first of three', (good) => `${good} ${a} ${b}`)
  several('the matching entry third of four', (good) => `${a} ${b} ${good} ${c}`)
  several('the matching entry first of eleven', (good) =>
    [good, ...Array.from({ length: 10 }, (_, index) => wrongEntry(`old ${index}`))].join(' '),
  )
  several('an entry first that differs in its last bit only', (good, mac) => `${flipped(mac)} ${good}`)
  several('an entry first whose value is too short: it does not match, and that is all', (good) => `v1,AAAA ${good}`)
  several('an entry last whose value is too short', (good) => `${good} v1,AAAA`)
  several('an entry first whose value is too long', (good) => `v1,${bytesOf('long', 64).toString('base64')} ${good}`)

  const old = bytesOf('old key', 32)
  const rotated = (id: string) => entryFor(old, id, clock, eventText(id))
  add('valid', 'SeveralEntries', 'signed with the old and the new secret while they are rotated: the old one first', {
    id: 'evt_rotation1',
    signature: (good) => `${rotated('evt_rotation1')} ${good}`,
  })
  add('valid', 'SeveralEntries', 'signed with the old and the new secret while they are rotated: the new one first', {
    id: 'evt_rotation2',
    signature: (good) => `${good} ${rotated('evt_rotation2')}`,
  })

  const none = (comment: string, signature: Signature) => add('invalid', 'NoMatchingEntry', comment, { signature })
  none('one entry of 32 other bytes', a ?? '')
  none('three entries, none of which matches', `${a} ${b} ${c}`)
  none('one wrong entry twice', `${a} ${a}`)
  none('the signature of another delivery', entryFor(key, 'evt_other', clock, '{}'))
  none('two entries that together hold the matching value', (good) => `${good.slice(0, 23)} v1,${good.slice(23)}`)
  none('a wrong entry and one of another version', `${a} ${v2}`)
  none('only entries of another version', `${v2} v1a,${bytesOf('ed25519', 64).toString('base64')}`)
  add('invalid', 'NoMatchingEntry', 'signed with two secrets that the verifier does not have', {
    id: 'evt_rotation3',
    signature: `${rotated('evt_rotation3')} ${entryFor(bytesOf('older key', 32), 'evt_rotation3', clock, eventText('evt_rotation3'))}`,
  })

  const version = (result: 'valid' | 'invalid', comment: string, signature: Signature) =>
    add(result, 'UnknownVersion', comment, { signature })
  version('valid', 'another version, a wrong v1 entry, then the matching one', (good) => `${v2} ${a} ${good}`)
  version('valid', 'the matching value as v2 before itself as v1', (good) => `v2${good.slice(2)} ${good}`)
  version(
    'valid',
    'a version that does not exist yet, with a value that is not base64',
    (good) => `v99,k=1;s=** ${good}`,
  )
  version('valid', 'ten entries of another version before the matching one', (good) =>
    [...Array.from({ length: 10 }, () => v2), good].join(' '),
  )
  version('invalid', 'another version before the version', (good) => `v2,${good}`)
  version('invalid', 'the version twice', (good) => `v1,${good}`)
  version('invalid', 'a letter before the version', (good) => `x${good}`)
  version('invalid', 'an equals sign instead of the comma', (good) => `v1=${good.slice(3)}`)
  version('invalid', 'a colon instead of the comma', (good) => `v1:${good.slice(3)}`)
  version('invalid', 'nothing instead of the comma', (good) => `v1${good.slice(3)}`)
  version('invalid', 'a semicolon instead of the comma', (good) => `v1;${good.slice(3)}`)
  version('invalid', 'the form of another scheme, sha256=<hex>', (_, mac) => `sha256=${mac.toString('hex')}`)
  version(
    'invalid',
    'the form of another scheme, t=<seconds>,v1=<hex>',
    (_, mac) => `t=${clock},v1=${mac.toString('hex')}`,
  )
  version('invalid', 'the right value under v1.1', (good) => `v1.1${good.slice(2)}`)
  version('invalid', 'the right value under v01', (good) => `v01${good.slice(2)}`)

  const malformed = (comment: string, signature: Signature) => add('invalid', 'MalformedEntry', comment, { signature })
  malformed('a blank', ' ')
  malformed('one padding character', 'v1,=')
  malformed('a value that is the word undefined', 'v1,undefined')
  malformed('the word null', 'null')
  malformed('two hundred entries without a value', Array.from({ length: 200 }, () => 'v1,').join(' '))
  malformed('two thousand commas', ','.repeat(2_000))
  malformed('blanks alone', ' '.repeat(100))
  malformed('the entry in brackets, as a list that was printed', (good) => `["${good}"]`)
  add('invalid', 'NoMatchingEntry', 'a thousand entries, none of which matches', {
    signature: Array.from({ length: 1_000 }, (_, index) => wrongEntry(String(index))).join(' '),
  })
  add('valid', 'SeveralEntries', 'seventy wrong entries before the matching one', {
    signature: (good) => [...Array.from({ length: 70 }, (_, index) => wrongEntry(String(index))), good].join(' '),
  })
}

/** The entry with the last bit of its MAC changed. */
function flipped(mac: Buffer): string {
  const bytes = Buffer.from(mac)
  bytes[31] = (bytes[31] ?? 0) ^ 1
  return entryOf(bytes)
}
