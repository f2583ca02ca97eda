import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sign, verify, verifyWebhook, WebhookVerificationError, type VerifyOptions } from './index.js'
import * as subtle from './subtle.js'

interface VectorFile {
  readonly groups: readonly {
    readonly secret: string
    readonly tests: readonly {
      readonly id: number
      readonly comment: string
      readonly now: number
      readonly headers: Readonly<Record<string, string>>
      readonly payload_base64: string
      readonly result: 'valid' | 'invalid' | 'acceptable'
    }[]
  }[]
}

const file = JSON.parse(
  readFileSync(new URL('../../fixtures/vectors/signature.json', import.meta.url), 'utf8'),
) as VectorFile
const vectors = file.groups.flatMap(({ secret, tests }) => tests.map((test) => ({ ...test, secret })))

const now = 1_800_000_000
const secret = `whsec_${Buffer.from('a key of the verifier test').toString('base64')}`
const payload = '{"id":"evt_1","type":"message.queued","data":{"subject":"Grüße"}}'
const headers = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(now),
  'webhook-signature': sign({ id: 'evt_1', timestamp: now, payload, secret }),
}
const event = JSON.parse(payload) as unknown
const delivery: VerifyOptions = { payload, headers, secret, now }

/** Returns the event, or the code of the refusal; throws any other error. */
function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code
    throw error
  }
}

describe('over all vectors', () => {
  it('answers each as expected', () => {
    const wrong = vectors.filter(({ result, payload_base64, ...rest }) => {
      const code = outcome(() => verify({ ...rest, payload: Buffer.from(payload_base64, 'base64') }))
      return result === 'acceptable' ? false : (code === undefined) !== (result === 'valid')
    })
    expect(wrong.map(({ id, comment }) => `${id} ${comment}`)).toEqual([])
  })

  it('its Web Crypto twin returns the same event or the same code', async () => {
    for (const { id, payload_base64, ...rest } of vectors) {
      const options = { ...rest, payload: Buffer.from(payload_base64, 'base64') }
      const twin = await subtle.verifyWebhook(options).catch((error: unknown) => {
        if (error instanceof WebhookVerificationError) return error.code
        throw error
      })
      expect(twin, `vector ${id}`).toEqual(outcome(() => verifyWebhook(options)))
    }
  })

  it('signs what it verifies', () => {
    for (const { id, result, headers: given, secret: own, payload_base64 } of vectors) {
      if (result !== 'valid') continue
      const lower = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
      const signed = sign({
        id: lower['webhook-id'] ?? '',
        timestamp: Number(lower['webhook-timestamp']),
        payload: Buffer.from(payload_base64, 'base64'),
        secret: own,
      })
      expect(lower['webhook-signature']?.split(' '), `vector ${id}`).toContain(signed)
    }
  })
})

