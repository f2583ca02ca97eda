// Mail that the service carries to its own inboxes, and its events.
import { memberOf, mentions, type Project, type Sandbox } from '../../../harness/authoring.js'
import { eventsAfter, eventsOnce } from './event-log.js'
import { dataOf, waitQuietly } from './sent-mail.js'

/** Longest wait in virtual time for a service that carries mail to its own inboxes, in milliseconds. */
export const carriedWithinMs = 3_000

export const notCarried = 'needs a service that carries mail to its own inboxes'

/** An email that was sent, and to whom. */
export interface Sent {
  readonly subject: string
  readonly to: string
  /** The inbox that has the address. */
  readonly inboxId?: string | undefined
}

export function isOf(type: string, subject: string): (event: unknown) => boolean {
  return (event) => memberOf(event, 'type') === type && dataOf(event, 'subject') === subject
}

/**
 * The events of the org, read once each email of `sent` to an inbox was received, or the wait for it is over, and later events had time
 * to follow.
 */
export async function eventsOf(
  sandbox: Sandbox,
  { api }: Project,
  {
    sent,
    after,
    withinMs,
  }: { readonly sent: readonly Sent[]; readonly after: string | undefined; readonly withinMs: number },
): Promise<readonly unknown[]> {
  const startedAt = performance.now()
  const expected = sent.filter(({ inboxId }) => inboxId !== undefined)
  const hasAll = (events: readonly unknown[]) =>
    expected.every(({ subject, to }) => events.some(isOf('message.received', subject)) && events.some(isDelivered(to)))
  await eventsOnce(sandbox, api, hasAll, { after, withinMs })
  await waitQuietly(sandbox, performance.now() - startedAt)
  return eventsAfter(api, after)
}

function isDelivered(to: string): (event: unknown) => boolean {
  return (event) => memberOf(event, 'type') === 'message.delivered' && mentions(dataOf(event, 'recipient') ?? '', to)
}
