// Finds the likely causes of failures from the results alone, so that a stored report has the same ones.
import type { ReportKind, RequirementId } from '../../spec/index.js'
import type { CaseResult, LikelyCause, Report } from '../result.js'
import { sentenceUnder, type SchemeWords } from '../schemes/words.js'
import { clearestCase } from './evidence.js'
import { namedCauses } from './named-causes.js'
import { remedyOf } from './remedies.js'
import { groupBySuspect, type Suspect } from './suspects.js'
import { findRequirement, mostFrequent, plainText, failureKey } from './words.js'
import { counted } from '../counted.js'

/** Causes in a report; the others are folded. */
const maxCauses = 5
/** Cases that one reason must keep from being run before that is a cause. */
const leastAlike = 3

/** The causes of the failures of a run, the one to read first at the start: each failure belongs to at most one. */
export function likelyCauses(kind: ReportKind, results: readonly CaseResult[], scheme?: SchemeWords): LikelyCause[] {
  const failed = results.filter((result) => result.status === 'failed' && !result.known_failure)
  const causes: LikelyCause[] = []
  const explainedIds = new Set<string>()
  const add = (cause: LikelyCause) => {
    const unexplained = cause.cases.filter((id) => !explainedIds.has(id))
    // Skip a cause whose cases other causes explain already.
    if (unexplained.length * 2 < cause.cases.length) return
    const cases = withFollowers({ ...cause, cases: unexplained }, results)
    causes.push(withEvidence({ ...cause, cases }, failed))
    for (const id of cases) explainedIds.add(id)
  }
  for (const rule of namedCauses)
    for (const cause of [rule({ kind, words: scheme, results, failed }) ?? []].flat()) add(cause)
  const passed = results.filter(({ status }) => status === 'passed')
  const open = failed.filter(({ id }) => !explainedIds.has(id))
  for (const suspect of groupBySuspect(open, passed, failureKey))
    add(oneCase(suspect, results) ?? brokenRequirement(suspect, scheme))
  for (const cause of causesOfErrors(results)) add(cause)
  return causes.slice(0, maxCauses)
}

/** The results with the remedies of known mistakes, and the causes of the failures. */
export function explained(
  kind: ReportKind,
  results: readonly CaseResult[],
  scheme?: SchemeWords,
): Pick<Report, 'cases' | 'likely_causes'> {
  const causes = likelyCauses(kind, results, scheme)
  const cases = results.map((result) => {
    const remedy = remedyOf(result, scheme)
    return { ...result, ...(remedy === undefined ? {} : { remedy }), ...sentencesOf(result, scheme) }
  })
  return { cases, ...(causes.length === 0 ? {} : { likely_causes: causes }) }
}

/** The sentences of a failure that the scheme words differently. */
function sentencesOf(result: CaseResult, scheme: SchemeWords | undefined): Pick<CaseResult, 'sentences'> {
  if (result.status !== 'failed') return {}
  const sentences = (result.violates ?? result.requirements).flatMap((id) => {
    const sentence = sentenceUnder(scheme, id)
    return sentence === undefined ? [] : [[id, sentence] as const]
  })
  return sentences.length === 0 ? {} : { sentences: Object.fromEntries(sentences) }
}

/**
 * Returns the only failed case of a requirement, if its other cases passed: its title is more exact than the requirement. Undefined if
 * more failed, or more was not evaluated because of it.
 */
function oneCase({ requirement, failed }: Suspect, results: readonly CaseResult[]): LikelyCause | undefined {
  const [only, second] = failed
  if (only === undefined || second !== undefined || only.counterexample !== undefined) return
  const others = results.filter((result) => result !== only && result.requirements[0] === requirement)
  // The title of a vector names a message.
  if (only.suite.endsWith('/vectors')) return
  if (only.requirements[0] !== requirement || !others.some(({ status }) => status === 'passed')) return
  const cause = { cause: 'one-case', requirement, text: asSentence(only.title), cases: [only.id] }
  return withFollowers(cause, results).length === 1 ? cause : undefined
}

/** A title as a sentence; a name such as `webhooks.verify` keeps its case. */
function asSentence(title: string): string {
  return `${/^[a-z]+\b(?![._])/.test(title) ? `${title.slice(0, 1).toUpperCase()}${title.slice(1)}` : title}.`
}

function brokenRequirement({ requirement, failed }: Suspect, scheme: SchemeWords | undefined): LikelyCause {
  const remedies = new Set(failed.map((result) => remedyOf(result, scheme)))
  const sentence = sentenceUnder(scheme, requirement) ?? findRequirement(requirement)?.text
  const [remedy] = remedies
  return {
    cause: 'broken-requirement',
    requirement,
    text: `${requirement} is not kept: "${sentence ?? 'not in this version'}"`,
    ...(remedy === undefined || remedies.size > 1 ? {} : { remedy }),
    cases: failed.map(({ id }) => id),
  }
}

/** The cases of a cause, and those that were not evaluated because of one of them. */
function withFollowers({ requirement, cases }: LikelyCause, results: readonly CaseResult[]): readonly string[] {
  const followers = results.filter(({ id, not_judged: why }) => {
    if (why === undefined || cases.includes(id)) return false
    return (why.failed_in !== undefined && cases.includes(why.failed_in)) || why.see === requirement
  })
  return [...cases, ...followers.map(({ id }) => id)]
}

/** The case that shows a cause best, and the requirement where the rule named none: the one that most of its cases contradict. */
function withEvidence(cause: LikelyCause, failed: readonly CaseResult[]): LikelyCause {
  const own = failed.filter(({ id }) => cause.cases.includes(id))
  const [most] = mostFrequent(own.flatMap(({ violates = [] }) => violates)) as RequirementId[]
  const requirement = cause.requirement ?? most
  const evidence = clearestCase(own, requirement)
  return {
    ...cause,
    ...(requirement === undefined ? {} : { requirement }),
    ...(evidence === undefined ? {} : { evidence: evidence.id }),
  }
}

/** Cases that could not be run, for one reason. */
function causesOfErrors(results: readonly CaseResult[]): LikelyCause[] {
  const errored = results.filter(({ status }) => status === 'errored')
  const reasonOf = ({ reason = '' }: CaseResult) => plainText(reason)
  return mostFrequent(errored.map(reasonOf))
    .map((reason) => ({ reason, cases: errored.filter((result) => reasonOf(result) === reason) }))
    .filter(({ cases }) => cases.length >= leastAlike)
    .map(({ reason, cases }) => ({
      cause: 'same-error',
      text: `${counted(cases.length, 'case')} could not be run, for one reason: ${reason}.`,
      cases: cases.map(({ id }) => id),
    }))
}
