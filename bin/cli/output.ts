import { Secrets, visible } from '../../harness/safe-text.js'
import { variableName, type CommandEntry } from './option.js'
import { commands } from './options.js'
import { invocation, perInvocation, type OutputStream } from './invocation.js'

const allOptions = Object.values<CommandEntry>(commands).flatMap(({ options }) => options)
/** Options that hold a secret. */
const secretOptions = new Set(allOptions.filter(({ isSecret }) => isSecret === true).map(({ name }) => name))
/** Words that follow an option without its value, and are not values. */
const optionWords = new Set(allOptions.map(({ name }) => `--${name}`))

/**
 * Writes one message to standard error, or with `print` to standard output. Its text may quote a target, a driver or a
 * secret given at the wrong place: it commands no terminal and no build log, and holds no secret.
 */
export function printError(text: string): void {
  writeError(`conformance: ${sanitize(text)}\n`)
}

/** The same to standard output, without a name in front; one message of one or more lines. */
export function print(text: string): void {
  writeOutput(`${sanitize(text)}\n`)
}

/** A text for a terminal; lines after the first are marked, so that none can pass for a command of a build log. */
export function sanitize(text: string): string {
  const clean = givenSecrets()
    .redact(text)
    .replace(/(unknown option '[^'=]*=)[^']*'/, "$1…'")
    .replace(/(\/\/[^/\s:@]*:)[^@\s/]+@/g, '$1[redacted]@')
  return visible(clean).trimEnd().replaceAll('\n', '\n  | ')
}

/** Writes text to standard output; whatever a terminal or a build log would obey in it becomes visible. */
export function writeOutput(text: string): void {
  invocation().stdout.write(visible(text))
}

/** The same to standard error. */
export function writeError(text: string): void {
  invocation().stderr.write(visible(text))
}

/** Returns the raw stream, for output that is already safe or must keep its bytes: reporters, vectors, a question on a terminal. */
export function rawStream(name: 'stdout' | 'stderr'): OutputStream {
  return invocation()[name]
}

/** Secrets that were found later, such as those in the arguments of a driver. */
const added = perInvocation<string[]>(() => [])

/** From here on these are in no message. */
export function addSecrets(secrets: readonly string[]): void {
  added().push(...secrets)
}

/** Returns the secrets of the command line and of the environment, read again: an error may be printed before anything else was read. */
function givenSecrets(): Secrets {
  const secrets = new Secrets()
  secrets.addEnvironment(invocation().env)
  for (const secret of added()) secrets.add(secret)
  const { args } = invocation()
  for (const option of secretOptions) {
    const add = (value: string | undefined) =>
      option === 'header' ? secrets.addHeader(headerValue(value)) : secrets.add(value)
    add(invocation().env[variableName(option)])
    args.forEach((arg, index) => {
      const next = args[index + 1] ?? ''
      if (arg === `--${option}` && !optionWords.has(next)) add(next)
      else if (arg.startsWith(`--${option}=`)) add(arg.slice(option.length + 3))
    })
  }
  // A misspelt option may carry one as well.
  for (const arg of args) secrets.add(/^--?[a-z-]*(?:key|secret|token|header)[a-z-]*=(.+)$/i.exec(arg)?.[1])
  return secrets
}

function headerValue(text: string | undefined): string {
  return text === undefined ? '' : text.slice(text.indexOf(':') + 1).trim()
}
