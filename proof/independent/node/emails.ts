// Routes of the sending API.
import { randomUUID } from 'node:crypto'
import { asObject, invalid, notFound, Refusal, type Answer } from './answers.js'
import { handOver } from './mail.js'
import type { Egress } from './egress.js'
import type { Caller, Email, Project, State } from './state.js'
import { limitFrom } from './webhooks.js'

const maxInBatch = 100
/** How long mail waits in the queue before the mail server accepts it, in milliseconds of the workspace's clock. */
const queueMs = 20

export interface Post {
  readonly state: State
  readonly egress: Egress
}

export function sendEmail(caller: Caller, body: unknown, post: Post): Answer {
  refuseWhilePaused(caller)
  return { status: 202, value: { id: accept(caller, checked(caller, body), post).id } }
}

/** Permissive by default: the valid items are sent, the others returned as errors. */
export function sendBatch(
  caller: Caller,
  { body, mode }: { readonly body: unknown; readonly mode: string },
  post: Post,
): Answer {
  refuseWhilePaused(caller)
  if (!Array.isArray(body)) throw invalid('a batch is a list', 'Send a list of emails.')
  if (body.length > maxInBatch) throw invalid(`${body.length} emails`, `Send ${maxInBatch} at most.`)
  const good: Checked[] = []
  const errors: object[] = []
  for (const [index, item] of body.entries()) {
    try {
      good.push(checked(caller, item))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors.push({ index, code: error.code, message: error.message, fix: error.fix })
    }
  }
  if (errors.length > 0 && (mode === 'strict' || good.length === 0))
    throw new Refusal(400, 'invalid_batch', {
      message: `${errors.length} of ${body.length} emails are not valid`,
      fix: 'Mend what errors names.',
      more: { errors },
    })
  const data = good.map((email) => ({ id: accept(caller, email, post).id }))
  return { status: 200, value: { data, ...(errors.length === 0 ? {} : { errors }) } }
}

export function getEmail(caller: Caller, id: string): Answer {
  return { status: 200, value: shown(find(caller, id)) }
}

export function listEmails(caller: Caller, query: URLSearchParams): Answer {
  const limit = limitFrom(query)
  const all = [...caller.project.emails.values()].filter((email) => isSeen(caller, email)).toReversed()
  const cursor = query.get('cursor')
  const start = cursor === null || cursor === '' ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== null && cursor !== '' && start === 0) throw invalid('there is no such cursor', 'Use next_cursor.')
  const page = all.slice(start, start + limit)
  const isLast = start + limit >= all.length
  return { status: 200, value: { data: page.map(shown), next_cursor: isLast ? null : page.at(-1)?.id } }
}

export function reschedule(caller: Caller, { id, body }: { readonly id: string; readonly body: unknown }): Answer {
  const email = find(caller, id)
  const at = instantFrom(asObject(body)['scheduled_at'])
  if (at === undefined) throw invalid('scheduled_at is missing', 'Send an ISO 8601 time.')
  if (email.status !== 'scheduled') throw tooLate()
  email.scheduledAt = at
  email.recall()
  const { clock } = caller.project.workspace
  email.recall = clock.at(at, () => handOverLater.get(email)?.())
  return { status: 200, value: { object: shown(email), id } }
}

export function cancel(caller: Caller, id: string): Answer {
  const email = find(caller, id)
  if (email.status !== 'scheduled') throw tooLate()
  email.recall()
  email.status = 'canceled'
  return { status: 202, value: { object: shown(email), id } }
}

interface Checked {
  readonly from: string
  readonly to: string
  readonly cc: string | undefined
  readonly subject: string
  readonly scheduledAt: number | undefined
}

const addressPattern = /^[^\s@<>",]+@[^\s@<>",]+$/

/** The address in `Name <address>` or `address`; undefined where there is none. */
function addressIn(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const address = /^[^<>]*<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim()
  return addressPattern.test(address) ? address : undefined
}

/** Takes `to` as one text only. */
function checked({ project }: Caller, value: unknown): Checked {
  const fields = asObject(value)
  const { from, to, cc, subject, html, text, scheduled_at } = fields
  const sender = addressIn(from)
  if (sender === undefined) throw invalid('from holds no address', 'Send `Name <address>` or an address.')
  if (sender.split('@')[1]?.toLowerCase() !== project.domain)
    throw new Refusal(403, 'sender_not_verified', {
      message: `${sender} is not of a domain of this project`,
      fix: `Send from ${project.domain}.`,
    })
  const recipient = addressIn(to)
  if (recipient === undefined) throw invalid('to is not an address', 'Send one address as a text.')
  if (typeof subject !== 'string') throw invalid('subject is not a text', 'Send a subject.')
  if (typeof html !== 'string' && typeof text !== 'string') throw invalid('the email is empty', 'Send html or text.')
  if (cc !== undefined && typeof cc !== 'string') throw invalid('cc is not a text', 'Send one address as a text.')
  return { from: sender, to: recipient, cc, subject, scheduledAt: instantFrom(scheduled_at) }
}

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i

function instantFrom(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const time = typeof value === 'string' && isoPattern.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw invalid('scheduled_at is not a time', 'Send an ISO 8601 time with its zone.')
  return time
}

const handOverLater = new WeakMap<Email, () => void>()

function accept(caller: Caller, good: Checked, { state, egress }: Post): Email {
  const { clock } = caller.project.workspace
  const isLater = good.scheduledAt !== undefined && good.scheduledAt > clock.now()
  const email: Email = {
    id: `msg_${randomUUID()}`,
    thread: `thr_${randomUUID()}`,
    key: caller.key,
    from: good.from,
    to: good.to,
    cc: good.cc,
    subject: good.subject,
    status: isLater ? 'scheduled' : 'accepted',
    scheduledAt: good.scheduledAt,
    recall: () => {},
  }
  caller.project.emails.set(email.id, email)
  const handOverNow = () => handOver(email, caller.project, { state, egress })
  handOverLater.set(email, handOverNow)
  email.recall = clock.at(isLater ? (good.scheduledAt ?? 0) : clock.now() + queueMs, handOverNow)
  return email
}

function refuseWhilePaused({ project }: { readonly project: Project }): void {
  if (project.workspace.sending === 'paused')
    throw new Refusal(403, 'sending_paused', { message: 'sending is paused', fix: 'Write to support.' })
}

function find(caller: Caller, id: string): Email {
  const email = caller.project.emails.get(id)
  if (email === undefined || !isSeen(caller, email)) throw notFound('email with this id')
  return email
}

function isSeen({ inbox, key }: Caller, email: Email): boolean {
  return inbox === undefined || email.key === key
}

function shown({ id, from, to, subject, status, scheduledAt }: Email): object {
  return {
    id,
    status,
    from,
    recipients: [{ address: to, status }],
    subject,
    ...(scheduledAt === undefined ? {} : { scheduled_at: new Date(scheduledAt).toISOString() }),
  }
}

function tooLate(): Refusal {
  return new Refusal(409, 'not_scheduled', {
    message: 'this email is not scheduled any more',
    fix: 'Nothing can be done.',
  })
}
