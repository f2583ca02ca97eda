// Runs the words checks on planted files and on the catalogue of titles.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientVariants } from '../../proof/variants/client.js'
import { mutants } from '../../proof/mutants/index.js'
import { receiverVariants } from '../../proof/variants/receiver.js'
import { senderVariants } from '../../proof/variants/sender.js'
import { serverVariants } from '../../proof/variants/server.js'
import { verifierVariants } from '../../proof/variants/verifier.js'
import { catalogue } from '../run/catalogue.js'
import { root } from '../testing/source-tree.js'
import { findHabit } from './habits.js'

const good = '// Returns the request that failed.\nexport const advice = "give the path of a file that exists"\n'

interface Outcome {
  readonly code: number | null
  readonly out: string
}

/** Runs the check in a folder with these files, under a ratchet that allows 5 % in `bin, proof, reference`. */
function check(files: Readonly<Record<string, string>>, ...args: readonly string[]): Outcome & { ratchet: string } {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-words-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ratchet = { 'bin, proof, reference': { comments: 5, texts: 5, markdown: 5 } }
  const all = { 'bin/words/ratchet.json': JSON.stringify(ratchet), 'bin/good.ts': good, ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const outcome = run(folder, [join(root, 'bin/words/check.js'), ...args])
  return { ...outcome, ratchet: readFileSync(join(folder, 'bin/words/ratchet.json'), 'utf8') }
}

function run(folder: string, args: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { code: status, out: stdout + stderr }
}

describe('check.js', () => {
  it('passes plain English', () => {
    expect(check({})).toMatchObject({ code: 0, out: '' })
  })

  it.each([
    ['a comment', 'bin/planted.ts', '// The answer to what was asked for.\n', 'comments'],
    ['a doc comment', 'bin/planted.ts', '/** Whoever\n * ends a connection. */\n', 'comments'],
    ['a comment over several lines', 'bin/planted.ts', '// An answer that is\n// none of ours.\n', 'comments'],
    ['a text', 'bin/planted.ts', "export const title = 'a forgery leaves no trace behind'\n", 'texts'],
    [
      'a template',
      'bin/planted.ts',
      'export const title = (id: string) => `the event ${id} that was asked`\n',
      'texts',
    ],
    ['the text of a page', 'bin/planted.tsx', 'export const page = <p>The answer is told by its type.</p>\n', 'texts'],
    ['a description in JSON', 'bin/planted.json', '{ "description": "The key that nobody reads is kept." }\n', 'texts'],
    ['a description in YAML', 'bin/planted.yaml', "key:\n  description: 'What is sent stands in the list.'\n", 'texts'],
    ['a comment in YAML', 'bin/planted.yaml', 'key: 1\n# Says who waits.\n', 'comments'],
    ['a page of Markdown', 'bin/README.md', 'The server stands beside the receiver.\n', 'markdown'],
    ['a folder that the ratchet does not know', 'other/planted.ts', '// The requests in vain.\n', 'comments'],
    ['a folder that shares a group', 'proof/README.md', 'Nobody reads the file.\n', 'markdown'],
  ])('refuses a habit in %s', (_, file, text, kind) => {
    const { code, out } = check({ [file]: text })
    expect(code, out).toBe(1)
    expect(out).toMatch(new RegExp(`of the ${kind} have an avoided habit, at most 5 %`))
  })

  it.each([
    ['quoted words', '// The text "stands beside" is printed, and `nobody` too.\n'],
    ['a clause with otherwise', '// Returns the body if it is JSON, undefined otherwise.\n'],
    ['a proxy', '// Runs behind a proxy; the address comes from a header.\n'],
    ['a question', "export const question = 'What is the URL of the service?'\n"],
    ['code in a string', "export const patch = 'if (told) return asked && told;'\n"],
  ])('accepts %s', (_, text) => {
    expect(check({ 'bin/planted.ts': text })).toMatchObject({ code: 0, out: '' })
  })

  it('refuses a long line of Markdown outside tables', () => {
    const long = 'word '.repeat(81)
    expect(check({ 'bin/README.md': `| ${long} |\n` }).code).toBe(0)
    const { code, out } = check({ 'bin/README.md': `${long}\n` })
    expect(code).toBe(1)
    expect(out).toContain('bin/README.md:1 has 405 characters')
    // Only the interface may: it is verbatim, which spec/sentences/sentences.test.ts checks.
    expect(check({ 'spec/interface.md': `${long}\n` }).code).toBe(0)
    expect(check({ 'spec/README.md': `${long}\n` }).code).toBe(1)
  })

  it('lists each habit with its place and the advice', () => {
    const { out } = check({ 'bin/planted.ts': '\n// A request is put to the service.\n' }, '--list', 'bin')
    expect(out).toContain('bin/planted.ts:2  "put to": use checked')
  })

  it('lowers the ratchet and never raises it', () => {
    const lowered = check({}, '--write')
    expect(JSON.parse(lowered.ratchet)).toEqual({ 'bin, proof, reference': { comments: 0, texts: 0, markdown: 5 } })
    const { code, ratchet } = check({ 'bin/planted.ts': '// Who is told what is wrong.\n' }, '--write')
    expect(code).toBe(1)
    expect(JSON.parse(ratchet)).toEqual({ 'bin, proof, reference': { comments: 5, texts: 5, markdown: 5 } })
  })
})

describe('subject.js', () => {
  const subjectOf = (subject: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-words-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'message'), `${subject}\n\nThe body may say what it likes.\n`)
    cpSync(join(root, 'bin/words/hooks/commit-msg'), join(folder, 'commit-msg'))
    const { status, stderr } = spawnSync('sh', [join(folder, 'commit-msg'), join(folder, 'message')], {
      cwd: root,
      encoding: 'utf8',
    })
    return { code: status, out: stderr }
  }

  it('accepts an area and what changed', () => {
    expect(subjectOf('reporters: print the request before its answer')).toEqual({ code: 0, out: '' })
  })

  it.each([
    ['a long subject', `reporters: ${'x'.repeat(62)}`, '73 characters; at most 72'],
    ['a subject without an area', 'Print the request before its answer', 'has no area'],
    ['a habit', 'engine: what was asked for is sent again', 'avoid "what was"'],
  ])('refuses %s', (_, subject, fault) => {
    const { code, out } = subjectOf(subject)
    expect(code).toBe(1)
    expect(out).toContain(fault)
  })
})

