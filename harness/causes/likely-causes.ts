// What likely made several cases fail at once, found out from their results alone: a report that is read again says the same.
import { asText } from '../wire/json.js'
import type { RequirementId, ReportKind } from '../../spec/index.js'
import type { CaseResult, LikelyCause, Mismatch, Report } from '../result.js'
import { memberOf } from '../wire/exchange.js'
import { rightlySigned } from '../diagnose/signature-problem.js'
import { clockCause } from './clock.js'
import { rawBodyOf, remedyOf } from './remedies.js'

/** Causes that are told; what many cases share stands first. */
const maxCauses = 4
/** Cases that must fail in the same way before that is a cause. */
const leastAlike = 3

/** Requirements that a cause names. */
const maxNamed = 3

interface Facts {
  readonly kind: ReportKind
  readonly results: readonly CaseResult[]
  /** Failures that nobody has accepted. */
  readonly failed: readonly CaseResult[]
}

type Rule = (facts: Facts) => LikelyCause | undefined

/** The causes that explain the failures of a run, the one that most rests on first; none where each stands for itself. */
export function likelyCauses(kind: ReportKind, results: readonly CaseResult[]): LikelyCause[] {
  const failed = results.filter((each) => each.status === 'failed' && !each.known_failure)
  const facts = { kind, results, failed }
  const causes: LikelyCause[] = []
  const known = new Set<string>()
  const tell = (each: LikelyCause) => {
    // A cause of what others explain already is none.
    if (each.cases.filter((id) => !known.has(id)).length * 2 < each.cases.length) return
    causes.push(each)
    for (const id of each.cases) known.add(id)
  }
  for (const rule of named) for (const each of [rule(facts) ?? []].flat()) tell(each)
  for (const each of alike(failed.filter(({ id }) => !known.has(id)))) tell(each)
  for (const each of couldNotAsk(results)) tell(each)
  return causes.slice(0, maxCauses)
}

/** The results with the remedies of the mistakes that are known, and what likely made several of them fail. */
export function explained(kind: ReportKind, results: readonly CaseResult[]): Pick<Report, 'cases' | 'likely_causes'> {
  const causes = likelyCauses(kind, results)
  const cases = results.map((each) => {
    const remedy = remedyOf(each)
    return remedy === undefined ? each : { ...each, remedy }
  })
  return { cases, ...(causes.length === 0 ? {} : { likely_causes: causes }) }
}

const breaks =
  (...ids: readonly RequirementId[]) =>
  (each: CaseResult) =>
    ids.some((id) => each.violates?.includes(id))
const idsOf = (results: readonly CaseResult[]) => results.map((each) => each.id)

/** What a receiver said to a valid delivery before the first case, and what else it was found to take. */
const refusesWhatIsValid: Rule = ({ results, failed }) => {
  const first = failed.find((each) => each.measurements?.['refused'] !== undefined)
  if (first === undefined) return undefined
  const refusal = first.measurements?.['refused']
  const answer = asText(memberOf(refusal, 'answer'))
  const explanation = memberOf(refusal, 'explanation')
  const remedy = memberOf(refusal, 'remedy')
  const unasked = results.filter((each) => each.not_judged?.see === 'RCV-001')
  const isKnown = typeof explanation === 'string' && typeof remedy === 'string'
  return {
    cause: 'valid-refused',
    text: isKnown
      ? `Every valid delivery was answered with ${answer}. ${explanation}`
      : `Every valid delivery was answered with ${answer}: the secret or the path is wrong, or something before the endpoint changes the body.`,
    remedy: isKnown ? remedy : (remedyOf(first) ?? ''),
    cases: idsOf([first, ...unasked]),
  }
}

const parsedBeforeVerified: Rule = ({ failed }) => {
  const own = failed.filter(breaks('RCV-009', 'VFY-005'))
  if (own.length < 2) return undefined
  // The same text in other bytes is taken for the same reason.
  const cases = failed.filter(breaks('RCV-009', 'VFY-005', 'RCV-030'))
  return {
    cause: 'parsed-before-verified',
    text: `Bodies are verified after they were parsed and written again: ${counted(cases.length, 'case')}.`,
    remedy: rawBodyOf(cases),
    cases: idsOf(cases),
  }
}

