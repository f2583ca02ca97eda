// The paths that documents name.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './source-tree.js'

/** Every file and folder of the repository, folders with a slash at the end. */
export function readPaths(): ReadonlySet<string> {
  const entries = readdirSync(root, { recursive: false, withFileTypes: true }).filter(
    ({ name }) => !['.git', 'node_modules', 'dist'].includes(name),
  )
  const paths = entries.flatMap((entry) =>
    entry.isDirectory()
      ? [
          `${entry.name}/`,
          ...readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true }).map((dirent) =>
            posix.join(dirent.parentPath.slice(root.length + 1), dirent.name + (dirent.isDirectory() ? '/' : '')),
          ),
        ]
      : [entry.name],
  )
  return new Set(paths.filter((path) => !path.includes('node_modules/')))
}

/** The documents, by path. */
export function readDocuments(paths: ReadonlySet<string>): ReadonlyMap<string, string> {
  const documents = [...paths].filter((path) => path.endsWith('.md') && !notOurs.has(path))
  return new Map(documents.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The interface, which came from outside, and the record of a run of another tool, which names the built files of its day. */
const notOurs: ReadonlySet<string> = new Set(['spec/interface.md'])

const isPathLike = /^(\.{1,2}\/)*\.?[\w-][\w.*{},-]*(\/[\w.*{},-]+)*\/?$/
const isOfSource = /\.(test\.)?(ts|js|mjs|py)$/

/**
 * What a document names in code spans and links that is not there, one line each. A path is looked for from the folder of the document and from the
 * root; the mere name of a source file, anywhere below the folder of the document or the one above. `*` stands for any name, `{a,b}` for each.
 */
export function missingPaths(document: string, text: string, paths: ReadonlySet<string>): readonly string[] {
  const folder = posix.dirname(document)
  const spans = [...text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/`([^`\n]+)`|\]\(([^)#\s]+)[^)]*\)/g)]
  return spans.flatMap(([, span, link]) => {
    const named = (span ?? link ?? '').trim()
    if (/^\w+:/.test(named) || !isPathLike.test(named)) return []
    const isClaim =
      link !== undefined || isOfSource.test(named) || /^[\w.-]+\/$/.test(named) || isOfFolder(named, paths)
    return !isClaim || alternatives(named).every((alternative) => isThere(alternative, folder, paths))
      ? []
      : [`${document}: ${named}`]
  })
}

/** Whether it begins with a folder of the repository and ends like a file or folder: `suites/README.md`, not `service/webhooks`. */
function isOfFolder(named: string, paths: ReadonlySet<string>): boolean {
  const first = named.split('/')[0] ?? ''
  return paths.has(`${first}/`) && (/\.\w+$/.test(named) || named.endsWith('/'))
}

function alternatives(named: string): readonly string[] {
  const match = /^(.*)\{([^}]*)\}(.*)$/.exec(named)
  return match === null
    ? [named]
    : (match[2] ?? '').split(',').flatMap((part) => alternatives(`${match[1]}${part}${match[3]}`))
}

function isThere(named: string, folder: string, paths: ReadonlySet<string>): boolean {
  const places = [posix.normalize(named), posix.join(folder, named)]
  const wanted = new Set(places.flatMap((place) => [place, `${place}/`]))
  const pattern = (path: string) =>
    new RegExp(
      `^${path.replaceAll('.', '\\.').replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.+/)?'))}$`,
    )
  const isName = !named.includes('/') && isOfSource.test(named)
  const above = posix.dirname(folder)
  const patterns = [
    ...(named.includes('*') ? places : []),
    ...(isName ? [`${above === '.' ? '' : `${above}/`}**/${named}`] : []),
  ].map(pattern)
  for (const path of paths) {
    if (wanted.has(path) || patterns.some((pattern) => pattern.test(path))) return true
  }
  return false
}
