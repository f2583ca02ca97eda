import type { Exchange } from '../wire/exchange.js'
import type { Delivery } from './delivery.js'

/**
 * Whether an answer, headers and body, holds the secret, or the right signature where the delivery did not hold it itself. What it says
 * again of the delivery's own headers tells nobody anything.
 */
export function leaks(
  exchange: Exchange,
  { bad, secret }: { readonly bad: Delivery; readonly secret: string },
): boolean {
  const { mac } = bad
  const bytes = bad.macBytes
  const wasSent = Object.values(bad.headers).some((each) => each.includes(mac))
  const signature = wasSent ? [] : [mac, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  const sent = Object.values(bad.headers)
    .flatMap((value) => [value, ...value.split(' ')])
    .filter((each) => each.length >= bytes.length)
  const told = [exchange.text, ...Object.values(exchange.response?.headers ?? {})].map((text) =>
    sent.reduce((rest, each) => rest.replaceAll(each, ''), text),
  )
  // Whoever holds the public key of a scheme has the signature too, and nothing gained by it.
  return [secret.slice((bad.scheme.data.key.prefix ?? '').length), ...(bad.scheme.isAsymmetric ? [] : signature)].some(
    (each) => told.some((text) => text.includes(each)),
  )
}
