// VFY-002  "The key is the base64-decoded part of the webhook secret after the `whsec_` prefix."
// VFY-015  "A secret without a key is refused: it verifies nothing."
//
// Reading: the interface does not mention a secret without a key, and well-kept libraries decode one to the empty key. So this is advice:
// with an unset variable as the secret an attacker can sign.

import { createHash } from 'node:crypto'
import { hmac, verifierCase } from '../../harness/authoring.js'
import { decides } from './deliveries.js'

const keyless = ['whsec_', '', 'whsec_====', 'whsec_!!!!']

export const secrets = [
  verifierCase({
    id: 'verifier/secrets/refuses-a-secret-without-a-key',
    requirements: ['VFY-015'],
    level: 'should',
    title: 'a secret that holds no key verifies nothing that is signed with the empty key',
    async run({ verify, check }) {
      const payload = Buffer.from('{"id":"evt_1","type":"message.received","data":{}}')
      const now = 1_700_000_000
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(now),
        'webhook-signature': `v1,${hmac(new Uint8Array(0), `evt_1.${now}.`, payload)}`,
      }
      for (const secret of keyless) {
        const verdict = await verify({ secret, headers, payload, now })
        decides(check, verdict, { due: 'refused', what: `verdict with the secret ${JSON.stringify(secret)}` })
      }
    },
  }),

  verifierCase({
    id: 'verifier/secrets/uses-the-whole-of-a-long-key',
    requirements: ['VFY-002'],
    level: 'must',
    title: 'a signature with the first or last 64 bytes of a longer key is refused',
    async run({ verify, check, unique }) {
      const payload = Buffer.from('{"id":"evt_1","type":"message.received","data":{}}')
      const now = 1_700_000_000
      const seed = unique()
      for (const size of [65, 96, 128]) {
        const key = Buffer.concat([0, 1, 2, 3].map((part) => createHash('sha256').update(`${seed}.${part}`).digest()))
        const long = key.subarray(0, size)
        const parts = { first: long.subarray(0, 64), last: long.subarray(-64) }
        for (const [which, part] of Object.entries(parts)) {
          const headers = {
            'webhook-id': 'evt_1',
            'webhook-timestamp': String(now),
            'webhook-signature': `v1,${hmac(part, `evt_1.${now}.`, payload)}`,
          }
          const verdict = await verify({ secret: `whsec_${long.toString('base64')}`, headers, payload, now })
          decides(check, verdict, {
            due: 'refused',
            what: `verdict on the ${which} 64 bytes of a key of ${size} as the key`,
          })
        }
      }
    },
  }),
]
