// Reads the arguments, calls a command, sets the exit code; nothing else. Each command is loaded when it is asked for.
import { Command, CommanderError } from 'commander'
import { complain, harmless } from './complaint.js'
import { takeVariables } from './environment.js'
import { packageVersion } from './package.js'
import { isStandardOutputBroken, watchStandardOutput } from './standard-output.js'
import { isOfEndedCase } from './stray-error.js'
import { exitCodes, UsageError } from './usage.js'

watchStandardOutput()
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    if (isOfEndedCase(error)) return
    complain(`unexpected: ${error instanceof Error ? error.stack : String(error)}`)
    process.exit(exitCodes.noVerdict)
  })

const program = new Command('conformance')
  .description(
    'Tells whether a webhook service, receiver, verifier or client library keeps the Email Event and Webhook Interface.',
  )
  .version(packageVersion())
  .showHelpAfterError('(conformance --help shows every command)')
  .enablePositionalOptions()
  .exitOverride()
  .configureOutput({
    writeErr: (text) => process.stderr.write(`${harmless(text.replace(/^error: /, 'conformance: '))}\n`),
  })

program.hook('preAction', (_program, command) => takeVariables(command))

const collect = (value: string, previous: readonly string[] = []) => [...previous, value]

function runOptions(command: Command): Command {
  return command
    .option('--suite <id>', 'suites to run: an id or a glob; repeatable', collect)
    .option('--case <id>', 'cases to run: an id or a glob; repeatable', collect)
    .option('--level <level>', 'must: only what decides the verdict; should: everything (default)')
    .option('--seed <n>', 'seed of the random data; a failure prints it')
    .option('--runs <n>', 'runs of each property')
    .option('--concurrency <n>', 'cases side by side')
    .option('--timeout <ms>', 'longest time of one case, in milliseconds (default 60000)')
    .option('--shard <i/n>', 'run one part of n')
    .option('--bail', 'stop at the first failure of a must case')
    .option('--strict', 'exit with 1 unless the verdict is conformant')
    .option('--known-failures <file>', 'failures that are forgiven (YAML or JSON)')
    .option('--write-known-failures <file>', 'write an entry for each failure, its reason left open')
    .option('--reporter <name[=file]>', 'pretty, json, junit, ctrf, html, markdown, github or tap; repeatable', collect)
    .option('--badge <file>', 'write a badge: .svg a picture, .json the data of a shields endpoint')
    .option('--watch [path]', 'stay, and ask the failed cases again on Enter, or when a file below the path changes')
    .option('--config <file>', 'configuration file (default: conformance.config.yaml or .json, searched upward)')
    .option('--dry-run', 'print the plan and run nothing')
    .option('--quiet', 'only the summary')
    .option('--verbose', 'every case')
}

runOptions(program.command('run'))
  .description('judge a service at a base URL')
  .option('--base-url <url>', 'where the API is; a trailing /v1 is accepted')
  .option('--reference', 'judge the reference server, started in this process')
  .option('--api-key <key>', 'a key that sees the whole org')
  .option('--control-url <url>', 'the control interface of a test deployment')
  .option('--control-key <key>', 'its key')
  .option('--retry-depth <n>', 'attempts watched in real time, 1 to 7 (default 2)')
  .option('--max-rps <n>', 'requests a second at most')
  .option('--state <file>', 'keep what is learnt in this file, and go on from there after a stop')
  .option('--journal <file>', 'where to write down what the run makes on the target (default: in the temporary folder)')
  .action(async (options: Record<string, unknown>) => finish((await import('./commands/run.js')).run(options)))

program
  .command('cleanup')
  .description('remove what runs that were killed have left on a target')
  .option('--journal <file>', 'what one run has made; by default every such file of runs on this target')
  .option('--base-url <url>', 'where the API is')
  .option('--api-key <key>', 'a key that sees the whole org')
  .option('--control-url <url>', 'the control interface of a test deployment')
  .option('--control-key <key>', 'its key')
  .option('--config <file>', 'configuration file (default: conformance.config.yaml or .json, searched upward)')
  .action(async (options: Record<string, unknown>) => finish((await import('./commands/cleanup.js')).cleanup(options)))

runOptions(program.command('receiver'))
  .description('judge a webhook endpoint at a URL')
  .option('--url <url>', 'where the endpoint takes deliveries')
  .option('--secret <whsec>', 'the secret it was given')
  .option('--header <name: value>', 'a header to send along; repeatable', collect)
  .option('--insecure', 'take any TLS certificate')
  .option('--max-rps <n>', 'deliveries a second at most')
  .option('--rps <n>', 'a steady load of so many deliveries a second')
  .option('--duration <s>', 'for so many seconds (default 10)')
  .action(async (options: Record<string, unknown>) =>
    finish((await import('./commands/receiver.js')).receiver(options)),
  )

for (const kind of ['verifier', 'client'] as const)
  runOptions(program.command(kind))
    .description(`judge a ${kind === 'verifier' ? 'signature verification' : 'client'} library behind a driver program`)
    .usage('[options] -- <command...>')
    .argument('[command...]', 'the driver and its arguments, after --')
    .passThroughOptions()
    .action(async (command: string[], options: Record<string, unknown>) =>
      finish((await import('./commands/driver.js')).driver(kind, command, options)),
    )

