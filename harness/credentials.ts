// Recognizes credentials of any sender: by form, or by the name of the field, header or parameter.

/** Forms of the keys that common services give out, without their edges. */
const forms = [
  String.raw`(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{8,}`,
  String.raw`sk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}`,
  String.raw`gh[opsur]_[A-Za-z0-9]{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`glpat-[\w-]{16,}`,
  String.raw`xox[a-z]-[\w-]{10,}`,
  String.raw`(?:AKIA|ASIA)[0-9A-Z]{16}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`npm_[A-Za-z0-9]{30,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`key-[0-9a-f]{32}`,
  // A JSON Web Token: both parts before the signature are JSON objects.
  String.raw`eyJ[\w-]{8,}\.eyJ[\w-]{2,}\.[\w-]{8,}`,
  String.raw`-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[\w+/=\s\\]{1,8000}-----END [A-Z ]{0,20}PRIVATE KEY-----`,
]
/** Keys by their form, anywhere in a text. One that begins inside a word would be read again and again. */
const keyForm = new RegExp(`(?<![\\w-])(?:${forms.join('|')})`, 'g')
/** The password in a URL, anywhere in a text. */
const urlPassword = /(:\/\/[^\s/:@"'<>\\]{0,200}:)(?!\[?redacted)[^\s/@"'<>\\]{1,200}(?=@)/g
/** A token in front of the host of a URL. */
const urlUser = /(:\/\/)([^\s/:@"'<>\\]{16,200})(?=@)/g

const secretNames = 'key|token|secret|passwd|password|passphrase|credentials?'
/** Names of values that are not credentials, although they end like one. */
const publicName = /idempotency|page|next|prev|cursor|continuation|public|last|first|max/i
/** A field of JSON, at any depth of JSON inside JSON. */
const namedField = new RegExp(
  String.raw`(\\{0,15}["']([\w-]{0,40}(?:${secretNames}))\\{0,15}["']\s{0,5}:\s{0,5}\\{0,15}["'])((?:[^"'\\\s]|\\{1,15}(?!["'\\])){16,4000})`,
  'gi',
)
/** A parameter of a URL or of a form. */
const namedParameter = new RegExp(
  String.raw`((?<![\w-])([\w-]{0,40}(?:${secretNames}))=)([^&\s"'<>#;,\\]{16,4000})`,
  'gi',
)
/** Headers whose value is a credential. */
const credentialHeader = /auth|cookie|secret|token|passw|passphrase|credential|session|api-?key|-key$|^key$/i

/** Whether the value of a header is never shown. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeader.test(name) && !publicName.test(name)
}

/** Whether a value has too many kinds of characters to be a word. */
export function looksRandom(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && new Set(value).size >= 9 && !/redacted|\[/.test(value)
}

/** Names of parameters whose value is a credential, however short. */
const credentialParameter = new RegExp(`(?:${secretNames}|signature|sig|auth)$`, 'i')
/** A random part of a path. Ids have a prefix and an underscore. */
const randomPart = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9-]{24,}$/

/** Whether a URL contains a credential, by its form or the name of its parameter, instead of a reference to a variable, `${NAME}`. */
export function bearsCredential(url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  const isNamed = [...searchParams].some(
    ([name, value]) => credentialParameter.test(name) && !publicName.test(name) && !/^(?:\$\{[^}]+\})?$/.test(value),
  )
  const hasForm = /whsec_[\w+/=-]{8,}/.test(url) || hideCredentials(url, { key: () => '', value: () => '' }) !== url
  return isNamed || hasForm || pathname.split('/').some((part) => randomPart.test(part))
}

/** What a credential is replaced by. */
export interface Replacements {
  readonly key: (value: string) => string
  /** The value of a field or parameter. */
  readonly value: (value: string) => string
}

/** `text` with each credential replaced that its form or the name of its field shows. */
export function hideCredentials(text: string, { key, value }: Replacements): string {
  let clean = text
  if (clean.includes('@'))
    clean = clean
      .replace(urlPassword, '$1redacted')
      .replace(urlUser, (whole, before: string, user: string) => (looksRandom(user) ? `${before}redacted` : whole))
  clean = clean.replace(keyForm, key)
  const hide = (whole: string, before: string, name: string, found: string) =>
    publicName.test(name) || !looksRandom(found) ? whole : `${before}${value(found)}`
  if (clean.includes(':')) clean = clean.replace(namedField, hide)
  if (clean.includes('=')) clean = clean.replace(namedParameter, hide)
  return clean
}
