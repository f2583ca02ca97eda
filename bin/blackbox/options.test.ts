// Every option of the table, as a flag, as its variable and, if it has one, as a key of the configuration file: each has its effect, and
// the help has no other options.
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sinkCertificate } from '../../harness/webhook-sink.js'
import { har, page } from '../../harness/testing/traffic/har.js'
import { examples } from '../cli/examples.js'
import { shownOptions, variableName, type CommandEntry, type Option } from '../cli/option.js'
import { commands, type CommandPath } from '../cli/options.js'
import { commandHere, program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

interface Ended {
  readonly code: number
  readonly text: string
}

// Earlier runs of this user must not affect these.
const ownState = { XDG_STATE_HOME: join(folder, 'state') }
const run = commandHere(folder, ownState)
/** A server has started. */
const started = /Interrupt to stop|"url"/

type Call = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>

/** Calls the command in this process; a server ends as soon as it has printed its address. */
const conformance: Call = async (args, env = {}) => {
  const { code, out, err } = await run(args, env, args[0] === 'serve' ? { until: started } : {})
  return { code, text: out + err }
}

/** Starts the command as a process of its own, and ends a server in the same way. */
const inProcess: Call = (args, env = {}) =>
  new Promise((done) => {
    const environment = { ...process.env, NO_COLOR: '1', ...ownState, ...env }
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: environment })
    child.stdin.end()
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (args[0] === 'serve' && started.test(text)) child.kill('SIGTERM')
      })
    child.once('close', (code) => done({ code: code ?? -1, text }))
  })

/** A request whose body was written again and then got a byte order mark, signed with the secret undecoded. */
function threeMistakes(): string {
  const event = { id: 'evt_1', type: 'message.received', data: { subject: 'Hi' } }
  const mac = createHmac('sha256', secret.replace('whsec_', ''))
    .update(`evt_1.1700000000.${JSON.stringify(event, null, 2)}`)
    .digest('base64')
  const head = `webhook-id: evt_1\r\nwebhook-timestamp: 1700000000\r\nwebhook-signature: v1,${mac}`
  return `POST / HTTP/1.1\r\n${head}\r\n\r\n\ufeff${JSON.stringify(event)}`
}

interface Row {
  readonly command: string
  readonly option: string
  /** Absent for a switch. */
  readonly value?: string
  /** More arguments of the command, before and after `--`. */
  readonly with?: readonly string[]
  readonly after?: readonly string[]
  /** Output with the option, and not without it. */
  readonly prints?: RegExp
  readonly code?: number
  /** A file that is there afterwards. */
  readonly writes?: string
}

/** A verifier that accepts everything: most cases fail. */
const wrongDriver = ['--', process.execPath, 'wrong-driver.mjs']
const one = ['--reference', '--case', 'service/webhooks/creates-with-201', '--seed', '1']
/** The shortest run: one case of a right verifier. The reference server takes several times as long. */
const shortest = {
  command: 'verifier',
  with: ['--case', 'verifier/signing/signs-as-the-scheme-says', '--seed', '1'],
  after: ['--', process.execPath, join(import.meta.dirname, '../../fixtures/drivers/verifier.mjs')],
}
const wrongVerifier = {
  with: ['--concurrency', '1', '--suite', 'verifier/signing'],
  after: wrongDriver,
}
const target = ['--base-url', 'http://127.0.0.1:9']
const endpoint = ['--url', 'http://127.0.0.1:9', '--secret', secret]
const signed = ['--secret', secret]
const controlled = ['http://127.0.0.1:9', '--control-key', 'k']
let tlsUrl = ''

