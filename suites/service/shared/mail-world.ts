// Runs a script about mail on a service, and compares what every outlet shows with the world model.
import {
  asText,
  instantOf,
  itemsOf,
  memberOf,
  type Checks,
  type Exchange,
  type Sandbox,
} from '../../../harness/authoring.js'
import { isRefusable, keepsText } from '../../shared/texts.js'
import { countExpected, type EmailStep, type Pause } from '../../shared/world/mail.js'
import { spanning, type Span } from '../../shared/world/span.js'
import { isOf } from './carried-mail.js'
import { pagesOf } from './email-pages.js'
import { eventsOnce, idsOf } from './event-log.js'
import type { EmailPlan, MailStep } from './mail-script.js'
import { Outlets } from './outlets.js'
import { hour, movedMs } from './scheduled-mail.js'
import { bareAddress, dataOf, idOf, idsIn, isEmailAccepted, isBatchAccepted, timesIn } from './sent-mail.js'

const minute = 60_000
/** Longest time a list may lag, in milliseconds. */
const lagMs = 5_000
/** Margin before and after a time at which mail is checked: more than a scheduler may be early or late. */
const aroundMs = 20 * minute
/** An email that is due within this time may be sent before a change of it arrives. */
const spareMs = 30 * minute

interface KnownEmail {
  readonly id: string | undefined
  /** The word that its subject begins with, and no other. */
  readonly mark: string
  readonly plan: EmailPlan
  readonly steps: EmailStep[]
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
  readonly #emails: KnownEmail[] = []
  readonly #pauses: Pause[] = []
  /** Times that emails are scheduled for are counted from here: a whole minute. */
  readonly #begunAt: number

  constructor(sandbox: Sandbox, require: Checks, facts: MailFacts) {
    this.#sandbox = sandbox
    this.#require = require
    this.#facts = facts
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
    if (step.do === 'send') await this.#send([step.email], 'alone')
    else if (step.do === 'batch') await this.#send(step.emails, 'batch')
    else if (step.do === 'pass') {
      await this.#sandbox.advance(step.ms)
      await this.#lookAtEvents()
    } else if (step.do === 'pause') {
      const from = await this.#during(() => this.#sandbox.setSending('paused', 'a script'))
      const to = await this.#during(() => this.#sandbox.setSending('active'))
      this.#pauses.push({ from, to })
    } else if (step.do === 'walk') await this.#walk(step.limit, step.meanwhile)
    else await this.#change(step)
  }

