// Performs the steps of scripts about mail in one project, and compares what the service shows with the world model.
import type { Api, Checks, Exchange, Project, Sandbox } from '../../../harness/authoring.js'
import { isRefusable } from '../../shared/texts.js'
import type { EmailChange, Pause } from '../../shared/world/mail.js'
import { spanning, type Span } from '../../shared/world/span.js'
import { compareList } from './email-pages.js'
import {
  describeEmail,
  isCancelled,
  isShownForm,
  isWaiting,
  subjectOf,
  timesOf,
  type KnownEmail,
  type MarkedPlan,
} from './known-email.js'
import { MailReads } from './mail-reads.js'
import { hour, type EmailPlan, type MailAction } from './mail-script.js'
import { PlannedMail } from './planned-mail.js'
import { lateMs } from './scheduled-mail.js'
import { idOf, idsIn, isBatchAccepted } from './sent-mail.js'

const minute = 60_000
/** An email that is due within this time may be sent before a change of it arrives. */
const spareMs = 30 * minute

/** Items of a batch whose ids are compared by their records. */
const mostCompared = 10
const day = 24 * hour

/** A key is repeated within this many milliseconds: how long first results are kept is not shown. */
const keptMs = 12 * hour
/** What a repeat may be answered with while another request of its key is under way (open point idempotency-conflict). */
const conflicts: readonly unknown[] = [409, 422, 423, 425]

/** A send or a batch, and its first result. */
interface KnownSend {
  readonly how: 'alone' | 'batch'
  readonly by: number | undefined
  readonly bodies: readonly Record<string, unknown>[]
  readonly key: string
  readonly at: Span
  readonly first: Exchange
  readonly emails: readonly KnownEmail[]
}

/** What several worlds of one run share. */
export interface MailTools {
  readonly require: Checks
  /** Comparisons go on after a mismatch, so that all of one moment are reported. */
  readonly check: Checks
  /** Whether the clock of the workspace moves mail, and whether mail to an inbox of the service is received there. */
  readonly facts: { readonly isMoved: boolean; readonly isCarried: boolean }
  /** What an hour of the script takes, in hours: 1, or less where its time is waited for. */
  readonly pace: number
  readonly recipient: string
  unique(): string
  /** Returns the key of the nth send of a project. */
  keyAt(index: number): string
  /** Keys so far. */
  readonly keys: Set<string>
  /** Ids of emails so far. */
  readonly ids: Set<string>
  /** What the service refused that the interface leaves open. */
  readonly refused: string[]
}

/** The mail of one project. */
export class MailWorld {
  readonly #sandbox: Sandbox
  readonly #project: Project
  readonly #require: Checks
  readonly #tools: MailTools
  readonly #reads: MailReads
  readonly #emails: KnownEmail[] = []
  readonly #sends: KnownSend[] = []
  #keys = 0
  /** Ids of items of batches: which item has which is known of some alone. */
  readonly #unnamedIds: string[] = []
  readonly #pauses: Pause[] = []
  readonly #plans: PlannedMail

  /** `after`: a cursor before the first event of the script. */
  constructor(sandbox: Sandbox, project: Project, { tools, after }: { tools: MailTools; after: string | undefined }) {
    this.#sandbox = sandbox
    this.#project = project
    this.#require = tools.require
    this.#tools = tools
    this.#reads = new MailReads({ sandbox, project, after, ...tools })
    this.#plans = new PlannedMail(project, { now: sandbox.now(), ...tools })
  }

  #apiOf(by: number | undefined): Api {
    return by === undefined ? this.#project.api : this.#project.inbox(by).api
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

  async perform(step: MailAction): Promise<void> {
    if (step.do === 'send') await this.#sendNew([step.email], { how: 'alone', copies: step.copies })
    else if (step.do === 'batch') await this.#sendNew(step.emails, { how: 'batch', copies: step.copies })
    else if (step.do === 'repeat') await this.#repeat(step.which, step.copies)
    else if (step.do === 'again') await this.#sendAgain(step.which)
    else if (step.do === 'reuse-key') await this.#reuseKey(step.which, step.email)
    else if (step.do === 'pause') {
      const from = await this.#during(() => this.#sandbox.setSending('paused', 'a script'))
      const to = await this.#during(() => this.#sandbox.setSending('active'))
      this.#pauses.push({ from, to })
    } else if (step.do === 'walk') await this.#walk(step.limit, step.meanwhile)
    else if (step.do === 'read') {
      await this.compareEvents()
      if (!this.isBroken) await this.compareRecords()
    } else await this.#change(step)
  }

