import { existsSync } from 'node:fs'
import { loadSchema, loadScheme, schemeNames } from '../../fixtures/index.js'
import { FileProblem } from '../../harness/parsing.js'
import { checkSecret, readScheme, SecretProblem, SignatureScheme } from '../../harness/schemes/index.js'
import { readFile, type Settings } from './settings.js'
import { listed } from '../../harness/safe-text.js'
import { oneOf, UsageError } from './usage.js'
import { profiles } from './option-values.js'

/** The scheme that `--scheme` names; undefined where it is not given. */
export function schemeOf(settings: Settings): SignatureScheme | undefined {
  const text = settings.text('scheme')
  return text === undefined ? undefined : schemeNamed('--scheme', text)
}

/** A built-in scheme by its name, or the scheme of a file. */
export function schemeNamed(option: string, text: string): SignatureScheme {
  const names = schemeNames()
  if (names.includes(text)) return new SignatureScheme(loadScheme(text))
  const isPath = /[/.\\]/.test(text) || existsSync(text)
  if (!isPath) throw new UsageError(`${option} ${text}: expected ${listed(names, 'or')}, or the path of a scheme file`)
  try {
    return new SignatureScheme(readScheme(text, readFile(option, text), loadSchema('scheme')))
  } catch (error) {
    if (error instanceof FileProblem) throw new UsageError(`${option}: ${error.message}`)
    throw error
  }
}

/** The profile of a receiver or a sender: `--scheme` implies `standard-webhooks`. */
export function profileOf(settings: Settings, scheme: SignatureScheme | undefined): (typeof profiles)[number] {
  const profile = oneOf('--profile', settings.text('profile') ?? 'interface', profiles)
  if (scheme === undefined) return profile
  if (settings.source('profile') !== undefined && profile === 'interface')
    throw new UsageError(`--profile interface has the interface's own signature: leave out --scheme ${scheme.name}`)
  return 'standard-webhooks'
}

/** Returns a secret in the form that the scheme gives out. A refusal names the option and does not show the secret. */
export function schemeSecret(scheme: SignatureScheme, secret: string, option = '--secret'): string {
  try {
    checkSecret(scheme.data, secret)
    return secret
  } catch (error) {
    if (error instanceof SecretProblem) throw new UsageError(`${option}: ${error.message}`)
    throw error
  }
}

/** Returns the key that verifies: the secret, or of Ed25519 the public key or its private seed. */
export function schemeKey(scheme: SignatureScheme, key: string): string {
  const { public_prefix: prefix } = scheme.data.key
  const isPublic = prefix !== undefined && key.startsWith(prefix)
  return schemeSecret(
    isPublic ? new SignatureScheme({ ...scheme.data, key: { ...scheme.data.key, prefix } }) : scheme,
    key,
  )
}
