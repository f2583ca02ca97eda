// Compares what a service shows of mail with the world model: its events, and the record of each email.
import {
  asText,
  instantOf,
  memberOf,
  mentions,
  type Checks,
  type Inbox,
  type Project,
  type Sandbox,
} from '../../../harness/authoring.js'
import type { RequirementId } from '../../../spec/index.js'
import { keepsText } from '../../shared/texts.js'
import { countExpected, outcomesOf, type Pause } from '../../shared/world/mail.js'
import type { Span } from '../../shared/world/span.js'
import { eventsAfter, eventsOnce, idsOf, listedEvents } from './event-log.js'
import {
  describeEmail,
  groupByMark,
  inboxesOf,
  isCancelled,
  isScheduled,
  ofType,
  requirementOfExtra,
  requirementOfMissing,
  subjectOf,
  type KnownEmail,
} from './known-email.js'
import { hour, movedMs } from './scheduled-mail.js'
import { dataOf, isEmailAccepted, timesIn, waitQuietly } from './sent-mail.js'

/** Longest time a record may lag after a change, in milliseconds. */
const lagMs = 5_000

interface ReadsOptions {
  readonly sandbox: Sandbox
  readonly project: Project
  /** A cursor before the first event of the script. */
  readonly after: string | undefined
  readonly check: Checks
  readonly recipient: string
  readonly facts: { readonly isMoved: boolean; readonly isCarried: boolean }
}

export class MailReads {
  readonly #options: ReadsOptions
  readonly #check: Checks
  #isBroken = false
  /** Ids of the events that were listed before. */
  #seen: readonly unknown[] = []

  constructor(options: ReadsOptions) {
    this.#options = options
    this.#check = options.check
  }

  /** Whether a comparison has failed: later ones would only repeat it. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  #ok(id: RequirementId, what: string, isRight: boolean, { wanted, got }: { wanted: string; got: unknown }): void {
    if (!this.#check.of(id).ok(what, isRight, wanted, got)) this.#isBroken = true
  }

  #equal(id: RequirementId, what: string, got: unknown, wanted: unknown): void {
    if (!this.#check.of(id).equal(what, got, wanted)) this.#isBroken = true
  }

  /** Compares the events of every email with the model; at the end of a script, once late ones have had their time. */
  async compareEvents(
    emails: readonly KnownEmail[],
    time: { readonly now: Span; readonly pauses: readonly Pause[] },
    { isEnd }: { readonly isEnd: boolean },
  ): Promise<void> {
    const { sandbox, project, after, facts } = this.#options
    // Mail without a time is waited for here, however little time the clock shows since.
    const { now, pauses } = time
    const late = { now: { earliest: now.earliest + hour, latest: now.latest + hour }, pauses }
    const isUnderWay = (email: KnownEmail) =>
      email.steps.length > 0 && !isScheduled(email) && countExpected(email.steps, time).least === 0
    const expected = [...groupBy(emails, ({ mark }) => mark)].map(([mark, equal]) => {
      const counts = equal.map((email) => countExpected(email.steps, isScheduled(email) ? time : late))
      const [least, most] = (['least', 'most'] as const).map((end) =>
        counts.reduce((sum, count) => sum + count[end], 0),
      )
      const email = equal.find(({ repeated }) => repeated !== 'never') ?? equal[0]
      return { mark, email: email as KnownEmail, least: least ?? 0, most: most ?? 0 }
    })
    const isWhole = (events: readonly unknown[]) => {
      const byMark = groupByMark(events)
      return expected.every(({ mark, email, least }) => {
        const own = byMark.get(mark)
        const queued = ofType(own, 'message.queued').length
        const reached = Math.max(least, Math.min(1, queued)) * this.#plainInboxes(email).length
        return (
          queued >= least &&
          ofType(own, 'message.received').length >= reached &&
          ofType(own, 'message.delivered').length >= reached
        )
      })
    }
    const startedAt = performance.now()
    // Once a clock that moves mail was moved, nothing is under way any more.
    const withinMs = facts.isMoved && !emails.some(isUnderWay) ? movedMs : undefined
    let events = await eventsOnce(sandbox, project.api, isWhole, { after, withinMs })
    if (isEnd && !facts.isMoved) {
      await waitQuietly(sandbox, performance.now() - startedAt)
      events = await eventsAfter(project.api, after)
    }
    await this.#compareOrder(idsOf(events))
    const byMark = groupByMark(events)
    for (const { mark, email, least, most } of expected) {
      const [queued, received, delivered] = (['message.queued', 'message.received', 'message.delivered'] as const).map(
        (type) => ofType(byMark.get(mark), type),
      ) as [readonly unknown[], readonly unknown[], readonly unknown[]]
      const [what, count] = [`message.queued of ${describeEmail(email)}`, queued.length]
      this.#ok(requirementOfMissing(email), what, count >= least, { wanted: `at least ${least}`, got: count })
      // Whether a list of recipients makes one message or several is not shown.
      const limit = most * email.plan.to.length
      this.#ok(requirementOfExtra(email, most), what, count <= limit, { wanted: `at most ${limit}`, got: count })
      this.#compareSubjects(email, queued, 'EVT-004')
      this.#compareSubjects(email, received, 'EVT-003')
      if (count > 0) this.#compareRecipients(email, { queued, received, delivered, least, most })
    }
    const messages = [...byMark.values()]
      .flatMap((own) => ofType(own, 'message.queued'))
      .map((event) => dataOf(event, 'message_id'))
    this.#equal('EVT-016', 'different messages that were queued', new Set(messages).size, messages.length)
  }