const verifiesNothing: Rule = ({ failed }) => {
  const isAny = (sets: readonly (readonly RequirementId[])[]) =>
    sets.some((ids) => ids.every((id) => failed.some(breaks(id))))
  if (
    !isAny([
      ['RCV-004', 'RCV-005', 'RCV-020'],
      ['VFY-003', 'VFY-008', 'VFY-009'],
    ])
  )
    return undefined
  const ofForgeries: readonly RequirementId[] = [
    'RCV-004',
    'RCV-005',
    'RCV-006',
    'RCV-007',
    'RCV-008',
    'RCV-011',
    'RCV-020',
    'RCV-023',
    'RCV-024',
    'RCV-027',
    'VFY-001',
    'VFY-002',
    'VFY-003',
    'VFY-006',
    'VFY-007',
    'VFY-008',
    'VFY-009',
    'VFY-010',
    'VFY-012',
    'VFY-021',
  ]
  const cases = failed.filter(breaks(...ofForgeries))
  return {
    cause: 'verifies-nothing',
    text: 'Nothing is verified: deliveries without a signature, and with a wrong one, are taken as valid.',
    remedy: 'Verify each delivery before anything else is done with it, and see that the refusal ends the request.',
    cases: idsOf(cases),
  }
}

const ignoresTheTimestamp: Rule = ({ failed }) => {
  const cases = failed.filter(breaks('RCV-006', 'RCV-007', 'VFY-006', 'VFY-007'))
  const took = cases.filter(({ checks = [] }) => checks.some(({ decided }) => decided === 'accepted'))
  if (took.length < 2) return undefined
  const misread = failed.filter(breaks('RCV-023', 'VFY-012')).filter((each) => !took.includes(each))
  return {
    cause: 'timestamp-not-checked',
    text: `The age of a delivery is not checked${sidesOf(took)} are taken.`,
    remedy: remedyOf(took[0] as CaseResult) ?? '',
    cases: idsOf([...took, ...misread]),
  }
}

/** Which deliveries are taken that are too old, or too new. */
function sidesOf(took: readonly CaseResult[]): string {
  const isOld = took.some(breaks('RCV-006', 'VFY-006'))
  const isNew = took.some(breaks('RCV-007', 'VFY-007'))
  if (isOld && isNew) return ': ones signed long ago, and ones from the future,'
  return isOld ? ' in the past: ones signed long ago' : ' in the future: ones signed ahead of the clock'
}

/** The explanation that failed checks of signatures have in common. */
const signsWrongly: Rule = ({ failed }) => {
  const cases = failed.filter(({ checks = [] }) => checks.some(isOfSignature))
  const explanations = cases.flatMap(({ checks = [] }) => checks.filter(isOfSignature).map((each) => plain(each.got)))
  const [most] = mostFrequent(explanations)
  if (most === undefined || cases.length < 2) return undefined
  const of = cases.filter(({ checks = [] }) => checks.some((each) => isOfSignature(each) && plain(each.got) === most))
  return {
    cause: 'signed-otherwise',
    text: `Deliveries are not signed as they must be: ${most}`,
    remedy:
      'Sign {webhook-id}.{webhook-timestamp}.{raw body} with the decoded secret, over the bytes that are sent; `conformance diagnose` looks at one delivery.',
    cases: idsOf(of),
  }
}

function isOfSignature({ expected }: { readonly expected: string }): boolean {
  return expected === rightlySigned
}

/** Requests that the target did not survive, or answered with a 5xx. */
const fallsOver: Rule = ({ failed }) => {
  const cases = failed.filter(({ checks = [] }) => checks.some((each) => each.crashed === true))
  if (cases.length < leastAlike) return undefined
  return {
    cause: 'falls-over',
    text: `In ${counted(cases.length, 'case')} the target answered with a 5xx, or not at all, where it must accept or refuse: an error is not caught. See its log of ${timeOf(cases)}.`,
    remedy: remedyOf({ ...(cases[0] as CaseResult), violates: ['RCV-015'] }) ?? '',
    cases: idsOf(cases),
  }
}

/** Rules for causes that have a name, the ones that explain most first. */
const named: readonly Rule[] = [
  clockCause,
  refusesWhatIsValid,
  verifiesNothing,
  parsedBeforeVerified,
  ignoresTheTimestamp,
  signsWrongly,
  fallsOver,
  ({ results }) => notJudged(results),
]

