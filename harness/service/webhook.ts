import { retryDelaysMs, type RequirementId } from '../../spec/index.js'
import { attemptRequirement } from '../attempt-requirements.js'
import type { CaseTools } from '../case.js'
import { CaseErrored, CaseSkipped, CheckFailed, type Checks, type Require } from '../check.js'
import type { Attempt } from '../sink/attempt.js'
import type { Endpoint, RefusedHandshakes } from '../sink/endpoint.js'
import { sign } from '../wire/signing.js'
import type { Api } from './api.js'
import type { RaisedEvent } from './raise.js'
import type { AttemptNumbers } from './attempt-numbers.js'
import { deliveryOf, itemsOf, type DeliveryItem } from './answer-readers.js'
import { RetryWatch, type RetryWatchOptions } from './retry-watch.js'
import { requirementOfType } from './rules.js'
import type { SandboxClock } from './sandbox-clock.js'
import type { SharedOrg } from './shared-org/index.js'
import type { ListedDeliveries } from './shared-org/own-deliveries.js'
import { isAbout } from './shared-org/ownership.js'

/**
 * In virtual time every due attempt has ended once the sandbox is settled: the length and number of waits before that, since on a busy
 * machine the answer may arrive before the attempts it is about. `hurried`: a rerun follows before a failure counts.
 */
const settling = { usual: { promptMs: 1_000, rounds: 3 }, hurried: { promptMs: 150, rounds: 2 } } as const
/**
 * Longest time a list may lag after an attempt has ended (open point lagging-lists), in milliseconds. `hurried`: a rerun follows before a
 * failure counts.
 */
const lagMs = { usual: 5_000, hurried: 2_200 } as const
/** Time before and after an attempt's due time in which it may arrive anyway, in milliseconds. */
const aroundDueMs = 1_000

const cannotDecide =
  'needs a separate workspace (a control interface with workspaces): the list of deliveries does not show which belong to this case'

/** What depends on an awaited attempt: the requirements that its absence violates, and how it is reported. */
interface AwaitedAttempt {
  readonly dependsOn?: RequirementId | readonly RequirementId[]
  readonly notify?: (found: Checks) => void
}

export interface WebhookFields {
  readonly id: string
  readonly secret: string
  readonly endpoint: Endpoint
  readonly api: Api
  readonly clock: SandboxClock
  readonly tools: CaseTools
  readonly attemptNumbers: AttemptNumbers
  /** Undefined in a workspace made for the case. */
  readonly shared: SharedOrg | undefined
}

/** A webhook of the target that leads to an endpoint of the sink. */
export class Webhook {
  readonly id: string
  readonly secret: string
  readonly endpoint: Endpoint
  readonly #api: Api
  readonly #clock: SandboxClock
  readonly #require: Require
  readonly #missed: CaseTools['missed']
  readonly #shared: SharedOrg | undefined
  readonly #attemptNumbers: AttemptNumbers

  constructor(fields: WebhookFields) {
    this.id = fields.id
    this.secret = fields.secret
    this.endpoint = fields.endpoint
    this.#api = fields.api
    this.#clock = fields.clock
    this.#require = fields.tools.require
    this.#missed = fields.tools.missed
    this.#shared = fields.shared
    this.#attemptNumbers = fields.attemptNumbers
  }

  /** Whether time is moved or waited for. */
  get time(): 'virtual' | 'real' {
    return this.#clock.time
  }

  /** The attempts that arrived so far, all of them or those of one event. */
  attempts(event?: RaisedEvent): Attempt[] {
    return event === undefined
      ? [...this.endpoint.attempts]
      : this.endpoint.attempts.filter((attempt) => isAbout(attempt, event))
  }

