import type { SchemeData } from '../../fixtures/index.js'

/** A word of a POSIX shell that stands for this text. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The command that prints the bytes on its standard input as the scheme writes a signature. */
export function asText({ encoding }: Pick<SchemeData, 'encoding'>): string {
  return encoding === 'base64' ? 'openssl base64 -A' : "od -An -v -tx1 | tr -d ' \\n'"
}

/** The command that prints the HMAC of its standard input as the scheme writes it; `key` are the options with the key. */
export function hmacCommand({ algorithm, encoding }: Pick<SchemeData, 'algorithm' | 'encoding'>, key: string): string {
  return `openssl dgst -${algorithm.slice('hmac-'.length)} ${key} -binary | ${asText({ encoding })}`
}

/** The options with the key for {@link hmacCommand}, where the secret is in a variable of the shell. */
export function keyOfVariable({ key: { form, prefix = '' } }: Pick<SchemeData, 'key'>, variable: string): string {
  if (form === 'text') return `-hmac "$${variable}"`
  const bare = prefix === '' ? `"$${variable}"` : `"\${${variable}#${prefix}}"`
  if (form === 'hex') return `-mac HMAC -macopt hexkey:${bare}`
  return `-mac HMAC -macopt hexkey:$(printf %s ${bare} | base64 -d | od -An -v -tx1 | tr -d ' \\n')`
}
