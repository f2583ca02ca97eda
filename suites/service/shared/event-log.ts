import {
  AnswerLost,
  asText,
  itemsOf,
  memberOf,
  type Api,
  type Checks,
  type Project,
  type Sandbox,
  type Stream,
  type Attempt,
  type RaisedEvent,
} from '../../../harness/authoring.js'
// How cases read an org's list of events.

/** Longest time a list may lag after an event was raised, in milliseconds: reads may go to another store than writes. */
export const lagMs = 5_000
/** Time for a forbidden frame to arrive once the expected one has, in milliseconds. */
export const lateMs = 300
/** Pages read at most. */
const maxPages = 500

/** The ids of events, in their order. */
export function idsOf(events: readonly unknown[]): unknown[] {
  return events.map((event) => memberOf(event, 'id'))
}

/** Ends the case if a delivery lacks a member of every event: a comparison with a missing value proves nothing. */
export function requireMembers(require: Checks, attempt: Attempt): void {
  const missing = ['id', 'type', 'timestamp', 'data'].filter((name) => attempt.field(name) === undefined)
  require.of('DLV-002').equal('members that the body of a delivery lacks', missing, [])
}

/** Returns one page of the list; no events if the answer is invalid. */
export async function readPage(
  api: Api,
  query: { after?: string | undefined; limit?: number | undefined } = {},
): Promise<unknown[]> {
  return itemsOf(await api.pollEvents(query)) ?? []
}

/**
 * Returns the events after `after`, or from the oldest, to the end of the list or on `pages` pages of 100; each begins after the last event
 * of the one before.
 */
export async function eventsAfter(api: Api, after?: string, pages = maxPages): Promise<unknown[]> {
  const events: unknown[] = []
  for (let count = 0, cursor = after; count < pages; count++) {
    const items = await readPage(api, { limit: 100, after: cursor })
    for (const item of items) events.push(item)
    const last = memberOf(items.at(-1), 'id')
    if (typeof last !== 'string') break
    cursor = last
  }
  return events
}

/** Returns the requirement that reading a list after `after`, or from the oldest, depends on. */
export function readFrom(after: string | undefined): 'POL-002' | 'POL-003' {
  return after === undefined ? 'POL-002' : 'POL-003'
}

/** Returns the events after `after` once `isEnough` of them, or the wait is over. */
export async function eventsOnce(
  sandbox: Sandbox,
  api: Api,
  isEnough: (events: readonly unknown[]) => boolean,
  { after, withinMs }: { readonly after?: string | undefined; readonly withinMs?: number | undefined } = {},
): Promise<unknown[]> {
  let events: unknown[] = []
  await sandbox.until(
    async () => {
      events = await eventsAfter(api, after)
      return isEnough(events)
    },
    withinMs,
    readFrom(after),
  )
  return events
}

/** Returns the events after `after` once the list contains every one of `ids`, or the wait is over. */
export function listedEvents(sandbox: Sandbox, api: Api, ids: readonly string[], after?: string): Promise<unknown[]> {
  const hasAll = (events: readonly unknown[]) => {
    const known = new Set(idsOf(events))
    return ids.every((id) => known.has(id))
  }
  return eventsOnce(sandbox, api, hasAll, { after, withinMs: lagMs })
}

/**
 * Returns the ids after `after`, in the order of the list, to compare a stream with. Ends the case if the list lacks one of `ids`: that is
 * a failure of the list, and proves nothing about streams.
 */
export async function wholeList(
  sandbox: Sandbox,
  { api, require }: { readonly api: Api; readonly require: Checks },
  ids: readonly string[],
  after?: string,
): Promise<readonly string[]> {
  const all = idsOf(await listedEvents(sandbox, api, ids, after)).map(String)
  const missing = ids.filter((id) => !all.includes(id))
  require.of(readFrom(after)).equal(`events that the list lacks after ${lagMs / 1000} s`, missing, [])
  return all
}

