// The page of options, as Markdown.
import { examples } from '../cli/examples.js'
import { hasGroups, shownOptions, variableName, type CommandEntry, type Option } from '../cli/option.js'
import { commands } from '../cli/options.js'

const entries = Object.entries<CommandEntry>(commands)

/** The options of every run, described once. */
const shared = shownOptions(commands.client)

/** The text of `docs/options.md`. */
export function optionsPage(): string {
  const sections = entries.flatMap(([path, entry]) => {
    const { help, usage } = entry
    const options = shownOptions(entry)
    const given = usage ?? ['[options]', ...(entry.arguments ?? []).map(({ form }) => form)].join(' ')
    const own = options.filter((option) => !shared.includes(option))
    const isRun = shared.every((option) => options.includes(option))
    return [
      `## \`conformance ${path} ${given}\``,
      `${help.charAt(0).toUpperCase()}${help.slice(1)}.${isRun ? ' Takes the options of every run.' : ''}`,
      ...(own.length === 0 ? [] : [table(own, options)]),
      ...(examples.has(path) ? [['```sh', ...(examples.get(path) ?? []), '```'].join('\n')] : []),
    ]
  })
  return [
    '# Options',
    `Each option is a flag and a variable: \`--retry-depth 3\` is \`${variableName('retry-depth')}=3\`, a switch takes \`true\` or \`false\`, and several\nvalues are separated in one variable by commas or line breaks (headers by line breaks alone). The last column names the key of the\nconfiguration file, if any. A flag beats the variable, which beats the file; an empty variable counts as not set.`,
    '## Every run',
    'For `run`, `receiver`, `sender`, `verifier` and `client`.',
    table(shared, commands.client.options),
    ...sections,
  ].join('\n\n')
}

function table(options: readonly Option[], all: readonly Option[]): string {
  const readsFile = all.some(({ name }) => name === 'config')
  const isGrouped = hasGroups(options)
  const rows = options.map(({ name, value, help, fileKey, group }, index) => {
    const flag = value === undefined ? `--${name}` : `--${name} ${value}`
    const isFirst = options[index - 1]?.group !== group
    const first = isGrouped ? `| ${isFirst ? group : ''} ` : ''
    return `${first}| \`${flag}\` | ${escaped(help)} | ${readsFile && fileKey !== undefined ? `\`${fileKey}\`` : ''} |`
  })
  const heads = [...(isGrouped ? ['group'] : []), 'option', 'what it does', 'in the file']
  return [heads, heads.map(() => '---')]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .concat(rows)
    .join('\n')
}

/** Inside a table a bar ends the cell, and `<` may begin a tag. */
function escaped(text: string): string {
  return text.replace(/[|<]/g, (sign) => `\\${sign}`)
}
