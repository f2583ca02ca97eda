import {
  asText,
  distrustOf,
  expandVariables,
  findConfig,
  memberOf,
  parseFile,
  readAtMost,
  systemCode,
  systemReason,
  unreadable,
  validateFile,
  wholeOf,
} from '../../harness/parsing.js'
import { dirname, resolve } from 'node:path'
import { loadSchema } from '../../fixtures/index.js'
import { visible } from '../../harness/safe-text.js'
import { variableName, type Option } from './option.js'
import { commands, type CommandPath, type OptionName } from './options.js'
import { writeError } from './output.js'
import { UsageError } from './usage.js'
import { invocation, perInvocation } from './invocation.js'

export { systemCode, systemReason } from '../../harness/parsing.js'

/** Where a setting came from. */
export type SettingSource = 'flag' | 'variable' | 'file'

/**
 * The user's settings for one command: a flag beats `CONFORMANCE_<OPTION>`, which beats the file. An option that the command does not have
 * is not set.
 */
export interface Settings {
  /** The text of an option; an empty variable counts as not set. */
  text(name: OptionName): string | undefined
  /** The values of an option that is repeatable; a variable holds several, separated by commas or by line breaks. */
  list(name: OptionName): readonly string[]
  /** A switch. */
  isOn(name: OptionName): boolean
  /** A path; one from the file is relative to the file. */
  path(name: OptionName): string | undefined
  /** Which of the three sets it; undefined if none does. */
  source(name: OptionName): SettingSource | undefined
  /** The configuration file, variables expanded; an empty object where there is none. */
  readonly file: Readonly<Record<string, unknown>>
}

/** Returns true if the option must be repeated in a rerun command (values from the file need not be). */
export function isGiven(settings: Pick<Settings, 'source'>, name: OptionName): boolean {
  const source = settings.source(name)
  return source === 'flag' || source === 'variable'
}

