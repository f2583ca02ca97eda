import type { DriverHandler } from '../../../harness/driver/index.js'
import type { References } from '../../patching/load.js'

type Client = References['client']
type PolicyClient = InstanceType<Client['entry']['PolicyClient']>

type Fields = Readonly<Record<string, unknown>>

/** The reference client, or a mutant of it, with the driver protocol. */
export function clientHandler(entry: Client['entry'], policy: Partial<Client['policy']>): DriverHandler {
  const { PolicyClient, ServiceError } = entry
  const clients = new Map<unknown, PolicyClient>()
  return async (request) => {
    try {
      switch (request['op']) {
        case 'hello':
          return { name: 'mutant', version: '0', language: 'typescript' }
        case 'construct': {
          const options = request['options'] as Fields
          const present = Object.entries({
            baseUrl: options['base_url'],
            maxRetries: options['max_retries'],
            timeoutMs: options['timeout_ms'],
            headers: options['headers'],
          }).filter(([, value]) => value !== undefined)
          const key = options['api_key'] as string | undefined
          clients.set(
            request['client'],
            new PolicyClient(policy, key, {
              ...Object.fromEntries(present),
              env: request['env'] as Record<string, string>,
            }),
          )
          return { ok: true }
        }
        case 'call':
          return { ok: true, value: await callMethod(clients.get(request['client']), request) }
        case 'verify': {
          const client = new PolicyClient(policy, 'key_of_nobody', { env: {} })
          const payload = Buffer.from(String(request['payload_base64']), 'base64')
          return {
            ok: true,
            event: await client.verifyWebhook({
              payload,
              headers: request['headers'] as Record<string, string>,
              secret: String(request['secret']),
            }),
          }
        }
        default:
          return { unsupported: 'no such operation' }
      }
    } catch (error) {
      if (error instanceof NoMethod) return { unsupported: error.message }
      if (!(error instanceof ServiceError)) throw error
      const { status, code, message, fix, errors, retryAfter } = error
      return { ok: false, error: { status, code, message, fix, errors, retry_after: retryAfter } }
    }
  }
}

class NoMethod extends Error {}

async function callMethod(client: PolicyClient | undefined, request: Fields): Promise<unknown> {
  const path = String(request['method']).split('.')
  const owner = path.length === 1 ? client : (client as unknown as Record<string, unknown> | undefined)?.[path[0] ?? '']
  const method = (owner as Record<string, unknown> | undefined)?.[path.at(-1) ?? '']
  if (typeof method !== 'function') throw new NoMethod(`no method ${path.join('.')}`)
  const {
    idempotency_key: idempotencyKey,
    timeout_ms: timeoutMs,
    abort_after_ms: abortAfterMs,
    batch_validation: batchValidation,
  } = (request['options'] ?? {}) as Fields
  const args = (request['args'] as unknown[]).map((arg) => withPayload(revived(arg)))
  const isVerifying = /verify(Webhook)?$/.test(path.join('.')) && path[0] !== 'domains'
  const abort = new AbortController()
  if (abortAfterMs === 0) abort.abort()
  const timer = abortAfterMs === undefined ? undefined : setTimeout(() => abort.abort(), Number(abortAfterMs))
  const options = {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(batchValidation === undefined ? {} : { batchValidation }),
    // A caller without a signal passes none: with one, a library handles it as well as its time-out.
    ...(abortAfterMs === undefined ? {} : { signal: abort.signal }),
  }
  try {
    return (await (Reflect.apply(method, owner, isVerifying ? args : [...args, options]) as Promise<unknown>)) ?? null
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a delivery with its bytes instead of `payload_base64`. */
function withPayload(value: unknown): unknown {
  const { payload_base64: payload, ...others } = (value ?? {}) as Fields
  return typeof payload === 'string' ? { ...others, payload: Buffer.from(payload, 'base64') } : value
}

/** Dates of the driver protocol. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived)
  if (typeof value !== 'object' || value === null) return value
  const { $date } = value as { $date?: unknown }
  if (typeof $date === 'string') return new Date($date)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revived(member)]))
}
