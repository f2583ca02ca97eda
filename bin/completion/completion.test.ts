// The completion scripts in the shells themselves; a shell that is not installed is skipped.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'completion-'))

/** The path of a file that holds the script for a shell. */
function script(shell: string): string {
  const path = join(folder, `conformance.${shell}`)
  if (existsSync(path)) return path
  writeFileSync(path, execFileSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' }))
  return path
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0

/** A line as typed so far, words the shell offers, and words it does not. */
const lines: readonly (readonly [typed: string, offered: readonly string[], not: readonly string[]])[] = [
  ['', ['run', 'vectors', 'completion'], ['--seed', 'generate']],
  ['ve', ['verifier', 'vectors'], ['run']],
  ['run --known', ['--known-failures'], ['--case']],
  ['run --level ', ['must', 'should'], ['--level']],
  ['run --reporter j', ['json', 'junit'], ['html']],
  ['run --suite service/ret', ['service/retries'], ['service/webhooks']],
  ['vectors ', ['generate', 'check'], ['run']],
  ['vectors generate --fo', ['--format'], ['--out']],
  ['serve rec', ['receiver'], ['server']],
  ['serve se', ['server', 'sender'], ['receiver']],
  ['list --subject tra', ['traffic'], ['sender']],
  ['serve receiver --se', ['--secret'], ['--seed']],
]

function inBash(typed: string): string[] {
  const words = ['conformance', ...typed.split(' ')]
  const requested = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`
  const text = `source '${script('bash')}'; complete -p conformance >/dev/null || exit 9; ${requested}; _conformance; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', text], { encoding: 'utf8' }).split('\n')
}

function inFish(typed: string): string[] {
  const text = `source '${script('fish')}'; complete -C 'conformance ${typed}'`
  const out = execFileSync('fish', ['--no-config', '-c', text], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  })
  return out.split('\n').map((line) => line.split('\t')[0] ?? '')
}

/** Runs the function as zsh's completion system does, with stubs for the builtins that work only inside a widget. */
function inZsh(typed: string): string[] {
  const words = ['conformance', ...typed.split(' ')]
  const text = `compdef() { registered="$*" }
_files() { :; }
compadd() { shift; print -l -- "$@" }
source '${script('zsh')}'
[[ "$registered" == '_conformance conformance' ]] || exit 9
words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=\${#words}
_conformance`
  const current = words.at(-1) ?? ''
  return execFileSync('zsh', ['-f', '-c', text], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word.startsWith(current))
}

for (const [shell, complete] of [
  ['bash', inBash],
  ['fish', inFish],
  ['zsh', inZsh],
] as const)
  describe.skipIf(!isInstalled(shell))(`${shell} (skipped where it is not installed)`, () => {
    it.each(lines)('completes "conformance %s"', (typed, offered, not) => {
      const words = complete(typed)
      expect(words).toEqual(expect.arrayContaining([...offered]))
      expect(words.filter((word) => not.includes(word))).toEqual([])
    })
  })

describe.skipIf(!isInstalled('bash'))('bash', () => {
  it('leaves the words of a driver to file names', () => {
    expect(inBash('verifier -- py').filter((word) => word !== '')).toEqual([])
  })

  it('completes a value after =', () => {
    expect(inBash('run --level = s')).toContain('should')
    expect(inBash('run --level =')).toContain('must')
  })
})
