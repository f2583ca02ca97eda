// Checks every answer, delivery and frame against the OpenAPI document and reports each contradiction under a requirement.
import { eventComponents, validators } from '../../spec/generated/validators.js'
import { requirements, type RequirementId, type SchemaError } from '../../spec/index.js'
import { memberOf } from '../wire/exchange.js'
import { longNameIn, maxNameLength } from './long-names.js'

/** What a value violates: which requirement, where, and how. */
export interface ContractViolation {
  readonly requirement: RequirementId
  readonly where: string
  readonly problem: string
  /** The value at that place; the whole value may be long and adds nothing. */
  readonly found: unknown
}

/**
 * Validates `value` with a component of the OpenAPI document; violations without a requirement of their own count for `fallback`. Throws
 * for a component that the document does not have.
 */
export function contractViolations(component: string, value: unknown, fallback: RequirementId): ContractViolation[] {
  const validate = validators[component]
  if (validate === undefined) throw new Error(`spec/openapi.yaml has no component ${component}`)
  const long = longNameIn(value)
  if (long !== undefined) {
    const problem = `not more than ${maxNameLength} characters`
    return [{ requirement: fallback, where: `${component}.${long.name}`, problem, found: `${long.length} characters` }]
  }
  if (validate(withShortLists(value))) return []
  return (validate.errors ?? [])
    .filter((error) => error.keyword !== 'anyOf' && error.keyword !== 'oneOf' && error.keyword !== 'if')
    .slice(0, 5)
    .map((error) => ({
      requirement: requirementOf(error) ?? fallback,
      where: `${component}${error.instancePath.replaceAll('/', '.')}`,
      problem: describe(error),
      found: foundAt(value, error),
    }))
}

/** Items of one list that are looked at: errors of each item of an endless one would take longer than a run. */
export const maxItems = 500

/** A value whose own lists are no longer than that. */
function withShortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > maxItems ? value.slice(0, maxItems) : value
  if (typeof value !== 'object' || value === null) return value
  const isLong = Object.values(value).some((member) => Array.isArray(member) && member.length > maxItems)
  if (!isLong) return value
  const short = Object.entries(value).map(([name, member]) => [
    name,
    Array.isArray(member) ? member.slice(0, maxItems) : member,
  ])
  return Object.fromEntries(short) as unknown
}

/** Returns the value at the place of an error; for a missing member, the names of the present ones. */
function foundAt(value: unknown, { instancePath, keyword }: SchemaError): unknown {
  const names = instancePath.split('/').slice(1)
  const found = names.reduce(
    (within: unknown, name) => memberOf(within, name.replaceAll('~1', '/').replaceAll('~0', '~')),
    value,
  )
  const isMissing = keyword === 'required' && typeof found === 'object' && found !== null
  return isMissing ? Object.keys(found) : found
}

/** The component that describes a pushed event of `type`; undefined for a type the interface does not name. */
export function eventComponent(type: unknown): string | undefined {
  const component = typeof type === 'string' ? memberOf(eventComponents, type) : undefined
  return typeof component === 'string' ? component : undefined
}

function requirementOf(error: SchemaError): RequirementId | undefined {
  const own = memberOf(error.schema, 'x-requirement') ?? memberOf(error.parentSchema, 'x-requirement')
  return typeof own === 'string' && own in requirements ? (own as RequirementId) : undefined
}

/** The rule of a schema that a value breaks, as the expected value of a failure. */
function describe({ keyword, params, message = keyword }: SchemaError): string {
  switch (keyword) {
    case 'pattern':
      return `a text that matches ${String(params['pattern'])}`
    case 'required':
      return `the member ${String(params['missingProperty'])}`
    case 'type':
      return [params['type']].flat().join(' or ')
    case 'const':
      return JSON.stringify(params['allowedValue'])
    case 'enum':
      return `one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    default:
      return message.replace('NOT', 'not')
  }
}
