/** How binding a requirement is: `must` decides the verdict, `should` is reported. */
export type Level = 'must' | 'should'

/** The kinds of target. */
export type SubjectKind = 'service' | 'receiver' | 'verifier' | 'client' | 'sender'

/** The subject of a report: a tested target, or observed traffic. */
export type ReportKind = SubjectKind | 'traffic'

/** One normative sentence of the interface. */
export interface Requirement {
  readonly level: Level
  readonly subject: SubjectKind
  /** The heading of spec/interface.md above it, as an anchor: `#limits`. */
  readonly source: string
  readonly text: string
  /** Why no case can check it from outside; such a requirement does not count for the verdict. */
  readonly untestable?: string
  /** It binds only targets that have a thing the interface does not demand; where every case is skipped it does not count. */
  readonly conditional?: string
  /** Each case is about one such thing: skipped ones leave nothing open. */
  readonly needsEveryCase?: true
}

export type RequirementTable = Readonly<Record<string, Requirement>>

/** A point the interface leaves open ("not shown"). No case may assert more than `accepts`. */
export interface OpenPoint {
  readonly source: string
  readonly question: string
  /** What the reference does. */
  readonly reference: string
  /** What the suites accept. */
  readonly accepts: string
}

/** One violation of a schema. */
export interface SchemaError {
  readonly keyword: string
  /** A JSON pointer into the value. */
  readonly instancePath: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
  readonly schema?: unknown
  readonly parentSchema?: unknown
}

/** Validates a value with a schema; `errors` has the faults of the last value. */
export interface Validate {
  (value: unknown): boolean
  readonly errors?: readonly SchemaError[] | null
}
