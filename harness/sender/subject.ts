import { isIP } from 'node:net'
import type { RequirementId } from '../../spec/index.js'
import type { CaseTools } from '../case.js'
import { CaseErrored, CaseSkipped } from '../check.js'
import { findSignatureProblem, findSignatureProblemOf, type SignatureProblem } from '../diagnose/signature-problem.js'
import { LoopWatch } from '../loop-watch.js'
import { depthNeeded, inapplicable, missingCapability, type MissingCapability } from '../missing-capability.js'
import { findMissingFeature, isSchemeNeed, ownScheme, ownSchemeWith, type SignatureScheme } from '../schemes/scheme.js'
import { Secrets } from '../secrets.js'
import { contractViolations, eventComponent } from '../service/contract-check.js'
import { sinkCertificate } from '../sink/certificate.js'
import { status } from '../sink/answer.js'
import { longestBodyMs } from '../sink/endpoint.js'
import { Sink } from '../sink/sink.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { bareHost } from '../wire/url.js'
import type { SeenAttempt, SentEvent } from './attempts.js'
import type { SenderContext, SenderNeed, SendRequest } from './context.js'
import { Ledger } from './ledger.js'
import { placeOfSecret } from './place-of-secret.js'
import { expectNext, expectNone } from './schedule.js'
import type { SenderTarget, SenderTrigger } from './target.js'
import { callTrigger, startTrigger, type RunningTrigger } from './trigger.js'

/** Concurrent cases: most of them wait for retries. Events are triggered one after the other. */
export const concurrency = 16
/** Wait for the first attempt: after the trigger began, after it ended, and by hand, in milliseconds. */
const patience = { runningMs: 60_000, endedMs: 15_000, othersMs: 2_500, byHandMs: 300_000 } as const

/** A search for the mistake in a signature takes up to a second; after this many without success the others are only verified. */
const mostFruitlessSearches = 3

/** Why retries are not judged if events are indistinguishable. */
const equal =
  'needs events with bodies of their own: the scheme has no id, and two events arrived with the same bytes, so that a retry looks like another event'

/** Requirements of the interface that the Standard Webhooks specification does not have. */
const ofInterface: readonly RequirementId[] = [
  'SDR-006',
  'SDR-008',
  'SDR-010',
  ...(['SDR-011', 'SDR-012', 'SDR-013', 'SDR-014', 'SDR-015', 'SDR-016', 'SDR-017', 'SDR-018', 'SDR-019'] as const),
  ...([
    'SDR-020',
    'SDR-021',
    'SDR-022',
    'SDR-023',
    'SDR-024',
    'SDR-025',
    'SDR-026',
    'SDR-027',
    'SDR-031',
    'SDR-036',
  ] as const),
]
const ofRetries: readonly RequirementId[] = ['SDR-028', 'SDR-029', 'SDR-030', 'SDR-032', 'SDR-033']
/** What a scheme must have room for, so that a requirement binds its senders. */
const ofSchemes: Partial<Record<RequirementId, SenderNeed>> = {
  'SDR-003': 'scheme:timestamp',
  'SDR-007': 'scheme:id',
  'SDR-009': 'json-body',
  'SDR-029': 'scheme:id',
  'SDR-030': 'scheme:past',
}
/** Advice of the Standard Webhooks specification; the interface has the same as a rule. */
const advice: readonly RequirementId[] = ['SDR-034', 'SDR-035']

/** Listens for a sender. Rejects with the system's error when the port is unavailable or the certificate invalid. */
export async function connectSender(target: SenderTarget): Promise<Subject<SenderContext>> {
  const subject = new SenderSubject(target)
  try {
    await subject.listen()
  } catch (error) {
    await subject.close()
    throw error
  }
  return subject
}

/** Returns why a sender case cannot run; undefined when it can. */
export function findMissingOfSender(
  need: string,
  { profile, schedule, retryDepth, scheme }: Pick<SenderTarget, 'profile' | 'schedule' | 'retryDepth' | 'scheme'>,
): MissingCapability | undefined {
  if (need === 'interface' && scheme !== undefined)
    return missingOfScheme(`is a rule of the interface, not of the scheme ${scheme.name}`)
  if (need === 'interface' || need === 'standard-webhooks')
    return missingCapability(profile === need ? undefined : `needs --profile ${need}`)
  if (isSchemeNeed(need)) return missingOfScheme(findMissingFeature(need, scheme ?? ownScheme))
  if (need === 'json-body') return missingOfScheme(scheme === undefined ? undefined : findMissingJson(scheme))
  if (schedule === undefined) return inapplicable.schedule('--schedule, such as 5s,5m')
  const depth = need === 'last-attempt' ? schedule.length + 1 : need === 'third-attempt' ? 3 : 2
  const isDeeper = retryDepth < depth || schedule.length + 1 < depth
  if (!isDeeper) return undefined
  return need === 'third-attempt' ? inapplicable.depth(depth) : missingCapability(depthNeeded(depth))
}

