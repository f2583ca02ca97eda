// VFY-015  "A secret that holds no key is refused: it verifies nothing."
//
// Reading: the interface says nothing of a secret without a key, and well-kept libraries decode one to the empty key. So
// this is advice: an unset variable as the secret lets anybody sign.

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
]
