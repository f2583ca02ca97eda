import { ownScheme, type SignatureScheme } from '../schemes/scheme.js'
import type { Attempt } from '../sink/attempt.js'
import type { HeaderFamily } from '../wire/header-family.js'
import { sign } from '../wire/signing.js'
import { diagnoseByScheme } from './by-scheme.js'
import { diagnose } from './diagnose.js'
import type { Cause } from './finding.js'

/** Bytes hashed for one failed check of a run: a few dozen milliseconds. */
const budget = 12_000_000

/** The expected signature of a delivery, as failed checks print it. */
export const rightlySigned = 'a v1 entry that equals the computed signature'

/** The same under any scheme. */
export function expectedSignature(scheme: SignatureScheme): string {
  if (scheme === ownScheme) return rightlySigned
  const { signature, signed } = scheme.data
  return `${scheme.entryOf(`<${scheme.data.encoding}>`)} in ${signature.header}, computed over ${signed}`
}

/** The template of the signed bytes in an expected signature; undefined for any other expectation. */
export function signedTemplateIn(expected: string): string | undefined {
  if (expected === rightlySigned) return '{webhook-id}.{webhook-timestamp}.{raw body}'
  return / in \S+, computed over (.*)$/.exec(expected)?.[1]
}

export interface SignatureValues {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

/** Why a delivery's signature does not hold, as far as can be found out; undefined when it does. */
export function signatureProblem(
  { id, timestamp, signature }: SignatureValues,
  body: Uint8Array,
  secret: string,
  { others = [], names = 'webhook' }: { readonly others?: readonly string[]; readonly names?: HeaderFamily } = {},
): string | undefined {
  if (id === undefined || timestamp === undefined || signature === undefined)
    return 'a signature header is missing or repeated'
  if (signature.split(' ').includes(sign(secret, { id, timestamp, body }))) return undefined
  const entries = new Set(signature.split(' '))
  if (others.some((other) => other !== secret && entries.has(sign(other, { id, timestamp, body }))))
    return 'it is signed with another secret of those given'
  const headers = Object.entries({ id, timestamp, signature }).map(
    ([part, value]) => [`${names}-${part}`, value] as const,
  )
  const { causes } = diagnose({ headers, body, notes: [] }, { secrets: [secret], names, budget })
  return explanationOf(causes) ?? 'no v1 entry equals the computed signature'
}

/** The same under any scheme; `urls` may be the url that was signed. */
export function signatureProblemOf(
  scheme: SignatureScheme,
  { headerList: headers, body }: Pick<Attempt, 'headerList' | 'body'>,
  { secret, urls }: { readonly secret: string; readonly urls: readonly string[] },
): string | undefined {
  const diagnoses = urls.map((url) =>
    diagnoseByScheme(scheme, { headers, body, notes: [] }, { secrets: [secret], url }),
  )
  if (diagnoses.some(({ verifies }) => verifies)) return undefined
  return (
    explanationOf(diagnoses[0]?.causes ?? []) ??
    `no signature in ${scheme.data.signature.header} equals the computed one: was another secret used, or was the body changed after it was signed?`
  )
}

function explanationOf(causes: readonly Cause[]): string | undefined {
  const known = causes.filter(({ cause }) => cause !== 'unexplained')
  return known.length === 0 ? undefined : known.map(({ explanation }) => explanation).join(' ')
}
