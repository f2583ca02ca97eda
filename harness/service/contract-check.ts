// Holds every answer, delivery and frame against the OpenAPI document and books what contradicts it on a requirement.
import { eventComponents, validators } from '../../spec/generated/validators.js'
import { requirements, type RequirementId, type SchemaError } from '../../spec/index.js'
import { memberOf } from '../wire/exchange.js'

/** What a value violates: which requirement, where, and how. */
export interface ContractViolation {
  readonly requirement: RequirementId
  readonly where: string
  readonly problem: string
}

/**
 * Holds `value` against a component of the OpenAPI document; violations without a requirement of their own are booked on
 * `fallback`. Throws for a component that the document does not have.
 */
export function contractViolations(component: string, value: unknown, fallback: RequirementId): ContractViolation[] {
  const validate = validators[component]
  if (validate === undefined) throw new Error(`spec/openapi.yaml has no component ${component}`)
  if (validate(value)) return []
  return (validate.errors ?? [])
    .filter((error) => error.keyword !== 'anyOf' && error.keyword !== 'oneOf' && error.keyword !== 'if')
    .slice(0, 5)
    .map((error) => ({
      requirement: requirementOf(error) ?? fallback,
      where: `${component}${error.instancePath.replaceAll('/', '.')}`,
      problem: describe(error),
    }))
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

function describe(error: SchemaError): string {
  const detail = error.keyword === 'additionalProperties' ? '' : ` (${JSON.stringify(error.params)})`
  return `${error.message ?? error.keyword}${detail}`
}
