import type { RequirementId } from '../../../spec/index.js'
import { email } from './expectations.js'

/** What a call does to the service, as far as the rules of retries go. */
type Effect =
  /** Creates nothing: made again after 429, 5xx and network failure. */
  | 'none'
  /** Carries an automatic Idempotency-Key: made again as well. */
  | 'keyed'
  /** A POST that creates something: not made again after a server error. */
  | 'creates'
  /** The text does not settle whether it creates something. */
  | 'open'

/** A method a client library may have, with arguments as the driver protocol gives them. */
export interface Method {
  readonly name: string
  readonly args: readonly unknown[]
  readonly effect: Effect
  /** The requirement of a failure, if a library may lack the method; else the one under test. */
  readonly reportedUnder?: RequirementId
  /** What it is answered is not shown: a library may return nothing, and need not read a body for that. */
  readonly isAnswerOpen?: true
  /** The particular form of its arguments, for messages: `with html`. */
  readonly form?: string
}

const when = '2030-01-02T03:04:05.000Z'
const message = { to: 'bob@recipient.example', subject: 'Hello', text: 'Hi' }

/** The methods whose request the text gives for the client library. */
const named: readonly Method[] = [
  { name: 'emails.send', args: [email], effect: 'keyed' },
  { name: 'emails.batch', args: [[email, { ...email, subject: 'Second' }]], effect: 'keyed' },
  { name: 'emails.get', args: ['em_42'], effect: 'none' },
  { name: 'emails.list', args: [{ limit: 7 }], effect: 'none' },
  { name: 'emails.update', args: ['em_42', { scheduled_at: when }], effect: 'none' },
  { name: 'emails.cancel', args: ['em_42'], effect: 'none' },
  { name: 'webhooks.deliveries', args: ['whk_1', { limit: 7 }], effect: 'none' },
  { name: 'webhooks.replay', args: ['whk_1', 'dlv_2'], effect: 'creates', isAnswerOpen: true },
]

/** Methods of endpoints that the text describes, and does not name as methods. */
const wrapping: readonly Method[] = [
  { name: 'webhooks.create', args: [{ url: 'https://a.example/' }], effect: 'creates' },
  { name: 'webhooks.list', args: [], effect: 'none' },
  { name: 'webhooks.delete', args: ['whk_1'], effect: 'none', isAnswerOpen: true },
  { name: 'events.list', args: [{ after: 'evt_1', limit: 7 }], effect: 'none' },
].map((method) => ({ ...method, reportedUnder: 'CLI-059' }) as Method)

/**
 * Methods without a shown path: whatever request they make is judged. `messages.wait` is separate, since its answer while nothing arrives
 * is not shown either (messages-wait.ts).
 */
const unshown: readonly Method[] = [
  { name: 'messages.send', args: ['ibx_1', message], effect: 'keyed' },
  { name: 'messages.reply', args: ['msg_1', { text: 'Thank you', reply_all: false }], effect: 'keyed' },
  { name: 'messages.list', args: [{ limit: 7 }], effect: 'none' },
  { name: 'messages.raw', args: ['msg_1'], effect: 'none' },
  { name: 'inboxes.create', args: [{ local_part: 'support' }], effect: 'creates' },
  { name: 'threads.list', args: [{ limit: 7 }], effect: 'none' },
  { name: 'threads.get', args: ['thr_1'], effect: 'none' },
  { name: 'conversations.list', args: [{ status: 'open', assignee: 'me' }], effect: 'none' },
  { name: 'conversations.update', args: ['cnv_1', { status: 'closed' }], effect: 'none' },
  { name: 'domains.create', args: [{ name: 'mail.example' }], effect: 'creates' },
  { name: 'domains.verify', args: ['dom_1'], effect: 'open' },
  {
    name: 'keys.create',
    args: [{ name: 'ci', permissions: 'sending', domain_id: 'mail.example' }],
    effect: 'creates',
  },
  { name: 'suppressions.delete', args: ['bob@recipient.example'], effect: 'none', isAnswerOpen: true },
  { name: 'senders.list', args: [], effect: 'none' },
].map((method) => ({ ...method, reportedUnder: 'CLI-060' }) as Method)

/** Every method with a row of its own in the matrices. */
export const methods: readonly Method[] = [...named, ...wrapping, ...unshown]

/** The methods whose path is not shown. */
export const unshownMethods = unshown

/** The requirements of a case on one method: those of the sentences, or the one for methods that a library may lack. */
export function requirementsOf(
  method: Method,
  ...own: [RequirementId, ...RequirementId[]]
): [RequirementId, ...RequirementId[]] {
  return method.reportedUnder === undefined ? own : [method.reportedUnder]
}

/** Whether a method is made again after 429, 5xx and network failure. */
export function isRepeated({ effect }: Pick<Method, 'effect'>): boolean {
  return effect === 'none' || effect === 'keyed'
}

/** Whether its request is a POST, or would be where its path is not shown. */
export function isPost({ name, effect }: Method): boolean {
  return effect !== 'none' || name === 'emails.cancel'
}

/** The part of a case's id for a method. */
export function slugOf({ name }: Pick<Method, 'name'>): string {
  return name.replace('.', '-')
}

/** Returns the method of that name, with its usual arguments or others; `form` describes those. */
export function methodNamed(name: string, args?: readonly unknown[], form?: string): Method {
  const method = methods.find((one) => one.name === name)
  if (method === undefined) throw new Error(`${name} is no method`)
  return { ...method, ...(args === undefined ? {} : { args }), ...(form === undefined ? {} : { form }) }
}

/** Two methods for rules that do not depend on the method: one that sends, one that reads. */
export const sending = methodNamed('emails.send')
export const reading = methodNamed('emails.get', ['em_1'])