program
  .command('serve')
  .description('serve the reference server, or with `serve receiver` the reference receiver')
  .argument('[what]', 'server or receiver', 'server')
  .option('--host <address>', 'address to listen on (default 127.0.0.1)')
  .option('--port <n>', 'port to listen on (default 0: any that is free)')
  .option('--api-key <key>', 'server: key of the first org; made up by default')
  .option('--control', 'server: offer the control interface')
  .option('--control-key <key>', 'server: its key; made up by default')
  .option('--data <file>', 'server: keep the state in this SQLite file; in memory by default')
  .option('--allow <address:port>', 'server: deliver to this loopback address too; repeatable', collect)
  .option('--ca <file>', 'server: trust this authority for deliveries (PEM)')
  .option('--public-egress', 'server: allow deliveries to addresses outside loopback')
  .option('--secret <whsec>', 'receiver: the secret it verifies with; made up by default')
  .option('--tls <file>', 'receiver: speak TLS; the authority of its certificate is written to this file')
  .option('--json', 'print where it listens, and what a receiver gets, as lines of JSON')
  .action(async (what: string, options: Record<string, unknown>) =>
    finish((await import('./commands/serve.js')).serve(what, options)),
  )

const vectors = program.command('vectors').description('signature test vectors')
vectors
  .command('generate')
  .description('write signature vectors; the same seed gives the same bytes')
  .option('--count <n>', 'how many', '1000')
  .option('--seed <n>', 'seed', '1')
  .option('--format <format>', 'json or ndjson', 'json')
  .option('--out <file>', 'file to write; standard output by default')
  .action(async (options: Record<string, string>) => finish((await import('./commands/vectors.js')).generate(options)))
vectors
  .command('check')
  .description('check a file of signature vectors')
  .argument('<file>', 'json or ndjson')
  .action(async (file: string) => finish((await import('./commands/vectors.js')).check(file)))

program
  .command('list')
  .description('list the cases, or the requirements')
  .option('--subject <kind>', 'service, receiver, verifier or client')
  .option('--requirements', 'list requirements')
  .option('--coverage', 'list requirement by case')
  .option('--json', 'as JSON')
  .action(async (options: Record<string, unknown>) => finish((await import('./commands/list.js')).list(options)))

program
  .command('explain')
  .description('explain a case, a suite or a requirement')
  .argument('<id>', 'the id of a case, a suite or a requirement')
  .action(async (id: string) => finish((await import('./commands/explain.js')).explain(id)))

program
  .command('coverage')
  .description('print requirement by case')
  .option('--subject <kind>', 'service, receiver, verifier or client')
  .option('--json', 'as JSON')
  .action(async (options: Record<string, unknown>) => finish((await import('./commands/list.js')).coverage(options)))

program
  .command('selftest')
  .description('prove the kit: every mutant is killed, no variant is convicted')
  .option('--subject <kind>', 'service, receiver, verifier or client')
  .option('--mutant <id>', 'mutants to run: an id or a glob; repeatable', collect)
  .option('--sample <n>', 'every n-th mutant only')
  .option('--full', 'every case of its kind on every mutant, and every variant alone too')
  .option('--seeds <n>', 'no mutants: the references and random combinations of variants, with so many seeds')
  .option('--load <n>', 'busy loops beside it, as on a machine that others use')
  .option('--jobs <n>', 'processes (default: one for each core, and one more, since many trials wait)')
  .option('--format <format>', 'text or json', 'text')
  .option('--seed <n>', 'seed', '1')
  .action(async (options: Record<string, unknown>) =>
    finish((await import('./commands/selftest.js')).selftest(options)),
  )

program
  .command('report')
  .description('merge the shards of a run, convert reports, or compare them')
  .argument('<file...>', 'JSON reports')
  .option('--reporter <name[=file]>', 'pretty, json, junit, ctrf, html, markdown, github or tap; repeatable', collect)
  .option('--badge <file>', 'write a badge: .svg a picture, .json the data of a shields endpoint')
  .option('--compare', 'side by side: what each verdict is, what was fixed and what broke')
  .option('--strict', 'exit with 1 unless the verdict is conformant')
  .action(async (files: string[], options: Record<string, unknown>) =>
    finish((await import('./commands/report.js')).report(files, options)),
  )

program
  .command('init')
  .description('write a configuration file and a CI workflow')
  .option('--dir <folder>', 'where (default: here)')
  .option('--base-url <url>', 'the service; asked on a terminal')
  .option('--control-url <url>', 'the control interface of a test deployment; asked on a terminal')
  .option('--ci <kind>', 'github, gitlab or none; asked on a terminal, else github')
  .option('--yes', 'ask nothing')
  .option('--force', 'replace files that exist')
  .action(async (options: Record<string, unknown>) => finish((await import('./commands/init.js')).init(options)))

program
  .command('completion')
  .description('print a completion script')
  .argument('<shell>', 'bash, zsh or fish')
  .action(async (shell: string) => finish((await import('./commands/completion.js')).completion(shell, program)))

/** Time after its end in which a process that something still holds open is ended, in milliseconds. */
const lingerMs = 3_000

async function finish(command: Promise<number>): Promise<void> {
  const code = await command
  process.exitCode = code === exitCodes.conformant && isStandardOutputBroken() ? exitCodes.usage : code
  setTimeout(() => process.exit(), lingerMs).unref()
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = codeOf(error)
  setTimeout(() => process.exit(), lingerMs).unref()
}

/** Prints what the user has to know of it; an error nobody foresaw is no verdict either. */
function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conformant : exitCodes.usage
  const name = error instanceof Error ? error.name : ''
  const isUsage = error instanceof UsageError || name === 'FileProblem' || name === 'UnmatchedPattern'
  const isForeseen = isUsage || name === 'CaseErrored'
  const text = error instanceof Error ? (isForeseen ? error.message : `unexpected: ${error.stack}`) : String(error)
  complain(text)
  return isUsage ? exitCodes.usage : exitCodes.noVerdict
}
