// Creates webhooks of the target that lead to an endpoint of the sink, and watches them from then on.
import type { CaseTools } from '../case.js'
import { attemptRequirement } from '../attempt-requirements.js'
import { AnswerLost, CaseSkipped } from '../check.js'
import type { Answer } from '../sink/answer.js'
import { Attempt } from '../sink/attempt.js'
import type { Sink } from '../sink/sink.js'
import type { Evidence } from '../wire/evidence.js'
import type { Exchange } from '../wire/exchange.js'
import type { Api } from './api.js'
import type { AttemptNumbers } from './attempt-numbers.js'
import { isLimit } from './limits.js'
import type { SandboxClock } from './sandbox-clock.js'
import type { SharedOrg } from './shared-org/index.js'
import type { WatchedWebhook } from './shared-org/resume.js'
import type { Watch } from './watch.js'
import { Webhook, signerOf } from './webhook.js'

export interface WebhookOptions {
  /** Answers of the sink, attempt by attempt; the last one stays. Default: 200. */
  readonly answers?: readonly [Answer, ...Answer[]]
  readonly eventTypes?: readonly string[] | null
  readonly inboxId?: string | null
  /** The key that creates it; the project's own by default. */
  readonly api?: Api
  /** A host name that leads to the sink, used instead of the sink's own address. */
  readonly hostname?: string
  /** More path and query after the URL of the endpoint. */
  readonly suffix?: string
  /** A webhook whose very url the new one has too: both lead to one endpoint, whose attempts either may have signed. */
  readonly sameUrlAs?: Webhook
}

/** What webhooks of one project are made with. */
export interface WebhookParts {
  readonly api: Api
  readonly tools: CaseTools
  readonly sink: Sink | undefined
  readonly evidence: Evidence
  readonly watch: Watch
  readonly clock: SandboxClock
  readonly attemptNumbers: AttemptNumbers
  /** Undefined in a workspace made for the case. */
  readonly shared: SharedOrg | undefined
}

/** How often a create is repeated while no answer shows whether the webhook was created. */
const maxRepeats = 2

/** An endpoint of the sink with a webhook that leads to it. Ends the case when the webhook is not created. */
export async function createWebhook(parts: WebhookParts, options: WebhookOptions): Promise<Webhook> {
  const { require } = parts.tools
  const make = async () => {
    const made = await requestUntilServed(parts, options)
    if (made.webhook === undefined && isLimit(made.answer.status)) await skipWhereFull(parts)
    require.of('WHK-001').status(made.answer, '2xx')
    if (made.webhook !== undefined) return made.webhook
    return require.of('WHK-002').fail('webhook of the create response', 'id and secret', made.answer.json)
  }
  return listen(parts, await (parts.shared === undefined ? make() : parts.shared.webhook(make)), options)
}

/** What the first webhook of a project was made with, and how many there were. */
const taken = new WeakMap<WebhookParts, { readonly first: WebhookOptions; readonly count: number }>()

/** Ends the case as skipped if one more webhook like the first is refused too: there are too many then, whatever the request. */
async function skipWhereFull(parts: WebhookParts): Promise<void> {
  const before = taken.get(parts)
  if (before === undefined) return
  const { webhook, answer } = await requestUntilServed(parts, before.first)
  if (webhook !== undefined) await (before.first.api ?? parts.api).deleteWebhook(webhook.id)
  else if (isLimit(answer.status))
    throw new CaseSkipped(
      `needs one more webhook in the org: the service accepted ${before.count}, and answered one more with ${answer.status}`,
    )
}

/**
 * A webhook for each of `list`, as far as the service takes so many at once: quotas are not shown, so where one after
 * the first is refused its place is undefined; with `atLeast` 0 the first too. With fewer than `atLeast` the case is skipped.
 */
