import { createHash } from 'node:crypto'
import { secretPrefix } from '../../spec/index.js'
import { type HeaderList, markedField } from './record.js'
import { keepNewest } from './newest.js'

/** What every form of a webhook secret looks like, in a text or in JSON. */
const secretShape = /whsec_(?:[A-Za-z0-9+/_-]|\\\/)+={0,2}/g
/** The pattern of a secret that is one: base64 after the prefix. */
const wellFormed = /^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
/** Members of a JSON body whose value is a credential, whatever it looks like. */
const credentialMembers =
  /("(?:secret|api_?key|access_?token|token|password|authorization)"\s*:\s*")((?:[^"\\]|\\.)+)(")/gi
/** The same in the query of a URL, wherever that stands. */
const credentialParameters = /([?&](?:token|api_?key|access_?token|secret|password)=)[^&\s"'<>#]+/gi
/** Headers whose value is never kept. */
const credentialHeaders = /auth|cookie|secret|token|password|credential|session|api-?key|access-key/i
/** Keys of fewer characters stand in other texts by chance. */
const shortestKey = 8
/** Values that are looked for wherever they stand; the oldest is forgotten first. */
const mostValues = 2_000

/** Shorter ones may be hints of a secret, such as its first characters. */
const shortestSecret = 16

/** The name of a secret: the same in each capture, and of no use to whoever reads it. */
export function nameOf(kind: 'key' | 'secret', value: string): string {
  return `${kind}_${createHash('sha256').update(`conformance-capture/1 ${kind} ${value}`).digest('hex').slice(0, 12)}`
}

/** A secret as it stands in a capture: whole, so short that it may be a hint of one, or one that no verifier can use. */
export const secretToken = /^\[(secret|short-secret|malformed-secret):(secret_[0-9a-f]{12})\]$/
export const anySecretToken = /\[(secret|short-secret):(secret_[0-9a-f]{12})\]/g

/** Knows the keys and secrets that passed, and takes them out of what is kept. */
export class Confidential {
  readonly #values = new Map<string, { readonly token: string; readonly encoded: string | undefined }>()

  /** A key; returns its stable name. */
  key(value: string): string {
    const name = nameOf('key', value)
    if (value.length >= shortestKey) this.#remember(value, `[key:${name}]`)
    return name
  }

  /** A webhook secret; returns its stable name. */
  secret(value: string): string {
    const name = nameOf('secret', value)
    const bare = value.startsWith(secretPrefix) ? value.slice(secretPrefix.length) : value
    if (bare.length >= shortestKey) this.#remember(bare, `[secret:${name}]`)
    return name
  }

  /** `text` with every secret replaced by its name. */
  scrub(text: string): string {
    let clean = text
    if (clean.includes(secretPrefix))
      clean = clean.replace(secretShape, (found) => tokenOf(found.replaceAll('\\/', '/')))
    for (const [value, { token, encoded }] of this.#values) {
      if (clean.includes(value)) clean = clean.replaceAll(value, token)
      if (encoded !== undefined && clean.includes(encoded)) clean = clean.replaceAll(encoded, token)
    }
    if (clean.includes('"'))
      clean = clean.replace(credentialMembers, (whole: string, before: string, value: string, after: string) =>
        value.startsWith('[') ? whole : `${before}${tokenOf(value)}${after}`,
      )
    if (clean.includes('=')) clean = clean.replace(credentialParameters, '$1redacted')
    return clean
  }

  headers(headers: HeaderList): HeaderList {
    return headers.map(([name, value]): [string, string] => [
      name,
      credentialHeaders.test(name) ? markedField : this.scrub(value),
    ])
  }

  #remember(value: string, token: string): void {
    if (this.#values.has(value)) return
    const encoded = encodeURIComponent(value)
    this.#values.set(value, { token, encoded: encoded === value ? undefined : encoded })
    keepNewest(this.#values, mostValues)
  }
}

function tokenOf(value: string): string {
  const isShort = value.length < secretPrefix.length + shortestSecret
  const sort = wellFormed.test(value) ? (isShort ? 'short-secret' : 'secret') : 'malformed-secret'
  return `[${sort}:${nameOf('secret', value)}]`
}
