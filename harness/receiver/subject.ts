import { setMaxListeners } from 'node:events'
import { answerTimeMs, type RequirementId } from '../../spec/index.js'
import type { Case, CaseTools } from '../case.js'
import { CaseErrored, type Checks } from '../check.js'
import { notJudged, type MissingCapability } from '../missing-capability.js'
import { Secrets } from '../secrets.js'
import type { CoverageForecast } from '../forecast.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import type { Exchange } from '../wire/exchange.js'
import { HttpClient, connectionGone, type RequestOptions } from '../wire/http-client.js'
import { pause, Pace } from '../wire/pace.js'
import { ownScheme, type SignatureScheme } from '../schemes/scheme.js'
import type { ReceiverContext } from './context.js'
import type { Delivery } from './delivery.js'
import { leaksSecret } from './leaks.js'
import { checkEndpoint, isTooLate } from './check-endpoint.js'
import { HandledCounts } from './handled-counts.js'
import { handshakesFor } from './handshakes.js'
import { Hangs } from './hangs.js'
import { appliesToReceiver, findMissingOfReceiver, ofEffects, forecastReceiver } from './needs.js'
import { checkReachable } from './reachable.js'
import { acceptsForgeries, proofOfForgeries, type ForgeriesAccepted } from './accepts-forgeries.js'
import { isSlow, SlowEndpoint } from './slow.js'
import { Turns } from './turns.js'
import type { ReceiverTarget } from './target.js'
import { checkSilence } from './silence.js'
import { findAcceptedVariant } from './accepted-variant.js'
import { resendOf } from './resend-command.js'
import { headersOfEvent, now, ValidDeliveries } from './valid-deliveries.js'
import { bodyOf, type OwnEvent } from './own-events.js'

/** Cases side by side: a receiver that takes one delivery after the other, two seconds each, still answers in time. */
export const concurrency = 4
/** Time beyond the 10 seconds after which an answer is no longer waited for, in milliseconds. */
const graceMs = 2_000
/** Time after which an answer to a delivery is no longer waited for, in milliseconds. */
const patienceMs = answerTimeMs + graceMs
/** Pause before a delivery that got a 5xx is sent again, in milliseconds: a brief overload is not a failure. */
const overloadedMs = 1_000
/** Times such a delivery is sent again at most: one that fails now and then may do so twice in a row. */
const maxRepeats = 2
/** Headers, by lower-case name, whose values are words of the protocol and no secrets. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'host', 'user-agent'])
/** Time the count of a dropped delivery is watched, in milliseconds; cases of their own watch for longer. */
const glanceMs = 300

/**
 * Connects to a webhook endpoint. Throws {@link CaseErrored} when the connection is refused, or its certificate is not trusted; with
 * `isDoorChecked` also when the address accepts no deliveries; and when `signal` aborts earlier.
 */