  /** Until when an email may be sent before a change of it arrives. */
  get #soon(): number {
    return this.#sandbox.now() + spareMs * this.#tools.pace
  }

  /** Makes the request as often as `copies`, concurrently and under one key. */
  async #request({ how, bodies, key, by }: Pick<KnownSend, 'how' | 'bodies' | 'key' | 'by'>, copies: number) {
    const [headers, api] = [{ 'idempotency-key': key }, this.#apiOf(by)]
    const request = () => (how === 'batch' ? api.sendBatch(bodies, headers) : api.sendEmail(bodies[0], headers))
    let answers: readonly Exchange[] = []
    const at = await this.#during(async () => {
      answers = await Promise.all(Array.from({ length: copies }, request))
    })
    return { answers, at }
  }

  #isInFuture(plan: EmailPlan): boolean {
    return (this.#plans.timeOf(plan) ?? Infinity) > this.#soon
  }

  async #sendNew(
    plans: readonly EmailPlan[],
    { how, copies }: { readonly how: KnownSend['how']; readonly copies: number },
  ): Promise<void> {
    const items: MarkedPlan[] = []
    for (const plan of plans.filter((plan) => this.#isInFuture(plan))) {
      const before = plan.isAlike === true ? items.at(-1) : undefined
      items.push(before ?? { plan, mark: this.#tools.unique() })
    }
    if (items.length > 0) await this.#send(items, { how, copies })
  }

  async #sendAgain(which: number): Promise<void> {
    const send = this.#sends.at(-1 - (which % Math.max(1, this.#sends.length)))
    if (send?.emails.every(({ plan }) => this.#isInFuture(plan)) === true)
      await this.#send(send.emails, { how: send.how, copies: 1 })
  }

  async #send(
    items: readonly MarkedPlan[],
    { how, copies }: { readonly how: KnownSend['how']; readonly copies: number },
  ): Promise<void> {
    const plans = items.map(({ plan }) => plan)
    const bodies = items.map((item) => this.#plans.fieldsOf(item.plan, subjectOf(item)))
    const request = { how, bodies, key: this.#tools.keyAt(this.#keys++), by: plans[0]?.by }
    const isUsedElsewhere = this.#tools.keys.has(request.key)
    this.#tools.keys.add(request.key)
    const { answers, at } = await this.#request(request, copies)
    const first = answers.find(isBatchAccepted) ?? answers[0]
    if (first === undefined) return
    if (!isBatchAccepted(first) && plans.some((plan) => this.#mayRefuse(plan, how)) && (first.status ?? 0) < 500)
      return void this.#tools.refused.push(`${how === 'batch' ? 'a batch' : 'an email'} like this (${first.status})`)
    const hasName = plans.some(({ name }) => name !== '')
    if (isUsedElsewhere) this.#require.of('IDM-003').status(first, '2xx')
    if (hasName)
      this.#require.of('SND-002').ok('an email with a display name', isBatchAccepted(first), 'accepted', 'refused')
    const ids = how === 'alone' ? [idOf(this.#require, first)] : await this.#idsInOrder(first, plans)
    this.#compareIds(how === 'alone' ? ids.flatMap((id) => id ?? []) : idsIn(first))
    const emails = items.map(({ plan, mark }, index): KnownEmail => ({
      id: ids[index],
      how,
      mark,
      plan,
      from: this.#plans.fromOf(plan),
      steps: [{ kind: 'sent', at, scheduledAt: this.#plans.timeOf(plan) }],
      repeated: copies > 1 ? 'at once' : 'never',
    }))
    this.#emails.push(...emails)
    const send = { ...request, at, first, emails }
    this.#sends.push(send)
    this.#compareWithFirst(send, answers, 'IDM-004')
  }

  /**
   * How far or how near ahead mail may be scheduled is not shown, nor that a batch may have such mail, how else an address may be written, what
   * the key of an inbox may send, and which signs a subject may have.
   */
  #mayRefuse(plan: EmailPlan, how: KnownSend['how']): boolean {
    const isOddTime = how === 'batch' || this.#tools.pace < 1 || (plan.aheadMs ?? 0) > day
    const isAhead = plan.aheadMs !== undefined && isOddTime
    return isAhead || !isShownForm(plan) || isRefusable(plan.subject)
  }

  /** Emails under keys of their own have ids of their own, also in a batch. */
  #compareIds(ids: readonly string[]): void {
    this.#require.of('SND-004').equal('different ids of the emails of a batch', new Set(ids).size, ids.length)
    const known = ids.filter((id) => this.#tools.ids.has(id))
    this.#require.of('IDM-003').equal('ids of earlier emails, under another key', known, [])
    for (const id of ids) this.#tools.ids.add(id)
  }

  /** Returns the ids of a batch in the order of its items, as far as they are known: `data` may have another order, and no ids. */
  async #idsInOrder(answer: Exchange, plans: readonly EmailPlan[]): Promise<readonly (string | undefined)[]> {
    const [check, data] = [this.#require.of('SND-004'), answer.field('data')]
    check.status(answer, '2xx')
    check.ok(
      'data of a batch',
      Array.isArray(data) && data.length === plans.length,
      `an array of ${plans.length}`,
      data,
    )
    check.ok('errors of a batch', isBatchAccepted(answer), 'none', answer.field('errors'))
    const ids = idsIn(answer)
    if (ids.length === 1 && plans.length === 1) return ids
    this.#unnamedIds.push(...ids)
    if (ids.length !== plans.length || ids.length > mostCompared) return []
    const answers = await Promise.all(ids.map(async (id) => ({ id, shown: await this.#project.api.getEmail(id) })))
    const fitting = plans.map((plan) =>
      answers.filter(({ shown }) => this.#plans.isItem(plan, shown)).map(({ id }) => id),
    )
    return fitting.map(([id, ...others]) =>
      others.length === 0 && fitting.filter((found) => found.includes(id ?? '')).length === 1 ? id : undefined,
    )
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
    return kept.at(-1 - (which % Math.max(1, kept.length)))
  }

  async #repeat(which: number, copies: number): Promise<void> {
    const send = this.#sendToRepeat(which)
    if (send === undefined) return
    const { answers } = await this.#request(send, copies)
    for (const email of send.emails) {
      email.repeated = 'later'
      email.repeatedAt = email.steps.length
    }
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
    const mark = this.#tools.unique()
    const bodies = [this.#plans.fieldsOf(plan, subjectOf({ plan, mark }))]
    const { answers } = await this.#request({ ...send, bodies }, 1)
    this.#emails.push({
      id: undefined,
      how: send.how,
      mark,
      plan,
      from: this.#plans.fromOf(plan),
      steps: [],
      repeated: 'never',
    })
    const isRefused = ({ status = 0 }: Exchange) => status >= 400 && status < 500
    this.#compareWithFirst(
      send,
      answers.filter((answer) => !isRefused(answer)),
    )
  }

  async #change({ which, changes: plans, by }: Extract<MailAction, { readonly do: 'change' }>): Promise<void> {
    const api = this.#apiOf(by)
    const soon = this.#soon
    const waiting = this.#emails.filter((email) => email.id !== undefined && isWaiting(email, soon))
    const email = waiting.at(-1 - (which % Math.max(1, waiting.length)))
    const id = email?.id
    const wanted = plans.filter((plan) => plan.do === 'cancel' || this.#plans.timeAfter(plan.aheadMs) >= soon)
    if (email === undefined || id === undefined || wanted.length === 0) return
    const results = await Promise.all(
      wanted.map(async (plan) => {
        let answer: Exchange | undefined
        const at = await this.#during(async () => {
          answer =
            plan.do === 'cancel'
              ? await api.cancelEmail(id)
              : await api.updateEmail(id, { scheduled_at: new Date(this.#plans.timeAfter(plan.aheadMs)).toISOString() })
        })
        return { plan, at, answer }
      }),
    )
    const changes: EmailChange[] = []
    for (const { plan, at, answer } of results) {
      if (answer === undefined) continue
      const isRefused = (answer.status ?? 0) >= 400 && (answer.status ?? 0) < 500
      // How far ahead a move may be is not shown, nor what the key of an inbox may change; one of several may be too late.
      const isFar = plan.do === 'move' && plan.aheadMs > day
      if (isRefused && (isFar || by !== undefined))
        this.#tools.refused.push(`a ${plan.do} like this (${answer.status})`)
      if (isRefused && (isFar || by !== undefined || wanted.length > 1 || !isWaiting(email, this.#soon))) continue
      this.#compareAnswer(plan.do === 'cancel' ? 'SND-011' : 'SND-010', answer, id)
      changes.push(
        plan.do === 'cancel'
          ? { kind: 'cancelled', at }
          : { kind: 'moved', at, scheduledAt: this.#plans.timeAfter(plan.aheadMs) },
      )
    }
    if (wanted.every((plan) => plan.do === 'cancel'))
      this.#require.of('SND-011').ok('accepted of several concurrent cancels', changes.length > 0, 'at least one', 0)
    const [only] = changes
    if (only !== undefined) email.steps.push(changes.length === 1 ? only : { kind: 'at-once', changes })
  }

  #compareAnswer(requirement: 'SND-010' | 'SND-011', answer: Exchange, id: string): void {
    const check = this.#require.of(requirement)
    check.status(answer, '2xx')
    check.equal(`id in the answer to ${answer.label}`, answer.field('id'), id)
    const object = answer.field('object') ?? undefined
    check.ok(`object in the answer to ${answer.label}`, object !== undefined, 'a value', object)
  }

  #walk(limit: number, meanwhile: MailAction | undefined): Promise<void> {
    const walk = { api: this.#project.api, sandbox: this.#sandbox, require: this.#require, reads: this.#reads, limit }
    const act = meanwhile === undefined ? undefined : () => this.perform(meanwhile)
    const name = meanwhile === undefined ? '' : `, with a ${meanwhile.do} after the first`
    return compareList(walk, { emails: this.#emails, unnamedIds: this.#unnamedIds, act, name })
  }

  /** Whether no email was accepted. */
  get isEmpty(): boolean {
    return this.#emails.length === 0
  }

  /** Waits in real time until the mail that falls due within `ms` of the script was sent. */
  async waitForMail(ms: number): Promise<void> {
    const { pace } = this.#tools
    const until = this.#sandbox.now() + ms * pace
    const due = this.#emails.filter((email) => !isCancelled(email) && timesOf(email).some((at) => at <= until))
    await this.#reads.waitForQueued(due, ms * pace + lateMs)
    const isOver = () => Promise.resolve(this.#sandbox.now() >= until)
    await this.#sandbox.until(isOver, ms * pace + minute)
  }

  /** The times that emails may be due at from now on. */
  get times(): readonly number[] {
    return this.#emails.flatMap(timesOf).filter((at) => at > this.#sandbox.now())
  }

  async compareEvents({ isEnd = false } = {}): Promise<void> {
    if (this.#tools.facts.isMoved) await this.#sandbox.settle()
    await this.#reads.compareEvents(this.#emails, { now: this.#now(), pauses: this.#pauses }, { isEnd })
  }

  async compareRecords(): Promise<void> {
    for (const email of this.#emails) await this.#reads.compareRecord(email)
    for (const { how, first, emails } of this.#sends) {
      const ids = how === 'batch' ? idsIn(first) : []
      const isOpen = emails.some((email) => email.id === undefined)
      if (isOpen && ids.length === emails.length && ids.length <= mostCompared && !emails.some(isCancelled))
        await this.#reads.compareBatch(ids, emails)
    }
  }

  /** Whether a comparison has failed. */
  get isBroken(): boolean {
    return this.#reads.isBroken
  }
}
