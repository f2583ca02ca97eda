// The headers: three of them, whatever the case of their names; and state, which a verifier has none of.

import {
  bytesOf,
  clock,
  entryFor,
  entryOf,
  eventText,
  first,
  secretOf,
  type Add,
  type Open,
  type Topic,
} from './message.js'

type Headers = Readonly<Record<string, string>>

const without =
  (...names: readonly string[]) =>
  (headers: Headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
const renamed = (change: (name: string) => string) => (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]))

export const headers: Topic = [
  { from: 243, isFirst: true, build: firstTests },
  { from: 1501, build: laterTests },
]

function firstTests(open: Open): void {
  const add = open(first.secret)
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
    add('invalid', 'MissingHeader', `${name} is missing`, { headers: without(name) })
    add('invalid', 'MissingHeader', `${name} is empty`, { headers: (own) => ({ ...own, [name]: '' }) })
  }
  add('invalid', 'MissingHeader', 'no header at all', { headers: () => ({}) })
  add('invalid', 'HeaderFamily', 'only headers of another family', {
    headers: renamed((name) => name.replace('webhook', 'svix')),
  })
  add('valid', 'HeaderCase', 'title case', {
    headers: renamed((name) => name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase())),
  })
  add('valid', 'HeaderCase', 'capitals', {
    headers: renamed((name) => name.toUpperCase()),
  })
  add('valid', 'HeaderCase', 'further headers around', {
    headers: (own) => ({ host: 'a.example', 'content-type': 'application/json', ...own, 'x-more': '1' }),
  })
  add('valid', 'HeaderCase', 'in another order', {
    headers: (own) => Object.fromEntries(Object.entries(own).toReversed()),
  })
  for (const [name, id] of [
    ['an id with a full stop', 'evt.1'],
    ['an id of one letter', 'a'],
    ['an id of 10 kB', 'e'.repeat(10_000)],
    ['an id with a blank', 'evt 1'],
    ['an id beyond ASCII', 'evt_ü'],
  ] as const)
    add(id === 'a' ? 'valid' : 'acceptable', id === 'a' ? 'UsualId' : 'OddId', name, { id })
}

function laterTests(open: Open): void {
  const key = bytesOf('headers', 24)
  const add = open(secretOf(key), key)

  missingOnes(add)
  spelling(add)
  idsAndState(add, key)
}

/** A header is not there, or is empty. */
function missingOnes(add: Add): void {
  const missing = (comment: string, ...names: readonly string[]) =>
    add('invalid', 'MissingHeader', comment, { headers: without(...names) })
  missing('only the signature is there', 'webhook-id', 'webhook-timestamp')
  missing('only the id is there', 'webhook-timestamp', 'webhook-signature')
  missing('only the timestamp is there', 'webhook-id', 'webhook-signature')
  for (const text of ['', 'undefined', 'null', 'None', 'nil', '0'])
    add(
      'invalid',
      'MissingHeader',
      `the id is missing, and ${text === '' ? 'an empty one' : `the text ${text}`} was signed`,
      {
        signedId: text,
        headers: without('webhook-id'),
      },
    )
  for (const text of ['', 'undefined', 'null', '0', 'NaN', String(clock)])
    add(
      'invalid',
      'MissingHeader',
      `the timestamp is missing, and ${text === '' ? 'an empty one' : `the text ${text}`} was signed`,
      {
        signedTimestamp: text,
        headers: without('webhook-timestamp'),
      },
    )
  add('invalid', 'MissingHeader', 'names that end like ours instead of them', {
    headers: renamed((name) => `x-${name}`),
  })
  add('invalid', 'MalformedTimestamp', 'an empty timestamp, signed as such', { timestamp: '' })
  add('invalid', 'MalformedTimestamp', 'a timestamp of one blank, signed as such', { timestamp: ' ' })
  add('acceptable', 'OddId', 'an empty id, signed as such', { id: '' })
}