export async function connectReceiver(
  target: ReceiverTarget,
  { checksDelivery = false, signal }: { readonly checksDelivery?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Subject<ReceiverContext>> {
  await checkReachable(new URL(target.url), target.access, signal)
  const { access, maxRps } = target
  // The receiver may close a kept connection just as the next delivery is sent, which neither side can prevent.
  const subject = new ReceiverSubject(
    target,
    new HttpClient({ access, pace: new Pace(maxRps), freshConnections: true }),
  )
  try {
    if (checksDelivery) await subject.checkFirstDelivery(signal)
  } catch (error) {
    await subject.close()
    throw subject.secrets.redactError(error)
  }
  return subject
}

interface SendOptions {
  readonly http: HttpClient
  readonly tools: CaseTools
  readonly evidence: Evidence
  readonly timeoutMs: number
}

class ReceiverSubject implements Subject<ReceiverContext> {
  readonly kind = 'receiver'
  readonly secrets = new Secrets()
  readonly #slow = new SlowEndpoint(concurrency)
  readonly #hangs = new Hangs()
  readonly name: string
  readonly #target: ReceiverTarget
  readonly #http: HttpClient
  /** For URLs outside the endpoint: they must not get the headers for its gateway. */
  readonly #elsewhere: HttpClient
  /** The refusal of a valid delivery before the first case, and the variant that was accepted. */
  #refusal: Exchange | undefined
  /** It was not refused, but answered too late or not at all. */
  #isTooLate = false
  #insteadTaken: Awaited<ReturnType<typeof findAcceptedVariant>>
  /** Set once the slow endpoint has accepted unsigned deliveries. */
  #acceptsAll: ForgeriesAccepted | undefined
  readonly #handled: HandledCounts
  readonly #deliveries: ValidDeliveries
  /** Deliveries under way: with several it is unknown which of them ended the receiver. */
  readonly #turns = new Turns()
  #wasEnded = false
  /** It seemed to hang, and answered later. */
  #hasWoken = false
  /** Ids of valid deliveries that were answered with a 2xx. */
  readonly #taken = new Set<string>()

  constructor(target: ReceiverTarget, http: HttpClient) {
    this.#target = target
    this.#http = http
    this.#deliveries = new ValidDeliveries(target)
    this.#elsewhere = new HttpClient({ access: { ...target.access, headers: {} } })
    const url = new URL(target.url)
    this.name = `${url.origin}${url.pathname}`
    this.secrets.add(target.secret)
    this.secrets.addEnvironment(process.env)
    for (const value of url.searchParams.values()) this.secrets.add(value)
    for (const [name, value] of Object.entries(target.access.headers ?? {}))
      if (!harmless.has(name)) this.secrets.addHeader(value)
    this.#handled = new HandledCounts(target.handledUrl ?? '', (url) => this.#get(url))
  }

  get concurrency(): number {
    return this.#slow.cases
  }

  get valuesAtOnce(): number {
    return this.#slow.deliveriesOfCase
  }

  /** A receiver that a delivery has ended, or that never answers, gets a verdict: the other cases are counted. */
  get lost(): string | undefined {
    return this.#wasEnded || this.#refusal !== undefined || this.#mayHang ? undefined : this.#http.lost
  }

  /** True if it accepts connections and answers nothing, which the last case verifies: each delivery needs an answer. */
  get #mayHang(): boolean {
    return this.#http.isSilent && !this.#hasWoken && this.#target.profile !== 'standard-webhooks'
  }

  /** Sends one valid delivery, so that a wrong address or secret is reported once. */
  async checkFirstDelivery(signal?: AbortSignal): Promise<void> {
    let round = 0
    const make = () => this.#deliveries.make(`c${Date.now().toString(36)}first${round++}`)
    const until = signal === undefined ? {} : { signal }
    if (signal !== undefined) setMaxListeners(0, signal)
    const send = (delivery: Delivery) => this.#http.send({ ...this.#requestOf(delivery), ...until })
    // Of a sender of another interface the time it waits is not known.
    const withinMs = this.#target.profile === 'standard-webhooks' ? Infinity : answerTimeMs
    let last: Exchange | undefined
    const deliver = async () => (last = await send(make()))
    const refusal = await checkEndpoint(new URL(this.#target.url), deliver, { withinMs })
    if (refusal === undefined && isSlow(last)) {
      this.#acceptsAll = await acceptsForgeries(make, send)
      if (this.#acceptsAll !== undefined) this.#slow.widen()
      else if (this.#target.keepsConcurrency !== true) await this.#slow.probe(last, deliver)
    }
    this.#refusal = refusal
    this.#isTooLate = refusal !== undefined && isTooLate(refusal, withinMs)
    if (refusal === undefined || this.#isTooLate) return
    this.#insteadTaken = await findAcceptedVariant(make, { refusal, send })
    const { status = 0 } = refusal
    if (this.#insteadTaken === undefined && status >= 400 && status < 500)
      throw new CaseErrored(
        `no result: every valid delivery was answered with ${status}, and so was every other one; check that --secret is the secret of this endpoint, and that nothing before its check (a body parser, a proxy) changes the body`,
      )
  }

  gate({ id, isBasic, phase }: Pick<Case, 'id' | 'isBasic' | 'phase'>): MissingCapability | undefined {
    if (this.#acceptsAll !== undefined && id !== proofOfForgeries)
      return notJudged('RCV-005', `failed: forged deliveries are accepted, after ${this.#acceptsAll.afterMs} ms each`)
    if (this.#refusal === undefined)
      return this.#mayHang && phase !== 'last' ? notJudged('RCV-002', `failed: ${this.#http.lost ?? ''}`) : undefined
    if (isBasic === true) return undefined
    if (this.#isTooLate)
      return notJudged('RCV-002', `failed: a valid delivery got no answer within ${answerTimeMs / 1000} s`)
    const answer = this.#refusal.status ?? 'nothing'
    return notJudged(
      'RCV-001',
      `failed: a valid delivery is answered with ${answer}; check --secret and the path of --url`,
    )
  }

  insight({ isBasic }: { readonly isBasic?: true }): Readonly<Record<string, unknown>> | undefined {
    if (this.#acceptsAll !== undefined) return { accepts_forgeries: this.#acceptsAll }
    const { status } = this.#refusal ?? {}
    if (status === undefined || this.#isTooLate || isBasic !== true) return undefined
    return { refused: { answer: String(status), ...this.#insteadTaken } }
  }

  binds(id: RequirementId): boolean {
    return appliesToReceiver(this.#target, id)
  }

  findMissing(need: string): MissingCapability | undefined {
    return findMissingOfReceiver(need, this.#target)
  }

  get scheme(): SignatureScheme | undefined {
    return this.#target.scheme
  }

  get unjudged(): typeof ofEffects | undefined {
    return this.#target.handledUrl === undefined ? ofEffects : undefined
  }

  forecast(): CoverageForecast {
    return forecastReceiver(this.#target)
  }

  async open(tools: CaseTools): Promise<OpenedContext<ReceiverContext>> {
    const evidence = new Evidence({ keepsAll: tools.keepsEveryExchange })
    const { profile = 'interface', maxRps, access } = this.#target
    const kept = new HttpClient({ access, pace: new Pace(maxRps), connections: 1 })
    // Several deliveries of one case may be under way.
    setMaxListeners(0, tools.signal)
    const send = (delivery: Delivery, timeoutMs: number = patienceMs) => {
      const http = delivery.fields.keepsConnection === true ? kept : this.#http
      return this.#send(delivery, { http, tools, evidence, timeoutMs })
    }
    const stillAnswers: ReceiverContext['stillAnswers'] = async () => {
      const silent = await checkSilence({
        send: () =>
          this.#http.send(
            { ...this.#requestOf(this.#deliveries.make(tools.unique())), signal: tools.signal },
            evidence,
          ),
        withinMs: patienceMs,
        graceMs,
        check: tools.check,
      })
      if (!silent) this.#hasWoken = this.#http.isSilent
    }
    const delivery: ReceiverContext['delivery'] = (changes) => this.#deliveries.make(tools.unique(), changes)
    const ownDelivery = (own: OwnEvent): Delivery => {
      const id = `evt_${tools.unique()}`
      return delivery({ id, body: bodyOf(own, id), ...headersOfEvent(own) })
    }
    /** Sends it again after a gateway's answer, a brief error or an occasional broken connection. */
    const sendAgain = async (valid: Delivery) => {
      const first = await send(valid)
      if (!isOfMoment(first)) return first
      let again = first
      for (let count = 0; count < maxRepeats && isOfMoment(again); count++)
        again = await pause(overloadedMs).then(() => send(valid))
      // No error of a moment is one that each event gets at first, until it is taken for a duplicate.
      const mayBeOfEach = first.status !== 503 && isError(first) && !isError(again)
      return mayBeOfEach && (await isOfEach(valid)) ? first : again
    }
    const isOfEach = async (valid: Delivery) => {
      for (let count = 0; count < 3; count++)
        if (!isError(await send(valid.asAnotherEvent(`evt_${tools.unique()}`, now()) ?? delivery()))) return false
      return true
    }
    const accepts: ReceiverContext['accepts'] = async (valid, check: Checks = tools.check) => {
      const isAlone = this.#turns.underWay === 0
      const exchange = await sendAgain(valid)
      if (exchange.failure === connectionGone && !(isAlone && this.#turns.underWay === 0))
        throw new CaseErrored('the receiver went away while several deliveries were under way')
      const checks = exchange.failure === connectionGone ? check.fatal : check
      if (checks.status(exchange, '2xx')) this.#taken.add(valid.fields.id)
      return exchange
    }
    const sendInvalid: ReceiverContext['sendInvalid'] = async (bad, check: Checks = tools.check) => {
      const timeoutMs = this.#hangs.patienceMs(patienceMs)
      const exchange = await send(bad, timeoutMs)
      if (exchange.isLate && profile === 'interface')
        await this.#hangs.confirm(exchange, { again: () => send(bad, timeoutMs), valid: () => send(delivery()), check })
      return exchange
    }
    const refuses: ReceiverContext['refuses'] = async (bad, check: Checks = tools.check, title = '') => {
      const exchange = await sendInvalid(bad, check)
      const { status = 0 } = exchange
      if (exchange.failure === connectionGone)
        check.fatal.fail(`answer to ${exchange.label}`, 'a refusal', shown(exchange))
      else if (exchange.isLate && profile === 'interface')
        check.measured.fatal.fail(`answer to ${exchange.label}`, 'a refusal', shown(exchange))
      else if (status >= 200 && status < 300) await this.#wasDropped(exchange, { bad, check, title })
      else if (status < 400 || status >= 500) {
        // The valid delivery that follows shows whether this was a crash or a refusal.
        const next = await sendAgain(delivery())
        const label = `status of a valid delivery after one that was answered with ${shown(exchange)}`
        check.of('RCV-001').status({ ...answeredOf(next), label }, '2xx')
      }
      const isLeaked = status !== 0 && leaksSecret(exchange, { bad, secret: this.#target.secret })
      if (isLeaked)
        check
          .of('RCV-026')
          .fail(`answer to ${exchange.label}`, 'neither the right signature nor the secret', 'one of them')
      return exchange
    }
    const context: ReceiverContext = {
      ...tools,
      now,
      profile,
      scheme: this.#target.scheme ?? ownScheme,
      load: this.#target.load,
      ownEvents: this.#deliveries.events.map((own) => ({ name: own.name, delivery: () => ownDelivery(own) })),
      handshakes: handshakesFor(this.#target, { unique: tools.unique, make: delivery }),
      handled: this.#handled,
      send: (delivery) => send(delivery),
      sendInvalid,
      delivery,
      accepts,
      refuses,
      forEach: (items, action) => this.#slow.forEach(items, action),
      stillAnswers,
    }
    return { context, evidence, close: () => kept.close(), wasTurnedAway: () => this.#turns.wasRefused(tools) }
  }

  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#elsewhere.close()])
  }

  #requestOf(delivery: Delivery): RequestOptions {
    const { body, chunkBytes, cuts, breaksOffAfter, method = 'POST' } = delivery.fields
    const sentAt = now()
    return {
      method,
      url: this.#target.url,
      headers: delivery.headers,
      repeatedHeaders: delivery.repeatedHeaders,
      ...(method === 'GET' ? {} : { body }),
      ...(chunkBytes === undefined ? {} : { chunkBytes }),
      ...(cuts === undefined ? {} : { cuts }),
      ...(breaksOffAfter === undefined ? {} : { breaksOffAfter }),
      timeoutMs: patienceMs,
      kind: 'receiver',
      // Any 2xx is success, whatever the body contains.
      statusOnly: true,
      mayEndTarget: true,
      resend: () => resendOf(delivery, { ...this.#target, sentAt }),
    }
  }

  async #send(delivery: Delivery, { http, tools, evidence, timeoutMs }: SendOptions): Promise<Exchange> {
    // A case of many deliveries would wait for each of them.
    if (this.#http.lost !== undefined && this.#refusal === undefined) throw new CaseErrored(this.#http.lost)
    // The time that the endpoint takes does not count for the case.
    const answered = tools.waiting()
    const hadCompany = await this.#turns.begin(tools)
    let isTurnedAway = false
    try {
      const request = { ...this.#requestOf(delivery), signal: tools.signal, timeoutMs }
      const exchange = await http.send(request, evidence)
      if (exchange.status !== undefined) this.#hangs.answered(exchange.durationMs)
      // An endpoint may take only some at once.
      isTurnedAway = exchange.status === 503 && (hadCompany || this.#turns.underWay > 1)
      if (exchange.status === 429)
        throw new CaseErrored('the receiver limits the rate (429): run with a lower --max-rps or --concurrency')
      if (exchange.failure === connectionGone) this.#wasEnded = true
      return exchange
    } finally {
      answered()
      this.#turns.end(tools, isTurnedAway)
    }
  }

  /** Returns whether an invalid delivery was dropped despite its 2xx, as the endpoint reports; a mismatch if not. */
  async #wasDropped(
    exchange: Exchange,
    { bad, check, title }: { readonly bad: Delivery; readonly check: Checks; readonly title: string },
  ): Promise<void> {
    if (this.#target.handledUrl === undefined) {
      const what = `answer to ${exchange.label}${title === '' ? '' : ` with ${title}`}`
      const words = { what, expected: 'a refusal: any status but 2xx', got: shown(exchange), exchange }
      check.decision('accepted', 'refused', words)
      return
    }
    const { id } = bad.fields
    const forgery = title === '' ? '' : ` (${title})`
    const most = this.#taken.has(id) ? 1 : 0
    const counts = await this.#handled.watched([id], most, glanceMs)
    const what = `how often ${id} was handled after a delivery that is not valid${forgery}`
    const decided = (counts.get(id) ?? 0) <= most ? 'refused' : 'accepted'
    check.decision(decided, 'refused', { what, expected: String(most), got: counts.get(id), exchange })
  }

  #get(url: string): Promise<Exchange> {
    const isOwn = new URL(url).origin === new URL(this.#target.url).origin
    const http = isOwn ? this.#http : this.#elsewhere
    return http.send({ method: 'GET', url, timeoutMs: answerTimeMs, kind: 'receiver' })
  }
}

function isError({ status }: Exchange): boolean {
  return status !== undefined && status >= 500
}

/** Returns whether the answer may be that of one moment: a gateway's, a brief error, or a broken connection. */
function isOfMoment(answer: Exchange): boolean {
  return isError(answer) || (answer.status === undefined && !answer.isLate && answer.failure !== connectionGone)
}

function answeredOf({ status, failure, excerpt, silence, startedAt }: Exchange) {
  return { status, failure, excerpt, silence, startedAt }
}

function shown({ status, failure, excerpt }: Exchange): string {
  return status === undefined ? `no answer (${failure ?? 'unknown'})` : `${status} ${excerpt}`.trimEnd()
}
