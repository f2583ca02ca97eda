// Bundles what browsers run into dist/pages: one script for each page, one style for all, and the worker of the page of `diagnose`.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const pages = ['report', 'ui', 'server', 'inspector', 'diagnose']

/* Preact's licence requires this notice in the bundle. */
const banner = '/*! Preact, Copyright (c) 2015-present Jason Miller, MIT licence: https://github.com/preactjs/preact */'
/* As do the licences of what the worker contains. */
const workerBanner = `/*! MIT licence:
noble-hashes, Copyright (c) 2022, and noble-ed25519, Copyright (c) 2019, Paul Miller: https://paulmillr.com/noble
buffer, Copyright (c) Feross Aboukhadijeh and other contributors: https://github.com/feross/buffer
base64-js, Copyright (c) 2014 Jameson Little: https://github.com/beatgammit/base64-js
fflate, Copyright (c) 2023 Arjun Barrett: https://github.com/101arrowz/fflate
ieee754 (BSD-3-Clause), Copyright 2008 Fair Oaks Labs, Inc.: https://github.com/feross/ieee754 */`

function isInstalled(name) {
  try {
    return dirname(createRequire(import.meta.url).resolve(name)) !== ''
  } catch {
    return false
  }
}

const worker = (name) => join(root, 'pages/worker', `${name}.ts`)

/** The fixtures without files, and only the parts of the specification that are used. */
const forBrowsers = {
  name: 'for-browsers',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /\/fixtures\/index\.js$/ }, () => ({ path: worker('fixtures') }))
    onResolve({ filter: /\/spec\// }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (pluginData === 'found') return undefined
      const { path: file } = await resolve(path, { kind, resolveDir, importer, pluginData: 'found' })
      return { path: file, sideEffects: false }
    })
  },
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
}

if (isInstalled('preact')) {
  await build({
    ...shared,
    entryPoints: [...pages.map((name) => `pages/browser/${name}.tsx`), 'pages/browser/style.css'],
    outdir: 'dist/pages',
    format: 'iife',
    tsconfig: 'pages/browser/tsconfig.json',
    loader: { '.md': 'text' },
    banner: { js: banner },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  await build({
    ...shared,
    entryPoints: [worker('diagnose')],
    outfile: 'dist/pages/diagnose-worker.js',
    format: 'iife',
    platform: 'browser',
    inject: [worker('buffer')],
    alias: { 'node:buffer': worker('buffer'), 'node:crypto': worker('crypto'), 'node:zlib': worker('zlib') },
    plugins: [forBrowsers],
    banner: { js: workerBanner },
  })
} else {
  process.stderr.write('preact is not installed, so the pages are not built: run npm ci\n')
  process.exitCode = 1
}
