// VFY-003  "The signature is base64 of HMAC-SHA256: the complete value must be equal; a modified or truncated one is
//           refused."
// VFY-009  "A delivery with no matching signature is rejected."
//
// Reading: a sender of another scheme, and one of yesterday, may sign with another hash; who takes such a MAC too is as weak as that hash.

import { keyOf, macsOfOtherHashes, verifierCase } from '../../harness/authoring.js'
import { accepts, delivery, refuses, withHeaders, wrongEntry } from './deliveries.js'

export const hashes = [
  verifierCase({
    id: 'verifier/hashes/refuses-a-mac-of-any-other-hash',
    requirements: ['VFY-003', 'VFY-009'],
    level: 'must',
    title: 'a MAC of any other hash with the right key is refused, alone and beside a wrong entry',
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
]
