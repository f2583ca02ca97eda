/** What a deviation is called in data; permanent. */
export type CauseId =
  | 'header-missing'
  | 'header-repeated'
  | 'header-names'
  | 'headers-joined'
  | 'signature-format'
  | 'timestamp-format'
  | 'timestamp-milliseconds'
  | 'timestamp-differs'
  | 'timestamp-stale'
  | 'secret-repaired'
  | 'secret-unusable'
  | 'secret-undecoded'
  | 'secret-decoded-otherwise'
  | 'signed-content'
  | 'hash'
  | 'body-rewritten'
  | 'body-newline'
  | 'body-charset'
  | 'body-cut'
  | 'body-encoded'
  | 'id-differs'
  | 'unexplained'

/** One reason why a signature does not verify. */
export interface Cause {
  readonly cause: CauseId
  /** The fault, in a sentence. */
  readonly explanation: string
  /** How it was found out. */
  readonly evidence: string
  /** What to do about it. */
  readonly remedy: string
}

/** A cause before it is known how it was found out. */
export type Fault = Omit<Cause, 'evidence'>

/** One value of a search, with the fault that makes it the right one; without a fault, the value as it should be. */
export interface Candidate<Value> {
  readonly value: Value
  readonly fault?: Fault
}
