import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { loadSchema } from '../fixtures/index.js'
import { expandVariables, parseFile } from '../harness/config/document.js'
import { findConfig } from '../harness/config/find.js'
import { validateFile } from '../harness/config/validate.js'
import { memberOf } from '../harness/wire/exchange.js'
import { UsageError } from './usage.js'

/** Where a setting came from. */
export type SettingSource = 'flag' | 'variable' | 'file'

/** Where one run takes its settings from: a flag beats `CONFORMANCE_<OPTION>`, which beats the file. */
export interface Settings {
  /** A text setting by its flag name, such as `base-url`; an empty variable counts as not set. */
  text(name: string): string | undefined
  /** A repeatable setting; a variable holds several values separated by commas, or by line breaks. */
  list(name: string): readonly string[]
  /** A switch. */
  isOn(name: string): boolean
  /** A path; one from the file is relative to the file. */
  path(name: string): string | undefined
  /** Which of the three decides; undefined where none says anything. */
  source(name: string): SettingSource | undefined
  /** The configuration file, variables expanded; an empty object where there is none. */
  readonly file: Readonly<Record<string, unknown>>
}

/** Keys of the file that describe a service; a run on anything else ignores them, and the variables they name. */
const serviceKeys = new Set([
  'base_url',
  'api_key',
  'from',
  'inboxes',
  'receiver',
  'triggers',
  'dns',
  'control',
  'retry_depth',
  'state',
  'journal',
])

/**
 * Reads the configuration, if any, and puts the three sources in their order.
 * Throws `UsageError` for a flag with an empty value: it is what an unset variable of a script looks like.
 */
export function readSettings(
  flags: Readonly<Record<string, unknown>>,
  { isService = false, ignoresFile = false }: { readonly isService?: boolean; readonly ignoresFile?: boolean } = {},
): Settings {
  refuseEmpty(flags)
  const flagOf = (name: string) => flags[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
  const variableName = (name: string) => `CONFORMANCE_${name.toUpperCase().replaceAll('-', '_')}`
  const variableOf = (name: string) => {
    const value = process.env[variableName(name)]
    return value === undefined || value === '' ? undefined : value
  }
  const given = typeof flags['config'] === 'string' ? flags['config'] : variableOf('config')
  const configPath = ignoresFile ? undefined : given === undefined ? findConfig(process.cwd()) : resolve(given)
  const file = configPath === undefined ? {} : readConfiguration(configPath, isService)
  const inFile = (name: string) => memberOf(file, name.replaceAll('-', '_')) ?? undefined
  const pick = (name: string): unknown => flagOf(name) ?? variableOf(name) ?? inFile(name)
  const source = (name: string): SettingSource | undefined => {
    if (flagOf(name) !== undefined) return 'flag'
    if (variableOf(name) !== undefined) return 'variable'
    return inFile(name) === undefined ? undefined : 'file'
  }
  const text = (name: string) => {
    const value = pick(name)
    return value === undefined || value === '' ? undefined : String(value)
  }
  return {
    file,
    text,
    source,
    list: (name) => {
      const variable = flagOf(name) === undefined ? variableOf(name) : undefined
      if (variable !== undefined)
        return variable
          .split(name === 'header' ? /\n/ : /[,\n]/)
          .map((each) => each.trim())
          .filter((each) => each !== '')
      const value = flagOf(name) ?? inFile(name)
      if (value === undefined) return []
      return Array.isArray(value) ? value.map(String) : [String(value)]
    },
    isOn: (name) => {
      const value = pick(name)
      if (value === undefined || typeof value === 'boolean') return value === true
      const word = String(value).toLowerCase()
      if (['true', '1', 'yes', 'on'].includes(word)) return true
      if (['false', '0', 'no', 'off'].includes(word)) return false
      throw new UsageError(`${variableName(name)}=${word}: expected true or false`)
    },
    path: (name) => {
      const value = text(name)
      if (value === undefined || configPath === undefined || source(name) !== 'file') return value
      return resolve(dirname(configPath), value)
    },
  }
}

function refuseEmpty(flags: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(flags))
    if (value === '' || (Array.isArray(value) && value.includes('')))
      throw new UsageError(
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: the value is empty; is a variable not set?`,
      )
}

function readConfiguration(path: string, isService: boolean): Readonly<Record<string, unknown>> {
  const { value, placeOf } = parseFile(path, readFile('--config', path))
  validateFile(value ?? {}, loadSchema('config'), placeOf)
  const wanted = Object.entries(value ?? {}).filter(([key]) => isService || !serviceKeys.has(key))
  const expanded = expandVariables(Object.fromEntries(wanted), process.env, placeOf)
  validateFile(expanded, loadSchema('config'), placeOf)
  return expanded as Readonly<Record<string, unknown>>
}

/** The text of a file the user named; a {@link UsageError} says why it cannot be read. */
export function readFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${option} ${path}: cannot be read (${systemCode(error)})`)
  }
}

/** The system's word for an error, such as `ENOENT`. */
export function systemCode(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  return error instanceof Error ? error.message : String(error)
}
