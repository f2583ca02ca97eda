import type { ClientPolicy, Query } from './policy.js'
import { instantToSend } from './scheduled-at.js'
import type { Settings } from './settings.js'
import type { Transport } from './transport.js'
import type {
  CallOptions,
  Email,
  EmailChange,
  EmailId,
  EmailPage,
  EmailReference,
  EmailToSend,
  SentBatch,
  SentEmail,
} from './types.js'

export interface EmailListQuery {
  readonly limit?: number | undefined
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface BatchOptions extends CallOptions {
  /** `permissive`: valid emails are sent although others of the batch are not valid. */
  readonly batchValidation?: string | undefined
}

/** `client.emails`. Source: spec/interface.md#sending-endpoints-revealed-by-the-client-library. */
export interface Emails {
  /** Sends with an automatic `Idempotency-Key`. */
  send(email: EmailToSend, options?: CallOptions): Promise<SentEmail>
  /** Sends up to 100 emails with an automatic `Idempotency-Key`. */
  batch(emails: readonly EmailToSend[], options?: BatchOptions): Promise<SentBatch>
  get(id: EmailId, options?: CallOptions): Promise<Email>
  list(query?: EmailListQuery, options?: CallOptions): Promise<EmailPage>
  /** Reschedules. */
  update(id: EmailId, change: EmailChange, options?: CallOptions): Promise<EmailReference>
  /** The same function as `update`. */
  reschedule(id: EmailId, change: EmailChange, options?: CallOptions): Promise<EmailReference>
  cancel(id: EmailId, options?: CallOptions): Promise<EmailReference>
}

export function createEmails(call: Transport, settings: Pick<Settings, 'policy' | 'runtime'>): Emails {
  const { policy, runtime } = settings
  const update: Emails['update'] = async (id, change, options) => {
    const body = withInstant(change, policy, runtime.now())
    return call({ operation: 'emails.update', path: { id }, body, options })
  }
  return {
    send: async (email, options) => {
      const body = withInstant(email, policy, runtime.now())
      return call({ operation: 'emails.send', body, options })
    },
    batch: async (emails, options) => {
      const nowMs = runtime.now()
      const body = Array.isArray(emails) ? emails.map((email) => withInstant(email, policy, nowMs)) : emails
      const mode = options?.batchValidation
      const query: Query = mode === undefined ? {} : policy.batchValidation(mode)
      return call({ operation: 'emails.batch', body, query, options })
    },
    get: async (id, options) => call({ operation: 'emails.get', path: { id }, options }),
    list: async (query, options) => call({ operation: 'emails.list', query: { ...query }, options }),
    update,
    reschedule: update,
    cancel: async (id, options) => call({ operation: 'emails.cancel', path: { id }, options }),
  }
}

/** The email with `scheduled_at` as it is sent; every other field as it is. */
function withInstant(email: unknown, policy: ClientPolicy, nowMs: number): unknown {
  if (typeof email !== 'object' || email === null) return email
  const fields: Record<string, unknown> = { ...email }
  let instant = fields['scheduled_at']
  for (const alias of policy.scheduledAtAliases) {
    instant ??= fields[alias]
    delete fields[alias]
  }
  if (instant === undefined) return fields
  const { dateObject: ofDate, phrase: ofPhrase } = policy
  return { ...fields, scheduled_at: instantToSend(instant, { ofDate, ofPhrase, nowMs }) }
}
