// The signed string: `{id}.{timestamp}.{body}`, and every part of it protected.

import { keyOf } from '../../wire/signing.js'
import {
  bytesOf,
  clock,
  entryFor,
  entryOf,
  eventText,
  first,
  rawHmac,
  secretOf,
  type Open,
  type Topic,
} from './message.js'

export const signedString: Topic = [
  { from: 178, isFirst: true, build: firstTests },
  { from: 1001, build: laterTests },
]

function firstTests(open: Open): void {
  const add = open(first.secret)
  for (const [name, text] of [
    ['the body alone', (body: string) => body],
    ['timestamp and body', (body: string) => `${first.clock}.${body}`],
    ['id and body', (body: string) => `evt_1.${body}`],
    ['id and timestamp without the body', () => `evt_1.${first.clock}.`],
    ['timestamp, id and body: the first two swapped', (body: string) => `${first.clock}.evt_1.${body}`],
    ['colons for full stops', (body: string) => `evt_1:${first.clock}:${body}`],
    ['no separators', (body: string) => `evt_1${first.clock}${body}`],
    ['the timestamp in milliseconds', (body: string) => `evt_1.${first.clock}000.${body}`],
    ['a line break at the end', (body: string) => `evt_1.${first.clock}.${body}\n`],
    ['the SHA-256 of the body in its place', () => `evt_1.${first.clock}.9f86d081884c7d659a2feaa0c55ad015`],
  ] as const)
    add('invalid', 'WrongSignedString', `signed: ${name}`, {
      signature: entryOf(rawHmac(keyOf(first.secret), [text(first.body)])),
    })
  for (const at of [0, 1, 17, first.body.length - 1])
    add('invalid', 'TamperedBody', `a bit of byte ${at} changed`, {
      signedBody: first.body,
      body: changed(first.body, at),
    })
  add('invalid', 'TamperedBody', 'a blank at the end', { signedBody: first.body, body: `${first.body} ` })
  add('invalid', 'TamperedBody', 'a line break at the end', { signedBody: first.body, body: `${first.body}\n` })
  add('invalid', 'TamperedBody', 'the last byte missing', { signedBody: first.body, body: first.body.slice(0, -1) })
  add('invalid', 'TamperedBody', 'no body', { signedBody: first.body, body: '' })
  add('invalid', 'TamperedBody', 'another event', {
    signedBody: first.body,
    body: first.body.replace('Hello', 'Hallo'),
  })
  add('invalid', 'TamperedBody', 'a byte order mark before it', { signedBody: first.body, body: `\ufeff${first.body}` })
  add('invalid', 'TamperedBody', 'the body twice', { signedBody: first.body, body: first.body + first.body })
  for (const id of ['evt_2', 'evt_', 'EVT_1', 'evt_1 ', 'evt_11', 'msg_1'])
    add(id === 'evt_1 ' ? 'acceptable' : 'invalid', 'TamperedId', `the id ${JSON.stringify(id)} instead of evt_1`, {
      id,
      signedId: 'evt_1',
    })
  for (const shift of [-1, 1, -60, 60, -299, 299])
    add('invalid', 'TamperedTimestamp', `moved by ${shift} seconds after signing`, {
      timestamp: first.clock + shift,
      signedTimestamp: first.clock,
    })
  add('invalid', 'TamperedTimestamp', 'an old delivery with a fresh timestamp', {
    timestamp: first.clock,
    signedTimestamp: first.clock - 7_200,
  })
}

