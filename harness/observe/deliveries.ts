// Deliveries: headers, signature, the event, the schedule, and silence once the webhook is deleted.
import { answerTimeMs, maxAttempts, retryDelaysMs, toleranceSeconds, type RequirementId } from '../../spec/index.js'
import { attemptRequirement } from '../attempt-requirements.js'
import { findExclusion } from '../service/event-limits.js'
import { itemsOf } from '../service/answer-readers.js'
import { checkDeliveryBody, checkDeliveryHead } from '../service/rules.js'
import { mayBeSentAgain, contentKey } from '../sink/attempt.js'
import { memberOf } from '../wire/exchange.js'
import { parseJson } from '../wire/json.js'
import { parseNumber } from '../wire/numbers.js'
import { anySecretToken } from './confidential.js'
import type { DeliveryRecords } from './delivery-records.js'
import type { Keys } from './keys.js'
import type { Ledger } from './ledger.js'
import { isOfEvent, originalOf } from './listed-deliveries.js'
import { seenEventOf, type SeenEvent } from './org-state.js'
import { endOf, headerOf, headerValues, markedField, type DeliveryLine, type ExchangeLine } from './record.js'
import { requirementsOfEvent, pushedEventFault } from './shape.js'
import type { Webhooks, WebhookState } from './webhooks.js'
import { keepNewest } from './keep-newest.js'
import { matchingEntry } from '../diagnose/signature-problem.js'

/** How much too early an attempt may be, or seem by clocks of two machines, and how much later than the answer to a delete. */
const graceMs = 1_000
/** How much the time between two signatures may exceed the time between their arrivals. */
const clockMs = 3_000
/** How much earlier than its event an attempt may be signed: clocks of one service may differ. */
const staleSeconds = toleranceSeconds
/** A clock is right that another delivery agrees with. */
const agreeingSeconds = 60
/** A request that an HTTP library repeats by itself arrives this soon, even on a busy machine: before any retry is due. */
const resentWithinMs = 3_500
/** How long after a replay a list may not show it: open point lagging-lists. */
const lagMs = 2_000
/** Deliveries whose attempts are followed; the oldest is forgotten first. */
const maxSeries = 10_000
/** Suspicions of one webhook that wait for a deliveries list. */
const maxSuspicions = 1_000
/**
 * If an attempt arrives this long after another, its timestamp must be later. A retry is signed at least four seconds later; a replay may
 * have been requested at once, and delayed by a busy machine.
 */
const resignedMs = { retry: 4_000, replay: 60_000 } as const

interface Attempt {
  readonly startedAt: number
  readonly timestamp: number
  /** It was answered with a 2xx, well within the time that counts. */
  readonly isTaken: boolean
  /** The sent request, if its HTTP library may repeat it after no answer, a 408 or a 421 (open point resends-of-a-delivery). */
  readonly resendable?: string
  readonly line: DeliveryLine
}

export class Deliveries {
  readonly #ledger: Ledger
  readonly #keys: Keys
  readonly #webhooks: Webhooks
  readonly #series = new Map<string, Attempt[]>()
  /** Urls at which a signature was right, and by which secrets. */
  readonly #right = new Map<string, Set<string>>()
  readonly #wrong: DeliveryLine[] = []
  readonly #stale: { readonly line: DeliveryLine; readonly age: number }[] = []
  readonly #late: (() => void)[] = []
  #isClockRight = false

  readonly #records: DeliveryRecords

  constructor(parts: {
    readonly ledger: Ledger
    readonly keys: Keys
    readonly webhooks: Webhooks
    readonly records: DeliveryRecords
  }) {
    this.#ledger = parts.ledger
    this.#keys = parts.keys
    this.#webhooks = parts.webhooks
    this.#records = parts.records
  }

