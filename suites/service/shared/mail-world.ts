// Runs a script about mail on a service, and compares what every outlet shows with the world model.
import { instantOf, itemsOf, type Checks, type Exchange, type Sandbox } from '../../../harness/authoring.js'
import { isRefusable } from '../../shared/texts.js'
import type { EmailChange, Pause } from '../../shared/world/mail.js'
import { spanning, type Span } from '../../shared/world/span.js'
import { isOf } from './carried-mail.js'
import { pagesOf } from './email-pages.js'
import { eventsOnce, idsOf } from './event-log.js'
import {
  describeEmail,
  isCancelled,
  isShownForm,
  subjectOf,
  timesOf,
  writeAddress,
  type KnownEmail,
} from './known-email.js'
import { MailReads } from './mail-reads.js'
import type { ChangePlan, EmailPlan, MailStep } from './mail-script.js'
import { Outlets } from './outlets.js'
import { hour, movedMs } from './scheduled-mail.js'
import { bareAddress, idOf, idsIn, isBatchAccepted, timesIn } from './sent-mail.js'

const minute = 60_000
/** Longest time a list may lag, in milliseconds. */
const lagMs = 5_000
/** Margin before and after a time at which mail is checked: more than a scheduler may be early or late. */
const aroundMs = 20 * minute
/** An email that is due within this time may be sent before a change of it arrives. */
const spareMs = 30 * minute
/** Pages of one walk through the list at most. */
const mostPages = 60

/** A key is repeated within this many milliseconds: how long first results are kept is not shown. */
const keptMs = 12 * hour
/** What a repeat may be answered with while another request of its key is under way (open point idempotency-conflict). */
const conflicts: readonly unknown[] = [409, 422, 423, 425]

/** A send or a batch, and its first result. */
interface KnownSend {
  readonly how: 'alone' | 'batch'
  readonly bodies: readonly Record<string, unknown>[]
  readonly key: string
  readonly at: Span
  readonly first: Exchange
  readonly emails: readonly KnownEmail[]
}

/** What the run found out before: whether mail to its own inboxes is received. */
export interface MailFacts {
  readonly isCarried: boolean
  readonly recipient: string
  unique(): string
}

class MailWorld {
  readonly #sandbox: Sandbox
  readonly #require: Checks
  readonly #facts: MailFacts
  readonly #reads: MailReads
  readonly #emails: KnownEmail[] = []
  readonly #sends: KnownSend[] = []
  /** Ids of items of batches: which item has which is known of some alone. */
  readonly #unnamedIds: string[] = []
  readonly #pauses: Pause[] = []
  /** Times that emails are scheduled for are counted from here: a whole minute. */
  readonly #begunAt: number

  constructor(sandbox: Sandbox, require: Checks, facts: MailFacts) {
    this.#sandbox = sandbox
    this.#require = require
    this.#facts = facts
    this.#reads = new MailReads(sandbox, require, facts.isCarried)
    this.#begunAt = Math.ceil(sandbox.now() / minute) * minute
  }