/** Adds names in other spellings, and extra headers. */
function spelling(add: Add): void {
  add('valid', 'HeaderCase', 'header names with one capital', {
    headers: renamed((name) => name.charAt(0).toUpperCase() + name.slice(1)),
  })
  add('valid', 'HeaderCase', 'header names in mixed case', {
    headers: renamed((name) => [...name].map((c, index) => (index % 2 === 0 ? c.toUpperCase() : c)).join('')),
  })
  add('valid', 'HeaderCase', 'each header name in a case of its own', {
    headers: renamed((name) => (name.endsWith('id') ? 'Webhook-Id' : name.endsWith('e') ? name.toUpperCase() : name)),
  })
  add('invalid', 'TamperedBody', 'header names in capitals and a body that was changed', {
    id: 'evt_case',
    signedBody: eventText('evt_case', 'before'),
    headers: renamed((name) => name.toUpperCase()),
  })
  add('valid', 'HeaderBeside', 'headers whose names begin or end like ours', {
    headers: (own) => ({
      'x-webhook-id': 'evt_y',
      'webhook-id-2': 'evt_x',
      ...own,
      'webhook-signature-old': 'v1,AAAA',
    }),
  })
  add('valid', 'HeaderBeside', 'the headers a proxy adds', {
    headers: (own) => ({
      ...own,
      forwarded: 'for=192.0.2.1',
      'x-forwarded-proto': 'https',
      traceparent: '00-1-2-01',
    }),
  })
  add('valid', 'HeaderBeside', 'a bearer token and a signature of another scheme', {
    headers: (own) => ({ ...own, authorization: 'Bearer x', 'x-signature': 'sha256=00', signature: 'v1,AAAA' }),
  })
  add('acceptable', 'HeaderFamily', 'names with underscores instead of hyphens', {
    headers: renamed((name) => name.replaceAll('-', '_')),
  })
  add('acceptable', 'HeaderFamily', 'the names of an older family, wrong, next to ours', {
    headers: (own) => ({ ...own, 'svix-id': 'evt_x', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA' }),
  })
}

/** Odd ids, and the same id again. */
function idsAndState(add: Add, key: Uint8Array): void {
  const odd = (comment: string, id: string) => add('acceptable', 'OddId', comment, { id })
  odd('a comma within the id', 'evt_a,b')
  odd('an id without the prefix of an event', 'msg_1')
  odd('an id of digits', '1')
  odd('an id that is a path', 'evt_../../etc/passwd')
  odd('an id that is a property of every object', '__proto__')

  const again = 'evt_replayed'
  const replayed = (comment: string, changes: { timestamp?: number; now?: number; body?: string } = {}) =>
    add('valid', 'ReplayedId', comment, { id: again, ...changes })
  replayed('a delivery that a later vector repeats')
  replayed('the same delivery again, byte for byte: a verifier has no memory')
  replayed('the same event in its next attempt: same id, signed anew a minute later', {
    timestamp: clock + 60,
    now: clock + 60,
  })
  replayed('the same id with another body, signed: whether that is a duplicate is for the receiver', {
    body: eventText(again, 'other'),
  })
  add('invalid', 'TamperedBody', 'the id of an accepted delivery with a body that was not signed', {
    id: again,
    signedBody: eventText(again, 'not this one'),
  })
  add('invalid', 'BoundaryTimestamp', 'the accepted delivery again after 301 seconds', {
    id: again,
    now: clock + 301,
  })
  add('invalid', 'TamperedTimestamp', 'the signature of the first attempt with the timestamp of the second', {
    id: again,
    timestamp: clock + 60,
    now: clock + 60,
    signature: entryFor(key, again, clock, eventText(again)),
  })
  replayed('the accepted delivery once more after the refused ones')
  add('invalid', 'NoMatchingEntry', 'a forged delivery with an id that is used for the first time', {
    id: 'evt_first_use',
    signature: entryOf(bytesOf('forged', 32)),
  })
  add('valid', 'ReplayedId', 'the genuine delivery of that id: the forged one has not used it up', {
    id: 'evt_first_use',
  })
}
