import { createHash } from 'node:crypto'
import type { Delivery, SchemeFeature, SignatureScheme } from '../../../harness/authoring.js'

/** What a verifier must decide; `either` where the interface leaves the choice. */
export type ForgeryDecision = 'refused' | 'accepted' | 'either'

/** One way in which a delivery differs from a plain valid one, whatever its scheme is. */
export interface Forgery {
  /** Permanent. */
  readonly name: string
  /** The fault or the oddity, as the subject of a sentence. */
  readonly title: string
  readonly group: ForgeryGroup
  readonly expected: ForgeryDecision
  /** What the scheme must have room for. */
  readonly needs?: readonly SchemeFeature[]
  /** The name under which a scheme lists that its official library accepts it (default: the name). */
  readonly lenience?: string
  /** Only for kinds of subject that answer within a millisecond. */
  readonly isDense?: true
  /** The delivery with this one difference; undefined where this delivery has no room for it. */
  readonly make: (good: Delivery) => Delivery | undefined
}

/** Each group breaks one sentence of the interface: the requirement by kind is in `requirements.ts`. */
export type ForgeryGroup =
  | 'missing-id'
  | 'missing-timestamp'
  | 'missing-signature'
  | 'wrong-value'
  | 'part-of-value'
  | 'other-key'
  | 'other-hash'
  | 'other-content'
  | 'changed'
  | 'hostile-body'
  | 'version'
  | 'loose-entry'
  | 'malformed-signature'
  | 'respelled-timestamp'
  | 'malformed-timestamp'
  | 'stale'
  | 'future'
  | 'several'
  | 'beside'
  | 'beside-malformed'

/** Why a scheme has no room for a forgery, or its official library accepts it; undefined when it can be used. */
export function reasonToSkip(
  { name, needs = [], lenience = name }: Forgery,
  scheme: SignatureScheme,
): string | undefined {
  const missing = needs.map((feature) => scheme.findMissing(feature)).find((reason) => reason !== undefined)
  if (missing !== undefined) return missing
  const why = scheme.data.leniences?.[lenience]
  return why === undefined ? undefined : `accepted under the scheme ${scheme.name}: ${why}`
}

/** Bytes that look random, and are the same for the same delivery in every run. */
export function bytesFor({ fields: { id, body } }: Delivery, label: string, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${label} ${index} ${id}`).update(body).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

/** An entry that has the form of a signature and matches nothing. */
export function wrongEntryFor(delivery: Delivery, label = 'wrong'): string {
  const { scheme } = delivery
  return scheme.entryOf(bytesFor(delivery, label, scheme.signatureBytes).toString(scheme.data.encoding))
}
