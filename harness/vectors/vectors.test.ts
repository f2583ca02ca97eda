import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { hmac } from '../wire/signing.js'
import { checkVectorFile } from './check.js'
import { curatedVectors } from './curated/index.js'
import { generateVectors, writeJson, writeNdjson } from './generate.js'
import { vectorFlags } from './flags.js'
import type { Vector, VectorDocument } from './vector.js'

const file = new URL('../../fixtures/vectors/signature.json', import.meta.url)
const schema = JSON.parse(
  readFileSync(new URL('../../fixtures/schemas/signature-vectors.schema.json', import.meta.url), 'utf8'),
) as object
const folder = mkdtempSync(join(tmpdir(), 'vectors-'))

async function written(write: (output: Writable) => Promise<void>): Promise<string> {
  const parts: string[] = []
  await write(
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => (parts.push(String(chunk)), done()),
    }),
  )
  return parts.join('')
}

describe('the curated vectors', () => {
  const document = JSON.parse(readFileSync(file, 'utf8')) as VectorDocument
  const tests = document.groups.flatMap((group) => group.tests.map((test) => ({ ...test, secret: group.secret })))

  it('are those the generator makes', async () => {
    await expect(`${JSON.stringify(curatedVectors(), null, 1)}\n`).toMatchFileSnapshot(file.pathname)
  })

  it('are two hundred and more, each with an id of its own', () => {
    expect(tests.length).toBeGreaterThan(200)
    expect(new Set(tests.map((test) => test.id)).size).toBe(tests.length)
    expect(document.count).toBe(tests.length)
  })

  it('match their schema', () => {
    const validate = new Ajv2020({ strict: false }).compile(schema)
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
  })

  it('pass their own check', async () => {
    expect(await checkVectorFile(file.pathname)).toEqual({ count: tests.length, problems: [], problemCount: 0 })
  })

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0
  // One process of openssl for each vector: slow where the machine is busy.
  const limit = { timeout: 240_000 }
  it.skipIf(!hasOpenssl)(
    'have the results that the MACs of openssl give (skipped where there is no openssl)',
    limit,
    () => {
      const judged = tests.filter((test) => test.result !== 'acceptable')
      const wrong = judged.filter((test) => isVerifiedByOpenssl(test) !== (test.result === 'valid'))
      expect(wrong.map(({ id, comment, result }) => ({ id, comment, result }))).toEqual([])
    },
  )
})

/** The rules of the interface once more, with neither the signer of the kit nor node:crypto. */
function isVerifiedByOpenssl({ secret, headers, payload_base64: payload, now }: Vector & { secret: string }): boolean {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = given
  const [, base64] = /^whsec_([A-Za-z0-9+/]{2,}={0,2})$/.exec(secret) ?? []
  if (id === undefined || timestamp === undefined || signature === undefined || base64 === undefined) return false
  if (!/^(0|[1-9][0-9]*)$/.test(timestamp)) return false
  const distance = BigInt(now) - BigInt(timestamp)
  if (distance > 300n || distance < -300n) return false
  const key = Buffer.from(base64, 'base64').toString('hex')
  const mac = execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'], {
    input: Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(payload, 'base64')]),
  })
  return signature.split(' ').includes(`v1,${mac.toString('base64')}`)
}

const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')

async function digest(seed: number): Promise<string> {
  const text = await written((output) => writeNdjson({ count: 300, seed }, output))
  return createHash('sha256').update(text).digest('hex')
}

