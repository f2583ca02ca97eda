// Runs a script about deliveries on a service, and compares what its endpoints and its lists show with the world model.
import { answerTimeMs, maxAttempts, retryDelaysMs, type EventType, type RequirementId } from '../../../spec/index.js'
import {
  admits,
  asText,
  attemptRequirement,
  delaysBefore,
  findExclusion,
  type Attempt,
  type Checks,
  type DeliveryItem,
  type Sandbox,
  type Webhook,
} from '../../../harness/authoring.js'
import {
  applyAnswer,
  begin,
  passTime,
  stopDelivery,
  type DeliveryState,
  type Ending,
} from '../../shared/world/delivery.js'
import { spanning, type Span } from '../../shared/world/span.js'
import { factsOfRecord } from './delivery-records.js'
import { endingOf, isOfWorkspace, sinkAnswer, type DeliveryScript, type DeliveryStep } from './delivery-script.js'
import { raiseFor, type Limits, type ModelEvent } from './org-model.js'

const numbers = { retryDelaysMs, answerTimeMs }
/** Deliveries of one webhook at most: what one page of its list shows. */
const mostDeliveries = 90
const mostReplaysAtOnce = 5
/** An attempt that is made at once arrives within this many milliseconds. */
const heldMs = 500

/** One delivery: its event is one of those that were raised together, since their order is the service's. */
interface KnownDelivery {
  readonly group: EventGroup
  /** Index of the delivery it replays; `unknown` for one of several replays that were made at once. */
  readonly replayOf: number | 'unknown' | undefined
  state: DeliveryState
}

interface EventGroup {
  readonly events: readonly ModelEvent[]
}

interface KnownHook extends Limits {
  readonly name: string
  readonly webhook: Webhook
  ending: Ending
  isDeleted: boolean
  readonly deliveries: KnownDelivery[]
}

/** A service and what a script has done to it so far. */
class DeliveryWorld {
  readonly #sandbox: Sandbox
  readonly #require: Checks
  readonly #hooks: readonly KnownHook[]
  readonly #groups: EventGroup[] = []

  constructor(sandbox: Sandbox, require: Checks, hooks: readonly KnownHook[]) {
    this.#sandbox = sandbox
    this.#require = require
    this.#hooks = hooks
  }

  async perform(step: DeliveryStep): Promise<void> {
    const hook = 'hook' in step ? this.#hooks[step.hook % this.#hooks.length] : undefined
    if (step.do === 'raise') return this.#raise(step)
    if (step.do === 'pass') {
      await this.#sandbox.advance(step.ms)
      return this.look()
    }
    if (hook === undefined || hook.isDeleted) return
    if (step.do === 'answer')
      this.#answerFrom(hook, endingOf(step.answer), () => hook.webhook.endpoint.script(sinkAnswer(step.answer)))
    else if (step.do === 'replay') await this.#replay(hook, [step.which])
    else if (step.do === 'replay-several')
      await this.#replay(hook, [...hook.deliveries.keys()].slice(0, mostReplaysAtOnce))
    else if (step.do === 'delete') await this.#delete(hook)
    else await this.#hold(hook, step)
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

  #answerFrom(hook: KnownHook, ending: Ending, change: () => void): void {
    this.#settle(hook)
    change()
    // A retry that falls due during the change may get either answer.
    this.#settle(hook)
    hook.ending = ending
  }

