import { availableParallelism } from 'node:os'
import type { CaseTools } from '../case.js'
import type { RequirementId } from '../../spec/index.js'
import { CaseErrored, CaseSkipped } from '../check.js'
import { sendRecorded, connectDrivers } from '../driver/connect.js'
import type { DriverIntroduction, DriverPool } from '../driver/pool.js'
import { causeOfExit } from '../driver/cause-of-exit.js'
import type { DriverSource, DriverLink, DriverReply } from '../driver/link.js'
import type { Secrets } from '../secrets.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { cut } from '../wire/cut.js'
import { memberOf } from '../wire/exchange.js'
import { inFamily, type HeaderFamily } from '../wire/header-family.js'
import type { MissingCapability } from '../missing-capability.js'
import { ownScheme, type SignatureScheme } from '../schemes/scheme.js'
import type { Delivery } from '../receiver/delivery.js'
import { bindsVerifier, findMissingOfVerifier, sampleDelivery } from './needs.js'
import type { VerifierClock, VerifierContext, VerifierVerdict, VerifyRequest } from './context.js'
import { movedToRealClock } from './real-clock.js'

/** Drivers side by side: one more than there are processors, and no more than the few that a second of work is worth. */
const concurrency = Math.min(4, availableParallelism() + 1)
/** A clock well inside every integer that a library may use, in Unix seconds. */
const chosenTime = 1_800_000_000
/** Time a driver has to judge one delivery, in milliseconds. */
const answersWithinMs = 10_000

/** Connects to a verification library through a driver. Throws {@link CaseErrored} when the driver does not answer `hello`. */
export async function connectVerifier(
  source: DriverSource,
  { headerNames = 'webhook', scheme = ownScheme }: { headerNames?: HeaderFamily; scheme?: SignatureScheme } = {},
): Promise<Subject<VerifierContext>> {
  return connectDrivers(
    source,
    { isPrompt: true },
    ({ pool, who, secrets }) => new VerifierSubject({ pool, secrets, headerNames, scheme }, who),
  )
}

class VerifierSubject implements Subject<VerifierContext> {
  readonly kind = 'verifier'
  readonly secrets: Secrets
  readonly concurrency = concurrency
  readonly name: string
  readonly #pool: DriverPool
  readonly #headerNames: HeaderFamily
  readonly #scheme: SignatureScheme
  /** Why there is no point in asking on. */
  #lost: string | undefined

  constructor(
    parts: {
      readonly pool: DriverPool
      readonly secrets: Secrets
      readonly headerNames: HeaderFamily
      readonly scheme: SignatureScheme
    },
    who: DriverIntroduction,
  ) {
    this.#pool = parts.pool
    this.#headerNames = parts.headerNames
    this.#scheme = parts.scheme
    this.secrets = parts.secrets
    this.name = `${who.name} ${who.version} (${who.language})`
  }

  get scheme(): SignatureScheme | undefined {
    return this.#scheme === ownScheme ? undefined : this.#scheme
  }

  get lost(): string | undefined {
    return this.#lost ?? this.#pool.lost
  }

  get isUnfit(): boolean {
    return this.#pool.isUnfit
  }

