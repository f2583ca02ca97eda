import type { SchemeData } from '../../fixtures/index.js'
import type { DiagnoseNews, DiagnoseQuestion, KeptRequest } from '../data.js'
import { bytesOf } from './text.js'

/** What the fields of the page of `diagnose` contain. */
export interface Form {
  /** The name of a scheme; empty for the interface's own signature. */
  readonly scheme: string
  readonly secret: string
  readonly headers: string
  readonly body: string
  readonly encoding: 'text' | 'base64' | 'hex'
  /** The bytes of a file, or those that arrived, until the text is edited. */
  readonly file: Uint8Array | undefined
  readonly url: string
  readonly isNow: boolean
  readonly isDeep: boolean
}

/** The form for a request that arrived, or an empty one. */
export function formOf(
  { scheme, secrets }: Extract<DiagnoseNews, { kind: 'all' }>,
  request: KeptRequest | undefined,
): Form {
  const empty = { scheme, secret: secrets.join(' '), url: '', isNow: false, isDeep: false, encoding: 'text' as const }
  if (request === undefined) return { ...empty, headers: '', body: '', file: undefined }
  const file = bytesOf(request.bodyBase64)
  return { ...empty, headers: request.headers, body: new TextDecoder().decode(file), file }
}

/** A delivery whose body was parsed and serialized again, so that its signature does not match. */
export function exampleForm(form: Form): Form {
  return {
    ...form,
    scheme: '',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    headers: [
      'content-type: application/json',
      'webhook-id: evt_01J9ZK3W9Q',
      'webhook-timestamp: 1767323045',
      'webhook-signature: v1,E5jSo85Z0SAvT0sHZ/EmztMAelRVURBN3xX5pphqrMY=',
    ].join('\n'),
    body: '{"id": "evt_01J9ZK3W9Q", "type": "message.received", "data": {"subject": "Grüße"}}',
    encoding: 'text',
    file: undefined,
  }
}

/** The message to the worker. */
export function questionOf(form: Form, schemes: readonly SchemeData[]): DiagnoseQuestion {
  const scheme = schemes.find(({ name }) => name === form.scheme)
  const body = bodyOf(form)
  return {
    headers: form.headers,
    // Blanks around a secret are a cause of their own.
    secrets: /\s\S/.test(form.secret.trim()) ? form.secret.trim().split(/\s+/) : [form.secret],
    isDeep: form.isDeep,
    ...(body === undefined ? {} : { body }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(form.url === '' ? {} : { url: form.url }),
    ...(form.isNow ? { now: Math.floor(Date.now() / 1000) } : {}),
  }
}

/** The bytes of the body; undefined where the field of headers holds the whole request. */
export function bodyOf({ file, body, encoding, headers }: Form): Uint8Array | undefined {
  if (file !== undefined) return file
  if (body === '' && /\S\r?\n\r?\n/.test(headers)) return undefined
  if (encoding === 'base64') return bytesOf(body.replace(/\s/g, ''))
  if (encoding === 'hex')
    return Uint8Array.from(body.match(/[0-9a-f]{2}/gi) ?? [], (digits) => Number.parseInt(digits, 16))
  return new TextEncoder().encode(body)
}