  #fields({ name, inbox, hasCapitals, isHtml, aheadMs }: EmailPlan, subject: string): Record<string, unknown> {
    const { project } = this.#sandbox
    const address = inbox === undefined ? this.#facts.recipient : project.inbox(inbox).address
    const [local = '', domain = ''] = address.split('@')
    const from = bareAddress(project.from)
    return {
      from: name === '' ? from : `"${name}" <${from}>`,
      to: hasCapitals ? `${local}@${domain.toUpperCase()}` : address,
      subject,
      ...(isHtml ? { html: '<p>Grüße &amp; 件名</p>' } : { text: 'Grüße & 件名' }),
      ...(aheadMs !== undefined && { scheduled_at: new Date(this.#begunAt + aheadMs).toISOString() }),
    }
  }

  async #send(plans: readonly EmailPlan[], how: 'alone' | 'batch'): Promise<void> {
    const isInFuture = ({ aheadMs }: EmailPlan) =>
      aheadMs === undefined || this.#begunAt + aheadMs > this.#sandbox.now() + spareMs
    const sent = plans.filter(isInFuture).map((plan) => ({ plan, mark: this.#facts.unique() }))
    if (sent.length === 0) return
    const bodies = sent.map(({ plan, mark }) => this.#fields(plan, subjectOf({ plan, mark })))
    let answer: Exchange | undefined
    const at = await this.#during(async () => {
      answer = how === 'batch' ? await this.#api.sendBatch(bodies) : await this.#api.sendEmail(bodies[0])
    })
    if (answer === undefined) return
    // How far ahead mail may be scheduled is not shown, nor that a domain may be written in capitals, nor which signs a subject may have.
    const mayRefuse = sent.some(
      ({ plan }) => plan.hasCapitals || plan.aheadMs !== undefined || isRefusable(plan.subject),
    )
    if (!isBatchAccepted(answer) && mayRefuse && (answer.status ?? 0) < 500) return
    // That an entry of a batch has an id is not shown.
    const ids = how === 'alone' ? [idOf(this.#require, answer)] : idsIn(answer)
    if (how === 'batch') this.#require.of('SND-004').status(answer, '2xx')
    for (const [index, { plan, mark }] of sent.entries()) {
      const scheduledAt = plan.aheadMs === undefined ? undefined : this.#begunAt + plan.aheadMs
      const id = ids.length === sent.length ? ids[index] : undefined
      this.#emails.push({ id, mark, plan, steps: [{ kind: 'sent', at, scheduledAt }] })
    }
  }

  async #change(step: Extract<MailStep, { do: 'move' | 'cancel' }>): Promise<void> {
    const waiting = this.#emails.filter((email) => this.#dueOf(email) > this.#sandbox.now() + spareMs)
    const email = waiting[step.which % Math.max(1, waiting.length)]
    const id = email?.id
    if (email === undefined || id === undefined) return
    if (step.do === 'cancel') {
      let answer: Exchange | undefined
      const at = await this.#during(async () => (answer = await this.#api.cancelEmail(id)))
      if (answer !== undefined) this.#require.of('SND-011').status(answer, '2xx')
      email.steps.push({ kind: 'cancelled', at })
      return
    }
    const scheduledAt = this.#begunAt + step.aheadMs
    if (scheduledAt < this.#sandbox.now() + spareMs) return
    let answer: Exchange | undefined
    const at = await this.#during(async () => {
      answer = await this.#api.updateEmail(id, { scheduled_at: new Date(scheduledAt).toISOString() })
    })
    if (answer === undefined || (!isEmailAccepted(answer) && (answer.status ?? 0) < 500)) return
    this.#require.of('SND-010').status(answer, '2xx')
    email.steps.push({ kind: 'moved', at, scheduledAt })
  }

  /** When an email is due; never, once it is cancelled or was sent at once. */
  #dueOf({ steps }: KnownEmail): number {
    const last = steps.at(-1)
    return last === undefined || last.kind === 'cancelled' ? -Infinity : (last.scheduledAt ?? -Infinity)
  }

  /** Reads the list page by page: each email that existed at the start is on one page, despite changes during the walk. */
  async #walk(limit: number, meanwhile: MailStep): Promise<void> {
    // Emails that were cancelled need not be listed.
    const listed = () => this.#emails.filter(({ id, steps }) => id !== undefined && steps.at(-1)?.kind !== 'cancelled')
    const before = listed().map(({ id }) => asText(id))
    const read = async (act?: () => Promise<void>): Promise<unknown[]> => {
      const ids: unknown[] = []
      let isFirst = true
      for await (const page of pagesOf(this.#api, limit)) {
        for (const id of idsOf(itemsOf(page) ?? [])) ids.push(id)
        if (isFirst) await act?.()
        isFirst = false
      }
      return ids
    }
    // So many pages are read at most.
    if (before.length > limit * 8) return
    if (!(await this.#sandbox.until(async () => hasAll(await read(), before), lagMs))) return
    const ids = await read(() => this.perform(meanwhile))
    const known = before.filter((id) => listed().some((email) => email.id === id))
    const times = known.map((id) => timesIn(ids, id))
    this.#require.of('SND-009').equal(
      `how often each email is listed on pages of ${limit}, with a ${meanwhile.do} after the first`,
      times,
      known.map(() => 1),
    )
  }

  /** Compares the events of every email with the model. */
  async #lookAtEvents(): Promise<void> {
    await this.#sandbox.settle()
    const now = this.#now()
    const expected = this.#emails.map((email) => ({
      email,
      ...countExpected(email.steps, { now, pauses: this.#pauses }),
    }))
    const isWhole = (events: readonly unknown[]) =>
      expected.every(({ email, least }) => this.#countOf(events, 'message.queued', email) >= least) &&
      expected.every(
        ({ email, least }) => !this.#isReceived(email) || this.#countOf(events, 'message.received', email) >= least,
      )
    const events = await eventsOnce(this.#sandbox, this.#api, isWhole, { withinMs: movedMs })
    for (const { email, least, most } of expected) {
      const count = this.#countOf(events, 'message.queued', email)
      const what = `message.queued of ${describeEmail(email)}`
      this.#require.of(isScheduled(email) ? 'SND-016' : 'EVT-004').ok(what, count >= least, `at least ${least}`, count)
      this.#require
        .of(most === 0 ? requirementOfEarly(email) : 'EVT-016')
        .ok(what, count <= most, `at most ${most}`, count)
      for (const event of events.filter((event) =>
        Object.keys(subjectRequirements).some((type) => isAbout(type, email)(event)),
      )) {
        const [type, shown] = [
          asText(memberOf(event, 'type')) as keyof typeof subjectRequirements,
          dataOf(event, 'subject'),
        ]
        const wanted = subjectOf(email)
        this.#require
          .of(subjectRequirements[type])
          .ok(`subject of ${type}`, keepsText(wanted, shown), JSON.stringify(wanted), shown)
      }
      if (!this.#isReceived(email) || count === 0) continue
      const received = events.filter(isAbout('message.received', email))
      const inboxes = received.map((event) => memberOf(memberOf(event, 'data'), 'inbox_id'))
      const inbox = this.#sandbox.project.inbox(email.plan.inbox).id
      this.#require.of('EVT-003').equal(`inboxes that received ${describeEmail(email)}`, inboxes, [inbox])
    }
  }

  #isReceived({ plan }: KnownEmail): boolean {
    return this.#facts.isCarried && plan.inbox !== undefined && !plan.hasCapitals
  }

  #countOf(events: readonly unknown[], type: string, email: KnownEmail): number {
    return events.filter(isAbout(type, email)).length
  }

  /** Advances to the time of each waiting email, and compares before and after it. */
  async end(outlets: Outlets): Promise<void> {
    const times = new Set(this.#emails.map((email) => this.#dueOf(email)).filter((at) => at > this.#sandbox.now()))
    for (const at of [...times].sort((one, other) => one - other)) {
      const before = at - aroundMs - this.#sandbox.now()
      if (before > 0) await this.#sandbox.advance(before)
      await this.#lookAtEvents()
      await this.#sandbox.advance(2 * aroundMs)
      await this.#lookAtEvents()
    }
    for (const email of this.#emails) await this.#lookAtRecord(email)
    await this.#lookAtEvents()
    await outlets.compare()
  }

  async #lookAtRecord(email: KnownEmail): Promise<void> {
    if (email.id === undefined) return
    const answer = await this.#api.getEmail(email.id)
    this.#require.of('SND-007').status(answer, '2xx')
    const last = email.steps.findLast((step) => step.kind !== 'cancelled')
    const shown = answer.field('scheduled_at')
    if (last?.scheduledAt === undefined || shown === undefined || shown === null) return
    const isSame = Math.abs(instantOf(shown) - last.scheduledAt) <= 1_000
    this.#require
      .of('SND-018')
      .ok(`scheduled_at of ${describeEmail(email)}`, isSame, new Date(last.scheduledAt).toISOString(), shown)
  }
}

function subjectOf({ mark, plan }: Pick<KnownEmail, 'mark' | 'plan'>): string {
  return `${mark} ${plan.subject}`
}

/** Whether an event is of the type, and about the email: its subject begins with the mark, whatever became of the rest. */
function isAbout(type: string, { mark }: KnownEmail): (event: unknown) => boolean {
  return (event) => memberOf(event, 'type') === type && asText(dataOf(event, 'subject')).split(/[^\w-]/)[0] === mark
}

const subjectRequirements = { 'message.queued': 'EVT-004', 'message.received': 'EVT-003' } as const

function hasAll(ids: readonly unknown[], known: readonly string[]): boolean {
  return known.every((id) => ids.includes(id))
}

function isScheduled({ steps }: KnownEmail): boolean {
  return steps[0]?.kind === 'sent' && steps[0].scheduledAt !== undefined
}

function requirementOfEarly({ steps }: KnownEmail) {
  const last = steps.at(-1)
  if (last?.kind === 'cancelled') return 'SND-014'
  return last?.kind === 'moved' ? 'SND-010' : 'SND-013'
}

function describeEmail({ plan, steps }: KnownEmail): string {
  const words = steps.map((step) => {
    if (step.kind === 'cancelled' || step.scheduledAt === undefined) return step.kind
    return `${step.kind === 'moved' ? 'rescheduled to' : 'scheduled for'} ${new Date(step.scheduledAt).toISOString()}`
  })
  const to = plan.inbox === undefined ? 'an address outside' : `inbox ${plan.inbox}`
  return `an email to ${to} (${words.join(', ')})`
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