function laterTests(open: Open): void {
  const key = bytesOf('signed string', 24)
  const add = open(secretOf(key), key)

  add('valid', 'UsualId', 'an id of one character after the prefix', { id: 'evt_1' })
  add('valid', 'UsualId', 'an id with capitals: ids are not folded to lower case', { id: 'evt_AbCdEfGhIjKlMnOp' })
  add('valid', 'UsualId', 'an id of 26 characters, as a ULID has', { id: 'evt_01HV3Z8Q5J7K9M2N4P6R8S0T1W' })
  add('valid', 'UsualId', 'an id with hyphens, as a UUID has', { id: 'evt_018f4e5c-9d3a-7b1e-8c2d-3f4a5b6c7d8e' })
  add('valid', 'UsualId', 'an id of 128 characters', { id: `evt_${'0123456789abcdef'.repeat(8).slice(4)}` })
  add('valid', 'UsualId', 'the id of the header may differ from the id in the body: the header is signed', {
    id: 'evt_header',
    body: eventText('evt_body'),
  })

  add('invalid', 'TamperedId', 'a character added to the id', { id: 'evt_recordedx', signedId: 'evt_recorded' })
  add('invalid', 'TamperedId', 'a character cut from the id', { id: 'evt_recorde', signedId: 'evt_recorded' })
  add('invalid', 'TamperedTimestamp', 'a digit moved from the timestamp to the id', {
    id: 'evt_1',
    signedId: 'evt_',
    signedTimestamp: `1${clock}`,
  })
  add('invalid', 'TamperedTimestamp', 'a digit moved from the id to the timestamp', {
    id: 'evt_',
    signedId: 'evt_1',
    signedTimestamp: String(clock).slice(1),
  })
  const paid = eventText('evt_paid', 'pay 100')
  const tampered = (comment: string, body: string, signedBody = paid) =>
    add('invalid', 'TamperedBody', comment, { id: 'evt_paid', body, signedBody })
  tampered('one digit of a value changed', eventText('evt_paid', 'pay 900'))
  tampered('a second event after the signed one', paid + eventText('evt_evil'))
  tampered('a second event before the signed one', eventText('evt_evil') + paid)
  tampered('the body of another signed delivery', eventText('evt_other'))
  tampered('a body instead of a signed empty one', paid, '')
  tampered('a letter in the other case', paid.replace('pay', 'Pay'))
  tampered('a field put in at the end', `${paid.slice(0, -1)},"admin":true}`)

  const over = (comment: string, parts: (id: string, timestamp: string, body: string) => readonly string[]) => {
    const id = 'evt_parts'
    const body = eventText(id)
    add('invalid', 'WrongSignedString', comment, {
      id,
      body,
      signature: entryOf(rawHmac(key, parts(id, String(clock), body))),
    })
  }
  over('nothing is signed', () => [])
  over('the body and its full stop are not signed', (id, timestamp) => [`${id}.${timestamp}`])
  over('the parts are joined by line feeds', (id, timestamp, body) => [`${id}\n${timestamp}\n${body}`])
  over('the body first', (id, timestamp, body) => [`${body}.${id}.${timestamp}`])
  over('a full stop follows the body', (id, timestamp, body) => [`${id}.${timestamp}.${body}.`])
  over('a full stop before the id', (id, timestamp, body) => [`.${id}.${timestamp}.${body}`])
  over('a version before the id', (id, timestamp, body) => [`v1.${id}.${timestamp}.${body}`])
  over('a version before the timestamp, as in another scheme', (_, timestamp, body) => [`v0:${timestamp}:${body}`])
  over('the body is signed in base64', (id, timestamp, body) => [
    `${id}.${timestamp}.${Buffer.from(body).toString('base64')}`,
  ])
  over('only the beginning of the body is signed', (id, timestamp, body) => [`${id}.${timestamp}.${body.slice(0, 64)}`])
  over('the id in the body is signed and not that of the header', (_, timestamp, body) => [
    `evt_other.${timestamp}.${body}`,
  ])

  add('acceptable', 'PartBoundary', 'an id with a full stop, signed as sent', { id: 'evt_a.b' })
  const short = '{"x":1}'
  add('acceptable', 'PartBoundary', 'the signed bytes of id evt_a, cut as id evt_a.<timestamp> and a shorter body', {
    id: `evt_a.${clock}`,
    body: short,
    signature: entryFor(key, 'evt_a', clock, `${clock}.${short}`),
  })
}

function changed(text: string, at: number): Uint8Array {
  const bytes = Buffer.from(text)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}
