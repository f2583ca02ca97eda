import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { loadSchema } from '../fixtures/index.js'
import { expandVariables, parseText } from '../harness/config/document.js'
import { validateFile } from '../harness/config/validate.js'
import { memberOf } from '../harness/wire/exchange.js'
import { UsageError } from './usage.js'

const fileNames = ['conformance.config.yaml', 'conformance.config.yml', 'conformance.config.json']

/** Where one run takes its settings from: a flag beats `CONFORMANCE_<OPTION>`, which beats the file. */
export interface Settings {
  /** A text setting by its flag name, such as `base-url`; an empty variable counts as not set. */
  text(name: string): string | undefined
  /** A repeatable setting; a variable holds several values separated by commas. */
  list(name: string): readonly string[]
  /** A switch. */
  isOn(name: string): boolean
  /** The configuration file, variables expanded; an empty object where there is none. */
  readonly file: Readonly<Record<string, unknown>>
}

/** Reads the configuration, if any, and puts the three sources in their order. */
export function readSettings(flags: Readonly<Record<string, unknown>>): Settings {
  const flagOf = (name: string) => flags[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())]
  const variableOf = (name: string) => {
    const value = process.env[`CONFORMANCE_${name.toUpperCase().replaceAll('-', '_')}`]
    return value === undefined || value === '' ? undefined : value
  }
  const configPath = typeof flags['config'] === 'string' ? flags['config'] : variableOf('config')
  const file = readConfiguration(configPath)
  const inFile = (name: string) => memberOf(file, name.replaceAll('-', '_'))
  const pick = (name: string): unknown => flagOf(name) ?? variableOf(name) ?? inFile(name)
  return {
    file,
    text: (name) => {
      const value = pick(name)
      if (value === undefined || value === null || value === '') return undefined
      return String(value)
    },
    list: (name) => {
      const given = flagOf(name)
      if (Array.isArray(given)) return given.map(String)
      const variable = variableOf(name)
      if (variable !== undefined)
        return variable
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '')
      const value = inFile(name)
      if (value === undefined || value === null) return []
      return Array.isArray(value) ? value.map(String) : [String(value)]
    },
    isOn: (name) => {
      const value = pick(name)
      return value === true || value === 'true' || value === '1' || value === 'yes'
    },
  }
}

function readConfiguration(given: string | undefined): Readonly<Record<string, unknown>> {
  const path = given === undefined ? findUpward(process.cwd()) : resolve(given)
  if (path === undefined) return {}
  const raw = parseText(path, readFile('--config', path))
  validateFile(path, raw ?? {}, loadSchema('config'))
  const expanded = expandVariables(path, raw ?? {}, process.env)
  validateFile(path, expanded, loadSchema('config'))
  return expanded as Readonly<Record<string, unknown>>
}

function findUpward(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const found = fileNames.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
    if (dirname(folder) === folder) return undefined
  }
}

/** The text of a file the user named; a {@link UsageError} says why it cannot be read. */
export function readFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new UsageError(`${option} ${path}: cannot be read (${code})`)
  }
}