describe('the signer', () => {
  it('computes the HMAC-SHA256 of RFC 4231', () => {
    expect(hex(hmac(Buffer.alloc(20, 0x0b), 'Hi There'))).toBe(
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    )
    expect(hex(hmac(Buffer.from('Jefe'), 'what do ya want for nothing?'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
    expect(hex(hmac(Buffer.alloc(20, 0xaa), Buffer.alloc(50, 0xdd)))).toBe(
      '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    )
  })
})

describe('the generator', () => {
  it('writes the same bytes for the same seed, and others for another', async () => {
    expect(await digest(42)).toBe(await digest(42))
    expect(await digest(42)).not.toBe(await digest(43))
    expect(await digest(42)).toMatchInlineSnapshot(`"c7559b85d1bfea6750096e3e87652d16c9dbbe6327178720978bbd10139699b7"`)
  })

  it('writes JSON that matches the schema and its own check', async () => {
    const text = await written((output) => writeJson({ count: 120, seed: 7 }, output))
    const validate = new Ajv2020({ strict: false }).compile(schema)
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true)
    const path = join(folder, 'vectors.json')
    writeFileSync(path, text)
    expect(await checkVectorFile(path)).toEqual({ count: 120, problems: [], problemCount: 0 })
  })

  it('writes ndjson that passes its check, and holds each kind of result', async () => {
    const path = join(folder, 'vectors.ndjson')
    writeFileSync(path, await written((output) => writeNdjson({ count: 500, seed: 7 }, output)))
    expect(await checkVectorFile(path)).toEqual({ count: 500, problems: [], problemCount: 0 })
    expect(new Set([...generateVectors({ count: 500, seed: 7 })].map((vector) => vector.result))).toEqual(
      new Set(['valid', 'invalid', 'acceptable']),
    )
  })
})

describe('the check', () => {
  const made = [...generateVectors({ count: 2, seed: 1 })]
  const [first, second] = made
  if (first === undefined || second === undefined) throw new Error('no vectors')
  const { secret, ...test } = first
  const document = {
    schema: 'signature-vectors/1',
    seed: 1,
    count: 1,
    flags: vectorFlags,
    groups: [{ secret, tests: [test] }],
  } as const
  const other = test.result === 'valid' ? 'invalid' : 'valid'
  const invalid = [...generateVectors({ count: 200, seed: 1 })].find(({ flags }) => flags.includes('TruncatedMac'))
  const [mixed] = curatedVectors().groups.flatMap(({ secret: own, tests }) =>
    tests
      .filter(({ flags, result }) => flags.includes('RawBody') && result === 'valid')
      .map((vector) => ({ ...vector, secret: own })),
  )
  const madeTest = [...generateVectors({ count: 30, seed: 3 })][29]
  if (madeTest === undefined) throw new Error('no vectors')
  const otherFlag = test.result === 'valid' ? 'Plain' : 'ModifiedMac'

  it('finds nothing in a right file, however it is written', async () => {
    for (const [name, text] of Object.entries({
      'compact.json': JSON.stringify(document),
      'indented.json': JSON.stringify(document, null, 2),
      'blank-lines.ndjson': `\n${JSON.stringify(first)}\r\n\n${JSON.stringify(second)}`,
      'secret-last.ndjson': `${JSON.stringify({ ...test, comment: 'x'.repeat(5_000), secret })}\n`,
    }))
      expect((await checked(name, text)).problems, name).toEqual([])
  })

  it('takes a document of another program, with flags and a seed of its own, and finds a wrong result in it', async () => {
    const flags = { Usual: { description: 'As it is sent.', requirement: 'VFY-004' } }
    const of = (result: string) =>
      JSON.stringify({
        ...document,
        seed: 0,
        flags,
        groups: [{ secret, tests: [{ ...test, flags: ['Usual'], result }] }],
      })
    expect((await checked('theirs.json', of(test.result))).problems).toEqual([])
    expect((await checked('theirs-wrong.json', of(other))).problems).toMatchObject([{ id: 1 }])
    const bare = of(test.result).replace('"requirement":"VFY-004"', '"level":"must"')
    expect((await checked('theirs-bare.json', bare)).problems[0]?.message).toContain('the flag Usual has no text')
  })

  it.each<[string, string, string]>([
    ['a wrong result', JSON.stringify({ ...first, result: other }), 'marked'],
    ['a broken line', `${JSON.stringify(second)}\n{"secret":"half`, 'it is not a JSON object'],
    ['a line without a secret', JSON.stringify(test), '"secret" is not a string'],
    ['a member too many', JSON.stringify({ ...first, more: 1 }), '"more" is not a member of a test'],
    [
      'a payload that is not base64',
      JSON.stringify({ ...first, payload_base64: '*' }),
      '"payload_base64" is not base64',
    ],
    [
      'a header that is not text',
      JSON.stringify({ ...first, headers: { a: 1 } }),
      '"headers" is not an object of strings',
    ],
    ['no flags', JSON.stringify({ ...first, flags: [] }), '"flags" is not a list of one or more strings'],
    [
      'a result that was softened',
      JSON.stringify({ ...invalid, result: 'acceptable' }),
      'marked acceptable, which no test with the flag',
    ],
    [
      'a result that was softened where other tests with the flag are so',
      JSON.stringify({ ...mixed, result: 'acceptable' }),
      'marked acceptable, and this test is valid',
    ],
    [
      'a flag of another class on a line',
      JSON.stringify({ ...first, flags: [otherFlag] }),
      'the flags of this test are',
    ],
    [
      'a flag of another class on a line that was made',
      JSON.stringify({ ...madeTest, flags: [madeTest.result === 'valid' ? 'TextBody' : 'EncodedMac'] }),
      'the flags of this test are',
    ],
    [
      'a line that is repeated',
      `${JSON.stringify(first)}\n${JSON.stringify(second)}\n${JSON.stringify(first)}`,
      'the id 1 is repeated',
    ],
    ['a flag of no class', JSON.stringify({ ...first, flags: ['Nonsense'] }), 'is not one of this format'],
    ['another seed', JSON.stringify({ ...document, seed: 2 }), 'not the test that seed 2 gives'],
    [
      'another requirement of a flag',
      JSON.stringify({
        ...document,
        flags: { ...vectorFlags, Plain: { ...vectorFlags.Plain, requirement: 'VFY-001' } },
      }),
      'another description or requirement',
    ],
    [
      'a flag of another class',
      JSON.stringify({ ...document, groups: [{ secret, tests: [{ ...test, flags: [otherFlag] }] }] }),
      'not the test that seed 1 gives',
    ],
    [
      'a test that was dropped',
      JSON.stringify({ ...document, groups: [{ secret: second.secret, tests: [withoutSecret(second)] }] }),
      'not the test',
    ],
    ['a line without end', 'x'.repeat(9_000_000), 'has more than'],
    ['a wrong count', JSON.stringify({ ...document, count: 5 }), '"count" is 5, but there are 1 tests'],
    ['an undeclared flag', JSON.stringify({ ...document, flags: {} }), 'is not declared'],
    [
      'an id that is repeated',
      JSON.stringify({ ...document, count: 2, groups: [...document.groups, ...document.groups] }),
      'is repeated',
    ],
    ['another schema', JSON.stringify({ ...document, schema: 'x' }), '"schema" is not'],
    ['garbage', 'not json at all', 'it is not a JSON object'],
    ['half a document', JSON.stringify(document, null, 1).slice(0, 200), 'cut short'],
    ['an empty file', '', 'the file contains no vector'],
  ])('finds %s, and prints the place', async (name, text, message) => {
    const { problems, problemCount } = await checked(`${name}.file`, text)
    expect(problemCount).toBeGreaterThan(0)
    expect(problems[0]?.message).toContain(message)
  })

  it('takes a byte order mark, and line ends of Windows', async () => {
    expect(await checked('mark.json', `\ufeff${JSON.stringify(document)}`)).toMatchObject({ count: 1, problemCount: 0 })
    const lines = `\ufeff${JSON.stringify(first)}\r\n${JSON.stringify(second)}\r\n`
    expect(await checked('mark.ndjson', lines)).toMatchObject({ count: 2, problemCount: 0 })
  })

  it('names the line and the test', async () => {
    const text = `${JSON.stringify(second)}\n${JSON.stringify({ ...first, result: other })}\n`
    expect((await checked('where.ndjson', text)).problems[0]).toMatchObject({ line: 2, id: 1 })
  })
})

async function checked(name: string, text: string) {
  const path = join(folder, name.replaceAll(' ', '-'))
  writeFileSync(path, text)
  return checkVectorFile(path)
}

function withoutSecret(vector: Vector & { readonly secret: string }): Vector {
  const { id, comment, flags, now, headers, payload_base64, result } = vector
  return { id, comment, flags, now, headers, payload_base64, result }
}
