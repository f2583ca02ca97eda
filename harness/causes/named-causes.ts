// Causes that have a name: what one known mistake makes fail, found from the results alone.
import { asText } from '../wire/json.js'
import type { ReportKind, RequirementId } from '../../spec/index.js'
import type { CaseResult, ExchangeRecord, LikelyCause, Mismatch } from '../result.js'
import { memberOf } from '../wire/exchange.js'
import { signedTemplateIn } from '../diagnose/signature-problem.js'
import { whileAnswered } from '../receiver/hangs.js'
import { clockCause } from './clock.js'
import { idOrderCause } from './id-order.js'
import { knownLibrary } from './known-libraries.js'
import { missingOperations } from './missing-operations.js'
import type { SchemeWords } from '../schemes/words.js'
import { rawBodyOf, remedyFor, remedyOf } from './remedies.js'
import { mostFrequent, plainText } from './words.js'
import { counted } from '../counted.js'

/** Cases that the target must not survive before that is a cause. */
const leastCrashes = 3

export interface Facts {
  readonly kind: ReportKind
  /** The names of the signature scheme, if it is not that of the interface. */
  readonly words: SchemeWords | undefined
  readonly results: readonly CaseResult[]
  /** Failures other than known ones. */
  readonly failed: readonly CaseResult[]
}

type Rule = (facts: Facts) => LikelyCause | readonly LikelyCause[] | undefined

const breaks =
  (...ids: readonly RequirementId[]) =>
  (result: CaseResult) =>
    ids.some((id) => result.violates?.includes(id))
const idsOf = (results: readonly CaseResult[]) => results.map((result) => result.id)

/** The receiver's answer to a valid delivery before the first case, and the variant that it accepted. */
const refusesWhatIsValid: Rule = ({ results, failed, words }) => {
  const first = failed.find((result) => result.measurements?.['refused'] !== undefined)
  if (first === undefined) return undefined
  const refusal = first.measurements?.['refused']
  const answer = asText(memberOf(refusal, 'answer'))
  const explanation = memberOf(refusal, 'explanation')
  const remedy = memberOf(refusal, 'remedy')
  const unrequested = results.filter((result) => result.not_judged?.see === 'RCV-001')
  const isKnown = typeof explanation === 'string' && typeof remedy === 'string'
  return {
    cause: 'valid-refused',
    text: isKnown
      ? `Every valid delivery was answered with ${answer}. ${explanation}`
      : `Every valid delivery was answered with ${answer}: the secret or the path is wrong, or something before the endpoint changes the body.`,
    remedy: isKnown ? remedy : (remedyOf(first, words) ?? ''),
    cases: idsOf([first, ...unrequested]),
  }
}

const parsedBeforeVerified: Rule = ({ failed }) => {
  const own = failed.filter(breaks('RCV-009', 'VFY-005'))
  if (own.length < 2) return undefined
  // The same text in other bytes is accepted for the same reason.
  const cases = failed.filter(breaks('RCV-009', 'VFY-005', 'RCV-030'))
  return {
    cause: 'parsed-before-verified',
    text: `Bodies are verified after they were parsed and serialized again: ${counted(cases.length, 'case')}.`,
    remedy: rawBodyOf(cases),
    cases: idsOf(cases),
  }
}

/** Which sentences a verifier breaks that computes another signature, by the forgery that it accepts for it. */
const ofComputing: readonly RequirementId[] = ['VFY-001', 'VFY-002', 'VFY-003']

/** A verifier that refuses what every other library accepts; a forgery that it accepts instead shows what it computes. */
const computesOtherwise: Rule = ({ kind, results, failed, words }) => {
  if (kind !== 'verifier') return undefined
  const isRefused = ({ checks = [] }: CaseResult) => checks.some(({ decided }) => decided === 'refused')
  const cases = failed.filter(isRefused)
  const isEveryOne = results.some(({ id, status }) => id === publishedExample && status === 'failed')
  if (!isEveryOne || cases.length < leastRefused) return undefined
  const accepted = failed.filter(({ checks = [] }) => checks.some(({ decided }) => decided === 'accepted'))
  const [requirement] = ofComputing.filter((id) => accepted.some(breaks(id)))
  const unkept: readonly RequirementId[] = requirement === undefined ? ['VFY-001', 'VFY-002'] : [requirement]
  return {
    cause: 'valid-refused',
    ...(requirement === undefined ? {} : { requirement }),
    text: `Valid deliveries are refused (${counted(cases.length, 'case')}, the published example too): the library computes another signature.${requirement === undefined ? '' : ` It accepts a forgery that breaks ${requirement}.`}`,
    remedy: unkept.map((id) => remedyFor(id, words)).join('\n'),
    cases: idsOf([...accepted.filter(breaks(...ofComputing)), ...cases]),
  }
}

