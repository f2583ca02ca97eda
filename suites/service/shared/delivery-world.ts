// Runs a script about events on a service, and compares what its endpoints, lists and streams show with the world model.
import { answerTimeMs, retryDelaysMs, type EventType, type RequirementId } from '../../../spec/index.js'
import { admits, asText, sampleData, type Checks, type Sandbox, type Stream } from '../../../harness/authoring.js'
import { applyAnswer, begin, passTime, stopDelivery, type Ending } from '../../shared/world/delivery.js'
import { spanning, type Span } from '../../shared/world/span.js'
import {
  endingOf,
  inboxes,
  isOfWorkspace,
  projects,
  sinkAnswer,
  type DeliveryScript,
  type DeliveryStep,
  type HookPlan,
  type RaiseStep,
} from './delivery-script.js'
import { EventReads, type EventGroup } from './event-reads.js'
import { firstListed, HookReads, sum, type KnownHook } from './known-hook.js'
import { raiseFor, type Limits, type ModelEvent } from './org-model.js'

const numbers = { retryDelaysMs, answerTimeMs }
const mostHooks = 5
/** Deliveries of one webhook at most. */
const mostDeliveries = 400
/**
 * Deliveries that one step causes at most, where each ends at its first attempt, and where retries follow: a jump of the clock leaves each
 * retry half a second of real time.
 */
const mostAtOnce = { ended: 300, retried: 60 } as const
/** Events that are raised concurrently. */
const raisedAtOnce = 25
const mostReplaysAtOnce = 5
/** An attempt that is made at once arrives within this many milliseconds. */
const heldMs = 500
/** Time before and after an attempt is due at which it is looked for: schedules may have whole seconds. */
const aroundDueMs = 1_500

/** A service and what a script has done to it so far. */
class DeliveryWorld {
  readonly #sandbox: Sandbox
  readonly #require: Checks
  readonly #unique: () => string
  readonly #hooks: KnownHook[] = []
  readonly #groups: EventGroup[] = []
  readonly #eventReads: EventReads
  readonly #hookReads: HookReads

  constructor(
    sandbox: Sandbox,
    require: Checks,
    { witness, unique }: { readonly witness: Stream; readonly unique: () => string },
  ) {
    this.#sandbox = sandbox
    this.#require = require
    this.#unique = unique
    this.#hookReads = new HookReads(sandbox, require, this.#groups)
    this.#eventReads = new EventReads(sandbox, require, { groups: this.#groups, witness })
  }

  async perform(step: DeliveryStep): Promise<void> {
    if (step.do === 'raise') return this.#raise(step)
    if (step.do === 'create') return this.create(step.plan)
    if (step.do === 'page') return this.#eventReads.page(step.reader, step)
    if (step.do === 'walk') return this.#eventReads.walk(step.reader, step.limit, () => this.#raise(step.meanwhile))
    if (step.do === 'stream') return this.#eventReads.open(step)
    if (step.do === 'reconnect') return this.#eventReads.reconnect(step.which)
    if (step.do === 'pass') {
      await this.#sandbox.advance(step.ms)
      return this.look()
    }
    const hook = this.#hooks[step.hook % this.#hooks.length]
    if (hook === undefined || hook.isDeleted) return
    if (step.do === 'answer')
      this.#answerFrom(hook, endingOf(step.answer), () => hook.webhook.endpoint.script(sinkAnswer(step.answer)))
    else if (step.do === 'replay') await this.#replay(hook, [step.which])
    else if (step.do === 'replay-several')
      await this.#replay(hook, [...hook.deliveries.keys()].slice(0, mostReplaysAtOnce))
    else if (step.do === 'delete') await this.#delete(hook)
    else if (step.do === 'pass-due') await this.#passDue(hook)
    else if (step.do === 'records') await this.#hookReads.readRecords(hook, step.limit)
    else await this.#hold(hook, step)
  }

  async create({ project: index, inbox, isByInbox, types, answer, suffix }: HookPlan): Promise<void> {
    if (this.#hooks.length >= mostHooks) return
    const project = this.#project(index)
    const isForced = isByInbox && inbox !== undefined
    const options = {
      eventTypes: types,
      inboxId: inbox === undefined || isForced ? null : project.inbox(inbox).id,
      answers: [sinkAnswer(answer)] as const,
      suffix,
      ...(isForced && { api: project.inbox(inbox).api }),
    }
    // Quotas are not shown: where no more webhooks are accepted, a script goes on with fewer.
    const [webhook] = await project.createWebhooks([options], { atLeast: this.#hooks.length === 0 ? 1 : 0 })
    if (webhook === undefined) return
    const of = [
      types.length === 0 ? 'every type' : types.join(', '),
      ...(inbox === undefined ? [] : [`inbox ${inbox}`]),
      ...(index === 0 ? [] : ['another project']),
    ]
    this.#hooks.push({
      name: `webhook ${this.#hooks.length} (${of.join(', ')})`,
      webhook,
      project: index,
      inbox,
      isByInbox: isForced,
      types,
      suffix,
      ending: endingOf(answer),
      isDeleted: false,
      latestAt: 0,
      deliveries: [],
    })
  }

  #project(index: number) {
    return this.#sandbox.projects[index] ?? this.#sandbox.project
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

  /** The deliveries of a webhook until now, as its endpoint has answered so far. */
  #settle(hook: KnownHook, now = this.#now()): void {
    for (const delivery of hook.deliveries)
      delivery.state = passTime(delivery.state, { ending: hook.ending, now, numbers })
  }

