// The secret: `whsec_` and the base64 of the key. One group for each secret.

import { keyOf } from '../../wire/signing.js'
import { bytesOf, clock, entryFor, eventText, first, firstWrong, secretOf, type Open, type Topic } from './message.js'

export const secrets: Topic = [
  { from: 1, build: publishedTests },
  { from: 212, isFirst: true, build: firstTests },
  { from: 1601, build: laterTests },
]

function firstTests(open: Open): void {
  const add = open(first.secret)
  const key = keyOf(first.secret)
  const empty = Buffer.alloc(0)
  for (const length of [24, 25, 26, 31, 32, 33, 48, 63, 64])
    open(secretOf(Buffer.alloc(length, 0x5a)))('valid', 'KeyLength', `a key of ${length} bytes`)
  for (const length of [1, 8, 16, 23, 65, 128])
    open(secretOf(Buffer.alloc(length, 0x5a)))(
      'acceptable',
      'SecretForm',
      `a key of ${length} bytes, beyond what senders make`,
    )
  const urlUnsafe = Buffer.from('fbefbefbefbefbefbeffffffffffffffffffffffffffffff', 'hex')
  open(secretOf(urlUnsafe))('valid', 'BinaryKey', 'a key with + and / in its base64')
  open(first.secret.slice('whsec_'.length))('acceptable', 'SecretForm', 'a secret without its prefix')
  open(secretOf(Buffer.alloc(25, 1)).replace(/=+$/, ''))('acceptable', 'SecretForm', 'base64 without padding')
  add('invalid', 'WrongSecret', 'signed with another secret', { signature: firstWrong('x') })
  add('invalid', 'WrongSecret', 'the whole text of the secret as the key', { key: Buffer.from(first.secret) })
  add('invalid', 'WrongSecret', 'the base64 text after the prefix as the key', {
    key: Buffer.from(first.secret.slice(6)),
  })
  add('invalid', 'WrongSecret', 'the secret decoded with its prefix', { key: Buffer.from(first.secret, 'base64') })
  add('invalid', 'WrongSecret', 'the hexadecimal text of the key as the key', {
    key: Buffer.from(key.toString('hex')),
  })
  add('invalid', 'WrongSecret', 'the key decoded twice', {
    key: Buffer.from(key.toString('latin1'), 'base64'),
  })
  add('invalid', 'WrongSecret', 'the empty key', { key: empty })
  add('invalid', 'WrongSecret', 'a key of bytes that are all 1', { key: Buffer.alloc(24, 1) })
  add('invalid', 'WrongSecret', 'the key cut to 16 bytes', { key: key.subarray(0, 16) })
  open('whsec_')('acceptable', 'EmptyKey', 'whsec_ alone, signed with the empty key', { key: empty })
  open('')('acceptable', 'EmptyKey', 'an empty secret, signed with the empty key', { key: empty })
  open('whsec_====')('acceptable', 'EmptyKey', 'padding alone, signed with the empty key', { key: empty })
  open('whsec_!!!!')('acceptable', 'EmptyKey', 'letters that are not base64, signed with the empty key', { key: empty })
}

