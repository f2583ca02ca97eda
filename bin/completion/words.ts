/** What a completion script offers. Every word is made of letters, digits, `-` and `/`: nothing a shell would read. */
export interface Completions {
  /** Every command by its path: `` for the program, `vectors generate` for a command of a command. */
  readonly commands: readonly {
    readonly path: string
    readonly subcommands: readonly string[]
    readonly options: readonly string[]
  }[]
  /** Options that take a value, with the words it can be; an empty list stands for a file name or free text. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** Lines of a `case` statement that follow the path of commands, common to bash and zsh. */
export function pathPatterns({ commands }: Completions): string {
  return commands
    .filter((command) => command.path !== '')
    .map((command) => {
      const at = command.path.lastIndexOf(' ')
      return `'${command.path.slice(0, Math.max(at, 0))}:${command.path.slice(at + 1)}'`
    })
    .join('|')
}

/** Branches of a `case` on the word before, then on the path, common to bash and zsh. */
export function branches(
  { commands, values }: Completions,
  indent: string,
): { readonly values: string; readonly paths: string } {
  const free = [...values].filter(([, words]) => words.length === 0).map(([name]) => name)
  const lines = [...values].flatMap(([name, words]) =>
    words.length === 0 ? [] : [`${indent}${name}) choices='${words.join(' ')}' ;;`],
  )
  return {
    values: [...lines, `${indent}${free.join('|')}) choices='' ;;`].join('\n'),
    paths: commands
      .map(
        ({ path, subcommands, options }) =>
          `${indent}  '${path}') choices='${[...subcommands, ...options].join(' ')}' ;;`,
      )
      .join('\n'),
  }
}
