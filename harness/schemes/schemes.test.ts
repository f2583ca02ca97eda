import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSchema, loadScheme, schemeNames } from '../../fixtures/index.js'
import { exampleOf } from './example.js'
import { checkSecret, freshSecret } from './key.js'
import { readScheme } from './read.js'
import { SignatureScheme } from './scheme.js'

const has = (command: string, argument: string) => spawnSync(command, [argument]).status === 0
const hasOpenssl = has('openssl', 'version')

describe.each(schemeNames())('the scheme %s', (name) => {
  const data = loadScheme(name)
  const scheme = new SignatureScheme(data)

  it('has the form of its schema, its file name as its name, and samples', () => {
    expect(readScheme(`${name}.json`, JSON.stringify(data), loadSchema('scheme'))).toEqual(data)
    expect(data.name).toBe(name)
    expect(data.samples?.length).toBeGreaterThan(0)
  })

  it('makes secrets that it accepts', () => {
    expect(() => checkSecret(data, freshSecret(data))).not.toThrow()
    expect(() => checkSecret(data, `"${freshSecret(data)}"`)).toThrow('quotes')
  })

  it.skipIf(!hasOpenssl)('signs its example as openssl does (skipped where openssl is missing)', () => {
    const { commands, signature } = exampleOf(scheme)
    const folder = mkdtempSync(join(tmpdir(), 'scheme-'))
    try {
      const { stdout, stderr } = spawnSync('sh', ['-c', commands.join('\n')], { cwd: folder, encoding: 'utf8' })
      expect(stderr).toBe('')
      expect(stdout).toBe(signature)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('has the id and the time in its places', () => {
    const body = Buffer.from(JSON.stringify(data.samples?.[0]?.body))
    const message = { id: 'evt_fresh', timestamp: scheme.timestampAt(1_800_000_000) }
    const headers = scheme.headersOf(message, scheme.entryOf('SIGNATURE'))
    const placed: unknown = JSON.parse(Buffer.from(scheme.bodyWith(body, message)).toString())
    for (const [place, value] of [
      [data.id, message.id],
      [data.timestamp, message.timestamp],
    ] as const) {
      if (place?.field !== undefined) expect(placed).toHaveProperty(place.field, value)
      if (place?.header !== undefined) expect(headers[place.header]).toContain(String(value))
    }
    expect(headers[data.signature.header]).toContain('SIGNATURE')
  })
})

describe('a scheme file', () => {
  const base = {
    schema: 'conformance-scheme/1',
    name: 'own',
    title: 'Own',
    source: 'https://own.example/webhooks',
    signature: { header: 'x-own-signature', entry: '{signature}' },
    signed: '{body}',
    algorithm: 'hmac-sha256',
    key: { form: 'text' },
    encoding: 'hex',
  }
  const read = (changes: object) =>
    readScheme('own.json', JSON.stringify({ ...base, ...changes }, null, 2), loadSchema('scheme'))

  it('may sign the address too', () => {
    const scheme = new SignatureScheme(read({ signed: '{url}{body}' }))
    expect(scheme.signedOf({ id: '', timestamp: '', body: 'b', url: 'https://h.example/' })).toEqual([
      'https://h.example/',
      'b',
    ])
  })

  it.each([
    [{ signd: 1 }, /own\.json:\d+:\d+: unknown key signd; did you mean signed\?/],
    [{ signed: '{timestamp}.{body}' }, /own\.json:\d+:\d+: signed has \{timestamp\}: add timestamp/],
    [{ signed: '{body}{boddy}' }, /signed: \{boddy\} is not a part of a template: expected \{id\}, /],
    [{ signed: '{body}{' }, /signed: a brace is not closed/],
    [{ signed: '{body}{body}' }, /signed has \{body\} twice/],
    [{ signed: 'body' }, /signed is not of the expected form: a template with \{body\}/],
    [{ signature: { header: 'x-own', entry: 'v1={signature}', several: true } }, /add signature\.separator/],
    [{ algorithm: 'ed25519' }, /key\.form is text: an Ed25519 key has 32 bytes/],
    [{ algorithm: 'hmac-md5' }, /algorithm is a string: expected one of hmac-sha1/],
    [{ id: { header: 'x-id', field: 'id' } }, /id is in one place: give either header or field/],
    [{ timestamp: { header: 'x-time', unit: 'seconds' } }, /a header that is not signed, which anybody can change/],
    [
      { timestamp: { header: 'x-time', entry: 't={timestamp}', unit: 'seconds' }, signed: '{timestamp}.{body}' },
      /timestamp\.header must be x-own-signature/,
    ],
    [{ key: { form: 'text', prefix: 'sec_' } }, /key\.prefix is for encoded keys/],
  ])('with %j is refused with its line and what to do', (changes, message) => {
    expect(() => read(changes)).toThrow(message)
  })
})
