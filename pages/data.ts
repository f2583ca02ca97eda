// What the programs give to the pages, as JSON: types alone.
import type { SchemeData } from '../fixtures/index.js'
import type { Diagnosis } from '../harness/diagnose/index.js'
import type { CaseResult, Report, RequirementResult } from '../harness/result.js'
import type { Level } from '../spec/types.js'

/** A sentence of the interface, with what became of it. */
export interface AnnotatedSentence {
  /** Its place among all sentences, from 0. */
  readonly at: number
  /** The text in its place. */
  readonly words: string
  /** With the cells before it, of a row. */
  readonly row?: string
  readonly requirements: readonly {
    readonly id: string
    readonly subject: string
    readonly text: string
    /** Why no case can check it from outside. */
    readonly untestable?: string
    /** What wrong programs of the selftest get wrong of it: the first few, and how many there are. */
    readonly mistakes?: {
      readonly first: readonly { readonly id: string; readonly title: string }[]
      readonly count: number
    }
  }[]
  readonly open: readonly { readonly question: string; readonly accepts: string; readonly reference: string }[]
  /** The reason for having no requirement. */
  readonly reason?: string
}

/** The interface as it is read, each sentence in its place. */
export type AnnotatedBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly anchor: string; readonly words: string }
  | { readonly kind: 'paragraph'; readonly sentences: readonly AnnotatedSentence[] }
  | { readonly kind: 'item'; readonly mark: string; readonly sentences: readonly AnnotatedSentence[] }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly {
        readonly cells: readonly string[]
        readonly sentences: readonly AnnotatedSentence[]
      }[]
    }

/** The results of the sentences in one report. */
export interface Reader {
  readonly label: string
  readonly kind: string
  readonly verdict: Report['verdict']
  readonly requirements: readonly RequirementResult[]
  readonly cases: readonly CaseResult[]
}

/** The interface, coloured by result: one column for each report. */
export interface InterfaceData {
  readonly kind: 'interface'
  readonly blocks: readonly AnnotatedBlock[]
  readonly readers: readonly Reader[]
}

/** A run of the same cases on the same target, compared with the one before it. */
export interface PastRun {
  readonly started_at: string
  readonly verdict: Report['verdict']
  readonly cases: Report['summary']['cases']
  /** Ids of the cases that fail and did not, and of those that failed and pass. */
  readonly broke: readonly string[]
  readonly fixed: readonly string[]
}

/** Reports of some folders over time. */
export interface HistoryData {
  readonly kind: 'history'
  readonly targets: readonly {
    readonly kind: Report['subject']['kind']
    readonly name: string
    /** Oldest first. */
    readonly runs: readonly (PastRun & {
      readonly file: string
      readonly version: string
      readonly shard?: string
      readonly requirements: Report['summary']['requirements']
    })[]
    /** Cases that changed between passed and failed twice at least. */
    readonly unsteady: readonly { readonly id: string; readonly changes: number }[]
  }[]
}

/** A report, cut to what a browser opens at once. */
export interface ReportData {
  readonly kind: 'report'
  readonly report: Report
  /** Exchanges that were left out, by case. */
  readonly left: Readonly<Record<string, number>>
  readonly blocks: readonly AnnotatedBlock[]
  /** This run and the last ones, the newest first; absent where none is known. */
  readonly history?: readonly PastRun[]
}

/** Reports side by side: a column for each. */
export interface ComparisonData {
  readonly kind: 'comparison'
  readonly columns: readonly {
    readonly label: string
    readonly file: string
    readonly subject: Report['subject']
    readonly verdict: Report['verdict']
    readonly requirements: Report['summary']['requirements']
    readonly cases: Report['summary']['cases']
  }[]
  readonly requirements: readonly { readonly id: string; readonly text: string; readonly statuses: readonly string[] }[]
  readonly cases: readonly { readonly id: string; readonly outcomes: readonly string[] }[]
  readonly changes?: Readonly<Record<string, readonly string[]>>
}

/** A case that runs or will run. */
export interface PlannedCase {
  readonly id: string
  readonly suite: string
  readonly title: string
  readonly level: Level
  readonly requirements: readonly string[]
}

/** Where a run is; `lost`: the target went away. */
export type RunPhase = 'connecting' | 'running' | 'done' | 'stopped' | 'lost'

/** Everything a page needs to show a run under way: the first message. */
export interface RunSnapshot {
  readonly subject: { readonly kind: string; readonly name: string }
  readonly seed: number
  readonly phase: RunPhase
  /** Cases of this round, and how many of them have ended. */
  readonly selected: number
  readonly ended: number
  readonly cases: readonly PlannedCase[]
  readonly waiting: readonly string[]
  readonly running: readonly string[]
  /** Cases that failed once, and whose failure is to be confirmed, or may follow from another one. */
  readonly unconfirmed: readonly CaseResult[]
  readonly results: readonly CaseResult[]
  readonly left: Readonly<Record<string, number>>
  readonly requirements: readonly RequirementResult[]
  /** The last completed round, without its cases. */
  readonly report?: Report
  /** That round and the last runs, the newest first; absent where none is known. */
  readonly history?: readonly PastRun[]
}