/** A verifier that accepts deliveries whose header names are written in one way, and refuses those that are sent: in small letters. */
const readsOneSpelling: Rule = ({ kind, results, failed, words }) => {
  if (kind !== 'verifier') return undefined
  const isEveryOne = results.some(({ id, status }) => id === publishedExample && status === 'failed')
  const isOfNames = ({ requirements: [first] }: CaseResult) => first === 'VFY-019'
  const isAccepted = results.some((result) => result.status === 'passed' && isOfNames(result))
  if (!isEveryOne || !isAccepted || !failed.some(isOfNames)) return undefined
  const cases = failed.filter(({ checks = [] }) => checks.some(({ decided }) => decided === 'refused'))
  return {
    cause: 'header-names',
    requirement: 'VFY-019',
    text: `Headers are found in one spelling of their names only: in others, valid deliveries are refused (${counted(cases.length, 'case')}).`,
    remedy: remedyFor('VFY-019', words),
    cases: idsOf(cases),
  }
}

/** The example that Standard Webhooks publishes. */
const publishedExample = 'verifier/vectors/0001-published-example'
/** Valid deliveries that must be refused before the signature is wrong as such. */
const leastRefused = 20

/** An endpoint that takes seconds to accept forgeries: its handler has waited for a body that a parser before it has read. */
const waitsForReadBody: Rule = ({ results, failed }) => {
  const cases = failed.filter(({ measurements }) => measurements?.['accepts_forgeries'] !== undefined)
  const [first] = cases
  if (first === undefined) return undefined
  const accepted = first.measurements?.['accepts_forgeries']
  const seconds = (Number(memberOf(accepted, 'afterMs')) / 1000).toFixed(1)
  return {
    cause: 'body-read-before',
    text: `Every delivery, forged or not, is answered with ${asText(memberOf(accepted, 'status'))} after ${seconds} s: the handler seems to wait for a body that an earlier parser has already read, and gives up without verifying it.`,
    remedy: rawBodyOf(cases),
    cases: idsOf([...cases, ...results.filter((result) => result.not_judged?.see === 'RCV-005')]),
  }
}

/** An endpoint that does not end the requests that it refuses. */
const hangsOnWhatItRefuses: Rule = ({ failed }) => {
  const cases = failed.filter(({ checks = [] }) => checks.some(({ what }) => what.endsWith(whileAnswered)))
  if (cases.length < leastHangs) return undefined
  return {
    cause: 'refusal-hangs',
    requirement: 'RCV-002',
    text: 'Invalid deliveries get no answer, while valid ones are answered: a refusal does not end its request.',
    remedy: 'Answer where the verification refuses, with 400 or 401, and close the response.',
    cases: idsOf(cases),
  }
}

/** Cases that hang before that is a cause. */
const leastHangs = 3

const verifiesNothing: Rule = ({ failed }) => {
  const accepting = failed.filter(({ checks = [] }) => checks.some(({ decided }) => decided === 'accepted'))
  const isAny = (sets: readonly (readonly RequirementId[])[]) =>
    sets.some((ids) => ids.every((id) => accepting.some(breaks(id))))
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
  const cases = accepting.filter(breaks(...ofForgeries))
  return {
    cause: 'verifies-nothing',
    text: 'Nothing is verified: deliveries without a signature, and with a wrong one, are accepted.',
    remedy: 'Verify each delivery before doing anything else with it, and make sure that a refusal ends the request.',
    cases: idsOf(cases),
  }
}

const ignoresTheTimestamp: Rule = ({ failed, words }) => {
  const cases = failed.filter(breaks('RCV-006', 'RCV-007', 'VFY-006', 'VFY-007'))
  const took = cases.filter(({ checks = [] }) => checks.some(({ decided }) => decided === 'accepted'))
  if (took.length < 2) return undefined
  const misread = failed.filter(breaks('RCV-023', 'VFY-012')).filter((result) => !took.includes(result))
  return {
    cause: 'timestamp-not-checked',
    ...requirementOf(took, ['RCV-006', 'VFY-006', 'RCV-007', 'VFY-007']),
    text: `The limit on the age of deliveries is missing or too wide: ${sidesOf(took)} are accepted.`,
    remedy: remedyOf(took[0] as CaseResult, words) ?? '',
    cases: idsOf([...took, ...misread]),
  }
}

/** The first of the requirements that a case breaks. */
function requirementOf(cases: readonly CaseResult[], ids: readonly RequirementId[]): Pick<LikelyCause, 'requirement'> {
  const requirement = ids.find((id) => cases.some(breaks(id)))
  return requirement === undefined ? {} : { requirement }
}

/** Names the accepted deliveries that are too old or too new. */
function sidesOf(took: readonly CaseResult[]): string {
  const isOld = took.some(breaks('RCV-006', 'VFY-006'))
  const isNew = took.some(breaks('RCV-007', 'VFY-007'))
  if (isOld && isNew) return 'ones signed too long ago, and too far in the future,'
  return isOld ? 'ones signed too long ago' : 'ones signed too far in the future'
}