it('npm run hooks installs the check of subjects', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-words-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, 'bin/words'), join(folder, 'bin/words'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { hooks: string } }
  const git = (command: string) => {
    const who = '-c user.name=a -c user.email=a@b.example -c commit.gpgsign=false'
    const { status, stderr } = spawnSync('sh', ['-c', command.replace('git commit', `git ${who} commit`)], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    })
    return { code: status, out: stderr }
  }
  expect(git('git init').code).toBe(0)
  expect(git('git commit --allow-empty -m "A subject without an area"').code).toBe(0)
  expect(git(scripts.hooks).code).toBe(0)
  expect(git('git commit --allow-empty -m "A subject without an area"')).toMatchObject({
    code: 1,
    out: expect.stringContaining('has no area') as string,
  })
  expect(git('git commit --allow-empty -m "area: what changed"').code).toBe(0)
})

describe('titles', () => {
  const { titles } = JSON.parse(readFileSync(join(root, 'bin/words/titles.json'), 'utf8')) as {
    readonly titles: Readonly<Record<string, { readonly habits: number; readonly long: number }>>
  }
  const variants = [...clientVariants, ...receiverVariants, ...senderVariants, ...serverVariants, ...verifierVariants]

  it.each([
    ['cases', catalogue],
    ['mutants', mutants],
    ['variants', variants],
  ] as const)('have fewer habits and long ones: %s', (kind, entries) => {
    const texts = entries.map(({ title }) => title)
    const share = (isWrong: (title: string) => boolean) => (100 * texts.filter(isWrong).length) / texts.length
    const allowed = titles[kind] ?? { habits: 5, long: 5 }
    expect(share((title) => findHabit(title) !== undefined)).toBeLessThanOrEqual(allowed.habits)
    expect(share((title) => title.split(/\s+/).length > 15)).toBeLessThanOrEqual(allowed.long)
  })
})
