export type VectorResult = 'valid' | 'invalid' | 'acceptable'

/** One signed delivery and the expected result of a verifier. Format: fixtures/schemas/signature-vectors.schema.json. */
export interface Vector {
  readonly id: number
  readonly comment: string
  readonly flags: readonly string[]
  /** The verifier's clock, Unix seconds. */
  readonly now: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload_base64: string
  readonly result: VectorResult
}

export interface VectorFlag {
  /** Which mistake the flag stands for, and what an attacker gains by it. */
  readonly description: string
  readonly requirement: string
}

/** A document of vectors: groups share a secret. */
export interface VectorDocument {
  readonly schema: 'signature-vectors/1'
  readonly seed: number
  readonly count: number
  readonly flags: Readonly<Record<string, VectorFlag>>
  readonly groups: readonly { readonly secret: string; readonly tests: readonly Vector[] }[]
}

export const vectorSchema = 'signature-vectors/1'
