/** Why a delivery is refused: a closed list, so that a caller can distinguish the reasons. */
export type RefusalCode =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'too_old'
  | 'too_new'
  | 'malformed_signature'
  | 'no_matching_signature'
  | 'bad_secret'
  | 'malformed_payload'

/** A delivery that is not verified. The message names the checked part, never the secret or the expected signature. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}
