// How many attempts were made before the webhook was deleted.
import { retryDelaysMs } from '../../../spec/index.js'
import { type RaisedEvent, type Webhook } from '../../../harness/authoring.js'
import { connectingMs } from './answer-timing.js'

/**
 * Returns how many attempts of `event` an answered delete may have been too late for: the first, and more if the retry was due meanwhile.
 */
export function madeBefore(webhook: Pick<Webhook, 'attempts'>, event: RaisedEvent): number {
  const attempts = webhook.attempts(event)
  const dueAt = (attempts[0]?.begunAt ?? 0) + (retryDelaysMs[1] ?? 0) - connectingMs
  return Date.now() < dueAt ? Math.min(attempts.length, 1) : attempts.length
}
