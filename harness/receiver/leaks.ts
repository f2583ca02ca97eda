import type { Exchange } from '../wire/exchange.js'
import type { Delivery } from './delivery.js'

/**
 * Returns whether an answer, headers and body, contains the secret, or the correct signature if the delivery did not contain it itself.
 * Echoed headers of the delivery reveal nothing.
 */
export function leaksSecret(
  exchange: Exchange,
  { bad, secret }: { readonly bad: Delivery; readonly secret: string },
): boolean {
  const { mac } = bad
  const bytes = bad.macBytes
  const wasSent = Object.values(bad.headers).some((value) => value.includes(mac))
  const signature = wasSent ? [] : [mac, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  const sent = Object.values(bad.headers)
    .flatMap((value) => [value, ...value.split(' ')])
    .filter((text) => text.length >= bytes.length)
  const reported = [exchange.text, ...Object.values(exchange.response?.headers ?? {})].map((text) =>
    sent.reduce((rest, value) => rest.replaceAll(value, ''), text),
  )
  // An endpoint with only a public key cannot make a signature, so it cannot reveal one.
  return [secret.slice((bad.scheme.data.key.prefix ?? '').length), ...(bad.scheme.isAsymmetric ? [] : signature)].some(
    (form) => reported.some((text) => text.includes(form)),
  )
}
