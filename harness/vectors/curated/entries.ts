// The signature header: one or more entries `v1,<base64>`, separated by a blank; at least one v1 entry must match.

import {
  bytesOf,
  clock,
  entryFor,
  entryOf,
  eventText,
  secretOf,
  wrongEntry,
  type Changes,
  type Topic,
} from './message.js'

type Signature = NonNullable<Changes['signature']>

export const entries: Topic = {
  from: 1101,
  build(open) {
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
    version('valid', 'a version that nobody made yet, with a value that is no base64', (good) => `v99,k=1;s=** ${good}`)
    version('valid', 'ten entries of another version before the matching one', (good) =>
      [...Array.from({ length: 10 }, () => v2), good].join(' '),
    )
    version('invalid', 'another version before the version', (good) => `v2,${good}`)
    version('invalid', 'the version twice', (good) => `v1,${good}`)
    version('invalid', 'a letter before the version', (good) => `x${good}`)
    version('invalid', 'an equals sign in place of the comma', (good) => `v1=${good.slice(3)}`)
    version('invalid', 'a colon in place of the comma', (good) => `v1:${good.slice(3)}`)
    version('invalid', 'nothing in place of the comma', (good) => `v1${good.slice(3)}`)
    version('invalid', 'a semicolon in place of the comma', (good) => `v1;${good.slice(3)}`)
    version('invalid', 'the form of another scheme, sha256=<hex>', (_, mac) => `sha256=${mac.toString('hex')}`)
    version(
      'invalid',
      'the form of another scheme, t=<seconds>,v1=<hex>',
      (_, mac) => `t=${clock},v1=${mac.toString('hex')}`,
    )
    version('invalid', 'the right value under v1.1', (good) => `v1.1${good.slice(2)}`)
    version('invalid', 'the right value under v01', (good) => `v01${good.slice(2)}`)

    const malformed = (comment: string, signature: Signature) =>
      add('invalid', 'MalformedEntry', comment, { signature })
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
  },
}

/** The entry with the last bit of its MAC changed. */
function flipped(mac: Buffer): string {
  const bytes = Buffer.from(mac)
  bytes[31] = (bytes[31] ?? 0) ^ 1
  return entryOf(bytes)
}
