import {
  percentDecoded,
  type CallResult,
  type Checks,
  type ClientHandle,
  type ReceivedRequest,
} from '../../../harness/authoring.js'

/** An email every client can send. Before the @ capitals differ from small letters (RFC 5321, 2.4). */
export const email = { from: 'Ada <ada@verified.example>', to: 'Bob@recipient.example', subject: 'Hello', text: 'Hi' }

/** Returns the value of a call that must succeed; else ends the case. */
export function valueOf(require: Checks, what: string, result: CallResult): unknown {
  require.equal(`result of ${what}`, result.kind === 'value' ? 'a value' : describeResult(result), 'a value')
  return result.kind === 'value' ? result.value : undefined
}

/** Returns the unexpected result of a call: its value, its error, or why there is neither. */
function describeResult(result: CallResult): unknown {
  if (result.kind === 'broken') return result.how
  return result.kind === 'value' ? { value: result.value } : { error: result.error }
}

/** Returns whether a value is empty, as allowed if the interface shows no answer. */
export function isNothing(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0
}

/** Returns the error of a call that must fail with one; else ends the case. */
export function errorOf(
  require: Checks,
  what: string,
  result: CallResult,
): Extract<CallResult, { kind: 'error' }>['error'] {
  require.equal(`result of ${what}`, result.kind === 'error' ? 'an error' : describeResult(result), 'an error')
  return result.kind === 'error'
    ? result.error
    : {
        status: undefined,
        code: undefined,
        message: undefined,
        fix: undefined,
        errors: undefined,
        retry_after: undefined,
        raw: undefined,
      }
}

/** Milliseconds between the answer to one request and the arrival of the next: never more than the client waited. */
export function waitsBetween(requests: readonly ReceivedRequest[]): number[] {
  return requests.slice(1).map((request, index) => {
    const previous = requests[index]
    return request.arrivedAt - (previous?.answeredAt ?? previous?.arrivedAt ?? 0)
  })
}

/** Returns the credential of a request, in the text's spelling of its scheme: in HTTP its case does not matter (RFC 9110, 11.1). */
export function credentialOf(request: Pick<ReceivedRequest, 'headers'> | undefined): string | undefined {
  return request?.headers['authorization']?.replace(/^bearer /i, 'Bearer ')
}

/** The four methods that get an Idempotency-Key, with arguments. */
export const keyedMethods = {
  'emails.send': [email],
  'emails.batch': [[email, { ...email, subject: 'Second' }]],
  'messages.send': ['ibx_1', { to: 'bob@recipient.example', subject: 'Hello', text: 'Hi' }],
  'messages.reply': ['msg_1', { text: 'Thank you', reply_all: false }],
} as const satisfies Readonly<Record<string, readonly unknown[]>>

/** A key a caller may choose, of the letters and signs that such keys are made of. */
export function callersKey(mark: string): string {
  return `Order-4711_${mark.toUpperCase()}.${mark}:Retry`
}

export type KeyedMethod = keyof typeof keyedMethods

/** Sends one email. */
export function send(
  client: ClientHandle,
  options: Parameters<ClientHandle['call']>[2] = {},
  withinMs?: number,
): Promise<CallResult> {
  return client.call('emails.send', [email], options, withinMs)
}

/** A path with its parts decoded: an escaped sign that needs no escape is the sign (RFC 3986, 6.2.2.2). An escaped slash stays. */
export function pathOf({ path }: Pick<ReceivedRequest, 'path'>): string {
  return path
    .split('/')
    .map((part) => percentDecoded(part)?.replaceAll('/', '%2F') ?? part)
    .join('/')
}
