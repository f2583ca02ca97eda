// What an option and a command are.

/** The groups of `--help` and docs/options.md, in their order there. */
export const optionGroups = ['Target', 'Selection', 'Judgement', 'Output', 'CI', 'Advanced'] as const
export type OptionGroup = (typeof optionGroups)[number]

/** One option of a command. Its variable is `CONFORMANCE_<NAME>`. */
export interface Option<Name extends string = string> {
  /** Without the dashes: `base-url`. */
  readonly name: Name
  /** Its value: `<url>` is required, `[path]` is optional. A switch has none. */
  readonly value?: string
  readonly help: string
  /** Shown only for a command whose options all have one. */
  readonly group?: OptionGroup
  /** What separates the values of its variable, for an option that is repeatable or takes several. */
  readonly separator?: RegExp
  /** What its value can be, or begin with. */
  readonly words?: readonly string[]
  /** Where the configuration file has it: a key, or a path of keys. */
  readonly fileKey?: string
  /** It holds a secret: no message ever shows its value. */
  readonly isSecret?: true
  /** Another command gives it; no help names it. */
  readonly isHidden?: true
}

type NameIn<Flag extends string> = Flag extends `--${infer Name} ${string}`
  ? Name
  : Flag extends `--${infer Name}`
    ? Name
    : never

type Details = Pick<Option, 'separator' | 'words' | 'fileKey' | 'isSecret' | 'isHidden'>

/** An option as a table has it; `flag` is what the help shows. */
export function option<const Flag extends `--${string}`>(
  flag: Flag,
  help: string,
  more: Details & { readonly group?: OptionGroup } = {},
): Option<NameIn<Flag>> {
  const [name = '', ...value] = flag.slice(2).split(' ')
  return {
    name: name as NameIn<Flag>,
    ...(value.length === 0 ? {} : { value: value.join(' ') }),
    help,
    ...more,
  }
}

/** Returns {@link option} for the options of one group. */
function optionIn(group: OptionGroup) {
  return <const Flag extends `--${string}`>(flag: Flag, help: string, more: Details = {}) =>
    option(flag, help, { ...more, group })
}

export const target = optionIn('Target')
export const selection = optionIn('Selection')
export const judgement = optionIn('Judgement')
export const output = optionIn('Output')
export const ci = optionIn('CI')
export const advanced = optionIn('Advanced')

/** Separators of the values in one variable. */
export const separators = { comma: /[,\n]/, line: /\n/ } as const

/** A command: its purpose, its arguments, and its options. */
export interface CommandEntry {
  readonly help: string
  /** Its usage, if the arguments alone do not show it. */
  readonly usage?: string
  readonly arguments?: readonly {
    readonly form: string
    readonly help: string
    readonly fallback?: string
    readonly words?: readonly string[]
  }[]
  /** What follows is another command, whose options are not ours. */
  readonly passesThrough?: true
  readonly options: readonly Option[]
}

/** Returns the options that help shows, group by group if every one has a group. */
export function shownOptions({ options }: Pick<CommandEntry, 'options'>): readonly Option[] {
  const shown = options.filter(({ isHidden }) => isHidden !== true)
  return hasGroups(shown) ? optionGroups.flatMap((group) => shown.filter((option) => option.group === group)) : shown
}

/** Whether every one of the options is in a group. */
export function hasGroups(options: readonly Option[]): boolean {
  return options.every(({ group }) => group !== undefined)
}

/** The name of the variable that holds an option. */
export function variableName(name: string): string {
  return `CONFORMANCE_${name.toUpperCase().replaceAll('-', '_')}`
}
