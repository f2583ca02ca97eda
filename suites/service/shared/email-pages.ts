// The pages of the list of emails.
import { cursorOf, itemsOf, type Api, type Exchange } from '../../../harness/authoring.js'
import { idsOf } from './event-log.js'

/** Pages read at most. */
const maxPages = 10

/** Emails on a page where their number does not matter: no more than a list may refuse (open point email-list-order). */
const smallPage = 5

/** The pages of the list, each by the cursor of the one before. */
export async function* pagesOf(api: Api, limit: number, pages = maxPages): AsyncGenerator<Exchange> {
  let cursor: string | undefined
  for (let page = 0; page < pages; page++) {
    const answer: Exchange = await api.listEmails({ limit, ...(cursor === undefined ? {} : { cursor }) })
    yield answer
    cursor = cursorOf(answer.field('next_cursor'))
    if (cursor === undefined) return
  }
}

/** The ids of the emails on the first pages of the list, in whatever order it has. */
export async function listedIds(api: Api): Promise<unknown[]> {
  const ids: unknown[] = []
  for await (const page of pagesOf(api, smallPage)) for (const id of idsOf(itemsOf(page) ?? [])) ids.push(id)
  return ids
}
