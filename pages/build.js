// Bundles what browsers run into dist/pages: one script for each page, one style for all.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const pages = ['report', 'ui', 'server', 'receiver']

/* Preact's licence requires this notice in the bundle. */
const banner = '/*! Preact, Copyright (c) 2015-present Jason Miller, MIT licence: https://github.com/preactjs/preact */'

function isInstalled(name) {
  try {
    return dirname(createRequire(import.meta.url).resolve(name)) !== ''
  } catch {
    return false
  }
}

if (isInstalled('preact')) {
  await build({
    absWorkingDir: root,
    entryPoints: [...pages.map((name) => `pages/browser/${name}.tsx`), 'pages/browser/style.css'],
    outdir: 'dist/pages',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    tsconfig: 'pages/browser/tsconfig.json',
    loader: { '.md': 'text' },
    charset: 'utf8',
    banner: { js: banner },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
} else {
  process.stderr.write('preact is not installed, so the pages are not built: run npm ci\n')
  process.exitCode = 1
}
