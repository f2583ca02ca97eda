// One webhook of a script: the deliveries that the model knows, next to its endpoint, its list and its history.
import { maxAttempts, type RequirementId } from '../../../spec/index.js'
import {
  asText,
  attemptRequirement,
  delaysBefore,
  findExclusion,
  itemsOf,
  memberOf,
  type Api,
  type Attempt,
  type Checks,
  type DeliveryItem,
  type Exchange,
  type Sandbox,
  type Webhook,
} from '../../../harness/authoring.js'
import type { DeliveryState, Ending } from '../../shared/world/delivery.js'
import { factsOfRecord } from './delivery-records.js'
import type { EventGroup } from './event-reads.js'
import type { Limits, ModelEvent } from './org-model.js'

/** The largest page of the list of deliveries: older ones are not listed. */
const maxListed = 100
const defaultListed = 50
/** Longest time a list may lag, in milliseconds (open point lagging-lists): a full page does not show whether it does. */
const lagMs = 2_200

/** One delivery: its event is one of those that were raised together, since their order is the service's. */
export interface KnownDelivery {
  readonly group: EventGroup
  /** Index of the delivery it replays; `unknown` for one of several replays that were made at once. */
  readonly replayOf: number | 'unknown' | undefined
  state: DeliveryState
}

export interface KnownHook extends Limits {
  readonly name: string
  readonly project: number
  readonly isByInbox: boolean
  readonly webhook: Webhook
  /** The end of its url. */
  readonly suffix: string
  ending: Ending
  isDeleted: boolean
  /** When its latest delivery was made. */
  latestAt: number
  readonly deliveries: KnownDelivery[]
}

/** The reads of what a service shows of webhooks. */
export class HookReads {
  readonly #sandbox: Sandbox
  readonly #require: Checks
  readonly #groups: readonly EventGroup[]
  readonly #idOfAttempt = new WeakMap<Attempt, string>()

  constructor(sandbox: Sandbox, require: Checks, groups: readonly EventGroup[]) {
    this.#sandbox = sandbox
    this.#require = require
    this.#groups = groups
  }

  #apiOf({ project }: KnownHook): Api {
    return (this.#sandbox.projects[project] ?? this.#sandbox.project).api
  }

  /** Attempts of any of the events. */
  arrived({ webhook }: KnownHook, events: readonly ModelEvent[]): Attempt[] {
    const ids: ReadonlySet<string> = new Set(events.map(({ id }) => id))
    return webhook.endpoint.attempts.filter((attempt) => ids.has(this.idOf(attempt)))
  }

  /** The id of an attempt's event, read once. */
  idOf(attempt: Attempt): string {
    const id = this.#idOfAttempt.get(attempt) ?? asText(attempt.field('id'))
    this.#idOfAttempt.set(attempt, id)
    return id
  }

  /** The records of a webhook that one page shows, oldest first. */
  async listed(
    hook: KnownHook,
    condition: (items: readonly DeliveryItem[]) => boolean = () => true,
  ): Promise<DeliveryItem[]> {
    const count = Math.min(maxListed, hook.deliveries.length)
    const lagsUntil = hook.deliveries.length > maxListed ? hook.latestAt + lagMs : 0
    if (Date.now() < lagsUntil) await this.#sandbox.quiet(lagsUntil - Date.now())
    const items = await hook.webhook.deliveriesWhen((all) => all.length >= count && condition(all.toReversed()), {
      limit: maxListed,
    })
    return items.toReversed()
  }

