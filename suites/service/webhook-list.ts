// How cases read the list of webhooks, whose shape is not shown (open points webhook-list-envelope and webhook-list-pages).

import { cursorOf, itemsOf, memberOf, type Api, type Exchange, type Sandbox } from '../../harness/authoring.js'

/** Longest time the list may lag behind a create or a delete, in milliseconds. */
const lagMs = 5_000
/** Pages read at most. */
const maxPages = 50

/** Names under which a list hands out the cursor of its next page, each with the query parameter that takes it. */
const cursors: readonly (readonly [member: string, parameter: string])[] = [
  ['next_cursor', 'cursor'],
  ['next_after', 'after'],
  ['next_page_token', 'page_token'],
  ['cursor', 'cursor'],
]

export interface WebhookList {
  readonly items: readonly unknown[]
  readonly pages: readonly Exchange[]
  /** Whether the list says that it goes on in a way that nobody can know. */
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
    items.push(...(itemsOf(page) ?? []))
    query = nextOf(page)
  }
  return { items, pages, isPart: query !== undefined || pages.at(-1)?.field('has_more') === true }
}

function nextOf(page: Exchange): Record<string, string> | undefined {
  if ((itemsOf(page) ?? []).length === 0) return undefined
  for (const [member, parameter] of cursors) {
    const cursor = cursorOf(page.field(member))
    if (cursor !== undefined) return { [parameter]: cursor }
  }
  return undefined
}

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
  return items.find((each) => memberOf(each, 'id') === id)
}
