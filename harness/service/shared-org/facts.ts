import { memberOf } from '../../wire/exchange.js'
import type { Api } from '../api.js'
import type { Raiser } from '../raise.js'
import { itemsOf } from '../answer-readers.js'
import { isUsableId } from './created-resources.js'

/** Facts about an org, from its events. */
export interface OrgFacts {
  /** Undefined where it has no event yet. */
  readonly orgId: string | undefined
  /** Inboxes its oldest events are of. */
  readonly inboxIds: readonly string[]
}

/** What an org holds from before the run. */
export interface OrgPast {
  readonly hasEvents: boolean
  readonly hasEmails: boolean
  /** The id of a webhook with more deliveries than the largest page; undefined where none was found. */
  readonly busyWebhook: string | undefined
}

/** Events and emails of before that are few enough to be of no use. */
const tooFew = 5

/** Looks whether there are events and emails that cases can read. */
export async function readPast(api: Api): Promise<OrgPast> {
  const [events, emails] = [
    itemsOf(await api.pollEvents({ limit: tooFew + 1 })),
    itemsOf(await api.listEmails({ limit: tooFew + 1 })),
  ]
  return {
    hasEvents: (events?.length ?? 0) > tooFew,
    hasEmails: (emails?.length ?? 0) > tooFew,
    busyWebhook: await findBusyWebhook(api),
  }
}

/** Webhooks whose deliveries are looked at. */
const maxLookedAt = 10
const largestPage = 100

async function findBusyWebhook(api: Api): Promise<string | undefined> {
  const ids = (itemsOf(await api.listWebhooks()) ?? [])
    .map((webhook) => memberOf(webhook, 'id'))
    .filter((id) => isUsableId(id))
  for (const id of ids.slice(0, maxLookedAt))
    if ((itemsOf(await api.listDeliveries(id, { limit: largestPage })) ?? []).length >= largestPage) return id
  return undefined
}

/** Reads the oldest events of the org; where there is none, an email to an inbox makes one. */
export async function learnOrg(
  api: Api,
  how: { readonly raiser: Raiser; readonly inboxAddress: string } | undefined,
): Promise<OrgFacts> {
  const facts = await read(api)
  if (facts.orgId !== undefined || how === undefined) return facts
  const { raiser, inboxAddress } = how
  const request = { inboxId: '', workspaceId: '', mark: `c${Date.now().toString(36)}`, inboxAddress }
  await raiser.raise({ ...request, type: 'message.queued' }).catch(() => {})
  return read(api)
}

async function read(api: Api): Promise<OrgFacts> {
  const events = itemsOf(await api.pollEvents({ limit: 100 })) ?? []
  const orgId = events.map((event) => memberOf(event, 'org_id')).find((id) => typeof id === 'string')
  const inboxIds = events
    .map((event) => memberOf(memberOf(event, 'data'), 'inbox_id'))
    .filter((id) => typeof id === 'string')
  return { orgId, inboxIds: [...new Set(inboxIds)] }
}
