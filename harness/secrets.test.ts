import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Secrets } from './secrets.js'
import { tries } from './testing/fuzz.js'

const limits = tries(100)

const base64Key = fc.uint8Array({ minLength: 18, maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const secret = fc.oneof(
  base64Key.map((key) => `whsec_${key}`),
  base64Key.map((key) => `sk_${key.replace(/[^A-Za-z0-9]/g, '')}`),
  // Anything a header can hold, but for what begins an escape itself.
  fc
    .array(fc.constantFrom(...'!"#$\'()*+,-./0123456789:;<=>?@ABCXYZ[]^_`abcxyz{|}~'), { minLength: 12, maxLength: 40 })
    .map((characters) => characters.join('')),
)

const dotNet = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[+/=&<>]/g, unicode)
const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Encodings in which a server may echo a key. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json of php': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'json of .net': dotNet,
  'json in json': (text) => JSON.stringify(dotNet(text)).slice(1, -1),
  url: encodeURIComponent,
  'url in small letters': (text) => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  'json of a url': (text) => JSON.stringify(encodeURIComponent(text)).slice(1, -1),
  html: (text) => text.replace(/[&<>"'/+=]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`),
  base64: (text) => Buffer.from(text).toString('base64').replaceAll('=', ''),
  'base64 behind a name': (text) => Buffer.from(`user:${text}`).toString('base64'),
  'base64 in the middle': (text) => Buffer.from(`{"key":"${text}","more":1}`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex: (text) => Buffer.from(text).toString('hex'),
}

/** The longest stretch of the secret, in the encoding, that is still there. */
function remains(clean: string, encoded: string): number {
  for (let length = encoded.length; length > 0; length--)
    for (let start = 0; start + length <= encoded.length; start++)
      if (clean.includes(encoded.slice(start, start + length))) return length
  return 0
}

/** A result with nothing in it that is redacted. */
const failed = {
  id: 'service/webhooks/creates-with-201',
  suite: 'service/webhooks',
  title: 'a webhook is created',
  level: 'must',
  requirements: ['WHK-001'],
  status: 'failed',
  known_failure: false,
  duration_ms: 1,
} as const

/** How many characters of the secret in a row are still there, by an encoding that writes each for itself. */
function charactersLeft(clean: string, value: string, encode: (text: string) => string): number {
  for (let length = value.length; length > 0; length--)
    for (let start = 0; start + length <= value.length; start++)
      if (clean.includes(encode(value.slice(start, start + length)))) return length
  return 0
}

/** Secrets that begin with characters whose escapes are long, cut after the third of them. */
const startsOfEscapes: [string, number][] = [
  ['=!+<!!!!!!!!!!!!!!!!!', 1238232867],
  ['!+>!!!!!!!"!!!!!!!!!!!/!!!!!!!!!', 1728181720],
]

/** Returns the base64 characters that encode only the secret and nothing next to it, at each of the three offsets. */
function inBase64(value: string): string[] {
  return [0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + value)
      .toString('base64')
      .slice(4, -4),
  )
}

describe('a secret is found', () => {
  for (const [name, encode] of Object.entries(encodings))
    it(`as ${name}, at any place in a text`, () => {
      fc.assert(
        fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
          const secrets = new Secrets()
          secrets.add(value)
          const encoded = encode(value)
          const clean = secrets.redact(`${before} "${encoded}" ${after}`)
          expect(clean).toContain('[redacted]')
          // base64 shares characters with the neighbouring text; a few of them reveal nothing.
          const harmless = name.startsWith('base64') ? encoded.length - value.length + 6 : 5
          const rest = clean.replaceAll('[redacted]', '')
          const isOfItself = remains(`${before} "" ${after}`, encoded)
          expect(remains(rest, encoded)).toBeLessThanOrEqual(Math.max(harmless, isOfItself))
        }),
        limits,
      )
    })

  it('inside a longer word, twice, and next to another one', () => {
    const secrets = new Secrets()
    secrets.add('sk_one_123456')
    secrets.add('sk_two_123456')
    expect(secrets.redact('xsk_one_123456y sk_one_123456sk_two_123456!')).toBe('x[redacted]y [redacted]!')
  })

  it('with only its start before a cut, or only its end after one', () => {
    const secrets = new Secrets()
    secrets.add('whsec_c2VjcmV0c2VjcmV0c2VjcmV0')
    secrets.add('sk_live_0123456789')
    expect(secrets.redact('got {"key":"sk_live_0123… (300 characters)')).toBe(
      'got {"key":"[redacted]… (300 characters)',
    )
    expect(secrets.redact('…456789 is the key')).toBe('…[redacted] is the key')
    expect(secrets.redact('the secret whsec_c2VjcmV0c2…')).toBe('the secret [redacted]…')
  })

  it.each(Object.entries(encodings))('as %s, cut anywhere by us', (name, encode) => {
    fc.assert(
      fc.property(secret, fc.nat(), (value, at) => {
        const secrets = new Secrets()
        secrets.add(value)
        const encoded = encode(value)
        const clean = secrets.redact(`got "${encoded.slice(0, 1 + (at % encoded.length))}…`)
        const rest = clean.replaceAll('[redacted]', '').replaceAll('-', '+').replaceAll('_', '/')
        if (!name.startsWith('base64')) {
          // Three characters reveal nothing of a secret, however long their escapes are.
          expect(charactersLeft(clean.replaceAll('[redacted]', ''), value, encode)).toBeLessThanOrEqual(3)
          return
        }
        for (const form of inBase64(value)) expect(remains(rest, form)).toBeLessThan(12)
      }),
      { ...limits, examples: startsOfEscapes },
    )
  })

  it('in a binary body, in any escape, and the body stays base64', () => {
    const secrets = new Secrets()
    secrets.add('sk_live/0123+456789')
    const body = Buffer.from('\xff{"key":"sk_live\\/0123\\u002b456789"}\xfe', 'latin1')
    const { exchanges } = secrets.redactResult({
      ...failed,
      exchanges: [
        {
          direction: 'sent',
          kind: 'api',
          request: { method: 'POST', url: 'http://127.0.0.1/', headers: {}, body_base64: body.toString('base64') },
          started_at: '2026-01-02T03:04:05.678Z',
          duration_ms: 1,
        },
      ],
    })
    const clean = Buffer.from(exchanges?.[0]?.request.body_base64 ?? '', 'base64').toString('latin1')
    expect(clean).toBe('\xff{"key":"[redacted]"}\xfe')
  })

  it('as the key bytes of a webhook secret, in any usual spelling', () => {
    const key = Buffer.from('any twenty-four bytes ok')
    const secrets = new Secrets()
    secrets.add(`whsec_${key.toString('base64')}`)
    for (const spelling of [key.toString('hex'), key.toString('base64url'), key.toString('base64')])
      expect(secrets.redact(`key=${spelling}.`)).toBe('key=[redacted].')
  })

  it('though it is short or a plain word, where a secret can be', () => {
    const secrets = new Secrets()
    for (const value of ['k12', 'secret', 'test']) secrets.add(value)
    expect(secrets.redact('Bearer k12; xk12')).toBe('Bearer [redacted]; xk12')
    expect(secrets.redact('{"secret":"test"} \\"api_key\\":\\"secret\\" the secret of the test, k12')).toBe(
      '{"secret":"[redacted]"} \\"api_key\\":\\"[redacted]\\" the secret of the test, k12',
    )
    expect(secrets.tooPlain).toBe(3)
    const headers = { 'x-gateway': 'test', authorization: 'Basic k12', accept: 'text/test' }
    const { exchanges } = secrets.redactResult({
      ...failed,
      exchanges: [
        {
          direction: 'sent',
          kind: 'api',
          request: { method: 'POST', url: 'http://127.0.0.1/', headers, body: 'a test' },
          started_at: '2026-01-02T03:04:05.678Z',
          duration_ms: 1,
        },
      ],
    })
    expect(exchanges?.[0]?.request).toMatchObject({
      headers: { 'x-gateway': '[redacted]', authorization: 'Basic [redacted]', accept: 'text/test' },
      body: 'a test',
    })
  })

  it.each([
    ['base64 of base64', (text: string) => btoa(btoa(text))],
    ['wrapped base64', (text: string) => btoa(`x: ${text}`).replace(/(.{7})/g, '$1\r\n')],
    ['wrapped base64 in JSON', (text: string) => JSON.stringify(btoa(`x: ${text}`).replace(/(.{7})/g, '$1\n'))],
    ['capitals', (text: string) => text.toUpperCase()],
    [
      'hexadecimal escapes',
      (text: string) => text.replace(/./g, (character) => `\\x${character.charCodeAt(0).toString(16)}`),
    ],
    [
      'octal escapes',
      (text: string) => text.replace(/./g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`),
    ],
    [
      'braced escapes',
      (text: string) => text.replace(/./g, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`),
    ],
    ['UTF-16', (text: string) => text.replace(/./g, '$&\0')],
    [
      'hexadecimal with colons',
      (text: string) =>
        Buffer.from(text)
          .toString('hex')
          .replace(/..(?=.)/g, '$&:'),
    ],
    ['letters with characters of no width between them', (text: string) => text.replace(/.(?=.)/g, '$&\u200b')],
    ['soft hyphens', (text: string) => text.replace(/.(?=.)/g, '$&\u00ad')],
    ['spaced letters', (text: string) => text.replace(/.(?=.)/g, '$& ')],
  ])('as %s', (_name, encode) => {
    const secrets = new Secrets()
    secrets.add('sk_live_Zq7Wv3xK9mTb2LrYc8')
    const clean = secrets.redact(`before <${encode('sk_live_Zq7Wv3xK9mTb2LrYc8')}> after`)
    expect(clean).toMatch(/^before <.{0,8}\[redacted\].{0,8}> after$/s)
  })

  it('by its shape though it is not registered', () => {
    const clean = new Secrets().redact(
      'whsec_ab\\u002Bcd\\/ef%2Bgh== authorization: Bearer sk_1234 /v1/events/ws?token=abcdef&after=evt_1',
    )
    expect(clean).toBe('whsec_[redacted] authorization: Bearer [redacted] /v1/events/ws?token=[redacted]&after=evt_1')
  })

  it('in the headers of a gateway, scheme by scheme', () => {
    const secrets = new Secrets()
    secrets.addHeader(`Basic ${Buffer.from('user:opensesame').toString('base64')}`)
    expect(secrets.redact('as user the word opensesame was wrong')).toBe('as user the word [redacted] was wrong')
  })
})

