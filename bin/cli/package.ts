import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invocation } from './invocation.js'

/** The folder that holds package.json, whether this runs from source or from dist. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

/** The version in package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }
  return version
}

/** Returns the beginning of a command line for the user: the one with which this process was started. */
export function commandName(): string {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = invocation().env
  return event === 'npx' && /^["']?conformance\b/.test(script) ? 'npx conformance' : 'conformance'
}

/** How the tool calls itself in a report. */
export function tool(): { name: string; version: string } {
  return { name: 'webhook-conformance', version: packageVersion() }
}
