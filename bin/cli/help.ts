// What --help of a command adds to its options: groups and examples.
import { Option as Flag, type Command } from 'commander'
import { examples } from './examples.js'
import { hasGroups, shownOptions, type CommandEntry } from './option.js'

/** Widest help, in columns: longer lines are hard to read. */
const maxColumns = 120

/** Lays out the help of a command whose options were added in the order of {@link shownOptions}. */
export function arrangeHelp(command: Command, path: string, entry: CommandEntry): void {
  const help = new Flag('-h, --help', 'show this help')
  command.addHelpOption(help)
  if (entry.options.length > 0 && hasGroups(shownOptions(entry))) {
    const groups = new Map(entry.options.map(({ name, group }) => [`--${name}`, `${group}:`]))
    for (const option of command.options) option.helpGroup(groups.get(option.long ?? '') ?? '')
    help.helpGroup('Advanced:')
  }
  command.configureHelp({ helpWidth: Math.min(process.stdout.columns ?? maxColumns, maxColumns) })
  const lines = examples.get(path) ?? []
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
