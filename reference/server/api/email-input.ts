import { ApiError, invalidRequest } from './api-error.js'
import type { EmailRecord, Policy } from '../policy.js'
import { isAddress } from '../policy/emails.js'
import { instantOf } from '../instants.js'

export interface EmailInput extends Pick<EmailRecord, 'from' | 'to' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'> {
  readonly senderAddress: string
  readonly scheduledAt: number | null
}

const maxRecipients = 50

/** Reads an email object. Errors: `ApiError` 400 naming the field, 403 for a sender that is not allowed. */
export function readEmail(body: unknown, options: { policy: Policy; verifiedDomains: readonly string[] }): EmailInput {
  const { policy, verifiedDomains } = options
  const fields = asObject(body)
  const from = text(fields, 'from')
  const sender = policy.parseSender(from)
  if (sender === undefined) throw invalidRequest('from is not an address.', 'Send from as a@b.c or Name <a@b.c>.')
  const to = addresses(fields, 'to', policy)
  if (to.length === 0) throw invalidRequest('to names nobody.', 'Send to with at least one address.')
  const cc = addresses(fields, 'cc', policy)
  const bcc = addresses(fields, 'bcc', policy)
  if (to.length + cc.length + bcc.length > maxRecipients) {
    throw invalidRequest('The email has too many recipients.', `Send to at most ${maxRecipients} recipients.`)
  }
  const subject = text(fields, 'subject')
  // Either becomes a line of the head of a message: a line break would start one of the sender's choosing.
  if (/[\r\n]/.test(subject)) throw invalidRequest('subject has a line break.', 'Send subject as one line.')
  if (/[\r\n]/.test(from)) throw invalidRequest('from has a line break.', 'Send from as one line.')
  const html = optionalText(fields, 'html')
  const plain = optionalText(fields, 'text')
  if (html === null && plain === null) throw invalidRequest('The email has no body.', 'Send html or text.')
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1).toLowerCase()
  if (!policy.senderAllowed(domain, verifiedDomains)) {
    throw new ApiError({
      ...policy.senderRefusal,
      message: 'The domain of from is not a verified domain of the project.',
      fix: 'Send from a verified domain, or add and verify this one.',
    })
  }
  const scheduled = fields['scheduled_at']
  const scheduledAt = scheduled === undefined || scheduled === null ? null : readInstant(scheduled)
  return { from, senderAddress: sender.address, to, cc, bcc, subject, html, text: plain, scheduledAt }
}

/** Reads `scheduled_at`. Errors: `ApiError` 400. */
export function readInstant(value: unknown): number {
  const at = typeof value === 'string' ? instantOf(value) : undefined
  if (at === undefined) {
    throw invalidRequest('scheduled_at is not an instant.', 'Send scheduled_at as ISO 8601, e.g. 2030-01-31T08:00:00Z.')
  }
  return at
}

/** A JSON object, or `ApiError` 400. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('The body is not a JSON object.', 'Send a JSON object.')
  }
  return value as Record<string, unknown>
}

function text(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string')
    throw invalidRequest(`${name} is missing or not a string.`, `Send ${name} as a string.`)
  return value
}

function optionalText(fields: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = fields[name]
  return value === undefined || value === null ? null : text(fields, name)
}

function addresses(fields: Readonly<Record<string, unknown>>, name: string, policy: Policy): readonly string[] {
  const value = fields[name]
  if (name !== 'to' && (value === undefined || value === null)) return []
  const list = policy.recipientList(value)
  const bare = list?.map((item) => policy.parseSender(item)?.address)
  if (bare === undefined || !bare.every((item) => item !== undefined && isAddress(item))) {
    throw invalidRequest(
      `${name} is not an address or a list of addresses.`,
      `Send ${name} as a@b.c or a list of such.`,
    )
  }
  return bare.filter((item) => item !== undefined)
}
