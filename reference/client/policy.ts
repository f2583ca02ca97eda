import { answerPolicy, type AnswerPolicy } from './policy/answers.js'
import { eventPolicy, type EventPolicy } from './policy/events.js'
import { requestPolicy, type RequestPolicy } from './policy/requests.js'
import { retryPolicy, type RetryPolicy } from './policy/retries.js'
import { setupPolicy, type SetupPolicy } from './policy/setup.js'
import { webhookPolicy, type WebhookPolicy } from './policy/webhooks.js'

/**
 * Every number and every decision of the client, one entry each. A mutant is {@link defaultClientPolicy} with one entry
 * replaced. Each entry names the requirement it carries.
 */
export interface ClientPolicy
  extends SetupPolicy, RequestPolicy, RetryPolicy, AnswerPolicy, EventPolicy, WebhookPolicy {}

/** The interface as it is written, and the reference's reading of its open points. */
export const defaultClientPolicy: ClientPolicy = {
  ...setupPolicy,
  ...requestPolicy,
  ...retryPolicy,
  ...answerPolicy,
  ...eventPolicy,
  ...webhookPolicy,
}

export { defaultBaseUrl } from './policy/setup.js'
export type { Environment } from './policy/setup.js'
export type { Credentials, Query } from './policy/requests.js'
export type { FailureCode, KeyContext } from './policy/retries.js'
