import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pages that are built. */
export type PageName = 'report' | 'ui' | 'server' | 'inspector' | 'diagnose'

/** The script of a page, and of the worker that the page of `diagnose` starts. */
type ScriptName = `${PageName}.js` | 'diagnose-worker.js'

/** The scripts that a browser loads for a page. */
export function scriptsOf(page: PageName): readonly ScriptName[] {
  return page === 'diagnose' ? ['diagnose.js', 'diagnose-worker.js'] : [`${page}.js`]
}

/** Where the build put them: next to this file, or in `dist` where this file runs from its source. */
const folder = [import.meta.dirname, join(import.meta.dirname, '../dist/pages')].find((candidate) =>
  existsSync(join(candidate, 'report.js')),
)

/** A file of a page, such as `ui.js` or `style.css`. Throws where the pages were not built. */
export function pageFile(name: ScriptName | 'style.css'): string {
  if (folder === undefined) throw new Error('the pages are not built: run npm ci, then npm run build')
  return readFileSync(join(folder, name), 'utf8').trim()
}

/** A page in one file: it reads no network, and its policy lets only its own script and style run. */
export function standalonePage(options: {
  readonly page: PageName
  readonly title: string
  /** What the page shows; embedded once, as JSON. */
  readonly data: unknown
}): string {
  const script = pageFile(`${options.page}.js`)
  const style = pageFile('style.css')
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`
  return `${head(options.title)}<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>${style}</style>
</head>
<body>
${body}
<script type="application/json" id="data">${embedded(options.data)}</script>
<script>${script}</script>
</body>
</html>
`
}

/** A page whose script and style are next to it, at `base`. */
export function servedPage(options: {
  readonly page: PageName
  readonly title: string
  readonly base: string
}): string {
  const { page, title, base } = options
  return `${head(title)}<link rel="stylesheet" href="${escaped(base)}style.css">
<script src="${escaped(base)}${page}.js" defer></script>
</head>
<body>
${body}
</body>
</html>
`
}

/** The headers of {@link servedPage} and its files. */
export const servedHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** Whether a request that acts may come from a served page itself: a browser names the origin of another page. */
export function isFromOwnPage(header: (name: string) => string | undefined): boolean {
  const origin = header('origin')
  const site = header('sec-fetch-site')
  return (
    (origin === undefined || origin === `http://${header('host') ?? ''}`) && (site ?? 'same-origin') === 'same-origin'
  )
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
`
}

const body = '<div id="page"></div>\n<noscript><p>The page needs JavaScript.</p></noscript>'

/** What a page or a reader of its source would take for more than text: markup, commands of a build log, control characters, marks that turn text. */
const unsafeInSource =
  /[<#\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]/g

/** JSON that ends no script element: such characters are escaped, which changes no string. */
function embedded(data: unknown): string {
  return JSON.stringify(data).replace(
    unsafeInSource,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // As a command of a build log begins.
  '#': '&#35;',
}

function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"'#]/g, (character) => entities[character] ?? '')
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
