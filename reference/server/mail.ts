import { idPrefixes } from '../../spec/index.js'
import { ApiError } from './api-error.js'
import type { DeliveryEngine } from './delivery-engine.js'
import type { Directory, Key } from './directory.js'
import type { EmailInput } from './email-input.js'
import type { EmailStore, StoredEmail } from './email-store.js'
import type { EventStore } from './event-store.js'
import { randomId } from './ids.js'
import type { EmailStatus, Policy } from './policy.js'
import type { Raise, Recorder } from './recorder.js'

/** Sends mail: to its own inboxes, to the simulator's addresses, and nowhere else. No packet ever leaves. */
export type Mail = ReturnType<typeof createMail>

export function createMail(options: {
  policy: Policy
  directory: Directory
  emails: EmailStore
  events: EventStore
  engine: DeliveryEngine
  recorder: Recorder
}) {
  const { policy, directory, emails, events, engine, recorder } = options

  function newMessageId(): { id: string; sequence: number } {
    const sequence = events.nextNumber()
    return { id: idPrefixes.message + String(sequence).padStart(16, '0'), sequence }
  }

  function dispatch(email: StoredEmail, at: number, raise: Raise): StoredEmail {
    const { orgId, threadId } = email
    const ids = { message_id: email.id, inbox_id: email.inboxId, thread_id: threadId }
    const tell = (type: string, data: Readonly<Record<string, unknown>>): void => {
      raise({ orgId, type, data: { ...ids, ...data }, at })
    }
    tell('message.queued', { to: email.to, cc: email.cc, subject: email.subject })
    const recipients = [...email.to, ...email.cc, ...email.bcc].map((address) => {
      const inbox = directory.inboxAt(address)
      let status: EmailStatus = 'queued'
      for (const event of policy.outcomeEvents[inbox ? 'delivered' : outcomeOf(address, orgId)]) {
        status = event.status
        if ('reason' in event) tell(event.type, { reason: event.reason, status })
        else {
          const { response, bounceClassification: bounce_classification, permanent } = event
          tell(event.type, { recipient: address, response, bounce_classification, permanent, status })
        }
      }
      if (inbox) {
        raise({
          orgId: inbox.orgId,
          type: 'message.received',
          data: {
            message_id: newMessageId().id,
            inbox_id: inbox.id,
            thread_id: randomId(idPrefixes.thread),
            from: email.from,
            subject: email.subject,
          },
          ...(inbox.orgId === orgId && { at }),
        })
      }
      return { address, status }
    })
    const status = recipients.find((recipient) => recipient.status !== 'delivered')?.status ?? 'delivered'
    return { ...email, recipients, status }
  }

  function outcomeOf(address: string, orgId: string) {
    const at = address.lastIndexOf('@')
    const domain = address.slice(at + 1).toLowerCase()
    if (directory.domainsOf(orgId).some(({ name }) => name === domain)) return 'bounced'
    return policy.outcomeOf(address.slice(0, at), domain)
  }

  const isPaused = (workspaceId: string): boolean =>
    policy.pausedSends === 'refuse' && directory.workspace(workspaceId)?.sending === 'paused'

  const mail = {
    /** Refuses while sending is paused. Errors: `ApiError` 403 `sending_paused`. */
    checkSending(workspaceId: string): void {
      if (!isPaused(workspaceId)) return
      throw new ApiError({
        status: 403,
        code: 'sending_paused',
        message: 'Sending is paused for the workspace.',
        fix: 'Wait until sending is resumed, or ask support.',
      })
    },
    /** Stores emails and sends those that are not scheduled, all in one transaction with `also`. */
    send(inputs: readonly EmailInput[], key: Key, also: (ids: readonly string[]) => void): string[] {
      const now = engine.now(key.workspaceId)
      const ids = recorder.record((raise) => {
        const made = inputs.map((input) => {
          const { id, sequence } = newMessageId()
          const { senderAddress, scheduledAt, ...fields } = input
          const sendAt = scheduledAt === null ? now : policy.sendTime(scheduledAt, now)
          const isLater = sendAt > now
          const email: StoredEmail = {
            ...fields,
            id,
            orgId: key.orgId,
            workspaceId: key.workspaceId,
            inboxId: key.inboxId ?? inboxOf(senderAddress, key.orgId),
            threadId: randomId(idPrefixes.thread),
            status: isLater ? 'scheduled' : 'queued',
            recipients: [...input.to, ...input.cc, ...input.bcc].map((address) => ({
              address,
              status: isLater ? 'scheduled' : 'queued',
            })),
            scheduledAt,
            createdAt: now,
          }
          emails.insert(isLater ? email : dispatch(email, now, raise), sequence, isLater ? sendAt : null)
          return id
        })
        also(made)
        return made
      })
      engine.wake(key.workspaceId)
      return ids
    },
    /** Moves a scheduled email. Errors: `ApiError` 409 when it is not scheduled any more. */
    reschedule(email: StoredEmail, scheduledAt: number): void {
      checkScheduled(email, 'rescheduled')
      if (!policy.rescheduleMoves) return
      emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, engine.now(email.workspaceId)))
      engine.wake(email.workspaceId)
    },
    /** Cancels a scheduled email. Errors: as {@link reschedule}. */
    cancel(email: StoredEmail): void {
      checkScheduled(email, 'cancelled')
      const recipients = email.recipients.map(({ address }) => ({ address, status: 'canceled' as const }))
      const dueAt = policy.cancelStops ? null : email.scheduledAt
      emails.update({ ...email, status: 'canceled', recipients }, dueAt)
    },
    nextDueAt: (workspaceId: string): number | undefined => emails.nextDueAt(workspaceId),
    /** Sends every scheduled email due by `atMs`, each at its own time. */
    release(workspaceId: string, atMs: number): void {
      for (let email = emails.nextDue(workspaceId, atMs); email; email = emails.nextDue(workspaceId, atMs)) {
        const due = email
        const at = Math.min(atMs, emails.nextDueAt(workspaceId) ?? atMs)
        recorder.record((raise) => {
          emails.update(isPaused(workspaceId) ? fail(due, at, raise) : dispatch(due, at, raise), null)
        })
      }
    },
  }

  function inboxOf(address: string, orgId: string): string | null {
    const inbox = directory.inboxAt(address)
    if (inbox?.orgId === orgId) return inbox.id
    return directory.inboxesOf(orgId)[0]?.id ?? null
  }

  return mail
}

function checkScheduled(email: StoredEmail, what: string): void {
  if (email.status === 'scheduled') return
  throw new ApiError({
    status: 409,
    code: 'email_not_scheduled',
    message: `The email is ${email.status}; only a scheduled one can be ${what}.`,
    fix: 'Read the email to see its status.',
  })
}

function fail(email: StoredEmail, at: number, raise: Raise): StoredEmail {
  const { id, orgId, inboxId, threadId } = email
  const reason = 'Sending is paused for the workspace.'
  const data = { message_id: id, inbox_id: inboxId, thread_id: threadId, reason, status: 'failed' }
  raise({ orgId, type: 'message.failed', data, at })
  const recipients = email.recipients.map(({ address }) => ({ address, status: 'failed' as const }))
  return { ...email, status: 'failed', recipients }
}
