// Finds what a run left on a target without an id that was read: by the mark in every URL and subject of the run.
import { containsMark, runMark } from '../run-mark.js'
import { memberOf, type Exchange } from '../wire/exchange.js'
import { parsedUrl } from '../wire/url.js'
import type { Api } from './api.js'
import {
  isGone,
  isUsableId,
  removeResource,
  type CreatedResource,
  type Intent,
  type Journal,
} from './shared-org/created-resources.js'
import { nextPageOf, hasMorePages } from './list-pages.js'
import { instantOf, itemsOf } from './answer-readers.js'

/** Pages of a list that are read at most, milliseconds until the last one is requested, and emails that are looked at one by one. */
const max = { pages: 1_000, listMs: 60_000, emails: 200 } as const

/** A mark of any run, as in URLs and subjects. */
const anyMark = /c[0-9a-z]+x[0-9a-wyz]{10}x[0-9a-z]+x[0-9a-z]/i

/** Something that a list of the target shows. */
export interface Listed {
  readonly thing: CreatedResource
  /** The url of a webhook, the subject of an email, as far as it is a text. */
  readonly name: string | undefined
}

export interface Found {
  readonly things: readonly Listed[]
  /** Why it may be that not everything was found; undefined where the whole list was read. */
  readonly gap: string | undefined
}

/** A thing of a list with all the text that is known of it. */
interface Seen extends Listed {
  readonly text: string
}

/** Webhooks, or emails that wait for their time, that bear one of the marks. */
export async function findMarked(api: Api, kind: CreatedResource['kind'], marks: readonly string[]): Promise<Found> {
  const { things, gap } = await everything(api, kind)
  return { things: things.filter(({ text }) => marks.some((mark) => containsMark(text, mark))), gap }
}

/** Those that bear no mark of any run, of which each may be what one of `intents` made. */
export async function findUnmarked(
  api: Api,
  kind: CreatedResource['kind'],
  intents: readonly Intent[],
): Promise<Found> {
  const { things, gap } = await everything(api, kind)
  const mayBe = kind === 'webhook' ? mayBeOn : mayBeAbout
  return {
    things: things.filter(
      ({ text, name }) => !anyMark.test(text) && intents.some((intent) => mayBe(intent.name, name)),
    ),
    gap,
  }
}

/** Removes what requests of this run made whose answers were lost, but for what `isKept` names. Never rejects. */
export async function removeLeftovers(
  api: Api,
  journal: Journal | undefined,
  isKept: (id: string) => boolean,
): Promise<void> {
  const kinds = new Set(journal?.openIntents.filter(({ isMarked }) => isMarked).map(({ kind }) => kind))
  if (journal === undefined || kinds.size === 0) return
  try {
    const found = await Promise.all([...kinds].map((kind) => findMarked(api, kind, [runMark])))
    const things = found.flatMap((search) => search.things.map(({ thing }) => thing)).filter(({ id }) => !isKept(id))
    for (const thing of things) journal.made(thing)
    if (found.every(({ gap }) => gap === undefined)) journal.searched()
    for (const thing of things) if (isGone(await removeResource(api, thing))) journal.removed(thing)
  } catch {
    // Things that could not be requested stay in the journal.
  }
}

function everything(
  api: Api,
  kind: CreatedResource['kind'],
): Promise<{ things: readonly Seen[]; gap: string | undefined }> {
  return kind === 'email' ? everyWaitingEmail(api) : everyWebhook(api)
}

async function everyWebhook(api: Api): Promise<{ things: readonly Seen[]; gap: string | undefined }> {
  const { items, gap } = await everyPage((query) => api.listWebhooks(query), { what: 'webhooks', isKept: () => true })
  const things = items.flatMap((item): Seen[] => {
    const [id, url] = [memberOf(item, 'id'), memberOf(item, 'url')]
    const name = typeof url === 'string' ? url : undefined
    return isUsableId(id) ? [{ thing: { kind: 'webhook', id }, name, text: name ?? JSON.stringify(url) ?? '' }] : []
  })
  return { things, gap }
}

