import { keyOf } from '../wire/signing.js'
import type { SeenAttempt } from './attempts.js'

/** A shorter secret may be part of other words by chance. */
const shortestForm = 16

/** Where an attempt holds the secret: `the url`, `the header x-secret`, `the body`; undefined where it does not. */
export function placeOfSecret({ attempt }: SeenAttempt, secret: string): string | undefined {
  const key = Buffer.from(keyOf(secret))
  const forms = [secret.replace(/^whsec_/, ''), key.toString('base64url'), key.toString('hex')]
  const isShown = (text: string) =>
    forms.some((form) => form.length >= shortestForm && readings(text).some((reading) => reading.includes(form)))
  if (isShown(attempt.path)) return 'the url'
  const header = attempt.rawHeaders.findIndex((value, index) => index % 2 === 1 && isShown(value))
  if (header >= 0) return `the header ${attempt.rawHeaders[header - 1]?.toLowerCase() ?? ''}`
  return isShown(attempt.text) ? 'the body' : undefined
}

/** Returns a text unchanged, with its URL escapes decoded, and as the decoded credential of `Basic`. */
function readings(text: string): readonly string[] {
  const [, credential] = /^Basic\s+(\S+)$/i.exec(text) ?? []
  return [text, unescaped(text), ...(credential === undefined ? [] : [Buffer.from(credential, 'base64').toString()])]
}

function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => Buffer.from(part.replaceAll('%', ''), 'hex').toString('latin1'))
}
