// What the plan of an email is to the service: its request, its time, and how it is recognised.
import { instantOf, mentions, type Exchange, type Project } from '../../../harness/authoring.js'
import { writeAddress } from './known-email.js'
import type { EmailPlan } from './mail-script.js'
import { bareAddress } from './sent-mail.js'

const minute = 60_000

/** The plans of emails of one project. */
export class PlannedMail {
  readonly #project: Project
  readonly #recipient: string
  readonly #pace: number
  /** Times that emails are scheduled for are counted from here: a whole minute. */
  readonly #begunAt: number

  /** `now` in milliseconds since the epoch; `pace`: what an hour of the script takes, in hours. */
  constructor(project: Project, { now, recipient, pace }: { now: number; recipient: string; pace: number }) {
    this.#project = project
    this.#recipient = recipient
    this.#pace = pace
    this.#begunAt = pace === 1 ? Math.ceil(now / minute) * minute : now
  }

  fromOf({ by, isFromOther }: EmailPlan): string {
    const from = bareAddress(this.#project.from)
    if (by !== undefined) return this.#project.inbox(by).address
    return isFromOther === true ? from.replace(/^.*@/, 'another-sender@') : from
  }

  addressOf({ inbox, form }: EmailPlan['to'][number]): string {
    return writeAddress(inbox === undefined ? this.#recipient : this.#project.inbox(inbox).address, form)
  }

  /** Returns the body of the request. */
  fieldsOf(plan: EmailPlan, subject: string): Record<string, unknown> {
    const { name, isHtml } = plan
    const [from, to, at] = [this.fromOf(plan), plan.to.map((one) => this.addressOf(one)), this.timeOf(plan)]
    return {
      from: name === '' ? from : `"${name}" <${from}>`,
      to: to.length === 1 ? to[0] : to,
      subject,
      ...(isHtml ? { html: '<p>Grüße &amp; 件名</p>' } : { text: 'Grüße & 件名' }),
      ...(at !== undefined && { scheduled_at: new Date(at).toISOString() }),
    }
  }

  timeAfter(aheadMs: number): number {
    return this.#begunAt + aheadMs * this.#pace
  }

  /** Returns when an email is due, in milliseconds since the epoch; undefined if it is sent at once. */
  timeOf({ aheadMs }: Pick<EmailPlan, 'aheadMs'>): number | undefined {
    return aheadMs === undefined ? undefined : this.timeAfter(aheadMs)
  }

  /** Whether an email that the service shows may be the one of a plan. */
  isItem(plan: EmailPlan, shown: Exchange): boolean {
    const [at, dueAt] = [shown.field('scheduled_at') ?? undefined, this.timeOf(plan)]
    const isAtIts = dueAt === undefined ? at === undefined : Math.abs(instantOf(at) - dueAt) <= 1_000
    const plain = plan.to.filter(({ form }) => form === 'plain')
    return isAtIts && plain.every((one) => mentions(shown.field('recipients') ?? '', this.addressOf(one)))
  }
}
