import { PolicyClient } from '../client.js'
import { WebhookVerificationError, type EmailClientOptions } from '../index.js'
import type { ClientPolicy } from '../policy.js'
import { benchNow } from './bench.js'
import { startScriptedServer, type Reply } from './scripted-server.js'

/** What a scene is played with. */
interface Stage {
  readonly client: PolicyClient
  readonly url: string
  readonly controller: AbortController
  /** Another client of the same policy. */
  make(apiKey: string | undefined, options: EmailClientOptions): PolicyClient
}

export interface Scene {
  readonly run: (stage: Stage) => Promise<unknown>
  readonly replies?: readonly Reply[]
  readonly options?: EmailClientOptions
  /** When the controller aborts: at the first request, or at the head of its answer. */
  readonly abortsAt?: 'request' | 'head'
}

/** Plays `scene` with a client of `policy`, and returns everything that can be seen from outside. */
export async function observe(scene: Scene, policy: Partial<ClientPolicy>): Promise<unknown> {
  const server = await startScriptedServer()
  server.replies(...(scene.replies ?? [{ status: 200, body: { id: 'em_1', some_field: 1 } }]))
  const waits: unknown[] = []
  const controller = new AbortController()
  const abort = () => setImmediate(() => controller.abort())
  if (scene.abortsAt === 'request') server.onRequest = abort
  let keys = 0
  const fetchAndTell: typeof fetch = async (...request) => {
    const response = await fetch(...request)
    if (scene.abortsAt === 'head') abort()
    return response
  }
  const runtime = {
    now: () => benchNow,
    random: () => 0.5,
    newKey: () => `key-${++keys}`,
    wait: (ms: number, signal: AbortSignal | undefined) => {
      waits.push([ms, signal !== undefined])
      return Promise.resolve()
    },
  }
  const make: Stage['make'] = (apiKey, options) =>
    new PolicyClient(policy, apiKey, { env: {}, fetch: fetchAndTell, runtime, ...options })
  let outcome: unknown
  try {
    const client = make('key_1', { baseUrl: `${server.url}/v1`, ...scene.options })
    outcome = { value: await scene.run({ client, url: server.url, controller, make }) }
  } catch (error) {
    outcome = { error: JSON.stringify(error), isRefusal: error instanceof WebhookVerificationError }
  }
  await server.close()
  const requests = server.requests.map(({ method, path, headers, body }) => {
    const { host: _host, connection: _connection, ...others } = headers
    return { method, path, others, body }
  })
  return { outcome, waits, requests }
}
