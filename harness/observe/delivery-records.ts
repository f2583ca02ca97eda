// Compares a delivery of a deliveries list with the attempts and answers that passed. If the capture may have missed an attempt, or a
// replay may have added one, nothing is compared.
import { answerTimeMs, maxAttempts, retryDelaysMs, type RequirementId } from '../../spec/index.js'
import { latestAfter } from '../attempt-requirements.js'
import { memberOf } from '../wire/exchange.js'
import { parseInstant, parseNumber, millisecondsFrom } from '../wire/numbers.js'
import { parsedUrl, placeOf } from '../wire/url.js'
import { hasHiddenPart } from './confidential.js'
import type { Ledger } from './ledger.js'
import { isOfEvent } from './listed-deliveries.js'
import { keepNewest } from './keep-newest.js'
import { endOf, headerOf, markedField, type DeliveryLine, type ExchangeLine } from './record.js'
import type { WebhookState } from './webhooks.js'

/** Events whose attempts are kept; the oldest is forgotten first. */
const maxEvents = 10_000
/** How long a list may lag, as for a run of our own. */
const lagMs = 5_000
/** How far clocks of two machines, and whole seconds, may be apart. */
const clockMs = 2_000
/** Answers between the two may count as in time or as late. */
const surelyInTimeMs = answerTimeMs - 1_000
const surelyLateMs = answerTimeMs + 1_000
/** A redirect is followed at once. */
const followedWithinMs = 5_000
const snippetLength = 500
/** Clocks that drift apart by more were moved. */
const movedMs = 8_000

interface PassedAttempt {
  readonly startedAt: number
  readonly endedAt: number
  /** By the clock of the service, in milliseconds. */
  readonly signedAt: number
  /** Undefined where no answer was seen. */
  readonly status: number | undefined
  readonly isTaken: boolean
  /** It got no 2xx in time, beyond doubt. */
  readonly isRefused: boolean
  /** The beginning of the answer; undefined where it is not known. */
  readonly answer: string | undefined
  readonly line: DeliveryLine
}

interface Fault {
  readonly requirement: RequirementId
  readonly what: string
  readonly expected: string
  readonly got: unknown
}

