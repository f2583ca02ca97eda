import type { Command } from 'commander'
import { nearest } from '../../harness/parsing.js'
import { writeOutput } from '../cli/output.js'
import { readSettings } from '../cli/settings.js'
import { exitCodes, UsageError } from '../cli/usage.js'

/** What `conformance help` can show. */
interface Shown {
  /** Every command by its path; the program has the empty one. */
  readonly commands: ReadonlyMap<string, Command>
  readonly everyCommand: () => string
}

/** `conformance help`: the overview, one command, or with `--all` every command. */
export async function help(
  flags: Readonly<Record<string, unknown>>,
  words: readonly string[],
  { commands, everyCommand }: Shown,
): Promise<number> {
  if (readSettings('help', flags).isOn('all')) {
    writeOutput(everyCommand())
    return exitCodes.conformant
  }
  const path = words.join(' ')
  const command = commands.get(path)
  if (command === undefined) {
    const [near] = nearest(path, [...commands.keys()])
    throw new UsageError(
      `help ${path}: unknown command${near === undefined ? '' : `; did you mean ${near}?`} (conformance help --all shows every command)`,
    )
  }
  command.outputHelp()
  return exitCodes.conformant
}
