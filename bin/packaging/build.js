// Compiles the product into dist, file by file, and bundles the pages. Types are checked by `npm run lint`, and declarations
// are written for the package alone (`prepack`): neither is needed to run.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')
const folders = ['spec', 'fixtures', 'pages', 'harness', 'suites', 'reference', 'proof', 'bin']

/** Tests and their helpers run from their sources, but hostile targets are for a campaign too; `pages/build.js` bundles what browsers run. */
const isBuilt = (path) =>
  /\.(?:ts|mutants|seams)$/.test(path) &&
  !path.endsWith('.test.ts') &&
  !/(^|\/)testing\/(?!hostile\/)|^pages\/(browser|worker)\//.test(path)

const entryPoints = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(isBuilt),
)

rmSync(join(root, 'dist'), { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints,
  outdir: 'dist',
  outbase: '.',
  format: 'esm',
  platform: 'node',
  target: 'es2023',
  loader: { '.mutants': 'copy', '.seams': 'copy' },
  logLevel: 'warning',
})
await import('../../pages/build.js')
