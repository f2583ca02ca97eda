import { ApiError, invalidRequest } from './api-error.js'
import type { Store } from './database.js'
import { digest } from './ids.js'
import type { Answer, Policy } from './policy.js'

const maxKeyLength = 255
const laterMs = 50

/** First results of requests with an `Idempotency-Key`; a refusal is not kept. */
export function createFirstResults(store: Store, policy: Policy) {
  const select = store.prepare('select request_digest, result_json from first_results where slot = ?')
  const insert = store.prepare(
    'insert or ignore into first_results (slot, org_id, request_digest, result_json) values (?, ?, ?, ?)',
  )
  return {
    /**
     * Does `work`, or answers the first result of the same request. `keep` belongs into the transaction of the work, so
     * that a repeat side by side, or after a crash, finds either both or none.
     */
    once(
      request: { orgId: string; path: string; key: string | undefined; body: unknown },
      work: (keep: (answer: Answer) => void) => Answer,
    ): Answer {
      const { orgId, path, key } = request
      if (key === undefined || key === '') return work(() => undefined)
      if (key.length > maxKeyLength) {
        throw invalidRequest('Idempotency-Key is too long.', `Send at most ${maxKeyLength} characters.`)
      }
      const slot = policy.idempotencySlot({ orgId, path, key })
      if (slot === undefined) return work(() => undefined)
      const requestDigest = digest(JSON.stringify([path, request.body]))
      const first = select.get(slot)
      if (first !== undefined) {
        if (first[0] !== requestDigest && policy.idempotencyConflict === 'refuse') {
          throw new ApiError({
            status: 409,
            code: 'idempotency_conflict',
            message: 'This Idempotency-Key was used with another request.',
            fix: 'Use a new Idempotency-Key for a new request.',
          })
        }
        if (policy.idempotencyRepeatSends) work(() => undefined)
        const answer = JSON.parse(String(first[1])) as Answer
        return policy.idempotencyRepeats === 'first-result' ? answer : { status: answer.status, body: {} }
      }
      return work((answer) => {
        const keep = (): void => void insert.run(slot, orgId, requestDigest, JSON.stringify(answer))
        if (policy.idempotencyKept === 'with-the-email') keep()
        else setTimeout(keep, laterMs).unref()
      })
    },
  }
}