describe('evidence stays', () => {
  it('where there is no secret, whatever the text', () => {
    const secrets = new Secrets()
    secrets.add('sk_live_0123456789abcdef')
    secrets.add('whsec_c2VjcmV0c2VjcmV0c2VjcmV0')
    const harmless = fc
      .string({ unit: 'binary', maxLength: 300 })
      .filter((text) => !/whsec_|bearer|token=|…/i.test(text))
    fc.assert(
      fc.property(harmless, (text) => {
        expect(secrets.redact(text)).toBe(text)
      }),
      limits,
    )
  })

  test.each(['Missing bearer token', 'a whsec_ prefix is missing', 'evt_0123 after evt_0122', 'POST /v1/webhooks'])(
    'in %s',
    (text) => expect(new Secrets().redact(text)).toBe(text),
  )

  it('around a secret, to the letter', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        fc.pre(!/…|bearer|token=/i.test(before + after))
        const secrets = new Secrets()
        secrets.add('sk_live_0123456789abcdef')
        expect(secrets.redact(`${before} sk_live_0123456789abcdef ${after}`)).toBe(`${before} [redacted] ${after}`)
      }),
      limits,
    )
  })
})

test('a text of nothing but cuts costs no more than another', () => {
  const secrets = new Secrets()
  for (let index = 0; index < 5_000; index++) secrets.add(`sk_live_${index}_${'x'.repeat(20)}_${index * 7919}`)
  const text = '…'.repeat(100_000)
  expect(secrets.redact(text)).toBe(text)
  expect(secrets.redact('…ab'.repeat(30_000))).toBe('…ab'.repeat(30_000))
})