/** Follows `next_after` from `after` until a page is empty. Ends the case at an invalid page, or one with more than `limit` events. */
export async function followPages(
  api: Api,
  require: Checks,
  limit: number | undefined,
  after?: string,
): Promise<{ readonly ids: unknown[]; readonly after: string | undefined }> {
  const ids: unknown[] = []
  for (let count = 0, cursor = after; count < maxPages; count++) {
    const answer = await api.pollEvents({ limit, after: cursor })
    require.of('POL-007').status(answer, [200])
    const items = itemsOf(answer) ?? []
    const most = limit ?? 50
    require
      .of(limit === undefined ? 'POL-004' : 'POL-005')
      .ok(
        `events on a page of limit ${limit ?? '50, the default'}`,
        items.length <= most,
        `at most ${most}`,
        items.length,
      )
    for (const id of idsOf(items)) ids.push(id)
    const next = answer.field('next_after')
    if (items.length === 0) return { ids, after: cursorBehindNothing(next, cursor) }
    require
      .of('POL-007')
      .ok('next_after of a page with events', typeof next === 'string' && next !== '', 'a string', next)
    cursor = asText(next)
  }
  require.of('POL-008').fail('pages until an empty one', `at most ${maxPages}`, 'more')
  return { ids, after }
}

/** Returns the cursor of a consumer after an empty page: null and absent keep the old one (open point next-after-empty). */
function cursorBehindNothing(next: unknown, cursor: string | undefined): string | undefined {
  if (typeof next !== 'string') return cursor
  return next === '' && cursor === undefined ? undefined : next
}

/** Raises events one after the other, so that their order is known. */
export async function raiseInOrder(project: Project, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await project.raise('message.received')).id)
  return ids
}

/** Letters of a subject that fill a socket fast and make a frame of more than 64 KiB, and that any body limit lets through. */
export const largeSubjectLength = 70_000

/** The same with events of that size. */
export async function raiseLarge(project: Project, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const message = { message_id: `msg_${index}`, inbox_id: project.inbox().id, thread_id: 'thr_1' }
    const data = { ...message, from: 'a@sender.example', subject: 'x'.repeat(largeSubjectLength) }
    ids.push((await project.raise('message.received', { data })).id)
  }
  return ids
}

/** Raises events concurrently, `atOnce` at a time; the service decides their order. */
export async function raiseSideBySide(project: Project, count: number, atOnce = 20): Promise<string[]> {
  const chains = Array.from({ length: atOnce }, (_, chain) =>
    raiseInOrder(project, Math.floor(count / atOnce) + (chain < count % atOnce ? 1 : 0)),
  )
  return (await Promise.all(chains)).flat()
}

/** Those of `seen` that are among `known`: in an org that others use, the rest is theirs. */
export function knownAmong(seen: readonly unknown[], known: readonly string[]): unknown[] {
  return seen.filter((id) => typeof id === 'string' && known.includes(id))
}

/** Resolves to whether the stream has shown the event. */
export function showsEvent(
  stream: Stream,
  sandbox: Sandbox,
  id: string,
  options?: { readonly mayClose: boolean },
): Promise<boolean> {
  return stream.until(() => stream.ids.includes(id), sandbox.budgetMs, options)
}

/** Resolves to whether the stream has shown each of the events, after one wait for all of them. */
export function showsEvents(stream: Stream, sandbox: Sandbox, ids: readonly string[]): Promise<boolean> {
  return stream.until(() => ids.every((id) => stream.ids.includes(id)), sandbox.budgetMs)
}

/**
 * Returns the part of `expected` that a stream must send after `seen` frames of it: all, or only those `seen` if the service ended the
 * connection on the way. The interface does not limit how long a connection lasts, and a client reconnects for the others.
 */
export function selectExpected<T>({ closeCode }: Stream, expected: readonly T[], seen: number): readonly T[] {
  return closeCode === undefined ? expected : expected.slice(0, seen)
}

/** Ends the case if the service ended every connection: the events it would have sent are unknown. */
export function requireLasting(streams: readonly Stream[]): void {
  const codes = streams.map(({ closeCode }) => closeCode)
  if (codes.length > 0 && codes.every((code) => code !== undefined))
    throw new AnswerLost(`the service closed every stream that was open (${[...new Set(codes)].join(', ')})`)
}

export function frameOf(stream: Stream, { id }: RaisedEvent): unknown {
  return stream.frames.find((frame) => frame.id === id)?.event
}
