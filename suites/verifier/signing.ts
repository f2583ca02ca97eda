// VFY-018  "Signing makes `v1,` and the base64 of HMAC-SHA256 over the signed string."

import fc from 'fast-check'
import { newSecret, sign as expectedOf, verifierCase } from '../../harness/authoring.js'

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
          timestamp: fc.integer({ min: 1, max: 4_000_000_000 }),
          body: fc.string({ unit: 'grapheme', maxLength: 200 }),
          keyBytes: fc.integer({ min: 24, max: 64 }),
        }),
        async ({ id, timestamp, body, keyBytes }, require) => {
          const secret = newSecret(keyBytes)
          const payload = Buffer.from(body)
          const signature = await sign({ secret, id, timestamp, payload })
          require.equal('signature', signature, expectedOf(secret, { id, timestamp, body: payload }))
        },
        { runs: 30 },
      )
    },
  }),
]