  get #api() {
    return this.#sandbox.project.api
  }

  #now(): Span {
    const { earliest, latest } = this.#sandbox.clockAt(Date.now())
    return { earliest, latest }
  }

  async #during(act: () => Promise<unknown>): Promise<Span> {
    const before = this.#now()
    await act()
    return spanning(before, this.#now())
  }

  async perform(step: MailStep): Promise<void> {
    if (step.do === 'send') await this.#send([step.email], { how: 'alone', copies: step.copies })
    else if (step.do === 'batch') await this.#send(step.emails, { how: 'batch', copies: step.copies })
    else if (step.do === 'repeat') await this.#repeat(step.which, step.copies)
    else if (step.do === 'reuse-key') await this.#reuseKey(step.which, step.email)
    else if (step.do === 'pass') {
      await this.#sandbox.advance(step.ms)
      await this.#lookAtEvents()
    } else if (step.do === 'pause') {
      const from = await this.#during(() => this.#sandbox.setSending('paused', 'a script'))
      const to = await this.#during(() => this.#sandbox.setSending('active'))
      this.#pauses.push({ from, to })
    } else if (step.do === 'walk') await this.#walk(step.limit, step.meanwhile)
    else await this.#change(step.which, step.changes)
  }

  #fields({ name, to, isHtml, aheadMs }: EmailPlan, subject: string): Record<string, unknown> {
    const { project } = this.#sandbox
    const from = bareAddress(project.from)
    const recipients = to.map(({ inbox, form }) =>
      writeAddress(inbox === undefined ? this.#facts.recipient : project.inbox(inbox).address, form),
    )
    return {
      from: name === '' ? from : `"${name}" <${from}>`,
      to: recipients.length === 1 ? recipients[0] : recipients,
      subject,
      ...(isHtml ? { html: '<p>Grüße &amp; 件名</p>' } : { text: 'Grüße & 件名' }),
      ...(aheadMs !== undefined && { scheduled_at: new Date(this.#begunAt + aheadMs).toISOString() }),
    }
  }

  /** Makes the request as often as `copies`, concurrently and under one key. */
  async #request({ how, bodies, key }: Pick<KnownSend, 'how' | 'bodies' | 'key'>, copies: number) {
    const headers = { 'idempotency-key': key }
    const request = () =>
      how === 'batch' ? this.#api.sendBatch(bodies, headers) : this.#api.sendEmail(bodies[0], headers)
    let answers: readonly Exchange[] = []
    const at = await this.#during(async () => {
      answers = await Promise.all(Array.from({ length: copies }, request))
    })
    return { answers, at }
  }

  #isInFuture({ aheadMs }: EmailPlan): boolean {
    return aheadMs === undefined || this.#begunAt + aheadMs > this.#sandbox.now() + spareMs
  }

  async #send(
    plans: readonly EmailPlan[],
    { how, copies }: { readonly how: 'alone' | 'batch'; readonly copies: number },
  ): Promise<void> {
    const sent = plans.filter((plan) => this.#isInFuture(plan)).map((plan) => ({ plan, mark: this.#facts.unique() }))
    if (sent.length === 0) return
    const bodies = sent.map(({ plan, mark }) => this.#fields(plan, subjectOf({ plan, mark })))
    const request = { how, bodies, key: this.#facts.unique() }
    const { answers, at } = await this.#request(request, copies)
    const first = answers.find(isBatchAccepted) ?? answers[0]
    if (first === undefined) return
    // How far ahead mail may be scheduled is not shown, nor how else an address may be written, nor which signs a subject may have.
    const mayRefuse = plans.some(
      (plan) => !isShownForm(plan) || plan.aheadMs !== undefined || isRefusable(plan.subject),
    )
    if (!isBatchAccepted(first) && mayRefuse && (first.status ?? 0) < 500) return
    if (how === 'batch') this.#require.of('SND-004').status(first, '2xx')
    const ids =
      how === 'alone'
        ? [idOf(this.#require, first)]
        : await this.#idsInOrder(
            first,
            sent.map(({ plan }) => plan),
          )
    const emails = sent.map(({ plan, mark }, index): KnownEmail => {
      const scheduledAt = plan.aheadMs === undefined ? undefined : this.#begunAt + plan.aheadMs
      return {
        id: ids[index],
        mark,
        plan,
        steps: [{ kind: 'sent', at, scheduledAt }],
        repeated: copies > 1 ? 'at once' : 'never',
      }
    })
    this.#emails.push(...emails)
    const send = { ...request, at, first, emails }
    this.#sends.push(send)
    this.#compareWithFirst(send, answers, 'IDM-004')
  }

  /** Returns the ids of a batch in the order of its items, as far as they are known: `data` may have another order, and no ids. */
  async #idsInOrder(answer: Exchange, plans: readonly EmailPlan[]): Promise<readonly (string | undefined)[]> {
    const ids = idsIn(answer)
    if (ids.length === 1 && plans.length === 1) return ids
    this.#unnamedIds.push(...ids)
    const aheads = plans.map(({ aheadMs }) => aheadMs)
    if (ids.length !== plans.length || new Set(aheads).size < plans.length) return []
    const answers = await Promise.all(ids.map(async (id) => ({ id, shown: await this.#api.getEmail(id) })))
    return aheads.map((aheadMs) => {
      if (aheadMs === undefined) return
      const isItem = ({ shown }: { readonly shown: Exchange }) =>
        Math.abs(instantOf(shown.field('scheduled_at')) - this.#begunAt - aheadMs) <= 1_000
      return answers.find(isItem)?.id
    })
  }

  #compareWithFirst({ how, first, emails }: KnownSend, answers: readonly Exchange[], concurrent?: 'IDM-004'): void {
    const name = how === 'batch' ? 'data' : 'id'
    const what = `${name} of a repeat of ${how === 'batch' ? 'a batch with ' : ''}${emails.map(describeEmail)[0]}`
    const id = concurrent ?? (how === 'batch' ? 'IDM-005' : 'IDM-001')
    for (const answer of answers) {
      if (answers.length > 1 && conflicts.includes(answer.status)) continue
      this.#require.of(id).status(answer, '2xx')
      this.#require.of(id).equal(what, answer.field(name), first.field(name))
    }
  }

  /** Returns an earlier send whose first result must be kept. */
  #sendToRepeat(which: number): KnownSend | undefined {
    const kept = this.#sends.filter(({ at }) => at.earliest + keptMs > this.#now().latest)
    return kept[which % Math.max(1, kept.length)]
  }

  async #repeat(which: number, copies: number): Promise<void> {
    const send = this.#sendToRepeat(which)
    if (send === undefined) return
    const { answers } = await this.#request(send, copies)
    for (const email of send.emails) email.repeated = 'later'
    // A time that is over may be refused as invalid, and a batch may then be taken in part.
    const isOver = send.emails.some(({ plan }) => !this.#isInFuture(plan))
    this.#compareWithFirst(
      send,
      answers.filter((answer) => !isOver || isBatchAccepted(answer) || (answer.status ?? 0) >= 500),
    )
  }

  /** Another body under a used key gets the first result or is refused (open point idempotency-conflict). */
  async #reuseKey(which: number, plan: EmailPlan): Promise<void> {
    const send = this.#sendToRepeat(which)
    if (send === undefined || !this.#isInFuture(plan)) return
    const mark = this.#facts.unique()
    const bodies = [this.#fields(plan, subjectOf({ plan, mark }))]
    const { answers } = await this.#request({ ...send, bodies }, 1)
    this.#emails.push({ id: undefined, mark, plan, steps: [], repeated: 'never' })
    const isRefused = ({ status = 0 }: Exchange) => status >= 400 && status < 500
    this.#compareWithFirst(
      send,
      answers.filter((answer) => !isRefused(answer)),
    )
  }

  async #change(which: number, plans: readonly ChangePlan[]): Promise<void> {
    const soon = this.#sandbox.now() + spareMs
    const waiting = this.#emails.filter((email) => email.id !== undefined && isWaiting(email, soon))
    const email = waiting[which % Math.max(1, waiting.length)]
    const id = email?.id
    const wanted = plans.filter((plan) => plan.do === 'cancel' || this.#begunAt + plan.aheadMs >= soon)
    if (email === undefined || id === undefined || wanted.length === 0) return
    const results = await Promise.all(
      wanted.map(async (plan) => {
        let answer: Exchange | undefined
        const at = await this.#during(async () => {
          answer =
            plan.do === 'cancel'
              ? await this.#api.cancelEmail(id)
              : await this.#api.updateEmail(id, { scheduled_at: new Date(this.#begunAt + plan.aheadMs).toISOString() })
        })
        return { plan, at, answer }
      }),
    )
    const changes: EmailChange[] = []
    for (const { plan, at, answer } of results) {
      if (answer === undefined) continue
      const isRefused = (answer.status ?? 0) >= 400 && (answer.status ?? 0) < 500
      // A move may be refused, and each change that is not the first of several.
      if (isRefused && (plan.do === 'move' || wanted.length > 1)) continue
      this.#require.of(plan.do === 'cancel' ? 'SND-011' : 'SND-010').status(answer, '2xx')
      changes.push(
        plan.do === 'cancel'
          ? { kind: 'cancelled', at }
          : { kind: 'moved', at, scheduledAt: this.#begunAt + plan.aheadMs },
      )
    }
    if (wanted.every((plan) => plan.do === 'cancel'))
      this.#require.of('SND-011').ok('accepted of several concurrent cancels', changes.length > 0, 'at least one', 0)
    const [only] = changes
    if (only !== undefined) email.steps.push(changes.length === 1 ? only : { kind: 'at-once', changes })
  }

  /** Reads the list page by page: each email that existed at the start is on one page, despite changes during the walk. */
  async #walk(limit: number, meanwhile: MailStep): Promise<void> {
    // Emails that were cancelled need not be listed.
    const listed = () => {
      const cancelled = this.#emails.filter(isCancelled).map(({ id }) => id)
      const ids = [...this.#unnamedIds, ...this.#emails.flatMap(({ id }) => id ?? [])]
      return [...new Set(ids)].filter((id) => !cancelled.includes(id))
    }
    const before = listed()
    const read = async (act?: () => Promise<void>): Promise<unknown[]> => {
      const ids: unknown[] = []
      let isFirst = true
      for await (const page of pagesOf(this.#api, limit, mostPages)) {
        for (const id of idsOf(itemsOf(page) ?? [])) ids.push(id)
        if (isFirst) await act?.()
        isFirst = false
      }
      return ids
    }
    if (before.length > limit * (mostPages / 2)) return
    if (!(await this.#sandbox.until(async () => hasAll(await read(), before), lagMs))) return
    const ids = await read(() => this.perform(meanwhile))
    const after = listed()
    const known = before.filter((id) => after.includes(id))
    const times = known.map((id) => timesIn(ids, id))
    this.#require.of('SND-009').equal(
      `how often each email is listed on pages of ${limit}, with a ${meanwhile.do} after the first`,
      times,
      known.map(() => 1),
    )
  }

  async #lookAtEvents(): Promise<void> {
    await this.#sandbox.settle()
    await this.#reads.compareEvents(this.#emails, { now: this.#now(), pauses: this.#pauses })
  }

  /** Advances to the time of each waiting email, and compares before and after it. */
  async end(outlets: Outlets): Promise<void> {
    const times = new Set(this.#emails.flatMap(timesOf).filter((at) => at > this.#sandbox.now()))
    for (const at of [...times].sort((one, other) => one - other)) {
      const before = at - aroundMs - this.#sandbox.now()
      if (before > 0) await this.#sandbox.advance(before)
      await this.#lookAtEvents()
      await this.#sandbox.advance(2 * aroundMs)
      await this.#lookAtEvents()
    }
    for (const email of this.#emails) await this.#reads.compareRecord(email)
    await this.#lookAtEvents()
    await outlets.compare()
  }
}

/** Whether the email waits until later than `soon`, whatever the order of its changes. */
function isWaiting(email: KnownEmail, soon: number): boolean {
  const times = timesOf(email)
  return !isCancelled(email) && times.length > 0 && times.every((at) => at > soon)
}

function hasAll(ids: readonly unknown[], known: readonly string[]): boolean {
  return known.every((id) => ids.includes(id))
}

/** Runs a script; ends at the first mismatch. */
export async function runMailScript(
  sandbox: Sandbox,
  {
    script,
    require,
    facts,
  }: { readonly script: readonly MailStep[]; readonly require: Checks; readonly facts: MailFacts },
): Promise<void> {
  const { project } = sandbox
  const webhook = await project.createWebhook()
  const stream = await project.stream().opened(require.of('STR-001'))
  // Until the clock was moved once, nothing bounds what it shows.
  await sandbox.settle()
  const world = new MailWorld(sandbox, require, facts)
  for (const step of script) await world.perform(step)
  await world.end(new Outlets(sandbox, require, { stream, webhook }))
}

/** Whether the clock moves scheduled mail, and whether mail to an inbox of the service is received there. */
export async function learnMailFacts(
  sandbox: Sandbox,
  { require, recipient, unique }: { readonly require: Checks } & Omit<MailFacts, 'isCarried'>,
): Promise<MailFacts & { readonly isMoved: boolean }> {
  const { project } = sandbox
  const subject = unique()
  const from = bareAddress(project.from)
  const scheduled_at = new Date(sandbox.now() + hour).toISOString()
  const to = project.inbox(0).address
  idOf(require, await project.api.sendEmail({ from, to, subject, text: subject, scheduled_at }))
  await sandbox.advance(2 * hour)
  const hasBoth = (events: readonly unknown[]) => events.some(isOf('message.received', subject))
  const events = await eventsOnce(sandbox, project.api, hasBoth, { withinMs: movedMs })
  const isMoved = events.some(isOf('message.queued', subject))
  return { isMoved, isCarried: hasBoth(events), recipient, unique }
}