  async #raise({
    type,
    inbox,
    times,
  }: {
    readonly type: EventType
    readonly inbox: number
    readonly times: number
  }): Promise<void> {
    const { project } = this.#sandbox
    const isCrowded = this.#hooks.some(({ deliveries }) => deliveries.length + times > mostDeliveries)
    if (isCrowded) return
    const events: ModelEvent[] = []
    const at = await this.#during(async () => {
      events.push(...(await Promise.all(Array.from({ length: times }, () => raiseFor(project, type, inbox)))))
    })
    const group = { events }
    this.#groups.push(group)
    const getting = this.#hooks.filter((hook) => !hook.isDeleted && events.some((event) => admits(hook, event)))
    for (const hook of getting) {
      const isWhole = () =>
        new Set(this.#arrived(hook, events).map((attempt) => attempt.field('id'))).size === events.length
      await this.#expectSent(hook, isWhole, { requirement: 'EVT-014', what: `${type} at ${hook.name}` })
      const state = begin(spanning(at, this.#now()), { ending: hook.ending, numbers })
      for (const _ of events) hook.deliveries.push({ group, replayOf: undefined, state })
    }
  }

  async #replay(hook: KnownHook, which: readonly number[]): Promise<void> {
    const known = hook.deliveries.length
    if (known === 0 || known + which.length > mostDeliveries) return
    const list = await this.#listed(hook)
    const originals = which.map((index) => index % known)
    const before = originals.map((index) => this.#arrived(hook, hook.deliveries[index]?.group.events ?? []).length)
    const at = await this.#during(() =>
      Promise.all(
        originals.map(async (index) => {
          const answer = await this.#sandbox.project.api.replayDelivery(hook.webhook.id, asText(list[index]?.id))
          this.#require.of('RPL-001').status(answer, '2xx')
        }),
      ),
    )
    for (const [order, index] of originals.entries()) {
      const original = hook.deliveries[index]
      if (original === undefined) continue
      const replayOf = originals.length === 1 ? index : 'unknown'
      const isMade = () => this.#arrived(hook, original.group.events).length > (before[order] ?? 0)
      const what = `replay of delivery ${index} of ${hook.name}`
      await this.#expectSent(hook, isMade, { requirement: 'RPL-002', what })
      const state = begin(spanning(at, this.#now()), { ending: hook.ending, numbers })
      hook.deliveries.push({ group: original.group, replayOf, state })
    }
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
    await this.#raise({ type: typeFor(hook), inbox: hook.inbox ?? 0, times: 1 })
    const held = hook.deliveries.length - 1
    for (const act of step.meanwhile) {
      if (act === 'raise') await this.#raise({ type: typeFor(hook), inbox: hook.inbox ?? 0, times: 1 })
      else await this.#replay(hook, [act === 'replay-held' ? held : 0])
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

  /** Attempts of any of the events. */
  #arrived({ webhook }: KnownHook, events: readonly ModelEvent[]): Attempt[] {
    const ids: ReadonlySet<string> = new Set(events.map(({ id }) => id))
    return webhook.endpoint.attempts.filter((attempt) => ids.has(asText(attempt.field('id'))))
  }

  /** The records of a webhook, oldest first. */
  async #listed(
    hook: KnownHook,
    condition: (items: readonly DeliveryItem[]) => boolean = () => true,
  ): Promise<DeliveryItem[]> {
    const count = hook.deliveries.length
    const items = await hook.webhook.deliveriesWhen((all) => all.length >= count && condition(all.toReversed()), {
      limit: 100,
    })
    return items.toReversed()
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
      await this.#lookAtEndpoint(hook, states)
      if (!hook.isDeleted) await this.#lookAtList(hook, states)
    }
  }

  async #lookAtEndpoint(hook: KnownHook, states: () => readonly DeliveryState[]): Promise<void> {
    for (const group of this.#groups) {
      const statesOfGroup = () => states().filter((_, index) => hook.deliveries[index]?.group === group)
      let own = statesOfGroup()
      const what = `attempts of ${group.events[0]?.type ?? 'nothing'} (${group.events.length} raised together) at ${hook.name}`
      const least = sum(own.map((state) => state.least))
      const event = group.events[0]
      if (own.length === 0 && event !== undefined) {
        const kept = findExclusion(hook, event) ?? 'WHK-014'
        this.#require.of(kept).equal(what, this.#arrived(hook, group.events).length, 0)
        continue
      }
      await hook.webhook.endpoint.until(() => this.#arrived(hook, group.events).length >= least, this.#sandbox.budgetMs)
      const count = this.#arrived(hook, group.events).length
      own = statesOfGroup()
      const most = sum(own.map((state) => state.most))
      const attempts = Math.max(...own.map((state) => state.least))
      const wanted = own.length > group.events.length ? 'RPL-002' : attemptRequirement(Math.max(1, attempts))
      this.#require.of(wanted).ok(what, count >= least, `at least ${least}`, count)
      this.#require.of(requirementOfExcess(hook, own)).ok(what, count <= most, `at most ${most}`, count)
    }
  }

  async #lookAtList(hook: KnownHook, states: () => readonly DeliveryState[]): Promise<void> {
    const factsIn = (list: readonly DeliveryItem[]) =>
      states().flatMap((state, index) =>
        factsOfRecord(`delivery ${index} of ${hook.name}`, {
          item: list[index],
          state,
          now: this.#sandbox.now(),
          latestNow: this.#now().latest,
        }),
      )
    // A record may be written a moment after its attempt has ended.
    const list = await this.#listed(hook, (items) => factsIn(items).every(({ shown, expected }) => shown === expected))
    this.#require.of('DLV-023').equal(`deliveries of ${hook.name}`, list.length, hook.deliveries.length)
    for (const { requirement, what, shown, expected } of factsIn(list))
      this.#require.of(requirement).equal(what, shown, expected)
    for (const [index, delivery] of hook.deliveries.entries()) {
      const origins = originsOf(hook.deliveries, delivery)?.map((origin) => list[origin]?.id) ?? []
      if (origins.length === 0) continue
      const shown = list[index]?.replay_of
      const what = `replay_of of delivery ${index} of ${hook.name}`
      this.#require.of('RPL-004').ok(what, origins.includes(shown), origins.map(asText).join(' or '), shown)
    }
  }
}

