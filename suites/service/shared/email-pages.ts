// The pages of the list of emails, compared with the world model.
import { cursorOf, itemsOf, memberOf, type Api, type Checks, type Sandbox } from '../../../harness/authoring.js'
import { idsOf } from './event-log.js'
import { describeEmail, describeKind, isCancelled, isScheduled, type KnownEmail } from './known-email.js'
import type { MailReads } from './mail-reads.js'
import { timesIn } from './sent-mail.js'

/** Pages of one walk through the list at most. */
const mostPages = 60
/** Longest time a list may lag, in milliseconds. */
const lagMs = 5_000

interface ListWalk {
  readonly api: Api
  readonly sandbox: Sandbox
  readonly require: Checks
  readonly reads: MailReads
  readonly limit: number
}

/** Returns the emails on all pages, each by the cursor of the one before; `act` is done after the first. */
async function readPages({ api, require, limit }: ListWalk, act?: () => Promise<void>): Promise<readonly unknown[]> {
  const items: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const answer = await api.listEmails({ limit, ...(cursor === undefined ? {} : { cursor }) })
    const shown = itemsOf(answer) ?? []
    require.of('SND-008').status(answer, [200])
    require.of('SND-008').ok(`emails on a page of ${limit}`, shown.length <= limit, `at most ${limit}`, shown.length)
    items.push(...shown)
    if (page === 0) await act?.()
    cursor = cursorOf(answer.field('next_cursor'))
    if (cursor === undefined) break
  }
  return items
}

/** Reads the list page by page: each email that existed at the start is on one page, despite changes during the walk. */
export async function compareList(
  walk: ListWalk,
  {
    emails,
    unnamedIds,
    act,
    name,
  }: {
    /** Both grow while `act` is done. */
    readonly emails: readonly KnownEmail[]
    readonly unnamedIds: readonly string[]
    readonly act: (() => Promise<void>) | undefined
    readonly name: string
  },
): Promise<void> {
  const { sandbox, require, reads, limit } = walk
  // Emails that were cancelled need not be listed.
  const listed = () => {
    const cancelled = emails.filter(isCancelled).map(({ id }) => id)
    const ids = [...unnamedIds, ...emails.flatMap(({ id }) => id ?? [])]
    return [...new Set(ids)].filter((id) => !cancelled.includes(id))
  }
  const before = listed()
  if (before.length > limit * (mostPages / 2)) return
  let items: readonly unknown[] = []
  const waiting = emails.filter((email) => email.id !== undefined && isScheduled(email) && !isCancelled(email))
  const isCurrent = (email: KnownEmail) => {
    const item = items.find((candidate) => memberOf(candidate, 'id') === email.id)
    const shown = memberOf(item, 'scheduled_at') ?? undefined
    return shown === undefined || reads.isTimeOf(email, shown)
  }
  const missing = () => before.filter((id) => !idsOf(items).includes(id))
  await sandbox.until(async () => {
    items = await readPages(walk)
    return missing().length === 0 && waiting.every(isCurrent)
  }, lagMs)
  // A kind of which none is listed is a matter of the list, not of its pages.
  const kindOf = (id: string) => describeKind(emails.find((email) => email.id === id))
  const kinds = [...new Set(missing().map(kindOf))]
  const isOfPages = before.some((id) => !missing().includes(id) && kinds.includes(kindOf(id)))
  require.of(isOfPages ? 'SND-009' : 'SND-008').equal(`emails missing on all pages of ${limit}`, kinds, [])
  for (const email of waiting)
    require
      .of('SND-018')
      .ok(`scheduled_at in the list of ${describeEmail(email)}`, isCurrent(email), 'its time', 'another')
  const ids = idsOf(act === undefined ? items : await readPages(walk, act))
  const after = listed()
  const times = before.filter((id) => after.includes(id)).map((id) => timesIn(ids, id))
  require.of('SND-009').equal(
    `how often each email is listed on pages of ${limit}${name}`,
    times,
    times.map(() => 1),
  )
}