export class DeliveryRecords {
  readonly #ledger: Ledger
  readonly #attempts = new Map<string, PassedAttempt[]>()
  /** How far the clock of the service seemed ahead of ours, at least and at most. */
  #ahead = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY }
  readonly #listed = new Map<string, { readonly status: string; readonly line: ExchangeLine }>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Adds an attempt. Returns true if it is a followed redirect instead of an attempt. */
  take(webhook: WebhookState, eventId: string, line: DeliveryLine): boolean {
    const name = `${webhook.id} ${eventId}`
    const attempts = this.#attempts.get(name) ?? []
    const redirect = attempts.findLast((attempt) => isRedirectTo(attempt, line))
    if (attempts.some(({ status = 0 }) => status >= 300 && status < 400)) this.#ledger.checked('DLV-009')
    if (redirect !== undefined) {
      this.#ledger.violated('DLV-009', {
        what: `request after the redirect that answered the delivery of ${eventId}`,
        expected: 'none: a redirect is a failed attempt',
        got: `${line.method} ${line.url}`,
        fault: `redirect:${webhook.id}`,
        lines: [redirect.line, line],
      })
      return true
    }
    const attempt = attemptOf(line)
    const aheadMs = attempt.signedAt - attempt.startedAt
    if (!Number.isNaN(aheadMs))
      this.#ahead = { least: Math.min(this.#ahead.least, aheadMs), most: Math.max(this.#ahead.most, aheadMs) }
    this.#attempts.set(name, [...attempts, attempt].slice(-maxAttempts * 2))
    keepNewest(this.#attempts, maxEvents)
    return false
  }

  /** Adds an attempt that the HTTP library of the sender repeated: it is unknown which of its answers counts. */
  resent(webhook: WebhookState, eventId: string, line: DeliveryLine): void {
    const name = `${webhook.id} ${eventId}`
    const attempts = this.#attempts.get(name) ?? []
    const { answer: _, ...again } = attemptOf(line)
    const open = { ...again, isTaken: false, isRefused: false, answer: undefined }
    this.#attempts.set(name, [...attempts.slice(0, -1), open])
  }

  /** Compares a list with what passed. */
  compare(webhook: WebhookState, line: ExchangeLine, items: readonly unknown[]): void {
    for (const item of items) {
      this.#compareWithEarlier(webhook, line, item)
      this.#checkEnded(webhook, line, item)
      const found = this.#attemptsOf(webhook, item, items)
      if (found === undefined || webhook.deletedAt !== undefined) continue
      const { attempts, last, eventId } = found
      this.#ledger.checked('DLV-018')
      const fault = faultOf({
        item,
        attempts,
        last,
        listedAt: Date.parse(line.at),
        isClockMoved: this.#isClockMoved,
      })
      if (fault === undefined) continue
      const { requirement, what, expected, got } = fault
      this.#ledger.violated(requirement, {
        what: `${what} of the delivery of ${eventId}`,
        expected,
        got,
        fault: `record:${webhook.id} ${eventId}`,
        lines: [last.line, line],
      })
    }
  }

  /** A delivery that has ended has no next attempt: at most a time in the past. Judged if its attempts were seen, replays included. */
  #checkEnded(webhook: WebhookState, line: ExchangeLine, item: unknown): void {
    const [status, attempt, next] = ['status', 'attempt', 'next_attempt_at'].map((name) => memberOf(item, name))
    if (status !== 'succeeded' && status !== 'failed') return
    const seen = textsOf(item).flatMap((text) => this.#attempts.get(`${webhook.id} ${text}`) ?? [])
    const last = seen.at(-1)
    if (last === undefined || seen.length < Number(attempt)) return
    // On a clock that was moved the time of the list is unknown, and a retry that was due when a delivery failed may be in the past.
    if (this.#isClockMoved && status === 'failed') return
    this.#ledger.checked('DLV-020')
    const latest = this.#isClockMoved
      ? Math.max(...seen.map(({ signedAt }) => signedAt)) + answerTimeMs
      : endOf(line) + this.#ahead.most
    if (!(instantOf(next) > latest + clockMs)) return
    this.#ledger.violated('DLV-020', {
      what: `next_attempt_at of a delivery whose status is ${status}`,
      expected: 'nothing, or a time in the past',
      got: next,
      fault: `next of ended:${webhook.id}`,
      lines: [last.line, line],
    })
  }

  /** Whether the clock of the service was moved while attempts were seen. */
  get #isClockMoved(): boolean {
    return this.#ahead.most - this.#ahead.least > movedMs
  }

  /** Returns the attempts of an item if all of them were seen, and no other. */
  #attemptsOf(
    webhook: WebhookState,
    item: unknown,
    items: readonly unknown[],
  ):
    | { readonly attempts: readonly PassedAttempt[]; readonly last: PassedAttempt; readonly eventId: string }
    | undefined {
    const id = memberOf(item, 'id')
    const isReplay = (memberOf(item, 'replay_of') ?? '') !== ''
    if (isReplay || typeof id !== 'string' || webhook.replayIds.has(id)) return undefined
    const eventId = textsOf(item).find((text) => this.#attempts.has(`${webhook.id} ${text}`))
    if (eventId === undefined) return undefined
    const isOnly = items.every(
      (other) => other === item || (memberOf(other, 'replay_of') !== id && !isOfEvent(other, eventId)),
    )
    const attempts = this.#attempts.get(`${webhook.id} ${eventId}`) ?? []
    const last = attempts.at(-1)
    if (!isOnly || last === undefined || attempts.length !== memberOf(item, 'attempt')) return undefined
    return { attempts, last, eventId }
  }

  /** A delivery that has succeeded or failed stays so. */
  #compareWithEarlier(webhook: WebhookState, line: ExchangeLine, item: unknown): void {
    const [id, status] = [memberOf(item, 'id'), memberOf(item, 'status')]
    if (typeof id !== 'string' || typeof status !== 'string' || id === markedField || status === markedField) return
    const name = `${webhook.id} ${id}`
    const before = this.#listed.get(name)
    if (before !== undefined && Date.parse(line.at) - endOf(before.line) <= lagMs) return
    this.#listed.set(name, { status, line })
    keepNewest(this.#listed, maxEvents)
    const isFinal = before?.status === 'succeeded' || before?.status === 'failed'
    if (before === undefined || !isFinal) return
    const own = before.status === 'succeeded' ? 'DLV-005' : 'RTY-009'
    this.#ledger.checked(own)
    if (before.status === status) return
    this.#ledger.violated(webhook.replayIds.has(id) ? 'RPL-006' : own, {
      what: `status of the delivery ${id}, which was ${before.status} before`,
      expected: before.status,
      got: status,
      fault: `status:${name}`,
      lines: [before.line, line],
    })
  }
}

