import { memberOf, type Api, type Checks, type Exchange } from '../../harness/authoring.js'

/** An event type that is as good as never raised: a webhook for an address of nobody's choosing asks for it alone. */
const rareEvent = 'sending.resumed'

/** Addresses registered at once. */
const width = 8

export interface Registration<Row> {
  readonly row: Row
  readonly answer: Exchange
}

/** Asks for a webhook on each url, and deletes at once what was created: no event is ever raised for it. */
export async function register<Row extends { readonly url: unknown }>(
  api: Api,
  rows: readonly Row[],
): Promise<Registration<Row>[]> {
  const registrations: Registration<Row>[] = []
  for (let start = 0; start < rows.length; start += width) {
    const batch = rows.slice(start, start + width).map(async (row) => {
      const answer = await api.createWebhook({ url: row.url, event_types: [rareEvent] })
      const id = memberOf(answer.json, 'id')
      if (answer.status !== undefined && answer.status < 300 && typeof id === 'string') await api.deleteWebhook(id)
      return { row, answer }
    })
    registrations.push(...(await Promise.all(batch)))
  }
  return registrations
}

/** Statuses that may refuse a url: the interface shows none, so any that speaks of the request. */
export const urlRefusals = Array.from({ length: 100 }, (_, index) => 400 + index).filter(
  (status) => ![401, 404, 405, 408, 429].includes(status),
)

/** A mismatch for each url that was not refused. */
export function expectRefused(check: Checks, registrations: readonly Registration<{ readonly url: unknown }>[]): void {
  for (const { row, answer } of registrations) {
    if (answer.status !== undefined && urlRefusals.includes(answer.status)) continue
    check.fail(`webhook on ${JSON.stringify(row.url)}`, 'refused with a 4xx', answer.status ?? answer.failure)
  }
}

/** A mismatch for each url that was not accepted. */
export function expectAccepted(check: Checks, registrations: readonly Registration<{ readonly url: unknown }>[]): void {
  for (const { row, answer } of registrations) {
    if (answer.status !== undefined && answer.status < 300) continue
    check.fail(`webhook on ${JSON.stringify(row.url)}`, 'accepted', answer.status ?? answer.failure)
  }
}