  findMissing(need: string): MissingCapability | undefined {
    return findMissingOfVerifier(need, this.#scheme)
  }

  binds(id: RequirementId): boolean {
    return this.#scheme === ownScheme || bindsVerifier(this.#scheme, id)
  }

  async open(tools: CaseTools): Promise<OpenedContext<VerifierContext>> {
    const evidence = new Evidence({ keepsAll: tools.keepsEveryExchange })
    let driver = this.#pool.borrow()
    const ask = async (request: Readonly<Record<string, unknown>>): Promise<DriverReply> => {
      const reply = await sendRecorded(evidence, request, () => this.#pool.call(driver, request, answersWithinMs))
      if (reply.kind === 'silent' || reply.kind === 'died')
        await this.#afterFailure(this.#pool.requestCount(driver), reply)
      if (reply.kind === 'died' || reply.kind === 'silent' || reply.kind === 'garbage') driver = this.#replace(driver)
      return reply
    }
    const askAbout = (delivery: Delivery, clock: VerifierClock) => ask(requestAbout(delivery, this.#headerNames, clock))
    const deliveryAt: VerifierContext['delivery'] = (timestamp) =>
      sampleDelivery(this.#scheme, { timestamp, mark: tools.unique() })
    const clock: VerifierContext['clock'] = async () => {
      const chosen = { now: chosenTime, isReal: false }
      if ((await askAbout(deliveryAt(chosen.now), chosen)).kind !== 'unsupported') return chosen
      const real = { now: Math.floor(Date.now() / 1000), isReal: true }
      const reply = await askAbout(deliveryAt(real.now), real)
      if (reply.kind === 'unsupported') throw new CaseSkipped(`the driver cannot do it: ${reply.why}`)
      return real
    }
    return {
      context: {
        ...tools,
        scheme: this.#scheme,
        delivery: deliveryAt,
        clock,
        verifyDelivery: async (delivery, at) => verdictOf(await askAbout(delivery, at)),
        verify: (request) => verify(ask, request, this.#headerNames),
        sign: async ({ secret, id, timestamp, payload }) => {
          const reply = await ask({
            op: 'sign',
            secret,
            msg_id: id,
            timestamp,
            payload_base64: Buffer.from(payload).toString('base64'),
          })
          if (reply.kind === 'unsupported') throw new CaseSkipped(`the driver does not sign: ${reply.why}`)
          const signature = reply.kind === 'answer' ? reply.fields['signature'] : undefined
          return typeof signature === 'string' ? signature : { broken: describe(reply) }
        },
      },
      evidence,
      close: async () => this.#pool.giveBack(driver),
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  /** A request was left without an answer. Throws where a new driver fails on plain deliveries: then this one decides nothing. */
  async #afterFailure(requestCount: number, reply: DriverReply): Promise<void> {
    // A delivery of this moment, which every verifier accepts.
    const plain = (index: number) => {
      const clock = { now: Math.floor(Date.now() / 1000), isReal: false }
      const delivery = sampleDelivery(this.#scheme, { timestamp: clock.now, mark: `plain${index}` })
      return requestAbout(delivery, this.#headerNames, clock)
    }
    if (!(await this.#pool.failsAnew(requestCount, plain))) return
    this.#lost ??= `the driver stopped answering, and so did a new one that got plain deliveries (${describe(reply)})`
    throw new CaseErrored(this.#lost)
  }

  #replace(driver: DriverLink): DriverLink {
    this.#pool.giveBack(driver, false)
    return this.#pool.borrow()
  }
}

/** The request about a delivery. A library without an injectable clock reads the real one. */
function requestAbout(
  { scheme, fields, headers }: Delivery,
  family: HeaderFamily,
  { now, isReal }: VerifierClock,
): Readonly<Record<string, unknown>> {
  return {
    op: 'verify',
    secret: scheme.receiverSecret(fields.secret),
    headers: inFamily(headers, family),
    payload_base64: Buffer.from(fields.body).toString('base64'),
    ...(isReal ? {} : { now }),
  }
}

type Call = (request: Readonly<Record<string, unknown>>) => Promise<DriverReply>

async function verify(ask: Call, request: VerifyRequest, family: HeaderFamily): Promise<VerifierVerdict> {
  const wire = ({ secret, headers, payload }: Omit<VerifyRequest, 'now'>) => ({
    op: 'verify',
    secret,
    headers: inFamily(headers, family),
    payload_base64: Buffer.from(payload).toString('base64'),
  })
  const { now } = request
  const reply = await ask({ ...wire(request), ...(now !== undefined && { now }) })
  if (reply.kind !== 'unsupported') return verdictOf(reply)
  if (now === undefined) throw new CaseSkipped(`the driver cannot do it: ${reply.why}`)
  const moved = movedToRealClock({ ...request, now }, Math.floor(Date.now() / 1000))
  if (moved === undefined) throw new CaseSkipped(`needs a verifier with a clock that can be set: ${reply.why}`)
  const second = await ask(wire(moved))
  if (second.kind === 'unsupported') throw new CaseSkipped(`the driver cannot do it: ${second.why}`)
  return verdictOf(second)
}

function verdictOf(reply: DriverReply): VerifierVerdict {
  if (reply.kind !== 'answer') return { kind: 'broken', how: describe(reply) }
  const { ok, event, error } = reply.fields
  if (ok === true) return { kind: 'accepted', event }
  if (ok === false) return { kind: 'refused', code: memberOf(error, 'code'), message: memberOf(error, 'message') }
  return { kind: 'broken', how: `it answered without "ok": ${cut(JSON.stringify(reply.fields), 200)}` }
}

function describe(reply: DriverReply): string {
  switch (reply.kind) {
    case 'died':
      return `the driver ${reply.how}${reply.stderr === '' ? '' : ` (${causeOfExit(reply.stderr)})`}`
    case 'silent':
      return `the driver did not answer within ${reply.afterMs} ms`
    case 'garbage':
      return `the driver wrote a line that is not an answer: ${reply.line}`
    case 'unsupported':
      return `the driver cannot do it: ${reply.why}`
    case 'answer':
      return `the driver answered ${cut(JSON.stringify(reply.fields), 200)}`
    default:
      throw new CaseErrored('unknown reply')
  }
}
