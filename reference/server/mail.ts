import { idPrefixes } from '../../spec/index.js'
import { ApiError } from './api/api-error.js'
import type { DueSource, WorkspaceQueues } from './engine/queues.js'
import type { Directory, Key } from './store/directory.js'
import type { EmailInput } from './api/email-input.js'
import type { EmailStore, StoredEmail } from './store/email-store.js'
import type { EventStore } from './store/event-store.js'
import { randomId } from './ids.js'
import type { EmailStatus, Policy } from './policy.js'
import type { Recorder } from './recorder.js'
import type { Store } from './store/database.js'

/** Sends mail: to its own inboxes, to the simulator's addresses, and nowhere else. No packet ever leaves. */
export type Mail = ReturnType<typeof createMail>

interface DispatchOptions {
  policy: Policy
  directory: Directory
  events: EventStore
  recorder: Recorder
}

interface MailOptions extends DispatchOptions {
  store: Store
  emails: EmailStore
  queues: Pick<WorkspaceQueues, 'now' | 'offsetMs' | 'wake'>
}

export function createMail(options: MailOptions) {
  const { policy, store, directory, emails, queues } = options
  const { newMessageId, dispatch, fail } = createDispatch(options)

  const isPaused = (workspaceId: string): boolean => directory.workspace(workspaceId)?.sending === 'paused'

  /** Stores one email; sends it when its time is not later. */
  function accept(input: EmailInput, key: Key, now: number): string {
    const { id, sequence } = newMessageId()
    const { senderAddress, scheduledAt, ...fields } = input
    const clockNow = mailNow(key.workspaceId, now)
    const sendAt = policy.sendTime(scheduledAt, clockNow)
    const isLater = sendAt > clockNow
    const email: StoredEmail = {
      ...fields,
      id,
      orgId: key.orgId,
      workspaceId: key.workspaceId,
      inboxId: key.inboxId ?? inboxOf(directory, senderAddress, key.orgId),
      threadId: randomId(idPrefixes.thread),
      status: isLater ? 'scheduled' : 'queued',
      recipients: [...input.to, ...input.cc, ...input.bcc].map((address) => ({
        address,
        status: isLater ? 'scheduled' : 'queued',
      })),
      scheduledAt,
      createdAt: now,
    }
    emails.insert(isLater ? email : dispatch(email, now), sequence, isLater ? sendAt : null)
    return id
  }

  const isInRealTime = policy.scheduledMailGoesBy === 'real-time'

  /** What the time is for scheduled mail, when it is `now` on the clock of the workspace. */
  function mailNow(workspaceId: string, now: number): number {
    return isInRealTime ? now - queues.offsetMs(workspaceId) : now
  }

  /** The emails that wait for their time. */
  const scheduled: DueSource = {
    nextDueAt: ({ workspaceId, clock }) =>
      (emails.nextDueAt(workspaceId) ?? Infinity) + (isInRealTime ? clock.offsetMs : 0),
    startDue({ workspaceId, clock }) {
      const now = mailNow(workspaceId, clock.now())
      for (let due = emails.nextDue(workspaceId, now); due; due = emails.nextDue(workspaceId, now)) {
        const { email, dueAt } = due
        const at = isInRealTime ? dueAt + clock.offsetMs : dueAt
        store.transaction(() => {
          emails.update(isPaused(workspaceId) ? fail(email, at) : dispatch(email, at), null)
        })
      }
    },
  }

  /** Whether a change is in time. Errors: `ApiError` 409 if it is not, and is not to be ignored. */
  function isInTime(email: StoredEmail, what: string): boolean {
    if (email.status === 'scheduled') return true
    if (policy.lateChange === 'ignore') return false
    throw new ApiError({
      status: 409,
      code: 'email_not_scheduled',
      message: `The email is ${email.status}; only a scheduled one can be ${what}.`,
      fix: 'Read the email to see its status.',
    })
  }

  return {
    scheduled,
    /** Refuses while sending is paused. Errors: `ApiError` 403 `sending_paused`. */
    checkSending(workspaceId: string): void {
      if (!isPaused(workspaceId)) return
      throw new ApiError({
        status: 403,
        code: 'sending_paused',
        message: 'Sending is paused for the workspace.',
        fix: 'Wait until sending is resumed, or contact support.',
      })
    },
    /** Stores emails and sends those that are not scheduled, in the transaction under way or one of its own. */
    send(inputs: readonly EmailInput[], key: Key): string[] {
      const now = queues.now(key.workspaceId)
      queues.wake(key.workspaceId)
      return store.transaction(() => inputs.map((input) => accept(input, key, now)))
    },
    /** Moves a scheduled email. Errors: `ApiError` 409 when it is not scheduled any more. */
    reschedule(email: StoredEmail, scheduledAt: number): void {
      if (!isInTime(email, 'rescheduled')) return
      emails.update({ ...email, scheduledAt }, policy.sendTime(scheduledAt, queues.now(email.workspaceId)))
      queues.wake(email.workspaceId)
    },
    /** Cancels a scheduled email. Errors: as {@link reschedule}. */
    cancel(email: StoredEmail): void {
      if (!isInTime(email, 'cancelled')) return
      const recipients = email.recipients.map(({ address }) => ({ address, status: 'canceled' as const }))
      emails.update({ ...email, status: 'canceled', recipients }, null)
    },
  }
}

/** The inbox that mail from an address is of. */
function inboxOf(directory: Directory, address: string, orgId: string): string | null {
  const inbox = directory.inboxAt(address)
  if (inbox?.orgId === orgId) return inbox.id
  return directory.inboxesOf(orgId)[0]?.id ?? null
}

/** The events and the new status of an email that became due. */
function createDispatch({ policy, directory, events, recorder }: DispatchOptions) {
  function newMessageId(): { id: string; sequence: number } {
    const sequence = events.nextNumber()
    return { id: idPrefixes.message + String(sequence).padStart(16, '0'), sequence }
  }

  function dispatch(email: StoredEmail, at: number): StoredEmail {
    const { orgId, threadId } = email
    const ids = { message_id: email.id, inbox_id: email.inboxId, thread_id: threadId }
    const tell = (type: string, data: Readonly<Record<string, unknown>>): void => {
      recorder.raise({ orgId, type, data: { ...ids, ...data }, at })
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
        recorder.raise({
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

  function fail(email: StoredEmail, at: number): StoredEmail {
    const { id, orgId, inboxId, threadId } = email
    const reason = 'Sending is paused for the workspace.'
    const data = { message_id: id, inbox_id: inboxId, thread_id: threadId, reason, status: 'failed' }
    recorder.raise({ orgId, type: 'message.failed', data, at })
    const recipients = email.recipients.map(({ address }) => ({ address, status: 'failed' as const }))
    return { ...email, status: 'failed', recipients }
  }

  return { newMessageId, dispatch, fail }
}
