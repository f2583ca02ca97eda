// Compares what a service shows of mail with the world model: its events, and the record of each email.
import {
  asText,
  instantOf,
  memberOf,
  mentions,
  type Checks,
  type Inbox,
  type Sandbox,
} from '../../../harness/authoring.js'
import { keepsText } from '../../shared/texts.js'
import { countExpected, outcomesOf, type Pause } from '../../shared/world/mail.js'
import type { Span } from '../../shared/world/span.js'
import { eventsOnce } from './event-log.js'
import {
  describeEmail,
  groupByMark,
  inboxesOf,
  isScheduled,
  ofType,
  requirementOfExtra,
  subjectOf,
  type KnownEmail,
} from './known-email.js'
import { movedMs } from './scheduled-mail.js'
import { dataOf } from './sent-mail.js'

export class MailReads {
  readonly #sandbox: Sandbox
  readonly #require: Checks
  /** Whether mail to an inbox of the service is received there. */
  readonly #isCarried: boolean

  constructor(sandbox: Sandbox, require: Checks, isCarried: boolean) {
    this.#sandbox = sandbox
    this.#require = require
    this.#isCarried = isCarried
  }

  /** Compares the events of every email with the model. */
  async compareEvents(
    emails: readonly KnownEmail[],
    time: { readonly now: Span; readonly pauses: readonly Pause[] },
  ): Promise<void> {
    const expected = emails.map((email) => ({
      email,
      ...countExpected(email.steps, time),
    }))
    const isWhole = (events: readonly unknown[]) => {
      const byMark = groupByMark(events)
      return expected.every(({ email, least }) => {
        const own = byMark.get(email.mark)
        const inboxes = this.#plainInboxes(email)
        return (
          ofType(own, 'message.queued').length >= least &&
          ofType(own, 'message.received').length >= least * inboxes.length
        )
      })
    }
    const byMark = groupByMark(
      await eventsOnce(this.#sandbox, this.#sandbox.project.api, isWhole, { withinMs: movedMs }),
    )
    for (const { email, least, most } of expected) {
      const [queued, received] = (['message.queued', 'message.received'] as const).map((type) =>
        ofType(byMark.get(email.mark), type),
      ) as [readonly unknown[], readonly unknown[]]
      const [what, count] = [`message.queued of ${describeEmail(email)}`, queued.length]
      this.#require.of(isScheduled(email) ? 'SND-016' : 'EVT-004').ok(what, count >= least, `at least ${least}`, count)
      // Whether a list of recipients makes one message or several is not shown.
      const limit = most * email.plan.to.length
      this.#require.of(requirementOfExtra(email, most)).ok(what, count <= limit, `at most ${limit}`, count)
      this.#compareSubjects(email, queued, 'EVT-004')
      this.#compareSubjects(email, received, 'EVT-003')
      if (count > 0) this.#compareRecipients(email, queued, received)
    }
  }

  #compareSubjects(email: KnownEmail, events: readonly unknown[], id: 'EVT-003' | 'EVT-004'): void {
    const wanted = subjectOf(email)
    for (const event of events) {
      const shown = dataOf(event, 'subject')
      const what = `subject of ${asText(memberOf(event, 'type'))}`
      this.#require.of(id).ok(what, keepsText(wanted, shown), JSON.stringify(wanted), shown)
    }
  }

  #compareRecipients(email: KnownEmail, queued: readonly unknown[], received: readonly unknown[]): void {
    const named = queued.map((event) => dataOf(event, 'to'))
    const plain = this.#plainInboxes(email)
    for (const { address } of plain)
      this.#require
        .of('EVT-004')
        .ok(`to of ${describeEmail(email)}`, mentions(named, address), `with ${address}`, named)
    if (!this.#isCarried) return
    const reached = received.map((event) => dataOf(event, 'inbox_id'))
    const possible = inboxesOf(email, this.#sandbox.project.inboxes, 'all').map(({ id }) => id)
    const missing = plain.filter(({ id }) => !reached.includes(id)).map(({ id }) => id)
    const extra = reached.filter((id, index) => !possible.some((other) => other === id) || reached.indexOf(id) < index)
    const what = `inboxes that received ${describeEmail(email)}`
    this.#require.of('EVT-003').equal(`${what}: missing`, missing, [])
    this.#require.of('EVT-003').equal(`${what}: other, or repeated`, extra, [])
  }

  /** The inboxes that must receive the email. */
  #plainInboxes(email: KnownEmail): readonly Inbox[] {
    return this.#isCarried ? inboxesOf(email, this.#sandbox.project.inboxes, 'plain') : []
  }

  /** Compares the record of an email with the model. */
  async compareRecord(email: KnownEmail): Promise<void> {
    if (email.id === undefined) return
    const answer = await this.#sandbox.project.api.getEmail(email.id)
    this.#require.of('SND-007').status(answer, '2xx')
    const shown = answer.field('scheduled_at')
    if (!isScheduled(email) || shown === undefined || shown === null) return
    const possible = [...new Set(outcomesOf(email.steps).map(({ scheduledAt = NaN }) => scheduledAt))]
    const isKnown = possible.some((at) => Math.abs(instantOf(shown) - at) <= 1_000)
    const wanted = possible.map((at) => new Date(at).toISOString()).join(' or ')
    this.#require.of('SND-018').ok(`scheduled_at of ${describeEmail(email)}`, isKnown, wanted, shown)
  }
}
