import { visible } from '../harness/reporters/reporter.js'
import { Secrets } from '../harness/secrets.js'

/** Options that hold a secret; each has a variable too. */
const secretOptions = ['api-key', 'control-key', 'secret', 'header'] as const

/**
 * Writes one complaint to standard error. Its text may quote a target, a driver or a secret given at the wrong place: it
 * commands no terminal and no build log, and holds no secret.
 */
export function complain(text: string): void {
  process.stderr.write(`conformance: ${harmless(text)}\n`)
}

/** A text for standard error; lines after the first are marked, so that none can pass for a command of a build log. */
export function harmless(text: string): string {
  const clean = givenSecrets()
    .redact(text)
    .replace(/(unknown option '[^'=]*=)[^']*'/, "$1…'")
    .replace(/(\/\/[^/\s:@]*:)[^@\s/]+@/g, '$1[redacted]@')
  return visible(clean).trimEnd().replaceAll('\n', '\n  | ')
}

/** The secrets of the command line and of the environment, read anew: a complaint may come before anything else was. */
function givenSecrets(): Secrets {
  const secrets = new Secrets()
  secrets.addEnvironment(process.env)
  const args = process.argv.slice(2)
  for (const option of secretOptions) {
    const add = (value: string | undefined) =>
      option === 'header' ? secrets.addHeader(headerValue(value)) : secrets.add(value)
    add(process.env[`CONFORMANCE_${option.toUpperCase().replaceAll('-', '_')}`])
    args.forEach((arg, index) => {
      if (arg === `--${option}`) add(args[index + 1])
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
