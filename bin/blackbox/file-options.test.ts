// Every option and argument that names a file, with a missing file, a folder, an unreadable file, and an empty one: one line names the
// option, the file and the remedy.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CommandEntry } from '../cli/option.js'
import { commands } from '../cli/options.js'
import { commandHere } from '../testing/command.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const folder = mkdtempSync(join(tmpdir(), 'file-options-'))
mkdirSync(join(folder, 'folder'))
writeFileSync(join(folder, 'empty'), '')
writeFileSync(join(folder, 'headers.txt'), 'webhook-id: evt_1\n')
writeFileSync(join(folder, 'body.json'), '{}')
symlinkSync('circle', join(folder, 'circle'))
writeFileSync(join(folder, 'locked'), 'text')
chmodSync(join(folder, 'locked'), 0o000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const conformance = commandHere(folder)
const service = ['--base-url', 'http://127.0.0.1:9', '--api-key', 'k']

/** The kinds of bad files. */
type Bad = 'missing' | 'folder' | 'unreadable' | 'empty'
interface Row {
  readonly named: string
  /** `@` is the file. */
  readonly args: readonly string[]
  /** Kinds that are not an error, and why. */
  readonly right?: Partial<Readonly<Record<Bad, string>>>
}

const none = 'an empty file sets nothing'
const rows: readonly Row[] = [
  { named: 'run --config', args: ['run', '--config', '@'], right: { empty: none } },
  { named: 'run --cases', args: ['run', ...service, '--cases', '@'] },
  { named: 'run --known-failures', args: ['run', ...service, '--known-failures', '@'], right: { empty: none } },
  { named: 'run --shard-by', args: ['run', ...service, '--shard', '1/2', '--shard-by', '@'] },
  { named: 'run --ca', args: ['run', ...service, '--ca', '@'] },
  { named: 'run --client-cert', args: ['run', ...service, '--client-cert', '@', '--client-key', '@'] },
  {
    named: 'run --state',
    args: ['run', ...service, '--state', '@'],
    right: { missing: 'it is made', unreadable: 'it is replaced' },
  },
  { named: 'cleanup --journal', args: ['cleanup', ...service, '--journal', '@'] },
  {
    named: 'receiver --events',
    args: ['receiver', '--url', 'http://127.0.0.1:9/', '--secret', secret, '--events', '@'],
  },
  {
    named: 'sender --tls-cert',
    args: ['sender', '--secret', secret, '--trigger', 'true', '--tls-cert', '@', '--tls-key', '@'],
  },
  { named: 'observe --from', args: ['observe', '--from', '@'] },
  {
    named: 'observe --tls-cert',
    args: ['observe', '--base-url', 'http://127.0.0.1:9', '--tls-cert', '@', '--tls-key', '@'],
  },
  { named: 'observe --config', args: ['observe', '--config', '@'], right: { empty: none } },
  { named: 'vectors check', args: ['vectors', 'check', '@'] },
  { named: 'diagnose --request', args: ['diagnose', '--secret', secret, '--request', '@'] },
  { named: 'diagnose --headers', args: ['diagnose', '--secret', secret, '--headers', '@', '--body', 'body.json'] },
  {
    named: 'diagnose --body',
    args: ['diagnose', '--secret', secret, '--headers', 'headers.txt', '--body', '@'],
    right: { empty: 'a body may be empty' },
  },
  { named: 'verify --request', args: ['verify', '--secret', secret, '--request', '@'] },
  { named: 'sign --body', args: ['sign', '--secret', secret, '--body', '@'], right: { empty: 'a body may be empty' } },
  {
    named: 'send --body',
    args: ['send', '--url', 'http://127.0.0.1:9/', '--secret', secret, '--body', '@'],
    right: { empty: 'a body may be empty' },
  },
  { named: 'list --cases', args: ['list', '--cases', '@'] },
  { named: 'explain --cases', args: ['explain', 'service/webhooks', '--cases', '@'] },
  { named: 'report', args: ['report', '@'] },
  { named: 'report --compare', args: ['report', '--compare', '@', '@'] },
  { named: 'report --history', args: ['report', '--history', '@'] },
  { named: 'serve --ca', args: ['serve', '--ca', '@'] },
  { named: 'serve --data', args: ['serve', '--data', '@'], right: { missing: 'it is made', empty: 'it is filled' } },
]

/** Options whose file is only written, or that are the same in every command that has them. */
const written = ['badge', 'ca-out', 'out', 'record', 'tls', 'write-known-failures', 'reporter', 'state', 'journal']
const equal = [
  'config',
  'cases',
  'ca',
  'client-cert',
  'client-key',
  'tls-key',
  'known-failures',
  'shard-by',
  'headers',
  'body',
  'request',
]

describe.concurrent('a file that cannot be used', () => {
  const isRoot = process.getuid?.() === 0
  // Permissions do not bind the superuser: a link to itself is unreadable even for root.
  const files: Readonly<Record<Bad, string>> = {
    missing: 'none',
    folder: 'folder',
    unreadable: isRoot ? 'circle' : 'locked',
    empty: 'empty',
  }
  const tried = rows.flatMap((row) =>
    (Object.keys(files) as Bad[]).filter((bad) => row.right?.[bad] === undefined).map((bad) => ({ ...row, bad })),
  )

  it.each(tried)('$named: $bad', async ({ named, args, bad }) => {
    const file = files[bad]
    const { code, out, err } = await conformance(args.map((argument) => (argument === '@' ? file : argument)))
    expect([code, out], err).toEqual([2, ''])
    const lines = err.trimEnd().split('\n')
    expect(lines, err).toHaveLength(1)
    const [line = ''] = lines
    const [, option = ''] = /(--[\w-]+)$/.exec(named) ?? []
    expect(line).toContain(/--(?:compare|history)/.test(option) ? '' : option.replace(/^--data$/, 'data file'))
    expect(line).toContain(file)
    // The system's message alone means little to most users; the remedy follows its meaning.
    expect(line).not.toMatch(/\(E[A-Z]+\)|\b(?:Error|stat|open|read) '|unexpected/)
    expect(line).toMatch(/[;:.] *(?:[a-z-]+ )*(?:check|name|give|let|expected|did|contains no|writes one|line|bring)/i)
  })
})

const reference = ['run', '--reference', '--case', 'service/webhooks/*']
const outputs: readonly (readonly [string, readonly string[]])[] = [
  ['--reporter json=', [...reference, '--reporter', 'json=@']],
  ['--badge', [...reference, '--badge', '@']],
  ['--ca-out', ['sender', '--secret', secret, '--trigger', 'true', '--listen', '127.0.0.1:0', '--ca-out', '@']],
  ['--tls', ['serve', 'receiver', '--tls', '@']],
  ['--out', ['vectors', 'generate', '--count', '1', '--out', '@']],
]

it.each(outputs)('%s follows no link that another user may have planted', async (option, args) => {
  const open = join(folder, 'open')
  mkdirSync(open, { recursive: true })
  chmodSync(open, 0o777)
  const link = join(open, 'planted.svg')
  const victim = join(folder, 'victim')
  rmSync(link, { force: true })
  symlinkSync(victim, link)
  const { code, err } = await conformance(args.map((arg) => arg.replace('@', link)))
  expect([code, err]).toEqual([2, expect.stringContaining(option)])
  expect(err).toContain(`it is a link, and ${open} may be written by everybody; name the file itself`)
  expect(existsSync(victim)).toBe(false)
})

it('every option that names a file is in the table, or the same as one that is', () => {
  const known = new Set(rows.flatMap(({ args }) => args.filter((argument) => argument.startsWith('--'))))
  const missing = Object.entries<CommandEntry>(commands).flatMap(([path, { options }]) =>
    options
      .filter(({ value = '', name }) => /file|module|report>|folder|<path>/.test(value) && !written.includes(name))
      .filter(({ name }) => !equal.includes(name) && !known.has(`--${name}`))
      .map(({ name }) => `${path} --${name}`),
  )
  // A path of a counterexample, and one of a body.
  expect(missing.filter((line) => !/ --(?:replay|redact)$/.test(line))).toEqual(['init --dir'])
})