/** Keys of the file that describe a service; a run on anything else ignores them, and the variables they name. */
const serviceKeys = new Set([
  'base_url',
  'api_key',
  'second_api_key',
  'header',
  'insecure',
  'ca',
  'client_cert',
  'client_key',
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

/** Keys that describe what one command alone judges, and that command. */
const commandOfKey: Readonly<Record<string, CommandPath>> = {
  endpoint: 'receiver',
  sender: 'sender',
  verifier: 'verifier',
  client: 'client',
}

/**
 * Puts the three sources in their order. The file is read for a command that has `--config`.
 * Throws `UsageError` for a flag with an empty value: it is what an unset variable of a script looks like.
 */
export function readSettings(
  command: CommandPath,
  flags: Readonly<Record<string, unknown>>,
  { isService = false }: { readonly isService?: boolean } = {},
): Settings {
  refuseEmpty(flags)
  const options = new Map<string, Option>(commands[command].options.map((option) => [option.name, option]))
  // Commander makes `--no-config` the value false of `--config`.
  const named = flags['config'] === false ? { ...flags, config: undefined, noConfig: true } : flags
  const flagOf = (name: string) =>
    (named as Readonly<Record<string, unknown>>)[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
  const variableOf = (name: string) => {
    const value = options.has(name) ? invocation().env[variableName(name)] : undefined
    return value === undefined || value === '' ? undefined : value
  }
  const isWithout = flagOf('no-config') === true || isYes('no-config', variableOf('no-config'))
  const configPath =
    options.has('config') && !isWithout ? configOf(flagOf('config') ?? variableOf('config')) : undefined
  const file = configPath === undefined ? {} : readConfiguration(configPath, (key) => isReadBy(key, command, isService))
  const inFile = (name: string) =>
    options
      .get(name)
      ?.fileKey?.split('.')
      .reduce<unknown>((value, key) => memberOf(value, key), file) ?? undefined
  const pick = (name: string): unknown => flagOf(name) ?? variableOf(name) ?? inFile(name)
  const source = (name: string): SettingSource | undefined => {
    if (flagOf(name) !== undefined) return 'flag'
    if (variableOf(name) !== undefined) return 'variable'
    return inFile(name) === undefined ? undefined : 'file'
  }
  const text = (name: string) => {
    const value = pick(name)
    return value === undefined || value === '' ? undefined : asText(value)
  }
  return {
    file,
    text,
    source,
    list: (name) => {
      const variable = flagOf(name) === undefined ? variableOf(name) : undefined
      if (variable !== undefined)
        return variable
          .split(options.get(name)?.separator ?? '\n')
          .map((value) => value.trim())
          .filter((value) => value !== '')
      const value = flagOf(name) ?? inFile(name)
      if (value === undefined) return []
      return Array.isArray(value) ? value.map(asText) : [asText(value)]
    },
    isOn: (name) => {
      const value = pick(name)
      if (value === undefined || typeof value === 'boolean') return value === true
      return isYes(name, asText(value))
    },
    path: (name) => {
      const value = text(name)
      if (value === undefined || configPath === undefined || source(name) !== 'file') return value
      return resolve(dirname(configPath), value)
    },
  }
}

/** Whether the text of a switch turns it on. */
function isYes(name: string, text: string | undefined): boolean {
  const word = text?.toLowerCase()
  if (word === undefined || ['false', '0', 'no', 'off'].includes(word)) return false
  if (['true', '1', 'yes', 'on'].includes(word)) return true
  throw new UsageError(`${variableName(name)}=${word}: expected true or false`)
}

/** Returns the configuration that the user named, or the nearest one. */
function configOf(given: unknown): string | undefined {
  const path = typeof given === 'string' ? resolve(given) : findConfig(process.cwd())
  if (path === undefined) return undefined
  const distrust = typeof given === 'string' ? undefined : distrustOf(path)
  if (distrust !== undefined)
    throw new UsageError(
      `the configuration ${path} was found, but ${distrust}. It can run commands: if you trust it, name it with --config ${path}, else use --no-config`,
    )
  return path
}

function refuseEmpty(flags: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(flags))
    if (value === '' || (Array.isArray(value) && value.includes('')))
      throw new UsageError(
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: the value is empty; is a variable not set?`,
      )
}

/** What describes another kind of target is left alone, and so are the variables it names. */
function isReadBy(key: string, command: CommandPath, isService: boolean): boolean {
  return (isService || !serviceKeys.has(key)) && (commandOfKey[key] ?? command) === command
}

/** Longest configuration, in bytes: a person writes it, and the parser needs a second for each half megabyte. */
const longestConfig = 256 * 1024

/** The files that were printed: a command may read its settings twice. */
const printedFiles = perInvocation(() => new Set<string>())

function readConfiguration(path: string, isRead: (key: string) => boolean): Readonly<Record<string, unknown>> {
  const { value, placeOf } = parseFile(path, readFile('--config', path, longestConfig))
  validateFile(value ?? {}, loadSchema('config'), placeOf)
  const wanted = Object.entries(value ?? {}).filter(([key]) => isRead(key))
  const expanded = expandVariables(Object.fromEntries(wanted), invocation().env, placeOf)
  validateFile(expanded, loadSchema('config'), placeOf)
  if (!printedFiles().has(path)) writeError(`Configuration: ${visible(path)}\n`)
  printedFiles().add(path)
  return expanded as Readonly<Record<string, unknown>>
}

/** Longest file that is read whole by default, in bytes. */
const usualBytes = 16 * 1024 * 1024

/** Returns the text of a file the user named; a {@link UsageError} explains why it is unreadable. */
export function readFile(option: string, path: string, maxBytes = usualBytes): string {
  return readBytes(option, path, maxBytes).toString('utf8')
}

/** The same as bytes. */
export function readBytes(option: string, path: string, maxBytes = usualBytes): Buffer {
  try {
    return readAtMost(path, maxBytes)
  } catch (error) {
    if (systemCode(error) === 'EFBIG') throw tooLong(option, path, maxBytes)
    throw new UsageError(`${option} ${path}: ${unreadable(path, error)}`)
  }
}

/** Returns all of standard input, which the user chose instead of a file. */
export async function readStandardInput(option: string, maxBytes = usualBytes): Promise<Buffer> {
  const bytes = await wholeOf(invocation().stdin, maxBytes).catch((error: unknown) => {
    throw new UsageError(`${option} -: standard input cannot be read (${systemReason(error)}); name a file`)
  })
  if (bytes === undefined) throw tooLong(option, '-', maxBytes)
  return bytes
}

function tooLong(option: string, path: string, maxBytes: number): UsageError {
  return new UsageError(`${option} ${path}: cannot be read (it has more than ${maxBytes} bytes); is it the right file?`)
}
