// The code of the pages: programs have the types that they expect, and the tutorial of the cases ends with a kill.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { serviceCase, type ServiceCase } from '../../harness/authoring.js'
import { readMutants } from '../../proof/mutants/read.js'
import { defaultPolicy, startReferenceServer } from '../../reference/server/index.js'
import { judge } from '../library/index.js'
import { root } from '../testing/source-tree.js'

const text = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

interface Snippet {
  readonly language: string
  readonly code: string
}

/** The code of a page: fenced, or indented by four spaces below an empty line. */
function snippetsOf(page: string): Snippet[] {
  const fenced = [...page.matchAll(/^( *)```(\w*)\n([^]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', code = '']) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
  const indented = [...page.matchAll(/(?<=\n\n)(?: {4}.*\n+)+/g)].map(([code]) => ({
    language: '',
    code: code.replaceAll(/^ {4}/gm, ''),
  }))
  return [...fenced, ...indented]
}

it('programs have the types that they expect', () => {
  const { exports } = JSON.parse(text('package.json')) as { exports: Record<string, string | { default: string }> }
  const sources = Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'string'
      ? []
      : [[name.replace('.', 'webhook-conformance'), [target.default.replace('./dist/', './').replace(/\.js$/, '.ts')]]],
  )
  const programs = new Map(
    pages.flatMap((page) =>
      snippetsOf(text(page))
        .filter(({ code }) => code.includes(" from 'webhook-conformance"))
        .map(({ code }, index) => [join(root, `${page}-${index}.ts`), code] as const),
    ),
  )
  expect(programs.size).toBeGreaterThan(5)
  const { options } = ts.parseJsonConfigFileContent(JSON.parse(text('tsconfig.json')), ts.sys, root)
  const settings = { ...options, paths: Object.fromEntries(sources), noUnusedLocals: false, isolatedModules: false }
  const host = ts.createCompilerHost(settings)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (path) => programs.has(path) || fileExists(path)
  host.readFile = (path) => programs.get(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...others) => {
    const code = programs.get(path)
    return code === undefined ? getSourceFile(path, target, ...others) : ts.createSourceFile(path, code, target)
  }
  const program = ts.createProgram([...programs.keys()], settings, host)
  const problems = [...programs.keys()].flatMap((path) => {
    const file = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      .filter(({ code }) => !ofReader.includes(code))
      .map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
  })
  expect(problems).toEqual([])
})

/** Names that the reader's own program has: "cannot find name", alone, next to a similar name, and as a shorthand. */
const ofReader = [2304, 2552, 18004]

it('the first case of the tutorial passes on the reference, and kills its mutant', async () => {
  const snippets = snippetsOf(text('suites/README.md'))
  const code = snippets.find(({ language, code }) => language === 'ts' && code.startsWith('serviceCase('))?.code ?? ''
  const [mutant] = snippets.flatMap(({ language, code }) =>
    language === '' && code.includes('(WHK-005): ')
      ? readMutants('server', code, 'suites/README.md', { policy: defaultPolicy })
      : [],
  )
  const cases = compileFunction(`return [${code}]`, ['serviceCase'])(serviceCase) as readonly ServiceCase[]
  const verdictOn = async (policy: Parameters<typeof startReferenceServer>[0]) => {
    const server = await startReferenceServer(policy)
    const target = { baseUrl: server.url, apiKey: server.apiKey }
    const { cases: results } = await judge('service', target, { ownCases: { cases }, cases: cases.map(({ id }) => id) })
    await server.close()
    return results.map(({ status, violates }) => [status, violates])
  }
  expect(await verdictOn({})).toEqual([['passed', undefined]])
  expect(await verdictOn({ policy: mutant?.policy ?? {} })).toEqual([['failed', ['WHK-005']]])
})
