import { nearest, suiteOf } from '../../harness/parsing.js'
import { isOwnRequirement, openPoints, requirementIds, requirements, type RequirementId } from '../../spec/index.js'
import { catalogue, type CaseInfo } from '../run/catalogue.js'
import { ownCasesOf } from '../run/own-cases.js'
import { readSettings } from '../cli/settings.js'
import { UsageError } from '../cli/usage.js'
import { writeOutput } from '../cli/output.js'

/** `conformance explain`: a case, a suite, a requirement or an open point in full, those of `--cases` among them. */
export async function explain(wantedId: string, flags: Readonly<Record<string, unknown>>): Promise<number> {
  const own = await ownCasesOf(readSettings('explain', flags), catalogue)
  const all: readonly CaseInfo[] = [...catalogue, ...own]
  const id = wantedId.trim().replace(/\/$/, '')
  const known = all.find((testCase) => testCase.id === id || testCase.formerly?.includes(id) === true)
  const requirement = requirementIds.find((candidate) => candidate === id || candidate === id.toUpperCase())
  const ofSuite = all.filter((testCase) => suiteOf(testCase.id) === id)
  if (known !== undefined) writeOutput(`${explainCase(known)}\n`)
  else if (requirement !== undefined) writeOutput(`${explainRequirement(requirement, all)}\n`)
  else if (ofSuite.length > 0)
    writeOutput(`${id}\n${ofSuite.map((testCase) => `  ${testCase.id}\n      ${testCase.title}`).join('\n')}\n`)
  else if (isOpenPoint(id)) writeOutput(`${explainOpenPoint(id)}\n`)
  else
    throw new UsageError(
      `explain ${wantedId}: neither a case, a suite, a requirement nor an open point${hint(id, all)}`,
    )
  return 0
}

function hint(id: string, all: readonly CaseInfo[]): string {
  const names = all.flatMap((testCase) => [testCase.id, suiteOf(testCase.id), testCase.id.split('/').at(-1) ?? ''])
  const near = nearest(id, [...new Set([...requirementIds, ...Object.keys(openPoints), ...names])]).map(
    (name) => all.find((testCase) => testCase.id.endsWith(`/${name}`) && !name.includes('/'))?.id ?? name,
  )
  return near.length === 0
    ? ' (conformance list, conformance list --requirements)'
    : `; did you mean ${[...new Set(near)].join(', ')}?`
}

type OpenPointId = keyof typeof openPoints

function isOpenPoint(id: string): id is OpenPointId {
  return Object.hasOwn(openPoints, id)
}

function explainOpenPoint(id: OpenPointId): string {
  const { source, question, reference, accepts } = openPoints[id]
  return [
    `${id}  ${question}`,
    `  source     interface.md${source}, which leaves it open`,
    `  accepted   ${accepts}`,
    `  reference  ${reference}`,
  ].join('\n')
}

/** Returns the place of a requirement. */
function placeOf(id: RequirementId): string {
  const { source } = requirements[id]
  return isOwnRequirement(id) ? source : `interface.md${source}`
}

function explainCase(testCase: CaseInfo): string {
  return [
    testCase.id,
    `  ${testCase.title}`,
    `  level   ${testCase.level}`,
    `  target  ${testCase.subject}`,
    `  needs   ${testCase.needs.length === 0 ? 'nothing beyond the target' : testCase.needs.join(', ')}`,
    '',
    ...testCase.requirements.flatMap((requirement) => [
      `  ${requirement}  ${requirements[requirement].text}`,
      `           ${placeOf(requirement)}`,
    ]),
  ].join('\n')
}

function explainRequirement(id: RequirementId, all: readonly CaseInfo[]): string {
  const { level, subject, text, source, untestable, conditional } = requirements[id]
  const cases = all.filter((testCase) => testCase.requirements.includes(id))
  const points = Object.entries(openPoints).filter(([, point]) => point.source === source)
  return [
    `${id}  ${text}`,
    `  level   ${level}`,
    `  target  ${subject}`,
    `  source  ${placeOf(id)}`,
    ...(untestable === undefined ? [] : [`  not testable: ${untestable}`]),
    ...(conditional === undefined ? [] : [`  binds only where ${conditional}`]),
    ...(cases.length === 0
      ? []
      : [
          '',
          '  Cases',
          ...cases.map(
            (testCase) =>
              `    ${testCase.id}${testCase.needs.length === 0 ? '' : `  (needs ${testCase.needs.join(', ')})`}`,
          ),
        ]),
    ...(points.length === 0
      ? []
      : [
          '',
          '  Open points of the same part',
          ...points.map(([name, point]) => `    ${name}: ${point.question} Accepted: ${point.accepts}`),
        ]),
  ].join('\n')
}
