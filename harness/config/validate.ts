import type { ErrorObject } from 'ajv/dist/2020.js'
import { FileProblem, type ParsedFile } from './document.js'
import { nearest } from '../nearest.js'
import { schemas } from './packages.js'

/** Throws {@link FileProblem} with the first violation of `schema`, in words, at its line. */
export function validateFile(value: unknown, schema: object, placeOf: ParsedFile['placeOf']): void {
  const { Ajv2020, formats } = schemas()
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  if (validate(value)) return
  const error = clearestError(validate.errors ?? [])
  if (error === undefined) throw new FileProblem(`${placeOf([])}: does not match its schema`)
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  const unknown: unknown = error.keyword === 'additionalProperties' ? error.params['additionalProperty'] : undefined
  const place = placeOf(typeof unknown === 'string' ? [...path, unknown] : path)
  throw new FileProblem(`${place}: ${describe(error, path.join('.') || 'the file')}`)
}

/** Returns the inner error of the alternative that matched most: it explains more than that of `oneOf`. */
function clearestError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const rank = ({ keyword, instancePath }: ErrorObject) =>
    (keyword === 'oneOf' || keyword === 'anyOf' || keyword === 'if' ? 0 : keyword === 'required' ? 1 : 2) +
    instancePath.split('/').length * 3
  const [first] = errors
  const outer = first?.instancePath.split('/')[1]
  const sameMember = errors.filter((error) => error.instancePath.split('/')[1] === outer)
  return sameMember.reduce<ErrorObject | undefined>(
    (best, error) => (best === undefined || rank(error) > rank(best) ? error : best),
    undefined,
  )
}

function describe({ keyword, params, message, data, parentSchema }: ErrorObject, name: string): string {
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty'])
      const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
      const near =
        known.find((name) => bare(name) === bare(key) || name.startsWith(key) || key.startsWith(name)) ??
        nearest(key, known)[0]
      return `unknown key ${key}${near === undefined ? '' : `; did you mean ${near}?`}`
    }
    case 'required':
      return `${name} lacks ${String(params['missingProperty'])}`
    case 'enum':
      return `${name} is ${shown(data)}: expected one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    case 'type':
      return `${name} is ${shown(data)}: expected ${articled(String(params['type']))}`
    case 'pattern': {
      const hint = (parentSchema as { description?: string } | undefined)?.description
      return `${name} is not of the expected form${hint === undefined ? ` (${String(params['pattern'])})` : `: ${hint}`}`
    }
    case 'minimum':
    case 'maximum':
      return `${name} is ${shown(data)}: expected at ${keyword === 'minimum' ? 'least' : 'most'} ${String(params['limit'])}`
    default:
      return `${name} ${message ?? 'is not right'}`
  }
}

/** Describes a value; text may be a secret, so only its kind is shown. */
function shown(data: unknown): string {
  if (typeof data === 'number' || typeof data === 'boolean' || data === null) return String(data)
  return Array.isArray(data) ? 'a list' : typeof data === 'object' ? 'a mapping' : 'a string'
}

function articled(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a mapping',
  }
  return words[type] ?? type
}

function bare(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '')
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
