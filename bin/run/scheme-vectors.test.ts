import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScheme, schemeNames } from '../../fixtures/index.js'
import { diagnoseByScheme } from '../../harness/diagnose/index.js'
import { SignatureScheme } from '../../harness/schemes/index.js'
import { schemeVectors, type Vector } from '../../harness/vectors/index.js'
import { schemeVectorsOf } from './scheme-vectors.js'

const root = join(import.meta.dirname, '../..')
/** Bytes hashed for one vector: its verdict counts here, not its cause. */
const budget = 1_000_000
const has = (command: string, argument: string) => spawnSync(command, [argument]).status === 0
const hasPython = has('python3', '--version')
const hasOpenssl = has('openssl', 'version')

const vectorsOf = (name: string, count = 200) => [
  ...schemeVectors(schemeVectorsOf(new SignatureScheme(loadScheme(name)), { count, seed: 7 })),
]
const isOfEd25519 = (name: string) => loadScheme(name).algorithm === 'ed25519'

/** The bytes before the 32 of a public Ed25519 key in DER. Source: RFC 8410. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

describe('200 generated vectors', () => {
  it.skipIf(!hasPython).each(schemeNames().filter((name) => !isOfEd25519(name)))(
    "of %s have the results that Python's hmac gives (skipped where python3 is missing)",
    (name) => {
      const input = vectorsOf(name)
        .map((vector) => JSON.stringify(vector))
        .join('\n')
      const script = join(root, 'harness/testing/scheme-vectors.py')
      const { stdout, stderr } = spawnSync('python3', [script, join(root, `fixtures/schemes/${name}.json`)], {
        input,
        encoding: 'utf8',
      })
      expect(stderr).toBe('')
      expect(stdout).toBe('200 vectors\n')
    },
  )

  it.skipIf(!hasOpenssl).each(schemeNames().filter(isOfEd25519))(
    'of %s that are as they were made verify with openssl (skipped where openssl is missing)',
    (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'vectors-'))
      try {
        const plain = vectorsOf(name).filter(({ flags }) => flags[0] === 'Plain')
        expect(plain.length).toBeGreaterThan(40)
        for (const vector of plain) expect(isVerifiedByOpenssl(name, vector, folder)).toBe(true)
        const [first] = plain
        if (first === undefined) throw new Error('no vector')
        const longer = Buffer.concat([Buffer.from(first.payload_base64, 'base64'), Buffer.from(' ')])
        const tampered = { ...first, payload_base64: longer.toString('base64') }
        expect(isVerifiedByOpenssl(name, tampered, folder)).toBe(false)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  it.each(schemeNames())('of %s get their expected result from diagnose, and the same seed gives the same', (name) => {
    const scheme = new SignatureScheme(loadScheme(name))
    const vectors = vectorsOf(name, 40)
    expect(vectorsOf(name, 40)).toEqual(vectors)
    for (const { secret, headers, payload_base64, now, result, comment } of vectors) {
      if (result === 'acceptable') continue
      const request = { headers: Object.entries(headers), body: Buffer.from(payload_base64, 'base64'), notes: [] }
      const { verifies, causes } = diagnoseByScheme(scheme, request, { secrets: [secret], now, budget })
      expect({ comment, verifies }).toEqual({ comment, verifies: result === 'valid' })
      if (!verifies) expect(causes.length).toBeGreaterThan(0)
    }
  })
})

function isVerifiedByOpenssl(
  name: string,
  { secret, headers, payload_base64 }: Vector & { readonly secret: string },
  folder: string,
): boolean {
  const { key, encoding, signature, signed, id, timestamp } = loadScheme(name)
  const bytes = Buffer.from(secret.replace(key.public_prefix ?? '', ''), encoding)
  const parts: Readonly<Record<string, Buffer>> = {
    '{id}': Buffer.from(headers[id?.header ?? ''] ?? ''),
    '{timestamp}': Buffer.from(headers[timestamp?.header ?? ''] ?? ''),
    '{body}': Buffer.from(payload_base64, 'base64'),
  }
  const message = signed.split(/(\{[a-z]+\})/).map((piece) => parts[piece] ?? Buffer.from(piece))
  const mac = (headers[signature.header] ?? '').replace(signature.entry.replace('{signature}', ''), '')
  const at = (file: string) => join(folder, file)
  writeFileSync(at('key.der'), Buffer.concat([derPrefix, bytes]))
  writeFileSync(at('message'), Buffer.concat(message))
  writeFileSync(at('signature'), Buffer.from(mac, encoding))
  const words = ['pkeyutl', '-verify', '-pubin', '-keyform', 'DER', '-inkey', at('key.der'), '-rawin']
  return spawnSync('openssl', [...words, '-in', at('message'), '-sigfile', at('signature')]).status === 0
}
