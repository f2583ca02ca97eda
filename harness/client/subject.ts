import type { CaseTools } from '../case.js'
import { CaseErrored, CaseSkipped } from '../check.js'
import { sendRecorded, connectDrivers } from '../driver/connect.js'
import type { DriverIntroduction, DriverPool } from '../driver/pool.js'
import type { DriverReply, DriverSource } from '../driver/link.js'
import { DriverFailed, DriverShares, type DriverShare } from '../driver/shares.js'
import { ownScheme } from '../schemes/scheme.js'
import type { Secrets } from '../secrets.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { cut } from '../wire/cut.js'
import { sampleDelivery } from '../verifier/needs.js'
import { memberOf } from '../wire/exchange.js'
import type {
  CallOptions,
  CallResult,
  ClientContext,
  ClientHandle,
  ClientOptions,
  DeliveryToVerify,
  ReportedError,
} from './context.js'
import { answersAsManyCalls, callsAtOnce } from './calls-at-once.js'
import { callEnd, Patience } from './patience.js'
import { ScriptedServer } from './scripted-server.js'

/** Cases side by side: most of their time is spent in waits of the client. */
const concurrency = 16
/** Cases one driver serves at once, where it takes as many calls. */
const casesPerDriver = 8
/** Concurrent drivers, if each answers one call after the other. */
const largestFleet = 12
/** Longest time a driver may take to build a client, in milliseconds: nothing is waited for. */
const buildsWithinMs = 20_000
/** Longest time a driver may take to verify a delivery, in milliseconds. */
const verifiesWithinMs = 45_000

/** Connects to a client library through a driver. Throws `CaseErrored` when the driver does not answer `hello`. */
export async function connectClient(source: DriverSource): Promise<Subject<ClientContext>> {
  return connectDrivers(source, {}, async ({ pool, who, secrets }) => {
    const drivers = new DriverShares(pool, { isFree: source.isFree === true })
    const atOnce = source.isFree === true ? Infinity : await callsAtOnce(drivers)
    if (source.isFree !== true) drivers.perDriver = Math.max(1, Math.min(atOnce, casesPerDriver))
    return new ClientSubject({ pool, drivers, secrets, isConcurrent: atOnce > 1 }, who)
  })
}

class ClientSubject implements Subject<ClientContext> {
  readonly kind = 'client'
  readonly secrets: Secrets
  readonly concurrency: number
  readonly name: string
  readonly #pool: DriverPool
  readonly #drivers: DriverShares
  readonly #isConcurrent: boolean
  readonly #patience = new Patience()
  /** Why there is no point in asking on. */
  #lost: string | undefined
  /** The look whether calls are answered at all: one serves every call that is left without an answer meanwhile. */
  #look: Promise<boolean> | undefined
  #clients = 0

  constructor(
    parts: {
      readonly pool: DriverPool
      readonly drivers: DriverShares
      readonly secrets: Secrets
      readonly isConcurrent: boolean
    },
    who: DriverIntroduction,
  ) {
    this.#pool = parts.pool
    this.#drivers = parts.drivers
    this.#isConcurrent = parts.isConcurrent
    this.secrets = parts.secrets
    this.concurrency = Math.min(concurrency, parts.drivers.max * parts.drivers.perDriver)
    this.name = `${who.name} ${who.version} (${who.language})`
  }

  get lost(): string | undefined {
    return this.#lost ?? this.#pool.lost
  }

  get isUnfit(): boolean {
    return this.#pool.isUnfit
  }

  findMissing(): undefined {
    return undefined
  }

