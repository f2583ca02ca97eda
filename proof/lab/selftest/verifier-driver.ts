import type { DriverHandler } from '../../../harness/driver/index.js'
import type { References } from '../../patching/load.js'

/** The reference verifier, or a mutant of it, with the driver protocol. */
export function verifierHandler(verifier: References['verifier']['entry']): DriverHandler {
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
          return {
            ok: true,
            event: await verifier.verifyWebhook({ payload, headers, secret: text('secret'), ...clock }),
          }
        } catch (error) {
          if (error instanceof verifier.WebhookVerificationError)
            return { ok: false, error: { code: error.code, message: error.message } }
          throw error
        }
      default:
        return { unsupported: `no operation ${text('op')}` }
    }
  }
}
