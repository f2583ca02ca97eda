// An email that a script has sent: its addresses, what may become of it, and its name in messages.
import { asText, memberOf, type Inbox } from '../../../harness/authoring.js'
import { outcomesOf, type EmailStep } from '../../shared/world/mail.js'
import type { AddressForm, EmailPlan } from './mail-script.js'
import { dataOf } from './sent-mail.js'

export interface KnownEmail {
  readonly id: string | undefined
  readonly how: 'alone' | 'batch'
  /** The word that its subject begins with: its own, or that of emails equal to it. */
  readonly mark: string
  /** The address it is from. */
  readonly from: string
  readonly plan: EmailPlan
  /** Empty for an email whose key was used before. */
  readonly steps: EmailStep[]
  /** How its request was repeated, and how many steps there were by then. */
  repeated: 'never' | 'later' | 'at once'
  repeatedAt?: number
}

/** Writes an address in a legal form (RFC 5321, 4.1.2; RFC 5322, 3.4). */
export function writeAddress(address: string, form: AddressForm): string {
  const [local = '', domain = ''] = address.split('@')
  const forms = {
    plain: address,
    'capital-domain': `${local}@${domain.toUpperCase()}`,
    'capital-local-part': `${local.toUpperCase()}@${domain}`,
    named: `"Ada, B." <${address}>`,
    tagged: `${local}+tag@${domain}`,
    quoted: `"${local}"@${domain}`,
  }
  return forms[form]
}

export type MarkedPlan = Pick<KnownEmail, 'mark' | 'plan'>

export function subjectOf({ mark, plan }: MarkedPlan): string {
  return `${mark} ${plan.subject}`
}

/**
 * Returns the events about each email by its mark: the subject begins with it, whatever became of the rest, or they are about the
 * message that was queued with it.
 */
export function groupByMark(events: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const byMark = new Map<string, unknown[]>()
  const markOf = new Map<unknown, string>()
  for (const event of events) {
    const [subject, messageId] = [dataOf(event, 'subject'), dataOf(event, 'message_id')]
    const own = asText(subject).split(/[^\w-]/)[0] ?? ''
    if (memberOf(event, 'type') === 'message.queued') markOf.set(messageId, own)
    const mark = subject === undefined ? (markOf.get(messageId) ?? '') : own
    const group = byMark.get(mark) ?? []
    byMark.set(mark, group)
    group.push(event)
  }
  return byMark
}

export function ofType(events: readonly unknown[] | undefined, type: string): readonly unknown[] {
  return (events ?? []).filter((event) => memberOf(event, 'type') === type)
}

/**
 * The interface shows one recipient, as a plain address, and the key of an org: a service may refuse any other, and may not find its
 * inbox. It may know its senders one by one.
 */
export function isShownForm({ to, by, isFromOther }: EmailPlan): boolean {
  return to.length === 1 && to.every(({ form }) => form === 'plain') && by === undefined && isFromOther !== true
}

/** Inboxes of the email: each that may receive it, or only those whose address is plain. */
export function inboxesOf({ plan }: KnownEmail, inboxes: readonly Inbox[], which: 'all' | 'plain'): readonly Inbox[] {
  return plan.to.flatMap(({ inbox, form }) => {
    const found = inbox === undefined ? undefined : inboxes[inbox]
    return found === undefined || (which === 'plain' && form !== 'plain') ? [] : [found]
  })
}

/** The times that an email may be due at; none, once it is cancelled or was sent at once. */
export function timesOf({ steps }: KnownEmail): readonly number[] {
  return outcomesOf(steps).flatMap(({ scheduledAt, isCancelled }) =>
    isCancelled || scheduledAt === undefined ? [] : [scheduledAt],
  )
}

export function isCancelled({ steps }: KnownEmail): boolean {
  return outcomesOf(steps).some((outcome) => outcome.isCancelled)
}

export function isScheduled({ steps }: KnownEmail): boolean {
  return steps[0]?.kind === 'sent' && steps[0].scheduledAt !== undefined
}

/** Returns the requirement that an email breaks that is not sent though it must be. */
export function requirementOfMissing(email: KnownEmail) {
  if (isScheduled(email)) return 'SND-016'
  return email.how === 'batch' ? 'SND-004' : 'EVT-004'
}

/** Returns the requirement that an email breaks that is sent once more than it may be. */
export function requirementOfExtra(email: KnownEmail, most: number) {
  const { steps, repeated, repeatedAt } = email
  if (steps.length === 0 || (most === 0 && repeatedAt === steps.length)) return 'IDM-002'
  if (most > 0 && repeated !== 'never') return repeated === 'later' ? 'IDM-002' : 'IDM-004'
  if (most > 0) return isScheduled(email) ? 'SND-016' : 'EVT-016'
  return isCancelled(email) ? 'SND-014' : 'SND-013'
}

export function describeEmail({ plan, steps, repeated, how }: KnownEmail): string {
  const words = steps.map(describeStep)
  if (steps.length === 0) words.push('under a used key')
  if (repeated !== 'never') words.push(`repeated ${repeated}`)
  if (plan.by !== undefined) words.unshift(`by the key of inbox ${plan.by}`)
  if (how === 'batch') words.unshift('in a batch')
  const to = plan.to.map(
    ({ inbox, form }) => `${inbox === undefined ? 'an address outside' : `inbox ${inbox}`}${nameForm(form)}`,
  )
  return `an email to ${to.join(' and ')} (${words.join(', ')})`
}

/** The way an email was sent; undefined is an item of a batch whose id is one of several. */
export function describeKind(email: KnownEmail | undefined): string {
  if (email === undefined || email.how === 'batch') return 'in a batch'
  const what = isScheduled(email) ? 'scheduled' : 'sent at once'
  return email.plan.by === undefined ? what : `${what} by the key of an inbox`
}

function nameForm(form: AddressForm): string {
  return form === 'plain' ? '' : ` (${form})`
}

function describeStep(step: EmailStep): string {
  if (step.kind === 'at-once') return `at once ${step.changes.map(describeStep).join(' and ')}`
  if (step.kind === 'cancelled' || step.scheduledAt === undefined) return step.kind
  return `${step.kind === 'moved' ? 'rescheduled to' : 'scheduled for'} ${new Date(step.scheduledAt).toISOString()}`
}

/** Whether the email waits until later than `soon`, whatever the order of its changes. */
export function isWaiting(email: KnownEmail, soon: number): boolean {
  const times = timesOf(email)
  return !isCancelled(email) && times.length > 0 && times.every((at) => at > soon)
}
