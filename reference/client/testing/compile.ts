import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folders = ['spec', 'reference/verifier', 'reference/client']

/** Compiles the client into a folder of its own, so that a driver can import it without a build. */
export function compileClient(): { readonly door: string; remove(): void } {
  const out = mkdtempSync(join(tmpdir(), 'reference-client-'))
  writeFileSync(join(out, 'package.json'), '{"type":"module"}')
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
      const { outputText } = ts.transpileModule(readFileSync(join(root, folder, name), 'utf8'), {
        compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
      })
      const target = join(out, folder, name.replace(/\.ts$/, '.js'))
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, outputText)
    }
  }
  return {
    door: join(out, 'reference/client/index.js'),
    remove: () => rmSync(out, { recursive: true, force: true }),
  }
}
