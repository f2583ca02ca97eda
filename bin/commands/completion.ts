import type { Command } from 'commander'
import { exitCodes, UsageError } from '../usage.js'

/** `conformance completion`: a script for the shell, made of the commands as they are defined. */
export async function completion(shell: string, program: Command): Promise<number> {
  const write = scripts[shell]
  if (write === undefined) throw new UsageError(`completion ${shell}: expected bash, zsh or fish`)
  const words = new Map(
    program.commands.map((each) => [
      each.name(),
      [...each.commands.map((one) => one.name()), ...each.options.flatMap((one) => one.long ?? [])],
    ]),
  )
  process.stdout.write(write(words))
  return exitCodes.conformant
}

type Words = ReadonlyMap<string, readonly string[]>

const scripts: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish }

function bash(words: Words): string {
  const branches = [...words].map(([name, options]) => `    ${name}) words='${options.join(' ')}' ;;`)
  return `_conformance() {
  local words='${[...words.keys()].join(' ')}'
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${branches.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _conformance conformance
`
}

function zsh(words: Words): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`
}

function fish(words: Words): string {
  const lines = [...words].flatMap(([name, options]) => [
    `complete -c conformance -n __fish_use_subcommand -a ${name}`,
    ...options.map((option) =>
      option.startsWith('--')
        ? `complete -c conformance -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`
        : `complete -c conformance -n '__fish_seen_subcommand_from ${name}' -a ${option}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}
