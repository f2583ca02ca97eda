// Validates cases from outside the kit before they run together with its own.
import {
  admitRequirement,
  asRequirement,
  isOwnRequirement,
  requirementIds,
  requirements as registry,
  type OwnRequirement,
  type OwnRequirementId,
  type ReportKind,
} from '../spec/index.js'
import type { Case } from './case.js'
import { memberOf } from './wire/exchange.js'

/** A user's own cases, and the requirements that they add to those of the interface. */
export interface OwnCases {
  readonly cases: readonly Case[]
  readonly requirements?: Readonly<Record<OwnRequirementId, OwnRequirement>>
}

/** A user's own cases are invalid; the message names the case and the remedy. */
class WrongOwnCases extends Error {
  override readonly name = 'FileProblem'
}

const caseId = /^(service|receiver|verifier|client|sender)(\/[a-z0-9]+(-[a-z0-9]+)*){2,}$/
const ownId = /^X(-[A-Z0-9]+)+$/
const levels: readonly unknown[] = ['must', 'should']

/**
 * Validates own cases and registers their requirements in this process. `from` names them in messages. Throws for an invalid case, for an
 * id that the kit has already, and for an unknown requirement.
 */
export function admitOwnCases(
  from: string,
  given: unknown,
  catalogue: readonly { readonly id: string }[],
): readonly Case[] {
  const cases = memberOf(given, 'cases')
  if (!Array.isArray(cases) || cases.length === 0)
    throw new WrongOwnCases(`${from}: expected an export \`cases\`: a list made by serviceCase and its siblings of webhook-conformance/authoring`) // prettier-ignore
  const answer = requirementsOf(from, memberOf(given, 'requirements'))
  const taken = new Set(catalogue.map((testCase) => testCase.id))
  for (const testCase of cases as readonly unknown[]) {
    refuseWrongCase(from, testCase, answer)
    const { id } = testCase as Case
    if (taken.has(id)) throw new WrongOwnCases(`${from}: ${id}: there is a case with this id already; give it another`)
    taken.add(id)
  }
  const admitted = cases as readonly Case[]
  for (const [id, requirement] of answer) {
    const kinds = [...new Set(admitted.filter((testCase) => cites(testCase, id)).map((testCase) => testCase.subject))]
    const [kind] = kinds
    if (kind === undefined)
      throw new WrongOwnCases(`${from}: ${id}: no case checks this requirement; add one, or leave it out`)
    if (kinds.length > 1)
      throw new WrongOwnCases(
        `${from}: ${id} is checked for ${kinds.join(' and ')}: give each kind a separate requirement`,
      )
    admitRequirement(id, asRequirement(requirement, kind))
  }
  return admitted
}

/** Registers the own requirements in a report, so that their sentences are known without their cases. */
export function admitReported(
  kind: ReportKind,
  rows: readonly {
    readonly id: string
    readonly level: 'must' | 'should'
    readonly text: string
    readonly source: string
  }[],
): void {
  if (kind === 'traffic') return
  for (const { id, ...row } of rows) if (isOwnRequirement(id)) admitRequirement(id, asRequirement(row, kind))
}

const cites = (testCase: Pick<Case, 'requirements'>, id: string) =>
  (testCase.requirements as readonly string[]).includes(id)

function requirementsOf(from: string, given: unknown): Map<OwnRequirementId, OwnRequirement> {
  const answer = new Map<OwnRequirementId, OwnRequirement>()
  for (const [id, requirement] of Object.entries(given ?? {})) {
    if (!isOwnRequirement(id) || !ownId.test(id))
      throw new WrongOwnCases(`${from}: requirement ${id}: expected an id such as X-ACME-001`)
    const text = memberOf(requirement, 'text')
    if (!levels.includes(memberOf(requirement, 'level')) || typeof text !== 'string' || text.trim() === '')
      throw new WrongOwnCases(`${from}: requirement ${id}: expected { level: 'must' or 'should', text: a sentence }`)
    answer.set(id, requirement as OwnRequirement)
  }
  return answer
}

function refuseWrongCase(from: string, given: unknown, answer: ReadonlyMap<string, OwnRequirement>): void {
  const id = memberOf(given, 'id')
  if (typeof id !== 'string' || !Array.isArray(memberOf(given, 'needs')))
    throw new WrongOwnCases(`${from}: ${typeof id === 'string' ? id : 'one of `cases`, without an id,'} is not a case: make it by serviceCase and its siblings of webhook-conformance/authoring`) // prettier-ignore
  if (typeof memberOf(given, 'run') !== 'function')
    throw new WrongOwnCases(`${from}: ${id}: expected a function run, which does the check`)
  const { subject, level, title, requirements, dependsOn = [] } = given as Case
  if (!caseId.test(id) || !id.startsWith(`${subject}/`))
    throw new WrongOwnCases(`${from}: ${id}: expected an id such as ${subject}/acme/answers-with-json`)
  if (!levels.includes(level) || typeof title !== 'string')
    throw new WrongOwnCases(`${from}: ${id}: expected a level (must or should) and a title`)
  const known: readonly string[] = requirementIds
  const requested: readonly string[] = Array.isArray(requirements) ? requirements : []
  const unknown = requested.find(
    (requirement) => !answer.has(requirement) && (isOwnRequirement(requirement) || !known.includes(requirement)),
  )
  if (requested.length === 0 || unknown !== undefined)
    throw new WrongOwnCases(`${from}: ${id}: ${unknown === undefined ? 'it names no requirement' : `there is no requirement ${unknown}; export it in \`requirements\``}`) // prettier-ignore
  const rests: readonly unknown[] = Array.isArray(dependsOn) ? dependsOn : [dependsOn]
  const wrong = rests.find(
    (requirement) => typeof requirement !== 'string' || !known.includes(requirement) || requested.includes(requirement),
  )
  if (!Array.isArray(dependsOn) || wrong !== undefined)
    throw new WrongOwnCases(`${from}: ${id}: dependsOn: expected a list of ids of the interface that the case does not test, such as ['DLV-003'], got ${JSON.stringify(wrong ?? dependsOn)}`) // prettier-ignore
  const isAdvice = requested.every(
    (requirement) => (answer.get(requirement) ?? registry[requirement as keyof typeof registry]).level === 'should',
  )
  if (level === 'must' && isAdvice)
    throw new WrongOwnCases(`${from}: ${id} is of level must, and its requirements are of level should: make it should`)
}