  /**
   * Returns attempt `number` (from 1) of `event`; ends the case when it does not arrive. `dependsOn` are the requirements by which it is
   * made, if the event has had attempts of another delivery; `tell` reports its absence in words of its own.
   */
  async attempt(
    number: number,
    event?: RaisedEvent,
    requireThat: Checks = this.#require,
    { dependsOn = attemptRequirement(number), notify }: AwaitedAttempt = {},
  ): Promise<Attempt> {
    if (this.endpoint.refusedHandshakes?.areMany === true) throw distrusted(this.endpoint.refusedHandshakes)
    const hasArrived = () => this.attempts(event).length >= number
    this.#skipMissedAttempts(number, event)
    if (this.#clock.time === 'real') await this.endpoint.arrives(hasArrived, this.#clock.budgetMs)
    else
      for (let round = 0; round < this.#rounds && !(await this.endpoint.arrives(hasArrived, this.#promptMs)); round++)
        await this.#clock.settle()
    if (!hasArrived()) await this.#clock.receivedAll()
    const attempts = this.attempts(event)
    const attempt = attempts[number - 1]
    if (attempt !== undefined) return attempt
    if (this.endpoint.refusedHandshakes !== undefined) throw distrusted(this.endpoint.refusedHandshakes)
    this.#missed(...[dependsOn].flat(), ...(event === undefined ? [] : [requirementOfType[event.type]]))
    const waited = this.#clock.time === 'real' ? ` within ${this.#clock.budgetMs / 1000} s` : ''
    const subject = event === undefined ? 'any event' : `${event.id} (${event.type})`
    const what = `attempts of ${subject} that reached webhook ${this.id}${waited}`
    if (notify === undefined) requireThat.fail(what, `at least ${number}`, attempts.length)
    else notify(requireThat)
    throw new CheckFailed([])
  }

  /**
   * Ends the case as skipped where the run was stopped when the attempt was due: it may have been made unheard, and one that
   * arrived since is a later one.
   */
  #skipMissedAttempts(number: number, event: RaisedEvent | undefined): void {
    const attempts = this.attempts(event)
    const [previous, arrived] = [attempts[number - 2], attempts[number - 1]]
    const delayMs = retryDelaysMs[number - 1]
    if (previous === undefined || delayMs === undefined) return
    const dueAt = previous.arrivedAt + delayMs
    const latest = dueAt + aroundDueMs + delayMs / 10
    if (arrived !== undefined && arrived.arrivedAt <= latest) return
    if (this.#shared?.wasAbsent(dueAt - aroundDueMs, latest) !== true) return
    throw new CaseSkipped(
      `needs a run that listens when attempt ${number} is due: it was stopped at ${new Date(dueAt).toISOString()}`,
    )
  }

  /**
   * An attempt of `event`, the first by default, where the sink holds back its answer: it is waited for without settling the
   * sandbox, which would wait for the end of the attempt too.
   */
  async heldAttempt(event: RaisedEvent, number = 1): Promise<Attempt> {
    await this.endpoint.arrives(() => this.attempts(event).length >= number, this.#clock.budgetMs)
    return this.attempt(number, event)
  }

  /** Returns the deliveries in the webhook's list, in a shared org those of the case's own events; ends the case without a list. */
  async deliveries(query: { limit?: number } = {}): Promise<DeliveryItem[]> {
    return [...(await this.#list(query)).items]
  }

  /** Returns the deliveries once at least `count` of them are listed: the list may lag. If they never are, returns the last answer. */
  async deliveriesListed(count: number, query: { limit?: number } = {}): Promise<DeliveryItem[]> {
    return this.deliveriesWhen((items) => items.length >= count, query)
  }

  /**
   * Returns the deliveries once `condition` holds for their list, or the list once it may lag no longer: as it was at the time of the
   * request, however long the answer took.
   */
  async deliveriesWhen(
    condition: (items: readonly DeliveryItem[]) => boolean,
    query: { limit?: number } = {},
  ): Promise<DeliveryItem[]> {
    let items: DeliveryItem[] = []
    await this.#clock.until(async () => condition((items = await this.deliveries(query))), this.#lagMs)
    return items
  }

  /** The deliveries of a deleted webhook, or undefined where they cannot be read there any more (open point deleted-history). */
  async history(count: number): Promise<DeliveryItem[] | undefined> {
    const { status } = await this.#api.listDeliveries(this.id)
    const isRefused = status !== undefined && status >= 400 && status < 500
    return isRefused ? undefined : this.deliveriesListed(count)
  }

  /**
   * Causes the first attempt of a delivery, by `cause`, and watches it and what follows it. With `event` the delivery is
   * a replay: attempts of the event that were made before are not its own.
   */
  async watchRetries(cause: () => Promise<unknown>, options: RetryWatchOptions = {}): Promise<RetryWatch> {
    const watch = new RetryWatch({ webhook: this, clock: this.#clock, options })
    await watch.begin(cause)
    return watch
  }

  /** Learns what `attempt` counts at this target, from a delivery of which `made` attempts were made and none arrived. */
  learnAttempts(delivery: DeliveryItem, made: number): void {
    this.#attemptNumbers.learn(delivery, made)
  }

  get #rounds(): number {
    return this.#clock.looksOnce ? 1 : this.#settling.rounds
  }

  get #promptMs(): number {
    return this.#clock.looksOnce ? this.#clock.budgetMs : this.#clock.patient(this.#settling.promptMs)
  }

  get #settling() {
    return this.#clock.stopsEarly ? settling.hurried : settling.usual
  }

  /** The longest that a list is waited for, on a calm machine; undefined for what the clock allows. */
  get #lagMs(): number | undefined {
    if (this.#clock.time === 'real' || this.#clock.looksOnce) return undefined
    return this.#clock.stopsEarly ? lagMs.hurried : lagMs.usual
  }

  /** The only delivery of the webhook; ends the case when there is none or more than one. */
  delivery(): Promise<DeliveryItem> {
    return this.deliveryWhen(() => true)
  }

  /**
   * Returns the only delivery once `condition` holds for it: the list may lag. The list is polled until the budget is over; the last answer
   * is returned.
   */
  async deliveryWhen(condition: (delivery: DeliveryItem) => boolean): Promise<DeliveryItem> {
    let listed: ListedDeliveries = { items: [], isSure: false, isFull: false }
    const isPlain = () => listed.isSure || listed.items.length === 1
    const hasHeld = () => listed.items.some(condition)
    const isShown = await this.#clock.until(async () => {
      listed = await this.#list({})
      return isPlain() && hasHeld()
    }, this.#lagMs)
    if (!isShown && hasHeld() && !isPlain()) throw new CaseSkipped(cannotDecide)
    return this.#only(listed, condition)
  }

  async #list(query: { limit?: number }): Promise<ListedDeliveries> {
    const shared = this.#shared
    const answer = await this.#api.listDeliveries(this.id, shared === undefined ? query : { limit: 100, ...query })
    this.#require.of('DLV-012').status(answer, [200])
    const reported = itemsOf(answer)?.map(deliveryOf)
    if (reported === undefined)
      this.#require.of('DLV-012').fail('list of deliveries', 'an array, or an object with one', answer.json)
    const { attempts } = this.endpoint
    // If several webhooks lead to one endpoint, the attempts of the others do not belong to these deliveries.
    const own = this.endpoint.secrets.length > 1 ? attempts.filter((attempt) => this.hasSigned(attempt)) : attempts
    const items = this.#attemptNumbers.made(reported ?? [], own, {
      earliest: this.#clock.now(),
      latest: this.#clock.latest(),
    })
    return shared === undefined ? { items, isSure: true, isFull: false } : shared.deliveries(items, attempts)
  }

