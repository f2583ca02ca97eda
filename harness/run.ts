import { requirements, type RequirementId } from '../spec/index.js'
import type { Case } from './case.js'
import { explained } from './causes/likely-causes.js'
import { runCases, type EngineOptions } from './engine.js'
import { findMissingOfCase } from './missing-capability.js'
import { bestAdditions } from './forecast.js'
import type { Report, RequirementResult } from './result.js'
import { wordsOf } from './schemes/words.js'
import { selectCases, type Selection } from './select.js'
import type { Subject } from './subject.js'
import { requirementResults, summarize, verdictOf, type Judged } from './verdict.js'

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
  const selected = selectCases(catalogue, options.selection ?? everything)
  const cases = withReasons(selected, catalogue, subject)
  const startedAt = new Date()
  // The clock of the machine may be set meanwhile.
  const began = performance.now()
  const results = await runCases(cases, subject, options)
  const binds = bindingFor(catalogue, subject)
  const scheme = subject.scheme === undefined ? undefined : wordsOf(subject.scheme)
  const judged = { kind: subject.kind, catalogue, results, binds, scheme }
  const statuses = requirementResults(judged)
  const note = endOf(subject, options)
  const verdict = verdictOf(judged, statuses)
  const about: Report['subject'] = {
    kind: subject.kind,
    name: subject.secrets.redact(subject.name),
    ...(scheme === undefined ? {} : { scheme }),
  }
  const isJudged = note === undefined || (note.isTargetsEnd && verdict === 'nonconformant')
  return {
    schema: 'conformance-report/1',
    tool: options.tool,
    subject: about,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(performance.now() - began),
    seed: options.seed,
    verdict: isJudged ? verdict : 'none',
    summary: summarize(results, statuses),
    ...explained(subject.kind, results, scheme),
    requirements: statuses,
    ...(cases.length === catalogue.length && isJudged ? additionsFor(catalogue, subject, statuses) : {}),
    ...noteOf(subject, note?.text ?? awayOf(subject) ?? unjudgedPart(judged, { statuses, verdict, subject })),
  }
}

/** What the target does not let be judged, where everything else was verified. */
function unjudgedPart(
  judged: Judged,
  {
    statuses,
    verdict,
    subject: { unjudged },
  }: {
    readonly statuses: readonly RequirementResult[]
    readonly verdict: Report['verdict']
    readonly subject: Pick<Subject<never>, 'unjudged'>
  },
): string | undefined {
  if (unjudged === undefined || verdict !== 'partial') return undefined
  const others = statuses.filter(({ id }) => !unjudged.requirements.includes(id))
  return verdictOf(judged, others) === 'conformant' ? unjudged.text : undefined
}

/** Returns whether a requirement binds the subject, whatever the selection: a conditional one does not if none of its cases can run. */
function bindingFor<Context>(
  catalogue: readonly Case<Context>[],
  subject: Subject<Context>,
): (id: RequirementId) => boolean {
  const isMissing = (testCase: Case<Context>) =>
    findMissingOfCase(testCase, (need) => subject.findMissing(need, testCase)) !== undefined
  const isOutOfReach = (id: RequirementId) => {
    const cases = catalogue.filter((testCase) => testCase.requirements.includes(id))
    return requirements[id].conditional !== undefined && cases.length > 0 && cases.every(isMissing)
  }
  return (id) => subject.binds?.(id) !== false && !isOutOfReach(id)
}

/** Returns the additions that would verify most of the requirements that were not tested. */
function additionsFor<Context>(
  catalogue: readonly Case<Context>[],
  subject: Subject<Context>,
  judged: readonly RequirementResult[],
): Pick<Report, 'additions'> {
  const forecast = subject.forecast?.()
  if (forecast === undefined) return {}
  const open = new Set(
    judged.filter((result) => result.status !== 'verified' && result.status !== 'violated').map(({ id }) => id),
  )
  const additions = bestAdditions(subject.kind, catalogue, { forecast, open })
  return additions.length === 0 ? {} : { additions }
}

/**
 * Returns the selected cases; where the subject evaluates none of them, also the cases that show why: a target that fails those is reported
 * as such, whatever the selection.
 */
function withReasons<Context>(
  selected: readonly Case<Context>[],
  catalogue: readonly Case<Context>[],
  subject: Subject<Context>,
): readonly Case<Context>[] {
  const isEvaluated = (testCase: Case<Context>) => subject.gate?.(testCase) === undefined
  if (selected.length === 0 || selected.some(isEvaluated)) return selected
  return [...catalogue.filter(isEvaluated), ...selected]
}

/** Returns the note next to the verdict. */
function noteOf({ secrets }: Pick<Subject<never>, 'secrets'>, end: string | undefined): { readonly note?: string } {
  const { tooPlain } = secrets
  const plain =
    tooPlain === 0
      ? undefined
      : `${tooPlain === 1 ? '1 secret is' : `${tooPlain} secrets are`} too short or too plain to be hidden outside headers and fields such as "secret"`
  const texts = [end, plain].filter((text) => text !== undefined)
  return texts.length === 0 ? {} : { note: secrets.redact(texts.join('; ')) }
}

/** That the target went away and came back, and what it had last. */
function awayOf({ lastRequests }: Pick<Subject<never>, 'lastRequests'>): string | undefined {
  return lastRequests === undefined ? undefined : `the target went away for a while; ${lastRequests}`
}

/** Why a run ended before its time. A target that went away leaves the failures found before; it earns no verdict. */
function endOf(
  subject: Pick<Subject<never>, 'lost' | 'lastRequests' | 'isUnfit'>,
  options: RunOptions,
): { readonly text: string; readonly isTargetsEnd: boolean } | undefined {
  if (options.signal?.aborted === true)
    return { text: 'the run was interrupted; these are the results so far', isTargetsEnd: false }
  if (subject.lost === undefined) return undefined
  const last = subject.lastRequests === undefined ? '' : `; ${subject.lastRequests}`
  return {
    text: `the run was ended: ${subject.lost}${last}; these are the results so far`,
    isTargetsEnd: subject.isUnfit !== true,
  }
}
