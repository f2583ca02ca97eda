// Lists from a lagging copy: the proxy reads them all the time, and returns earlier states.
import { isApi, jsonOf, jsonReply, keyOf, type NoisyRequest, type Noise, type Reply, type Upstream } from './noise.js'
import { Orgs } from './orgs.js'

/** How often a list is read, in milliseconds: the lag may be longer by this much. */
const lookEveryMs = 200
/** A list of an org without requests is not read any more. */
const idleMs = 6_000
/** Longest time for a look, in milliseconds: one that never ends would keep every list as it was. */
const longestLookMs = 10_000
/** Deliveries that a list shows at most. */
const longestPage = 100

interface Snapshot {
  readonly at: number
  readonly items: readonly unknown[]
}

interface DeliveryList {
  readonly path: string
  readonly key: string
  snapshots: Snapshot[]
}

interface EventList {
  readonly key: string
  last: string
}

export function laggingLists(upstream: Upstream, lagMs: number): Noise {
  const orgs = new Orgs()
  const deliveries = new Map<string, DeliveryList>()
  const events = new Map<string, EventList>()
  /** When each event was first seen under any key, by id. */
  const seenAt = new Map<string, number>()
  const busyAt = new Map<string, number>()
  let hits = 0
  let isLooking = false

  const isBusy = ({ key }: { readonly key: string }) => Date.now() - (busyAt.get(orgs.of(key)) ?? 0) < idleMs

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const lists = [...deliveries.values()].filter(isBusy)
    const logs = [...events.values()].filter(isBusy)
    await Promise.allSettled([
      ...lists.map((list) => lookAtDeliveries(upstream, list, lagMs)),
      ...logs.map((log) => lookAtEvents(upstream, log, seenAt)),
    ])
    isLooking = false
  }
  const timer = setInterval(() => void look(), lookEveryMs)

  function shownDeliveries(list: DeliveryList, requested: NoisyRequest, reply: Reply): Reply {
    const value = jsonOf(reply)
    const now = itemsOf(value)
    if (now === undefined) return reply
    const limit = Number(new URLSearchParams(requested.path.split('?')[1] ?? '').get('limit') ?? 50)
    const at = Date.now()
    // A list in an answer counts as a read too, and arrives even if a service with a rate limit refuses ours.
    if (now.length < limit || limit >= longestPage) remember(list, { at, items: now }, lagMs)
    const then = list.snapshots.findLast((snapshot) => snapshot.at <= at - lagMs)?.items ?? []
    const items = then.slice(0, Math.min(limit, longestPage))
    if (JSON.stringify(now) === JSON.stringify(items)) return reply
    hits++
    return jsonReply(reply.status, withItems(value, items))
  }

  function shownEvents(requested: NoisyRequest, reply: Reply): Reply {
    const value = jsonOf(reply) as { data: { id: string }[]; next_after: string }
    const until = Date.now() - lagMs
    for (const { id } of value.data) if (!seenAt.has(id)) seenAt.set(id, Date.now())
    const hidden = value.data.findIndex(({ id }) => (seenAt.get(id) ?? 0) > until)
    if (hidden === -1) return reply
    hits++
    const data = value.data.slice(0, hidden)
    const after = new URLSearchParams(requested.path.split('?')[1] ?? '').get('after') ?? ''
    return jsonReply(reply.status, { ...value, data, next_after: data.at(-1)?.id ?? after })
  }

  return {
    hits: () => hits,
    close: () => clearInterval(timer),
    after(requested, reply) {
      orgs.learn(requested, reply)
      const key = keyOf(requested)
      if (!isApi(requested)) {
        // Events raised a while ago are not hidden from a key's first request.
        const { id } = (jsonOf(reply) ?? {}) as { id?: unknown }
        if (typeof id === 'string' && !seenAt.has(id)) seenAt.set(id, Date.now())
        for (const org of orgs.namedBy(requested)) busyAt.set(org, Date.now())
        return reply
      }
      if (reply.status >= 300) return reply
      busyAt.set(orgs.of(key), Date.now())
      if (!events.has(key)) events.set(key, { key, last: '' })
      const [path = ''] = requested.path.split('?')
      if (requested.method === 'POST' && path === '/v1/webhooks') {
        const id = (jsonOf(reply) as { id?: string } | undefined)?.id ?? ''
        const list = `/v1/webhooks/${id}/deliveries`
        deliveries.set(list, { path: list, key, snapshots: [] })
      }
      const list = deliveries.get(path)
      const isOwn = list !== undefined && orgs.of(list.key) === orgs.of(key)
      if (requested.method === 'GET' && isOwn) return shownDeliveries(list, requested, reply)
      if (requested.method === 'GET' && path === '/v1/events') return shownEvents(requested, reply)
      return reply
    },
  }
}

async function get(upstream: Upstream, path: string, key: string): Promise<unknown> {
  const answer = await fetch(`${upstream.url}${path}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(longestLookMs),
  })
  const text = await answer.text()
  return answer.ok ? (JSON.parse(text) as unknown) : undefined
}

async function lookAtDeliveries(upstream: Upstream, list: DeliveryList, lagMs: number): Promise<void> {
  const at = Date.now()
  const items = itemsOf(await get(upstream, `${list.path}?limit=${longestPage}`, list.key))
  if (items === undefined) return
  remember(list, { at, items }, lagMs)
}

/** Keeps a look, and of those before it the ones that may still be shown. */
function remember(list: DeliveryList, look: Snapshot, lagMs: number): void {
  const known = [...list.snapshots, look].sort((a, b) => a.at - b.at)
  const until = Date.now() - lagMs
  list.snapshots = known.filter((_, index) => (known[index + 1]?.at ?? Infinity) > until)
}

/** Reads on from the last event it has seen. */
async function lookAtEvents(upstream: Upstream, log: EventList, seenAt: Map<string, number>): Promise<void> {
  for (;;) {
    const at = Date.now()
    const query = log.last === '' ? '' : `&after=${encodeURIComponent(log.last)}`
    const page = (await get(upstream, `/v1/events?limit=100${query}`, log.key)) as
      { data: { id: string }[] } | undefined
    for (const { id } of page?.data ?? []) if (!seenAt.has(id)) seenAt.set(id, at)
    log.last = page?.data.at(-1)?.id ?? log.last
    if ((page?.data.length ?? 0) < 100) return
  }
}

/** Returns the list in an answer: the answer itself, or a member. */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value !== 'object' || value === null) return undefined
  for (const member of Object.values(value)) {
    const items = itemsOf(member)
    if (items !== undefined) return items
  }
  return undefined
}

/** The same answer with another list in its place. */
function withItems(value: unknown, items: readonly unknown[]): unknown {
  if (Array.isArray(value)) return items
  const members = Object.entries(value as Record<string, unknown>)
  const place = members.findIndex(([, member]) => itemsOf(member) !== undefined)
  return Object.fromEntries(
    members.map(([name, member], index) => [name, index === place ? withItems(member, items) : member]),
  )
}
