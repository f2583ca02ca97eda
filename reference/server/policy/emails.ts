import { maxBatchSize } from '../../../spec/index.js'
import type { Answer, BatchError, EmailRecord, MailOutcome } from './records.js'

/** A sender as `from` names it. */
export interface Sender {
  readonly name: string | undefined
  readonly address: string
}

/** An event that an outcome raises, with the fields of the delivery kind, or `reason` instead of them. */
export type OutcomeEvent =
  | {
      readonly type: string
      readonly status: EmailRecord['status']
      readonly response: string
      readonly bounceClassification: string | null
      readonly permanent: boolean
    }
  | { readonly type: string; readonly status: EmailRecord['status']; readonly reason: string }

/** Sending, idempotency, and what becomes of mail. */
export interface EmailPolicy {
  /** Source: SND-002. Undefined: not an address. */
  readonly parseSender: (from: string) => Sender | undefined
  /** `to` as a list; undefined: refused. Source: SND-003. */
  readonly recipientList: (to: unknown) => readonly string[] | undefined
  /** Source: SND-012. */
  readonly senderAllowed: (domain: string, verifiedDomains: readonly string[]) => boolean
  /** Status and code for a sender that is not allowed. Source: SND-012. */
  readonly senderRefusal: { readonly status: number; readonly code: string }
  /** Source: SND-001. */
  readonly sendAnswer: (id: string) => Answer
  /** Source: SND-004, SND-005. */
  readonly maxBatchSize: number
  /** Source: SND-004. */
  readonly batchAnswer: (ids: readonly string[], errors: readonly BatchError[]) => Answer
  /** Status of `invalid_batch`; open point `batch-error-status`. */
  readonly batchErrorStatus: number
  /** The requested validation; open point `batch-validation`. */
  readonly batchMode: (asked: {
    readonly query: string | undefined
    readonly header: string | undefined
  }) => 'strict' | 'permissive'
  /** Source: SND-007. */
  readonly shownEmail: (email: EmailRecord) => Readonly<Record<string, unknown>>
  /** Source: SND-008. */
  readonly emailListEnvelope: (items: readonly unknown[], nextCursor: string | null) => unknown
  readonly emailDefaultLimit: number
  readonly emailMaxLimit: number
  /** Source: SND-009. */
  readonly nextCursor: (page: { readonly lastId: string | undefined; readonly hasMore: boolean }) => string | null
  /** Source: SND-010, SND-011. */
  readonly rescheduleAnswer: (id: string) => Answer
  readonly cancelAnswer: (id: string) => Answer
  /** Instant an email is sent at: SND-013 where it is scheduled, open point `mail-delay` where it is not. */
  readonly sendTime: (scheduledAtMs: number | null, nowMs: number) => number
  /** Whose time scheduled mail goes by; open point `clock-and-mail`. */
  readonly scheduledMailGoesBy: 'workspace-clock' | 'real-time'
  /** A reschedule or a cancel of an email that was sent or cancelled; open point `late-changes`. */
  readonly lateChange: 'refuse' | 'ignore'
  /** Open point `empty-batch`. */
  readonly emptyBatch: 'refuse' | 'accept'
  /** The name under which a first result is kept; undefined: never. Source: IDM-001 to IDM-005. */
  readonly idempotencySlot: (request: {
    readonly orgId: string
    readonly path: string
    readonly key: string
  }) => string | undefined
  /** The same key with another body; open point `idempotency-conflict`. */
  readonly idempotencyConflict: 'refuse' | 'first-result'
  /** What becomes of mail to an address outside, by its local part and domain. Source: EVT-005 to EVT-009. */
  readonly outcomeOf: (localPart: string, domain: string) => MailOutcome
  /** Events of an outcome. Source: EVT-005 to EVT-009. */
  readonly outcomeEvents: Readonly<Record<MailOutcome, readonly OutcomeEvent[]>>
}

const accepted = {
  type: 'message.delivered',
  status: 'delivered',
  response: '250 2.0.0 OK: queued',
  bounceClassification: null,
  permanent: false,
} as const

const simulated: Readonly<Record<string, MailOutcome>> = {
  deliver: 'delivered',
  delivered: 'delivered',
  defer: 'deferred',
  deferred: 'deferred',
  bounce: 'bounced',
  bounced: 'bounced',
  'soft-bounce': 'soft-bounced',
  'soft-bounced': 'soft-bounced',
  complaint: 'complained',
  complain: 'complained',
  complained: 'complained',
  fail: 'failed',
  failed: 'failed',
  reject: 'rejected',
  rejected: 'rejected',
}

