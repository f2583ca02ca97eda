import { createHash } from 'node:crypto'
import { secretPrefix } from '../../spec/index.js'
import { hideCredentials, isCredentialHeader } from '../credentials.js'
import { type HeaderList, markedField } from './record.js'
import { keepNewest } from './keep-newest.js'

// A run of backslashes is read up to 15, which is four layers of JSON: without a limit each would be read to the end of the run again.

/** What every form of a webhook secret looks like, in a text, in JSON (as .NET and PHP write it too) or in a URL. */
const secretShape =
  /whsec_(?:[A-Za-z0-9+/_-]|\\{1,15}\/|\\{1,15}u002[bBfF]|%2[bBfF])+(?:=|\\{1,15}u003[dD]|%3[dD])?(?:=|\\{1,15}u003[dD]|%3[dD])?/g
/** The pattern of a secret that is one: base64 after the prefix. */
const wellFormed = /^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
/** Members of a JSON body whose value is a credential, whatever it looks like. */
const credentialMembers =
  /("(?:(?:[a-z]{1,20}_)?(?:secret|password|credentials?)|(?:[a-z]{1,20}_)?(?:api|access|private|signing|auth|client|new)_?(?:key|token)|key|token|authorization)"\s*:\s*")((?:[^"\\]|\\.)+)(")/gi
/** The same in a JSON text inside another. */
const nestedMembers =
  /(\\{1,15}"(?:(?:[a-z]{1,20}_)?(?:secret|password|credentials?)|(?:[a-z]{1,20}_)?(?:api|access|private|signing|auth|client|new)_?(?:key|token)|key|token|authorization)\\{1,15}"\s*:\s*\\{1,15}")([^"\\]+)(\\{1,15}")/gi
/** The same in the query of a URL, anywhere in a text. */
const credentialParameters = /([?&](?:token|api_?key|access_?token|secret|password)=)[^&\s"'<>#]+/gi
/**
 * Ids of the interface, addresses and host names: none is a key, so one sent instead of a key reveals nothing. A host name ends in
 * letters: other parts joined by dots are a token (RFC 7519), and any other text with an @ may be a password.
 */
const noKey = new RegExp(
  [
    '^(?:evt|ibx|msg|org|thr|whk)_',
    String.raw`^(?:[^\s@]+@)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z]{2,24}$`,
    String.raw`^\d{1,3}(?:\.\d{1,3}){3}$`,
  ].join('|'),
  'i',
)
/** Keys of fewer characters occur in other texts by chance. */
const shortestKey = 8
/** Values that are looked for everywhere; the oldest is forgotten first. */
const maxValues = 2_000

/** Shorter ones may be hints of a secret, such as its first characters. */
const shortestSecret = 16

/** Returns the name of a secret: the same in each capture, and useless to a reader. */
export function nameOf(kind: 'key' | 'secret', value: string): string {
  return `${kind}_${createHash('sha256').update(`conformance-capture/1 ${kind} ${value}`).digest('hex').slice(0, 12)}`
}

/** A secret in a capture: complete, so short that it may be a hint of one, or unusable for a verifier. */
export const secretToken = /^\[(secret|short-secret|malformed-secret):(secret_[0-9a-f]{12})\]$/
/** A value that is hidden completely: text next to a token is part of a value that was not a good secret. */
const loneToken = /^\[(?:redacted|(?:[a-z]+-)?(?:key|secret):(?:key|secret)_[0-9a-f]{12})\]$/
/** What replaces a hidden value, wherever it is. */
const anyToken = /\[(?:redacted\]|key:|(?:\w+-)?secret:)/
export const anySecretToken = /\[(secret|short-secret):(secret_[0-9a-f]{12})\]/g

/** Returns true if a part of the text was hidden when it was recorded. */
export function hasHiddenPart(text: string): boolean {
  return anyToken.test(text)
}

/** Knows the keys and secrets that passed, and removes them from the records. */
export class Confidential {
  readonly #values = new Map<string, Hidden>()

  /** Adds a key, and returns its stable name. One that looks like an id, an address or a host counts only if it `isAccepted`. */
  key(value: string, isAccepted: boolean): string {
    const name = nameOf('key', value)
    const isPlain = noKey.test(value)
    if (value.length >= shortestKey && (isAccepted || !isPlain)) this.#remember(value, keyToken(name), isPlain)
    return name
  }

  /** A webhook secret; returns its stable name. */
  secret(value: string): string {
    const name = nameOf('secret', value)
    // That the prefix is missing must still be seen.
    const sort = value.startsWith(secretPrefix) ? 'secret' : 'malformed-secret'
    const bare = sort === 'secret' ? value.slice(secretPrefix.length) : value
    if (bare.length >= shortestKey) this.#remember(bare, `[${sort}:${name}]`)
    return name
  }

  /** `text` with every secret replaced by its name. */
  scrub(text: string): string {
    let clean = text
    if (clean.includes(secretPrefix)) clean = clean.replace(secretShape, (found) => tokenOf(unescaped(found)))
    for (const hidden of this.#values.values()) clean = replaced(clean, hidden)
    const hide = (whole: string, before: string, value: string, after: string) =>
      loneToken.test(value) ? whole : `${before}${tokenOf(unescaped(value))}${after}`
    if (clean.includes('"')) clean = clean.replace(credentialMembers, hide)
    if (clean.includes('\\"')) clean = clean.replace(nestedMembers, hide)
    if (clean.includes('=')) clean = clean.replace(credentialParameters, '$1redacted')
    const asKey = (value: string) => keyToken(nameOf('key', value))
    return hideCredentials(clean, { key: asKey, value: asKey })
  }

  /** Returns what hides a key that looks like an id, for texts in which it is a key; undefined for others, which are always hidden. */
  hider(key: string): ((text: string) => string) | undefined {
    if (key.length < shortestKey || !noKey.test(key)) return undefined
    const hidden = hiddenAs(key, keyToken(nameOf('key', key)), true)
    return (text) => replaced(text, hidden)
  }

  headers(headers: HeaderList): HeaderList {
    return headers.map(([name, value]): [string, string] => [
      name,
      isCredentialHeader(name) ? this.#hidden(value) : this.scrub(value),
    ])
  }

  /** Replaces a value that is never kept; it still shows which webhook secret it was. */
  #hidden(value: string): string {
    const secrets = this.scrub(value).match(anySecretToken)
    return secrets === null ? markedField : secrets.join(' ')
  }

  #remember(value: string, token: string, isPlain = false): void {
    if (this.#values.has(value)) return
    this.#values.set(value, hiddenAs(value, token, isPlain))
    keepNewest(this.#values, maxValues)
  }
}

/** A value in every form that is searched for, and its replacement. */
interface Hidden {
  readonly token: string
  readonly forms: readonly (string | RegExp)[]
}

/** `isPlain`: ids that begin or end like it are others, and stay. */
function hiddenAs(value: string, token: string, isPlain: boolean): Hidden {
  const forms = [value, ...formsOf(value)]
  return { token, forms: isPlain ? forms.map(asWhole) : forms }
}

function replaced(text: string, { token, forms }: Hidden): string {
  let clean = text
  for (const form of forms) if (typeof form !== 'string' || clean.includes(form)) clean = clean.replaceAll(form, token)
  return clean
}

function keyToken(name: string): string {
  return `[key:${name}]`
}

/** Matches the text only if no letter, digit or underscore is next to it. */
function asWhole(text: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9_])${text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![A-Za-z0-9_])`, 'g')
}

/** Returns the other forms in which a service may echo a value. */
function formsOf(value: string): string[] {
  const escaped = (digits: (code: string) => string) =>
    value.replace(/[+/=]/g, (character) => `\\u00${digits(character.charCodeAt(0).toString(16))}`)
  const forms = [
    encodeURIComponent(value),
    value.replaceAll('/', '\\/'),
    value.replaceAll('+', '\\u002B'),
    value.replaceAll('+', '\\u002B').replaceAll('/', '\\/'),
    escaped((code) => code),
    escaped((code) => code.toUpperCase()),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
  ]
  return [...new Set(forms)].filter((form) => form !== value)
}

/** A secret as it is, once the escapes of JSON and URLs are taken off that its characters may have. */
function unescaped(text: string): string {
  return text
    .replace(/(?:\\{1,15}u00|%)(2[bf]|3d)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\{1,15}\//g, '/')
}

function tokenOf(value: string): string {
  const isShort = value.length < secretPrefix.length + shortestSecret
  const sort = wellFormed.test(value) ? (isShort ? 'short-secret' : 'secret') : 'malformed-secret'
  return `[${sort}:${nameOf('secret', value)}]`
}
