import { ownScheme, type SignatureScheme } from '../schemes/scheme.js'
import type { Attempt } from '../sink/attempt.js'
import type { HeaderFamily } from '../wire/header-family.js'
import { sign } from '../wire/signing.js'
import { diagnoseByScheme } from './by-scheme.js'
import { diagnose } from './diagnose.js'
import type { Cause } from './finding.js'

/** Bytes hashed for one failed check of a run. */
const usualBudget = 12_000_000

/** The expected signature of a delivery, as failed checks print it. */
export const matchingEntry = 'a v1 entry that equals the computed signature'

/** The same under any scheme. */
export function expectedSignature(scheme: SignatureScheme): string {
  if (scheme === ownScheme) return matchingEntry
  const { signature, signed } = scheme.data
  return `${scheme.entryOf(`<${scheme.data.encoding}>`)} in ${signature.header}, computed over ${signed}`
}

/** The template of the signed bytes in an expected signature; undefined for any other expectation. */
export function signedTemplateIn(expected: string): string | undefined {
  if (expected === matchingEntry) return '{webhook-id}.{webhook-timestamp}.{raw body}'
  return / in \S+, computed over (.*)$/.exec(expected)?.[1]
}

export interface SignatureValues {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

/** Why a signature does not match. */
export interface SignatureProblem {
  readonly text: string
  /** Whether the mistake was found. If not, the secret may be wrong. */
  readonly isExplained: boolean
}

interface SearchOptions {
  readonly others?: readonly string[]
  readonly names?: HeaderFamily
  /** Bytes that may be hashed in search of the mistake; 0 only verifies. */
  readonly budget?: number
}

/** Returns why a delivery's signature does not match, in words; undefined if it matches. */
export function signatureProblem(
  values: SignatureValues,
  body: Uint8Array,
  secret: string,
  options: SearchOptions = {},
): string | undefined {
  return findSignatureProblem(values, body, secret, options)?.text
}

/** Returns why a delivery's signature does not match; undefined if it matches. */
export function findSignatureProblem(
  { id, timestamp, signature }: SignatureValues,
  body: Uint8Array,
  secret: string,
  { others = [], names = 'webhook', budget = usualBudget }: SearchOptions = {},
): SignatureProblem | undefined {
  if (id === undefined || timestamp === undefined || signature === undefined)
    return { text: 'a signature header is missing or repeated', isExplained: true }
  if (signature.split(' ').includes(sign(secret, { id, timestamp, body }))) return undefined
  const entries = new Set(signature.split(' '))
  if (others.some((other) => other !== secret && entries.has(sign(other, { id, timestamp, body }))))
    return { text: 'it is signed with another secret of those given', isExplained: true }
  const headers = Object.entries({ id, timestamp, signature }).map(
    ([part, value]) => [`${names}-${part}`, value] as const,
  )
  const { causes } = diagnose({ headers, body, notes: [] }, { secrets: [secret], names, budget })
  return problemBy(causes, 'no v1 entry equals the computed signature')
}

/** The same under any scheme; `urls` may be the url that was signed. */
export function findSignatureProblemOf(
  scheme: SignatureScheme,
  { headerList: headers, body }: Pick<Attempt, 'headerList' | 'body'>,
  {
    secret,
    urls,
    budget = usualBudget,
  }: { readonly secret: string; readonly urls: readonly string[]; readonly budget?: number },
): SignatureProblem | undefined {
  const diagnosed = (url: string | undefined, bytes: number) =>
    diagnoseByScheme(
      scheme,
      { headers, body, notes: [] },
      { secrets: [secret], budget: bytes, ...(url === undefined ? {} : { url }) },
    )
  if (urls.some((url) => diagnosed(url, 0).verifies)) return undefined
  return problemBy(
    diagnosed(urls[0], budget).causes,
    `no signature in ${scheme.data.signature.header} equals the computed one: was another secret used, or was the body changed after it was signed?`,
  )
}

function problemBy(causes: readonly Cause[], unexplained: string): SignatureProblem {
  const known = causes.filter(({ cause }) => cause !== 'unexplained')
  if (known.length === 0) return { text: unexplained, isExplained: false }
  // A secret that cannot be used shows nothing about the sender.
  const isExplained = known.length === causes.length || known.some(({ cause }) => !cause.startsWith('secret-'))
  return { text: known.map(({ explanation }) => explanation).join(' '), isExplained }
}