async function everyWaitingEmail(api: Api): Promise<{ things: readonly Seen[]; gap: string | undefined }> {
  const { items, gap } = await everyPage(emailPages(api), { what: 'emails', isKept: mayWait })
  let unread = 0
  const things: Seen[] = []
  for (const [index, item] of items.entries()) {
    const id = memberOf(item, 'id')
    if (!isUsableId(id)) continue
    const isBare = memberOf(item, 'subject') === undefined
    if (isBare && index >= max.emails) {
      unread++
      continue
    }
    const read = isBare ? (await api.getEmail(id)).json : item
    const subject = memberOf(read, 'subject')
    const name = typeof subject === 'string' ? subject : undefined
    things.push({ thing: { kind: 'email', id }, name, text: name ?? JSON.stringify(read) ?? '' })
  }
  return { things, gap: gap ?? (unread === 0 ? undefined : `${unread} emails were not checked`) }
}

/** Requests pages of 100 emails, or of the target's own length once it refuses that limit. */
function emailPages(api: Api): (query: Query) => Promise<Exchange> {
  let length: Query = { limit: '100' }
  const request = (query: Query) => api.request('GET', '/v1/emails', { query: { ...length, ...query } })
  return async (query) => {
    const page = await request(query)
    if (page.status !== 400 && page.status !== 422) return page
    length = {}
    return request(query)
  }
}

/** Returns whether a webhook on `url` may be the result of a request for `requested`; a service may rewrite a URL, except for its host. */
function mayBeOn(requested: string | undefined, url: string | undefined): boolean {
  const [host, requestedHost] = [hostOf(url), hostOf(requested)]
  if (host === undefined) return true
  return requestedHost === undefined ? holds(url, requested) : host === requestedHost
}

function mayBeAbout(requested: string | undefined, subject: string | undefined): boolean {
  return subject === undefined || subject === '' || holds(subject, requested)
}

function holds(text: string | undefined, requested: string | undefined): boolean {
  const part = requested?.trim() ?? ''
  return part !== '' && text?.includes(part) === true
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : parsedUrl(url)?.hostname
}

/** Returns whether a listed email may still be unsent; without a status in the list, it may. */
function mayWait(item: unknown): boolean {
  const [status, time] = [memberOf(item, 'status'), memberOf(item, 'scheduled_at')]
  if (typeof status === 'string' && /cancel/i.test(status)) return false
  const isDue = instantOf(time) <= Date.now()
  return !isDue && (time !== null || typeof status !== 'string' || /sched/i.test(status))
}

type Query = Readonly<Record<string, string>>

async function everyPage(
  send: (query: Query) => Promise<Exchange>,
  { what, isKept }: { readonly what: string; readonly isKept: (item: unknown) => boolean },
): Promise<{ items: unknown[]; gap: string | undefined }> {
  const items: unknown[] = []
  const began = performance.now()
  let read = 0
  let query: Query | undefined = {}
  for (let pages = 1; query !== undefined; pages++) {
    if (pages > max.pages) return { items, gap: `the list of ${what} has more than ${max.pages} pages` }
    if (performance.now() - began > max.listMs)
      return { items, gap: `the list of ${what} was not read to its end within ${max.listMs / 1_000} s` }
    const page: Exchange = await send(query)
    const found = itemsOf(page)
    if (page.status !== 200 || found === undefined)
      return { items, gap: `the list of ${what} could not be read (${page.status ?? page.failure})` }
    read += found.length
    // A hostile page has more items than a call takes arguments.
    for (const item of found) if (isKept(item)) items.push(item)
    query = found.length === 0 ? undefined : nextPageOf(page)
    if (query === undefined && found.length > 0 && hasMorePages(page, { items: read, pages }))
      return { items, gap: `the next page of the list of ${what} cannot be found` }
  }
  return { items, gap: undefined }
}
