import type { Command } from 'commander'
import { reporters } from '../../harness/reporters/index.js'
import { suiteOf } from '../../harness/case.js'
import { catalogue, subjectKinds } from '../catalogue.js'
import { bashScript } from '../completion/bash.js'
import { fishScript } from '../completion/fish.js'
import type { Completions } from '../completion/words.js'
import { zshScript } from '../completion/zsh.js'
import { exitCodes, UsageError } from '../usage.js'

const scripts: Readonly<Record<string, (completions: Completions) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `conformance completion`: a script for the shell, made of the commands as they are defined. */
export async function completion(shell: string, program: Command): Promise<number> {
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (write === undefined) throw new UsageError(`completion ${shell}: expected bash, zsh or fish`)
  process.stdout.write(write({ commands: commandsOf(program, ''), values: valuesOf(program) }))
  return exitCodes.conformant
}

/** Words an argument of a command can be, by the path of the command. */
const argumentWords: Readonly<Record<string, readonly string[]>> = {
  serve: ['server', 'receiver'],
  completion: Object.keys(scripts),
}

function commandsOf(command: Command, path: string): Completions['commands'] {
  const inner = command.commands.map((each) => ({ each, path: path === '' ? each.name() : `${path} ${each.name()}` }))
  const own = {
    path,
    subcommands: [...command.commands.map((each) => each.name()), ...(argumentWords[path] ?? [])],
    options: [...command.options.flatMap((each) => each.long ?? []), '--help'],
  }
  return [own, ...inner.flatMap((each) => commandsOf(each.each, each.path))]
}

/** What is known of the values of an option that takes one; nothing said means a file name may stand there. */
function valuesOf(program: Command): Completions['values'] {
  const all = [program, ...program.commands, ...program.commands.flatMap((each) => [...each.commands])]
  const names = all.flatMap((each) => each.options.filter((one) => one.required).flatMap((one) => one.long ?? []))
  const known: Readonly<Record<string, readonly string[]>> = {
    '--level': ['must', 'should'],
    '--subject': subjectKinds,
    '--ci': ['github', 'gitlab', 'none'],
    '--format': ['json', 'ndjson', 'text'],
    '--reporter': Object.keys(reporters),
    '--suite': [...new Set(catalogue.map((each) => suiteOf(each.id)))],
  }
  return new Map([...new Set(names)].map((name) => [name, known[name] ?? []]))
}