export async function createWebhooks(
  parts: WebhookParts,
  list: readonly WebhookOptions[],
  atLeast: number,
): Promise<(Webhook | undefined)[]> {
  const [first, ...others] = list
  if (first === undefined) return []
  const { require } = parts.tools
  let refusal: Exchange | undefined
  const further = async (options: WebhookOptions) => {
    const { webhook, answer } = await requestUntilServed(parts, options)
    if (webhook !== undefined) return listen(parts, webhook, options)
    if (!isLimit(answer.status)) require.of('WHK-001').status(answer, '2xx')
    refusal = answer
    return undefined
  }
  const made = [
    await (atLeast === 0 ? further(first) : createWebhook(parts, first)),
    ...(await Promise.all(others.map(further))),
  ]
  const count = made.filter((webhook) => webhook !== undefined).length
  if (count < atLeast)
    throw new CaseSkipped(
      `needs ${atLeast} webhooks in one org: the service accepted ${count} and answered the next with ${refusal?.status}`,
    )
  return made
}

/**
 * A gateway's 5xx or a broken connection leaves open whether the webhook was created, and a case of a hundred webhooks would meet one each
 * time. So the create is repeated with a path of its own: a webhook that was created anyway leads to an unused path.
 */
async function requestUntilServed(parts: WebhookParts, options: WebhookOptions): ReturnType<typeof request> {
  for (let left = options.sameUrlAs === undefined ? maxRepeats : 0; ; left--) {
    try {
      const made = await request(parts, parts.tools.unique(), options)
      if (left === 0 || (made.answer.status ?? 0) < 500) return made
    } catch (error) {
      if (left === 0 || !(error instanceof AnswerLost) || error.wasLate) throw error
    }
  }
}

async function request(
  parts: WebhookParts,
  path: string,
  { api = parts.api, sameUrlAs, hostname, suffix = '', eventTypes, inboxId }: WebhookOptions,
): Promise<{ webhook?: WatchedWebhook; answer: Exchange }> {
  const answer = await api.createWebhook({
    url: (sameUrlAs?.endpoint ?? sinkOf(parts).endpoint(path, hostname)).url + suffix,
    ...(eventTypes === undefined ? {} : { event_types: eventTypes }),
    ...(inboxId === undefined ? {} : { inbox_id: inboxId }),
  })
  const id = answer.field('id')
  const secret = answer.field('secret')
  const isMade = typeof id === 'string' && typeof secret === 'string'
  return isMade ? { webhook: { path, id, secret, attempts: [] }, answer } : { answer }
}

function listen(parts: WebhookParts, kept: WatchedWebhook, options: WebhookOptions): Webhook {
  const { tools, evidence, watch, clock, shared, attemptNumbers } = parts
  const sink = sinkOf(parts)
  const { id, secret } = kept
  const { first, count } = taken.get(parts) ?? { first: options, count: 0 }
  taken.set(parts, { first, count: count + 1 })
  const endpoint = options.sameUrlAs?.endpoint ?? sink.endpoint(kept.path, options.hostname)
  endpoint.secrets.push(secret)
  clock.receives(endpoint)
  if (options.answers !== undefined) endpoint.script(...options.answers)
  shared?.shares(endpoint)
  watch.secret(secret)
  const webhook = new Webhook({
    id,
    secret,
    endpoint,
    api: options.api ?? parts.api,
    clock,
    tools,
    shared,
    attemptNumbers,
  })
  if (options.sameUrlAs !== undefined) return webhook
  for (const attempt of kept.attempts) endpoint.restore(Attempt.restored(attempt))
  const noteAttempt = (attempt: Attempt) => {
    evidence.add(attempt.exchange(endpoint.url))
    watch.delivery(attempt, signerOf(attempt, endpoint) ?? secret)
  }
  for (const attempt of endpoint.attempts) noteAttempt(attempt)
  endpoint.onMissed((arrived) => tools.missed(attemptRequirement(arrived === 0 ? 1 : 2)))
  endpoint.onLate((ms) => (clock.time === 'virtual' ? tools.late(ms) : undefined))
  endpoint.onAttempt((attempt) => {
    noteAttempt(attempt)
    void attempt.closed.then(() => (attempt.wasGivenUp ? tools.cutOff() : undefined))
    shared?.saw(kept, attempt)
  })
  tools.cleanup(async () => sink.forget(endpoint))
  return webhook
}

function sinkOf({ sink }: WebhookParts): Sink {
  if (sink === undefined) throw new Error('a webhook needs the power sink')
  return sink
}