describe('what it is handed', () => {
  const bytes = Buffer.from(payload)
  it.each([
    ['text', payload],
    ['a Buffer', bytes],
    ['a Uint8Array', new Uint8Array(bytes)],
    ['a view into a larger buffer', Buffer.concat([Buffer.from('..'), bytes]).subarray(2)],
    ['an ArrayBuffer', Uint8Array.from(bytes).buffer],
  ])('takes a payload that is %s', (_, given) => {
    expect(verifyWebhook({ ...delivery, payload: given })).toEqual(event)
  })

  it('encodes text as UTF-8, lone surrogates included', () => {
    for (const text of ['', 'Gr\u00fc\u00dfe \u{1F600}', 'half \ud800 a pair', '\ufeff{}', 'x'.repeat(70_000)]) {
      const bytes = Buffer.from(text)
      const signature = sign({ id: 'evt_1', timestamp: now, payload: bytes, secret })
      expect(sign({ id: 'evt_1', timestamp: now, payload: text, secret })).toBe(signature)
      const given = { ...headers, 'webhook-signature': signature }
      verify({ ...delivery, payload: text, headers: given })
      expect(outcome(() => verify({ ...delivery, payload: `${text} `, headers: given }))).toBe('no_matching_signature')
      const parsed = (form: string | Buffer) =>
        outcome(() => verifyWebhook({ ...delivery, payload: form, headers: given }))
      expect(parsed(text)).toEqual(parsed(bytes))
    }
  })

  it('refuses a parsed payload', () => {
    const parsed = { ...delivery, payload: event } as unknown as VerifyOptions
    expect(() => verify(parsed)).toThrow(expect.objectContaining({ code: 'malformed_payload' }) as Error)
  })

  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  it.each<[string, VerifyOptions['headers']]>([
    ['an object', headers],
    ['an object with names in capitals', upper],
    ['an object without a prototype', Object.assign(Object.create(null) as typeof headers, headers)],
    [
      'an object with lists of one',
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
    ['Headers', new Headers(headers)],
    ['a Map', new Map(Object.entries(upper))],
    ['pairs', Object.entries(upper)],
  ])('takes headers that are %s', (_, given) => {
    expect(verifyWebhook({ ...delivery, headers: given })).toEqual(event)
  })

  it('finds the matching entry when the header occurs twice', () => {
    const other = `v1,${Buffer.alloc(32).toString('base64')}`
    const good = headers['webhook-signature']
    verify({ ...delivery, headers: { ...headers, 'webhook-signature': [other, good] } })
    const pairs = Object.entries(headers).filter(([name]) => name !== 'webhook-signature')
    verify({ ...delivery, headers: [...pairs, ['Webhook-Signature', other], ['webhook-signature', good]] })
  })

  it('is not misled by a duplicate header', () => {
    const twice = { ...headers, 'webhook-timestamp': [String(now), String(now)] }
    expect(outcome(() => verify({ ...delivery, headers: twice }))).toBe('malformed_timestamp')
    const ids = [...Object.entries(headers), ['Webhook-Id', 'evt_2'] as const]
    expect(outcome(() => verify({ ...delivery, headers: ids as [string, string][] }))).toBe('no_matching_signature')
  })

  it('refuses headers that are not text, and throws for what holds no headers', () => {
    const numbers = { ...headers, 'webhook-timestamp': now } as unknown as VerifyOptions['headers']
    expect(outcome(() => verify({ ...delivery, headers: numbers }))).toBe('missing_header')
    expect(() => verify({ ...delivery, headers: undefined as unknown as Headers })).toThrow(TypeError)
    expect(outcome(() => verify({ ...delivery, headers: Object.create(headers) as typeof headers }))).toBe(
      'missing_header',
    )
  })

  it('takes one of several secrets', () => {
    const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
    verify({ ...delivery, secret: [other, secret] })
    verify({ ...delivery, secret: [secret, other] })
    expect(outcome(() => verify({ ...delivery, secret: [other] }))).toBe('no_matching_signature')
    expect(outcome(() => verify({ ...delivery, secret: [] }))).toBe('bad_secret')
    expect(outcome(() => verify({ ...delivery, secret: [secret, 'whsec_'] }))).toBe('bad_secret')
  })

  it('takes the clock as seconds or as a date, and its own when there is none', () => {
    verify({ ...delivery, now: new Date((now + 300) * 1000 + 999) })
    expect(outcome(() => verify({ ...delivery, now: new Date((now + 301) * 1000) }))).toBe('too_old')
    const current = Math.floor(Date.now() / 1000)
    const fresh = { ...headers, 'webhook-timestamp': String(current) }
    fresh['webhook-signature'] = sign({ id: 'evt_1', timestamp: current, payload, secret })
    verify({ payload, headers: fresh, secret })
    expect(outcome(() => verify({ payload, headers, secret }))).toMatch(/^too_(old|new)$/)
    expect(() => verify({ ...delivery, now: Number.NaN })).toThrow(TypeError)
    expect(() => verify({ ...delivery, now: new Date('never') })).toThrow(TypeError)
  })

  it('takes another tolerance', () => {
    verify({ ...delivery, now: now + 5, toleranceSeconds: 5 })
    expect(outcome(() => verify({ ...delivery, now: now + 6, toleranceSeconds: 5 }))).toBe('too_old')
    expect(outcome(() => verify({ ...delivery, now: now - 6, toleranceSeconds: 5 }))).toBe('too_new')
    expect(outcome(() => verify({ ...delivery, now: now + 1, toleranceSeconds: 0 }))).toBe('too_old')
    verify({ ...delivery, now: now + 1e9, toleranceSeconds: Number.POSITIVE_INFINITY })
  })

  it.each([Number.NaN, -1, '5m', undefined as never])(
    'does not take %s for a tolerance, under which nothing is too old',
    async (given) => {
      const options = { ...delivery, now: now + 1e9, toleranceSeconds: given as number }
      const expected = given === undefined ? { code: 'too_old' } : { name: 'TypeError' }
      expect(() => verify(options)).toThrow(expect.objectContaining(expected) as Error)
      await expect(subtle.verify(options)).rejects.toMatchObject(expected)
    },
  )
})

describe('refusals', () => {
  const changed = (changes: Readonly<Record<string, string>>) => ({ ...delivery, headers: { ...headers, ...changes } })
  it.each<[string, VerifyOptions]>([
    ['missing_header', changed({ 'webhook-id': '' })],
    ['malformed_signature', changed({ 'webhook-signature': 'v2,abc' })],
    ['malformed_timestamp', changed({ 'webhook-timestamp': 'now' })],
    ['too_old', { ...delivery, now: now + 301 }],
    ['too_new', { ...delivery, now: now - 301 }],
    ['no_matching_signature', changed({ 'webhook-id': 'evt_2' })],
    ['bad_secret', { ...delivery, secret: 'whsec_not base64' }],
    ['bad_secret', { ...delivery, secret: undefined as unknown as string }],
  ])('%s', (code, options) => {
    expect(() => verify(options)).toThrow(expect.objectContaining({ code, name: 'WebhookVerificationError' }) as Error)
  })

  it('looks at the signature before the timestamp, and at the timestamp before it touches body and secret', () => {
    const nothing = undefined as unknown as string
    const stale = { ...delivery, now: now + 1_000, payload: nothing, secret: nothing }
    const unsigned = { ...stale, headers: { ...headers, 'webhook-signature': 'x' } }
    expect(outcome(() => verify(unsigned))).toBe('malformed_signature')
    expect(outcome(() => verify(stale))).toBe('too_old')
    expect(outcome(() => verify({ ...stale, now }))).toBe('malformed_payload')
  })

  it('looks at every entry', () => {
    const wrong = `v1,${Buffer.alloc(32).toString('base64')}`
    const many = (count: number) =>
      changed({ 'webhook-signature': `${`${wrong} `.repeat(count)}${headers['webhook-signature']}` })
    verify(many(63))
    verify(many(200))
  })

  it('is malformed_payload for a signed body that is not JSON, and only where it is parsed', () => {
    const body = 'hello'
    const signed = { ...headers, 'webhook-signature': sign({ id: 'evt_1', timestamp: now, payload: body, secret }) }
    verify({ ...delivery, payload: body, headers: signed })
    expect(outcome(() => verifyWebhook({ ...delivery, payload: body, headers: signed }))).toBe('malformed_payload')
  })

  it('never shows the secret or the expected signature', () => {
    for (const options of [changed({ 'webhook-id': 'evt_2' }), { ...delivery, secret: `${secret}!` }]) {
      const error: unknown = (() => {
        try {
          return verify(options)
        } catch (thrown) {
          return thrown
        }
      })()
      const shown = `${String(error)} ${JSON.stringify(error)}`
      expect(shown).not.toContain(secret.slice(6))
      expect(shown).not.toContain(sign({ id: 'evt_2', timestamp: now, payload, secret }).slice(3))
    }
  })
})

describe('signing', () => {
  it('reproduces the published worked example', () => {
    const example = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      payload: '{"test": 2432232314}',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }
    expect(sign(example)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('refuses an empty id, a timestamp with a fraction and a secret without a key', () => {
    const good = { id: 'evt_1', timestamp: now, payload, secret }
    expect(outcome(() => sign({ ...good, id: '' }))).toBe('missing_header')
    expect(outcome(() => sign({ ...good, timestamp: now + 0.5 }))).toBe('malformed_timestamp')
    expect(outcome(() => sign({ ...good, timestamp: Number.NaN }))).toBe('malformed_timestamp')
    expect(outcome(() => sign({ ...good, secret: 'whsec_' }))).toBe('bad_secret')
  })
})

describe('the folder', () => {
  it('depends on node:crypto alone, and the twin on nothing', () => {
    const folder = new URL('.', import.meta.url)
    const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    for (const name of sources) {
      const text = readFileSync(new URL(name, folder), 'utf8').replace(/^ *\/?\*.*$/gm, '')
      const outside = [...text.matchAll(/from '([^'.][^']*)'/g)].map(([, specifier]) => specifier)
      expect(
        outside.filter((specifier) => specifier !== 'node:crypto'),
        name,
      ).toEqual([])
    }
    for (const name of ['subtle.ts', 'headers.ts', 'errors.ts'])
      expect(readFileSync(new URL(name, folder), 'utf8'), name).not.toMatch(/\bBuffer\b|from 'node:/)
  })
})

it('gives the text that was signed if it has a lone surrogate', () => {
  const text = '{"subject":"\ud83d"}'
  const signed = { ...headers, 'webhook-signature': sign({ id: 'evt_1', timestamp: now, payload: text, secret }) }
  const asText = verifyWebhook({ ...delivery, payload: text, headers: signed })
  expect(asText).toEqual({ subject: '\ufffd' })
  expect(verifyWebhook({ ...delivery, payload: Buffer.from(text), headers: signed })).toEqual(asText)
})