  async open(tools: CaseTools): Promise<OpenedContext<ClientContext>> {
    const evidence = new Evidence({ keepsAll: tools.keepsEveryExchange })
    const server = await ScriptedServer.start(evidence)
    const apiKey = `key_${tools.unique()}`
    this.secrets.add(apiKey)
    const openSession = (take: () => Promise<DriverShare>) =>
      new DriverSession(take, {
        evidence,
        server,
        patience: this.#patience,
        nextName: () => `c${++this.#clients}`,
        afterFailure: (requestCount) => this.#afterFailure(requestCount),
      })
    /** Who waits for a driver has not begun. */
    const whenFree = async <T>(take: () => Promise<T>): Promise<T> => {
      const arrived = tools.waiting()
      try {
        return await take()
      } finally {
        arrived()
      }
    }
    const session = openSession(() => whenFree(() => this.#drivers.share()))
    const sessions = [session]
    const clientOf = async (own: DriverSession, options: ClientOptions) => {
      const built = await own.construct({ api_key: apiKey, base_url: server.url, ...options }, {})
      tools.require.of('CLI-001').equal('a client with a key', built.kind, 'value')
      return built.handle
    }
    const context: ClientContext = {
      ...tools,
      server,
      apiKey,
      ready: () => session.ready(),
      construct: (options, env) => session.construct(options, env),
      client: (options = {}) => clientOf(session, options),
      isConcurrent: this.#isConcurrent,
      fleet: async (options = {}) => {
        const count = this.#isConcurrent ? 1 : Math.min(largestFleet, this.#drivers.max - 1)
        const shares = await whenFree(() => this.#drivers.alone(count))
        const own = shares.map((share) => openSession(async () => share))
        sessions.push(...own)
        return Promise.all(own.map((session) => clientOf(session, options)))
      },
      freshProcesses: async (count) => {
        const shares = await whenFree(() => this.#drivers.withFresh(count))
        const own = shares.map((share) => openSession(async () => share))
        sessions.push(...own)
        return own.map((session) => () => clientOf(session, {}))
      },
      delivery: (timestamp) => sampleDelivery(ownScheme, { timestamp, mark: tools.unique() }),
      verify: async (request) => verifiedBoth(session, () => clientOf(session, {}), request),
      verifyBy: async (method, request) => (await clientOf(session, {})).call(method, [argumentOf(request)]),
    }
    return {
      context,
      evidence,
      close: async () => {
        for (const session of sessions) session.end()
        await server.close()
      },
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  /** A call was left without an answer. Throws where a new driver fails on plain calls: then this one decides nothing, and the run is over. */
  async #afterFailure(requestCount: number): Promise<void> {
    this.#look ??= answersAsManyCalls(this.#pool, requestCount).finally(() => (this.#look = undefined))
    if (await this.#look) return
    this.#lost ??= 'the driver stopped answering, and so did a new one that got plain calls'
    throw new CaseErrored(this.#lost)
  }
}

/** One case's use of a driver. It takes part in one with its first request. */
class DriverSession {
  readonly #take: () => Promise<DriverShare>
  readonly #evidence: Evidence
  readonly #server: ScriptedServer
  readonly #patience: Patience
  readonly #nextName: () => string
  readonly #afterFailure: (requestCount: number) => Promise<void>
  #share: Promise<DriverShare> | undefined
  #isOver = false

  constructor(
    take: () => Promise<DriverShare>,
    parts: {
      readonly evidence: Evidence
      readonly server: ScriptedServer
      readonly patience: Patience
      readonly nextName: () => string
      readonly afterFailure: (requestCount: number) => Promise<void>
    },
  ) {
    this.#take = take
    this.#evidence = parts.evidence
    this.#server = parts.server
    this.#patience = parts.patience
    this.#nextName = parts.nextName
    this.#afterFailure = parts.afterFailure
  }

  async ready(): Promise<void> {
    await (this.#share ??= this.#take())
  }

  async construct(
    options: ClientOptions,
    env: Readonly<Record<string, string>>,
  ): Promise<CallResult & { handle: ClientHandle }> {
    const client = this.#nextName()
    const reply = await this.#call({ op: 'construct', client, options, env }, buildsWithinMs)
    if (reply.kind === 'silent') throw new CaseErrored(`the driver did not answer construct within ${reply.afterMs} ms`)
    const handle: ClientHandle = {
      call: async (method, args, callOptions: CallOptions = {}, withinMs?: number) => {
        const end = callEnd(options, callOptions)
        const limitMs = withinMs ?? (end === undefined ? this.#patience.openLimitMs : this.#patience.limitMs(end))
        const ends = this.#server.callBegins(method === 'messages.wait')
        const called = await this.#call({ op: 'call', client, method, args, options: callOptions }, limitMs).finally(
          ends,
        )
        if (called.kind === 'silent') {
          await this.#afterFailure((await this.#share)?.requestCount ?? 0)
          if (end !== undefined) this.#patience.missed(end)
          else if (withinMs === undefined) this.#patience.leftOpen()
        }
        return resultOf(called)
      },
    }
    return { ...resultOf(reply), handle }
  }

  async verify(request: DeliveryToVerify): Promise<CallResult> {
    const reply = await this.#call({ op: 'verify', ...argumentOf(request) })
    const result = resultOf(reply)
    return result.kind === 'value' && reply.kind === 'answer' ? { kind: 'value', value: reply.fields['event'] } : result
  }

  end(): void {
    this.#isOver = true
    void this.#share?.then((share) => share.end())
  }

  async #call(request: Readonly<Record<string, unknown>>, withinMs = verifiesWithinMs): Promise<DriverReply> {
    if (this.#isOver) throw new CaseErrored('the case is over')
    this.#share ??= this.#take()
    const share = await this.#share
    const reply = await sendRecorded(this.#evidence, request, () => share.call(request, withinMs)).catch(
      async (error: unknown) => {
        if (error instanceof DriverFailed) await this.#afterFailure(error.requestCount)
        throw error
      },
    )
    if (reply.kind === 'died') await this.#afterFailure(share.requestCount)
    if (reply.kind === 'unsupported') throw new CaseSkipped(`the driver cannot do it: ${reply.why}`)
    return reply
  }
}

/** A delivery in the words of the protocol. */
function argumentOf({ secret, headers, payload }: DeliveryToVerify): Readonly<Record<string, unknown>> {
  return { payload_base64: Buffer.from(payload).toString('base64'), headers, secret }
}

/** Compares the results of the operation `verify` and of the method `verifyWebhook`, if a driver has both; else returns the one. */
async function verifiedBoth(
  session: DriverSession,
  client: () => Promise<ClientHandle>,
  request: DeliveryToVerify,
): Promise<CallResult> {
  const byOperation = await unlessSkipped(() => session.verify(request))
  const byMethod = await unlessSkipped(async () => (await client()).call('verifyWebhook', [argumentOf(request)]))
  if (byOperation instanceof CaseSkipped) {
    if (byMethod instanceof CaseSkipped) throw byOperation
    return byMethod
  }
  if (byMethod instanceof CaseSkipped || byMethod.kind === byOperation.kind) return byOperation
  const how = `the operation verify returned ${byOperation.kind}, the method verifyWebhook ${byMethod.kind}`
  return { kind: 'broken', how }
}

/** A result, or why the driver cannot do it. */
async function unlessSkipped(action: () => Promise<CallResult>): Promise<CallResult | CaseSkipped> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof CaseSkipped) return error
    throw error
  }
}

function resultOf(reply: DriverReply): CallResult {
  if (reply.kind === 'silent') return { kind: 'broken', how: `no answer from the driver within ${reply.afterMs} ms` }
  if (reply.kind !== 'answer') return { kind: 'broken', how: cut(JSON.stringify(reply), 500) }
  const { ok, value, error } = reply.fields
  if (ok === true) return { kind: 'value', value }
  if (ok === false) return { kind: 'error', error: reportedError(error) }
  return { kind: 'broken', how: `it answered without "ok": ${cut(JSON.stringify(reply.fields), 200)}` }
}

function reportedError(error: unknown): ReportedError {
  return {
    status: memberOf(error, 'status'),
    code: memberOf(error, 'code'),
    message: memberOf(error, 'message'),
    fix: memberOf(error, 'fix'),
    errors: memberOf(error, 'errors'),
    retry_after: memberOf(error, 'retry_after'),
    raw: error,
  }
}
