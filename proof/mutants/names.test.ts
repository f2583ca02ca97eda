// A patch that names what its reference no longer has changes nothing, or breaks everything: its mutant proves nothing then.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { patched, type Patch } from '../patching/patch.js'
import { serverVariants } from '../variants/server.js'
import { mutants } from './index.js'

const root = join(import.meta.dirname, '../..')

interface Patched {
  readonly id: string
  readonly patches: readonly Patch[]
  readonly text: string
}

/** What the loader gives to patched modules. */
const declarations = '\ndeclare const ownState: any\n'

/** Returns the patched sources, each under a name of its own next to the source. Those found only in the built file are left out. */
function patchedSources(): ReadonlyMap<string, Patched> {
  const sources = new Map<string, Patched>()
  for (const { id, patch = [] } of [...mutants, ...serverVariants])
    for (const file of new Set(patch.map((hunk) => hunk.file))) {
      const own = patch.filter((hunk) => hunk.file === file)
      try {
        const text = patched(readFileSync(join(root, 'reference', file), 'utf8'), own)
        const name = `${file.slice(0, -'.ts'.length)}.${id.replace('/', '-')}.ts`
        sources.set(join(root, 'reference', name), { id, patches: patch, text: text + declarations })
      } catch {
        // The searched code contains types.
      }
    }
  return sources
}

/** The compiler's codes for a name, or a member, that is not there. */
const unknownName: ReadonlySet<number> = new Set([2304, 2552, 18004])
const unknownMember: ReadonlySet<number> = new Set([2339, 2551])

it('names nothing that its reference has not, but what it adds itself', () => {
  const sources = patchedSources()
  const host = compilerHostOf(sources)
  const program = ts.createProgram([...sources.keys()], optionsOf(), host)
  expect(sources.size).toBeGreaterThan(200)
  const lost: string[] = []
  for (const [file, { id, patches }] of sources) {
    for (const { code, messageText } of program.getSemanticDiagnostics(program.getSourceFile(file))) {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n')
      const [, name = ''] = /'([^']+)'/.exec(text) ?? []
      // A value narrowed from unknown has no members that the compiler knows.
      if (text.includes("on type '{}'")) continue
      if (unknownName.has(code) || (unknownMember.has(code) && !isAdded(name, patches)))
        lost.push(`${id}, ${basename(file)}: ${text.split('\n')[0]}`)
    }
  }
  expect(lost).toEqual([])
}, 600_000)

/** Whether a patch gives a member, or reads one of the platform that the reference's own type leaves out. */
function isAdded(name: string, patches: readonly Patch[]): boolean {
  const gives = new RegExp(`\\b${name}\\b\\s*(?:[:(,}]|=(?!=)|\\?\\?=|\\+=|\\+\\+)`)
  return patches.some(({ replace }) => gives.test(replace))
}

function optionsOf(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: unknown }
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options
}

function compilerHostOf(sources: ReadonlyMap<string, Patched>): ts.CompilerHost {
  const host = ts.createCompilerHost(optionsOf())
  return {
    ...host,
    fileExists: (file) => sources.has(file) || host.fileExists(file),
    readFile: (file) => sources.get(file)?.text ?? host.readFile(file),
    getSourceFile: (file, language, ...rest) => {
      const source = sources.get(file)
      return source === undefined
        ? host.getSourceFile(file, language, ...rest)
        : ts.createSourceFile(file, source.text, language)
    },
  }
}
