// Secrets that cannot be hidden everywhere because reports contain the same words: `test`, `secret`, `k12`. They are hidden only where a
// secret can be.
import { requirements } from '../spec/index.js'

const mark = '[redacted]'
/** Shorter values are part of other words by chance. */
const minLength = 8
/** Words people give as secrets in tests; those of the interface's sentences are added. */
const usual = 'password changeme letmein default example testing development production conformance opensource'

let words: ReadonlySet<string> | undefined

/** Whether a value is so short, or so common a word, that a report would be unreadable without it. */
export function isTooPlain(value: string): boolean {
  if (value.length < minLength) return true
  if (!/^[a-z]+$/i.test(value)) return false
  words ??= new Set(
    Object.values(requirements)
      .flatMap(({ text }) => text.toLowerCase().split(/[^a-z]+/))
      .concat(usual.split(' ')),
  )
  return words.has(value.toLowerCase())
}

/** Replaces each of `values` in `text` that follows the name of a secret or is a credential. */
export function redactPlain(text: string, values: ReadonlySet<string>): string {
  let clean = text
  for (const value of values) {
    if (!clean.includes(value)) continue
    const literal = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const named = new RegExp(
      `((?:key|token|secret|password|authorization|cookie)[\\w-]*\\\\*["']?\\s*[:=]\\s*\\\\*["']?(?:(?:bearer|basic)\\s+)?|bearer\\s+)${literal}(?![\\w-])`,
      'gi',
    )
    clean = clean.replace(named, (_, before: string) => `${before}${mark}`)
  }
  return clean
}

/** Returns the headers with each of `values` replaced, alone or after a scheme. */
export function redactPlainHeaders(
  headers: Readonly<Record<string, string>>,
  values: ReadonlySet<string>,
): Readonly<Record<string, string>> {
  if (values.size === 0) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => {
      const [, scheme = '', credential = text] = /^(\w+\s+)(\S.*)$/.exec(text) ?? []
      if (values.has(text)) return [name, mark]
      return [name, values.has(credential) ? `${scheme}${mark}` : text]
    }),
  )
}
