import { verifierPolicy, type VerifierPolicy } from '../verifier/index.js'

/** What a receiver knows of one delivery when it decides. */
export interface DeliveryView {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  readonly isChunked: boolean
}

/** Every decision of the receiver, one entry each. A mutant is {@link receiverPolicy} with one entry replaced. */
export interface ReceiverPolicy {
  /** How signatures are verified. Source: RCV-004 to RCV-011, RCV-020. */
  readonly verifier: VerifierPolicy
  readonly toleranceSeconds: number
  /** Whether a delivery is verified at all. Source: RCV-005. */
  readonly verifies: (delivery: DeliveryView) => boolean
  /** What the verifier is shown of the body. Source: RCV-009. */
  readonly verifiedBody: (delivery: DeliveryView) => Buffer
  /** Status for a delivery that was taken. Source: RCV-001, RCV-003. */
  readonly acceptedStatus: number
  /** Status for a delivery that was refused, by the code of the refusal. Source: RCV-015, RCV-021. */
  readonly refusedStatus: (code: string) => number
  /** Status for an event that was taken before. Source: RCV-012. */
  readonly duplicateStatus: number
  /** When an id counts as taken. Source: RCV-012, RCV-016. */
  readonly remembersId: 'when-accepted' | 'when-received'
  /** Status for a signed event of this shape; undefined takes it. Source: RCV-013, RCV-014. */
  readonly refusesEvent: (event: Readonly<Record<string, unknown>>, delivery: DeliveryView) => number | undefined
  /** Bytes of a body at most. Source: RCV-018. */
  readonly maxBodyBytes: number
  /** Whether a body without a length is read. Source: RCV-018. */
  readonly readsChunked: boolean
  /** Refusals in a row after which everything is refused; Infinity for never. Source: RCV-016. */
  readonly locksAfter: number
  /** Deliveries handled at once; further ones are answered with 503. Source: RCV-017. */
  readonly maxAtOnce: number
  /** Time before an answer, in milliseconds. Source: RCV-002. */
  readonly answerAfterMs: number
  /** Headers and body of an answer beside its status: none of the sender's business. */
  readonly answer: (status: number) => { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

export const receiverPolicy: ReceiverPolicy = {
  verifier: verifierPolicy,
  toleranceSeconds: 300,
  verifies: () => true,
  verifiedBody: ({ body }) => body,
  acceptedStatus: 204,
  refusedStatus: (code) => (code === 'missing_header' || code.startsWith('malformed_') ? 400 : 401),
  duplicateStatus: 200,
  remembersId: 'when-accepted',
  refusesEvent: () => undefined,
  maxBodyBytes: 5 * 1024 * 1024,
  readsChunked: true,
  locksAfter: Number.POSITIVE_INFINITY,
  maxAtOnce: Number.POSITIVE_INFINITY,
  answerAfterMs: 0,
  answer: () => ({ headers: {}, body: '' }),
}
