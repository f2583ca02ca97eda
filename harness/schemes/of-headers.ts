import { loadScheme, schemeNames, type SchemeData } from '../../fixtures/index.js'

/** The built-in schemes by the name of their signature header. */
let byHeader: ReadonlyMap<string, SchemeData> | undefined

/** Returns the built-in scheme whose signature header these headers have, if any. */
export function schemeOfHeaders(headers: readonly (readonly [name: string, value: string])[]): SchemeData | undefined {
  byHeader ??= new Map(
    schemeNames()
      .map((name) => loadScheme(name))
      // Two schemes share the headers of Standard Webhooks; HMAC is the usual one.
      .toSorted((one, other) => Number(other.algorithm === 'ed25519') - Number(one.algorithm === 'ed25519'))
      .map((scheme) => [scheme.signature.header, scheme]),
  )
  for (const [name] of headers) {
    const found = byHeader.get(name.toLowerCase())
    if (found !== undefined) return found
  }
  return undefined
}

/** Headers of the interface, under the names that senders give them. */
const ofInterface = /^(?:webhook|svix)-(?:id|timestamp|signature)$/i

/** Returns the built-in scheme of a delivery that has another signature than that of the interface, if any. */
export function otherSchemeOf(headers: readonly (readonly [name: string, value: string])[]): SchemeData | undefined {
  return headers.some(([name]) => ofInterface.test(name)) ? undefined : schemeOfHeaders(headers)
}
