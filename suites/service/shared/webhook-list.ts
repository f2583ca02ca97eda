// How cases read the list of webhooks, whose shape is not shown (open points webhook-list-envelope and webhook-list-pages).

import {
  itemsOf,
  memberOf,
  nextPageOf,
  hasMorePages,
  type Api,
  type Exchange,
  type Sandbox,
} from '../../../harness/authoring.js'

/** Longest time the list may lag after a create or a delete, in milliseconds. */
const lagMs = 5_000
/** Pages read at most. */
const maxPages = 50

export interface WebhookList {
  readonly items: readonly unknown[]
  readonly pages: readonly Exchange[]
  /** Whether the list continues in an unknown way. */
  readonly isPart: boolean
}

/** The whole list as far as its pages can be followed. */
async function readList(api: Api): Promise<WebhookList> {
  const pages: Exchange[] = []
  const items: unknown[] = []
  let query: Record<string, string> | undefined = {}
  while (query !== undefined && pages.length < maxPages) {
    const page: Exchange = await api.listWebhooks(query)
    pages.push(page)
    for (const item of itemsOf(page) ?? []) items.push(item)
    query = isEmpty(page) ? undefined : nextPageOf(page)
  }
  const last = pages.at(-1)
  const isPart =
    query !== undefined ||
    (last !== undefined && !isEmpty(last) && hasMorePages(last, { items: items.length, pages: pages.length }))
  return { items, pages, isPart }
}

const isEmpty = (page: Exchange) => (itemsOf(page) ?? []).length === 0

/** The list once `condition` holds for its items, or cannot be waited for any longer. */
export async function webhookList(
  sandbox: Sandbox,
  api: Api,
  condition: (items: readonly unknown[]) => boolean,
): Promise<WebhookList> {
  let list = await readList(api)
  if (!condition(list.items))
    await sandbox.until(async () => {
      list = await readList(api)
      return condition(list.items)
    }, lagMs)
  return list
}

/** The item with this id. */
export function itemOf(items: readonly unknown[], id: unknown): unknown {
  return items.find((item) => memberOf(item, 'id') === id)
}