function textsOf(item: unknown): string[] {
  const values: unknown[] = typeof item === 'object' && item !== null ? Object.values(item) : []
  return values.filter((value) => typeof value === 'string')
}

function attemptOf(line: DeliveryLine): PassedAttempt {
  const { request, response, duration_ms: tookMs } = line
  const startedAt = Date.parse(line.at)
  const status = response?.status
  const isSuccess = status !== undefined && status >= 200 && status < 300
  const answer = response?.body ?? (response?.body_base64 === undefined ? '' : undefined)
  const isKnown = response !== undefined && response.body_missing === undefined
  return {
    startedAt,
    endedAt: endOf(line),
    signedAt: parseNumber(headerOf(request, 'webhook-timestamp')) * 1_000,
    status,
    isTaken: isSuccess && tookMs < surelyInTimeMs,
    isRefused: status !== undefined && (!isSuccess || tookMs > surelyLateMs),
    answer: isKnown ? answer?.slice(0, snippetLength * 4) : undefined,
    line: {
      ...line,
      request: { headers: request.headers },
      ...(response === undefined ? {} : { response: { status: response.status, headers: response.headers } }),
    },
  }
}

/** Whether a request went where the answer to an attempt pointed to, and is that attempt again. */
function isRedirectTo({ status = 0, endedAt, line }: PassedAttempt, next: DeliveryLine): boolean {
  const location = line.response === undefined ? undefined : headerOf(line.response, 'location')
  if (status < 300 || status > 399 || location === undefined) return false
  const startedAt = Date.parse(next.at)
  if (startedAt < Date.parse(line.at) || startedAt - endedAt > followedWithinMs) return false
  const target = parsedUrl(URL.canParse(location, line.url) ? new URL(location, line.url).href : '')
  if (target === undefined || placeOf(target.href) !== placeOf(next.url)) return false
  const [own, other] = [line, next].map(({ request }) => headerOf(request, 'webhook-signature'))
  const isSameSecret = next.signature.verdict === 'right' && next.signature.secret === line.signature.secret
  return (own !== undefined && own === other) || (placeOf(line.url) !== placeOf(next.url) && isSameSecret)
}

interface Compared {
  readonly item: unknown
  readonly attempts: readonly PassedAttempt[]
  readonly last: PassedAttempt
  /** When the list was requested. */
  readonly listedAt: number
  /** A test deployment moved its clock: what an answer took by that clock is not known. */
  readonly isClockMoved: boolean
}

/** Returns the first difference between a record and what passed. */
function faultOf(compared: Compared): Fault | undefined {
  return codeFault(compared) ?? statusFault(compared) ?? snippetFault(compared) ?? nextAttemptFault(compared)
}

function codeFault({ item, attempts }: Compared): Fault | undefined {
  const code = memberOf(item, 'response_code')
  const statuses = attempts.map(({ status }) => status)
  // The interface leaves open how a late or missing answer is recorded.
  const isOpen = attempts.some(({ isTaken, isRefused, line }) => !(isTaken || isRefused) || line.note !== undefined)
  if (typeof code !== 'number' || code === 0 || isOpen || statuses.includes(code)) return undefined
  return {
    requirement: 'DLV-018',
    what: 'response_code',
    expected: `the status the receiver answered: ${statuses.join(', ')}`,
    got: code,
  }
}

