import { listed } from '../../harness/safe-text.js'

/** Wrong usage or configuration: one line that names the input and the remedy. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Exit codes of docs/contract.md, section 1. */
export const exitCodes = { conformant: 0, nonconformant: 1, usage: 2, noVerdict: 3 } as const

/** One of `words`. */
export function oneOf<const Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text)
  if (word === undefined) throw new UsageError(`${option} ${text}: expected ${listed(words, 'or')}`)
  return word
}

/** A whole number from `min` to `max`. */
export function wholeNumber(option: string, text: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || value < min || value > max)
    throw new UsageError(
      `${option} ${text}: expected a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}`,
    )
  return value
}

/** A number greater than 0. */
export function positiveNumber(option: string, text: string): number {
  const value = Number(text)
  if (!/^\d*\.?\d+$/.test(text) || !Number.isFinite(value) || value <= 0)
    throw new UsageError(`${option} ${text}: expected a number greater than 0`)
  return value
}

/** An http or https URL without credentials. */
export function httpUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Read as a host of that name: an unset variable of a script leaves it.
  if (/^https?:\/\/[/\\]/i.test(text))
    throw new UsageError(`${option} ${text}: the URL has no host; is a variable not set?`)
  if (url === undefined && /^https?:\/\/[^/?#]*:\d+([/?#]|$)/i.test(text))
    throw new UsageError(
      `${option} ${text}: this is not a URL; are the host and the port right? A port is at most 65535`,
    )
  if (url === undefined || !/^https?:\/\//i.test(text))
    throw new UsageError(`${option} ${text}: expected a URL that starts with http:// or https://`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${option}: the URL must not carry credentials; give a key by its own option`)
  return text
}

/** The same for one below which paths lie: it ends where they begin. */
export function rootUrl(option: string, text: string): string {
  const { search, hash } = new URL(httpUrl(option, text))
  if (search !== '' || hash !== '')
    throw new UsageError(`${option}: the URL must have no query and no fragment, since paths are added to it`)
  return text
}

/** The secret of `--secret`, as it was handed out. A refusal does not show it. */
export function signingSecret(text: string): string {
  const form = /^whsec_[A-Za-z0-9+/]+={0,2}$/
  if (form.test(text)) return text
  const isWrapped = form.test(text.replace(/^[\s'"]+|[\s'"]+$/g, ''))
  const unlike = text.startsWith('whsec_') ? 'what follows whsec_ is not' : 'it does not begin with whsec_'
  const why = isWrapped ? 'it has blanks or quotes around it' : unlike
  throw new UsageError(`--secret: expected whsec_ followed by base64, and ${why}; give it as it was handed out`)
}

/** `host:port`; a bare port listens on 127.0.0.1. */
export function hostAndPort(option: string, text: string): { host: string; port: number } {
  const match = /^(?:(.*):)?(\d{1,5})$/.exec(text)
  const port = Number(match?.[2])
  const host = match?.[1] ?? '127.0.0.1'
  if (match === null || port > 65_535 || host === '')
    throw new UsageError(`${option} ${text}: expected host:port, such as 127.0.0.1:8443`)
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
