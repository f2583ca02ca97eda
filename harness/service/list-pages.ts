// How a list goes on whose shape is not shown (open point webhook-list-pages).
import { memberOf, type Exchange } from '../wire/exchange.js'
import { cursorOf, envelopesOf } from './answer-readers.js'

/** Names under which a list returns the cursor of its next page, each with the query parameter for it. */
const cursors: readonly (readonly [member: string, parameter: string])[] = [
  ['next_cursor', 'cursor'],
  ['next_after', 'after'],
  ['next_page_token', 'page_token'],
  ['cursor', 'cursor'],
]

/** Members that show that a list continues, or ends, or its number of items or pages; and those that lead to the other pages. */
const signs = {
  more: /^(has_?(more|next(_?page)?)|more|(is_?)?(truncated|incomplete))$/i,
  end: /^((is_?)?(done|last|complete|finished)|(is_?)?last_?page)$/i,
  items: /^(total|count|(total|overall)_?(count|items|results|records|elements|entries|size|webhooks|emails))$/i,
  pages: /^(pages|page_?count|(total|last)_?pages?)$/i,
  next: /^(@odata\.)?next|^(continuation(_?token)?|page_?token|bookmark)$/i,
} as const

/** Headers with the number of items: a plain number, or the size after a range (RFC 9110, 14.4). */
const sizes = [
  ['x-total-count', /^(\d+)$/],
  ['x-total', /^(\d+)$/],
  ['content-range', /\/(\d+)$/],
] as const

/** Returns the query of the next page, if the page names it in a known way. */
export function nextPageOf(page: Exchange): Record<string, string> | undefined {
  for (const envelope of envelopesOf(page.json))
    for (const [member, parameter] of cursors) {
      const cursor = cursorOf(memberOf(envelope, member))
      if (cursor !== undefined) return { [parameter]: cursor }
    }
  return undefined
}

/** Returns whether a page shows, in any way, that there are more than the `items` of the `pages` up to it. */
export function hasMorePages(page: Exchange, read: { readonly items: number; readonly pages: number }): boolean {
  if (/;\s*rel="?next\b/i.test(page.header('link') ?? '') || page.header('x-next-page')) return true
  if (sizes.some(([name, form]) => Number(form.exec(page.header(name) ?? '')?.[1] ?? 0) > read.items)) return true
  return envelopesOf(page.json).some((envelope) =>
    Object.entries(envelope).some(([name, value]) => {
      if (signs.more.test(name)) return value === true
      if (signs.end.test(name)) return value === false
      if (signs.items.test(name)) return typeof value === 'number' && value > read.items
      if (signs.pages.test(name)) return typeof value === 'number' && value > read.pages
      return signs.next.test(name) && ![null, false, 0, ''].includes(value as null)
    }),
  )
}