  /** Waits until each of the emails was queued, for so long at most. */
  async waitForQueued(emails: readonly KnownEmail[], withinMs: number): Promise<void> {
    const { sandbox, project, after } = this.#options
    const marks = new Set(emails.map(({ mark }) => mark))
    const areQueued = (events: readonly unknown[]) => {
      const byMark = groupByMark(events)
      return [...marks].every((mark) => ofType(byMark.get(mark), 'message.queued').length > 0)
    }
    await eventsOnce(sandbox, project.api, areQueued, { after, withinMs })
  }

  /** An event is listed after all that were listed before it was raised, and where a consumer reads on after the last of them. */
  async #compareOrder(ids: readonly unknown[]): Promise<void> {
    const { sandbox, project } = this.#options
    const seen = new Set(this.#seen)
    const added = ids.filter((id) => !seen.has(id))
    const early = ids.slice(0, ids.findLastIndex((id) => seen.has(id)) + 1).filter((id) => !seen.has(id))
    this.#equal('POL-010', 'events that are new, and listed before known ones', early, [])
    const last = this.#seen.at(-1)
    this.#seen = ids
    if (typeof last !== 'string' || added.length === 0 || early.length > 0) return
    const following = idsOf(await listedEvents(sandbox, project.api, added.map(String), last))
    const missing = added.filter((id) => !following.includes(id))
    this.#equal('POL-010', 'new events that are not listed after the last known one', missing, [])
  }

