import type { DriverHandler } from '../../harness/driver/in-process.js'
import { createVerifier, WebhookVerificationError, type VerifierPolicy } from '../../reference/verifier/index.js'

/** The reference verifier with a policy, behind the driver protocol. */
export function verifierHandler(policy: VerifierPolicy): DriverHandler {
  const verifier = createVerifier(policy)
  return async (request) => {
    const text = (name: string) => String(request[name])
    const payload = Buffer.from(text('payload_base64'), 'base64')
    switch (request['op']) {
      case 'hello':
        return { name: 'mutant', version: '0', language: 'typescript' }
      case 'sign':
        return {
          signature: verifier.sign({
            secret: text('secret'),
            id: text('msg_id'),
            timestamp: Number(request['timestamp']),
            payload,
          }),
        }
      case 'verify':
        try {
          const headers = request['headers'] as Readonly<Record<string, string>>
          const clock = request['now'] === undefined ? {} : { now: Number(request['now']) }
          return { ok: true, event: verifier.verifyWebhook({ payload, headers, secret: text('secret'), ...clock }) }
        } catch (error) {
          if (error instanceof WebhookVerificationError)
            return { ok: false, error: { code: error.code, message: error.message } }
          throw error
        }
      default:
        return { unsupported: `no operation ${text('op')}` }
    }
  }
}
