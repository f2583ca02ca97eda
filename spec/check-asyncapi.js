// `npm run check:asyncapi`: holds spec/asyncapi.yaml against the parser of AsyncAPI, which has some 150 packages of its own and is
// therefore fetched for the moment. Exits with 1 where it finds an error or a warning.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

// npx puts the folder of the programs it has fetched in front of the path.
const [programs = ''] = (process.env.PATH ?? '').split(delimiter).filter((folder) => /[\\/]_npx[\\/]/.test(folder))
const require = createRequire(join(programs === '' ? process.cwd() : dirname(programs), 'here.js'))
const { Parser } = require('@asyncapi/parser')
const source = new URL('asyncapi.yaml', import.meta.url)
const { document, diagnostics } = await new Parser().parse(await readFile(source, 'utf8'), { source: source.pathname })
// 0: error, 1: warning; lower levels are taste.
const found = diagnostics.filter(({ severity }) => severity <= 1)
for (const { message, path } of found) console.error(`${path.join('.')}: ${message}`)
if (document === undefined || found.length > 0) process.exitCode = 1
else
  console.log(`spec/asyncapi.yaml: ${document.messages().length} messages, ${document.operations().length} operations`)
