// The requests of the reference server's page.
import type { ForgeryKind } from '../data.js'

/** A webhook as the list shows it. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly event_types: readonly string[]
  readonly inbox_id: string | null
}

export interface Delivery {
  readonly id: string
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly attempt: number
  readonly event_id?: string
  readonly response_code?: number | null
  readonly response_body_snippet?: string | null
  readonly error?: string | null
  readonly next_attempt_at?: string | null
  readonly replay_of?: string | null
}

export interface ServiceEvent {
  readonly id: string
  readonly type: string
  readonly timestamp?: string
  readonly created_at?: string
  readonly data: unknown
}

/** One attempt as it was made, its time on the clock of the workspace. */
export interface Attempt {
  readonly attempt: number
  readonly startedAt: number
  readonly sent?: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly outcome: {
    readonly kind: string
    readonly status?: number
    readonly snippet?: string
    readonly error?: string
    readonly address?: string
  }
}

export interface Facts {
  readonly inboxes: readonly { readonly id: string; readonly address: string }[]
  readonly event_types: readonly string[]
  /** Data of an event of each type, complete. */
  readonly samples: Readonly<Record<string, unknown>>
  /** The clock of the workspace, in milliseconds. */
  readonly now: number
  readonly can_move_time: boolean
  readonly forgeries: readonly ForgeryKind[]
}

type Options = readonly (readonly [value: string, words: string])[]

/** The types of events, as they are chosen. */
export function typesOf(facts: Facts | undefined): Options {
  return (facts?.event_types ?? []).map((type) => [type, type])
}

/** The inboxes, as they are chosen: without the domain, which all of a workspace share. */
export function inboxesOf(facts: Facts | undefined): Options {
  return (facts?.inboxes ?? []).map(({ id, address }) => [id, address.replace(/@.*$/, '')])
}

/** A request that was refused, in the words of the answer. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Sends a request with a key; rejects with {@link Refused} for a refusal. */
export async function callServer(key: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.ok) return text === '' ? undefined : JSON.parse(text)
  throw new Refused(response.status, `${response.status} ${wordsOf(text)}`)
}

/** `code: message fix`, wherever the answer holds them. */
function wordsOf(text: string): string {
  try {
    const value = JSON.parse(text) as { readonly error?: object }
    const { code = '', message = '', fix = '' } = { ...value, ...value.error } as Readonly<Record<string, unknown>>
    return `${String(code)}: ${String(message)} ${String(fix)}`
  } catch {
    return text.slice(0, 200)
  }
}

/** The key is in the fragment, which no server sees, and is removed from the address at once. */
export function takeKey(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('key')
  if (given !== null) {
    sessionStorage.setItem('key', given)
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem('key') ?? ''
}

export function keepKey(key: string): void {
  if (key === '') sessionStorage.removeItem('key')
  else sessionStorage.setItem('key', key)
}
