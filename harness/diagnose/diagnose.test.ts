import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, test } from 'vitest'
import { loadSchema } from '../../fixtures/index.js'
import { bodiesOf } from './bodies.js'
import { layouts } from './signed-contents.js'
import { ageText } from './age-text.js'
import { diagnose } from './diagnose.js'
import { readEntries } from './entries.js'
import { matchersOf } from './hashes.js'
import { rareBodies } from './rare-bodies.js'
import { readHeaders, readRequest, unchunked } from './request.js'
import { search } from './search.js'
import { signatureProblem } from './signature-problem.js'

const bare = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const secret = `whsec_${bare}`
const key = Buffer.from(bare, 'base64')
const seconds = '1700000000'
const text =
  '{"id":"evt_1","type":"message.received","timestamp":"2023-11-14T22:13:20.000Z","data":{"subject":"Grüße <b> 👋"}}'
const isValid = new Ajv2020({ allowUnionTypes: true }).compile(loadSchema('signature-diagnosis'))

function mac(parts: readonly (string | Uint8Array)[], using: Uint8Array | string = key, hash = 'sha256'): Buffer {
  const hmac = createHmac(hash, using)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

function entry(
  body: string | Uint8Array,
  { timestamp = seconds, id = 'evt_1', using = key as Uint8Array | string } = {},
) {
  return `v1,${mac([`${id}.${timestamp}.`, body], using).toString('base64')}`
}

interface Asked {
  readonly signature: string
  readonly body?: string | Uint8Array
  readonly timestamp?: string
  readonly id?: string
  readonly secrets?: readonly string[]
  readonly now?: number
  readonly names?: string
  readonly isDeep?: boolean
}

function diagnoseRequest({
  signature,
  body = text,
  timestamp = seconds,
  id = 'evt_1',
  secrets = [secret],
  names = 'webhook',
  ...rest
}: Asked) {
  const headers = Object.entries({ id, timestamp, signature }).map(
    ([part, value]) => [`${names}-${part}`, value] as const,
  )
  const diagnosis = diagnose({ headers, body: Buffer.from(body as string), notes: [] }, { secrets, ...rest })
  expect(isValid(diagnosis)).toBe(true)
  expect(JSON.stringify(diagnosis)).not.toContain(bare)
  return { ...diagnosis, ids: diagnosis.causes.map(({ cause }) => cause) }
}

describe('a right signature verifies', () => {
  it.each([
    ['one entry', { signature: entry(text) }],
    ['one entry of several', { signature: `v1,${'A'.repeat(43)}= v1a,x ${entry(text)}` }],
    ['at the last second', { signature: entry(text), now: 1_700_000_300 }],
    ['an old one, where no time is given', { signature: entry(text) }],
    ['any body', { signature: entry('not JSON'), body: 'not JSON' }],
  ])('%s', (_, requested) => expect(diagnoseRequest(requested)).toMatchObject({ verifies: true, secret: 1, ids: [] }))

  it('with the second of two secrets, and names it', () => {
    expect(diagnoseRequest({ signature: entry(text), secrets: [`whsec_${'A'.repeat(32)}`, secret] })).toMatchObject({
      verifies: true,
      secret: 2,
    })
  })

  it('reports the age of a stale delivery with its verdict', () => {
    expect(diagnoseRequest({ signature: entry(text) }).notes.join()).toContain('stale')
  })

  it.each([
    [119, '119 seconds'],
    [120, '2 minutes (120 seconds)'],
    [7_199, '119 minutes 59 seconds (7199 seconds)'],
    [90_061, '25 hours 1 minute (90061 seconds)'],
    [28_675_054, '331 days 21 hours (28675054 seconds)'],
  ])('formats an age of %d seconds', (seconds, words) => {
    expect(ageText(seconds)).toBe(words)
  })
})

const value = JSON.parse(text) as unknown
const plain = '{"id":"evt_1","type":"t","timestamp":"2023-11-14T22:13:20.000Z","data":{"subject":"an order"}}'
const named =
  '{"id":"evt_1","at":"2023-11-14T22:13:20Z","from":"Ada Sender <ada@sender.example>","subject":"Your order no. 7"}'
const tagged = '{"to":"ada+shop@sender.example","text":"1 + 1 is two"}'
const quotes = '{"subject":"Say \\"hello\\" to R&D, it\'s <b>"}'
const htmlOf = (plainText: string) =>
  plainText
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
const eventData =
  '{"message_id":"msg_1","inbox_id":"ibx_1","thread_id":"thr_1","from":"ada@sender.example","subject":"Hi"}'
const event = `{"id":"evt_1","type":"message.received","timestamp":"2023-11-14T22:13:19.431Z","data":${eventData}}`
const umlaut = '{"a":"Grüße"}'
const withPlus = Array.from({ length: 99 }, (_, n) => `{"n":${n}}`).find((body) => entry(body).includes('+')) ?? ''

describe('each mistake is named, and nothing else', () => {
  it.each<readonly [string, string, Asked]>([
    ['parsed and written pretty', 'body-rewritten', { signature: entry(text), body: JSON.stringify(value, null, 2) }],
    [
      'written with spaces and escapes before',
      'body-rewritten',
      { signature: entry('{"a": 1, "b": "\\u00fc"}'), body: '{"a":1,"b":"ü"}' },
    ],
    ['slashes escaped before', 'body-rewritten', { signature: entry('{"a":"b\\/c"}'), body: '{"a":"b/c"}' }],
    ['HTML escaped before', 'body-rewritten', { signature: entry('{"a":"\\u003cb\\u003e"}'), body: '{"a":"<b>"}' }],
    [
      'sorted by who read it',
      'body-rewritten',
      { signature: entry('{"id":"evt_1","type":"t","data":{}}'), body: '{"data":{},"id":"evt_1","type":"t"}' },
    ],
    ['a number as it was written', 'body-rewritten', { signature: entry('{"n":1.50}'), body: '{ "n": 1.50 }' }],
    ['JSON in a JSON string', 'body-rewritten', { signature: entry(text), body: JSON.stringify(text) }],
    ['a newline added', 'body-newline', { signature: entry(text), body: `${text}\n` }],
    ['a newline removed', 'body-newline', { signature: entry(`${text}\n`) }],
    ['line ends changed', 'body-newline', { signature: entry('a\nb'), body: 'a\r\nb' }],
    ['Latin-1 signed', 'body-charset', { signature: entry(Buffer.from(umlaut, 'latin1')), body: umlaut }],
    ['Latin-1 sent', 'body-charset', { signature: entry(umlaut), body: Buffer.from(umlaut, 'latin1') }],
    [
      'UTF-8 read as Latin-1',
      'body-charset',
      { signature: entry(umlaut), body: Buffer.from(umlaut).toString('latin1') },
    ],
    ['a form', 'body-encoded', { signature: entry(umlaut), body: `payload=${encodeURIComponent(umlaut)}` }],
    ['a byte order mark', 'body-charset', { signature: entry(text), body: `\ufeff${text}` }],
    ['compressed', 'body-encoded', { signature: entry(text), body: gzipSync(text) }],
    ['decompressed', 'body-encoded', { signature: entry(gzipSync(text)), body: text }],
    ['still chunked', 'body-encoded', { signature: entry('ab'), body: '2\r\nab\r\n0\r\n\r\n' }],
    ['the secret undecoded', 'secret-undecoded', { signature: entry(text, { using: bare }) }],
    ['the secret undecoded, prefix and all', 'secret-undecoded', { signature: entry(text, { using: secret }) }],
    [
      'the secret as hex',
      'secret-decoded-otherwise',
      { signature: entry(text, { using: Buffer.from('ab'.repeat(16), 'hex') }), secrets: [`whsec_${'ab'.repeat(16)}`] },
    ],
    ['only the body', 'signed-content', { signature: `v1,${mac([text]).toString('base64')}` }],
    ['no id', 'signed-content', { signature: `v1,${mac([`${seconds}.${text}`]).toString('base64')}` }],
    [
      'another hash',
      'hash',
      { signature: `v1,${mac([`evt_1.${seconds}.${text}`], key, 'sha512').toString('base64')}` },
    ],
    ['milliseconds signed', 'timestamp-milliseconds', { signature: entry(text, { timestamp: `${seconds}437` }) }],
    ['milliseconds sent', 'timestamp-milliseconds', { signature: entry(text), timestamp: `${seconds}437` }],
    [
      'milliseconds both',
      'timestamp-milliseconds',
      { signature: entry(text, { timestamp: `${seconds}437` }), timestamp: `${seconds}437` },
    ],
    [
      'a date',
      'timestamp-format',
      { signature: entry(text, { timestamp: '2023-11-14T22:13:20Z' }), timestamp: '2023-11-14T22:13:20Z' },
    ],
    ['the clock read twice', 'timestamp-differs', { signature: entry(text, { timestamp: '1700000001' }) }],
    ['another id', 'id-differs', { signature: entry(text), id: 'msg_9' }],
    ['hexadecimal', 'signature-format', { signature: `v1,${mac([`evt_1.${seconds}.${text}`]).toString('hex')}` }],
    [
      'base64url',
      'signature-format',
      { signature: entry(text).replaceAll('+', '-').replaceAll('/', '_').replace('=', '') },
    ],
    ['no version', 'signature-format', { signature: entry(text).slice(3) }],
    ['another version', 'signature-format', { signature: entry(text).replace('v1', 'v2') }],
    ['a blank for each +', 'signature-format', { signature: entry(withPlus).replaceAll('+', ' '), body: withPlus }],
    ['percent-encoded', 'signature-format', { signature: encodeURIComponent(entry(withPlus)), body: withPlus }],
    [
      'no HMAC',
      'hash',
      {
        signature: `v1,${createHash('sha256').update(key).update(`evt_1.${seconds}.${text}`).digest('base64')}`,
      },
    ],
    ['other names', 'header-names', { signature: entry(text), names: 'svix' }],
    ['entries joined by a comma', 'headers-joined', { signature: `${entry(text)}, v1,${'A'.repeat(43)}=` }],
    ['ids joined by a comma', 'headers-joined', { signature: entry(text), id: 'evt_1, evt_1' }],
    ['a second too late', 'timestamp-stale', { signature: entry(text), now: 1_700_000_301 }],
    ['a second too early', 'timestamp-stale', { signature: entry(text), now: 1_699_999_699 }],
    ['a blank in the secret', 'secret-repaired', { signature: entry(text), secrets: [` ${secret}`] }],
    ['quotes around the secret', 'secret-repaired', { signature: entry(text), secrets: [`"${secret}"`] }],
    ['no prefix', 'secret-repaired', { signature: entry(text), secrets: [bare] }],
    [
      'base64url in the secret',
      'secret-repaired',
      { signature: entry(text, { using: Buffer.from('-_-_', 'base64url') }), secrets: ['whsec_-_-_'] },
    ],
    ['signed in small letters', 'body-rewritten', { signature: entry(text.toLowerCase()) }],
    ['times in small letters', 'body-rewritten', { signature: entry(plain), body: plain.toLowerCase() }],
    ['all of it in small letters', 'body-rewritten', { signature: entry(named), body: named.toLowerCase() }],
    ['a blank for each + of a body', 'body-encoded', { signature: entry(tagged), body: tagged.replaceAll('+', ' ') }],
    ['signed with a blank for each +', 'body-encoded', { signature: entry(tagged.replaceAll('+', ' ')), body: tagged }],
    ['HTML entities', 'body-encoded', { signature: entry(quotes), body: htmlOf(quotes) }],
    [
      'HTML entities in a value',
      'body-encoded',
      { signature: entry(quotes), body: quotes.replaceAll('\\"', '&quot;') },
    ],
    ['HTML entities twice', 'body-encoded', { signature: entry(quotes), body: htmlOf(htmlOf(quotes)) }],
    ['signed with HTML entities', 'body-encoded', { signature: entry(htmlOf(quotes)), body: quotes }],
    ['? for a letter', 'body-charset', { signature: entry(umlaut), body: '{"a":"Gr?ße"}' }],
    ['? for two letters', 'body-charset', { signature: entry(umlaut), body: '{"a":"Gr??e"}' }],
    ['? for each byte of a letter', 'body-charset', { signature: entry('{"a":"Müller"}'), body: '{"a":"M??ller"}' }],
    [
      '? for one letter, and a real question mark',
      'body-charset',
      { signature: entry('{"a":"Käse?"}'), body: '{"a":"K?se?"}' },
    ],
    ['signed with ? for each byte', 'body-charset', { signature: entry('{"a":"M??ller"}'), body: '{"a":"Müller"}' }],
    ['only the data signed', 'signed-content', { signature: entry('{"subject":"Grüße <b> 👋"}') }],
    [
      'only the data signed, escaped',
      'signed-content',
      { signature: entry('{"subject":"Gr\\u00fc\\u00dfe <b> \\ud83d\\udc4b"}') },
    ],
    ['the body twice', 'body-cut', { signature: entry(event), body: `${event}${event}` }],
    ['the body twice, in two lines', 'body-cut', { signature: entry(event), body: `${event}\n${event}` }],
    [
      'null added for an absent member',
      'body-rewritten',
      { signature: entry(event), body: event.replace('"data":{', '"data":{"cc":null,') },
    ],
    ['only the data kept', 'body-cut', { signature: entry(event), body: eventData }],
    ['1.0 made 1', 'body-rewritten', { signature: entry('{"a":1.0,"b":2.0}'), body: '{"a":1,"b":2}' }],
    ['1.0 made 1 beside a 2', 'body-rewritten', { signature: entry('{"a":1.0,"b":2}'), body: '{"a":1,"b":2}' }],
    ['1 made 1.0', 'body-rewritten', { signature: entry('{"a":1,"b":[2]}'), body: '{"a":1.0,"b":[2.0]}' }],
    [
      'written by .NET before',
      'body-rewritten',
      {
        signature: entry('{"a":"say \\u0022\\u00FC \\u002B \\u003Cb\\u003E\\u0022, it\\u0027s \\\\"}'),
        body: '{"a":"say \\"ü + <b>\\", it\'s \\\\"}',
      },
    ],
    [
      'written by Gson before',
      'body-rewritten',
      { signature: entry('{"a":"it\\u0027s \\u003cb\\u003e 1\\u003d1"}'), body: '{"a":"it\'s <b> 1=1"}' },
    ],
    [
      'signed as Python shows bytes',
      'body-rewritten',
      { signature: entry(`b'{"a":"it\\'s \\xc3\\xbc"}'`), body: '{"a":"it\'s ü"}' },
    ],
    [
      'signed as Python shows a dictionary',
      'body-rewritten',
      { signature: entry(`{'a': "it's ü", 'b': [True, None, 1.0]}`), body: '{"a":"it\'s ü","b":[true,null,1.0]}' },
    ],
    ['an object as text', 'body-rewritten', { signature: entry('[object Object]') }],
    ['undefined instead of the body', 'signed-content', { signature: entry('undefined') }],
    ['a Buffer as JSON', 'body-encoded', { signature: entry(text), body: JSON.stringify(Buffer.from(text)) }],
    [
      'as a gateway hands it on',
      'body-encoded',
      { signature: entry(text), body: JSON.stringify({ body: text, isBase64Encoded: false }) },
    ],
    [
      'as a gateway hands it on, as base64',
      'body-encoded',
      {
        signature: entry(text),
        body: JSON.stringify({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true }),
      },
    ],
    [
      'the key and the text exchanged',
      'hash',
      { signature: `v1,${mac([key], `evt_1.${seconds}.${text}`).toString('base64')}` },
    ],
    ['nothing known', 'unexplained', { signature: entry(text, { using: 'another' }) }],
  ])('%s', (_, cause, requested) => {
    const { verifies, ids } = diagnoseRequest(requested)
    expect(ids).toEqual([cause])
    expect(verifies).toBe(false)
  })

  it('reports how UTF-8 was misread, and where a body ends too early', () => {
    const misread = diagnoseRequest({ signature: entry(umlaut), body: Buffer.from(umlaut).toString('latin1') })
    expect(misread.causes[0]?.explanation).toContain('its UTF-8 was read as Latin-1')
    expect(diagnoseRequest({ signature: entry(text), body: text.slice(0, 40) }).ids).toEqual([
      'body-cut',
      'unexplained',
    ])
    expect(diagnoseRequest({ signature: entry(text), body: `${text} and more` }).ids).toEqual(['unexplained'])
  })

  it('ends where a string holds JSON that does not end', () => {
    for (const body of ['"{\\"a\\":"', '"["', '"{\\"a\\":[1,"'])
      expect(diagnoseRequest({ signature: entry(text), body }).ids, body).toEqual(['unexplained'])
  })

  it.each([
    ['of another version alone', `v1a,${Buffer.alloc(64).toString('base64')}`, 'of version v1'],
    ['cut off', entry(text).slice(0, 30), 'there are 20'],
    ['that is no base64', 'v1,???', 'there are 0'],
  ])('reports that no entry can match: one %s', (_, signature, words) => {
    const { ids, causes } = diagnoseRequest({ signature })
    expect(ids).toEqual(['signature-format', 'unexplained'])
    expect(causes[0]?.explanation).toContain(words)
  })

  it('names two at once', () => {
    const { ids } = diagnoseRequest({ signature: entry(JSON.stringify(value, null, 2), { using: bare }) })
    expect(ids).toEqual(['body-rewritten', 'secret-undecoded'])
  })

  it('names three at once if the search is deep', () => {
    const body = `\ufeff${text}`
    const signature = entry(JSON.stringify(value, null, 2), { using: bare })
    expect(diagnoseRequest({ signature, body }).ids).toEqual(['unexplained'])
    expect(diagnoseRequest({ signature, body, isDeep: true }).ids).toEqual([
      'body-charset',
      'body-rewritten',
      'secret-undecoded',
    ])
  })

  it('names a repeated and a missing header', () => {
    const headers = readHeaders(`webhook-id: evt_1\nwebhook-id: evt_2\nwebhook-timestamp: ${seconds}\n`)
    const { causes } = diagnose({ headers, body: Buffer.from(text), notes: [] }, { secrets: [secret] })
    expect(causes.map(({ cause }) => cause)).toEqual(['header-repeated', 'header-missing'])
  })
})

test('a failed check of a run contains the diagnosis', () => {
  const values = { id: 'evt_1', timestamp: seconds, signature: entry(text, { using: bare }) }
  expect(signatureProblem(values, Buffer.from(text), secret)).toContain('undecoded')
  expect(signatureProblem({ ...values, signature: entry(text) }, Buffer.from(text), secret)).toBeUndefined()
})

describe('a request as it was written down', () => {
  const head = `POST /webhooks HTTP/1.1\r\nHost: a.example\r\nWebhook-Id: evt_1\r\n`

  it('contains its body unchanged', () => {
    expect(readRequest(Buffer.from(`${head}Content-Length: 2\r\n\r\n{}\n`)).body.toString()).toBe('{}\n')
    expect(readRequest(Buffer.from(`${head.replaceAll('\r', '')}\n{}`)).body.toString()).toBe('{}')
  })

  it('reports chunks if its headers declare them', () => {
    const chunked = `${head}Transfer-Encoding: gzip, chunked\r\n\r\n1;x=y\r\n{\r\n1\r\n}\r\n0\r\nDigest: x\r\n\r\n`
    expect(readRequest(Buffer.from(chunked)).body.toString()).toBe('{}')
    const broken = readRequest(Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n{}`))
    expect(broken.body.toString()).toBe('{}')
    expect(broken.notes).toHaveLength(1)
    expect(unchunked(Buffer.from('5\r\nab'))).toBeUndefined()
  })

  it.each(['', 'HTTP/1.1 200 OK\r\n\r\n', '{"id":"evt_1"}', 'POST / HTTP/1.1\r\nno header\r\n\r\n'])(
    'is none: %j',
    (raw) => expect(() => readRequest(Buffer.from(raw))).toThrow(),
  )

  it('may be header lines or a JSON object', () => {
    expect(readHeaders('webhook-id: evt_1\r\nX: a\r\n b\r\n')).toEqual([
      ['webhook-id', 'evt_1'],
      ['X', 'a b'],
    ])
    expect(readHeaders('{"webhook-id":["a","b"],"n":1}')).toEqual([
      ['webhook-id', 'a'],
      ['webhook-id', 'b'],
      ['n', '1'],
    ])
    for (const bad of ['', '{', '[]', '{"a":{}}', '{"a":null}', 'nothing']) expect(() => readHeaders(bad)).toThrow()
  })
})

describe('guesses', () => {
  const requested = { id: 'evt_1', timestamp: seconds, secrets: [secret] }

  it('is bounded, whatever the body holds', () => {
    const numbers = JSON.stringify(Array.from({ length: 5_000 }, (_, at) => at))
    const blanks = JSON.stringify('a '.repeat(5_000))
    const questions = JSON.stringify('wo? '.repeat(5_000))
    const all = [numbers, blanks, questions, eventData, '{"a":"b? c?"}']
    for (const body of all) {
      const count = [...rareBodies(Buffer.from(body), requested)].length
      expect(count, body.slice(0, 20)).toBeLessThan(12_000)
    }
    expect([...rareBodies(Buffer.alloc(70_000, 0x61), requested)]).toEqual([])
  })

  it('stops at the end of the budget, and reports nothing unproven', () => {
    let taken = 0
    function* endless() {
      for (;;) {
        taken++
        yield {
          value: Buffer.from(String(taken)),
          fault: { cause: 'body-rewritten', explanation: '', remedy: '' } as const,
        }
      }
    }
    const right = <Value>(given: Value) => [{ value: given }]
    const space = {
      keys: right(key),
      layouts,
      ids: right('evt_1'),
      timestamps: right(seconds),
      matchers: matchersOf(readEntries(right(entry('something else')))),
      rareTimestamps: [],
      rareBodies: endless,
      body: Buffer.from('a'),
      bodies: () => [],
      composed: () => [],
    }
    expect(search(space, { bytes: 3_000_000 })).toBeUndefined()
    expect(taken).toBeGreaterThan(100)
    expect(taken).toBeLessThan(3_000_000 / 2_000 / 3 + 2)
    for (const body of [plain.toLowerCase(), '{"a":"M?ller"}', eventData, '{"a":1}', '{"a":"b c"}', htmlOf(quotes)])
      expect(diagnoseRequest({ signature: entry('something else'), body }).ids).toEqual(['unexplained'])
  })
})

describe('a long body', () => {
  const long = JSON.stringify({
    id: 'evt_1',
    data: { rows: Array.from({ length: 200 }, (_, at) => ({ at, text: 'ü' })) },
  })
  const written = (maxWritten: number) => bodiesOf(Buffer.from(long), { maxWritten }).length

  it('is written again as often as the limit allows, the usual ways first', () => {
    const least = written(1)
    const some = written(long.length * 3) - least
    expect(some).toBeGreaterThan(0)
    expect(some).toBeLessThan((bodiesOf(Buffer.from(long)).length - least) / 4)
  })

  it('is known for one that was written pretty, within the budget of a run', () => {
    const small = JSON.stringify({ id: 'evt_1', data: { rows: Array.from({ length: 2_000 }, (_, at) => ({ at })) } })
    const of = { id: 'evt_1', timestamp: seconds, signature: entry(JSON.stringify(JSON.parse(small), undefined, 2)) }
    expect(signatureProblem(of, Buffer.from(small), secret)).toContain('written pretty, two spaces')
  })
})
