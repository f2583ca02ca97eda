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
  const isInterrupted = options.signal?.aborted === true
  const verdict = verdictOf(judged, requirements)
  return {
    schema: 'conformance-report/1',
    tool: options.tool,
    subject: { kind: subject.kind, name: subject.secrets.redact(subject.name) },
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    seed: options.seed,
    verdict: isInterrupted ? 'none' : verdict,
    summary: summarize(results, requirements),
    cases: results,
    requirements,
    ...(isInterrupted ? { note: 'the run was interrupted; this is what was learnt so far' } : {}),
  }
}
