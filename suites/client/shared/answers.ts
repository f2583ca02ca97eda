// The answers of a scripted server, and what each one is to a client.

import { json, refusal, type Reply } from '../../../harness/authoring.js'

/** A reply, or the plan of one that depends on when it is sent: a `Retry-After` with a date, or a late answer. */
export type Answer =
  | Reply
  /** A refusal whose `Retry-After` is a whole second at least `inSeconds` ahead, as an HTTP date. */
  | { readonly kind: 'dated'; readonly status: number; readonly inSeconds: number }
  /** The reply after so many milliseconds. */
  | { readonly kind: 'late'; readonly ms: number; readonly reply: Reply }

/** A wait of nothing, so that a case need not wait for its retries. */
export const atOnce = { 'retry-after': '0' } as const

/** A success that every method returns as it is. */
export const success = json(200, { id: 'x_1', object: 'x', data: [], next_cursor: null })
export const reset: Reply = { kind: 'reset' }
export const closed: Reply = { kind: 'close' }
export const silence: Reply = { kind: 'hang' }
export const halfAnswer: Reply = { kind: 'stall-in-body', status: 200 }

/** An error of the API with a `Retry-After` in seconds, by default of none. */
export function failing(status: number, retryAfter: number | string = 0): Reply {
  return refusal(status, 'try_again', { 'retry-after': String(retryAfter) })
}

/** The page of a gateway. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'text', status, body: `<html><h1>${status}</h1></html>`, contentType: 'text/html', headers }
}

export const inPieces = (reply: Reply): Reply =>
  reply.kind === 'json' ? { kind: 'pieces', status: reply.status, body: reply.body } : reply
export const withCharset = (reply: Reply): Reply =>
  reply.kind === 'json'
    ? { ...reply, headers: { ...reply.headers, 'content-type': 'application/json; charset=utf-8' } }
    : reply
/** As a service that writes for people does; JSON takes any white space around it and in it. */
export const onLines = (reply: Reply): Reply =>
  reply.kind === 'json'
    ? {
        kind: 'text',
        status: reply.status,
        contentType: 'application/json',
        body: `\r\n  ${JSON.stringify(reply.body, undefined, 2)}\r\n\n`,
        ...(reply.headers === undefined ? {} : { headers: reply.headers }),
      }
    : reply

/** What a reply is to a client. */
export type Meaning =
  | { readonly kind: 'value'; readonly body: unknown }
  /** `isFinal`: it is thrown at once. */
  | { readonly kind: 'error'; readonly status: number; readonly isFinal: boolean }
  /** A failure of the network. */
  | { readonly kind: 'lost' }
  /** The head of an answer, and not all of its body. */
  | { readonly kind: 'half'; readonly status: number }
  | { readonly kind: 'silence' }

/** Stands for the body of an answer that has none, or none in JSON. */
export const noBody = Symbol('no body')

/** Returns what a reply is to a client. A body that is cut by the end of its connection is a failure of the network. */
export function meaningOf(reply: Reply): Meaning {
  if (reply.kind === 'held') return meaningOf(reply.reply)
  if (reply.kind === 'hang') return { kind: 'silence' }
  if (reply.kind === 'stall-in-body' || reply.kind === 'drip') return { kind: 'half', status: reply.status }
  if (!('status' in reply) || reply.kind === 'reset-in-body' || reply.kind === 'close-in-body') return { kind: 'lost' }
  const { status } = reply
  if (status < 200 || status > 299) return { kind: 'error', status, isFinal: status !== 429 && status < 500 }
  return { kind: 'value', body: bodyOf(reply) }
}

function bodyOf(reply: Reply): unknown {
  if (reply.kind === 'json' || reply.kind === 'coded' || reply.kind === 'pieces') return reply.body ?? noBody
  const isJson = reply.kind === 'text' && reply.contentType.startsWith('application/json')
  return isJson ? (JSON.parse(reply.body) as unknown) : noBody
}

/** Makes the reply that is sent now. */
export function replyOf(answer: Answer): Reply {
  if (answer.kind === 'dated') {
    const dueAt = Math.ceil(Date.now() / 1_000) * 1_000 + answer.inSeconds * 1_000
    return refusal(answer.status, 'slow_down', { 'retry-after': new Date(dueAt).toUTCString() })
  }
  if (answer.kind !== 'late') return answer
  return { kind: 'held', until: new Promise((resolve) => setTimeout(resolve, answer.ms)), reply: answer.reply }
}

/** Returns the text of the `Retry-After` of a reply, if it has one. */
export function retryAfterOf(reply: Reply): string | undefined {
  return 'headers' in reply ? reply.headers?.['retry-after'] : undefined
}

const words: Readonly<Partial<Record<Answer['kind'], string>>> = {
  reset: 'a reset',
  close: 'a closed connection',
  hang: 'nothing',
  garbage: 'bytes other than HTTP',
}

/** Describes an answer: `429 with Retry-After: 3`. */
export function describeAnswer(answer: Answer): string {
  if (answer.kind === 'dated') return `${answer.status} with a date in Retry-After`
  if (answer.kind === 'late') return `${describeAnswer(answer.reply)} after ${answer.ms} ms`
  const word = words[answer.kind]
  if (word !== undefined) return word
  const status = 'status' in answer ? String(answer.status) : answer.kind
  const after = retryAfterOf(answer)
  const form = {
    text: ' with a page',
    empty: ' without a body',
    'stall-in-body': ' whose body stops half-way',
    'reset-in-body': ' whose body is cut',
    'close-in-body': ' whose body is cut',
  }[answer.kind as string]
  return `${status}${form ?? ''}${after === undefined || after === '0' ? '' : ` with Retry-After: ${after}`}`
}
