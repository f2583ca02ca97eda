// VFY-003  "The signature is base64 of HMAC-SHA256: the complete value must be equal; a modified or truncated one is
//           refused."
// VFY-009  "A delivery with no matching signature is rejected."
// VFY-011  "The body is bytes: an empty body, or one that is not JSON or not UTF-8, is verified as sent."
//
// Reading: a sender of another scheme, and one of yesterday, may sign with another hash; who takes such a MAC too is as weak as that hash.

import { keyOf, macsOfOtherHashes, verifierCase } from '../../harness/authoring.js'
import { accepts, delivery, eventText, refuses, withHeaders, wrongEntry } from './deliveries.js'

/** Bytes of two blocks of SHA-256: the signed text is padded to a block, which a home-made hash does wrong at some length. */
const twoBlocks = 128

export const hashes = [
  verifierCase({
    id: 'verifier/hashes/refuses-a-mac-of-any-other-hash',
    requirements: ['VFY-003', 'VFY-009'],
    level: 'must',
    title: 'a MAC of any other hash is refused, alone and with a wrong entry',
    async run({ verify, check, unique }) {
      const good = delivery(unique())
      const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = good.headers
      await accepts({ verify, check }, good)
      for (const [hash, mac] of macsOfOtherHashes(keyOf(good.secret), { id, timestamp, body: good.payload }))
        for (const signature of [`v1,${mac}`, `${wrongEntry} v1,${mac}`])
          await refuses(
            { verify, check },
            withHeaders(good, { 'webhook-signature': signature }),
            `a MAC of ${hash} in ${signature}`,
          )
      await accepts({ verify, check }, good)
    },
  }),

  verifierCase({
    id: 'verifier/hashes/accepts-what-is-signed-at-any-length',
    requirements: ['VFY-003', 'VFY-011'],
    level: 'must',
    title: `bodies of ${twoBlocks} lengths, one after the other, are each accepted as signed`,
    async run({ verify, check, unique }) {
      const mark = unique()
      const event = JSON.parse(eventText(`evt_${mark}`, mark)) as object
      for (let length = 0; length < twoBlocks; length++) {
        const payload = Buffer.from(JSON.stringify({ ...event, note: 'x'.repeat(length) }))
        await accepts({ verify, check }, delivery(mark, { payload }), `a body of ${payload.length} bytes`)
      }
    },
  }),
]