/** Values that begin or end like the right signature are taken for it; others, such as one of another secret, are refused. */
const comparesInPart: Rule = ({ results, failed, words }) => {
  const own = failed.filter(breaks('RCV-005', 'VFY-009'))
  const parts = own.flatMap(({ title, checks = [] }) => checks.filter((check) => isPartAccepted(check, title)))
  const isOtherRefused = results.some(({ id, status }) => status === 'passed' && ofOtherSecrets.test(id))
  if (parts.length < leastParts || !isOtherRefused) return undefined
  return {
    cause: 'compared-in-part',
    ...requirementOf(own, ['RCV-005', 'VFY-009']),
    text: 'The signature is compared in part: a value that matches only at its beginning or end is accepted.',
    remedy: remedyOf(own[0] as CaseResult, words) ?? '',
    cases: idsOf(failed.filter(breaks('RCV-005', 'VFY-009', 'RCV-027', 'VFY-021'))),
  }
}

/** Parts that must be accepted before the comparison is at fault. */
const leastParts = 3
/** Cases of a signature made with another secret. */
const ofOtherSecrets = /refuses-(another|other)-secrets?$/

function isPartAccepted({ what, decided }: Mismatch, title: string): boolean {
  return decided === 'accepted' && /the first \d+ characters|a bit of byte \d+|its last bit/.test(`${what} ${title}`)
}

/** The explanation that failed checks of signatures have in common. */
const signsWrongly: Rule = ({ failed }) => {
  const cases = failed.filter(({ checks = [] }) => checks.some(isOfSignature))
  const explanations = cases.flatMap(({ checks = [] }) =>
    checks.filter(isOfSignature).map((mismatch) => plainText(mismatch.got)),
  )
  const [most] = mostFrequent(explanations)
  if (most === undefined || cases.length < 2) return undefined
  const [template = 'the bytes that are sent'] = cases.flatMap(({ checks = [] }) =>
    checks.flatMap(({ expected }) => signedTemplateIn(expected) ?? []),
  )
  const of = cases.filter(({ checks = [] }) =>
    checks.some((mismatch) => isOfSignature(mismatch) && plainText(mismatch.got) === most),
  )
  return {
    cause: 'signed-otherwise',
    text: `Deliveries are not signed as they must be: ${most}`,
    remedy: `Sign ${template}, with the key that belongs to the secret, over the bytes that are sent; \`conformance diagnose\` checks one delivery.`,
    cases: idsOf(of),
  }
}

function isOfSignature({ expected }: { readonly expected: string }): boolean {
  return signedTemplateIn(expected) !== undefined
}

/** A client whose calls end before a request arrives: it has, or its driver gives it, another address. */
const reachesNoServer: Rule = ({ kind, results, failed }) => {
  if (kind !== 'client') return undefined
  const isDriver = ({ kind: of }: ExchangeRecord) => of === 'driver'
  const arrived = ({ exchanges = [] }: CaseResult) => exchanges.some((exchange) => !isDriver(exchange))
  const called = ({ exchanges = [] }: CaseResult) =>
    exchanges.some((exchange) => isDriver(exchange) && exchange.request.method === 'call')
  const cases = failed.filter(called)
  const isReached = results.some(({ id, status }) => status === 'passed' && id.endsWith('-makes-its-request'))
  if (cases.length < leastUnreached || isReached || failed.some(arrived)) return undefined
  return {
    cause: 'no-request',
    requirement: 'CLI-004',
    text: `No request of the client arrives at the address that it was given: its calls end without one (${counted(cases.length, 'case')}).`,
    remedy:
      'Use the base URL for every request. In the driver, give `base_url` of `construct` to the library as its base URL.',
    cases: idsOf(cases),
  }
}

/** Cases without a request before that is a cause. */
const leastUnreached = 5

/** Requests that the target did not survive, or answered with a 5xx. */
const fallsOver: Rule = ({ kind, failed }) => {
  const cases = failed.filter(({ checks = [] }) => checks.some((mismatch) => mismatch.crashed === true))
  if (cases.length < leastCrashes) return undefined
  return {
    cause: 'falls-over',
    text: `In ${counted(cases.length, 'case')} the target answered with a 5xx, or not at all, where it must accept or refuse: an error is not caught. See its log of ${timeOf(cases)}.`,
    remedy:
      kind === 'service'
        ? 'Catch the error where it arises. A request that cannot be carried out gets a 4xx with code, message and fix.'
        : (remedyOf({ ...(cases[0] as CaseResult), violates: ['RCV-015'] }) ?? ''),
    cases: idsOf(cases),
  }
}

/** The rules, the ones that explain most first. */
export const namedCauses: readonly Rule[] = [
  clockCause,
  refusesWhatIsValid,
  readsOneSpelling,
  computesOtherwise,
  waitsForReadBody,
  hangsOnWhatItRefuses,
  verifiesNothing,
  parsedBeforeVerified,
  ignoresTheTimestamp,
  comparesInPart,
  signsWrongly,
  reachesNoServer,
  idOrderCause,
  fallsOver,
  missingOperations,
  knownLibrary,
]

function timeOf(cases: readonly CaseResult[]): string {
  return cases.flatMap((result) => result.exchanges ?? []).map((exchange) => exchange.started_at)[0] ?? 'the run'
}
