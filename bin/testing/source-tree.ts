// The files of the repository as text, and what each imports.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import ts from 'typescript'

export const root = resolve(import.meta.dirname, '../..')

/** Path from the root, to text. */
export type SourceTree = ReadonlyMap<string, string>

export interface Import {
  /** A file of the tree, or a package as it is written. */
  readonly target: string
  readonly isPackage: boolean
  /** Gone once types are stripped. */
  readonly isTypeOnly: boolean
}

const folders = ['spec', 'fixtures', 'examples', 'pages', 'harness', 'suites', 'reference', 'proof', 'bin']

/** Every TypeScript and JavaScript file that is ours. */
export function readSources(): SourceTree {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|js|mjs)$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

/** Whether a file is part of the kit's own tests. */
export function isOfTests(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.includes('/testing/')
}

/** The imports of texts that were parsed before, by file. */
const parsed = new Map<string, { readonly text: string; readonly imports: readonly Import[] }>()

/** What a file imports, exports from, loads by `import()` or requires. */
export function importsOf(file: string, text: string): readonly Import[] {
  const known = parsed.get(file)
  if (known?.text === text) return known.imports
  const imports = parseImports(file, text)
  parsed.set(file, { text, imports })
  return imports
}

function parseImports(file: string, text: string): readonly Import[] {
  const imports: Import[] = []
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return
    const isPackage = !specifier.text.startsWith('.')
    imports.push({
      target: isPackage ? specifier.text : posix.join(posix.dirname(file), specifier.text),
      isPackage,
      isTypeOnly,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause))
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly || isOfTypes(node.exportClause))
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && isLoading(node.expression)) add(node.arguments[0], false)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return imports
}

/** The file of the tree that an import means: `.js` may stand for a `.ts`. */
export function fileOf(target: string, tree: SourceTree): string | undefined {
  return [
    target,
    target.replace(/\.js$/, '.ts'),
    target.replace(/\.js$/, '.tsx'),
    target.replace(/\.mjs$/, '.mts'),
  ].find((candidate) => tree.has(candidate))
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false
  return clause.isTypeOnly || (clause.name === undefined && isOfTypes(clause.namedBindings))
}

function isOfTypes(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (bindings === undefined || !(ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) return false
  return bindings.elements.length > 0 && [...bindings.elements].every((element) => element.isTypeOnly)
}

function isLoading(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
}
