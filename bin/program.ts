// Reads the arguments and calls a command. Each command is loaded only when it runs.
import { Command, CommanderError, Option as Flag } from 'commander'
import { hideSecrets } from './cli/hidden-arguments.js'
import { arrangeHelp, arrangeOverview } from './cli/help.js'
import { shownOptions, type CommandEntry } from './cli/option.js'
import { commands, type CommandPath } from './cli/options.js'
import { invocation, invokedAs, type Invocation } from './cli/invocation.js'
import { printError, sanitize, writeError, writeOutput } from './cli/output.js'
import { packageVersion } from './cli/package.js'
import { isStandardOutputBroken, watchStandardOutput } from './cli/standard-output.js'
import { systemProblem } from './cli/system-problem.js'
import { exitCodes, UsageError } from './cli/usage.js'

type Flags = Readonly<Record<string, unknown>>
/** Resolves to the exit code. `given` are the arguments of the command. */
type Action = (flags: Flags, given: never) => Promise<number>

/** These print the kit's own lists: a reader that closes early, as `head` does, is not an error. */
const listing = /^(?:list|explain|coverage|completion|vectors generate)\b/

/** Runs the command of an invocation, by default of the process. Resolves to the exit code. */
export function conformance(given?: Invocation): Promise<number> {
  return given === undefined ? execute() : invokedAs(given, execute)
}

async function execute(): Promise<number> {
  const { args } = invocation()
  watchStandardOutput({ mayBeCut: listing.test(args.slice(0, 2).join(' ')) })
  try {
    const code = await runWords(args)
    return code === exitCodes.conformant && isStandardOutputBroken() ? exitCodes.usage : code
  } catch (error) {
    return codeOf(error)
  }
}

async function runWords(words: readonly string[]): Promise<number> {
  const { program, result } = createProgram()
  await program.parseAsync(words, { from: 'user' })
  return result()
}

/** What each command does; `vectors` and `control` alone do nothing. */
const actions: Readonly<Record<Exclude<CommandPath, 'vectors' | 'control'>, Action>> = {
  run: async (flags) => (await import('./commands/run.js')).run(flags),
  cleanup: async (flags) => (await import('./commands/cleanup.js')).cleanup(flags),
  receiver: async (flags) => (await import('./commands/receiver.js')).receiver(flags),
  sender: async (flags) => (await import('./commands/sender.js')).sender(flags),
  verifier: async (flags, driver: string[]) => (await import('./commands/driver.js')).driver('verifier', driver, flags),
  client: async (flags, driver: string[]) => (await import('./commands/driver.js')).driver('client', driver, flags),
  ui: async (_flags, words: string[]) => runWords((await import('./commands/ui.js')).runWithPage(words)),
  serve: async (flags, what: string) => (await import('./commands/serve.js')).serve(what, flags),
  'control check': async (flags, url: string | undefined) =>
    (await import('./commands/control.js')).checkControlInterface(url, flags),
  sign: async (flags) => (await import('./commands/delivery.js')).sign(flags),
  verify: async (flags) => (await import('./commands/diagnose.js')).verify(flags),
  send: async (flags) => (await import('./commands/delivery.js')).send(flags),
  listen: async (flags) => (await import('./commands/listen.js')).listen(flags),
  diagnose: async (flags) => (await import('./commands/diagnose.js')).diagnose(flags),
  observe: async (flags) => (await import('./commands/observe.js')).observe(flags),
  'vectors generate': async (flags) => (await import('./commands/vectors.js')).generate(flags),
  'vectors check': async (_flags, file: string) => (await import('./commands/vectors.js')).check(file),
  schemes: async (flags) => (await import('./commands/schemes.js')).list(flags),
  'schemes show': async (flags, name: string) => (await import('./commands/schemes.js')).show(name, flags),
  list: async (flags) => (await import('./commands/list.js')).list(flags),
  explain: async (flags, id: string) => (await import('./commands/explain.js')).explain(id, flags),
  coverage: async (flags) => (await import('./commands/list.js')).coverage(flags),
  selftest: async (flags) => (await import('./commands/selftest.js')).selftest(flags),
  report: async (flags, files: string[]) => (await import('./commands/report.js')).report(files, flags),
  init: async (flags) => (await import('./commands/init.js')).init(flags),
  help: async (flags, words: string[]) => (await import('./commands/help.js')).help(flags, words, createProgram()),
  completion: async (_flags, shell: string) => (await import('./commands/completion.js')).completion(shell),
}

