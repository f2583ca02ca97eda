import { memberOf } from '../../wire/exchange.js'
import type { Api } from '../api.js'
import type { Raiser } from '../raise.js'
import { itemsOf } from '../read.js'

/** What the events of an org tell of it. */
export interface OrgFacts {
  /** Undefined where it has no event yet. */
  readonly orgId: string | undefined
  /** Inboxes its oldest events are of. */
  readonly inboxIds: readonly string[]
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
  const orgId = events.map((event) => memberOf(event, 'org_id')).find((each) => typeof each === 'string')
  const inboxIds = events
    .map((event) => memberOf(memberOf(event, 'data'), 'inbox_id'))
    .filter((each) => typeof each === 'string')
  return { orgId, inboxIds: [...new Set(inboxIds)] }
}