  /** Compares the list that a limit gives with the longest one. A limit above the maximum may be refused. */
  async readRecords(hook: KnownHook, limit: number | undefined): Promise<void> {
    const all = (await this.listed(hook)).toReversed().map(({ id }) => id)
    const [what, most] = [`deliveries of ${hook.name}`, Math.min(maxListed, hook.deliveries.length)]
    this.#require.of('DLV-015').equal(`number of ${what} with limit ${maxListed}`, all.length, most)
    const expected = all.slice(0, Math.min(maxListed, limit ?? defaultListed))
    let answer: Exchange | undefined
    const shown = () => ((answer && itemsOf(answer)) ?? []).map((item) => memberOf(item, 'id'))
    await this.#sandbox.until(async () => {
      answer = await this.#apiOf(hook).listDeliveries(hook.webhook.id, limit === undefined ? {} : { limit })
      return String(shown()) === String(expected)
    }, lagMs)
    if ((limit ?? 0) > maxListed && (answer?.status ?? 0) >= 400) return
    const requirement = limit === undefined ? 'DLV-013' : limit >= maxListed ? 'DLV-015' : 'DLV-014'
    this.#require.of(requirement).equal(`${what} with limit ${limit ?? 'none'}`, shown(), expected)
  }

  /** Compares the attempts that arrived with those that were due. */
  async lookAtEndpoint(hook: KnownHook, states: () => readonly DeliveryState[]): Promise<void> {
    const elsewhere = hook.webhook.endpoint.attempts.find(({ path }) => !path.endsWith(hook.suffix))
    this.#require.of('DLV-001').equal(`another target of ${hook.name} than its url`, elsewhere?.path, undefined)
    for (const group of this.#groups) {
      const statesOfGroup = () => states().filter((_, index) => hook.deliveries[index]?.group === group)
      let own = statesOfGroup()
      const what = `attempts of ${group.events[0]?.type ?? 'nothing'} (${group.events.length} raised together) at ${hook.name}`
      const least = sum(own.map((state) => state.least))
      const event = group.events[0]
      if (own.length === 0 && event !== undefined) {
        this.#require
          .of(requirementOfIntruder(hook, { project: group.project, event }))
          .equal(what, this.arrived(hook, group.events).length, 0)
        continue
      }
      await hook.webhook.endpoint.until(() => this.arrived(hook, group.events).length >= least, this.#sandbox.budgetMs)
      const count = this.arrived(hook, group.events).length
      own = statesOfGroup()
      const most = sum(own.map((state) => state.most))
      const attempts = Math.max(...own.map((state) => state.least))
      const wanted = own.length > group.events.length ? 'RPL-002' : attemptRequirement(Math.max(1, attempts))
      this.#require.of(wanted).ok(what, count >= least, `at least ${least}`, count)
      this.#require.of(requirementOfExcess(hook, own)).ok(what, count <= most, `at most ${most}`, count)
    }
  }

  /** Compares the history of a deleted webhook: the records of its ended deliveries, in so far as they are shown (open point deleted-history). */
  async lookAtHistory(hook: KnownHook): Promise<void> {
    const kept = hook.deliveries.slice(-defaultListed).toReversed()
    const clock = { now: this.#sandbox.now(), latestNow: this.#sandbox.clockAt(Date.now()).latest }
    const factsIn = (list: readonly DeliveryItem[]) =>
      kept.flatMap(({ state }, index) =>
        factsOfRecord(`delivery ${index + 1} before the delete of ${hook.name}`, {
          item: list[index],
          state,
          ...clock,
        }),
      )
    let list: DeliveryItem[] | undefined
    await this.#sandbox.until(async () => {
      list = await hook.webhook.history(kept.length)
      return list === undefined || factsIn(list).every(({ shown, expected }) => shown === expected)
    }, lagMs)
    if (list === undefined) return
    for (const { what, shown, expected } of factsIn(list)) this.#require.of('WHK-016').equal(what, shown, expected)
  }

  /** Compares the list of a webhook that exists. */
  async lookAtList(hook: KnownHook, states: () => readonly DeliveryState[]): Promise<void> {
    const first = firstListed(hook)
    const factsIn = (list: readonly DeliveryItem[]) =>
      states()
        .slice(first)
        .flatMap((state, index) =>
          factsOfRecord(`delivery ${first + index} of ${hook.name}`, {
            item: list[index],
            state,
            now: this.#sandbox.now(),
            latestNow: this.#sandbox.clockAt(Date.now()).latest,
          }),
        )
    // A record may be written a moment after its attempt has ended.
    const list = await this.listed(hook, (items) => factsIn(items).every(({ shown, expected }) => shown === expected))
    this.#require.of('DLV-023').equal(`deliveries of ${hook.name}`, list.length, hook.deliveries.length - first)
    for (const { requirement, what, shown, expected } of factsIn(list))
      this.#require.of(requirement).equal(what, shown, expected)
    for (const [index, delivery] of hook.deliveries.entries()) {
      const listed = originsOf(hook.deliveries, delivery)?.filter((origin) => origin >= first) ?? []
      const origins = listed.map((origin) => list[origin - first]?.id)
      if (index < first || origins.length === 0) continue
      const shown = list[index - first]?.replay_of
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

/** Index of the oldest delivery that one page of the list shows. */
export function firstListed({ deliveries }: KnownHook): number {
  return Math.max(0, deliveries.length - maxListed)
}

/** What an event contradicts that a webhook must not get. */
function requirementOfIntruder(
  hook: KnownHook,
  { project, event }: { readonly project: number; readonly event: ModelEvent },
): RequirementId {
  if (hook.project !== project) return 'SCOPE-007'
  const exclusion = findExclusion(hook, event)
  if (exclusion === 'SCOPE-005' && hook.isByInbox) return 'SCOPE-003'
  return exclusion ?? (hook.isDeleted ? 'WHK-014' : 'DLV-023')
}

/** What one attempt too many contradicts. */
function requirementOfExcess(hook: KnownHook, states: readonly DeliveryState[]) {
  if (hook.isDeleted) return 'WHK-015'
  if (states.every(({ status }) => status === 'succeeded')) return 'RTY-011'
  const least = Math.max(...states.map((state) => state.least))
  return delaysBefore(Math.min(least + 1, maxAttempts)).at(-1) ?? 'RTY-008'
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