interface Program {
  readonly program: Command
  /** Every command by its path; the program has the empty one. */
  readonly commands: ReadonlyMap<string, Command>
  readonly everyCommand: () => string
  /** Returns the exit code of the command that ran. */
  readonly result: () => number
}

/** Declares every command: the declarations keep the options of the call. */
function createProgram(): Program {
  const program = new Command('conformance')
    .description('Tests services, webhook endpoints and libraries against the Email Event and Webhook Interface.')
    .version(packageVersion())
    .showHelpAfterError('(conformance help --all shows every command)')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeOutput(text),
      writeErr: (text) =>
        // All else is text of our own: help, and where to find it.
        writeError(text.startsWith('error: ') ? `${sanitize(text.replace('error: ', 'conformance: '))}\n` : text),
    })
    .helpCommand(false)
  let code: number = exitCodes.conformant
  const declared = new Map<string, Command>([['', program]])
  for (const [path, entry] of Object.entries<CommandEntry>(commands)) {
    const at = path.lastIndexOf(' ')
    const command = declare(declared.get(path.slice(0, Math.max(at, 0))) ?? program, path.slice(at + 1), entry)
    arrangeHelp(command, path, entry)
    declared.set(path, command)
    const action = (actions as Readonly<Record<string, Action | undefined>>)[path]
    if (action === undefined) continue
    command.allowExcessArguments()
    // The arguments of the command, if it has any, precede the flags.
    command.action(async (...given: unknown[]) => {
      refuseSwallowedOption(path, command)
      refuseFurtherWords(path, command)
      const flags = command.opts<Flags>()
      code = await action(flags, (entry.arguments === undefined ? undefined : given[0]) as never)
    })
  }
  return { program, commands: declared, everyCommand: arrangeOverview(program), result: () => code }
}

/** An option whose value is left out takes the next one for it: what an empty variable without quotes makes of a line. */
function refuseSwallowedOption(path: string, command: Command): void {
  const names = new Set(command.options.map(({ long }) => long))
  for (const option of command.options) {
    const given: unknown = command.getOptionValue(option.attributeName())
    const follows = [given].flat().find((value): value is string => typeof value === 'string' && names.has(value))
    if (follows !== undefined)
      throw new UsageError(`${path}: ${option.long}: its value is missing: ${follows} follows; is a variable not set?`)
  }
}

/** Replaces Commander's own check, which counts the words and names none. */
function refuseFurtherWords(path: string, { args, options, registeredArguments: taken }: Command): void {
  const further = taken.at(-1)?.variadic === true ? [] : args.slice(taken.length)
  if (further.length === 0) return
  const { line } = hideSecrets(further, invocation().env)
  const target = options.map(({ long }) => long).find((name) => name === '--base-url' || name === '--url')
  if (target !== undefined && /^https?:/i.test(further[0] ?? ''))
    throw new UsageError(`${path}: unexpected ${line}: put ${target} before it`)
  throw new UsageError(`${path}: unexpected ${line}: is an option missing before it, or quotes around it?`)
}

function declare(parent: Command, name: string, entry: CommandEntry): Command {
  const command = parent.command(name).description(entry.help)
  for (const { form, help, fallback } of entry.arguments ?? []) command.argument(form, help, fallback)
  const hidden = entry.options.filter(({ isHidden }) => isHidden === true)
  for (const { name: option, value, help, separator, isHidden = false } of [...shownOptions(entry), ...hidden]) {
    const flag = new Flag(value === undefined ? `--${option}` : `--${option} ${value}`, help).hideHelp(isHidden)
    const isRepeatable = separator !== undefined && !flag.variadic
    command.addOption(
      isRepeatable ? flag.argParser((text, previous: readonly string[] = []) => [...previous, text]) : flag,
    )
  }
  if (entry.usage !== undefined) command.usage(entry.usage)
  return entry.passesThrough === true ? command.passThroughOptions().allowUnknownOption(name === 'ui') : command
}

/** Prints the error for the user; an unforeseen error is not a verdict either. */
function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conformant : exitCodes.usage
  const name = error instanceof Error ? error.name : ''
  const problem = systemProblem(error)
  const isUsage =
    problem !== undefined || error instanceof UsageError || name === 'FileProblem' || name === 'UnmatchedPattern'
  const isForeseen = isUsage || name === 'CaseErrored'
  const text = error instanceof Error ? (isForeseen ? error.message : `unexpected: ${error.stack}`) : String(error)
  printError(problem ?? text)
  return isUsage ? exitCodes.usage : exitCodes.noVerdict
}
