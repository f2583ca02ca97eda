// How long files and functions of product code may be.
import ts from 'typescript'
import { isOfTests, type SourceTree } from './source-tree.js'

export const maxFileLines = 400
export const maxFunctionLines = 100

/** Product code written by hand: neither generated nor part of the tests. */
function productCode(tree: SourceTree): readonly (readonly [string, string])[] {
  return [...tree].filter(([file]) => !isOfTests(file) && !file.startsWith('spec/generated/'))
}

/** Files with more lines than allowed. */
export function longFiles(tree: SourceTree): readonly string[] {
  return productCode(tree)
    .filter(([, text]) => text.split('\n').length - 1 > maxFileLines)
    .map(([file]) => file)
}

/** Functions with more lines than allowed, from the first line to the last, as `file name`. */
export function longFunctions(tree: SourceTree): readonly string[] {
  return productCode(tree).flatMap(([file, text]) => {
    if (text.split('\n').length <= maxFunctionLines) return []
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const found: string[] = []
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
    const visit = (node: ts.Node): void => {
      if (isFunction(node) && lineOf(node.end) - lineOf(node.getStart(source)) + 1 > maxFunctionLines)
        found.push(`${file} ${nameOf(node)}`)
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function nameOf(node: ts.FunctionLikeDeclaration): string {
  const named = node.name === undefined ? node.parent : node
  const name = 'name' in named ? (named.name as ts.Node | undefined) : undefined
  return name === undefined ? 'unnamed' : name.getText()
}