/** Cases that were not judged, since they rest on one that failed. */
function notJudged(results: readonly CaseResult[]): LikelyCause | undefined {
  const [most] = mostFrequent(results.flatMap((each) => each.not_judged?.failed_in ?? []))
  const basis = results.find((each) => each.id === most)
  const resting = results.filter((each) => each.not_judged?.failed_in === most)
  // One alone is told among what was not asked.
  if (basis === undefined || resting.length < 2) return undefined
  const [check] = basis.checks ?? []
  return {
    cause: 'rests-on-a-failure',
    text: `${counted(resting.length, 'case')} could not be judged, since they rest on ${basis.id}, which failed${check === undefined ? '' : `: ${shown(check)}`}. Begin there.`,
    ...(remedyOf(basis) === undefined ? {} : { remedy: remedyOf(basis) ?? '' }),
    cases: idsOf([basis, ...resting]),
  }
}

/** Failures whose first mismatch is the same but for ids and numbers. */
function alike(failed: readonly CaseResult[]): LikelyCause[] {
  return mostFrequent(failed.map(wayOf).filter((each) => each !== ''))
    .map((way) => failed.filter((each) => wayOf(each) === way))
    .filter((cases) => cases.length >= leastAlike)
    .map((cases) => ({
      cause: 'same-answer',
      text: `${counted(cases.length, 'case')} fail alike (${broken(cases)}): ${firstOf(cases[0])}.`,
      ...commonRemedy(cases),
      cases: idsOf(cases),
    }))
}

/** In which way it fails. All deliveries that are decided on wrongly look the same: what they have in common is the sentence. */
function wayOf(result: CaseResult): string {
  const isDecision = result.checks?.[0]?.decided !== undefined
  return isDecision ? `${broken([result])}: ${firstOf(result)}` : firstOf(result)
}

function firstOf({ checks: [first] = [] }: Pick<CaseResult, 'checks'> = {}): string {
  return first === undefined ? '' : shown(first)
}

/** The remedy that all of them have; nothing where one has another. */
function commonRemedy(cases: readonly CaseResult[]): Pick<LikelyCause, 'remedy'> {
  const [remedy, ...others] = new Set(cases.map(remedyOf))
  return remedy === undefined || others.length > 0 ? {} : { remedy }
}

/** The requirements that these cases are about, the first few. */
function broken(cases: readonly CaseResult[]): string {
  const ids = [...new Set(cases.flatMap((each) => each.violates ?? []))]
  return ids.length <= maxNamed
    ? ids.join(', ')
    : `${ids.slice(0, maxNamed).join(', ')} and ${ids.length - maxNamed} more`
}

/** Cases that could not be asked for one and the same reason. */
function couldNotAsk(results: readonly CaseResult[]): LikelyCause[] {
  const errored = results.filter((each) => each.status === 'errored')
  return mostFrequent(errored.map((each) => plain(each.reason ?? '')))
    .map((reason) => ({ reason, cases: errored.filter((each) => plain(each.reason ?? '') === reason) }))
    .filter(({ cases }) => cases.length >= leastAlike)
    .map(({ reason, cases }) => ({
      cause: 'same-error',
      text: `${counted(cases.length, 'case')} could not be put, for one reason: ${reason}.`,
      cases: idsOf(cases),
    }))
}

function shown({ what, expected, got }: Mismatch): string {
  return `${plain(what)}: expected ${plain(expected)}, got ${plain(got)}`
}

/** Without what differs from one case to the next: ids, numbers, times. */
function plain(text: string): string {
  return text
    .replace(/^"(.*)"$/, '$1')
    .replace(/\b(?:evt|whk|msg|ibx|thr|org|wsp|eml|dlv)_[\w-]+/g, (id) => `${id.slice(0, 4)}…`)
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/ \(<time>(?: to <time>)?\)/g, '')
    .replace(/\b\d+\.\d+(?= s\b)/g, (measured) => Math.round(Number(measured)).toString())
    .replace(/\b\d{4,}\b/g, 'N')
    .trim()
}

/** Each text once, the most frequent first. */
function mostFrequent(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const each of texts) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function timeOf(cases: readonly CaseResult[]): string {
  return cases.flatMap((each) => each.exchanges ?? []).map((each) => each.started_at)[0] ?? 'the run'
}
