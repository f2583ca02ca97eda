// A patch that names what its reference no longer has changes nothing, or breaks everything: its mutant proves nothing then.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { patched, type Patch } from '../patching/patch.js'
import { serverVariants } from '../variants/server.js'
import { mutants } from './index.js'
import { policyCodesOf } from './read.js'

const root = join(import.meta.dirname, '../..')

/** The patches of one mutant in one file of the reference. */
interface Change {
  readonly id: string
  readonly file: string
  readonly patches: readonly Patch[]
  /** Those of the mutant in every file: one may read what another adds. */
  readonly allPatches: readonly Patch[]
}

/** A copy of a file with some changes. */
interface Copy {
  readonly changes: readonly Change[]
  readonly text: string
}

/** What the loader gives to patched modules. */
const declarations = '\ndeclare const ownState: any\n'

function tryPatched(text: string, patches: readonly Patch[]): string | undefined {
  try {
    return patched(text, patches)
  } catch {
    return undefined
  }
}

const sourceOf = (file: string) => readFileSync(join(root, 'reference', file), 'utf8')

/** All changes but those whose searched code is found in the built file alone, since the source has types there. */
function allChanges(): Change[] {
  return [...mutants, ...serverVariants].flatMap(({ id, patch = [] }) =>
    [...new Set(patch.map((hunk) => hunk.file))]
      .map((file) => ({ id, file, patches: patch.filter((hunk) => hunk.file === file), allPatches: patch }))
      .filter(({ file, patches }) => tryPatched(sourceOf(file), patches) !== undefined),
  )
}

/** Makes as few copies of a file as its changes allow: those at different places share one. */
function sharedCopies(changes: readonly Change[]): Copy[] {
  const copies: { changes: Change[]; text: string }[] = []
  for (const change of changes) {
    const copy = copies.find(
      ({ changes: [first], text }) => first?.file === change.file && tryPatched(text, change.patches) !== undefined,
    )
    if (copy === undefined) copies.push({ changes: [change], text: patched(sourceOf(change.file), change.patches) })
    else {
      copy.changes.push(change)
      copy.text = patched(copy.text, change.patches)
    }
  }
  return copies
}

/** The compiler's codes for a name, or a member, that is not there. */
const unknownName: ReadonlySet<number> = new Set([2304, 2552, 18004])
/** The code for a literal with an entry that its type does not have. */
const unknownEntry = 2353
const unknownMember: ReadonlySet<number> = new Set([2339, 2551])

/** The copies in which something is named that is not there, with the first such complaint. */
function lostNames(copies: readonly Copy[]): { readonly changes: readonly Change[]; readonly complaint: string }[] {
  const sources = new Map(
    copies.map(({ changes, text }, index) => {
      const [{ file } = { file: '' }] = changes
      const name = `${file.slice(0, -'.ts'.length)}.copy-${index}.ts`
      return [join(root, 'reference', name), { changes, text: text + declarations }]
    }),
  )
  const program = ts.createProgram([...sources.keys()], optionsOf(), compilerHostOf(sources))
  return [...sources].flatMap(([file, { changes }]) => {
    const patches = changes.flatMap((change) => change.allPatches)
    const complaints = program.getSemanticDiagnostics(program.getSourceFile(file)).flatMap(({ code, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, '\n')
      const [, name = ''] = /'([^']+)'/.exec(text) ?? []
      // A value narrowed from unknown has no members that the compiler knows.
      if (text.includes("on type '{}'")) return []
      const isLost = unknownName.has(code) || (unknownMember.has(code) && !isAdded(name, patches))
      return isLost ? [`${changes.map(({ id }) => id).join()}, ${basename(file)}: ${text.split('\n')[0]}`] : []
    })
    return complaints.slice(0, 1).map((complaint) => ({ changes, complaint }))
  })
}

it('names nothing that its reference has not, but what it adds itself', () => {
  const changes = allChanges()
  expect(changes.length).toBeGreaterThan(200)
  // Two changes of one copy may break each other: each of them is looked at alone then.
  const suspects = lostNames(sharedCopies(changes)).flatMap((lost) => lost.changes)
  const alone = suspects.flatMap((change) => sharedCopies([change]))
  expect(lostNames(alone).map(({ complaint }) => complaint)).toEqual([])
}, 600_000)

/** Where the policy of each kind is, and where the names are that its entries use. */
const policies = [
  ['server', 'Policy', 'defaultPolicy', 'reference/server/index.js', 'server/helpers.ts'],
  ['client', 'ClientPolicy', 'defaultClientPolicy', 'reference/client/policy.js', 'client/helpers.ts'],
  ['sender', 'SenderPolicy', 'senderPolicy', 'reference/sender/index.js', 'sender/helpers.ts'],
  ['receiver', 'ReceiverPolicy', 'receiverPolicy', 'reference/receiver/index.js', 'receiver/helpers.ts'],
] as const

it.each(policies)(
  'the entries of the policy of the %s name nothing that does not exist',
  (kind, type, value, file, helpers) => {
    const folder = join(root, 'proof/mutants')
    const own = readFileSync(join(folder, helpers), 'utf8')
    const codes = policyCodesOf(kind)
    expect(codes.length).toBeGreaterThan(20)
    const used = [...own.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    const shared = [...own.matchAll(/^export \{ (.*?) \}/gm)].map(([, names]) => names)
    const text = [
      `import { ${value} as policy, type ${type} } from '../../${file}'`,
      `import { ${[...used, ...shared].join(', ')} } from './${helpers.replace('.ts', '.js')}'`,
      `export const all: Partial<${type}>[] = [`,
      ...codes.map((code) => `{${code}},`),
      ']',
    ].join('\n')
    const path = join(folder, 'policies.copy.ts')
    const program = ts.createProgram([path], optionsOf(), compilerHostOf(new Map([[path, { text }]])))
    const complaints = program.getSemanticDiagnostics(program.getSourceFile(path))
    const lost = complaints.filter(({ code }) => unknownName.has(code) || code === unknownEntry)
    expect(lost.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  },
  120_000,
)

/** Whether a patch gives a member, or reads one of the platform that the reference's own type leaves out. */
function isAdded(name: string, patches: readonly Patch[]): boolean {
  const gives = new RegExp(`\\b${name}\\b\\s*(?:[:(,}]|=(?!=)|\\?\\?=|\\+=|\\+\\+)`)
  return patches.some(({ replace }) => gives.test(replace))
}

function optionsOf(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: unknown }
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options
}

function compilerHostOf(sources: ReadonlyMap<string, { readonly text: string }>): ts.CompilerHost {
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