/** The delivery that is replayed, and those before it in its chain (open point replay-of-a-replay); undefined if one is unknown. */
function originsOf(
  deliveries: readonly KnownDelivery[],
  { replayOf }: Pick<KnownDelivery, 'replayOf'>,
): readonly number[] | undefined {
  if (replayOf === undefined) return []
  const original = replayOf === 'unknown' ? undefined : deliveries[replayOf]
  if (replayOf === 'unknown' || original === undefined) return undefined
  const before = originsOf(deliveries, original)
  return before && [replayOf, ...before]
}

/** What one attempt too many contradicts. */
function requirementOfExcess(hook: KnownHook, states: readonly DeliveryState[]) {
  if (hook.isDeleted) return 'WHK-015'
  if (states.every(({ status }) => status === 'succeeded')) return 'RTY-011'
  const least = Math.max(...states.map((state) => state.least))
  return delaysBefore(Math.min(least + 1, maxAttempts)).at(-1) ?? 'RTY-008'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** A type that the webhook gets. */
function typeFor({ types }: Limits): EventType {
  const named = types.find((name) => name !== '*' && !isOfWorkspace(name as EventType))
  return (named as EventType | undefined) ?? 'message.received'
}

/** Runs a script; ends at the first mismatch. */
export async function runDeliveryScript(sandbox: Sandbox, script: DeliveryScript, require: Checks): Promise<void> {
  const { project } = sandbox
  const hooks: KnownHook[] = []
  for (const [index, { inbox, types, answer }] of script.hooks.entries()) {
    const webhook = await project.createWebhook({
      eventTypes: types,
      inboxId: inbox === undefined ? null : project.inbox(inbox).id,
      answers: [sinkAnswer(answer)],
    })
    const name = `webhook ${index} (${types.length === 0 ? 'every type' : types.join(', ')}${inbox === undefined ? '' : `, inbox ${inbox}`})`
    hooks.push({ name, webhook, inbox, types, ending: endingOf(answer), isDeleted: false, deliveries: [] })
  }
  // Until the clock was moved once, nothing bounds what it shows.
  await sandbox.settle()
  const world = new DeliveryWorld(sandbox, require, hooks)
  for (const step of script.steps) await world.perform(step)
  await world.look()
}
