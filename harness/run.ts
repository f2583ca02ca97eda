import type { Case } from './case.js'
import { runCases, type EngineOptions } from './engine.js'
import type { Report } from './result.js'
import { selectCases, type Selection } from './select.js'
import type { Subject } from './subject.js'
import { requirementResults, summarize, verdictOf } from './verdict.js'

export interface RunOptions extends EngineOptions {
  readonly selection?: Selection
  readonly tool: Report['tool']
}

const everything: Selection = { suites: [], cases: [] }

/**
 * Puts the selected cases of a catalogue to a subject and resolves to the report. Never rejects for what the subject
 * does; throws `UnmatchedPattern` for a selection that names nothing. The subject is left open.
 */
export async function runSuite<Context>(
  catalogue: readonly Case<Context>[],
  subject: Subject<Context>,
  options: RunOptions,
): Promise<Report> {
  const cases = selectCases(catalogue, options.selection ?? everything)
  const startedAt = new Date()
  const results = await runCases(cases, subject, options)
  const judged = { kind: subject.kind, catalogue, results }
  const requirements = requirementResults(judged)
  const note = endOf(subject, options)
  const verdict = verdictOf(judged, requirements)
  const isJudged = note === undefined || (note.isTargetsEnd && verdict === 'nonconformant')
  return {
    schema: 'conformance-report/1',
    tool: options.tool,
    subject: { kind: subject.kind, name: subject.secrets.redact(subject.name) },
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    seed: options.seed,
    verdict: isJudged ? verdict : 'none',
    summary: summarize(results, requirements),
    cases: results,
    requirements,
    ...(note === undefined ? {} : { note: subject.secrets.redact(note.text) }),
  }
}

/** Why a run ended before its time. A target that went away leaves what it was convicted of before; it earns no verdict. */
function endOf(
  subject: { readonly lost?: string | undefined },
  options: RunOptions,
): { readonly text: string; readonly isTargetsEnd: boolean } | undefined {
  if (options.signal?.aborted === true)
    return { text: 'the run was interrupted; this is what was learnt so far', isTargetsEnd: false }
  return subject.lost === undefined
    ? undefined
    : { text: `the run was ended: ${subject.lost}; this is what was learnt before`, isTargetsEnd: true }
}
