// Every option of every command, once. Flags, variables, keys of the configuration file, completion, the page of options and
// the test of options are made of this table.
import { controlCommand, controlCommands, controlKey, controlUrl } from './control-options.js'
import { deliveryCommands } from './delivery-options.js'
import { initCommand } from './init-options.js'
import { advanced, judgement, option, output, separators, target, type CommandEntry } from './option.js'
import { optionsOfRuns } from './options-of-runs.js'
import {
  accessOptions,
  badge,
  config,
  knownFailures,
  noConfig,
  quiet,
  reporter,
  strict,
  verbose,
  caHelp,
  clientCertHelp,
  format,
  headerHelp,
  headerNames,
  scheme,
  insecureHelp,
  isHeader,
  profileHelp,
} from './shared-options.js'
import { listed } from '../../harness/safe-text.js'
import { profiles, vectorFormats, servables, pageKinds, subjectKinds, reportKinds } from './option-values.js'

const separator = separators.comma

const baseUrl = target('--base-url <url>', 'where the API is; a trailing /v1 is accepted', { fileKey: 'base_url' })
const apiKey = target('--api-key <key>', 'a key that sees the whole org', { fileKey: 'api_key', isSecret: true })
const profileOf = (fileKey: string) => target('--profile <name>', profileHelp, { words: profiles, fileKey })
const subject = option('--subject <kind>', listed(subjectKinds, 'or'), { words: subjectKinds })
const reportKind = option('--subject <kind>', listed(reportKinds, 'or'), { words: reportKinds })
const retryDepth = judgement('--retry-depth <n>', 'attempts watched in real time, 1 to 7 (default 2)', {
  fileKey: 'retry_depth',
})
const seed = option('--seed <n>', 'seed of the random data (default 1)')
const tlsKey = target('--tls-key <file>', 'its key (PEM)')
const caOut = target('--ca-out <file>', 'write the authority of the generated certificate to this file')
const json = option('--json', 'as JSON')
const secret = target('--secret <whsec>', 'the secret it was given', { isSecret: true })
const duration = advanced('--duration <s>', 'for this many seconds (default 10)')

/** Access to a service, besides its address. */
const serviceAccess = [
  target('--header <name: value>', headerHelp, { ...isHeader, fileKey: 'header' }),
  target('--insecure', insecureHelp, { fileKey: 'insecure' }),
  target('--ca <file>', caHelp, { fileKey: 'ca' }),
  target('--client-cert <file>', clientCertHelp, { fileKey: 'client_cert' }),
  target('--client-key <file>', 'its key (PEM)', { fileKey: 'client_key' }),
] as const

const driverCommand = {
  form: '[command...]',
  help: 'the driver and its arguments, after --; or verifier.command and client.command of the configuration',
}