  take(line: DeliveryLine): void {
    const startedAt = Date.parse(line.at)
    const webhook = this.#webhooks.of(line)
    const body = line.request.body === undefined ? undefined : parseJson(line.request.body)
    this.#checkHeaders(line, body, startedAt)
    this.#checkSignature(line)
    this.#checkSecret(line)
    const event = this.#checkEvent(line, body, webhook)
    const eventId = headerOf(line.request, 'webhook-id') ?? event?.id
    if (webhook === undefined || eventId === undefined) return
    if (event !== undefined && line.signature.verdict !== 'wrong') this.#checkFilter(line, event, webhook)
    if (this.#isResent(line, startedAt, `${webhook.id} ${eventId}`)) {
      this.#records.resent(webhook, eventId, line)
      return
    }
    if (this.#records.take(webhook, eventId, line)) return
    if (this.#isAfterDelete(line, startedAt, webhook, eventId)) return
    this.#checkSchedule(line, startedAt, webhook, eventId)
  }

  /** Decides suspicions by a deliveries list, which shows replays that the capture missed. */
  settle(webhook: WebhookState, { at, response }: ExchangeLine, limit: number): void {
    if (webhook.suspicions.length === 0) return
    const json = parseJson(response?.body ?? '')
    const items = itemsOf({ json }) ?? []
    if (items.length === 0 || items.length >= limit) return
    const requested = Date.parse(at)
    const replays = items.filter((item) => (memberOf(item, 'replay_of') ?? '') !== '')
    const left = webhook.suspicions.filter((suspicion) => {
      const own = items.filter((item) => isOfEvent(item, suspicion.eventId))
      const isOwn = (item: unknown) => own.includes(item) || own.includes(originalOf(item, items) ?? own[0])
      const wanted = [...webhook.replayIds].map((id) => items.find((item) => memberOf(item, 'id') === id))
      const mayBeReplay = own.length > 0 ? [...replays, ...wanted].some(isOwn) : replays.length > webhook.replays.length
      // If no item names its event, any captured replay may be of this one.
      const isReplayed = webhook.replays.some((replay) => replay <= suspicion.startedAt + graceMs)
      if (isReplayed && (mayBeReplay || own.length === 0)) return false
      const isListed = suspicion.endedAt <= requested && suspicion.startedAt + lagMs <= requested
      if (!isListed || mayBeReplay) return true
      suspicion.settle()
      return false
    })
    webhook.suspicions = left
  }

  /** Judges the deliveries that could not be judged on arrival. */
  finish(): void {
    for (const judge of this.#late) judge()
    for (const line of this.#wrong) {
      const { secret, by } = line.signature
      const there = this.#right.get(line.url)
      const isOwn = secret === undefined ? there !== undefined : there?.has(secret) === true
      const isUsedElsewhere = [...this.#right].some(([url, names]) => url !== line.url && names.size > 0)
      if (isOwn || (by === 'given' && !isUsedElsewhere)) this.#bookSignature(line)
      else this.#ledger.notes.add('signatures of deliveries of unknown webhooks were not checked')
    }
    if (this.#isClockRight)
      for (const { line, age } of this.#stale)
        this.#ledger.violated('SIG-002', {
          what: 'webhook-timestamp of a delivery',
          expected: `when this attempt was signed, at most ${staleSeconds} s before it arrived`,
          got: `${age} s before`,
          lines: [line],
        })
  }

  #checkHeaders(line: DeliveryLine, body: unknown, startedAt: number): void {
    if (line.request.headers.some(([name, value]) => /^webhook-/i.test(name) && value === markedField)) return
    const bodyId = memberOf(body, 'id')
    // A malformed list of entries contains no correct entry either.
    const book = this.#ledger.recorderFor(line, (requirement) =>
      requirement === 'SIG-003' ? `signature:${line.url}` : undefined,
    )
    const headers = checkDeliveryHead(book, {
      method: line.method,
      values: (name) => headerValues(line.request, name),
      bodyId: bodyId === markedField ? undefined : bodyId,
    })
    if (headers !== undefined && /^\d{9,11}$/.test(headers.timestamp))
      this.#checkFreshness(line, Number(headers.timestamp), startedAt)
  }

  #checkFreshness(line: DeliveryLine, timestamp: number, startedAt: number): void {
    const age = Math.round(startedAt / 1_000 - timestamp)
    if (Math.abs(age) <= agreeingSeconds) this.#isClockRight = true
    if (age > staleSeconds && this.#stale.length < 100) this.#stale.push({ line, age })
  }

  #checkSignature(line: DeliveryLine): void {
    const { verdict, by, secret } = line.signature
    const isUnknown = verdict === 'unknown' || (verdict === 'wrong' && this.#webhooks.isChanged(line))
    if (isUnknown) {
      this.#ledger.notes.add(
        'signatures were not judged where no secret is known: give --secret, or let the create answer pass',
      )
      return
    }
    this.#ledger.checked('SIG-004')
    if (verdict === 'right') {
      const there = this.#right.get(line.url) ?? new Set()
      this.#right.set(line.url, there.add(secret ?? ''))
      keepNewest(this.#right, maxSeries)
    } else if (by === 'url') this.#bookSignature(line)
    else if (this.#wrong.length < 100) this.#wrong.push(line)
  }

  /** A header holds no secret; a body may hold what a stranger wrote into an email. */
  #checkSecret(line: DeliveryLine): void {
    if (line.signature.secret !== undefined) this.#ledger.checked('WHK-013')
    for (const [header, value] of line.request.headers)
      for (const [, , secret = ''] of value.matchAll(anySecretToken))
        if (secret === line.signature.secret || this.#webhooks.isKnownSecret(secret))
          this.#ledger.violated('WHK-013', {
            what: `secret of a webhook in the header ${header.toLowerCase()} of a delivery`,
            expected: 'nowhere but in the answer that made it',
            got: 'the secret',
            fault: `told:${secret}`,
            lines: [line],
          })
  }

  #bookSignature(line: DeliveryLine): void {
    this.#ledger.violated('SIG-004', {
      what: 'signature of a delivery',
      expected: matchingEntry,
      got: line.signature.problem,
      fault: `signature:${line.url}`,
      lines: [line],
    })
  }

  #checkEvent(line: DeliveryLine, body: unknown, webhook: WebhookState | undefined): SeenEvent | undefined {
    const { request } = line
    if (request.body_missing !== undefined) return undefined
    const got = request.body ?? (request.body_base64 === undefined ? 'nothing' : 'bytes that are not text')
    if (!checkDeliveryBody(this.#ledger.recorderFor(line), body, got)) return undefined
    for (const requirement of requirementsOfEvent(body)) this.#ledger.checked(requirement)
    const fault = pushedEventFault(body, 'DLV-002')
    if (fault !== undefined)
      this.#ledger.violated(fault.requirement, {
        what: `body of a delivery, ${fault.where}`,
        expected: fault.problem,
        got: fault.found,
        fault: fault.fault,
        lines: [line],
      })
    const isFaulty = fault !== undefined || line.signature.verdict === 'wrong'
    const event = seenEventOf(body, { at: Date.parse(line.at), line, isFaulty })
    if (event === undefined || isFaulty) return event
    const place = `secret ${line.signature.secret ?? line.url}`
    return this.#keys.see(webhook?.key ?? this.#keys.of('', undefined, place), event)
  }

  #checkFilter(line: DeliveryLine, event: SeenEvent, webhook: WebhookState): void {
    const violated = (requirement: RequirementId, what: string, expected: string, got: unknown) =>
      this.#ledger.violated(requirement, { what, expected, got, fault: `filter:${webhook.id}`, lines: [line] })
    const { id, inbox, types } = webhook
    if (inbox !== undefined) this.#ledger.checked('SCOPE-005')
    if (types !== undefined) this.#ledger.checked('WHK-009')
    const type = typeof event.type === 'string' ? event.type : undefined
    const requirement = findExclusion(
      { inbox, types: [...(types ?? [])] },
      { type, inbox: event.isOfWorkspace ? null : event.inbox },
    )
    if (requirement === 'EVT-013')
      violated(requirement, `delivery to ${id}, limited to ${inbox ?? ''}`, 'no workspace event', type)
    else if (requirement === 'SCOPE-005')
      violated(requirement, `inbox of a delivery to ${id}`, inbox ?? '', event.inbox)
    else if (requirement === 'WHK-009')
      violated(requirement, `type of a delivery to ${id}`, [...(types ?? [])].join(' or '), type)
  }

  #isAfterDelete(line: DeliveryLine, startedAt: number, webhook: WebhookState, eventId: string): boolean {
    const { deletedAt } = webhook
    if (deletedAt === undefined) return false
    const isRetry = this.#series.has(`${webhook.id} ${eventId}`)
    const requirement = isRetry ? 'WHK-015' : 'WHK-014'
    this.#ledger.checked(requirement)
    // Signed before the delete was under way, however late it arrived.
    const timestamp = parseNumber(headerOf(line.request, 'webhook-timestamp'))
    const leftAt = timestamp > 0 ? Math.min(startedAt, timestamp * 1_000 + 999) : startedAt
    if (leftAt <= deletedAt + graceMs || this.#late.length >= maxSuspicions) return true
    // A replay may be answered after its delivery arrives, so only the end shows what it explains.
    this.#late.push(() => {
      if (webhook.replays.some((replay) => replay >= deletedAt - graceMs && replay <= startedAt + graceMs)) return
      this.#ledger.violated(requirement, {
        what: `delivery to ${webhook.id}, which was deleted at ${new Date(deletedAt).toISOString()}`,
        expected: 'none',
        got: `${isRetry ? 'a retry' : 'a delivery'} of ${eventId} ${startedAt - deletedAt} ms later`,
        fault: `deleted:${webhook.id}`,
        lines: [line],
      })
    })
    return true
  }

  /** Whether the HTTP library beneath the sender sent an attempt again, at once and once. */
  #isResent(line: DeliveryLine, startedAt: number, name: string): boolean {
    const attempts = this.#series.get(name) ?? []
    const last = attempts.at(-1)
    if (last?.resendable === undefined || startedAt - endOf(last.line) > resentWithinMs) return false
    if (last.resendable !== contentsOf(line)) return false
    const { resendable: _, ...again } = attemptOf(line, last.startedAt)
    attempts[attempts.length - 1] = again
    return true
  }

  #checkSchedule(line: DeliveryLine, startedAt: number, webhook: WebhookState, eventId: string): void {
    const name = `${webhook.id} ${eventId}`
    const attempts = this.#series.get(name) ?? []
    if (!this.#series.has(name)) {
      this.#series.set(name, attempts)
      keepNewest(this.#series, maxSeries)
    }
    const attempt = attemptOf(line, startedAt)
    attempts.push(attempt)
    attempts.sort((a, b) => a.startedAt - b.startedAt)
    if (attempts.length > maxAttempts * 2) attempts.shift()
    const index = attempts.indexOf(attempt)
    const before = attempts[index - 1]
    if (before === undefined) return
    this.#checkTimestamp(webhook, attempt, before)
    const fault = this.#scheduleFault(attempts, index)
    if (fault === undefined) return
    const { requirement, expected, got } = fault
    if (webhook.suspicions.length >= maxSuspicions) return
    webhook.suspicions.push({
      eventId,
      startedAt,
      endedAt: endOf(line),
      settle: () =>
        this.#ledger.violated(requirement, {
          what: `attempt ${index + 1} of ${eventId} at ${webhook.id}`,
          expected,
          got,
          fault: `schedule:${webhook.id} ${eventId}`,
          lines: [before.line, line],
        }),
    })
  }

  #checkTimestamp({ replays }: WebhookState, attempt: Attempt, before: Attempt): void {
    const gapMs = attempt.startedAt - before.startedAt
    const mayBeReplay = before.isTaken || replays.some((replay) => replay <= attempt.startedAt + graceMs)
    const least = resignedMs[mayBeReplay ? 'replay' : 'retry']
    if (attempt.line.signature.verdict !== 'right' || gapMs < least) return
    this.#ledger.checked('SIG-005')
    if (attempt.timestamp > before.timestamp) return
    this.#ledger.violated('SIG-005', {
      what: `webhook-timestamp of an attempt ${gapMs} ms after the one before`,
      expected: `later than ${before.timestamp}`,
      got: attempt.timestamp,
      lines: [before.line, attempt.line],
    })
  }

  /** What the schedule does not know of, unless a replay explains it. A capture may have missed attempts, and never made one up. */
  #scheduleFault(
    attempts: readonly Attempt[],
    index: number,
  ): { readonly requirement: RequirementId; readonly expected: string; readonly got: string } | undefined {
    const [before, attempt] = [attempts[index - 1], attempts[index]]
    if (before === undefined || attempt === undefined) return undefined
    const gapMs = attempt.startedAt - before.startedAt
    const taken = attempts
      .slice(0, index)
      .find(
        (earlier) => earlier.isTaken && attempt.startedAt >= endOf(earlier.line) && !isMovedBetween(earlier, attempt),
      )
    this.#ledger.checked('DLV-006')
    if (taken !== undefined)
      return {
        requirement: 'DLV-006',
        expected: 'no attempt after one that was answered with a 2xx',
        got: `another ${attempt.startedAt - taken.startedAt} ms later`,
      }
    this.#ledger.checked('RTY-008')
    if (index >= maxAttempts)
      return { requirement: 'RTY-008', expected: `${maxAttempts} attempts`, got: `${index + 1} attempts` }
    const requirement = attemptRequirement(index + 1)
    const delayMs = retryDelaysMs[index] ?? 0
    this.#ledger.checked(requirement)
    // A test deployment may move its clock: then the timestamps of the attempts show it.
    const isMoved = attempt.timestamp - before.timestamp >= delayMs / 1_000
    if (gapMs >= delayMs - graceMs || isMoved) return undefined
    return { requirement, expected: `at least ${delayMs} ms after the attempt before`, got: `${gapMs} ms` }
  }
}

