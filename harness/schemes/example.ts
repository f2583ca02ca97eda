import { privateKey } from './key.js'
import { asText, hmacCommand, shellQuoted } from './openssl.js'
import type { SignatureScheme } from './scheme.js'

/** One signed delivery of a scheme, and the shell commands that compute its signature again. */
export interface SchemeExample {
  readonly secret: string
  /** What a receiver verifies with, where that is another key. */
  readonly publicKey?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signature: string
  /** Lines for a POSIX shell; the last one prints the signature. */
  readonly commands: readonly string[]
}

/** The time of every example: 2026-01-02T03:04:05Z. */
const exampleSeconds = 1_767_323_045
/** An unused key. */
const exampleKey = Buffer.from('conformance-scheme-example-key-1')

/** A signed example of the first sample of a scheme. */
export function exampleOf(scheme: SignatureScheme): SchemeExample {
  const { key, samples = [], id: idPlace } = scheme.data
  const secret = key.form === 'text' ? 'example-secret' : (key.prefix ?? '') + exampleKey.toString(key.form)
  const [sample] = samples
  const own = idPlace?.field === undefined ? undefined : sample?.body[idPlace.field]
  const id = typeof own === 'string' ? own : 'evt_1'
  const timestamp = scheme.timestampAt(exampleSeconds)
  const body = Buffer.from(scheme.bodyWith(Buffer.from(JSON.stringify(sample?.body ?? {})), { id, timestamp }))
  const message = { id, timestamp, body, url: 'https://hooks.example/webhooks' }
  const parts = scheme.signedOf(message)
  const signature = scheme.macOf(scheme.keyOf(secret), ...parts)
  return {
    secret,
    ...(scheme.isAsymmetric ? { publicKey: scheme.receiverSecret(secret) } : {}),
    headers: { ...scheme.headersOf(message, scheme.entryOf(signature)), ...sample?.headers },
    body: body.toString(),
    signature,
    commands: commandsOf(
      scheme,
      secret,
      parts.map((part) => Buffer.from(part as string)),
      body,
    ),
  }
}

function commandsOf(
  scheme: SignatureScheme,
  secret: string,
  parts: readonly Buffer[],
  body: Buffer,
): readonly string[] {
  const at = parts.findIndex((part) => part.equals(body))
  const printed = (some: readonly Buffer[]) =>
    some.length === 0 ? [] : [`printf %s ${shellQuoted(Buffer.concat(some).toString())}`]
  const written = [...printed(parts.slice(0, at)), 'cat body.json', ...printed(parts.slice(at + 1))]
  const message = written.length === 1 ? 'cat body.json' : `{ ${written.join('; ')}; }`
  const save = `printf %s ${shellQuoted(body.toString())} > body.json`
  if (scheme.isAsymmetric) {
    const pem = privateKey(scheme.keyOf(secret)).export({ format: 'pem', type: 'pkcs8' }).toString().trim()
    return [
      save,
      `printf '%s\\n' ${pem.split('\n').map(shellQuoted).join(' ')} > key.pem`,
      `${message} > message`,
      `openssl pkeyutl -sign -inkey key.pem -rawin -in message | ${asText(scheme.data)}`,
    ]
  }
  const key = `-mac HMAC -macopt hexkey:${scheme.keyOf(secret).toString('hex')}`
  return [save, `${message} | ${hmacCommand(scheme.data, key)}`]
}