/** Every command by its path; `vectors` holds two. */
export const commands = {
  run: {
    help: 'test a service at a base URL',
    options: [
      ...optionsOfRuns,
      baseUrl,
      apiKey,
      target('--reference', 'test the reference server, started in this process'),
      target('--mutant <id>', 'with --reference: add this deliberate mistake from `conformance selftest`'),
      target('--second-api-key <key>', 'a key of a second project, which must see nothing of the first', {
        fileKey: 'second_api_key',
        isSecret: true,
      }),
      controlUrl,
      controlKey,
      controlCommand,
      ...serviceAccess,
      retryDepth,
      advanced('--max-rps <n>', 'at most this many requests a second', { fileKey: 'max_rps' }),
      advanced('--state <file>', 'keep progress in this file, and resume from it after a stop', {
        fileKey: 'state',
      }),
      advanced('--journal <file>', 'record here what the run creates on the target (default: in your state folder)', {
        fileKey: 'journal',
      }),
    ],
  },
  cleanup: {
    help: 'remove the leftovers of killed runs on a target',
    options: [
      advanced(
        '--journal <file>',
        'what one run created; by default the journals of all finished runs on this target',
        {
          fileKey: 'journal',
        },
      ),
      baseUrl,
      apiKey,
      controlUrl,
      controlKey,
      controlCommand,
      ...serviceAccess,
      config,
      noConfig,
    ],
  },
  receiver: {
    help: 'test a webhook endpoint at a URL',
    options: [
      ...optionsOfRuns,
      target('--url <url>', 'where the endpoint takes deliveries', { fileKey: 'endpoint.url' }),
      secret,
      ...accessOptions,
      advanced('--max-rps <n>', 'at most this many deliveries a second', { fileKey: 'max_rps' }),
      advanced('--rps <n>', 'a steady load of this many deliveries a second'),
      duration,
      profileOf('endpoint.profile'),
      target('--events <path>', 'your own event bodies, instead of the nine types: a file or a folder'),
      headerNames,
      scheme,
      target('--handled-url <url>', 'where it answers how often it handled the event {id}: {"count": n}', {
        fileKey: 'endpoint.handled_url',
      }),
    ],
  },
  sender: {
    help: 'test a program that sends signed webhooks: listen, trigger it, and check the deliveries',
    options: [
      ...optionsOfRuns,
      target('--secret <whsec>', 'the secret it signs with; of an Ed25519 scheme its public key', { isSecret: true }),
      target('--listen <host:port>', 'where to listen, TLS and plain HTTP on one port (default 127.0.0.1:8443)', {
        fileKey: 'sender.listen',
      }),
      target('--public-url <url>', 'where the sender reaches the listener, through a tunnel or proxy', {
        fileKey: 'sender.public_url',
      }),
      target('--trigger <command>', 'makes it send one event, of the type in CONFORMANCE_EVENT_TYPE; run by sh -c', {
        fileKey: 'sender.trigger',
      }),
      target('--wait', 'prompt a person to cause each event, and wait for it (default without --trigger)'),
      target('--tls-cert <file>', 'certificate of the listener (PEM; default: one is generated)'),
      tlsKey,
      caOut,
      profileOf('sender.profile'),
      target('--schedule <delays>', 'delays before attempts 2, 3, … (default 5s,5m,30m,2h,5h,10h)'),
      judgement('--retry-depth <n>', 'attempts watched in real time (default 2)'),
      headerNames,
      scheme,
    ],
  },
  verifier: {
    help: 'test a signature verification library through a driver program',
    usage: '[options] -- <command...>',
    arguments: [driverCommand],
    passesThrough: true,
    options: [...optionsOfRuns, headerNames, scheme],
  },
  client: {
    help: 'test a client library through a driver program',
    usage: '[options] -- <command...>',
    arguments: [driverCommand],
    passesThrough: true,
    options: optionsOfRuns,
  },
  ui: {
    help: 'run with a page on this machine that shows the cases as they run, and reruns any of them at a click',
    usage: '[run|receiver|verifier|client|sender] [options of that command]',
    arguments: [
      { form: '[words...]', help: `${listed(pageKinds, 'or')} (default run), and its options`, words: pageKinds },
    ],
    passesThrough: true,
    options: [],
  },
  serve: {
    help: 'serve the reference server; `serve receiver` and `serve sender` serve those references',
    arguments: [{ form: '[what]', help: listed(servables, 'or'), fallback: 'server', words: servables }],
    options: [
      option('--host <address>', 'address to listen on (default 127.0.0.1)'),
      option('--port <n>', 'port to listen on (default 0: any that is free)'),
      option('--api-key <key>', 'server: key of the first org; generated by default', { isSecret: true }),
      option('--with-receiver', 'server: serve a receiver too, with a webhook that delivers to it'),
      option('--mutant <id>', 'server, receiver: add this deliberate mistake from `conformance selftest`'),
      option('--control', 'server: offer the control interface'),
      option('--control-key <key>', 'server: its key; generated by default', { isSecret: true }),
      option('--data <file>', 'server: keep the state in this SQLite file; in memory by default'),
      option('--allow <address:port>', 'server: also deliver to this loopback address; repeatable', { separator }),
      option('--ca <file>', 'server, sender: trust this authority for deliveries (PEM)'),
      option('--public-egress', 'server, sender: allow deliveries to addresses outside loopback'),
      option('--secret <whsec>', 'receiver: the secret it verifies with, sender: signs with; generated by default', {
        isSecret: true,
      }),
      option('--url <url>', 'sender: where deliveries go (default http://127.0.0.1:8443/webhooks)'),
      option('--schedule <delays>', 'sender: delays before attempts 2, 3, … (default 5s,5m,30m,2h,5h,10h)'),
      option('--tls <file>', 'receiver: speak TLS; the authority of its certificate is written to this file'),
      option('--json', 'print where it listens, and what a receiver gets or a sender sends, as JSON lines'),
    ],
  },
  ...controlCommands,
  ...deliveryCommands,
  observe: {
    help: 'check the traffic of a live service, as it passes or from captures, without sending anything',
    options: [
      target('--from <file...>', 'check captures: conformance-capture/1 or HAR 1.2; several files are one capture', {
        separator,
      }),
      target('--base-url <url>', 'the service to forward to; with --from, the service whose traffic is judged', {
        fileKey: 'base_url',
      }),
      target('--listen <host:port>', 'where clients reach the service through this program (default 127.0.0.1:0)'),
      target('--webhooks <url>', 'the receiver to forward to'),
      target('--webhook-listen <host:port>', 'where the service reaches the receiver through this program'),
      target(
        '--tls-cert <file>',
        'certificate of both addresses (PEM; default: one is generated; TLS and plain HTTP share a port)',
      ),
      tlsKey,
      caOut,
      target('--secret <whsec>', 'secret of a webhook that was created before; repeatable', {
        separator,
        isSecret: true,
      }),
      output('--record <file>', 'record the traffic in this capture file'),
      output('--redact <path>', 'JSON path of a body field that is neither recorded, judged nor shown; repeatable', {
        separator,
      }),
      advanced('--duration <s>', 'end after this many seconds (default: on Ctrl-C)'),
      judgement('--strict', 'exit with 1 unless the verdict is conformant, which watching never proves', {
        fileKey: 'strict',
      }),
      knownFailures,
      reporter,
      badge,
      config,
      noConfig,
      quiet,
      verbose,
    ],
  },
  vectors: { help: 'signature test vectors', options: [] },
  'vectors generate': {
    help: 'write signature vectors; the same seed gives the same bytes',
    options: [
      option('--count <n>', 'how many (default 1000)'),
      seed,
      option('--format <format>', 'json or ndjson (default json)', { words: vectorFormats }),
      headerNames,
      scheme,
      option('--out <file>', 'file to write; standard output by default'),
    ],
  },
  'vectors check': {
    help: 'check a file of signature vectors',
    arguments: [{ form: '<file>', help: 'json or ndjson' }],
    options: [],
  },
  schemes: { help: 'list the built-in signature schemes', options: [json] },
  'schemes show': {
    help: 'explain a signature scheme, with a signed example that openssl computes again',
    arguments: [{ form: '<scheme>', help: 'a built-in scheme, or a scheme file' }],
    options: [json],
  },
  list: {
    help: 'list cases, suites or requirements',
    options: [
      reportKind,
      option('--suites', 'list the suites, each with the number of its cases'),
      option('--requirements', 'list requirements'),
      option('--coverage', 'list which cases check each requirement'),
      option('--cases <module>', 'your own cases in this module, instead of those of the kit'),
      json,
    ],
  },
  explain: {
    help: 'explain a case, a suite, a requirement or an open point',
    arguments: [{ form: '<id>', help: 'the id of a case, a suite, a requirement or an open point' }],
    options: [option('--cases <module>', 'your own cases in this module, in addition to those of the kit')],
  },
  coverage: {
    help: 'print which cases check each requirement',
    options: [
      reportKind,
      option('--sentences', 'each sentence of the interface: its requirements, its cases, and the mutants they detect'),
      json,
    ],
  },
  selftest: {
    help: 'test this program itself: every mutant (a deliberate mistake) must fail, and no correct variant',
    options: [
      subject,
      option('--mutant <id>', 'mutants to run: an id or a glob; repeatable', { separator }),
      option('--diff', 'with --mutant: show the mistakes as diffs, and run nothing'),
      option('--case <id>', 'what this case kills, and what no other does: an id or a glob; repeatable', { separator }),
      option('--sample <n>', 'every n-th mutant only'),
      option('--full', 'every case of its kind on every mutant, and every variant alone too'),
      option(
        '--seeds <n>',
        'no mutants: only the references and random combinations of variants, with this many seeds',
      ),
      option('--load <n>', 'busy loops to run at the same time, as on a shared machine'),
      option('--jobs <n>', 'processes (default: one per core plus one, since many trials wait)'),
      format,
      seed,
    ],
  },
  report: {
    help: 'merge the shards of a run, convert reports, or compare them',
    arguments: [{ form: '<file...>', help: 'JSON reports; with --history, also folders of them' }],
    options: [
      reporter,
      badge,
      option('--compare', 'show reports in columns: the verdicts, fixed and new failures'),
      option('--history', 'show every report in the given folders over time, target by target'),
      strict,
    ],
  },
  init: initCommand,
  help: {
    help: 'show how to use a command, or list every command',
    arguments: [{ form: '[command...]', help: 'a command, such as run or vectors generate' }],
    options: [option('--all', 'list every command')],
  },
  completion: {
    help: 'print a completion script',
    arguments: [{ form: '<shell>', help: 'bash, zsh or fish', words: ['bash', 'zsh', 'fish'] }],
    options: [],
  },
} as const satisfies Readonly<Record<string, CommandEntry>>

/** The path of a command: `run`, `vectors generate`. */
export type CommandPath = keyof typeof commands

/** The name of an option of some command. */
export type OptionName = (typeof commands)[CommandPath]['options'][number]['name']