function statusFault({ item, attempts, last, listedAt, isClockMoved }: Compared): Fault | undefined {
  const status = memberOf(item, 'status')
  const fault = (requirement: RequirementId, expected: string): Fault => ({
    requirement,
    what: 'status',
    expected,
    got: status,
  })
  if (status === 'succeeded' && attempts.every(({ isRefused }) => isRefused))
    return last.status !== undefined && last.status < 300
      ? fault('DLV-008', `not succeeded: the answer took ${last.endedAt - last.startedAt} ms`)
      : fault('DLV-011', `not succeeded: the receiver answered ${attempts.map((attempt) => attempt.status).join(', ')}`)
  const isTaken = !isClockMoved && attempts.some((attempt) => attempt.isTaken)
  // An early failure is not judged: a retry whose host resolves to a private address by then ends the delivery, unseen.
  if (status === 'failed' && isTaken) return fault('DLV-005', 'succeeded: the receiver answered with a 2xx in time')
  if (status === 'pending' && isTaken && listedAt - last.endedAt > lagMs)
    return fault('DLV-005', 'succeeded: the receiver answered with a 2xx in time')
  return undefined
}

function snippetFault({ item, attempts }: Compared): Fault | undefined {
  const snippet = memberOf(item, 'response_body_snippet')
  if (typeof snippet !== 'string' || snippet.trim() === '' || snippet === markedField) return undefined
  const answers = attempts.map(({ answer }) => answer)
  const isUnknown = (text: string | undefined) => text === undefined || hasHiddenPart(text) || /\uFFFD|\0/.test(text)
  if (answers.some(isUnknown) || isUnknown(snippet) || attempts.some(({ line }) => line.note !== undefined))
    return undefined
  const isBeginning = answers.some((answer) => answer?.trimStart().startsWith(snippet.trim()))
  if (isBeginning) return undefined
  return {
    requirement: 'DLV-019',
    what: 'response_body_snippet',
    expected: `the beginning of ${answers.map((answer) => JSON.stringify(answer?.slice(0, 80))).join(' or ')}`,
    got: snippet,
  }
}

/** Compares the time of the next attempt with the schedule, by the clock of the service: it signed the last attempt. */
function nextAttemptFault({ item, attempts, last, listedAt }: Compared): Fault | undefined {
  const [status, next] = [memberOf(item, 'status'), memberOf(item, 'next_attempt_at') ?? undefined]
  const delayMs = retryDelaysMs[attempts.length]
  if (status !== 'pending' || delayMs === undefined || !last.isRefused || Number.isNaN(last.signedAt)) return undefined
  const isSettled = listedAt - last.endedAt > lagMs
  const what = 'next_attempt_at'
  const due = `${new Date(last.signedAt + delayMs).toISOString()}, ${delayMs / 1_000} s after attempt ${attempts.length}`
  if (next === undefined) return isSettled ? { requirement: 'RTY-010', what, expected: due, got: 'nothing' } : undefined
  const at = instantOf(next)
  // Until the list shows the outcome of an attempt, it may show when that attempt was due.
  const isOwnTime = Math.abs(at - last.signedAt) <= latestAfter(0) + clockMs
  if (Number.isNaN(at) || (isOwnTime && !isSettled)) return undefined
  const earliest = last.signedAt + delayMs - clockMs
  const latest = last.signedAt + latestAfter(delayMs) + Math.max(answerTimeMs, last.endedAt - last.startedAt) + clockMs
  if (at >= earliest && at <= latest) return undefined
  return { requirement: at < last.signedAt ? 'DLV-020' : 'RTY-010', what, expected: due, got: next }
}

function instantOf(value: unknown): number {
  const number = parseNumber(value)
  if (Number.isNaN(number)) return typeof value === 'string' ? parseInstant(value) : Number.NaN
  return number >= millisecondsFrom ? number : number * 1_000
}
