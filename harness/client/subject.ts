import type { CaseTools } from '../case.js'
import { CaseSkipped } from '../check.js'
import { DriverPool, type DriverIntroduction } from '../driver/pool.js'
import type { DriverSource, DriverLink, DriverReply } from '../driver/link.js'
import { Secrets } from '../secrets.js'
import type { OpenedContext, Subject } from '../subject.js'
import { Evidence } from '../wire/evidence.js'
import { cut } from '../wire/cut.js'
import { memberOf } from '../wire/exchange.js'
import type { CallOptions, CallResult, ClientContext, ClientHandle, ClientOptions, ToldError } from './context.js'
import { ScriptedServer } from './scripted-server.js'

/** Cases side by side: most of their time is spent in waits of the client. */
const concurrency = 16
/** Longest time one call may take, in milliseconds, retries included. */
const answersWithinMs = 45_000

/** A client library behind a driver. Throws `CaseErrored` when the driver does not say hello. */
export async function connectClient(source: DriverSource): Promise<Subject<ClientContext>> {
  const secrets = new Secrets()
  // A driver inherits the environment, and may print it.
  secrets.addEnvironment(process.env)
  const pool = new DriverPool(source)
  try {
    return new ClientSubject({ pool, secrets }, await pool.introduce())
  } catch (error) {
    await pool.close()
    throw secrets.redactError(error)
  }
}

class ClientSubject implements Subject<ClientContext> {
  readonly kind = 'client'
  readonly secrets: Secrets
  readonly concurrency = concurrency
  readonly name: string
  readonly #pool: DriverPool
  #clients = 0

  constructor(parts: { readonly pool: DriverPool; readonly secrets: Secrets }, who: DriverIntroduction) {
    this.#pool = parts.pool
    this.secrets = parts.secrets
    this.name = `${who.name} ${who.version} (${who.language})`
  }

  get lost(): string | undefined {
    return this.#pool.lost
  }

  lacks(): undefined {
    return undefined
  }

  async open(tools: CaseTools): Promise<OpenedContext<ClientContext>> {
    const evidence = new Evidence()
    const server = await ScriptedServer.start(evidence)
    const apiKey = `key_${tools.unique()}`
    this.secrets.add(apiKey)
    const openSession = () => new DriverSession(this.#pool, evidence, () => `c${++this.#clients}`)
    const session = openSession()
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
      construct: (options, env) => session.construct(options, env),
      client: (options = {}) => clientOf(session, options),
      fleet: async (count, options = {}) => {
        const own = Array.from({ length: count }, openSession)
        sessions.push(...own)
        return Promise.all(own.map((each) => clientOf(each, options)))
      },
      verify: (request) => session.verify(request),
    }
    return {
      context,
      exchanges: () => evidence.records(),
      close: async () => {
        for (const each of sessions) each.end()
        await server.close()
      },
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}

/** One case's use of a driver process; a driver that died or fell silent is replaced. */
class DriverSession {
  readonly #pool: DriverPool
  readonly #evidence: Evidence
  readonly #nextName: () => string
  #driver: DriverLink
  #isWell = true

  constructor(pool: DriverPool, evidence: Evidence, nextName: () => string) {
    this.#pool = pool
    this.#evidence = evidence
    this.#nextName = nextName
    this.#driver = pool.borrow()
  }

  async construct(
    options: ClientOptions,
    env: Readonly<Record<string, string>>,
  ): Promise<CallResult & { handle: ClientHandle }> {
    const client = this.#nextName()
    const reply = await this.#ask({ op: 'construct', client, options, env })
    const handle: ClientHandle = {
      call: async (method, args, callOptions: CallOptions = {}) =>
        resultOf(await this.#ask({ op: 'call', client, method, args, options: callOptions })),
    }
    return { ...resultOf(reply), handle }
  }

  async verify(request: {
    secret: string
    headers: Readonly<Record<string, string>>
    payload: string
  }): Promise<CallResult> {
    const reply = await this.#ask({
      op: 'verify',
      secret: request.secret,
      headers: request.headers,
      payload_base64: Buffer.from(request.payload).toString('base64'),
    })
    const result = resultOf(reply)
    return result.kind === 'value' && reply.kind === 'answer' ? { kind: 'value', value: reply.fields['event'] } : result
  }

  end(): void {
    this.#pool.giveBack(this.#driver, this.#isWell)
  }

  async #ask(request: Readonly<Record<string, unknown>>): Promise<DriverReply> {
    const startedAt = new Date()
    const driver = this.#driver
    const reply = await this.#pool.ask(driver, request, answersWithinMs)
    this.#evidence.add({
      direction: 'sent',
      kind: 'driver',
      request: {
        method: String(request['op']),
        url: 'driver',
        headers: {},
        body: cut(JSON.stringify(request), 4_096),
      },
      started_at: startedAt.toISOString(),
      duration_ms: Date.now() - startedAt.getTime(),
      note: cut(JSON.stringify(reply), 2_000),
    })
    if (reply.kind === 'unsupported') throw new CaseSkipped(`the driver cannot do it: ${reply.why}`)
    if (reply.kind !== 'answer') this.#isWell = false
    return reply
  }
}

function resultOf(reply: DriverReply): CallResult {
  if (reply.kind !== 'answer') return { kind: 'broken', how: cut(JSON.stringify(reply), 500) }
  const { ok, value, error } = reply.fields
  if (ok === true) return { kind: 'value', value }
  if (ok === false) return { kind: 'error', error: toldError(error) }
  return { kind: 'broken', how: `it answered without "ok": ${cut(JSON.stringify(reply.fields), 200)}` }
}

function toldError(error: unknown): ToldError {
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
