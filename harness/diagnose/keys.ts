import { secretPrefix } from '../../spec/index.js'
import type { Candidate, Cause, Fault } from './finding.js'

/** Longer texts are not secrets: the interface's have 38 characters. */
const maxSecretLength = 1_000
const usable = /^whsec_[A-Za-z0-9+/]+={0,2}$/

/** The intended secret, and its repair. */
export interface ReadSecret {
  /** `whsec_` and base64; undefined where no key can be had from it. */
  readonly secret: string | undefined
  readonly repair: Cause | undefined
  /** The given text, without blanks and quotes: a sender may use it unchanged. */
  readonly text: string
}

/** Reads a secret the way a careful person does. */
export function readSecret(given: string): ReadSecret {
  if (given.length > maxSecretLength) return { secret: undefined, text: '', repair: unusable() }
  const repairs: string[] = []
  const mend = (text: string, mended: string, what: string) => {
    if (mended !== text) repairs.push(what)
    return mended
  }
  let text = mend(given, given.replace(/[\s\u00a0\u200b\ufeff]+/g, ''), 'it contains blanks or line breaks')
  text = mend(text, text.replace(/^["'`“”‘’]+|["'`“”‘’]+$/g, ''), 'it is in quotes')
  text = mend(
    text,
    text.replace(/%(2[bBfF]|3[dD])/g, (escape) => decodeURIComponent(escape)),
    'it is percent-encoded',
  )
  const plain = text
  const prefix = /^(?:whsec[_-])+/i.exec(text)?.[0] ?? ''
  let bare = text.slice(prefix.length)
  if (prefix === '') repairs.push(`it has no prefix ${secretPrefix}`)
  else if (prefix !== secretPrefix) repairs.push(`its prefix is not ${secretPrefix}`)
  bare = mend(bare, bare.replaceAll('-', '+').replaceAll('_', '/'), 'it is base64url, not base64')
  const unpadded = bare.replace(/=+$/, '')
  if (bare.length - unpadded.length > 2) {
    repairs.push('it has too much padding')
    bare = unpadded
  }
  const secret = secretPrefix + bare
  if (!usable.test(secret) || unpadded.length % 4 === 1) return { secret: undefined, text: plain, repair: unusable() }
  if (repairs.length === 0) return { secret, text: plain, repair: undefined }
  return {
    secret,
    text: plain,
    repair: {
      cause: 'secret-repaired',
      explanation: `The secret is usable only after repair: ${repairs.join('; ')}.`,
      evidence: `a secret is ${secretPrefix} followed by base64, and nothing else`,
      remedy: `Store the secret as it was given out: ${secretPrefix} followed by base64, without blanks or quotes.`,
    },
  }
}

function unusable(): Cause {
  return {
    cause: 'secret-unusable',
    explanation: `The secret contains no key: it is not ${secretPrefix} followed by base64.`,
    evidence: 'no repair of it gives base64',
    remedy: 'Take the secret from where it was created, whole.',
  }
}

const undecoded: Fault = {
  cause: 'secret-undecoded',
  explanation: "The key is the secret's text used undecoded, not the bytes its base64 stands for.",
  remedy: `Decode the part after ${secretPrefix} from base64, and use the bytes as the key.`,
}

function decodedAs(what: string): Fault {
  return {
    cause: 'secret-decoded-otherwise',
    explanation: `The key is the secret ${what}.`,
    remedy: `Decode the part after ${secretPrefix} as base64 (the standard alphabet), and use the bytes as the key.`,
  }
}

/** Every key that a careless program makes of the secret, the right one first. */
export function keysOf({ secret, text }: ReadSecret): Candidate<Buffer>[] {
  const bare = (secret ?? text).replace(/^whsec_/, '')
  const key = Buffer.from(bare, 'base64')
  const candidates: Candidate<Buffer>[] = secret === undefined ? [] : [{ value: key }]
  const add = (value: Buffer | string, fault: Fault) => {
    const bytes = Buffer.from(value as string)
    if (!candidates.some((candidate) => candidate.value.equals(bytes))) candidates.push({ value: bytes, fault })
  }
  const own = text.replace(/^whsec[_-]/i, '')
  add(bare, undecoded)
  add(`whsec_${bare}`, { ...undecoded, explanation: "The key is the secret's text used undecoded, prefix and all." })
  add(own, undecoded)
  add(text, { ...undecoded, explanation: "The key is the secret's text used undecoded, prefix and all." })
  for (const written of [bare, `whsec_${bare}`])
    add(`${written}\n`, {
      ...undecoded,
      explanation: "The key is the secret's text used undecoded, with a newline after it.",
    })
  if (/^(?:[0-9a-f]{2})+$/i.test(own)) add(Buffer.from(own, 'hex'), decodedAs('decoded as hex, not as base64'))
  add(Buffer.from(own.replace(/[+/]/g, ''), 'base64url'), decodedAs('decoded as base64url, not as base64'))
  add(Buffer.from(own.split(/[+/]/)[0] ?? '', 'base64url'), decodedAs('decoded as base64url, up to its first + or /'))
  add(Buffer.from(`whsec_${bare}`, 'base64'), decodedAs('decoded together with its prefix'))
  add(Buffer.from(`whsec${bare}`, 'base64'), decodedAs('decoded together with its prefix'))
  add(Buffer.from(key.toString('latin1'), 'base64'), decodedAs('decoded twice'))
  add(key.toString('utf8'), decodedAs('decoded to text, in which bytes that are not characters were lost'))
  add(key.toString('latin1'), decodedAs('decoded to text, and the text written as UTF-8'))
  add(key.toString('hex'), decodedAs('decoded and written as hex, whose characters are the key'))
  add('', decodedAs('left out: the key is empty'))
  return candidates
}
