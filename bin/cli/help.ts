// What --help of a command adds to its options: groups and examples.
import { Option as Flag, type Command } from 'commander'
import { examples } from './examples.js'
import { hasGroups, shownOptions, type CommandEntry } from './option.js'
import { terminalColumns } from './standard-output.js'

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
  command.configureHelp({ helpWidth: Math.min(terminalColumns() ?? maxColumns, maxColumns) })
  const lines = examples.get(path) ?? []
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

/** The groups of commands in `conformance help --all`. */
const commandGroups = {
  'Test an implementation': ['run', 'receiver', 'sender', 'verifier', 'client', 'observe', 'ui'],
  'Set up and clean up': ['init', 'serve', 'control', 'completion', 'cleanup'],
  'Work with one delivery': ['listen', 'send', 'sign', 'verify', 'diagnose'],
  'Write vectors': ['vectors', 'schemes'],
  'Look up': ['list', 'explain', 'coverage', 'help'],
  'Handle results': ['report', 'selftest'],
} as const

/** The most common uses, and the command whose first example does it. */
const uses = [
  ['Test a service, here or in CI', 'run'],
  ['Test a webhook endpoint', 'receiver'],
  ['Write signed test vectors for any language', 'vectors generate'],
] as const

const firstCommands = ['init', 'verifier', 'explain', 'diagnose'] as const

/** Makes the program print three uses and four commands; returns what prints every command. */
export function arrangeOverview(program: Command): () => string {
  for (const [group, names] of Object.entries(commandGroups))
    for (const command of program.commands)
      if ((names as readonly string[]).includes(command.name())) command.helpGroup(`${group}:`)
  const helpWidth = Math.min(terminalColumns() ?? maxColumns, maxColumns)
  const all = () => program.configureHelp({ helpWidth, sortOptions: false }).helpInformation()
  program.configureHelp({ formatHelp: () => overview(program) })
  return all
}

function overview(program: Command): string {
  const helpOf = (name: string) => program.commands.find((command) => command.name() === name)?.description() ?? ''
  return [
    'Usage: conformance <command> [options]',
    '',
    program.description(),
    '',
    ...uses.flatMap(([use, path]) => [`${use}:`, `  ${examples.get(path)?.[0] ?? ''}`, '']),
    'Commands to begin with:',
    ...firstCommands.map((name) => `  ${name.padEnd(10)}${helpOf(name)}`),
    '',
    'conformance <command> --help shows its options, conformance help --all every command.',
    '',
  ].join('\n')
}
