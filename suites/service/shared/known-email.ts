// An email that a script has sent: its addresses, what may become of it, and its name in messages.
import { asText, memberOf, type Inbox } from '../../../harness/authoring.js'
import { outcomesOf, type EmailStep } from '../../shared/world/mail.js'
import type { AddressForm, EmailPlan } from './mail-script.js'
import { dataOf } from './sent-mail.js'

export interface KnownEmail {
  readonly id: string | undefined
  /** The word that its subject begins with, and no other. */
  readonly mark: string
  readonly plan: EmailPlan
  /** Empty for an email whose key was used before. */
  readonly steps: EmailStep[]
  /** How its request was repeated. */
  repeated: 'never' | 'later' | 'at once'
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

export function subjectOf({ mark, plan }: Pick<KnownEmail, 'mark' | 'plan'>): string {
  return `${mark} ${plan.subject}`
}

/** Returns the events about each email by its mark: the subject begins with it, whatever became of the rest. */
export function groupByMark(events: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const byMark = new Map<string, unknown[]>()
  for (const event of events) {
    const mark = asText(dataOf(event, 'subject')).split(/[^\w-]/)[0] ?? ''
    byMark.set(mark, [...(byMark.get(mark) ?? []), event])
  }
  return byMark
}

export function ofType(events: readonly unknown[] | undefined, type: string): readonly unknown[] {
  return (events ?? []).filter((event) => memberOf(event, 'type') === type)
}

/** The interface shows one recipient, as a plain address: a service may refuse any other, and may not find its inbox. */
export function isShownForm({ to }: EmailPlan): boolean {
  return to.length === 1 && to.every(({ form }) => form === 'plain')
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

/** Returns the requirement that an email breaks that is sent once more than it may be. */
export function requirementOfExtra(email: KnownEmail, most: 0 | 1) {
  const { steps, repeated } = email
  if (steps.length === 0) return 'IDM-002'
  if (most === 1 && repeated !== 'never') return repeated === 'later' ? 'IDM-002' : 'IDM-004'
  if (most === 1) return 'EVT-016'
  if (isCancelled(email)) return 'SND-014'
  return steps.length > 1 ? 'SND-010' : 'SND-013'
}

export function describeEmail({ plan, steps, repeated }: KnownEmail): string {
  const words = steps.map(describeStep)
  if (steps.length === 0) words.push('under a used key')
  if (repeated !== 'never') words.push(`repeated ${repeated}`)
  const to = plan.to.map(
    ({ inbox, form }) => `${inbox === undefined ? 'an address outside' : `inbox ${inbox}`}${nameForm(form)}`,
  )
  return `an email to ${to.join(' and ')} (${words.join(', ')})`
}

function nameForm(form: AddressForm): string {
  return form === 'plain' ? '' : ` (${form})`
}

function describeStep(step: EmailStep): string {
  if (step.kind === 'at-once') return `at once ${step.changes.map(describeStep).join(' and ')}`
  if (step.kind === 'cancelled' || step.scheduledAt === undefined) return step.kind
  return `${step.kind === 'moved' ? 'rescheduled to' : 'scheduled for'} ${new Date(step.scheduledAt).toISOString()}`
}
