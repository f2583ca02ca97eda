import type { Level, RequirementId, SubjectKind } from '../spec/index.js'

/** `failed`: the target contradicts a requirement. `errored`: we could not ask. `skipped`: not asked, with a reason. */
export type Outcome = 'passed' | 'failed' | 'errored' | 'skipped'

/** One comparison that did not hold. */
export interface Mismatch {
  /** What was looked at, in the protocol's words: `status of POST /v1/webhooks`. */
  readonly what: string
  readonly expected: string
  readonly got: string
  /** The requirement this one comparison belongs to, where it is narrower than the case. */
  readonly requirement?: RequirementId
}

/** One recorded request and response, or one frame, as it stands in a report: text only, secrets redacted. */
export interface ExchangeRecord {
  readonly direction: 'sent' | 'received'
  readonly kind: 'api' | 'delivery' | 'stream' | 'driver' | 'receiver' | 'dns' | 'control'
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly body_base64?: string
  }
  readonly response?: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly body_base64?: string
  }
  readonly started_at: string
  readonly duration_ms: number
  /** What no header says: `connection reset before an answer`. */
  readonly note?: string
}

/** What became of one case. */
export interface CaseResult {
  readonly id: string
  readonly suite: string
  readonly title: string
  readonly level: Level
  readonly requirements: readonly RequirementId[]
  readonly status: Outcome
  /** A failure that the known-failures list names. */
  readonly known_failure: boolean
  /** Why it may fail, where that is tracked, and until when; only of a known failure. */
  readonly known_failure_reason?: string
  readonly duration_ms: number
  /** `expected … got …` of the first mismatch, or the error; absent when passed. */
  readonly message?: string
  /** Why skipped, or why it could not be asked. */
  readonly reason?: string
  /** Requirements that were contradicted; a subset of `requirements`, or what a check named more exactly. */
  readonly violates?: readonly RequirementId[]
  readonly checks?: readonly Mismatch[]
  readonly counterexample?: unknown
  readonly reproduce?: string
  readonly exchanges?: readonly ExchangeRecord[]
  /** Measurements worth keeping: attempt times, latencies. */
  readonly measurements?: Readonly<Record<string, unknown>>
}

export type RequirementStatus = 'verified' | 'violated' | 'unverified' | 'untestable'

export interface RequirementResult {
  readonly id: RequirementId
  readonly level: Level
  readonly text: string
  readonly source: string
  readonly status: RequirementStatus
  readonly cases: readonly string[]
}

export type Verdict = 'conformant' | 'partial' | 'nonconformant' | 'none'

/** An entry of the known-failures file that fails the run. */
export interface KnownFailureProblem {
  /** Case id as it stands in the file. */
  readonly case: string
  /** `passed`: the entry is stale. `unmatched`: there is no such case. `expired`: its last day is over. */
  readonly problem: 'passed' | 'unmatched' | 'expired'
  /** The same in words, with what to do about it. */
  readonly message: string
}

/** One whole run, plain data: what every reporter renders. */
export interface Report {
  readonly schema: 'conformance-report/1'
  readonly tool: { readonly name: string; readonly version: string }
  readonly subject: { readonly kind: SubjectKind; readonly name: string }
  readonly started_at: string
  readonly duration_ms: number
  readonly seed: number
  /** The part of the run this is, `2/4`; absent for a whole one. */
  readonly shard?: string
  readonly verdict: Verdict
  readonly summary: {
    readonly cases: Readonly<Record<Outcome | 'known_failures', number>>
    readonly requirements: Readonly<Record<'total' | 'verified' | 'violated' | 'unverified', number>>
  }
  readonly cases: readonly CaseResult[]
  readonly requirements: readonly RequirementResult[]
  /** Entries of the known-failures file that fail the run; absent where there are none. */
  readonly known_failure_problems?: readonly KnownFailureProblem[]
  /** Why there is no verdict, or why the run ended early. */
  readonly note?: string
}