  /** Compares everything just before the first attempt that is due, and just after it. */
  async #passDue(hook: KnownHook): Promise<void> {
    this.#settle(hook)
    const dues = hook.deliveries.flatMap(({ state: { due } }) => due ?? [])
    const next = dues.toSorted((one, other) => one.earliest - other.earliest)[0]
    if (next === undefined) return
    for (const at of [next.earliest - aroundDueMs, next.latest + 2 * aroundDueMs]) {
      const ms = at - this.#now().latest
      if (ms <= 0) continue
      await this.#sandbox.advance(ms)
      await this.look()
    }
  }

  #answerFrom(hook: KnownHook, ending: Ending, change: () => void): void {
    this.#settle(hook)
    change()
    // A retry that falls due during the change may get either answer.
    this.#settle(hook)
    hook.ending = ending
  }

  /** As many events as the step names, or as many as their deliveries allow. */
  async #raise({ project: index, type, inbox, times, words, isBounded = true }: RaiseStep): Promise<void> {
    const project = this.#project(index)
    const inboxId = project.inbox(inbox).id
    const event = { type, inbox: isOfWorkspace(type) ? null : inbox }
    const getting = this.#hooks.filter((hook) => !hook.isDeleted && hook.project === index && admits(hook, event))
    const isRetried = getting.some(({ ending }) => ending.kind !== 'answer' || ending.status > 299)
    const most = isRetried && isBounded ? mostAtOnce.retried : mostAtOnce.ended
    const count = Math.min(times, Math.floor(most / Math.max(1, getting.length)))
    if (getting.some(({ deliveries }) => deliveries.length + count > mostDeliveries)) return
    const events: ModelEvent[] = []
    const raise = () => {
      const sample = { inboxId, workspaceId: this.#sandbox.workspaceId, mark: this.#unique() }
      return raiseFor(project, type, inbox, withWords(sampleData(type, sample), words))
    }
    const at = await this.#during(async () => {
      while (events.length < count) {
        const length = Math.min(raisedAtOnce, count - events.length)
        events.push(...(await Promise.all(Array.from({ length }, raise))))
      }
    })
    const group = { project: index, events, words, at, realAt: Date.now() }
    this.#groups.push(group)
    for (const hook of getting) {
      const isWhole = () =>
        new Set(this.#hookReads.arrived(hook, events).map((attempt) => this.#hookReads.idOf(attempt))).size === count
      await this.#expectSent(hook, isWhole, { requirement: 'EVT-014', what: `${type} at ${hook.name}` })
      const state = begin(spanning(at, this.#now()), { ending: hook.ending, numbers })
      for (const _ of events) hook.deliveries.push({ group, replayOf: undefined, state })
      hook.latestAt = Date.now()
    }
  }

  async #replay(hook: KnownHook, which: readonly number[]): Promise<void> {
    const known = hook.deliveries.length
    if (known === 0 || known + which.length > mostDeliveries) return
    const list = await this.#hookReads.listed(hook)
    const first = firstListed(hook)
    const originals = which.map((index) => first + (index % (known - first)))
    const before = originals.map(
      (index) => this.#hookReads.arrived(hook, hook.deliveries[index]?.group.events ?? []).length,
    )
    const at = await this.#during(() =>
      Promise.all(
        originals.map(async (index) => {
          const answer = await this.#project(hook.project).api.replayDelivery(
            hook.webhook.id,
            asText(list[index - first]?.id),
          )
          this.#require.of('RPL-001').status(answer, '2xx')
        }),
      ),
    )
    for (const [order, index] of originals.entries()) {
      const original = hook.deliveries[index]
      if (original === undefined) continue
      const replayOf = originals.length === 1 ? index : 'unknown'
      const isMade = () => this.#hookReads.arrived(hook, original.group.events).length > (before[order] ?? 0)
      const what = `replay of delivery ${index} of ${hook.name}`
      await this.#expectSent(hook, isMade, { requirement: 'RPL-002', what })
      const state = begin(spanning(at, this.#now()), { ending: hook.ending, numbers })
      hook.deliveries.push({ group: original.group, replayOf, state })
    }
    hook.latestAt = Date.now()
  }

  /** Waits for an attempt. While its endpoint holds another answer back it may wait for that one to end. */
  async #expectSent(
    { webhook, ending }: KnownHook,
    isMade: () => boolean,
    { requirement, what }: { readonly requirement: RequirementId; readonly what: string },
  ): Promise<void> {
    const isHeld = ending.kind === 'held'
    const isSent = await webhook.endpoint.until(isMade, isHeld ? heldMs : this.#sandbox.budgetMs)
    if (!isHeld) this.#require.of(requirement).ok(what, isSent, 'sent', 'not sent')
  }

  async #delete(hook: KnownHook): Promise<void> {
    this.#settle(hook)
    await hook.webhook.delete()
    this.#settle(hook)
    hook.isDeleted = true
    for (const delivery of hook.deliveries) delivery.state = stopDelivery(delivery.state, numbers)
  }

  async #hold(hook: KnownHook, step: Extract<DeliveryStep, { do: 'hold' }>): Promise<void> {
    const { endpoint } = hook.webhook
    this.#answerFrom(hook, { kind: 'held' }, () => endpoint.script({ kind: 'hang' }))
    const one = { do: 'raise', project: hook.project, inbox: hook.inbox ?? 0, times: 1, words: {} } as const
    await this.#raise({ ...one, type: typeFor(hook) })
    const held = hook.deliveries.length - 1
    for (const act of step.meanwhile) {
      if (act === 'raise') await this.#raise({ ...one, type: typeFor(hook) })
      else await this.#replay(hook, [act === 'replay-held' ? held - firstListed(hook) : 0])
    }
    if (step.forMs > 0) await this.#sandbox.quiet(step.forMs)
    this.#settle(hook)
    const ending = endingOf(step.answer)
    const at = await this.#during(async () => {
      endpoint.script(sinkAnswer(step.answer))
      for (const attempt of endpoint.attempts) if (attempt.isUnanswered) attempt.answer(sinkAnswer(step.answer))
      const least = sum(hook.deliveries.map(({ state }) => state.least))
      await endpoint.until(() => endpoint.attempts.length >= least, this.#sandbox.budgetMs)
      await this.#sandbox.settle()
    })
    hook.ending = ending
    for (const delivery of hook.deliveries) delivery.state = applyAnswer(delivery.state, ending, { at, numbers })
    await this.look()
  }

  /** Compares every endpoint and every list with the model. */
  async look(): Promise<void> {
    await this.#sandbox.settle()
    for (const hook of this.#hooks) {
      const begunAt = this.#now()
      // Time passes while a list is read: what falls due meanwhile is open.
      const states = () => {
        const now = spanning(begunAt, this.#now())
        return hook.deliveries.map(({ state }) => passTime(state, { ending: hook.ending, now, numbers }))
      }
      await this.#hookReads.lookAtEndpoint(hook, states)
      if (!hook.isDeleted) await this.#hookReads.lookAtList(hook, states)
    }
  }

  /** Compares everything once a script is over, with one event more for each inbox, so that nothing is still on its way. */
  async end(): Promise<void> {
    for (let inbox = 0; inbox < inboxes; inbox++)
      await this.#raise({ do: 'raise', project: 0, type: 'message.received', inbox, times: 1, words: {} })
    await this.look()
    for (const hook of this.#hooks) if (hook.isDeleted) await this.#hookReads.lookAtHistory(hook)
    const attempts = Array.from({ length: projects }, (_, project) =>
      this.#hooks.filter((hook) => hook.project === project).flatMap(({ webhook }) => webhook.attempts()),
    )
    await this.#eventReads.end(attempts)
  }
}

/** The sample data with the words that it has members for. */
function withWords(
  data: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, words[name] ?? value]))
}

/** A type that the webhook gets. */
function typeFor({ types }: Limits): EventType {
  const named = types.find((name) => name !== '*' && !isOfWorkspace(name as EventType))
  return (named as EventType | undefined) ?? 'message.received'
}

/** Runs a script; ends at the first mismatch. The sandbox has two projects with two inboxes each. */
export async function runDeliveryScript(
  sandbox: Sandbox,
  script: DeliveryScript,
  { require, unique }: { readonly require: Checks; readonly unique: () => string },
): Promise<void> {
  const witness = await sandbox.project.stream().opened(require.of('STR-001'))
  const world = new DeliveryWorld(sandbox, require, { witness, unique })
  for (const plan of script.hooks) await world.create(plan)
  // Until the clock was moved once, nothing bounds what it shows.
  await sandbox.settle()
  for (const step of script.steps) await world.perform(step)
  await world.end()
}
