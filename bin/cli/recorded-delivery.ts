// Deliveries that were recorded or kept, as they are sent again.
import { memberOf, parseJson } from '../../harness/parsing.js'
import { readDelivery } from '../../harness/diagnose/index.js'
import { ownScheme, type SignatureScheme } from '../../harness/schemes/index.js'
import { Delivery } from '../../harness/signing.js'

type HeaderLines = readonly (readonly [name: string, value: string])[]

/** A request as it goes over the wire. */
export interface Lines {
  readonly headers: HeaderLines
  readonly body: Uint8Array
}

/** A recorded delivery, its body known. */
export interface Recorded extends Lines {
  readonly scheme: SignatureScheme
  readonly id: string | undefined
}

/** Headers of the old connection. */
const ofConnection =
  /^(?::.*|accept-encoding|connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/

/** Returns the id in the place of the scheme; under the scheme of the interface also the one in the body. */
export function idOf({ headers, body }: Lines, scheme: SignatureScheme): string | undefined {
  const { id } = readDelivery(scheme, { headers, body })
  const own = memberOf(parseJson(Buffer.from(body).toString()), 'id')
  return id ?? (scheme === ownScheme && typeof own === 'string' ? own : undefined)
}

/** Returns the delivery signed now with `secret`, for schemes that sign `url` as sent there. */
export function signedNow(
  { scheme, id = 'evt_recorded', body }: Omit<Recorded, 'headers'>,
  { secret, url }: { readonly secret: string; readonly url: string },
): Delivery {
  return new Delivery({ id, timestamp: Math.floor(Date.now() / 1000), secret, body }, { scheme, url })
}

/** Returns the recorded headers, with the scheme's own replaced by those of `delivery`. */
export function linesOf(delivery: Delivery, recorded: HeaderLines): Lines {
  const templates = Object.entries(delivery.scheme.data.headers ?? {}).filter(([, value]) => !value.includes('{'))
  const kept = new Set(['content-type', ...templates.map(([name]) => name)])
  const recordedNames = new Set(recorded.map(([name]) => name.toLowerCase()))
  const fresh = Object.entries(delivery.headers).filter(([name]) => !(kept.has(name) && recordedNames.has(name)))
  const freshNames = new Set(fresh.map(([name]) => name))
  const rest = recorded.filter(([name]) => !freshNames.has(name.toLowerCase()))
  return { headers: [...rest, ...fresh], body: delivery.fields.body }
}

/** Splits header lines into the first of each name and the repeated ones. The user's own headers replace recorded ones. */
export function inTwo(
  lines: HeaderLines,
  own: Readonly<Record<string, string>> = {},
): { readonly headers: Record<string, string>; readonly repeatedHeaders: Record<string, string> } {
  const headers: Record<string, string> = {}
  const repeatedHeaders: Record<string, string> = {}
  for (const [name, value] of lines) {
    const lower = name.toLowerCase()
    if (ofConnection.test(lower) || own[lower] !== undefined) continue
    if (headers[lower] === undefined) headers[lower] = value
    else repeatedHeaders[lower] = repeatedHeaders[lower] === undefined ? value : `${repeatedHeaders[lower]}, ${value}`
  }
  return { headers, repeatedHeaders }
}
