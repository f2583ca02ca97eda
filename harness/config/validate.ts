import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { FileProblem } from './document.js'

/** Throws {@link FileProblem} with the first violation of `schema`, in words. */
export function validateFile(file: string, value: unknown, schema: object): void {
  const ajv = new Ajv2020({ strict: false, allErrors: false, verbose: true })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  if (validate(value)) return
  const [error] = validate.errors ?? []
  throw new FileProblem(`${file}: ${error === undefined ? 'does not match its schema' : describe(error)}`)
}

function describe(error: ErrorObject): string {
  const place = error.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'the file'
  if (error.keyword === 'additionalProperties')
    return `${place}: unknown key ${String(error.params['additionalProperty'])}`
  if (error.keyword === 'enum')
    return `${place}: expected one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`
  return `${place} ${error.message ?? 'is not right'}`
}
