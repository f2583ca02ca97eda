import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Names a configuration file may have; the first one found in a folder is taken. */
export const configFileNames = ['conformance.config.yaml', 'conformance.config.yml', 'conformance.config.json'] as const

/** The configuration nearest to `start`, looked for from there upward; undefined where there is none. */
export function findConfig(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = configFileNames.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (dirname(folder) === folder) return undefined
  }
}
