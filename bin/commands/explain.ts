import { suiteOf } from '../../harness/case.js'
import { openPoints, requirementIds, requirements, type RequirementId } from '../../spec/index.js'
import { catalogue } from '../catalogue.js'
import { nearest } from '../nearest.js'
import { UsageError } from '../usage.js'

/** `conformance explain`: a case, a suite or a requirement in full. */
export async function explain(asked: string): Promise<number> {
  const id = asked.trim().replace(/\/$/, '')
  const known = catalogue.find((each) => each.id === id || each.formerly?.includes(id) === true)
  const requirement = requirementIds.find((each) => each === id.toUpperCase())
  const ofSuite = catalogue.filter((each) => suiteOf(each.id) === id)
  if (known !== undefined) process.stdout.write(`${explainCase(known.id)}\n`)
  else if (requirement !== undefined) process.stdout.write(`${explainRequirement(requirement)}\n`)
  else if (ofSuite.length > 0)
    process.stdout.write(`${id}\n${ofSuite.map((each) => `  ${each.id}\n      ${each.title}`).join('\n')}\n`)
  else throw new UsageError(`explain ${asked}: neither a case, a suite nor a requirement${hint(id)}`)
  return 0
}

function hint(id: string): string {
  const names = catalogue.flatMap((each) => [each.id, suiteOf(each.id), each.id.split('/').at(-1) ?? ''])
  const near = nearest(id, [...new Set([...requirementIds, ...names])]).map(
    (name) => catalogue.find((each) => each.id.endsWith(`/${name}`) && !name.includes('/'))?.id ?? name,
  )
  return near.length === 0
    ? ' (conformance list, conformance list --requirements)'
    : `; did you mean ${[...new Set(near)].join(', ')}?`
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