  #only({ items, isSure, isFull }: ListedDeliveries, condition: (delivery: DeliveryItem) => boolean): DeliveryItem {
    if (isSure) this.#require.of('DLV-023').equal('number of deliveries listed', items.length, 1)
    else if (items.length === 0 && isFull) throw new CaseSkipped(cannotDecide)
    else this.#require.of('DLV-023').ok('number of deliveries listed', items.length > 0, 'at least 1', 0)
    return items.find(condition) ?? items[0] ?? deliveryOf({})
  }

  /** Whether an attempt is signed with the secret of this webhook. */
  hasSigned(attempt: Attempt): boolean {
    return isSignedWith(attempt, this.secret)
  }

  /** Deletes the webhook. */
  async delete(): Promise<void> {
    this.#require.of('WHK-017').status(await this.#api.deleteWebhook(this.id), '2xx')
  }
}

/** The secret an attempt is signed with, where several webhooks lead to the endpoint. */
export function signerOf(attempt: Attempt, { secrets }: Endpoint): string | undefined {
  return secrets.length > 1 ? secrets.find((secret) => isSignedWith(attempt, secret)) : undefined
}

function isSignedWith(attempt: Attempt, secret: string): boolean {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((part) => attempt.header(`webhook-${part}`))
  if (id === undefined || timestamp === undefined || signature === undefined) return false
  return signature.split(' ').includes(sign(secret, { id, timestamp, body: attempt.body }))
}

/** The interface does not regulate which authorities a service trusts. */
function distrusted({ text }: RefusedHandshakes): CaseErrored {
  return new CaseErrored(`${text}: it does not trust the authority of the run's certificate`)
}
