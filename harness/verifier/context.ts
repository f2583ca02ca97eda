import type { CaseTools } from '../case.js'

/** What is put to a verifier. */
export interface VerifyRequest {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Uint8Array
  /** Unix seconds; the verifier's clock. Absent: the clock it has of its own. */
  readonly now?: number
}

export type VerifierVerdict =
  | { readonly kind: 'accepted'; readonly event: unknown }
  | { readonly kind: 'refused'; readonly code: unknown; readonly message: unknown }
  /** It died, fell silent or wrote something that is no answer: never a refusal. */
  | { readonly kind: 'broken'; readonly how: string }

/** What a verifier case is handed. */
export interface VerifierContext extends CaseTools {
  /**
   * Asks the verifier. A library without a clock of its own is asked on the real clock, with the delivery signed again
   * for it; where that cannot be, the case is skipped.
   */
  verify(request: VerifyRequest): Promise<VerifierVerdict>
  /** Lets the verifier sign; skips the case where it cannot. */
  sign(request: {
    secret: string
    id: string
    timestamp: number
    payload: Uint8Array
  }): Promise<string | { readonly broken: string }>
}

/** Powers a verifier case may need: none can be lacking before it is asked. */
export type VerifierNeed = never
