import { suiteOf } from '../../harness/parsing.js'
import { openPoints, requirementIds } from '../../spec/index.js'
import type { CommandEntry } from '../cli/option.js'
import { commands } from '../cli/options.js'
import { catalogue } from '../run/catalogue.js'
import { bashScript } from '../completion/bash.js'
import { fishScript } from '../completion/fish.js'
import type { Completions } from '../completion/words.js'
import { zshScript } from '../completion/zsh.js'
import { exitCodes, UsageError } from '../cli/usage.js'
import { writeOutput } from '../cli/output.js'

const scripts: Readonly<Record<string, (completions: Completions) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `conformance completion`: a script for the shell, made of the table of commands. */
export async function completion(shell: string): Promise<number> {
  const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (write === undefined) throw new UsageError(`completion ${shell}: expected bash, zsh or fish`)
  writeOutput(write({ commands: words(), values: values() }))
  return exitCodes.conformant
}

const entries: readonly (readonly [string, CommandEntry])[] = Object.entries(commands)

const cases = catalogue.map((testCase) => testCase.id)
const suites = [...new Set(cases.map(suiteOf))]
const explainable: readonly string[] = [...cases, ...suites, ...requirementIds, ...Object.keys(openPoints)]

/** What may follow each command. */
function words(): Completions['commands'] {
  const own = entries.map(([path, entry]) => ({
    path,
    subcommands: [
      ...namesBelow(path),
      ...(entry.arguments ?? []).flatMap((argument) => argument.words ?? []),
      ...(path === 'explain' ? explainable : []),
    ],
    options: [...entry.options.filter(({ isHidden }) => isHidden !== true).map(({ name }) => `--${name}`), '--help'],
  }))
  return [{ path: '', subcommands: namesBelow(''), options: ['--version', '--help'] }, ...own]
}

function namesBelow(path: string): string[] {
  const names = entries.map(([command]) => command.split(' '))
  return names.filter((name) => name.slice(0, -1).join(' ') === path).map((name) => name.at(-1) ?? '')
}

/** Returns the known values of each option that has some; without an entry a file name is possible. */
function values(): Completions['values'] {
  const known = new Map<string, ReadonlySet<string>>()
  for (const { name, value, words: some = [] } of entries.flatMap(([, { options }]) => options))
    if (value?.startsWith('<') === true) known.set(`--${name}`, new Set([...(known.get(`--${name}`) ?? []), ...some]))
  known.set('--suite', new Set(suites))
  known.set('--case', new Set(cases))
  known.set('--requirement', new Set(requirementIds))
  return new Map([...known].map(([name, all]) => [name, [...all]]))
}
