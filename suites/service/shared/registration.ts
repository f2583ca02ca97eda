import {
  asText,
  AnswerLost,
  itemsOf,
  memberOf,
  type Api,
  type Checks,
  type Exchange,
  type ServiceContext,
} from '../../../harness/authoring.js'

/** An event type that is practically never raised, for webhooks at addresses we do not control. */
export const rareEvent = 'sending.resumed'

/** The same for a webhook of one inbox, to which the events of a workspace never belong (open point pointless-filter). */
export const rareInboxEvent = 'message.complained'

/** Addresses registered at once. */
const width = 8
/** How often the create for a valid URL is repeated alone: other cases of a shared org may have used up a quota. */
const maxRepeats = 2

export interface Registration<Row> {
  readonly row: Row
  readonly answer: Exchange
}

type Row = { readonly url: string }

/**
 * Creates a webhook on each URL, and deletes it at once: no event is ever raised for it. Each URL has a mark, so that the remains of a
 * killed run are found, and since a service may accept a URL only once (open point same-url).
 */
async function register<R extends Row>(
  api: Api,
  rows: readonly R[],
  { unique, atOnce = width }: { readonly unique: () => string; readonly atOnce?: number | undefined },
): Promise<Registration<R>[]> {
  const registrations: Registration<R>[] = []
  const send = (row: R) => registerMarked(api, row, unique)
  for (let start = 0; start < rows.length; start += atOnce)
    registrations.push(...(await Promise.all(rows.slice(start, start + atOnce).map(send))))
  return registrations
}

/**
 * The same for urls that must be refused, but those that the run itself made the service take (`receiver`, `POST /egress`). `atOnce`:
 * one by one no quota refuses what the service would take.
 */
export function registerRefused<R extends Row>(
  { isExempted, unique }: Pick<ServiceContext, 'isExempted' | 'unique'>,
  api: Api,
  rows: readonly R[],
  { atOnce }: { readonly atOnce?: 1 } = {},
): Promise<Registration<R>[]> {
  const requested = rows.filter(({ url }) => !isExempted(url))
  return register(api, requested, { unique, atOnce })
}

/** Creates a webhook, with another mark after a lost answer: a webhook from the lost create is deleted, and does not interfere. */
async function registerMarked<R extends Row>(api: Api, row: R, unique: () => string): Promise<Registration<R>> {
  for (let left = maxRepeats; ; left--) {
    const marked = { ...row, url: markedUrl(row.url, unique) }
    try {
      return await registerOne(api, marked)
    } catch (error) {
      if (!(error instanceof AnswerLost) || left === 0 || marked.url === row.url) throw error
      await deleteOn(marked.url, api)
    }
  }
}

async function deleteOn(url: string, api: Api): Promise<void> {
  const webhooks = itemsOf(await api.listWebhooks()) ?? []
  const lost = webhooks
    .filter((webhook) => memberOf(webhook, 'url') === url)
    .map((webhook) => asText(memberOf(webhook, 'id')))
  await Promise.all(lost.map((id) => api.deleteWebhook(id)))
}

async function registerOne<R extends Row>(api: Api, row: R): Promise<Registration<R>> {
  const answer = await api.createWebhook({ url: row.url, event_types: [rareEvent] })
  const id = memberOf(answer.json, 'id')
  if (isAccepted(answer) && typeof id === 'string') await api.deleteWebhook(id)
  return { row, answer }
}

/** The same for valid URLs: a refused create is repeated, since a quota may be used up. */
export async function registerPublic<R extends { readonly url: string }>(
  api: Api,
  rows: readonly R[],
  unique: () => string,
): Promise<Registration<R>[]> {
  const registrations = await register(api, rows, { unique })
  for (const [index, { row, answer }] of registrations.entries()) {
    let again = answer
    for (let count = 0; count < maxRepeats && !isAccepted(again); count++) again = (await registerOne(api, row)).answer
    registrations[index] = { row, answer: again }
  }
  return registrations
}

/**
 * Returns a URL with a mark as one more segment of its path, whatever slashes it has; in a URL without a path, the mark ends its query or
 * fragment. A text without a host gets none: the mark would become the host.
 */
function markedUrl(url: string, unique: () => string): string {
  const usual = /^(.*\/hook)([?#].*|\s*)$/s.exec(url)
  if (usual !== null) return `${usual[1]}/${unique()}${usual[2]}`
  const [, head = '', path = '', tail = '', space = ''] =
    /^(\s*[a-z+]+:[\\/]*[^\\/?#]*)([\\/][^?#]*?)?([?#].*?)?(\s*)$/is.exec(url) ?? []
  if (head === '' || /[:\\/]$/.test(head)) return url
  if (path === '') return `${head}${tail === '' ? '?' : `${tail.replace(/\/$/, '')}/`}${unique()}${space}`
  const slash = path.startsWith('\\') ? '\\' : '/'
  return `${head}${path.replace(/[\\/]$/, '')}${slash}${unique()}${tail}${space}`
}

export function isAccepted({ status }: Exchange): boolean {
  return status !== undefined && status < 300
}

/** Statuses that may refuse a url: the interface shows none, so any that speaks of the request. */
const urlRefusals = Array.from({ length: 100 }, (_, index) => 400 + index).filter(
  (status) => ![401, 404, 405, 408, 429].includes(status),
)

export function isRefused({ status }: Exchange): boolean {
  return status !== undefined && urlRefusals.includes(status)
}

/** A mismatch for each url that was not refused. */
export function expectRefused(check: Checks, registrations: readonly Registration<Row>[]): void {
  for (const { row, answer } of registrations) {
    if (isRefused(answer)) continue
    check.fail(`webhook on ${JSON.stringify(row.url)}`, 'refused with a 4xx', answer.status ?? answer.failure)
  }
}

/** A mismatch for each url that was not accepted. */
export function expectAccepted(check: Checks, registrations: readonly Registration<Row>[]): void {
  for (const { row, answer } of registrations) {
    if (isAccepted(answer)) continue
    check.fail(`webhook on ${JSON.stringify(row.url)}`, 'accepted', answer.status ?? answer.failure)
  }
}

/**
 * The control of every refusal: a webhook on a public name is accepted, or else one on a public address. Which of the two
 * a service takes is open (open points address-literals and name-without-address).
 */
export async function expectSomeAccepted(context: ServiceContext, api: Api): Promise<void> {
  const { publicUrl, require, unique } = context
  const [name] = await registerPublic(api, [{ url: publicUrl() }], unique)
  if (name === undefined || isAccepted(name.answer)) return
  const [address] = await registerPublic(api, [{ url: 'https://8.8.8.8/hook' }], unique)
  if (address === undefined || isAccepted(address.answer)) return
  expectAccepted(require.of('NET-006'), [name])
}