  #compareSubjects(email: KnownEmail, events: readonly unknown[], id: 'EVT-003' | 'EVT-004'): void {
    const wanted = subjectOf(email)
    for (const event of events) {
      const shown = dataOf(event, 'subject')
      const what = `subject of ${asText(memberOf(event, 'type'))}`
      this.#ok(id, what, keepsText(wanted, shown), { wanted: JSON.stringify(wanted), got: shown })
    }
  }

  #compareRecipients(
    email: KnownEmail,
    {
      queued,
      received,
      delivered,
      least,
      most,
    }: Record<'queued' | 'received' | 'delivered', readonly unknown[]> & Record<'least' | 'most', number>,
  ): void {
    const named = queued.map((event) => dataOf(event, 'to'))
    const plain = this.#plainInboxes(email)
    const name = describeEmail(email)
    for (const { address } of plain)
      this.#ok('EVT-004', `to of ${name}`, mentions(named, address), { wanted: `with ${address}`, got: named })
    if (!this.#options.facts.isCarried) return
    const reached = received.map((event) => dataOf(event, 'inbox_id'))
    const possible = inboxesOf(email, this.#options.project.inboxes, 'all').map(({ id }) => id)
    const missing = plain.filter(({ id }) => timesIn(reached, id) < Math.max(1, least)).map(({ id }) => id)
    const extra = reached.filter((id) => !possible.some((other) => other === id) || timesIn(reached, id) > most)
    this.#equal('EVT-003', `inboxes that received ${name}: missing`, missing, [])
    this.#equal('EVT-003', `inboxes that received ${name}: other, or repeated`, extra, [])
    for (const event of received) {
      const from = dataOf(event, 'from')
      this.#ok('EVT-003', `from of ${name}`, mentions(from ?? '', email.from), { wanted: email.from, got: from })
    }
    for (const { id, address } of plain) {
      const count = delivered.filter((event) => mentions(dataOf(event, 'recipient') ?? '', address)).length
      const expected = Math.max(timesIn(reached, id), 1, least)
      this.#equal('EVT-005', `message.delivered for ${address} of ${name}`, count, expected)
    }
    for (const event of delivered)
      for (const field of ['inbox_id', 'thread_id']) {
        const own = queued.find((other) => dataOf(other, 'message_id') === dataOf(event, 'message_id'))
        const [reported, expected] = [event, own].map((one) => dataOf(one, field) ?? null)
        this.#equal('EVT-005', `${field} of message.delivered of ${name}`, reported, expected)
      }
  }

  /** The address of an inbox, or the one outside. */
  #addressOf(inbox: number | undefined): string {
    const { project, recipient } = this.#options
    return inbox === undefined ? recipient : project.inbox(inbox).address
  }

  /** The inboxes that must receive the email. */
  #plainInboxes(email: KnownEmail): readonly Inbox[] {
    const { facts, project } = this.#options
    return facts.isCarried ? inboxesOf(email, project.inboxes, 'plain') : []
  }

  /** Compares the record of an email with the model. */
  async compareRecord(email: KnownEmail): Promise<void> {
    const { id, plan } = email
    if (id === undefined) return
    const { sandbox, project } = this.#options
    let answer = await project.api.getEmail(id)
    const isCurrent = () => {
      const shown = answer.field('scheduled_at') ?? undefined
      return !isScheduled(email) || shown === undefined || this.isTimeOf(email, shown)
    }
    const isShown = () => isEmailAccepted(answer) && isCurrent()
    if (!isShown())
      await sandbox.until(async () => {
        answer = await project.api.getEmail(id)
        return isShown()
      }, lagMs)
    // Whether an email that was cancelled is kept is not shown.
    if (isCancelled(email) && answer.status === 404) return
    const name = describeEmail(email)
    if (!this.#check.of('SND-007').status(answer, '2xx')) this.#isBroken = true
    this.#equal('SND-007', `id of ${name}`, answer.field('id'), id)
    const [status, recipients] = [answer.field('status'), answer.field('recipients') ?? null]
    this.#ok('SND-007', `status of ${name}`, typeof status === 'string', { wanted: 'a string', got: status })
    for (const { inbox, form } of plan.to) {
      const address = this.#addressOf(inbox)
      const isNamed = form !== 'plain' || JSON.stringify(recipients).includes(address)
      const wanted = `something with ${address}`
      this.#ok('SND-007', `recipients of ${name}`, isNamed, { wanted, got: recipients })
    }
    const wanted = possibleTimes(email).map((at) => new Date(at).toISOString())
    const shown = answer.field('scheduled_at')
    this.#ok('SND-018', `scheduled_at of ${name}`, isCurrent(), { wanted: wanted.join(' or '), got: shown })
  }

  /** Compares the records of a batch whose items have equal ones, or unknown ids: each shows the recipients of an item. */
  async compareBatch(ids: readonly string[], emails: readonly KnownEmail[]): Promise<void> {
    const { sandbox, project } = this.#options
    const addressesOf = ({ plan }: KnownEmail) =>
      plan.to.flatMap(({ inbox, form }) => (form === 'plain' ? [this.#addressOf(inbox)] : []))
    let shown: readonly string[] = []
    const countOf = (addresses: readonly string[]) => ({
      items: emails.filter((email) => addresses.every((address) => addressesOf(email).includes(address))).length,
      records: shown.filter((text) => addresses.every((address) => text.includes(address))).length,
    })
    const isShown = (email: KnownEmail) => {
      const { items, records } = countOf(addressesOf(email))
      return records >= items
    }
    await sandbox.until(async () => {
      const answers = await Promise.all(ids.map((id) => project.api.getEmail(id)))
      shown = answers.map((answer) => JSON.stringify(answer.field('recipients') ?? null))
      return emails.every(isShown)
    }, lagMs)
    for (const email of emails) {
      const what = `records of a batch with the recipients of ${describeEmail(email)}`
      const { items, records } = countOf(addressesOf(email))
      this.#ok('SND-007', what, isShown(email), { wanted: `at least ${items}`, got: records })
    }
  }

  /** Whether a shown time is one that the email may have now. */
  isTimeOf(email: KnownEmail, shown: unknown): boolean {
    return possibleTimes(email).some((at) => Math.abs(instantOf(shown) - at) <= 1_000)
  }
}

function possibleTimes({ steps }: KnownEmail): readonly number[] {
  return [...new Set(outcomesOf(steps).flatMap(({ scheduledAt }) => scheduledAt ?? []))]
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
