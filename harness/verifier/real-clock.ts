import { toleranceSeconds } from '../../spec/index.js'
import { keyOf, macOf } from '../wire/signing.js'
import type { VerifyRequest } from './context.js'

/** Nearer than this to the edge of the tolerance a real clock proves nothing, in seconds. */
const edgeSeconds = 5

/**
 * Returns the same delivery, moved to the real clock: its timestamp is as far from `realNow` as it was from `now`, and every entry that
 * matched is signed again. Undefined if the move would change the meaning of the case.
 */
export function movedToRealClock(
  request: VerifyRequest & { readonly now: number },
  realNow: number,
): Omit<VerifyRequest, 'now'> | undefined {
  const { headers, secret, payload, now } = request
  const nameOf = (wanted: string) => Object.keys(headers).find((name) => name.toLowerCase() === wanted)
  const timestampName = nameOf('webhook-timestamp')
  const signatureName = nameOf('webhook-signature')
  const id = headers[nameOf('webhook-id') ?? ''] ?? ''
  const timestamp = timestampName === undefined ? undefined : headers[timestampName]
  if (timestampName === undefined || timestamp === undefined) return { secret, headers, payload }
  if (!/^(0|[1-9]\d{0,11})$/.test(timestamp)) return { secret, headers, payload }
  const age = now - Number(timestamp)
  if (Math.abs(Math.abs(age) - toleranceSeconds) < edgeSeconds) return undefined
  const moved = String(realNow - age)
  const key = keyOf(secret)
  const before = macOf(key, { id, timestamp, body: payload })
  const after = macOf(key, { id, timestamp: moved, body: payload })
  const signature = signatureName === undefined ? undefined : headers[signatureName]?.replaceAll(before, after)
  return {
    secret,
    payload,
    headers: {
      ...headers,
      [timestampName]: moved,
      ...(signatureName === undefined || signature === undefined ? {} : { [signatureName]: signature }),
    },
  }
}
