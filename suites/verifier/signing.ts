// VFY-018  "Signing makes `v1,` and the base64 of HMAC-SHA256 over the signed string."
//
// Reading: the signed string ends with the raw body, so a body is signed byte by byte, unchanged. A library that signs texts alone cannot
// sign other bytes: its driver answers without a signature, and that case is skipped.

import fc from 'fast-check'
import { newSecret, show, sign as expectedSignature, verifierCase } from '../../harness/authoring.js'

/** Bodies that are not what a program writes that reads them and writes them again. */
const unchanged: readonly (readonly [what: string, body: string])[] = [
  ['nothing', ''],
  ['blanks around an event', ' {"id":"evt_1"}\n'],
  ['lines that end in CR LF', '{\r\n  "id": "evt_1"\r\n}\r\n'],
  ['numbers and escapes in another hand', '{"n":1.0,"e":1E2,"text":"\\u00e9\\/","n":2}'],
  ['a byte order mark', '\ufeff{"id":"evt_1"}'],
  ['a letter and its accent apart', '{"text":"e\u0301"}'],
  ['NUL between two texts', '{"id":"evt_1"}\0{"id":"evt_2"}'],
  ['70,000 characters', JSON.stringify({ text: 'ä'.repeat(70_000) })],
]

/** Bodies in invalid UTF-8. */
const bytes: readonly (readonly [what: string, body: Uint8Array])[] = [
  ['a byte of Latin-1', Buffer.from('{"text":"\u00fc"}', 'latin1')],
  ['a character that is cut', Buffer.from('{"text":"ü"}').subarray(0, 10)],
  ['bytes that are not text', Uint8Array.from({ length: 64 }, (_, index) => index * 4 + 1)],
]

export const signing = [
  verifierCase({
    id: 'verifier/signing/signs-as-the-scheme-says',
    requirements: ['VFY-018'],
    level: 'must',
    title: 'the signature of any id, timestamp and body is the one the scheme defines',
    async run({ property, sign }) {
      await property(
        fc.record({
          id: fc.stringMatching(/^evt_[A-Za-z0-9]{1,26}$/),
          timestamp: fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }),
          body: fc.string({ unit: 'grapheme', maxLength: 200 }),
          keyBytes: fc.integer({ min: 24, max: 64 }),
        }),
        async ({ id, timestamp, body, keyBytes }, require) => {
          const secret = newSecret(keyBytes)
          const payload = Buffer.from(body)
          const signature = await sign({ secret, id, timestamp, payload })
          require.equal('signature', signature, expectedSignature(secret, { id, timestamp, body: payload }))
        },
        { runs: 30 },
      )
    },
  }),

  verifierCase({
    id: 'verifier/signing/signs-a-body-as-it-stands',
    requirements: ['VFY-018'],
    level: 'must',
    title: 'a body is signed as given: blanks, line ends and numbers stay unchanged',
    async run({ check, sign, unique }) {
      for (const [what, text] of unchanged) {
        const made = { secret: newSecret(), id: `evt_${unique()}`, timestamp: 1_800_000_000 }
        const body = Buffer.from(text)
        check.equal(
          `signature of ${what}`,
          await sign({ ...made, payload: body }),
          expectedSignature(made.secret, { ...made, body }),
        )
      }
    },
  }),

  verifierCase({
    id: 'verifier/signing/signs-bytes-that-are-no-text',
    requirements: ['VFY-024'],
    level: 'should',
    title: 'a body that is not UTF-8 is signed as its bytes, or not at all',
    async run({ check, sign, skip, unique }) {
      const withoutSignature: string[] = []
      for (const [what, body] of bytes) {
        const made = { secret: newSecret(), id: `evt_${unique()}`, timestamp: 1_800_000_000 }
        const signature = await sign({ ...made, payload: body })
        if (typeof signature === 'string')
          check.equal(`signature of ${what}`, signature, expectedSignature(made.secret, { ...made, body }))
        else withoutSignature.push(`${what}: ${show(signature.broken)}`)
      }
      if (withoutSignature.length === bytes.length)
        skip(`the driver signs no body with invalid UTF-8 (${withoutSignature[0]})`)
    },
  }),
]