export const emailPolicy: EmailPolicy = {
  parseSender: (from) => {
    const named = /^([^<>]*)<([^<>]*)>\s*$/.exec(from)
    const address = (named?.[2] ?? from).trim()
    if (!isAddress(address)) return undefined
    const name = named?.[1]?.trim().replace(/^"(.*)"$/, '$1')
    return { name: name === '' ? undefined : name, address }
  },
  recipientList: (to) => {
    const list = typeof to === 'string' ? [to] : to
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  },
  senderAllowed: (domain, verifiedDomains) => verifiedDomains.includes(domain),
  senderRefusal: { status: 403, code: 'sender_not_verified' },
  sendAnswer: (id) => ({ status: 200, body: { id } }),
  maxBatchSize,
  emptyBatch: 'refuse',
  batchAnswer: (ids, errors) => ({
    status: 200,
    body: { data: ids.map((id) => ({ id })), ...(errors.length > 0 && { errors }) },
  }),
  batchErrorStatus: 422,
  batchMode: ({ query, header }) => ((query ?? header) === 'permissive' ? 'permissive' : 'strict'),
  shownEmail: (email) => ({
    object: 'email',
    id: email.id,
    inbox_id: email.inboxId,
    thread_id: email.threadId,
    from: email.from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    subject: email.subject,
    html: email.html,
    text: email.text,
    status: email.status,
    recipients: email.recipients,
    scheduled_at: email.scheduledAt === null ? null : new Date(email.scheduledAt).toISOString(),
    created_at: new Date(email.createdAt).toISOString(),
  }),
  emailListEnvelope: (items, nextCursor) => ({ data: items, next_cursor: nextCursor }),
  emailDefaultLimit: 50,
  emailMaxLimit: 100,
  nextCursor: ({ lastId, hasMore }) => (hasMore ? (lastId ?? null) : null),
  rescheduleAnswer: (id) => ({ status: 200, body: { object: 'email', id } }),
  cancelAnswer: (id) => ({ status: 200, body: { object: 'email', id } }),
  sendTime: (scheduledAtMs, nowMs) => scheduledAtMs ?? nowMs,
  scheduledMailGoesBy: 'workspace-clock',
  lateChange: 'refuse',
  idempotencySlot: ({ orgId, key }) => JSON.stringify([orgId, key]),
  idempotencyConflict: 'refuse',
  outcomeOf: (localPart, domain) => {
    if (!/^simulator(\.|$)/i.test(domain)) return 'delivered'
    return simulated[localPart.toLowerCase().replace(/\+.*$/, '')] ?? 'delivered'
  },
  outcomeEvents: {
    delivered: [accepted],
    deferred: [
      {
        type: 'message.deferred',
        status: 'deferred',
        response: '451 4.7.1 Greylisted, try again later',
        bounceClassification: null,
        permanent: false,
      },
    ],
    bounced: [
      {
        type: 'message.bounced',
        status: 'bounced',
        response: '550 5.1.1 No such user',
        bounceClassification: 'invalid_recipient',
        permanent: true,
      },
    ],
    'soft-bounced': [
      {
        type: 'message.bounced',
        status: 'bounced',
        response: '452 4.2.2 Mailbox full',
        bounceClassification: 'mailbox_full',
        permanent: false,
      },
    ],
    complained: [accepted, { ...accepted, type: 'message.complained', status: 'complained' }],
    failed: [
      {
        type: 'message.failed',
        status: 'failed',
        response: '421 4.4.2 Connection timed out; gave up retrying',
        bounceClassification: 'expired',
        permanent: true,
      },
    ],
    rejected: [{ type: 'message.failed', status: 'failed', reason: 'The mail server did not accept the message.' }],
  },
}

/** Whether `text` is `local@domain`, printable and without blanks. */
export function isAddress(text: string): boolean {
  return (
    text.length <= 320 &&
    /^[^\s@<>,;:"()[\]\\\p{Cc}]{1,64}@[^\s@<>,;:"()[\]\\\p{Cc}.]+(\.[^\s@<>,;:"()[\]\\\p{Cc}.]+)+$/u.test(text)
  )
}
