import { isOwnRequirement, requirements } from '../../spec/index.js'
import type { ExchangesListener } from '../engine.js'
import type { CaseResult, Report } from '../result.js'
import type { RecordedRun } from './run-history.js'

/** The facts at the start of a run. */
export interface RunStart {
  readonly subject: { readonly kind: string; readonly name: string }
  readonly cases: number
  readonly seed: number
  /** How long the run is expected to take, in milliseconds. */
  readonly expectedMs?: number
}

/** What a reporter writes to; `isTerminal` allows a live line, `colour` allows colour. */
export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  readonly colour: boolean
  /** Width of the terminal; absent where lines are not broken. */
  readonly columns?: number
}

/** Turns plain data into text. It touches neither disk nor process. Every hook is optional. */
export interface Reporter {
  readonly onRunStart?: (run: RunStart) => void
  /** A case may start more than once before it ends. */
  readonly onCaseStart?: (id: string) => void
  /** A failure that is not reported yet: it needs a rerun, or may follow from another failure. */
  readonly onCaseHeld?: (result: CaseResult) => void
  readonly onCaseEnd?: (result: CaseResult) => void
  /** The exchanges of one run of a case, or of none, redacted; a run keeps all of them only if a reporter has this hook. */
  readonly onExchanges?: ExchangesListener
  readonly onRunEnd?: (report: Report) => void
}

/** What a wrong program gets wrong. */
export interface Mistake {
  /** The mutant's. */
  readonly id: string
  readonly title: string
}

/** What wrong programs get wrong, by the id of the requirement they break. */
export type Mistakes = ReadonlyMap<string, readonly Mistake[]>

export interface ReporterOptions {
  readonly verbosity: 'quiet' | 'normal' | 'verbose'
  /** Shown next to the sentences of the interface; nothing is shown without it. */
  readonly mistakes?: Mistakes
  /** Earlier runs on the target, the newest first; nothing is shown without them. */
  readonly earlier?: readonly RecordedRun[]
}

export type CreateReporter = (output: Output, options: ReporterOptions) => Reporter

/** Headers of a delivery that a failure shows: those of its signature, whatever the scheme. */
export function isSigned(header: string): boolean {
  return /^(?:webhook|svix)-|signature|timestamp|hmac|-delivery$|-webhook-id$/.test(header)
}

/**
 * Returns a requirement with its sentence and its place, as a failure has it under its scheme; a report of another version may name an
 * unknown one.
 */
export function sentenceOf(
  id: string,
  { sentences = {} }: Pick<CaseResult, 'sentences'> = {},
): { readonly id: string; readonly text: string; readonly place: string } {
  const known = Object.hasOwn(requirements, id) ? requirements[id as keyof typeof requirements] : undefined
  return known === undefined
    ? { id, text: 'not in this version of the registry', place: 'interface.md' }
    : {
        id,
        text: sentences[id] ?? known.text,
        place: isOwnRequirement(id) ? known.source : `interface.md${known.source}`,
      }
}

/** The requirements a result speaks of: those it contradicts, else those its case checks. */
export function subjectOf(result: CaseResult): readonly string[] {
  return result.violates ?? result.requirements
}

/** A failure of the run outside its cases, as a row of its own. */
export interface RunProblem {
  /** The name instead of a case id: `known-failures/service/x`, `run`. */
  readonly name: string
  /** `failed`: the known-failures file is wrong. `errored`: there is no verdict. */
  readonly status: 'failed' | 'errored'
  readonly message: string
}

/**
 * Returns the problems of the known-failures file, and a missing verdict: programs that read a report count its rows, and a run without
 * cases must not look like one where everything passed.
 */
export function runProblemsOf(report: Report): RunProblem[] {
  const problems = (report.known_failure_problems ?? []).map(({ case: id, message }): RunProblem => ({
    name: `known-failures/${id}`,
    status: 'failed',
    message,
  }))
  if (report.verdict !== 'none') return problems
  const message = `no verdict: ${report.note ?? 'no case was completed'}`
  return [...problems, { name: 'run', status: 'errored', message }]
}