function missingOfScheme(reason: string | undefined): MissingCapability | undefined {
  return reason === undefined ? undefined : inapplicable.scheme(reason)
}

/** Why a body need not be JSON: some providers send forms too. */
function findMissingJson({ name, data: { id, timestamp } }: SignatureScheme): string | undefined {
  const hasFields = id?.field !== undefined || timestamp?.field !== undefined
  return hasFields ? undefined : `the scheme ${name} does not require JSON bodies`
}

class SenderSubject implements Subject<SenderContext> {
  readonly kind = 'sender'
  readonly secrets = new Secrets()
  readonly concurrency = concurrency
  readonly #target: SenderTarget
  readonly #scheme: SignatureScheme
  readonly #ledger: Ledger
  readonly #running = new Set<RunningTrigger>()
  readonly #loopWatch = new LoopWatch()
  #sink: Sink | undefined
  /** Events are triggered one after the other: the first attempt to arrive is that of the latest. */
  #turn: Promise<unknown> = Promise.resolve()
  #lost: string | undefined
  #fruitlessSearches = 0

  constructor(target: SenderTarget) {
    this.#target = target
    this.#scheme = target.scheme ?? ownSchemeWith(target.headerNames)
    this.#ledger = new Ledger({ scheme: this.#scheme, ...(target.scheme === undefined ? { idField: 'id' } : {}) })
    this.secrets.add(target.secret)
    this.secrets.addEnvironment(process.env)
  }

