import type { CaseTools } from '../case.js'
import type { Delivery } from '../receiver/delivery.js'
import type { SchemeFeature, SignatureScheme } from '../schemes/scheme.js'

/** A delivery to verify. */
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
  /** It died, fell silent or wrote an invalid answer: never a refusal. */
  | { readonly kind: 'broken'; readonly how: string }

/** What a verifier case is handed. */
export interface VerifierContext extends CaseTools {
  /**
   * Runs the verifier. A library without a clock parameter runs on the real clock, with the delivery signed again for it; if that is
   * impossible, the case is skipped.
   */
  verify(request: VerifyRequest): Promise<VerifierVerdict>
  /** How deliveries are signed. */
  readonly scheme: SignatureScheme
  /** A valid delivery of a sample event with a fresh secret, signed at `timestamp` (Unix seconds). */
  delivery(timestamp: number): Delivery
  /** The time at which deliveries are verified: one of our choice, or the real one where the library has no other. Skips the case where it has none. */
  clock(): Promise<VerifierClock>
  /** Lets the verifier decide on a delivery, with the key that a receiver has. */
  verifyDelivery(delivery: Delivery, clock: VerifierClock): Promise<VerifierVerdict>
  /** Lets the verifier sign; skips the case where it cannot. */
  sign(request: {
    secret: string
    id: string
    timestamp: number
    payload: Uint8Array
  }): Promise<string | { readonly broken: string }>
}

/** Unix seconds; `isReal` where the verifier reads the clock of the machine. */
export interface VerifierClock {
  readonly now: number
  readonly isReal: boolean
}

/** `interface-scheme`: deliveries are signed by the interface's scheme. `scheme:…`: the scheme has that feature. */
export type VerifierNeed = 'interface-scheme' | `scheme:${SchemeFeature}`
