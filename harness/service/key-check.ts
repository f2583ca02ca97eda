import { CaseErrored } from '../check.js'
import type { Api } from './api.js'

const refusals: readonly unknown[] = [401, 403]

/**
 * Throws {@link CaseErrored} when the service refuses the key the user gave for two operations that every key of an org
 * may use: a mistyped key says nothing about the service.
 */
export async function refuseRefusedKey(api: Api): Promise<void> {
  const events = await api.pollEvents({ limit: 1 })
  if (!refusals.includes(events.status)) return
  const webhooks = await api.listWebhooks()
  if (!refusals.includes(webhooks.status)) return
  throw new CaseErrored(
    `${api.baseUrl} refuses the API key (${events.status} for GET /v1/events, ${webhooks.status} for GET /v1/webhooks): check --api-key, CONFORMANCE_API_KEY or api_key in the configuration`,
  )
}
