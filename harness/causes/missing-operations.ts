import { requirements, type RequirementId } from '../../spec/index.js'
import type { CaseResult, LikelyCause } from '../result.js'
import type { Facts } from './named-causes.js'

/** What a server answers where it has no such path, or no such method on it. */
const absent: readonly string[] = ['404', '405']
/** From this status on a request was not accepted. */
const refusal = 400

/** Finds operations that the target lacks: each is one line, with the requirement of the operation. */
export function missingOperations({ kind, results, failed }: Facts): LikelyCause[] {
  if (kind !== 'service') return []
  const operations = [...new Set(failed.flatMap((result) => absentFor(result)?.operation ?? []))]
  return operations.flatMap((operation): LikelyCause[] => {
    const cases = failed.filter((result) => absentFor(result)?.operation === operation)
    const requirement = requirementFor(operation)
    if (requirement === undefined || isServed(operation, requirement, { results, failed })) return []
    const status = cases.flatMap((result) => absentFor(result)?.status ?? [])[0] ?? ''
    const area = operation.replace(/^\S+ \/v1\//, '')
    return [
      {
        cause: 'no-operation',
        requirement,
        text: `There is no ${operation} here (${status}).`,
        remedy: `Serve ${operation}. To test the rest without it: --exclude with the cases below${area === '' ? '' : ', or a pattern for them'}.`,
        cases: cases.map((result) => result.id),
      },
    ]
  })
}

/** The operation that answered 404 or 405 to a case that expected something else from it. */
function absentFor({ checks: [first] = [] }: CaseResult): { operation: string; status: string } | undefined {
  const [, label = ''] = /^status of (\S+ \/v1\/\S*)$/.exec(first?.what ?? '') ?? []
  const status = first?.got.replace(/^"/, '').slice(0, 3) ?? ''
  if (label === '' || !absent.includes(status) || first?.expected.includes(status) === true) return undefined
  return { operation: operationOf(label), status }
}

/** `POST /v1/emails/{id}/cancel`: ids hold an underscore, names of collections none. */
function operationOf(label: string): string {
  return label.replace(/\/[^/]*_[^/]*(?=\/|$)/g, '/{id}')
}

/** The operation works in some case, so that it is not missing. */
function isServed(
  operation: string,
  requirement: RequirementId,
  { results, failed }: Pick<Facts, 'results' | 'failed'>,
): boolean {
  const isKept = results.some(({ status, requirements: ids }) => status === 'passed' && ids.includes(requirement))
  return isKept || wasAnswered(operation, failed)
}

/** Some request for the operation was accepted. A refusal, such as for a wrong key, may happen before the path is looked up. */
function wasAnswered(operation: string, failed: readonly CaseResult[]): boolean {
  return failed
    .flatMap((result) => result.exchanges ?? [])
    .some(({ direction, request, response }) => {
      if (direction !== 'sent' || response === undefined || response.status >= refusal) return false
      return (
        URL.canParse(request.url) && operationOf(`${request.method} ${new URL(request.url).pathname}`) === operation
      )
    })
}

/** The sentence that opens with the operation. */
function requirementFor(operation: string): RequirementId | undefined {
  const opening = `\`${operation.replace(/(?<=deliveries\/)\{id\}/, '{delivery_id}')}\``
  const ids = Object.keys(requirements) as RequirementId[]
  return ids.find((id) => requirements[id].subject === 'service' && requirements[id].text.startsWith(opening))
}
