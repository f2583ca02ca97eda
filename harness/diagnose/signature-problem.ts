import type { HeaderFamily } from '../wire/header-family.js'
import { sign } from '../wire/signing.js'
import { diagnose } from './diagnose.js'

/** Bytes hashed for one failed check of a run: a few dozen milliseconds. */
const budget = 12_000_000

/** The expected signature of a delivery, as failed checks print it. */
export const rightlySigned = 'a v1 entry that equals the computed signature'

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
  const known = causes.filter((each) => each.cause !== 'unexplained')
  if (known.length === 0) return 'no v1 entry equals the computed signature'
  return known.map(({ explanation }) => explanation).join(' ')
}
