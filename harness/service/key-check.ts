import { CaseErrored } from '../check.js'
import { memberOf } from '../wire/exchange.js'
import type { Api } from './api.js'
import { itemsOf } from './answer-readers.js'

const refusals: readonly unknown[] = [401, 403]

/**
 * Throws {@link CaseErrored} when the service refuses the user's key for two operations that every key of an org may use: a mistyped key
 * proves nothing about the service.
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

/** Events of each org that are looked at. */
const maxLookedAt = 100

/**
 * Returns why cases cannot use the second key: it is refused, or it may be a key of the same org, which sees the same. Undefined if the two
 * keys see events of at least two orgs.
 */
export async function secondKeyProblem(first: Api, second: Api): Promise<string | undefined> {
  const [seen, seenBySecond] = [
    await first.pollEvents({ limit: maxLookedAt }),
    await second.pollEvents({ limit: maxLookedAt }),
  ]
  if (refusals.includes(seenBySecond.status))
    return `needs a second key that is taken: GET /v1/events answered ${seenBySecond.status} to it; check --second-api-key`
  const orgs = [seen, seenBySecond].flatMap((answer) =>
    (itemsOf(answer) ?? []).map((event) => memberOf(event, 'org_id')),
  )
  if (new Set(orgs.filter((id) => typeof id === 'string')).size > 1) return undefined
  return 'needs two projects that are known to differ: --api-key and --second-api-key must each show an event of its own, such as a sent email'
}