  async listen(): Promise<void> {
    const { listen, publicUrl, tls, onAuthority } = this.#target
    const hosts = [listen.host, ...(publicUrl === undefined ? [] : [bareHost(new URL(publicUrl).hostname)])]
    const names = [...new Set(hosts.filter((host) => isIP(host) !== 0 || /[a-z]/i.test(host)))]
    this.#sink = await Sink.start({
      ...listen,
      takesPlain: true,
      names,
      ...(tls === undefined ? {} : { tls }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
      onStray: (attempt) => this.#ledger.take(attempt),
      onRead: () => this.#ledger.wake(),
    })
    if (tls === undefined) onAuthority?.((await sinkCertificate(names)).ca)
  }

  /** What the sender is to be given. */
  get name(): string {
    const { publicUrl = '' } = this.#sink ?? {}
    return /\/webhooks$/.test(publicUrl) ? publicUrl : `${publicUrl.replace(/\/$/, '')}/webhooks`
  }

  get scheme(): SignatureScheme | undefined {
    return this.#target.scheme
  }

  /** A person triggers each event only once; and measurements allow for the load of this machine. */
  get maxRepeats(): number {
    return this.#target.trigger === undefined ? 0 : 1
  }

  get lost(): string | undefined {
    return this.#lost
  }

  binds(id: RequirementId): boolean {
    const { profile, schedule } = this.#target
    const ofScheme = ofSchemes[id]
    if (ofScheme !== undefined && this.findMissing(ofScheme) !== undefined) return false
    if (advice.includes(id)) return profile === 'standard-webhooks'
    if (ofRetries.includes(id)) return schedule !== undefined
    return profile === 'interface' || !ofInterface.includes(id)
  }

  findMissing(need: string): MissingCapability | undefined {
    return findMissingOfSender(need, this.#target)
  }

  async open(tools: CaseTools): Promise<OpenedContext<SenderContext>> {
    const evidence = new Evidence({ keepsAll: tools.keepsEveryExchange })
    const since = performance.now()
    const events: SentEvent[] = []
    const triggers: RunningTrigger[] = []
    const { schedule = [], retryDepth, trigger } = this.#target
    const watch = {
      tools,
      stallSince: (since: number) => this.#loopWatch.longestSince(since),
      until: async (condition: () => boolean, withinMs: number) => {
        const failed = () => triggers.find((running) => running.failure !== undefined)?.failure
        const hasHeld = await this.#arrives(
          () => condition() || failed() !== undefined || this.#ledger.areEqual,
          withinMs,
          tools.signal,
        )
        const failure = failed()
        if (failure !== undefined) throw new CaseSkipped(failure)
        if (this.#ledger.areEqual) throw new CaseSkipped(equal)
        return hasHeld
      },
    }
    const send = async (request: SendRequest = {}): Promise<SentEvent> => {
      const event = await this.#inTurn(tools, () => this.#send(request, tools, triggers))
      events.push(event)
      return event
    }
    const attempts = new Set<SeenAttempt['attempt']>()
    const record = ({ attempt }: SeenAttempt) => {
      if (!attempts.has(attempt)) evidence.add(attempt.exchange(this.#origin))
      attempts.add(attempt)
    }
    const recorded = () => {
      for (const event of events) for (const seen of event.seen) record(seen)
      return evidence
    }
    const context: SenderContext = {
      ...tools,
      send,
      next: (event, number, delayMs, check = tools.check) => expectNext({ event, number, delayMs, check, ...watch }),
      expectNoMore: (event, count, delayMs, check = tools.check) =>
        expectNone({ event, count, delayMs, check, ...watch }),
      everything: async (count) => {
        while (this.#ledger.events.length < count) await send()
        return { events: [...this.#ledger.events], attempts: [...this.#ledger.seen] }
      },
      scheme: this.#scheme,
      signatureProblem: (seen) => this.#signatureProblem(seen),
      secretPlace: (seen) => placeOfSecret(seen, this.#target.secret),
      bodyProblems: ({ attempt }) => {
        const component = eventComponent(attempt.field('type')) ?? 'OtherEvent'
        return contractViolations(component, attempt.json, 'EVT-001')
      },
      staysOpen: (seen, ms) => staysOpen(seen, ms, tools.signal),
      judging: (offMs) => (offMs > 2 * this.#loopWatch.longestSince(since) ? tools.check : tools.check.measured),
      evidence: record,
      schedule,
      retryDepth,
      isDirect: this.#target.publicUrl === undefined,
      isByHand: trigger === undefined,
    }
    return {
      context,
      evidence: { records: () => recorded().records(), wholeRecords: () => recorded().wholeRecords() },
      close: async () => {
        for (const event of events) event.release()
        for (const running of triggers) {
          running.stop()
          this.#running.delete(running)
        }
      },
    }
  }

  async close(): Promise<void> {
    this.#loopWatch.end()
    for (const command of this.#running) command.stop()
    for (const event of this.#ledger.events) event.release()
    await this.#sink?.close()
  }

  get #origin(): string {
    return new URL(this.name).origin
  }

  /** Returns the address of the listener as the sender used it. */
  #reachedBy({ attempt }: SeenAttempt): string {
    const host = attempt.header('host')
    if (this.#target.publicUrl !== undefined || host === undefined) return this.name
    return `${attempt.isSecure ? 'https' : 'http'}://${host}${new URL(this.name).pathname}`
  }

  /** Runs actions one after the other; waiting for a turn does not count as time of the case. */
  async #inTurn<T>(tools: CaseTools, action: () => Promise<T>): Promise<T> {
    const done = tools.waiting()
    const before = this.#turn
    let end = () => {}
    this.#turn = new Promise<void>((resolve) => (end = resolve))
    try {
      await before
      if (tools.signal.aborted || this.#lost !== undefined) throw new CaseErrored(this.#lost ?? 'the run was ended')
      return await action()
    } finally {
      end()
      done()
    }
  }

  async #send(
    { type = 'message.received', answers = [status(200)] }: SendRequest,
    tools: CaseTools,
    triggers: RunningTrigger[],
  ): Promise<SentEvent> {
    const { trigger, profile } = this.#target
    const wantedType = profile === 'interface' ? type : ''
    const mark = `moved-${tools.unique()}`
    const answersFor = (first: SeenAttempt) =>
      typeof answers === 'function' ? answers(`${this.#reachedBy(first)}/${mark}`) : answers
    this.#ledger.want({ type: wantedType, answers: answersFor, mark })
    try {
      const found =
        trigger === undefined
          ? await this.#sendByHand(wantedType, tools)
          : await this.#sendByCommand(trigger, { type: wantedType, triggers, signal: tools.signal })
      if (found !== undefined) return found
    } finally {
      this.#ledger.unwant()
    }
    const isRunning = triggers.at(-1)?.hasEnded === false
    const after =
      trigger === undefined
        ? 'the event was requested'
        : `the trigger was run${isRunning ? ', which has not ended' : ''}`
    const { brokenOff } = this.#sink ?? {}
    const cause = `nothing arrived${brokenOff === undefined ? '' : ' whole'} at ${this.name} after ${after}${brokenOff === undefined ? '' : `: the latest request ${brokenOff}`}`
    if (this.#ledger.seen.length === 0)
      this.#lost = `${cause}; ${this.#notTrusted ?? 'check the address that the sender uses, and its own log'}`
    throw new CaseErrored(`${cause}${wantedType === '' ? '' : ` for ${wantedType}`}`)
  }

  /** Resolves to whether `condition` held within `withinMs`; a body that began to arrive by then is awaited. */
  async #arrives(condition: () => boolean, withinMs: number, signal: AbortSignal): Promise<boolean> {
    const hasHeld = await this.#ledger.until(condition, withinMs, signal)
    const isReading = () => this.#sink?.isReading === true
    if (hasHeld || !isReading()) return hasHeld
    await this.#ledger.until(() => condition() || !isReading(), longestBodyMs, signal)
    return condition()
  }

  get #notTrusted(): string | undefined {
    const refused = this.#sink?.refusedHandshakes
    return refused === undefined
      ? undefined
      : `${refused.text}: let it trust the authority of the certificate (--ca-out writes that of the run)`
  }

  async #sendByCommand(
    trigger: string | SenderTrigger,
    { type, triggers, signal }: { type: string; triggers: RunningTrigger[]; signal: AbortSignal },
  ): Promise<SentEvent | undefined> {
    const { wake } = this.#ledger
    const environment = { CONFORMANCE_EVENT_TYPE: type, CONFORMANCE_WEBHOOK_URL: this.name }
    const running =
      typeof trigger === 'string'
        ? startTrigger(trigger, environment, wake)
        : callTrigger(() => trigger({ type, url: this.name }), wake)
    triggers.push(running)
    this.#running.add(running)
    const { patienceMs } = this.#target
    const isFound = () => this.#ledger.found !== undefined
    await this.#ledger.until(() => isFound() || running.hasEnded, patienceMs ?? patience.runningMs, signal)
    if (running.failure !== undefined) throw new CaseSkipped(running.failure)
    const leftMs = Math.min(patienceMs ?? Infinity, patience.endedMs)
    if (!isFound() && running.hasEnded) await this.#arrives(() => isFound() || this.#ledger.hasOthers, leftMs, signal)
    if (!isFound()) await this.#arrives(isFound, patience.othersMs, signal)
    return this.#ledger.takeOther()
  }

  async #sendByHand(type: string, { signal }: CaseTools): Promise<SentEvent | undefined> {
    const { print = () => {}, patienceMs = patience.byHandMs } = this.#target
    const what = type === '' ? 'event' : `${type} event`
    print(`Now cause one ${what} to be delivered to ${this.name} … (waiting up to ${Math.ceil(patienceMs / 1000)} s)`)
    await this.#arrives(() => this.#ledger.found !== undefined || this.#ledger.hasOthers, patienceMs, signal)
    const event = this.#ledger.takeOther()
    const { attempt } = event?.seen[0] ?? {}
    print(
      attempt === undefined ? 'Nothing came.' : `Got ${attempt.method} ${attempt.path}, ${attempt.body.length} bytes.`,
    )
    return event
  }

  #signatureProblem(seen: SeenAttempt): SignatureProblem | undefined {
    const { secret, headerNames: names, scheme } = this.#target
    const { attempt, values } = seen
    const { id, timestamp, signature } = values
    const budget = this.#fruitlessSearches >= mostFruitlessSearches ? { budget: 0 } : {}
    // A scheme may sign the url as the sender was given it.
    const urls = () => [this.name, `${new URL(this.#reachedBy(seen)).origin}${attempt.path}`]
    const problem =
      scheme === undefined
        ? findSignatureProblem({ id, timestamp, signature }, attempt.body, secret, { names, ...budget })
        : findSignatureProblemOf(scheme, attempt, { secret, urls: urls(), ...budget })
    if (problem?.isExplained === false) this.#fruitlessSearches++
    return problem
  }
}

async function staysOpen(seen: SeenAttempt, ms: number, signal: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const open = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), ms)
    signal.addEventListener('abort', () => resolve(true), { once: true })
  })
  const isOpen = await Promise.race([open, seen.attempt.closed.then(() => false)])
  clearTimeout(timer)
  return isOpen
}
