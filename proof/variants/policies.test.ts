// The allowed entries of a policy: a number or a table of the interface, an open point, a pure decision. A word or a boolean that selects
// code is a switch, and a switch that no variant uses exists for mutants alone: patches serve for that.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { openPoints } from '../../spec/open-points.js'
import { requirements } from '../../spec/index.js'
import { clientVariants } from './client.js'
import { receiverVariants } from './receiver.js'
import { senderVariants } from './sender.js'
import { serverVariants } from './server.js'

const reference = join(import.meta.dirname, '../../reference')

interface Entry {
  readonly name: string
  readonly doc: string
  readonly isSwitch: boolean
  readonly isNumber: boolean
}

/** The entries of every interface in some files whose name ends with Policy. */
function entriesOf(files: readonly string[]): readonly Entry[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(reference, file), 'utf8')
    return policyEntries(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true))
  })
}

function policyEntries(source: ts.SourceFile): readonly Entry[] {
  return source.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement))
    .filter((statement) => statement.name.text.endsWith('Policy'))
    .flatMap(({ members }) => [...members])
    .filter((member) => ts.isPropertySignature(member))
    .map((property) => ({
      name: property.name.getText(),
      doc: ts
        .getJSDocCommentsAndTags(property)
        .map((comment) => comment.getText())
        .join(' '),
      isNumber: /^(readonly )?number(\[\])?$/.test(property.type?.getText() ?? ''),
      isSwitch: property.type !== undefined && selectsCode(property.type),
    }))
}

/** A boolean, a choice of words, or a list of such. */
function selectsCode(type: ts.TypeNode): boolean {
  if (type.kind === ts.SyntaxKind.BooleanKeyword) return true
  if (ts.isLiteralTypeNode(type)) return true
  if (ts.isParenthesizedTypeNode(type)) return selectsCode(type.type)
  if (ts.isArrayTypeNode(type)) return selectsCode(type.elementType)
  if (ts.isTypeOperatorNode(type)) return selectsCode(type.type)
  return ts.isUnionTypeNode(type) && type.types.some(selectsCode) && !type.types.some(isNull)
}

const isNull = (type: ts.TypeNode) => ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword

/** Whether the documentation names a requirement or an open point that exists. */
function namesItsSource(doc: string): boolean {
  const ids = [...doc.matchAll(/\b[A-Z]{3,5}-\d{3}\b/g)].map(([id]) => id)
  const points = [...doc.matchAll(/open points? `([a-z-]+)`/g)].map(([, id]) => id ?? '')
  return ids.some((id) => id in requirements) || points.some((id) => id in openPoints)
}

const inFolder = (folder: string) =>
  readdirSync(join(reference, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)

const policies = [
  { kind: 'server', entries: entriesOf(inFolder('server/policy')), variants: serverVariants },
  { kind: 'client', entries: entriesOf(inFolder('client/policy')), variants: clientVariants },
  { kind: 'receiver', entries: entriesOf(['receiver/policy.ts']), variants: receiverVariants },
  { kind: 'sender', entries: entriesOf(['sender/policy.ts']), variants: senderVariants },
] as const

describe.each(policies)('the policy of the $kind', ({ entries, variants }) => {
  const varied = new Set(variants.flatMap(({ policy }) => Object.keys(policy)))

  it('has entries', () => {
    expect(entries.length).toBeGreaterThan(3)
  })

  it('has no switch for mutants alone', () => {
    const switches = entries.filter(
      ({ name, isSwitch, doc }) => isSwitch && !varied.has(name) && !/open point/.test(doc),
    )
    expect(switches.map(({ name }) => name)).toEqual([])
  })

  it('names a requirement or an open point for each decision that no variant replaces', () => {
    const nameless = entries.filter(({ name, doc, isNumber }) => !isNumber && !varied.has(name) && !namesItsSource(doc))
    expect(nameless.map(({ name }) => name)).toEqual([])
  })
})

describe('a switch', () => {
  const planted = `interface XPolicy { a: boolean; b: 'on' | 'off'; c: readonly ('x' | 'y')[]; d: number; e: (n: number) => boolean; f: string | null }`

  it('is a boolean, a choice of words or a list of such, and not a number or a function', () => {
    const entries = policyEntries(ts.createSourceFile('x.ts', planted, ts.ScriptTarget.ESNext, true))
    expect(entries.filter(({ isSwitch }) => isSwitch).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })
})

it('the verifier has no policy', () => {
  expect(readdirSync(join(reference, 'verifier'))).not.toContain('policy.ts')
})
