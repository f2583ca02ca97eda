// How the further vectors are made. The MACs are computed here once; a test computes every one again with openssl.

import { createHash, createHmac } from 'node:crypto'
import type { VectorFlagName } from '../flags.js'
import type { Vector, VectorResult } from '../vector.js'

/** The clock of most vectors, Unix seconds. */
export const clock = 1_800_000_000

type Headers = Readonly<Record<string, string>>

/** What differs from a plain valid delivery; `signed…` is what was signed where it is not what is sent. */
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

export type Add = (result: VectorResult, flag: VectorFlagName, comment: string, changes?: Changes) => void

/** Opens a group of tests that share a secret; `key` signs them. */
export type Open = (secret: string, key: Uint8Array) => Add

export interface Topic {
  /** The id of its first test. Each topic has a hundred of its own; new tests stand at its end, so that no id changes. */
  readonly from: number
  readonly build: (open: Open) => void
}

/** `length` bytes that are the same on every machine and look like nothing. */
export function bytesOf(label: string, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${label} ${index}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, length)
}

export const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`

/** HMAC over the parts, one after the other. */
export function rawHmac(key: Uint8Array, parts: readonly (string | Uint8Array)[], algorithm = 'sha256'): Buffer {
  const mac = createHmac(algorithm, key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

export const entryOf = (mac: Uint8Array): string => `v1,${Buffer.from(mac).toString('base64')}`

/** The entry of the scheme: HMAC-SHA256 over `{id}.{timestamp}.{body}`. */
export const entryFor = (key: Uint8Array, id: string, timestamp: number | string, body: string): string =>
  entryOf(rawHmac(key, [`${id}.${timestamp}.`, body]))

/** An entry that has the form of a signature and matches nothing. */
export const wrongEntry = (label: string): string => entryOf(bytesOf(`wrong ${label}`, 32))

/** The JSON text of an event as the service writes it: compact, in the order of the interface. */
export function eventText(id: string, subject = 'Hello'): string {
  const data = { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'ann@sender.example', subject }
  return JSON.stringify({ id, type: 'message.received', timestamp: '2027-01-15T08:00:00.000Z', data })
}

/** The test with this id: a plain valid delivery but for the changes. */
export function vectorOf(
  id: number,
  signer: Uint8Array,
  ...[result, flag, comment, changes = {}]: Parameters<Add>
): Vector {
  const messageId = changes.id ?? `evt_${String(id).padStart(6, '0')}`
  const timestamp = String(changes.timestamp ?? clock)
  const body = Buffer.from(changes.body ?? eventText(messageId))
  const mac = rawHmac(changes.key ?? signer, [
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
    flags: [flag],
    now: changes.now ?? clock,
    headers: changes.headers?.(headers) ?? headers,
    payload_base64: body.toString('base64'),
    result,
  }
}
