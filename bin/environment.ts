import type { Command } from 'commander'
import { UsageError } from './usage.js'

/** Commands that put variables, flags and file in their order themselves (settings.ts). */
const withSettings = new Set(['run', 'receiver', 'verifier', 'client', 'serve', 'init'])

/** Gives the options that no flag gave the value of their variable `CONFORMANCE_<OPTION>`; an empty one counts as not set. */
export function takeVariables(command: Command): void {
  if (withSettings.has(command.name())) return
  for (const option of command.options) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) === 'cli') continue
    const variable = `CONFORMANCE_${option.name().toUpperCase().replaceAll('-', '_')}`
    const text = process.env[variable] ?? ''
    if (text === '') continue
    const isList = option.parseArg !== undefined
    const value = isList ? wordsOf(text) : option.required ? text : switchOf(variable, text)
    command.setOptionValueWithSource(name, value, 'env')
  }
}

function wordsOf(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function switchOf(variable: string, text: string): boolean {
  const word = text.toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(word)) return true
  if (['false', '0', 'no', 'off'].includes(word)) return false
  throw new UsageError(`${variable}=${text}: expected true or false`)
}