/** The options every kind of run takes; the commands share the code that reads them. */
const shared: readonly Row[] = [
  {
    command: 'run',
    option: 'cases',
    value: '/nowhere.mjs',
    with: one,
    prints: /--cases .*nowhere\.mjs: cannot be read \(ENOENT: there is no such/,
    code: 2,
  },
  {
    command: 'run',
    option: 'suite',
    value: 'service/nope',
    with: ['--reference'],
    prints: /--suite service\/nope matches nothing/,
    code: 2,
  },
  {
    command: 'run',
    option: 'case',
    value: 'service/no/pe',
    with: ['--reference'],
    prints: /--case service\/no\/pe matches nothing/,
    code: 2,
  },
  {
    command: 'run',
    option: 'exclude',
    value: 'service/no/pe',
    with: ['--reference'],
    prints: /--exclude service\/no\/pe matches nothing/,
    code: 2,
  },
  {
    command: 'run',
    option: 'grep',
    value: 'no such words',
    with: ['--reference'],
    prints: /--grep no such words: no id or title contains it/,
    code: 2,
  },
  { command: 'run', option: 'max-failures', value: '0', with: one, prints: /--max-failures 0: expected/, code: 2 },
  {
    command: 'run',
    option: 'requirement',
    value: 'WHK-999',
    with: ['--reference'],
    prints: /--requirement WHK-999 matches nothing/,
    code: 2,
  },
  {
    command: 'run',
    option: 'last-failed',
    with: [...target, '--api-key', 'k'],
    prints: /no earlier run on http:\/\/127\.0\.0\.1:9 is known/,
    code: 2,
  },
  {
    command: 'run',
    option: 'profile-waits',
    with: one,
    prints:
      /Waits +1 cases took [^]*(?:answers of the API|workspaces \(control\)): \d+ times in 1 cases[^]*The longest cases/,
  },
  { command: 'run', option: 'repeat', value: '0', with: one, prints: /--repeat 0: expected/, code: 2 },
  { command: 'run', option: 'level', value: 'may', with: one, prints: /--level may: expected/, code: 2 },
  { command: 'run', option: 'seed', value: 'x', with: ['--reference'], prints: /--seed x: expected/, code: 2 },
  { command: 'run', option: 'runs', value: '0', with: one, prints: /--runs 0: expected/, code: 2 },
  { command: 'run', option: 'replay', value: '0:x', with: one, prints: /--replay 0:x: expected/, code: 2 },
  { command: 'run', option: 'concurrency', value: '0', with: one, prints: /--concurrency 0: expected/, code: 2 },
  { command: 'run', option: 'timeout', value: 'soon', with: one, prints: /--timeout soon: expected/, code: 2 },
  { command: 'run', option: 'shard', value: '3/2', with: one, prints: /--shard 3\/2: expected/, code: 2 },
  {
    command: 'run',
    option: 'shard-by',
    value: 'nowhere.json',
    with: one,
    prints: /--shard-by balances shards: give --shard too/,
    code: 2,
  },
  { command: 'verifier', option: 'bail', ...wrongVerifier, prints: /^Cases .*\b1 failed/m, code: 1 },
  { ...shortest, option: 'strict', code: 1 },
  {
    command: 'run',
    option: 'known-failures',
    value: '/nowhere.yaml',
    with: one,
    prints: /--known-failures \/nowhere\.yaml: cannot be read/,
    code: 2,
  },
  {
    ...shortest,
    after: wrongDriver,
    option: 'write-known-failures',
    value: 'written.yaml',
    writes: 'written.yaml',
    code: 1,
  },
  { command: 'run', option: 'reporter', value: 'smoke', with: one, prints: /--reporter smoke: expected/, code: 2 },
  { ...shortest, option: 'output-dir', value: 'all', writes: 'all/junit.xml', code: 0 },
  { ...shortest, option: 'open', prints: /--open: a browser is opened only from a terminal/, code: 0 },
  { ...shortest, option: 'badge', value: 'badge.svg', writes: 'badge.svg', code: 0 },
  {
    command: 'run',
    option: 'config',
    value: '/nowhere.yaml',
    with: one,
    prints: /--config \/nowhere\.yaml: cannot be read/,
    code: 2,
  },
  { command: 'run', option: 'dry-run', with: one, prints: /1 cases? would run/, code: 0 },
  { ...shortest, option: 'verbose', prints: /verifier\/signing\/signs-as-the-scheme-says/, code: 0 },
]

/** Returns rows for values that an option refuses at once, with the message and the other arguments of the command. */
function refused(
  command: string,
  options: Readonly<Record<string, readonly [value: string, says: RegExp, beside?: readonly string[]]>>,
): readonly Row[] {
  return Object.entries(options).map(([option, [value, prints, requiredOptions = []]]) => ({
    command,
    option,
    value,
    with: requiredOptions,
    prints,
    code: 2,
  }))
}

/** A body that is there, and an endpoint that is not. */
const body = ['--body', 'headers.txt']
const nobody = ['--url', 'http://127.0.0.1:9']

const rows: readonly Row[] = [
  ...shared,
  { command: 'run', option: 'base-url', value: 'nonsense', prints: /--base-url nonsense: expected a URL/, code: 2 },
  { command: 'run', option: 'reference', with: one.slice(1), prints: /1 passed/, code: 0 },
  {
    command: 'run',
    option: 'mutant',
    value: 'server/creates-with-200',
    with: one,
    prints: /expected  201\n +got +200[^]*--reference --mutant server\/creates-with-200 --case/,
    code: 1,
  },
  {
    command: 'run',
    option: 'api-key',
    value: 'a b',
    with: target,
    prints: /--api-key: the key contains a space/,
    code: 2,
  },
  {
    command: 'run',
    option: 'second-api-key',
    value: 'k',
    with: [...target, '--api-key', 'k'],
    prints: /--second-api-key: the same as --api-key/,
    code: 2,
  },
  {
    command: 'run',
    option: 'control-url',
    value: 'http://127.0.0.1:9',
    with: target,
    prints: /--control-url needs --control-key/,
    code: 2,
  },
  {
    command: 'run',
    option: 'control-key',
    value: 'c',
    with: target,
    prints: /--control-key needs --control-url/,
    code: 2,
  },
  {
    command: 'run',
    option: 'control-command',
    value: 'exit 7',
    with: [...target, '--api-key', 'k', '--dry-run'],
    prints: /assumes that it offers everything/,
    code: 0,
  },
  {
    command: 'cleanup',
    option: 'control-command',
    value: 'exit 7',
    with: target,
    prints: /has left a journal/,
    code: 0,
  },
  {
    command: 'control check',
    option: 'config',
    value: '/nowhere.yaml',
    with: controlled,
    prints: /--config \/nowhere\.yaml: cannot be read/,
    code: 2,
  },
  { command: 'control check', option: 'control-command', value: 'exit 7', prints: /exited with 7/, code: 1 },
  {
    command: 'control check',
    option: 'control-url',
    value: 'u',
    with: ['--control-key', 'k'],
    prints: /expected a URL/,
    code: 2,
  },
  {
    command: 'control check',
    option: 'control-key',
    value: 'c',
    with: ['http://127.0.0.1:9'],
    prints: /no connection/,
    code: 3,
  },
  {
    command: 'control check',
    option: 'base-url',
    value: 'u',
    with: controlled,
    prints: /--base-url u: expected a URL/,
    code: 2,
  },
  { command: 'control check', option: 'header', value: 'x', with: controlled, prints: /--header.*: expected/, code: 2 },
  {
    command: 'control check',
    option: 'ca',
    value: '/nowhere.pem',
    with: controlled,
    prints: /--ca \/nowhere\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'control check',
    option: 'client-cert',
    value: '/nowhere-cert.pem',
    with: controlled,
    prints: /--client-cert \/nowhere-cert\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'control check',
    option: 'client-key',
    value: '/nowhere-key.pem',
    with: controlled,
    prints: /--client-key \/nowhere-key\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'cleanup',
    option: 'header',
    value: 'x',
    with: target,
    prints: /--header.*: expected "name: value"/,
    code: 2,
  },
  {
    command: 'cleanup',
    option: 'ca',
    value: '/nowhere.pem',
    with: target,
    prints: /--ca \/nowhere\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'cleanup',
    option: 'client-cert',
    value: '/nowhere-cert.pem',
    with: target,
    prints: /--client-cert \/nowhere-cert\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'cleanup',
    option: 'client-key',
    value: '/nowhere-key.pem',
    with: target,
    prints: /--client-key \/nowhere-key\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'run',
    option: 'header',
    value: 'x',
    with: [...target, '--api-key', 'k'],
    prints: /--header.*: expected "name: value"/,
    code: 2,
  },
  {
    command: 'run',
    option: 'ca',
    value: '/nowhere.pem',
    with: [...target, '--api-key', 'k'],
    prints: /--ca \/nowhere\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'run',
    option: 'client-cert',
    value: '/nowhere-cert.pem',
    with: [...target, '--api-key', 'k'],
    prints: /--client-cert \/nowhere-cert\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'run',
    option: 'client-key',
    value: '/nowhere-key.pem',
    with: [...target, '--api-key', 'k'],
    prints: /--client-key \/nowhere-key\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'ca',
    value: '/nowhere.pem',
    with: endpoint,
    prints: /--ca \/nowhere\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'client-cert',
    value: '/nowhere-cert.pem',
    with: endpoint,
    prints: /--client-cert \/nowhere-cert\.pem: cannot be read/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'client-key',
    value: '/nowhere-key.pem',
    with: endpoint,
    prints: /--client-key \/nowhere-key\.pem: cannot be read/,
    code: 2,
  },
  { command: 'run', option: 'retry-depth', value: '8', with: target, prints: /--retry-depth 8: expected/, code: 2 },
  { command: 'run', option: 'max-rps', value: '0', with: target, prints: /--max-rps 0: expected/, code: 2 },
  {
    command: 'receiver',
    option: 'url',
    value: 'nonsense',
    with: endpoint.slice(2),
    prints: /--url nonsense: expected a URL/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'secret',
    value: 'nonsense',
    with: endpoint.slice(0, 2),
    prints: /--secret: expected whsec_/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'header',
    value: 'nonsense',
    with: endpoint,
    prints: /--header: expected "name: value", with a colon after the name/,
    code: 2,
  },
  { command: 'receiver', option: 'max-rps', value: '0', with: endpoint, prints: /--max-rps 0: expected/, code: 2 },
  { command: 'receiver', option: 'rps', value: '0', with: endpoint, prints: /--rps 0: expected/, code: 2 },
  { command: 'receiver', option: 'duration', value: '0', with: endpoint, prints: /--duration 0: expected/, code: 2 },
  { command: 'receiver', option: 'profile', value: 'all', with: endpoint, prints: /--profile all: expected/, code: 2 },
  { command: 'receiver', option: 'events', value: 'none.json', with: endpoint, prints: /cannot be read/, code: 2 },
  {
    command: 'receiver',
    option: 'header-names',
    value: 'x',
    with: endpoint,
    prints: /expected webhook or svix/,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'scheme',
    value: 'x',
    with: endpoint,
    prints: /--scheme x: expected discord, /,
    code: 2,
  },
  {
    command: 'receiver',
    option: 'handled-url',
    value: 'http://127.0.0.1:9/h',
    with: endpoint,
    prints: /expected \{id\}/,
    code: 2,
  },
  {
    command: 'serve',
    option: 'host',
    value: '192.0.2.1',
    prints: /192\.0\.2\.1:0 is not an address of this machine/,
    code: 2,
  },
  { command: 'serve', option: 'port', value: 'x', prints: /--port x: expected/, code: 2 },
  { command: 'serve', option: 'api-key', value: 'k_one', prints: /API key +k_one\n/, code: 0 },
  { command: 'serve', option: 'with-receiver', prints: /^Receiver +https:/m, code: 0 },
  {
    command: 'serve',
    option: 'mutant',
    value: 'server/nope',
    prints: /--mutant server\/nope: no such mutant/,
    code: 2,
  },
  { command: 'serve', option: 'control', prints: /Control key/, code: 0 },
  {
    command: 'serve',
    option: 'control-key',
    value: 'c_one',
    with: ['--control'],
    prints: /Control key +c_one\n/,
    code: 0,
  },
  { command: 'serve', option: 'data', value: 'kept.db', writes: 'kept.db', code: 0 },
  { command: 'serve', option: 'allow', value: '127.0.0.1:9', prints: /Deliveries go to +127\.0\.0\.1:9\n/, code: 0 },
  { command: 'serve', option: 'ca', value: '/nowhere.pem', prints: /--ca \/nowhere\.pem: cannot be read/, code: 2 },
  { command: 'serve', option: 'public-egress', prints: /may leave this machine/, code: 0 },
  { command: 'serve', option: 'secret', value: secret, with: ['receiver'], prints: new RegExp(secret), code: 0 },
  { command: 'serve', option: 'tls', value: 'authority.pem', with: ['receiver'], writes: 'authority.pem', code: 0 },
  {
    command: 'serve',
    option: 'url',
    value: 'http://192.0.2.1/',
    with: ['sender'],
    prints: /--url http:\/\/192\.0\.2\.1\/: deliveries go to loopback/,
    code: 2,
  },
  {
    command: 'serve',
    option: 'schedule',
    value: 'soon',
    with: ['sender'],
    prints: /--schedule soon: expected/,
    code: 2,
  },
  { command: 'serve', option: 'json', prints: /^\{"url":/, code: 0 },
  { command: 'vectors generate', option: 'count', value: '0', prints: /--count 0: expected/, code: 2 },
  { command: 'vectors generate', option: 'seed', value: 'x', prints: /--seed x: expected/, code: 2 },
  { command: 'vectors generate', option: 'format', value: 'xml', prints: /--format xml: expected/, code: 2 },
  { command: 'vectors generate', option: 'out', value: 'vectors.json', writes: 'vectors.json', code: 0 },
  { command: 'vectors generate', option: 'header-names', value: 'x', prints: /expected webhook or svix/, code: 2 },
  { command: 'vectors generate', option: 'scheme', value: 'x', prints: /--scheme x: expected discord, /, code: 2 },
  {
    command: 'verifier',
    option: 'scheme',
    value: 'x',
    ...wrongVerifier,
    prints: /--scheme x: expected discord, /,
    code: 2,
  },
  {
    command: 'verifier',
    option: 'header-names',
    ...wrongVerifier,
    value: 'x',
    prints: /expected webhook or svix/,
    code: 2,
  },
  { command: 'list', option: 'subject', value: 'nobody', prints: /--subject nobody: expected/, code: 2 },
  { command: 'help', option: 'all', prints: /^Look up:$/m, code: 0 },
  { command: 'list', option: 'suites', prints: /^service\/retries +\d+ cases, \d+ of level must$/m, code: 0 },
  { command: 'list', option: 'requirements', prints: /^AUTH-001  service/m, code: 0 },
  { command: 'list', option: 'coverage', prints: /requirements have a case/, code: 0 },
  { command: 'schemes', option: 'json', prints: /^\[\n/, code: 0 },
  { command: 'schemes show', option: 'json', with: ['stripe'], prints: /^\{\n/, code: 0 },
  { command: 'list', option: 'json', prints: /^\[\n/, code: 0 },
  { command: 'coverage', option: 'subject', value: 'nobody', prints: /--subject nobody: expected/, code: 2 },
  { command: 'coverage', option: 'json', prints: /^\[\n/, code: 0 },
  { command: 'coverage', option: 'sentences', prints: /sentences and table rows: \d+ tested/, code: 0 },
  { command: 'selftest', option: 'subject', value: 'nobody', prints: /--subject nobody: expected/, code: 2 },
  { command: 'selftest', option: 'mutant', value: 'no/such', prints: /no\/such: matches no mutant/, code: 2 },
  {
    command: 'selftest',
    option: 'diff',
    with: ['--mutant', 'verifier/accepts-stale'],
    prints: /^- {2}if \(age > toleranceSeconds\)\n\+ {2}if \(false\)/m,
    code: 0,
  },
  {
    command: 'list',
    option: 'cases',
    value: '/nowhere.mjs',
    prints: /--cases .*nowhere\.mjs: cannot be read \(ENOENT: there is no such/,
    code: 2,
  },
  {
    command: 'explain',
    option: 'cases',
    value: '/nowhere.mjs',
    with: ['RTY-002'],
    prints: /--cases .*nowhere\.mjs: cannot be read \(ENOENT: there is no such/,
    code: 2,
  },
  { command: 'selftest', option: 'case', value: 'no/such', prints: /--case no\/such: matches no case/, code: 2 },
  { command: 'selftest', option: 'sample', value: '0', prints: /--sample 0: expected/, code: 2 },
  { command: 'selftest', option: 'seeds', value: '0', prints: /--seeds 0: expected/, code: 2 },
  { command: 'selftest', option: 'jobs', value: '0', prints: /--jobs 0: expected/, code: 2 },
  { command: 'selftest', option: 'format', value: 'xml', prints: /--format xml: expected/, code: 2 },
  { command: 'selftest', option: 'seed', value: 'x', prints: /--seed x: expected/, code: 2 },
  {
    command: 'report',
    option: 'reporter',
    value: 'smoke',
    with: ['report.json'],
    prints: /--reporter smoke: expected/,
    code: 2,
  },
  { command: 'report', option: 'badge', value: 'badge.json', with: ['report.json'], writes: 'badge.json', code: 0 },
  { command: 'report', option: 'compare', with: ['report.json', 'second.json'], prints: /report\.json/, code: 0 },
  { command: 'report', option: 'history', with: ['report.json'], prints: /1 run\n/, code: 0 },
  { command: 'report', option: 'strict', with: ['report.json'], code: 1 },
  ...refused('cleanup', {
    'base-url': ['nonsense', /--base-url nonsense: expected a URL/],
    'api-key': ['a b', /--api-key: the key contains a space/, target],
    'control-url': ['http://127.0.0.1:9', /--control-url needs --control-key/, target],
    'control-key': ['c', /--control-key needs --control-url/, target],
    config: ['/nowhere.yaml', /--config \/nowhere\.yaml: cannot be read/, target],
  }),
  ...refused('sender', {
    secret: ['nonsense', /--secret: expected whsec_/],
    listen: ['nowhere', /--listen nowhere: expected host:port/, signed],
    'public-url': ['nonsense', /--public-url nonsense: expected a URL/, signed],
    trigger: ['true', /--trigger and --wait are two ways/, [...signed, '--wait']],
    'tls-cert': ['a.pem', /--tls-cert and --tls-key belong together/, signed],
    'tls-key': ['a.pem', /--tls-cert and --tls-key belong together/, signed],
    'ca-out': ['/nowhere/ca.pem', /--ca-out \/nowhere\/ca\.pem: cannot be written/, [...signed, '--listen', '0']],
    profile: ['all', /--profile all: expected/, signed],
    schedule: ['soon', /--schedule soon: expected/, signed],
    'retry-depth': ['0', /--retry-depth 0: expected/, signed],
    'header-names': ['x', /--header-names x: expected/, signed],
    scheme: ['x', /--scheme x: expected discord, /, signed],
  }),
  {
    command: 'sender',
    option: 'wait',
    with: [...signed, '--trigger', 'true'],
    prints: /--trigger and --wait are two ways/,
    code: 2,
  },
  ...refused('sign', {
    secret: ['nonsense', /--secret: expected whsec_/, body],
    body: ['none.json', /--body none\.json: cannot be read/, signed],
    timestamp: ['soon', /--timestamp soon: expected/, [...signed, ...body]],
    'header-names': ['x', /--header-names x: expected/, [...signed, ...body]],
    scheme: ['x', /--scheme x: expected discord, /, [...signed, ...body]],
    format: ['xml', /--format xml: expected/, [...signed, ...body]],
  }),
  {
    command: 'sign',
    option: 'id',
    value: 'evt_77',
    with: [...signed, ...body],
    prints: /^webhook-id: evt_77\n/,
    code: 0,
  },
  ...refused('verify', {
    secret: [secret, /verify needs a request/],
    headers: ['none.txt', /--headers none\.txt: cannot be read/, [...signed, '--body', 'none.txt']],
    body: ['none.txt', /--body none\.txt: cannot be read/, [...signed, '--headers', 'headers.txt']],
    request: ['none.txt', /--request none\.txt: cannot be read/, signed],
    now: ['soon', /--now soon: expected/, signed],
    scheme: ['x', /--scheme x: expected discord, /, [...signed, '--request', 'none.txt']],
    format: ['xml', /--format xml: expected/, signed],
  }),
  ...refused('send', {
    url: ['nonsense', /--url nonsense: expected a URL/, signed],
    secret: ['nonsense', /--secret: expected whsec_/, nobody],
    event: ['message.sent', /--event message\.sent: expected/, [...signed, ...nobody]],
    body: ['none.json', /--body none\.json: cannot be read/, [...signed, ...nobody]],
    id: ['a b', /--id a b: expected/, [...signed, ...nobody]],
    timestamp: ['soon', /--timestamp soon: expected/, [...signed, ...nobody]],
    'header-names': ['x', /--header-names x: expected/, [...signed, ...nobody]],
    scheme: ['x', /--scheme x: expected discord, /, [...signed, ...nobody]],
    header: ['x', /--header.*: expected "name: value"/, [...signed, ...nobody]],
    ca: ['/nowhere.pem', /--ca \/nowhere\.pem: cannot be read/, [...signed, ...nobody]],
    'client-cert': ['/nowhere.pem', /--client-cert \/nowhere\.pem: cannot be read/, [...signed, ...nobody]],
    'client-key': ['/nowhere.pem', /--client-key \/nowhere\.pem: cannot be read/, [...signed, ...nobody]],
    from: ['none.har', /--from none\.har: cannot be read/, [...nobody, '--sign-with', secret]],
    delivery: ['evt_1', /--delivery is for recorded deliveries/, [...signed, ...nobody]],
    'sign-with': [secret, /--sign-with is for recorded deliveries/, [...signed, ...nobody]],
  }),
  {
    command: 'send',
    option: 'as-is',
    with: [...signed, ...nobody],
    prints: /--as-is is for recorded deliveries/,
    code: 2,
  },
  ...refused('listen', {
    record: [
      '/nowhere/a.ndjson',
      /--record \/nowhere\/a\.ndjson: cannot be written/,
      ['--forward-to', 'http://127.0.0.1:9'],
    ],
    'forward-to': ['nonsense', /--forward-to nonsense: expected a URL/],
    listen: ['nowhere', /--listen nowhere: expected host:port/, ['--forward-to', 'http://127.0.0.1:9']],
    secret: ['nonsense', /--secret: expected whsec_/, ['--forward-to', 'http://127.0.0.1:9']],
    scheme: ['x', /--scheme x: expected discord, /, ['--forward-to', 'http://127.0.0.1:9/']],
  }),
  ...refused('diagnose', {
    secret: [secret, /diagnose needs a request/],
    headers: ['none.txt', /--headers none\.txt: cannot be read/, [...signed, '--body', 'none.txt']],
    body: ['none.txt', /--body none\.txt: cannot be read/, [...signed, '--headers', 'headers.txt']],
    request: ['none.txt', /--request none\.txt: cannot be read/, signed],
    now: ['soon', /--now soon: expected/, signed],
    scheme: ['x', /--scheme x: expected discord, /, [...signed, '--request', 'none.txt']],
    format: ['xml', /--format xml: expected/, signed],
  }),
  {
    command: 'diagnose',
    option: 'deep',
    with: [...signed, '--request', 'three.http'],
    prints: /with all 3 of these undone together/,
    code: 1,
  },
  // What it serves is tested in pages/testing/diagnose.test.ts.
  {
    command: 'diagnose',
    option: 'ui',
    with: [...signed, '--deep', '--request', 'none.txt'],
    prints: /--deep: the page of --ui has a choice for it/,
    code: 2,
  },
  { command: 'observe', option: 'strict', with: ['--from', 'seen.har'], code: 1 },
  { command: 'observe', option: 'verbose', with: ['--from', 'seen.har'], prints: /observe\/webhooks\//, code: 0 },
  ...refused('observe', {
    from: ['none.har', /none\.har: cannot be read/],
    'base-url': ['nonsense', /--base-url nonsense: expected a URL/],
    listen: ['nowhere', /--listen nowhere: expected host:port/, target],
    webhooks: ['nonsense', /--webhooks nonsense: expected a URL/],
    'webhook-listen': ['127.0.0.1:0', /--webhook-listen: say where deliveries are forwarded to/, target],
    secret: ['nonsense', /--secret: expected whsec_/, target],
    record: ['/nowhere/a.ndjson', /--record \/nowhere\/a\.ndjson: cannot be written/, target],
    duration: ['0', /--duration 0: expected/, target],
    'tls-cert': ['a.pem', /--tls-cert and --tls-key belong together/, target],
    'tls-key': ['a.pem', /--tls-cert and --tls-key belong together/, target],
    'ca-out': ['/nowhere/ca.pem', /--ca-out \/nowhere\/ca\.pem: cannot be written/, target],
    'known-failures': ['/nowhere.yaml', /--known-failures \/nowhere\.yaml: cannot be read/, target],
    reporter: ['smoke', /--reporter smoke: expected/, target],
    badge: ['b.txt', /--badge .*b\.txt: expected/, target],
    config: ['/nowhere.yaml', /--config \/nowhere\.yaml: cannot be read/, target],
  }),
  { command: 'init', option: 'dir', value: 'made', writes: 'made', code: 0 },
  { command: 'init', option: 'base-url', value: 'nonsense', prints: /--base-url nonsense: expected/, code: 2 },
  { command: 'init', option: 'control-url', value: 'nonsense', prints: /--control-url nonsense: expected/, code: 2 },
  { command: 'init', option: 'ci', value: 'jenkins', prints: /--ci jenkins: expected/, code: 2 },
  { command: 'init', option: 'load', value: 'siege', prints: /--load siege: expected artillery/, code: 2 },
  { command: 'init', option: 'shards', value: '65', prints: /--shards 65: expected/, code: 2 },
  { command: 'init', option: 'subject', value: 'nobody', prints: /--subject nobody: expected/, code: 2 },
  {
    command: 'init',
    option: 'trigger',
    value: 'send it',
    with: ['--subject', 'sender', '--dir', 'full', '--force'],
    prints: /Next: cd full, set CONFORMANCE_SECRET, then: conformance sender/,
    code: 0,
  },
  {
    command: 'init',
    option: 'driver',
    value: 'node mine.mjs',
    with: ['--subject', 'verifier', '--dir', 'full', '--force'],
    prints: /Next: cd full, conformance verifier/,
    code: 0,
  },
  ...refused('init', {
    url: ['nonsense', /--url nonsense: expected/, ['--subject', 'receiver']],
    listen: ['nonsense', /--listen nonsense: expected/, ['--subject', 'sender']],
    profile: ['nobody', /--profile nobody: expected/, ['--subject', 'sender']],
  }),
  { command: 'init', option: 'force', with: ['--dir', 'full'], prints: /wrote/, code: 0 },
]

/** Options whose effect one short run does not show. */
const elsewhere: Readonly<Record<string, string>> = {
  'no-config': 'tested in configuration.test.ts',
  watch: 'stays until it is interrupted',
  quiet: 'tested below, with its opposite',
  insecure: 'tested below, with a server of its own',
  state: 'tested in state.test.ts, with runs that are stopped',
  journal: 'tested in state.test.ts, with runs that are killed',
  full: 'takes minutes: npm run selftest',
  load: 'takes minutes: npm run selftest',
  package: 'tested in packaging/ci-files.test.ts, by what the workflows install',
  redact: 'tested in observe/live.test.ts, with traffic',
  yes: 'has an effect on a terminal only',
  help: 'tested below',
  version: 'tested below',
}

beforeAll(async () => {
  writeFileSync(
    join(folder, 'wrong-driver.mjs'),
    `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, op } = JSON.parse(line)
  const about = op === 'hello' ? { name: 'wrong', version: '1', language: 'js' } : op === 'sign' ? { signature: 'v1,AAAA' } : { ok: true, event: {} }
  process.stdout.write(JSON.stringify({ id, ...about }) + '\\n')
}
`,
  )
  writeFileSync(join(folder, 'seen.har'), JSON.stringify(har([page(0, undefined, [])])))
  writeFileSync(join(folder, 'headers.txt'), 'webhook-id: evt_1\n')
  writeFileSync(join(folder, 'three.http'), threeMistakes())
  await conformance(['init', '--dir', 'full'])
  await conformance(['run', ...one, '--reporter', 'json=report.json'])
  await conformance(['run', ...one, '--reporter', 'json=second.json'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Form = 'flag' | 'variable' | 'file'

/** Returns the table's entry for the option of a row. */
function entryOf({ command, option }: Pick<Row, 'command' | 'option'>): Option | undefined {
  const entry: CommandEntry = commands[command as CommandPath]
  return entry.options.find(({ name }) => name === option)
}

/** The option as the only line of a configuration file; undefined where no file has it. */
function inFile(row: Row): string | undefined {
  const key = entryOf(row)?.fileKey
  const value = row.value ?? 'true'
  if (key === undefined || entryOf({ ...row, option: 'config' }) === undefined) return undefined
  const [outer = '', inner] = key.split('.')
  return inner === undefined ? `${outer}: ${value}\n` : `${outer}: { ${inner}: '${value}' }\n`
}

let files = 0

async function seen(row: Row, form: Form | 'neither', call: Call = conformance): Promise<Ended> {
  if (row.writes !== undefined) rmSync(join(folder, row.writes), { recursive: true, force: true })
  const flag = form === 'flag' ? [`--${row.option}`, ...(row.value === undefined ? [] : [row.value])] : []
  const env = form === 'variable' ? { [variableName(row.option)]: row.value ?? 'true' } : {}
  const file: string[] = []
  if (form === 'file') {
    const name = `option-${files++}.yaml`
    writeFileSync(join(folder, name), inFile(row) ?? '')
    file.push('--config', name)
  }
  const args = [...row.command.split(' '), ...flag, ...file, ...(row.with ?? []), ...(row.after ?? [])]
  return call(args, env)
}

/** All of it takes a minute of two cores: CI has it. Elsewhere each variable and key that is refused at once speaks for its option. */
const isWhole = process.env['CI'] !== undefined
const tried = isWhole ? rows : rows.filter((row) => row.code === 2)

function formsOf(row: Row): readonly Form[] {
  const hasFile = inFile(row) !== undefined && row.option !== 'config'
  return [
    ...(isWhole ? (['flag', 'variable'] as const) : (['variable'] as const)),
    ...(hasFile ? ['file' as const] : []),
  ]
}

/** Checks the row in one form. */
async function checkRow(row: Row, form: Form, call?: Call): Promise<void> {
  const { code, text } = await seen(row, form, call)
  // The contents of a file are validated with its schema first, which names the key and its place.
  const [key = ''] = entryOf(row)?.fileKey?.split('.') ?? []
  const isOfSchema = form === 'file' && new RegExp(`option-\\d+\\.yaml:\\d+:\\d+: ${key}\\b`).test(text)
  if (row.prints !== undefined && !isOfSchema) expect(text, form).toMatch(row.prints)
  if (row.writes !== undefined) expect(existsSync(join(folder, row.writes)), text).toBe(true)
  if (row.code !== undefined) expect(code, text).toBe(isOfSchema ? 2 : row.code)
}

describe.concurrent(
  'an option has its effect as a flag, a variable and a key of the file',
  { timeout: 120_000 },
  () => {
    it.each(tried)('$command --$option', async (row) => {
      for (const form of formsOf(row)) await checkRow(row, form)
    })
  },
)

describe.concurrent('so it has in a process of its own', { timeout: 120_000 }, () => {
  it.each<[CommandPath, string, Form, string]>([
    ['run', 'dry-run', 'flag', 'exit code 0, of a service that is not contacted'],
    ['run', 'mutant', 'variable', 'exit code 1, with the reference in a thread'],
    ['verifier', 'bail', 'flag', 'exit code 1, with a driver'],
    ['run', 'seed', 'file', 'exit code 2, from a file'],
    ['receiver', 'secret', 'variable', 'exit code 2, from a variable'],
    ['control check', 'control-key', 'flag', 'exit code 3'],
    ['serve', 'api-key', 'flag', 'a signal ends it'],
    ['list', 'suites', 'variable', 'a listing, which may be cut'],
    ['vectors generate', 'out', 'flag', 'a file'],
    ['verifier', 'output-dir', 'file', 'files, from a key of the file'],
  ])('%s --%s as a %s: %s', async (command, option, form) => {
    const row = rows.find((tried) => tried.command === command && tried.option === option)
    if (row === undefined) throw new Error(`no row for ${command} --${option}`)
    await checkRow(row, form, inProcess)
  })
})

describe.runIf(isWhole)('without the option (in CI)', () => {
  const cheap = rows.filter((row) => row.code !== 2 && row.command !== 'serve' && row.option !== 'dir')
  it.each(cheap)('$command without --$option has another result', { timeout: 300_000 }, async (row) => {
    const { code, text } = await seen(row, 'neither')
    const isSame =
      code === row.code &&
      (row.prints === undefined || row.prints.test(text)) &&
      (row.writes === undefined || existsSync(join(folder, row.writes)))
    expect(isSame, text).toBe(false)
  })
})

describe.concurrent('the table of options', () => {
  const paths = Object.keys(commands) as CommandPath[]
  const optionsOf = (path: CommandPath): readonly Option[] =>
    Object.values<Option>(commands[path].options).filter(({ isHidden }) => isHidden !== true)
  const runs = paths.filter((path) => shared.every((row) => optionsOf(path).some(({ name }) => name === row.option)))

  it('has a row here for every option', () => {
    const known = new Set(rows.map((row) => `${row.command} ${row.option}`))
    const missing = paths.flatMap((path) =>
      optionsOf(path)
        .map(({ name }) => name)
        .filter((name) => !known.has(`${path} ${name}`) && elsewhere[name] === undefined)
        .filter((name) => !(runs.includes(path) && shared.some((row) => row.option === name)))
        .map((name) => `${path} --${name}`),
    )
    expect(runs).toEqual(['run', 'receiver', 'sender', 'verifier', 'client'])
    expect(missing).toEqual([])
    expect(rows.filter((row) => entryOf(row) === undefined)).toEqual([])
  })

  it.each(paths)('%s --help lists the options of the table, and two examples', async (path) => {
    const { code, text } = await conformance([...path.split(' '), '--help'])
    expect(code).toBe(0)
    const listed = [...text.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, option]) => option)
    expect(listed).toEqual([...shownOptions(commands[path]).map(({ name }) => name), 'help'])
    expect(listed.toSorted()).toEqual([...optionsOf(path).map(({ name }) => name), 'help'].toSorted())
    expect(text.replace(/\s+/g, ' ')).toContain(commands[path].help)
    for (const example of examples.get(path) ?? []) expect(text).toContain(`\n  ${example}\n`)
  })

  it('help --all names every command, in a group', async () => {
    const { text } = await conformance(['help', '--all'])
    for (const path of paths) expect(text).toMatch(new RegExp(`^  ${path.split(' ')[0]}\\b`, 'm'))
    expect(text).not.toContain('Commands:')
  })

  it('shows three uses and four commands without arguments, as with --help', async () => {
    const { code, text } = await conformance([])
    expect(code).toBe(2)
    expect(text.match(/^  conformance (?:run --base-url|receiver|vectors generate) /gm)).toHaveLength(3)
    expect(text.match(/^  (?!conformance)[a-z]+ {2,}\S/gm)).toHaveLength(4)
    expect(text).toContain('conformance help --all')
    expect(await conformance(['--help'])).toMatchObject({ code: 0, text })
  })

  it('help shows a command, and suggests one for a typo', async () => {
    const { text } = await conformance(['vectors', 'generate', '--help'])
    expect(await conformance(['help', 'vectors', 'generate'])).toMatchObject({ code: 0, text })
    const typo = await conformance(['help', 'recever'])
    expect([typo.code, typo.text]).toEqual([2, expect.stringContaining('did you mean receiver?')])
  })

  it('a flag beats a variable, a variable beats the file, and an empty variable is ignored', async () => {
    writeFileSync(join(folder, 'level.yaml'), 'level: must\nseed: 7\n')
    const args = ['run', ...one.slice(0, 3), '--config', 'level.yaml']
    expect((await conformance(args)).text).toMatch(/seed 7\b/)
    expect((await conformance(args, { CONFORMANCE_SEED: '8' })).text).toMatch(/seed 8\b/)
    expect((await conformance([...args, '--seed', '9'], { CONFORMANCE_SEED: '8' })).text).toMatch(/seed 9\b/)
    expect((await conformance(args, { CONFORMANCE_SEED: '' })).text).toMatch(/seed 7\b/)
    const vectors = ['vectors', 'generate', '--count', '1', '--seed']
    const seeded = await conformance([...vectors, '5'])
    expect((await conformance([...vectors, '5'], { CONFORMANCE_SEED: '6' })).text).toBe(seeded.text)
    expect((await conformance(['list'], { CONFORMANCE_JSON: 'maybe' })).text).toMatch(/CONFORMANCE_JSON=maybe/)
  })

  it.runIf(isWhole)('--quiet prints less (in CI)', async () => {
    const loud = (await conformance(['verifier', ...wrongVerifier.with, ...wrongDriver])).text
    for (const quiet of [
      await conformance(['verifier', '--quiet', ...wrongVerifier.with, ...wrongDriver]),
      await conformance(['verifier', ...wrongVerifier.with, ...wrongDriver], { CONFORMANCE_QUIET: 'true' }),
    ]) {
      expect(loud).toMatch(/^Testing /m)
      expect(quiet.text).not.toMatch(/^(?:Testing |failed )/m)
      expect(quiet.text.length).toBeLessThan(loud.length)
    }
  })

  it.runIf(isWhole)('--insecure accepts an untrusted certificate (in CI)', async () => {
    const { key, cert } = await sinkCertificate()
    const server = createServer({ key, cert }, (_request, response) => void response.writeHead(418).end())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    tlsUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const args = ['receiver', '--url', tlsUrl, '--secret', secret, '--case', 'receiver/acceptance/*', '--bail']
    expect((await conformance(args)).text).not.toMatch(/418/)
    expect((await conformance([...args, '--insecure'])).text).toMatch(/418/)
    expect((await conformance(args, { CONFORMANCE_INSECURE: 'true' })).text).toMatch(/418/)
    await new Promise((done) => server.close(done))
  })

  it('--version and -V print the version', async () => {
    // Answered by `bin/conformance.js` itself, which loads nothing else.
    const { text } = await inProcess(['--version'])
    expect(text).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await inProcess(['-V'])).text).toBe(text)
    expect(await conformance(['--version'])).toEqual({ code: 0, text })
  })
})

describe.concurrent('the kill matrix in part', () => {
  it('--diff without --mutant names the missing option', async () => {
    expect(await conformance(['selftest', '--diff'])).toEqual({
      code: 2,
      text: 'conformance: --diff: name the mutants by --mutant <id or glob>\n',
    })
  })

  it(
    '--case lists the mutants that a case kills, and whether another case kills them too',
    { timeout: 120_000 },
    async () => {
      const args = ['selftest', '--case', 'verifier/signing/signs-as-the-scheme-says', '--jobs', '1']
      const { code, text } = await conformance(args)
      expect(text).toMatch(
        /^verifier\/signing\/signs-as-the-scheme-says\n((ALONE|KILLED) {2,3}verifier\/\S+.*\n)+\d+ of the \d+ mutants/,
      )
      expect(code).toBe(0)
      const { text: json } = await conformance([...args, '--format', 'json'])
      const [only] = JSON.parse(json) as {
        case: string
        kills: { mutant: string; isKilled: boolean; others: string[] }[]
      }[]
      expect(only?.kills.filter(({ isKilled }) => isKilled).length).toBe(text.match(/^(ALONE|KILLED) /gm)?.length)
    },
  )
})

describe.concurrent('init refuses a flag that would do nothing', () => {
  it.each(['subject', 'base-url', 'control-url', 'url', 'driver', 'trigger', 'listen', 'profile', 'ci', 'shards'])(
    '--load with --%s',
    async (option) => {
      const { code, text } = await conformance([
        'init',
        '--load',
        'artillery',
        '--dir',
        'unwritten',
        `--${option}`,
        '4',
      ])
      expect([code, text]).toEqual([2, expect.stringContaining(`--${option} has no effect with --load`)])
      expect(existsSync(join(folder, 'unwritten'))).toBe(false)
    },
  )

  it.each([
    ['service', 'trigger'],
    ['sender', 'base-url'],
    ['sender', 'control-url'],
    ['traffic', 'control-url'],
    ['traffic', 'trigger'],
    ['verifier', 'url'],
    ['receiver', 'driver'],
    ['client', 'listen'],
    ['service', 'profile'],
  ])('--subject %s with --%s', async (kind, option) => {
    const { code, text } = await conformance([
      'init',
      '--subject',
      kind,
      '--dir',
      'unwritten',
      `--${option}`,
      'http://127.0.0.1:9',
    ])
    expect([code, text]).toEqual([2, expect.stringContaining(`and this is ${kind}: leave it out`)])
  })
})

describe.concurrent('list and explain', () => {
  it('every sentence of the interface has a requirement, an open point or a reason', async () => {
    const { text } = await conformance(['coverage', '--sentences', '--json'])
    const rows = JSON.parse(text) as { requirements: unknown[]; openPoints: unknown[]; reason?: string }[]
    expect(rows.length).toBeGreaterThan(250)
    const bare = rows.filter((row) => row.requirements.length + row.openPoints.length === 0 && !row.reason)
    expect(bare).toEqual([])
    const receivers = await conformance(['coverage', '--sentences', '--subject', 'receiver'])
    expect(receivers.text).toMatch(/RCV-001/)
    expect(receivers.text.split('\n').length).toBeLessThan(text.split('\n').length / 2)
  })

  it('a requirement without a case has a reason', async () => {
    const { text } = await conformance(['list', '--coverage', '--json'])
    const covered = JSON.parse(text) as { id: string; level: string; cases: string[]; untestable?: string }[]
    expect(covered.length).toBeGreaterThan(160)
    expect(covered.filter((row) => row.cases.length === 0 && row.untestable === undefined)).toEqual([])
    expect(covered.filter((row) => row.untestable !== undefined && row.untestable.trim().length < 8)).toEqual([])
    const whole = (await conformance(['list', '--coverage'])).text
    for (const { id } of covered) expect(whole).toContain(`${id}  `)
  })

  it.each([
    ['RTY-002', /5 seconds/, 0],
    ['service/retries', /service\/retries\/second-attempt-after-5-seconds/, 0],
    ['service/retries/second-attempt-after-5-seconds', /RTY-002/, 0],
    ['service/retrys', /did you mean service\/retries\?/, 2],
    ['second-attempt-after-5-second', /did you mean service\/retries\/second-attempt-after-5-seconds/, 2],
    ['toString', /neither a case, a suite, a requirement nor an open point/, 2],
  ])('explain %s', async (id, prints, code) => {
    const ended = await conformance(['explain', id])
    expect(ended.text).toMatch(prints)
    expect(ended.code).toBe(code)
  })
})
