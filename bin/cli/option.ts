// What an option and a command are.

/** One option of a command. Its variable is `CONFORMANCE_<NAME>`. */
export interface Option<Name extends string = string> {
  /** Without the dashes: `base-url`. */
  readonly name: Name
  /** Its value: `<url>` is required, `[path]` is optional. A switch has none. */
  readonly value?: string
  readonly help: string
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

/** An option as a table has it; `flag` is what the help shows. */
export function option<const Flag extends `--${string}`>(
  flag: Flag,
  help: string,
  more: Pick<Option, 'separator' | 'words' | 'fileKey' | 'isSecret' | 'isHidden'> = {},
): Option<NameIn<Flag>> {
  const [name = '', ...value] = flag.slice(2).split(' ')
  return {
    name: name as NameIn<Flag>,
    ...(value.length === 0 ? {} : { value: value.join(' ') }),
    help,
    ...more,
  }
}

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

/** The name of the variable that holds an option. */
export function variableName(name: string): string {
  return `CONFORMANCE_${name.toUpperCase().replaceAll('-', '_')}`
}
