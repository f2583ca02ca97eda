/** What a receiver knows of one delivery when it decides. */
export interface DeliveryView {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** What the interface leaves to a receiver: how it answers, what it insists on, how much it takes. One entry each. */
export interface ReceiverPolicy {
  /** Status for a delivery that was taken. Source: RCV-001, RCV-003. */
  readonly acceptedStatus: number
  /** Status for a delivery that was refused, by the code of the refusal. Source: RCV-015, RCV-021. */
  readonly refusedStatus: (code: string) => number
  /** Status for an event that was taken before. Source: RCV-012. */
  readonly duplicateStatus: number
  /** Status for a signed event of this shape; undefined accepts it. Source: RCV-013, RCV-014. */
  readonly refusesEvent: (event: Readonly<Record<string, unknown>>, delivery: DeliveryView) => number | undefined
  /** Bytes of a body at most. Source: RCV-018. */
  readonly maxBodyBytes: number
  /** Headers and body of an answer, which the sender ignores. */
  readonly answer: (status: number) => { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

export const receiverPolicy: ReceiverPolicy = {
  acceptedStatus: 204,
  refusedStatus: (code) => (code === 'missing_header' || code.startsWith('malformed_') ? 400 : 401),
  duplicateStatus: 200,
  refusesEvent: () => undefined,
  maxBodyBytes: 5 * 1024 * 1024,
  answer: () => ({ headers: {}, body: '' }),
}
