// `npm run lab -- generators [<folder>]`: installs the newest generators of clients in a folder of their own, and for each of them generates
// a client from spec/openapi.yaml, compiles it under strict, and sends one email with it to the reference.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { writeOutput } from '../../../bin/cli/output.js'
import { packageFolder } from '../../../bin/cli/package.js'
import { startReferenceServer, type ReferenceServer } from '../../../reference/server/index.js'
import { table } from '../libraries/page.js'
import { generators, type Generator } from './generators.js'

const [given] = process.argv.slice(2)
const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'generators-')) : resolve(given)
const document = join(packageFolder(), 'spec/openapi.yaml')
const subject = 'Sent by a generated client'

/** Runs a program of the folder; rejects with its output where it fails. */
async function run(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 1e8 })).stdout
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { readonly stdout?: string; readonly stderr?: string }
    throw new Error([message.split('\n')[0], stdout, stderr].join('\n').trim(), { cause: error })
  }
}

async function install(): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n')
  const names = generators.flatMap(({ packages }) => packages)
  writeOutput(`installing ${names.join(', ')} in ${folder}\n`)
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', [
    'install',
    ...flags,
    ...names.map((name) => `${name}@latest`),
    'typescript@5',
    '@types/node@20',
    'esbuild',
  ])
}

const compilerFlags =
  '--strict --noEmit --skipLibCheck --pretty false --types node --target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler'

/** The steps of one generator, in order; each throws where it fails. */
function stepsOf(
  { name, command, program }: Generator,
  server: ReferenceServer,
): Readonly<Record<string, () => Promise<void>>> {
  const own = name.replaceAll(/^@|\/.*/g, '')
  const [entry, bundle] = [join(folder, own, 'program.ts'), join(folder, own, 'program.mjs')]
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const message = { from: `ada@${server.domain}`, to: 'bob@recipient.example', subject, text: 'Hello' }
  return {
    generates: async () => {
      const [tool, ...args] = command(document, own, server.url)
      mkdirSync(join(folder, own), { recursive: true })
      await run('npx', ['--no', '--', tool, ...args])
    },
    compiles: async () => {
      const given = `const url = ${JSON.stringify(server.url)}
const headers = ${JSON.stringify(headers)}
const message = ${JSON.stringify(message)}
function answer(status: number | undefined, id: string | number | undefined): void {
  process.stdout.write(JSON.stringify({ status, id }))
}
`
      writeFileSync(entry, `${given}${program}`)
      await run('npx', ['--no', '--', 'tsc', ...compilerFlags.split(' '), entry])
    },
    sends: async () => {
      await run('npx', [
        '--no',
        '--',
        'esbuild',
        entry,
        '--bundle',
        '--format=esm',
        '--platform=node',
        `--outfile=${bundle}`,
      ])
      const { id } = JSON.parse(await run(process.execPath, [bundle])) as { readonly id?: string }
      if (id === undefined) throw new Error('the client returned no id')
      const stored = await fetch(`${server.url}/v1/emails/${id}`, { headers })
      if (stored.status !== 200) throw new Error(`GET /v1/emails/${id}: ${stored.status}`)
    },
  }
}

/** Takes the steps until one fails. Resolves to a mark for each, and why one failed. */
async function resultOf(generator: Generator, server: ReferenceServer): Promise<{ row: string[]; problem?: string }> {
  const manifest = readFileSync(join(folder, 'node_modules', generator.name, 'package.json'), 'utf8')
  const row = [generator.name, (JSON.parse(manifest) as { readonly version: string }).version]
  for (const [step, take] of Object.entries(stepsOf(generator, server)))
    try {
      await take()
      row.push('yes')
    } catch (error) {
      row.push('no')
      return { row, problem: `${generator.name}: ${step}: ${error instanceof Error ? error.message : String(error)}` }
    }
  return { row }
}

mkdirSync(folder, { recursive: true })
await install()
const server = await startReferenceServer()
try {
  const results = []
  for (const generator of generators) results.push(await resultOf(generator, server))
  const rows = results.map(({ row }) => [...row, '', '', ''].slice(0, 5))
  writeOutput(`\n${table(['generator', 'version', 'generates', 'compiles under strict', 'sends an email'], rows)}\n`)
  const problems = results.flatMap(({ problem }) => problem ?? [])
  for (const problem of problems) writeOutput(`\n${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
} finally {
  await server.close()
}
