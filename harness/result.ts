import type { Level, ReportKind, RequirementId } from '../spec/index.js'
import type { SchemeWords } from './schemes/words.js'
import type { Doubt } from './doubt/doubts.js'

/** `failed`: the target contradicts a requirement. `errored`: the case could not run. `skipped`: not run, with a reason. */
export type Outcome = 'passed' | 'failed' | 'errored' | 'skipped'

/**
 * `compared`: the target's answer differs from the expected one. `measured`: a time that this process took, or an event that did not arrive
 * while it waited; proves something only if the process was on time. `no-answer`: nothing was learnt.
 */
export type MismatchKind = 'compared' | 'measured' | 'no-answer'

/** What a receiver or a verifier makes of a delivery. */
export type Decision = 'accepted' | 'refused'

/** One comparison that did not hold. */
export interface Mismatch {
  readonly kind: MismatchKind
  /** The compared thing, in the protocol's words: `status of POST /v1/webhooks`. */
  readonly what: string
  readonly expected: string
  readonly got: string
  /** The requirement this one comparison belongs to, where it is narrower than the case. */
  readonly requirement?: RequirementId
  /** No answer arrived, or a 5xx: the target crashed instead of answering. */
  readonly crashed?: true
  /** The target's wrong decision on a delivery; absent if the mismatch is about something else. */
  readonly decided?: Decision
  /** The target crashed or hung: a failure of what must be, whatever the level of the case. */
  readonly fatal?: true
  /** Requirements that the comparison depends on and whose waits timed out before it. */
  readonly depends_on?: readonly RequirementId[]
  /** When it was found, in the time of the exchanges. */
  readonly found_at?: string
  /** When the exchange began whose answer was compared, where it was the answer to one. */
  readonly exchange_at?: string
}

/** One recorded request and response, or one frame, for a report: text only, secrets redacted. */
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
  /** A fact that is in no header: `connection reset before an answer`. */
  readonly note?: string
  /** A shell line that signs a delivery when it runs, and sends it: the same, or the valid one that a forgery was made from. */
  readonly resend?: { readonly sends: 'same' | 'valid'; readonly command: string }
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
  /** Why the case was skipped, or why it could not run. */
  readonly reason?: string
  /** The run ended before the case started: skipped for no other reason. */
  readonly not_reached?: true
  /** Skipped since it rests on a requirement that failed, in a case of its own where that is named. */
  readonly not_judged?: { readonly see: RequirementId; readonly failed_in?: string }
  /** Skipped because of what the target is: other cases decide its requirements, where there are any. */
  readonly for_others?: true
  /** Requirements that were contradicted; a subset of `requirements`, or what a check named more exactly. */
  readonly violates?: readonly RequirementId[]
  readonly checks?: readonly Mismatch[]
  readonly counterexample?: unknown
  /** The remedy of a failure with a known cause: lines of text, the first of which names the cause. */
  readonly remedy?: string
  /** The sentences of the requirements it contradicts as they read under its signature scheme, where that is not the one of the interface. */
  readonly sentences?: Readonly<Record<string, string>>
  readonly reproduce?: string
  readonly exchanges?: readonly ExchangeRecord[]
  /** The number of each outcome if the run repeated the case; one that passed and failed is flaky. */
  readonly repeats?: Readonly<Record<'passed' | 'failed' | 'errored', number>>
  /** Why the case was rerun, each time, and its earlier outcome. */
  readonly reruns?: readonly { readonly reason: Doubt; readonly evidence: string; readonly earlier: Outcome }[]
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
  /** Stricter cases of the same requirement that could not run; absent if there are none, or if the requirement is not verified. */
  readonly not_run?: number
  readonly cases: readonly string[]
}

export type Verdict = 'conformant' | 'partial' | 'nonconformant' | 'none'

/** What likely made cases fail, or kept them from being evaluated; found from the results alone. */
export interface LikelyCause {
  /** Its name in data: `valid-refused`, `parsed-before-verified`, `broken-requirement`. */
  readonly cause: string
  /** The requirement that is broken, where cases failed. */
  readonly requirement?: RequirementId
  /** One to three sentences. */
  readonly text: string
  /** The remedy: lines of text, the first of which summarises it. */
  readonly remedy?: string
  /** The failed case that shows it best. */
  readonly evidence?: string
  /** The cases it explains: the failed ones, then those that were not evaluated because of them. */
  readonly cases: readonly string[]
}

/** Something that the target may be given, so that more of it can be verified. */
export interface Addition {
  /** The name of the addition in the configuration or on the command line. */
  readonly name: string
  /** Requirements that could be verified with it, on top of what the additions before it enable. */
  readonly requirements: number
  /** It replaces all the others, and counts alone. */
  readonly instead?: true
}

/** An entry of the known-failures file that fails the run. */
export interface KnownFailureProblem {
  /** Case id as written in the file. */
  readonly case: string
  /** `passed`: the entry is stale. `unmatched`: there is no such case. `expired`: its last day is over. */
  readonly problem: 'passed' | 'unmatched' | 'expired'
  /** The same in words, with what to do about it. */
  readonly message: string
}

/** One whole run, plain data: what every reporter renders. */
/** One shard of a merged report. */
export interface ReportedShard extends Pick<Report, 'started_at' | 'duration_ms' | 'seed' | 'verdict'> {
  readonly shard: string
}

/** The options of a run that chose its cases. */
export interface ReportedSelection {
  readonly suites?: readonly string[]
  readonly cases?: readonly string[]
  readonly requirements?: readonly string[]
  readonly exclude?: readonly string[]
  readonly grep?: string
  readonly level?: Level
  /** Ids of `--last-failed`. */
  readonly only?: readonly string[]
}

export interface Report {
  readonly schema: 'conformance-report/1'
  readonly tool: { readonly name: string; readonly version: string }
  readonly subject: {
    readonly kind: ReportKind
    readonly name: string
    /** The names of its signature scheme; absent for that of the interface. */
    readonly scheme?: SchemeWords
  }
  readonly started_at: string
  readonly duration_ms: number
  readonly seed: number
  /** The part of the run this is, `2/4`; absent for a whole one. */
  readonly shard?: string
  /** The shards that a merged report was made of; absent for a run of its own. */
  readonly shards?: readonly ReportedShard[]
  /** The selection of cases; empty for all of them, absent in reports of earlier versions. */
  readonly selection?: ReportedSelection
  readonly verdict: Verdict
  readonly summary: {
    /** `not_reached` are those of `skipped` that the run was ended before; absent where it went to its end. */
    readonly cases: Readonly<Record<Outcome | 'known_failures', number>> & { readonly not_reached?: number }
    /**
     * `not_in_depth`: `verified` requirements with stricter cases that did not run. `in_part`: `unverified` requirements with some cases
     * that passed and others that did not run. Absent if there are none.
     */
    readonly requirements: Readonly<Record<'total' | 'verified' | 'violated' | 'unverified', number>> & {
      readonly not_in_depth?: number
      readonly in_part?: number
    }
  }
  readonly cases: readonly CaseResult[]
  /** What likely made many of them fail, what explains most first; absent where each failure stands for itself. */
  readonly likely_causes?: readonly LikelyCause[]
  readonly requirements: readonly RequirementResult[]
  /** Entries of the known-failures file that fail the run; absent where there are none. */
  readonly known_failure_problems?: readonly KnownFailureProblem[]
  /** The additions that would verify most of the unverified requirements; absent for a partial run, or if nothing can be added. */
  readonly additions?: readonly Addition[]
  /** Why there is no verdict, or why the run ended early. */
  readonly note?: string
}
