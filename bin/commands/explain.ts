import { openPoints, requirements, type RequirementId } from '../../spec/index.js'
import { catalogue } from '../catalogue.js'
import { UsageError } from '../usage.js'

/** `conformance explain`: a case or a requirement in full. */
export async function explain(id: string): Promise<number> {
  const known = catalogue.find((each) => each.id === id || each.formerly?.includes(id) === true)
  const requirement = id.toUpperCase()
  if (known !== undefined) process.stdout.write(`${explainCase(known.id)}\n`)
  else if (requirement in requirements) process.stdout.write(`${explainRequirement(requirement as RequirementId)}\n`)
  else
    throw new UsageError(
      `explain ${id}: neither a case nor a requirement (conformance list, conformance list --requirements)`,
    )
  return 0
}

function explainCase(id: string): string {
  const each = catalogue.find((one) => one.id === id)
  if (each === undefined) return ''
  return [
    each.id,
    `  ${each.title}`,
    `  level   ${each.level}`,
    `  target  ${each.subject}`,
    `  needs   ${each.needs.length === 0 ? 'nothing beyond the target' : each.needs.join(', ')}`,
    '',
    ...each.requirements.flatMap((requirement) => [
      `  ${requirement}  ${requirements[requirement].text}`,
      `           interface.md${requirements[requirement].source}`,
    ]),
  ].join('\n')
}

function explainRequirement(id: RequirementId): string {
  const { level, subject, text, source, untestable, conditional } = requirements[id]
  const cases = catalogue.filter((each) => each.requirements.includes(id))
  const points = Object.entries(openPoints).filter(([, point]) => point.source === source)
  return [
    `${id}  ${text}`,
    `  level   ${level}`,
    `  target  ${subject}`,
    `  source  interface.md${source}`,
    ...(untestable === undefined ? [] : [`  not testable: ${untestable}`]),
    ...(conditional === undefined ? [] : [`  binds only where ${conditional}`]),
    ...(cases.length === 0
      ? []
      : [
          '',
          '  Cases',
          ...cases.map(
            (each) => `    ${each.id}${each.needs.length === 0 ? '' : `  (needs ${each.needs.join(', ')})`}`,
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
