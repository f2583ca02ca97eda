import { PolicyClient } from '../client.js'
import type { EmailClientOptions } from '../index.js'
import type { ClientPolicy } from '../policy.js'
import { ServiceError } from '../errors.js'
import { startScriptedServer, type ScriptedServer } from './scripted-server.js'

/** A client whose waits end at once and are noted, and the server it talks to. */
export interface Bench {
  readonly server: ScriptedServer
  /** Waits of the clients, in milliseconds. */
  readonly waits: number[]
  client(options?: EmailClientOptions, policy?: Partial<ClientPolicy>): PolicyClient
}

/** The clock of every client of a bench. */
export const benchNow = Date.parse('2030-01-01T00:00:00.000Z')

/** Starts benches, and closes their servers. */
export function testBenches() {
  const opened: ScriptedServer[] = []
  return {
    async open(): Promise<Bench> {
      const server = await startScriptedServer()
      opened.push(server)
      const waits: number[] = []
      const runtime = {
        now: () => benchNow,
        random: () => 0.5,
        wait: (ms: number) => {
          waits.push(ms)
          return Promise.resolve()
        },
      }
      return {
        server,
        waits,
        client: (options = {}, policy = {}) =>
          new PolicyClient(policy, 'key_1', {
            baseUrl: server.url,
            env: {},
            ...options,
            runtime: { ...runtime, ...options.runtime },
          }),
      }
    },
    async closeAll(): Promise<void> {
      for (const server of opened.splice(0)) await server.close()
    },
  }
}

/** The `ServiceError` a promise rejects with. Throws when it resolves, or rejects with something else. */
export async function errorOf(call: Promise<unknown>): Promise<ServiceError> {
  let value: unknown
  try {
    value = await call
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error(`no error, but ${JSON.stringify(value)}`)
}

/** A valid email. */
export const email = { from: 'a@x.example', to: 'b@y.example', subject: 'Hello', text: 'Hello' }
