// Writes spec/generated/ from the two YAML documents: `npm run generate`. With --check it writes nothing and exits with 1
// where a file is stale. Needs the development dependencies.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'

const documents = [
  { yaml: 'openapi.yaml', types: 'api.ts', constant: 'openapiDocument' },
  { yaml: 'control.yaml', types: 'control.ts', constant: 'controlDocument' },
]

const files = new Map()
const constants = []
for (const { yaml, types, constant } of documents) {
  const document = parse(await readFile(new URL(yaml, import.meta.url), 'utf8'))
  const tree = await openapiTS(withoutDiscriminators(document), { immutable: true, emptyObjectsUnknown: true })
  files.set(types, `${heading(yaml)}\n${astToString(tree).trim()}\n`)
  constants.push(
    `/** spec/${yaml}, parsed. */\nexport const ${constant}: JsonObject = ${JSON.stringify(document, undefined, 2)}\n`,
  )
}
const jsonObject = '/** An object of a JSON document. */\nexport type JsonObject = Readonly<Record<string, unknown>>\n'
files.set('documents.ts', [heading('openapi.yaml and control.yaml'), jsonObject, ...constants].join('\n'))

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
 * A copy without `discriminator`: each event type has its `const`, and openapi-typescript would invent a type name for the
 * fallback of unknown types.
 * @param {object} document
 */
function withoutDiscriminators(document) {
  return JSON.parse(JSON.stringify(document, (key, value) => (key === 'discriminator' ? undefined : value)))
}

/** @param {string} source */
function heading(source) {
  return `// Generated from ${source} by spec/generate.js; changes here are lost.\n`
}
