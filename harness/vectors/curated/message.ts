// How a vector is made. The MACs are computed here once; a test computes every one again with openssl.

import { createHash, createHmac } from 'node:crypto'
import { ownScheme } from '../../schemes/scheme.js'
import { hmac, keyOf } from '../../wire/signing.js'
import type { VectorFlagName } from '../flags.js'
import type { Vector, VectorResult } from '../vector.js'

/** The clock of most vectors, Unix seconds. */
export const clock = 1_800_000_000

export const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`

const secretOfText = (text: string) => secretOf(Buffer.from(text))

/** The vectors below 1001 are changes of this one delivery. */
export const first = {
  secret: secretOfText('conformance-vectors-key-0001'),
  clock: 1_700_000_000,
  id: 'evt_1',
  body: '{"id":"evt_1","type":"message.received","timestamp":"2026-01-02T03:04:05.678Z","data":{"message_id":"msg_1","inbox_id":"ibx_1","thread_id":"thr_1","from":"a@b.example","subject":"Hello"}}',
} as const

type Headers = Readonly<Record<string, string>>

/** The difference to a plain valid delivery; `signed…` is the signed value if it is not the sent one. */
export interface Changes {
  readonly id?: string
  readonly timestamp?: number | string
  readonly body?: string | Uint8Array
  readonly now?: number
  /** The key that signs. */
  readonly key?: Uint8Array
  readonly signedId?: string
  readonly signedTimestamp?: number | string
  readonly signedBody?: string | Uint8Array
  /** Replaces the header; a function is given the good entry and its MAC. */
  readonly signature?: string | ((entry: string, mac: Buffer) => string)
  readonly headers?: (headers: Headers) => Headers
}

export type Add = (
  result: VectorResult,
  flag: VectorFlagName | readonly VectorFlagName[],
  comment: string,
  changes?: Changes,
) => void

/** Opens a group of tests that share a secret; `key` signs them, that of the secret unless another is given. */
export type Open = (secret: string, key?: Uint8Array) => Add

interface Part {
  /** The id of its first test. The last part of a topic has a hundred ids; new tests are added at its end, so that no id changes. */
  readonly from: number
  /** Its tests are changes of {@link first}; all of them with one secret are one group. */
  readonly isFirst?: boolean
  readonly build: (open: Open) => void
}

export type Topic = readonly Part[]

/** `length` bytes that are the same on every machine and look like nothing. */
export function bytesOf(label: string, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${label} ${index}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

/** HMAC over the parts, one after the other, as the scheme makes it. */
export function rawHmac(key: Uint8Array, parts: readonly (string | Uint8Array)[]): Buffer {
  return ownScheme.macBytes(key, ...parts)
}

/** The HMAC of a program that uses another hash. */
export function otherHmac(algorithm: string, key: Uint8Array, text: string): Buffer {
  return createHmac(algorithm, key).update(text).digest()
}

export const entryOf = (mac: Uint8Array): string => ownScheme.entryOf(Buffer.from(mac).toString('base64'))

/** The entry of the scheme: HMAC-SHA256 over `{id}.{timestamp}.{body}`. */
export const entryFor = (key: Uint8Array, id: string, timestamp: number | string, body: string): string =>
  entryOf(rawHmac(key, [`${id}.${timestamp}.`, body]))

/** An entry of another secret than that of {@link first}. */
export const firstWrong = (mark: string): string =>
  `v1,${hmac(keyOf(secretOfText('conformance-vectors-key-0002')), mark)}`

/** An entry that has the form of a signature and matches nothing. */
export const wrongEntry = (label: string): string => entryOf(bytesOf(`wrong ${label}`, 32))

/** The JSON text of an event as the service writes it: compact, in the order of the interface. */
export function eventText(id: string, subject = 'Hello'): string {
  const data = { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'ann@sender.example', subject }
  return JSON.stringify({ id, type: 'message.received', timestamp: '2027-01-15T08:00:00.000Z', data })
}

/** The test with this id: a plain valid delivery but for the changes. */
export function vectorOf(
  { id, key, isFirst }: { readonly id: number; readonly key: Uint8Array; readonly isFirst: boolean },
  ...[result, flag, comment, changes = {}]: Parameters<Add>
): Vector {
  const now = isFirst ? first.clock : clock
  const messageId = changes.id ?? (isFirst ? first.id : `evt_${String(id).padStart(6, '0')}`)
  const timestamp = String(changes.timestamp ?? now)
  const body = Buffer.from(changes.body ?? (isFirst ? first.body : eventText(messageId)))
  const mac = rawHmac(changes.key ?? key, [
    `${changes.signedId ?? messageId}.${changes.signedTimestamp ?? timestamp}.`,
    changes.signedBody ?? body,
  ])
  const { signature = (entry: string) => entry } = changes
  const headers = {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': typeof signature === 'function' ? signature(entryOf(mac), mac) : signature,
  }
  return {
    id,
    comment,
    flags: typeof flag === 'string' ? [flag] : flag,
    now: changes.now ?? now,
    headers: changes.headers?.(headers) ?? headers,
    payload_base64: body.toString('base64'),
    result,
  }
}
