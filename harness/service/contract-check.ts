// Holds every answer, delivery and frame against the OpenAPI document and books what contradicts it on a requirement.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openapiDocument } from '../../spec/generated/documents.js'
import { requirements, type RequirementId } from '../../spec/index.js'
import { memberOf } from '../wire/exchange.js'

/** What a value violates: which requirement, where, and how. */
export interface ContractViolation {
  readonly requirement: RequirementId
  readonly where: string
  readonly problem: string
}

type Schema = Readonly<Record<string, unknown>>

/** The OpenAPI document as validators, compiled when first asked for. */
export class ContractChecker {
  readonly #ajv: Ajv2020
  readonly #validators = new Map<string, ValidateFunction>()

  constructor() {
    // That the document is right is a test's matter: to hold it against the meta-schema here costs more than the first answers.
    const trusted = { validateSchema: false, meta: false }
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateFormats: true, ...trusted })
    formats.default(this.#ajv)
    this.#ajv.addSchema(openapiDocument, 'interface')
  }

  /** Holds `value` against a component schema; violations without a requirement of their own are booked on `fallback`. */
  check(component: string, value: unknown, fallback: RequirementId): ContractViolation[] {
    const validate = this.#validator(component)
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
  eventComponent(type: unknown): string | undefined {
    const mapping = memberOf(
      memberOf(memberOf(memberOf(memberOf(openapiDocument, 'components'), 'schemas'), 'Event'), 'discriminator'),
      'mapping',
    )
    const ref = typeof type === 'string' ? memberOf(mapping, type) : undefined
    return typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : undefined
  }

  #validator(component: string): ValidateFunction {
    let validate = this.#validators.get(component)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `interface#/components/schemas/${component}` })
      this.#validators.set(component, validate)
    }
    return validate
  }
}

let shared: ContractChecker | undefined

/** The checker of this process: its validators are compiled once for all runs. */
export function contractChecker(): ContractChecker {
  shared ??= new ContractChecker()
  return shared
}

function requirementOf(error: ErrorObject): RequirementId | undefined {
  const own =
    memberOf(error.schema, 'x-requirement') ?? memberOf(error.parentSchema as Schema | undefined, 'x-requirement')
  return typeof own === 'string' && own in requirements ? (own as RequirementId) : undefined
}

function describe(error: ErrorObject): string {
  const detail = error.keyword === 'additionalProperties' ? '' : ` (${JSON.stringify(error.params)})`
  return `${error.message ?? error.keyword}${detail}`
}
