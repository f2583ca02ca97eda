import { ApiError, invalidRequest } from '../api/api-error.js'
import type { Store } from './database.js'
import { digest } from '../ids.js'
import type { Answer, Policy } from '../policy.js'

const maxKeyLength = 255

/** A request with an `Idempotency-Key`: where its first result is kept. */
export interface KeptRequest {
  readonly slot: string
  readonly orgId: string
  readonly digest: string
}

/** First results of requests with an `Idempotency-Key`; a refusal is not kept. */
export type FirstResults = ReturnType<typeof createFirstResults>

export function createFirstResults(store: Store, policy: Pick<Policy, 'idempotencySlot' | 'idempotencyConflict'>) {
  const select = store.prepare('select request_digest, result_json from first_results where slot = ?')
  const insert = store.prepare(
    'insert or ignore into first_results (slot, org_id, request_digest, result_json) values (?, ?, ?, ?)',
  )
  return {
    /** The place of a request's result; undefined without a key. Errors: `ApiError` 400 for a key that is too long. */
    requestOf(request: {
      orgId: string
      path: string
      key: string | undefined
      body: unknown
    }): KeptRequest | undefined {
      const { orgId, path, key, body } = request
      if (key === undefined || key === '') return undefined
      if (key.length > maxKeyLength) {
        throw invalidRequest('Idempotency-Key is too long.', `Send at most ${maxKeyLength} characters.`)
      }
      const slot = policy.idempotencySlot({ orgId, path, key })
      return slot === undefined ? undefined : { slot, orgId, digest: digest(JSON.stringify([path, body])) }
    },
    /** The first result of the same request. Errors: `ApiError` 409 for another request under the same key. */
    find(request: KeptRequest | undefined): Answer | undefined {
      const first = request && select.get(request.slot)
      if (first === undefined) return undefined
      if (first[0] !== request?.digest && policy.idempotencyConflict === 'refuse') {
        throw new ApiError({
          status: 409,
          code: 'idempotency_conflict',
          message: 'This Idempotency-Key was used with another request.',
          fix: 'Use a new Idempotency-Key for a new request.',
        })
      }
      return JSON.parse(String(first[1])) as Answer
    },
    /**
     * Keeps an answer. It belongs into the transaction of the work, so that a repeat side by side, or after a crash, finds
     * either both or none.
     */
    keep(request: KeptRequest | undefined, answer: Answer): void {
      if (request !== undefined) insert.run(request.slot, request.orgId, request.digest, JSON.stringify(answer))
    },
  }
}