function attemptOf(line: DeliveryLine, startedAt: number): Attempt {
  const timestamp = parseNumber(headerOf(line.request, 'webhook-timestamp'))
  const { status = 0 } = line.response ?? {}
  // The sender's time-out began when it signed, however long the request took to arrive.
  const patienceMs = Math.max(line.duration_ms, endOf(line) - timestamp * 1_000 - 1_000)
  const isTaken = status >= 200 && status < 300 && patienceMs < answerTimeMs - graceMs
  const isResendable = line.response === undefined || mayBeSentAgain(status)
  const resendable = isResendable ? { resendable: contentsOf(line) } : {}
  return { startedAt, timestamp, isTaken, ...resendable, line: withoutBodies(line) }
}

function contentsOf({ request }: DeliveryLine): string {
  return contentKey((name) => headerOf(request, name), request.body ?? request.body_base64 ?? '')
}

/** Returns the attempt as evidence without its bodies, which would use most of the memory. */
function withoutBodies({ request, response, ...line }: DeliveryLine): DeliveryLine {
  const bare = { ...line, request: { headers: request.headers } }
  return response === undefined ? bare : { ...bare, response: { status: response.status, headers: response.headers } }
}

/** Whether a test deployment moved its clock between two attempts: then the duration of an answer by that clock is unknown. */
function isMovedBetween(one: Attempt, other: Attempt): boolean {
  const apartMs = other.startedAt - one.startedAt
  return (other.timestamp - one.timestamp) * 1_000 > apartMs + clockMs
}
