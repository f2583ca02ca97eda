import { runCases, type Case, type CaseResult, type Subject } from '../../../harness/index.js'
import type { CaseInfo } from '../../../bin/run/catalogue.js'

/** A reference that was started with a policy, ready to run any of its cases. */
export interface StartedSubject {
  /** Every case of its kind. */
  readonly catalogue: readonly CaseInfo[]
  /** Puts cases to it; may be called again and again. A case is not started, or is cut, once `signal` is aborted. */
  runCases(cases: readonly string[], options?: RunCasesOptions): Promise<readonly CaseResult[]>
  close(): Promise<void>
}

export interface RunCasesOptions {
  /** How often a case that did not pass during a stall of this process is rerun (default 2). */
  readonly maxRepeats?: number
  readonly signal?: AbortSignal
  readonly onCaseEnd?: (result: CaseResult) => void
}

/** Returns the runner of cases on an open subject; `close` ends its reference too. */
export function startedSubject<Context>(
  subject: Subject<Context>,
  cases: readonly Case<Context>[],
  options: { readonly seed: number; readonly close?: () => Promise<void> },
): StartedSubject {
  return {
    catalogue: cases,
    runCases(ids, { maxRepeats, signal, onCaseEnd } = {}) {
      const wanted = new Set(ids)
      return runCases(
        cases.filter((testCase) => wanted.has(testCase.id)),
        subject,
        {
          seed: options.seed,
          shrink: false,
          ...(maxRepeats === undefined ? {} : { maxRepeats }),
          ...(signal === undefined ? {} : { signal }),
          ...(onCaseEnd === undefined ? {} : { onCaseEnd }),
        },
      )
    },
    async close() {
      await subject.close()
      await options.close?.()
    },
  }
}
