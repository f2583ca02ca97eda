import { randomInt } from 'node:crypto'

/** Without `x`, the separator of the parts of a mark. */
const alphabet = '0123456789abcdefghijklmnopqrstuvwyz'

/**
 * Identifies this run among all runs: ten lower-case letters and digits, part of every mark that it makes. It survives a service that
 * rewrites a URL.
 */
export const runMark = Array.from({ length: 10 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** The form of {@link runMark}. */
export const runMarkForm = /^[0-9a-wyz]{10}$/

/** Whether a text holds a mark of the run, whatever case and percent-encoding it was given. */
export function containsMark(text: string, mark: string): boolean {
  const isIn = (form: string) => form.toLowerCase().includes(`x${mark}x`)
  if (isIn(text)) return true
  try {
    return isIn(decodeURIComponent(text))
  } catch {
    return false
  }
}
