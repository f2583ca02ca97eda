import type { Completions } from './words.js'

/** A script to `source` in fish, or to put into its folder of completions as `conformance.fish`. */
export function fishScript({ commands, values }: Completions): string {
  const lines = commands.flatMap(({ path, subcommands, options }) => {
    const when = `complete -c conformance -n '__conformance_at "${path}"'`
    return [
      ...subcommands.map((name) => `${when} -f -a ${name}`),
      ...options.map((option) => `${when} -l ${option.slice(2)}${valueOf(values.get(option))}`),
    ]
  })
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => `'${path.replace(/^(?:(.*) )?/, '$1:')}'`)
  return `# fish completion of conformance
function __conformance_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    switch "$path:$word"
      case '*:--'
        return 1
      case ${paths.join(' ')}
        set path (string trim "$path $word")
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}

/** How the option takes a value: not at all, one of these words, or anything. */
function valueOf(words: readonly string[] | undefined): string {
  if (words === undefined) return ''
  return words.length === 0 ? ' -r' : ` -x -a '${words.join(' ')}'`
}