function laterTests(open: Open): void {
  publishedLater(open)
  for (const length of [24, 25, 26, 32, 40, 48, 63, 64]) {
    const key = bytesOf(`key of ${length}`, length)
    open(secretOf(key), key)('valid', 'KeyLength', `a key of ${length} bytes`)
  }
  for (const [comment, key] of [
    ['a key of zero bytes only', Buffer.alloc(24)],
    ['a key of 0xff bytes only: no text at all', Buffer.alloc(24, 0xff)],
    ['a key that begins with a zero byte', Buffer.concat([Buffer.alloc(1), bytesOf('zero first', 31)])],
    ['a key with a zero byte in the middle', Buffer.concat([bytesOf('z', 12), Buffer.alloc(1), bytesOf('y', 19)])],
    ['a key that ends with a line feed', Buffer.concat([bytesOf('line', 23), Buffer.from('\n')])],
    ['a secret of + and / alone', Buffer.from('+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/', 'base64')],
    ['a key that is ASCII text', Buffer.from('abcdefghijklmnopqrstuvwxyz')],
    ['a key whose text begins like a secret', Buffer.from('whsec_abcdefghijklmnopqrst')],
    ['a key that is base64 text itself: it is decoded once', Buffer.from(bytesOf('twice', 24).toString('base64'))],
    ['a key of UTF-8 text beyond ASCII', Buffer.from('schl\u00fcssel-schl\u00fcssel-schl\u00fcssel')],
  ] as const)
    open(secretOf(key), key)('valid', 'BinaryKey', comment)

  const key = bytesOf('secrets', 30)
  const secret = secretOf(key)
  const add = open(secret, key)
  const wrong = (comment: string, signer: Uint8Array) => add('invalid', 'WrongSecret', comment, { key: signer })
  wrong('another key of the same length', bytesOf('another', 30))
  wrong('the first 24 bytes of the key', key.subarray(0, 24))
  wrong('the key and a byte more', Buffer.concat([key, Buffer.from('x')]))
  wrong('the key in reverse', key.toReversed())
  wrong('the text undefined', Buffer.from('undefined'))
  wrong('the prefix alone', Buffer.from('whsec_'))
  wrong('the decoded bytes read as UTF-8', Buffer.from(key.toString('utf8')))
  wrong('the decoded bytes read as Latin-1 and written as UTF-8', Buffer.from(key.toString('latin1'), 'utf8'))
  add('valid', 'Plain', 'the ordinary key after the wrong ones')

  const empty = Buffer.alloc(0)
  for (const [comment, given] of [
    ['two padding characters after the prefix, signed with the empty key', 'whsec_=='],
    ['full stops after the prefix, signed with the empty key', 'whsec_....'],
    ['a blank after the prefix, signed with the empty key', 'whsec_ '],
    ['a blank, signed with the empty key', ' '],
  ] as const)
    open(given, empty)('acceptable', 'EmptyKey', comment)

  const text = secret.slice('whsec_'.length)
  const forms = (comment: string, given: string, signer: Buffer = key) =>
    open(given, signer)('acceptable', 'SecretForm', comment)
  forms('the prefix twice', `whsec_${secret}`)
  forms('the prefix in capitals', `WHSEC_${text}`)
  forms('a line feed at the end', `${secret}\n`)
  forms('a blank at the end', `${secret} `)
  forms('a blank at the beginning', ` ${secret}`)
  forms('a blank in the middle', `${secret.slice(0, 20)} ${secret.slice(20)}`)
  forms('quotation marks around it', `"${secret}"`)
  forms('the form that one dashboard shows, v1,whsec_', `v1,${secret}`)
  const odd = bytesOf('unpadded', 25)
  forms('too much padding', `${secretOf(bytesOf('padded', 24))}==`, bytesOf('padded', 24))
  forms('other bits in the part of the last character that no byte uses', secretOf(odd).replace(/.==$/, 'B=='), odd)
  const url = Buffer.from('+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/+/', 'base64')
  forms('the alphabet of base64url', `whsec_${url.toString('base64url')}`, url)
  forms('a character that is not base64 in the middle', `${secret.slice(0, 20)}!${secret.slice(20)}`)
  forms('the prefix of a public key', `whpk_${text}`)
  forms('a plain text, signed as such', 'my_webhook_secret', Buffer.from('my_webhook_secret'))

  const last = open(secret, key)
  last('valid', 'Plain', 'the ordinary secret after all the others: nothing of them is kept')
  last('valid', 'SeveralEntries', 'the entry of another secret of this file first', {
    id: 'evt_beside',
    signature: (good) => `${entryFor(bytesOf('key of 24', 24), 'evt_beside', clock, eventText('evt_beside'))} ${good}`,
  })
  last('invalid', 'WrongSecret', 'the key of another secret of this file', { key: bytesOf('key of 24', 24) })
}

/** The worked examples of the scheme: their signatures are copied, not computed. */
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

function publishedTests(open: Open): void {
  for (const { secret, ...example } of published)
    open(secret)('valid', 'PublishedExample', 'a published worked example', { ...example, now: example.timestamp })
}

function publishedLater(open: Open): void {
  for (const { secret, ...example } of published) {
    const { timestamp, body } = example
    const add = open(secret)
    add('valid', 'BoundaryTimestamp', 'a published worked example, exactly 300 seconds later', {
      ...example,
      now: timestamp + 300,
    })
    add('invalid', 'BoundaryTimestamp', 'a published worked example, 301 seconds later', {
      ...example,
      now: timestamp + 301,
    })
    add('invalid', 'TamperedBody', 'a published worked example with a letter changed', {
      ...example,
      now: timestamp,
      body: body.replace('test', 'tast'),
    })
  }
}