test('thousands of secrets cost no more than one', () => {
  const secrets = new Secrets()
  for (let index = 0; index < 5_000; index++) secrets.add(`sk_live_${index}_${'x'.repeat(20)}_${index * 7919}`)
  const text = 'sk_live_ is how a key begins; '.repeat(2_000)
  expect(secrets.redact(text)).toBe(text)
})

test('a result keeps its words, whatever a secret is called', () => {
  const secrets = new Secrets()
  for (const word of ['service', 'failed', 'sent', 'must-not']) secrets.add(word)
  const result = { ...failed, message: 'the service failed' }
  expect(secrets.redactResult(result)).toEqual(result)
})

const key = 'key_0123456789'
const webhookSecret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='

test.each([
  ['as it is', key, '[redacted]'],
  ['twice, side by side', `${key}${key}`, '[redacted]'],
  ['in a text', `?token=${key}&after=`, '?token=[redacted]&after='],
  ['in base64', Buffer.from(key).toString('base64'), '[redacted]='],
  ['the base64 part of a webhook secret', webhookSecret.slice('whsec_'.length), '[redacted]'],
  ['an unregistered webhook secret', 'whsec_AAAA', 'whsec_[redacted]'],
  ['an unregistered credential', 'Authorization: Bearer abc', 'Authorization: Bearer [redacted]'],
  ['nothing', 'key_012345678', 'key_012345678'],
])('%s', (_what, text, clean) => {
  const secrets = new Secrets()
  secrets.add(key)
  secrets.add(webhookSecret)
  expect(secrets.redact(text)).toBe(clean)
})

test('of secrets that overlap nothing is left', () => {
  const secrets = new Secrets()
  for (const value of ['abcdefgh', 'fghijklm', 'abcdefghij']) secrets.add(value)
  expect(secrets.redact('<abcdefghijklm>')).toBe('<[redacted]>')
  expect(secrets.redact('<abcdefghij>')).toBe('<[redacted]>')
})

test('in every string of a value, names included', () => {
  const secrets = new Secrets()
  secrets.add(key)
  expect(secrets.redactDeep({ [key]: [`a ${key}`, 1], bytes: Buffer.from('ab') })).toEqual({
    '[redacted]': ['a [redacted]', 1],
    bytes: '2 bytes',
  })
})

test('a value that occurs twice is kept twice, and one that contains itself is reported', () => {
  const shared = { id: 'evt_1' }
  const circle: Record<string, unknown> = { shared, again: [shared, shared] }
  circle['self'] = circle
  expect(new Secrets().redactDeep(circle)).toEqual({ shared, again: [shared, shared], self: '[circular]' })
})
