// Secrets in the arguments of a user's command: a driver, a trigger. A line to copy has a variable instead.
import { looksRandom } from '../../harness/parsing.js'
import { quoted, secretWord } from './command-line.js'

/** A command as it may be shown, and the secrets that were taken out of it. */
export interface HiddenArguments {
  readonly line: string
  readonly secrets: readonly string[]
}

/** An option, or a variable in front of a command, whose value is a secret. */
const secretName = /(?:key|token|secret|password|passwd|credential)s?$/i
/** Values whose form shows that they are secrets. */
const secretForms = [
  /^(?:whsec|sk|pk|rk|ak|tok|ghp|gho|ghs|github_pat|glpat|xox[a-z]|npm|SG|key|api)[_-][\w+/=.-]{8,}$/,
  /^AKIA[0-9A-Z]{16}$/,
  /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/,
  /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_-]{24,}={0,2}$/,
]

/** The words of a command with each secret replaced by the name of a variable that can hold it. */
export function hideSecrets(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): HiddenArguments {
  const secrets = secretsOf(words, environment)
  const inOrder = [...secrets].toSorted(([a], [b]) => b.length - a.length)
  const shown = words.map((word) => {
    const whole = secrets.get(word)
    if (whole !== undefined) return secretWord(whole)
    const found = inOrder.map(([secret, name]) => [aloneForm(shellEscaped(secret)), name] as const)
    const escaped = shellEscaped(word)
    const hidden = found.reduce((text, [form, name]) => text.replace(form, () => `$${name}`), escaped)
    // In double quotes a shell reads the variables, and nothing else.
    return hidden === escaped ? quoted(word) : `"${hidden}"`
  })
  return { line: shown.join(' '), secrets: [...secrets.keys()] }
}

/** Each secret value with the name of its variable. */
function secretsOf(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>()
  const add = (value: string | undefined, name: string) => {
    if (value === undefined || value === '' || value.startsWith('$') || secrets.has(value)) return
    const taken = new Set(secrets.values())
    let free = name
    for (let count = 2; taken.has(free); count++) free = `${name}_${count}`
    secrets.set(value, free)
  }
  for (const [name, value] of Object.entries(environment)) {
    const isSecret = name.startsWith('CONFORMANCE_') && secretName.test(name)
    if (isSecret && value !== undefined && words.some((word) => word.includes(value))) add(value, name)
  }
  scan(words, add)
  // A word may hold a whole command line, and that a header: `bash -c "curl -H 'Authorization: Bearer …'"`.
  const parts = words.filter((word) => /\s/.test(word) && !secrets.has(word)).map(partsOf)
  for (const part of [
    ...parts,
    ...parts
      .flat()
      .filter((word) => /\s/.test(word))
      .map(partsOf),
  ])
    scan(part, add)
  return secrets
}

/** Calls `add` with each secret in a command and a name for its variable. */
function scan(words: readonly string[], add: (value: string | undefined, name: string) => void): void {
  words.forEach((word, index) => {
    const [, name = '', value] = /^(?:--?)?([A-Za-z][\w-]*)=(.*)$/s.exec(word) ?? []
    if (secretName.test(name)) add(value, variableOf(name))
    const [, option = ''] = /^--?([A-Za-z][\w-]*)$/.exec(word) ?? []
    const next = words[index + 1]
    // `-p` is a port too.
    const isSecret = secretName.test(option) || (option === 'p' && next !== undefined && /[^\d:.]/.test(next))
    if (isSecret && next?.startsWith('-') === false) add(next, option === 'p' ? 'PASSWORD' : variableOf(option))
    if (/^(?:bearer|token)$/i.test(word) && next !== undefined && looksRandom(next)) add(next, 'TOKEN')
    add(/^[a-z][\w+.-]*:\/\/[^/\s:@]*:([^@\s/]+)@/i.exec(value ?? word)?.[1], 'PASSWORD')
    for (const text of [word, value ?? '']) if (secretForms.some((form) => form.test(text))) add(text, 'SECRET')
  })
}

/** The words of a command line inside a word, without their quotes. */
function partsOf(text: string): string[] {
  return (text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((part) => part.replace(/["']/g, ''))
}

function variableOf(option: string): string {
  return option.replaceAll('-', '_').toUpperCase()
}

function shellEscaped(text: string): string {
  return text.replace(/["$`\\]/g, '\\$&')
}

/** Returns a pattern that finds a text outside longer words. */
function aloneForm(text: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![A-Za-z0-9])`, 'g')
}
