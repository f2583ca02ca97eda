import { availableParallelism } from 'node:os'
import type { CaseTools } from '../case.js'
import { CaseErrored, CaseSkipped } from '../check.js'
import { askedOnRecord, connectDrivers } from '../driver/connect.js'
import type { DriverIntroduction, DriverPool } from '../driver/pool.js'
import { lastWords } from '../driver/last-words.js'
import type { DriverSource, DriverLink, DriverReply } from '../driver/link.js'
import type { Secrets } from '../secrets.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { cut } from '../wire/cut.js'
import { memberOf } from '../wire/exchange.js'
import { inFamily, type HeaderFamily } from '../wire/header-family.js'
import { newSecret, sign } from '../wire/signing.js'
import type { VerifierContext, VerifierVerdict, VerifyRequest } from './context.js'
import { movedToRealClock } from './real-clock.js'

/** Drivers side by side: one more than there are processors, and no more than the few that a second of work is worth. */
const concurrency = Math.min(4, availableParallelism() + 1)
/** Time a driver has to judge one delivery, in milliseconds. */
const answersWithinMs = 10_000

/** A signature verification library behind a driver. Throws {@link CaseErrored} when the driver does not say hello. */
export async function connectVerifier(
  source: DriverSource,
  headerNames: HeaderFamily = 'webhook',
): Promise<Subject<VerifierContext>> {
  return connectDrivers(
    source,
    { isPrompt: true },
    ({ pool, who, secrets }) => new VerifierSubject({ pool, secrets, headerNames }, who),
  )
}

class VerifierSubject implements Subject<VerifierContext> {
  readonly kind = 'verifier'
  readonly secrets: Secrets
  readonly concurrency = concurrency
  readonly name: string
  readonly #pool: DriverPool
  readonly #headerNames: HeaderFamily
  /** Why there is no point in asking on. */
  #lost: string | undefined

  constructor(
    parts: { readonly pool: DriverPool; readonly secrets: Secrets; readonly headerNames: HeaderFamily },
    who: DriverIntroduction,
  ) {
    this.#pool = parts.pool
    this.#headerNames = parts.headerNames
    this.secrets = parts.secrets
    this.name = `${who.name} ${who.version} (${who.language})`
  }

  get lost(): string | undefined {
    return this.#lost ?? this.#pool.lost
  }

  lacks(): undefined {
    return undefined
  }

  async open(tools: CaseTools): Promise<OpenedContext<VerifierContext>> {
    const evidence = new Evidence()
    let driver = this.#pool.borrow()
    const ask = async (request: Readonly<Record<string, unknown>>): Promise<DriverReply> => {
      const reply = await askedOnRecord(evidence, request, () => this.#pool.ask(driver, request, answersWithinMs))
      if (reply.kind === 'silent' || reply.kind === 'died') await this.#afterFailure(this.#pool.asked(driver), reply)
      if (reply.kind === 'died' || reply.kind === 'silent' || reply.kind === 'garbage') driver = this.#replace(driver)
      return reply
    }
    return {
      context: {
        ...tools,
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
      exchanges: () => evidence.records(),
      close: async () => this.#pool.giveBack(driver),
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  /** A request was left without an answer. Throws where a new driver fails on plain deliveries: then this one decides nothing. */
  async #afterFailure(asked: number, reply: DriverReply): Promise<void> {
    const plain = (index: number) => plainRequest(this.#headerNames, `evt_plain${index}`)
    if (!(await this.#pool.failsAnew(asked, plain))) return
    this.#lost ??= `the driver stopped answering: a new one, asked to verify plain deliveries, stopped too (${describe(reply)})`
    throw new CaseErrored(this.#lost)
  }

  #replace(driver: DriverLink): DriverLink {
    this.#pool.giveBack(driver, false)
    return this.#pool.borrow()
  }
}

/** A delivery of this moment that every verifier accepts. */
function plainRequest(family: HeaderFamily, id: string): Readonly<Record<string, unknown>> {
  const secret = newSecret()
  const now = Math.floor(Date.now() / 1000)
  const body = Buffer.from(JSON.stringify({ id, type: 'message.received', data: {} }))
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': sign(secret, { id, timestamp: now, body }),
  }
  return { op: 'verify', secret, headers: inFamily(headers, family), payload_base64: body.toString('base64'), now }
}

type Ask = (request: Readonly<Record<string, unknown>>) => Promise<DriverReply>

async function verify(ask: Ask, request: VerifyRequest, family: HeaderFamily): Promise<VerifierVerdict> {
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
  if (moved === undefined) throw new CaseSkipped(`needs a verifier whose clock can be set: ${reply.why}`)
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
      return `the driver ${reply.how}${reply.stderr === '' ? '' : ` (${lastWords(reply.stderr)})`}`
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
