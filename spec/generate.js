// Writes spec/generated/ from the YAML documents: `npm run generate`. With --check it writes nothing and exits with 1
// where a file is stale. Needs the development dependencies.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'

const documents = [
  { yaml: 'openapi.yaml', types: 'api.ts', constant: 'openapiDocument' },
  { yaml: 'control.yaml', types: 'control.ts', constant: 'controlDocument' },
]

const files = new Map()
const constants = []
const parsed = {}
for (const { yaml, types, constant } of documents) {
  const document = (parsed[yaml] = parse(await readFile(new URL(yaml, import.meta.url), 'utf8')))
  const tree = await openapiTS(withoutDiscriminators(document), { immutable: true, emptyObjectsUnknown: true })
  files.set(types, `${heading(yaml)}\n${astToString(tree).trim()}\n`)
  constants.push(
    `/** spec/${yaml}, parsed. */\nexport const ${constant}: JsonObject = ${JSON.stringify(document, undefined, 2)}\n`,
  )
}
const asyncapi = bundled(
  parse(await readFile(new URL('asyncapi.yaml', import.meta.url), 'utf8')),
  parsed['openapi.yaml'],
)
constants.push(
  `/** spec/asyncapi.yaml with the schemas it takes of spec/openapi.yaml, parsed. */\nexport const asyncapiDocument: JsonObject = ${JSON.stringify(asyncapi, undefined, 2)}\n`,
)
const jsonObject = '/** An object of a JSON document. */\nexport type JsonObject = Readonly<Record<string, unknown>>\n'
files.set(
  'documents.ts',
  [heading('openapi.yaml, control.yaml and asyncapi.yaml'), jsonObject, ...constants].join('\n'),
)

files.set('validators.ts', validators(parsed['openapi.yaml'], 'openapi.yaml'))

const folder = new URL('generated/', import.meta.url)
const stale = []
for (const [name, text] of files) {
  if ((await readFile(new URL(name, folder), 'utf8').catch(() => '')) !== text) stale.push(name)
}

if (process.argv.includes('--check')) {
  if (stale.length > 0) {
    console.error(`stale, run npm run generate: ${stale.join(', ')}`)
    process.exitCode = 1
  }
} else {
  await mkdir(folder, { recursive: true })
  for (const name of stale) await writeFile(new URL(name, folder), files.get(name))
}

/**
 * The components as functions that need no compiler at run time, which would cost more than the first answers they judge.
 * @param {{ components: { schemas: any } }} document
 * @param {string} source
 */
function validators(document, source) {
  const names = Object.keys(document.components.schemas)
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, code: { source: true, esm: true } })
  ajv.addSchema(document, 'interface')
  for (const name of names) ajv.addSchema({ $ref: `interface#/components/schemas/${name}` }, name)
  const written = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])))
  const entries = [...written.matchAll(/export const (\w+) = (validate\d+);/g)].map(
    ([, name, made]) => `  ${name}: ${made},`,
  )
  const code = written
    .replace('"use strict";', '')
    .replace(/export const \w+ = validate\d+;/g, '')
    .replace('require("ajv/dist/runtime/ucs2length").default', '(text) => [...text].length')
    .replace(/(?<=[};])(?=const schema|function )/g, '\n')
  const [needed] = /require\([^)]*\)/.exec(code) ?? []
  if (needed !== undefined) throw new Error(`the validators of ${source} need ${needed}`)
  const door = `/** A function for each component of spec/${source}, made by ajv. */\nexport const validators: Readonly<Record<string, Validate>> = {`
  const mapping = Object.entries(document.components.schemas.Event.discriminator.mapping)
  const components = mapping.map(([type, ref]) => `  '${type}': '${ref.slice(ref.lastIndexOf('/') + 1)}',`)
  const events = [
    '/** The component that describes a pushed event, by its type. */',
    'export const eventComponents: Readonly<Record<string, string>> = {',
    ...components,
    '}\n',
  ]
  const lines = [
    '// @ts-nocheck',
    heading(source),
    "import type { Validate } from '../types.js'\n",
    ...events,
    door,
    ...entries,
    `}\n${code}\n`,
  ]
  return lines.join('\n')
}

/**
 * Bundles a document: copies the schemas it references in another one, and those that they reference, into its components.
 * @param {object} document
 * @param {{ components: { schemas: Record<string, object> } }} source
 */
function bundled(document, source) {
  const schemas = {}
  const take = (name) => {
    if (name in schemas) return
    schemas[name] = undefined
    schemas[name] = within(source.components.schemas[name])
  }
  const within = (value) =>
    JSON.parse(JSON.stringify(value), (key, part) => {
      const name = key === '$ref' ? /^(?:\.\/openapi\.yaml)?#\/components\/schemas\/(\w+)$/.exec(part)?.[1] : undefined
      if (name === undefined) return part
      take(name)
      return `#/components/schemas/${name}`
    })
  const whole = within(document)
  return { ...whole, components: { ...whole.components, schemas } }
}

/**
 * A copy without `discriminator`: each event type has its `const`, and openapi-typescript would invent a type name for the
 * fallback of unknown types.
 * @param {object} document
 */
function withoutDiscriminators(document) {
  return JSON.parse(
    JSON.stringify(document, (key, value) => {
      if (key === 'discriminator') return undefined
      return key === 'oneOf' ? value.filter((schema) => !isOtherEvent(schema)) : value
    }),
  )
}

/**
 * Whether an alternative is the event of a type that is not listed: any text is one to TypeScript, so that `type` would
 * decide nothing. A client author meets it as the default of a switch.
 * @param {{ $ref?: string, properties?: { type?: { $ref?: string } } }} alternative
 */
function isOtherEvent({ $ref, properties }) {
  return /OtherEvent$/.test($ref ?? '') || /OtherEventType$/.test(properties?.type?.$ref ?? '')
}

/** @param {string} source */
function heading(source) {
  return `// Generated from ${source} by spec/generate.js; changes here are lost.\n`
}