/** What happens then. */
export type RunNews =
  | { readonly kind: 'snapshot'; readonly snapshot: RunSnapshot }
  | { readonly kind: 'started'; readonly id: string }
  | { readonly kind: 'unconfirmed'; readonly result: CaseResult; readonly left: number }
  | { readonly kind: 'ended'; readonly result: CaseResult; readonly left: number }

/** How the reference receiver behaves: as it should, or broken on purpose in one way. */
export type ReceiverMode = 'right' | 'fails' | 'redirects' | 'slow'

/** A delivery that a page can send instead of a valid one. */
export interface ForgeryKind {
  readonly name: string
  /** The wrong or unusual part, as the subject of a sentence. */
  readonly title: string
  readonly group: string
  /** How an endpoint must answer it; `either` where the interface leaves the choice. */
  readonly expected: 'refused' | 'accepted' | 'either'
}

/** The intention of the page for a delivery that it sent. */
export interface SentByPage {
  readonly title: string
  /** Absent for a request that was sent again as it was. */
  readonly expected?: ForgeryKind['expected']
}

/** One request to an endpoint, and its result. */
export interface InspectedDelivery {
  /** Its place in the order of arrival, from 1. */
  readonly number: number
  readonly at: string
  readonly method: string
  readonly path: string
  /** Empty where there was none. */
  readonly id: string
  /** Absent where no answer was given. */
  readonly status?: number
  /** The status in words, or why there is none. */
  readonly meaning: string
  readonly durationMs?: number
  /** Absent without a body, or without a secret. */
  readonly isVerified?: boolean
  /** Why the signature does not match, the likeliest first. */
  readonly causes: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Cut after 64,000 characters; absent where it was not kept. */
  readonly body?: string
  /** The bytes of a body that is not UTF-8. */
  readonly bodyBase64?: string
  readonly answer?: { readonly headers: InspectedDelivery['headers']; readonly body: string }
  /** Where the request can be diagnosed; absent where it has no body, or one of more than 256 KB. */
  readonly diagnoseUrl?: string
  /** Absent for a request of another program. */
  readonly sent?: SentByPage
}

/** The state of the page of an endpoint. */
export type InspectorNews =
  | {
      readonly kind: 'all'
      readonly title: string
      /** Where deliveries arrive. */
      readonly url: string
      /** Where they are forwarded to. */
      readonly forwardsTo?: string
      /** Absent where none is known: nothing can be signed. */
      readonly secret?: string
      /** The names of the events that can be sent. */
      readonly events: readonly string[]
      readonly forgeries: readonly ForgeryKind[]
      /** Absent for an endpoint of the user's own. */
      readonly mode?: ReceiverMode
      /** Newest first. */
      readonly received: readonly InspectedDelivery[]
    }
  | { readonly kind: 'received'; readonly delivery: InspectedDelivery }
  | { readonly kind: 'mode'; readonly mode: ReceiverMode }

/** What a page wants to send: a new event, or a request that arrived, by its number. */
export interface SendRequest {
  readonly event?: string
  readonly number?: number
  /** The name of a forgery; without one it is a valid delivery, signed now. */
  readonly forgery?: string
  /** Sends the request with the headers that it had. */
  readonly isAsIs?: boolean
}

/** The result of a {@link SendRequest}; `problem`: nothing was sent, or no connection could be made. */
export type SendAnswer =
  | (SentByPage & { readonly status?: number; readonly failure?: string; readonly durationMs: number })
  | { readonly problem: string }

/** A request that the page of `diagnose` can open. */
export interface KeptRequest {
  /** Its place in the order of arrival, from 1: the fragment of its address. */
  readonly number: number
  /** One line about it. */
  readonly label: string
  /** Lines of names and values. */
  readonly headers: string
  readonly bodyBase64: string
}

/** The state of the page of `diagnose`. */
export type DiagnoseNews =
  | {
      readonly kind: 'all'
      readonly schemes: readonly SchemeData[]
      /** The name of the scheme that was chosen at the command line. */
      readonly scheme: string
      readonly secrets: readonly string[]
      readonly requests: readonly KeptRequest[]
    }
  | { readonly kind: 'request'; readonly request: KeptRequest }

/** A message of the page of `diagnose` to its worker. */
export interface DiagnoseQuestion {
  /** Header lines or a JSON object; a whole request where there is no body. */
  readonly headers: string
  readonly body?: Uint8Array
  readonly secrets: readonly string[]
  /** Absent for the interface's own signature. */
  readonly scheme?: SchemeData
  /** Where the delivery was sent, for schemes that sign that. */
  readonly url?: string
  /** Unix seconds; the age is judged where it is given. */
  readonly now?: number
  readonly isDeep: boolean
}

export type DiagnoseAnswer =
  | { readonly kind: 'diagnosis'; readonly diagnosis: Diagnosis }
  | { readonly kind: 'unreadable'; readonly problem: string }
